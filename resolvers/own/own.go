// Package own has the values of tmp itself: what its map holds and what it keeps in
// its directories.
package own

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/jsonscan"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// Map answers tmp:operations, tmp:workflows, tmp:intents (the next word of
// what an operation can be asked for by), tmp:maps (tools) and tmp:commands (the
// next word of a command's path) from the map that is in use.
func Map(ctx context.Context, r resolvers.Request) resolvers.Answer {
	if r.Own == nil {
		return resolvers.Answer{State: resolvers.Failed, Message: r.Name + " needs the map that is in use"}
	}
	c := resolvers.NewCollector(ctx, r)
	for _, v := range r.Own(r) {
		if c.Late() {
			break
		}
		c.Add(v)
	}
	return c.Answer()
}

const (
	// maxRecords bounds the small files that describe one object each.
	maxRecords    = 512
	maxRecordSize = 1 << 20
)

// Runs answers tmp:runs: the runs that were kept for the project here and
// for the user, the newest first, each with what was run.
func Runs(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	type run struct{ id, dir string }
	var runs []run
	list := func(dir string) {
		for _, name := range namesIn(dir) {
			if !strings.HasPrefix(name, ".") {
				runs = append(runs, run{name, dir})
			}
		}
	}
	if project, ok := project(r); ok {
		list(filepath.Join(project, ".tmp", "runs"))
	}
	if state := place.Find(r.Env).State; state != "" {
		list(filepath.Join(state, "runs"))
	}
	// A run's name begins with the time at which it began.
	slices.SortFunc(runs, func(a, b run) int { return strings.Compare(b.id, a.id) })
	for i, run := range runs[:min(len(runs), maxRecords)] {
		v := resolvers.Value{Value: run.id, Kind: "run", Weight: maxRecords - i}
		if c.Late() {
			break
		}
		if !c.Filter.Keep(v.Value) || !c.Room(v) {
			continue
		}
		if f := record(filepath.Join(run.dir, run.id, "summary.json"), "invocation", "success"); f != nil {
			v.Description = resolvers.OneLine(f["invocation"], 80)
			if f["success"] == "false" {
				v.Description = resolvers.OneLine("failed: "+f["invocation"], 80)
			}
		}
		c.Keep(v)
	}
	return c.Answer()
}

// project finds the directory of the project that r is in.
func project(r resolvers.Request) (dir string, ok bool) {
	if !filepath.IsAbs(r.Dir) {
		return "", false
	}
	for dir = filepath.Clean(r.Dir); ; dir = filepath.Dir(dir) {
		if st, err := os.Lstat(filepath.Join(dir, ".tmp")); err == nil && st.IsDir() {
			return dir, true
		}
		if dir == "/" {
			return "", false
		}
	}
}

// Approvals answers tmp:approvals: the digests of the plans that wait for a
// person's yes, each with why it needs one.
func Approvals(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return records(ctx, r, "pending", func(name string, f map[string]string) resolvers.Value {
		return resolvers.Value{Value: name, Description: resolvers.OneLine(strings.TrimSpace(f["operation_id"]+" "+f["reason"]), 80), Kind: "plan"}
	}, "operation_id", "reason")
}

// Trusted answers tmp:trusted: the directories of trusted projects.
func Trusted(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return records(ctx, r, "trust", func(_ string, f map[string]string) resolvers.Value {
		return resolvers.Value{Value: f["project"], Description: resolvers.OneLine("trusted since "+before(f["date"], "T"), 40), Kind: "project"}
	}, "project", "date")
}

// records makes a value of each record in a directory of the state, from the
// named members.
func records(ctx context.Context, r resolvers.Request, dir string, value func(name string, f map[string]string) resolvers.Value, members ...string) resolvers.Answer {
	state := place.Find(r.Env).State
	if state == "" {
		return resolvers.Answer{State: resolvers.Failed, Message: "no state directory: HOME is not set"}
	}
	c := resolvers.NewCollector(ctx, r)
	names := namesIn(filepath.Join(state, dir))
	for _, name := range names[:min(len(names), maxRecords)] {
		if c.Late() {
			break
		}
		if f := record(filepath.Join(state, dir, name), members...); f != nil {
			if v := value(name, f); v.Value != "" {
				c.Add(v)
			}
		}
	}
	return c.Answer()
}

// Drafts answers tmp:drafts: the maps that can be removed, with the layer
// that says whose they are.
func Drafts(ctx context.Context, r resolvers.Request) resolvers.Answer {
	p := place.Find(r.Env)
	c := resolvers.NewCollector(ctx, r)
	for _, from := range [...]struct{ dir, layer, text string }{
		{p.Schemas(), "user:", "map of your own"},
		{p.Drafts(), "system:", "draft of what is installed"},
	} {
		for _, name := range namesIn(from.dir) {
			if tool, ok := strings.CutSuffix(name, ".json"); ok && tool != "" && !strings.HasPrefix(tool, ".") {
				c.Add(resolvers.Value{Value: from.layer + tool, Description: from.text, Kind: "map"})
			}
		}
	}
	return c.Answer()
}

