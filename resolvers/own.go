package resolvers

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/place"
)

// ownMap answers tmp:operations, tmp:workflows, tmp:intents (the next word of
// what an operation can be asked for by), tmp:maps (tools) and tmp:commands (the
// next word of a command's path) from the map that is in use.
func ownMap(ctx context.Context, r Request) Answer {
	if r.Own == nil {
		return Answer{State: Failed, Message: r.Name + " needs the map that is in use"}
	}
	c := newCollector(ctx, r)
	for _, v := range r.Own(r) {
		if c.late() {
			break
		}
		c.add(v)
	}
	return c.answer()
}

const (
	// maxRecords bounds the small files that describe one object each.
	maxRecords    = 512
	maxRecordSize = 1 << 20
)

// ownRuns answers tmp:runs: the runs that were kept for the project here and
// for the user, the newest first, each with what was run.
func ownRuns(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	type run struct{ id, dir string }
	var runs []run
	list := func(dir string) {
		for _, name := range namesIn(dir) {
			if !strings.HasPrefix(name, ".") {
				runs = append(runs, run{name, dir})
			}
		}
	}
	if project, ok := ownProject(r); ok {
		list(filepath.Join(project, ".tmp", "runs"))
	}
	if state := place.Find(r.getenv).State; state != "" {
		list(filepath.Join(state, "runs"))
	}
	// A run's name begins with the time at which it began.
	slices.SortFunc(runs, func(a, b run) int { return strings.Compare(b.id, a.id) })
	for i, run := range runs[:min(len(runs), maxRecords)] {
		v := Value{Value: run.id, Kind: "run", Weight: maxRecords - i}
		if c.late() {
			break
		}
		if !c.filter.Keep(v.Value) || !c.room(v) {
			continue
		}
		if f := record(filepath.Join(run.dir, run.id, "summary.json"), "invocation", "success"); f != nil {
			v.Description = oneLine(f["invocation"], 80)
			if f["success"] == "false" {
				v.Description = oneLine("failed: "+f["invocation"], 80)
			}
		}
		c.keep(v)
	}
	return c.answer()
}

// ownProject finds the directory of the project that r is in.
func ownProject(r Request) (dir string, ok bool) {
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

// ownApprovals answers tmp:approvals: the digests of the plans that wait for a
// person's yes, each with why it needs one.
func ownApprovals(ctx context.Context, r Request) Answer {
	return ownRecords(ctx, r, "pending", func(name string, f map[string]string) Value {
		return Value{Value: name, Description: oneLine(strings.TrimSpace(f["operation_id"]+" "+f["reason"]), 80), Kind: "plan"}
	}, "operation_id", "reason")
}

// ownTrusted answers tmp:trusted: the directories of trusted projects.
func ownTrusted(ctx context.Context, r Request) Answer {
	return ownRecords(ctx, r, "trust", func(_ string, f map[string]string) Value {
		return Value{Value: f["project"], Description: oneLine("trusted since "+before(f["date"], "T"), 40), Kind: "project"}
	}, "project", "date")
}

// ownRecords makes a value of each record in a directory of the state, from the
// named members.
func ownRecords(ctx context.Context, r Request, dir string, value func(name string, f map[string]string) Value, members ...string) Answer {
	state := place.Find(r.getenv).State
	if state == "" {
		return Answer{State: Failed, Message: "no state directory: HOME is not set"}
	}
	c := newCollector(ctx, r)
	names := namesIn(filepath.Join(state, dir))
	for _, name := range names[:min(len(names), maxRecords)] {
		if c.late() {
			break
		}
		if f := record(filepath.Join(state, dir, name), members...); f != nil {
			if v := value(name, f); v.Value != "" {
				c.add(v)
			}
		}
	}
	return c.answer()
}

// ownDrafts answers tmp:drafts: the maps that can be removed, with the layer
// that says whose they are.
func ownDrafts(ctx context.Context, r Request) Answer {
	p := place.Find(r.getenv)
	c := newCollector(ctx, r)
	for _, from := range [...]struct{ dir, layer, text string }{
		{p.Schemas(), "user:", "map of your own"},
		{p.Drafts(), "system:", "draft of what is installed"},
	} {
		for _, name := range namesIn(from.dir) {
			if tool, ok := strings.CutSuffix(name, ".json"); ok && tool != "" && !strings.HasPrefix(tool, ".") {
				c.add(Value{Value: from.layer + tool, Description: from.text, Kind: "map"})
			}
		}
	}
	return c.answer()
}

// ownQuarantine answers tmp:quarantine: the paths that the files in the user's
// trash had, the newest first (Trash specification 1.0: one .trashinfo each). A
// path below the working directory is written from there.
func ownQuarantine(ctx context.Context, r Request) Answer {
	data := r.getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) {
		data = filepath.Join(r.getenv("HOME"), ".local", "share")
	}
	if !filepath.IsAbs(data) {
		return Answer{State: Failed, Message: "no trash: HOME is not set"}
	}
	type item struct{ path, date string }
	var items []item
	c := newCollector(ctx, r)
	dir := filepath.Join(data, "Trash", "info")
	for _, name := range namesIn(dir) {
		if c.late() {
			break
		}
		if !strings.HasSuffix(name, ".trashinfo") {
			continue
		}
		data, err := readRegular(filepath.Join(dir, name), maxRecordSize)
		if err != nil {
			continue
		}
		it := trashInfo(string(data))
		path, err := url.PathUnescape(it[0])
		if err == nil && filepath.IsAbs(path) {
			items = append(items, item{path, it[1]})
		}
	}
	slices.SortStableFunc(items, func(a, b item) int { return strings.Compare(b.date, a.date) })
	for i, it := range items {
		path := it.path
		if rel, ok := strings.CutPrefix(path, strings.TrimSuffix(r.Dir, "/")+"/"); ok && rel != "" {
			path = rel
		}
		c.add(Value{Value: path, Description: oneLine("since "+strings.Replace(it.date, "T", " ", 1), 40), Kind: "file", Weight: max(1, maxRecords-i)})
	}
	return c.answer()
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
	data, err := readRegular(path, maxRecordSize)
	if err != nil {
		return nil
	}
	found := make(map[string]string, len(members))
	err = readJSON(data, func(j *jsonReader) error {
		return j.object(func(key string) error {
			if slices.Contains(members, key) {
				switch j.peek() {
				case '"':
					text, err := j.text()
					found[key] = text
					return err
				case 't':
					found[key] = "true"
				case 'f':
					found[key] = "false"
				}
			}
			return j.skip()
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
