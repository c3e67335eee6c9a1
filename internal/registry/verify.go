package registry

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/registry/archive"
	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/internal/registry/keys"
	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Finding is something that is not as it is to be.
type Finding struct {
	Code   fault.Code `json:"code"`
	Pack   string     `json:"pack,omitempty"`
	File   string     `json:"file,omitempty"`
	Line   int        `json:"line,omitempty"`
	Reason string     `json:"reason"`
}

// Verify holds the files of what is installed, and those that a lock names, against
// their digests, their notes and the log. lock is the file, "" for none.
func (h *Home) Verify(ctx context.Context, lock string) ([]Finding, error) {
	list, err := h.Installed()
	if err != nil {
		return nil, err
	}
	var out []Finding
	for n := range list {
		out = append(out, h.whole(&list[n])...)
	}
	locked, problems, err := ReadLock(lock)
	if err != nil {
		return nil, err
	}
	out = append(out, problems...)
	for _, w := range locked {
		switch i := named(list, w.Name); {
		case i == nil:
			out = append(out, Finding{fault.Differs, w.Name, lock, w.Line, w.Name + "@" + w.Version + " is locked and not installed"})
		case i.Version != w.Version || i.Digest != w.Digest:
			out = append(out, Finding{fault.Differs, w.Name, lock, w.Line, fmt.Sprintf("%s@%s %s is locked, installed is %s %s", w.Name, w.Version, w.Digest, i.Version, i.Digest)})
		}
	}
	if len(out) == 0 {
		if why := h.image(list); why != nil {
			out = append(out, *why)
		}
	}
	if len(list)+len(locked) == 0 {
		return out, nil
	}
	more, err := h.logged(ctx, list, locked, lock)
	return append(out, more...), err
}

// whole checks the files of an installed pack, and its note.
func (h *Home) whole(i *opmap.InstalledPack) []Finding {
	id := i.Name + "@" + i.Version
	files, err := archive.ReadDir(h.dir(i))
	if err != nil {
		var f *fault.Fault
		if !errors.As(err, &f) {
			f = fault.New(fault.Altered, "%s", err)
		}
		return []Finding{{fault.Altered, id, filepath.Join(h.dir(i), f.File), f.Line, f.Reason}}
	}
	if got := files.Digest(); got != i.Digest {
		return []Finding{{fault.Altered, id, h.dir(i), 0, fmt.Sprintf("its files are %s, installed was %s", got, i.Digest)}}
	}
	if i.Key == "" {
		return nil
	}
	signed, err := os.ReadFile(h.noteFile(i))
	if err != nil {
		return []Finding{{fault.BadNote, id, h.noteFile(i), 0, "its note is missing"}}
	}
	text, err := statement.Open(signed, i.Key)
	if err == nil {
		var said *statement.Pack
		if said, err = statement.ParsePack(text); err == nil && (said.Name != i.Name || said.Version != i.Version || said.Digest != i.Digest) {
			return []Finding{{fault.OtherPack, id, h.noteFile(i), 0, "its note is of another pack"}}
		}
	}
	if err != nil {
		return []Finding{{fault.BadNote, id, h.noteFile(i), 0, err.Error()}}
	}
	if book, err := h.Book(); err == nil && book.Of(i.Key, nil) == keys.Revoked {
		return []Finding{{fault.RevokedKey, id, "", 0, statement.Short(i.Key) + ", which signed it, was revoked here"}}
	}
	return nil
}

// image checks that the compiled packs are those of the files.
func (h *Home) image(list []opmap.InstalledPack) *Finding {
	if len(list) == 0 {
		return nil
	}
	p := &Packs{home: h, List: list}
	packs, err := p.load()
	if err != nil {
		return &Finding{fault.Altered, "", h.Paths.PackMap(), 0, err.Error()}
	}
	image, err := opmap.BuildPacks(packs)
	if err != nil || !opmap.Installed(h.Paths.PackMap(), image) {
		return &Finding{fault.Altered, "", h.Paths.PackMap(), 0, "the compiled packs are not those of the files: tmp registry install compiles them anew"}
	}
	return nil
}