// Packs answers tmp:packs: the packs that are installed.
func Packs(ctx context.Context, r resolvers.Request) resolvers.Answer {
	data := place.Find(r.Env).Data
	c := resolvers.NewCollector(ctx, r)
	if data == "" {
		return c.Answer()
	}
	dir := filepath.Join(data, "packs")
	for _, publisher := range namesIn(dir) {
		for _, name := range namesIn(filepath.Join(dir, publisher)) {
			if name, version, ok := strings.Cut(name, "@"); ok && !strings.Contains(version, ".note") && !strings.HasSuffix(version, ".new") {
				version, _, _ = strings.Cut(version, "~")
				c.Add(resolvers.Value{Value: publisher + "/" + name, Description: resolvers.OneLine(version, 40), Kind: "pack"})
			}
		}
	}
	return c.Answer()
}

// Quarantine answers tmp:quarantine: the paths that the files in the user's
// trash had, the newest first (Trash specification 1.0: one .trashinfo each). A
// path below the working directory is written from there.
func Quarantine(ctx context.Context, r resolvers.Request) resolvers.Answer {
	data := r.Env("XDG_DATA_HOME")
	if !filepath.IsAbs(data) {
		data = filepath.Join(r.Env("HOME"), ".local", "share")
	}
	if !filepath.IsAbs(data) {
		return resolvers.Answer{State: resolvers.Failed, Message: "no trash: HOME is not set"}
	}
	type item struct{ path, date string }
	var items []item
	c := resolvers.NewCollector(ctx, r)
	dir := filepath.Join(data, "Trash", "info")
	for _, name := range namesIn(dir) {
		if c.Late() {
			break
		}
		if !strings.HasSuffix(name, ".trashinfo") {
			continue
		}
		data, err := disk.ReadRegular(filepath.Join(dir, name), maxRecordSize)
		if err != nil {
			continue
		}
		it := trashInfo(string(data))
		if path, ok := unescaped(it[0]); ok && filepath.IsAbs(path) {
			items = append(items, item{path, it[1]})
		}
	}
	slices.SortStableFunc(items, func(a, b item) int { return strings.Compare(b.date, a.date) })
	for i, it := range items {
		path := it.path
		if rel, ok := strings.CutPrefix(path, strings.TrimSuffix(r.Dir, "/")+"/"); ok && rel != "" {
			path = rel
		}
		c.Add(resolvers.Value{Value: path, Description: resolvers.OneLine("since "+strings.Replace(it.date, "T", " ", 1), 40), Kind: "file", Weight: max(1, maxRecords-i)})
	}
	return c.Answer()
}

// unescaped is a path of a .trashinfo file as it is: bytes may stand there as %20
// (RFC 2396, section 2). Package net/url would cost every Tab its start.
func unescaped(s string) (string, bool) {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, "%")
		b.WriteString(before)
		if !found {
			return b.String(), true
		}
		if len(after) < 2 {
			return "", false
		}
		c, err := strconv.ParseUint(after[:2], 16, 8)
		if err != nil {
			return "", false
		}
		b.WriteByte(byte(c))
		s = after[2:]
	}
}

// trashInfo reads the path, still escaped, and the date of a .trashinfo file.
func trashInfo(text string) (fields [2]string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		for i, key := range [...]string{"Path=", "DeletionDate="} {
			if v, ok := strings.CutPrefix(line, key); ok && fields[i] == "" {
				fields[i] = v
			}
		}
	}
	return fields
}

// record reads members of a JSON object in a file: texts as they are, true and
// false as words, anything else as "". It is nil if there is no such file.
func record(path string, members ...string) map[string]string {
	data, err := disk.ReadRegular(path, maxRecordSize)
	if err != nil {
		return nil
	}
	found := make(map[string]string, len(members))
	err = jsonscan.Read(data, func(j *jsonscan.Reader) error {
		return j.Object(func(key string) error {
			if slices.Contains(members, key) {
				switch j.Peek() {
				case '"':
					text, err := j.Text()
					found[key] = text
					return err
				case 't':
					found[key] = "true"
				case 'f':
					found[key] = "false"
				}
			}
			return j.Skip()
		})
	})
	if err != nil {
		return nil
	}
	return found
}

// before is what stands before a mark, or all of it.
func before(text, mark string) string {
	text, _, _ = strings.Cut(text, mark)
	return text
}

// namesIn lists a directory, sorted; what cannot be read is empty.
func namesIn(dir string) []string {
	entries, _ := os.ReadDir(dir)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}