// logged checks that the logs have what is installed and locked.
func (h *Home) logged(ctx context.Context, list []opmap.InstalledPack, locked []Locked, lock string) ([]Finding, error) {
	sources, err := h.SourcesOfInstalled(ctx)
	if err != nil {
		return nil, err
	}
	var out []Finding
	for _, s := range sources {
		if err := h.Client().Stale(s.Log); err != nil {
			return nil, err
		}
	}
	check := func(name, version, digest, file string, line int) {
		for _, s := range sources {
			e := s.Log.Find(name, version)
			switch {
			case e == nil:
				continue
			case e.Digest != digest:
				out = append(out, Finding{fault.Differs, name + "@" + version, file, line, fmt.Sprintf("the log of %s has it as %s, not as %s", s.Depot.Name(), e.Digest, digest)})
				return
			}
			if y := s.Log.Yank(name, version); y != nil {
				out = append(out, Finding{fault.Yanked, name + "@" + version, file, line, "it was taken back: " + y.Reason()})
			}
			return
		}
		out = append(out, Finding{fault.NotInLog, name + "@" + version, file, line, "no log has it"})
	}
	for _, i := range list {
		if i.State != string(keys.Shipped) {
			check(i.Name, i.Version, i.Digest, "", 0)
		}
	}
	for _, w := range locked {
		if named(list, w.Name) == nil {
			check(w.Name, w.Version, w.Digest, lock, w.Line)
		}
	}
	return out, nil
}

// Locked is a line of a lock.
type Locked struct {
	Wanted
	Line int
}

// LockFile is the lock of the project in a directory.
func LockFile(project string) string { return filepath.Join(project, ".tmp", "packs.lock") }

const maxLock = 1 << 20

// ReadLock reads a lock, a pack a line: name, version and digest. One that is not
// there names none.
func ReadLock(file string) ([]Locked, []Finding, error) {
	if file == "" {
		return nil, nil, nil
	}
	st, err := os.Lstat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > maxLock {
		return nil, nil, fault.In(fault.BadName, file, "is no plain file of at most %d bytes", maxLock)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	var out []Locked
	var problems []Finding
	line := 0
	for text := range strings.Lines(string(data)) {
		line++
		text = strings.TrimSpace(text)
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		words := strings.Fields(text)
		if len(words) != 3 || statement.CheckName(words[0]) != nil || statement.CheckVersion(words[1]) != nil || statement.CheckDigest(words[2]) != nil {
			problems = append(problems, Finding{fault.BadName, "", file, line, "want a name, a version and an h1: digest"})
			continue
		}
		out = append(out, Locked{Wanted{words[0], words[1], words[2]}, line})
	}
	return out, problems, nil
}

// Lock notes packs in the lock of a project, beside what is there.
func Lock(project string, steps []*Step) (string, error) {
	file := LockFile(project)
	locked, problems, err := ReadLock(file)
	if err != nil {
		return file, err
	}
	if len(problems) > 0 {
		return file, &fault.Fault{Code: problems[0].Code, File: file, Line: problems[0].Line, Reason: problems[0].Reason}
	}
	for _, s := range steps {
		locked = slices.DeleteFunc(locked, func(l Locked) bool { return l.Name == s.Entry.Name })
		locked = append(locked, Locked{Wanted: Wanted{s.Entry.Name, s.Entry.Version, s.Entry.Digest}})
	}
	slices.SortFunc(locked, func(a, b Locked) int { return strings.Compare(a.Name, b.Name) })
	var b strings.Builder
	for _, l := range locked {
		fmt.Fprintf(&b, "%s %s %s\n", l.Name, l.Version, l.Digest)
	}
	if st, err := os.Lstat(filepath.Dir(file)); err == nil && !st.IsDir() {
		return file, fault.In(fault.BadName, filepath.Dir(file), "is no directory")
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return file, err
	}
	return file, tcpdb.WriteFile(file, []byte(b.String()))
}
