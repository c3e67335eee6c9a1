package opmap

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Bounds of what is read from a directory of sources. A project's sources are
// a stranger's until they are trusted.
const (
	maxFileSize  = 4 << 20
	maxFiles     = 512
	maxDirs      = 128
	maxDirLevels = 8
)

// file is one source file as read, with the stamp that it had.
type file struct {
	name  string // relative, with slashes
	data  []byte
	stamp tcpdb.Source
}

// Project is the content of a project's sources at one moment.
type Project struct {
	Dir     string // absolute
	Sources []*Source
	// Hash is the hex SHA-256 over the sorted (path, content) of the sources.
	Hash string

	files  []file
	stamps []tcpdb.Source // of files and directories, config.json first
}

// ReadProject reads .tmp/config.json and .tmp/schemas/**.json of the project in
// dir, each file once: what is hashed, compiled and stamped is the same bytes.
// Symbolic links are refused, as are files over 4 MiB and more than 512 files.
// The problems are those of the sources; the error is about reading.
func ReadProject(dir string, opts ParseOptions) (*Project, Problems, error) {
	st, err := os.Lstat(filepath.Join(dir, ".tmp"))
	switch {
	case err != nil:
		return nil, nil, err
	case st.Mode()&fs.ModeSymlink != 0:
		return nil, nil, &fs.PathError{Op: "read", Path: filepath.Join(dir, ".tmp"), Err: mapset.ErrSymlink}
	case !st.IsDir():
		return nil, nil, &fs.PathError{Op: "read", Path: filepath.Join(dir, ".tmp"), Err: syscall.ENOTDIR}
	}
	p := &Project{Dir: dir, stamps: []tcpdb.Source{mapset.Owner(dir)}}
	if err := p.readFile(".tmp/config.json"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	if len(p.files) == 0 {
		p.stamps = append(p.stamps, mapset.Stamp(dir, ".tmp/config.json"))
	}
	if err := p.readDir(".tmp/schemas", 0); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	p.Hash = hashFiles(p.files)
	problems := p.parse(opts)
	return p, problems, nil
}

// readDir reads the .json files of a directory and those below it, in the
// order of their names.
func (p *Project) readDir(name string, level int) error {
	p.stamps = append(p.stamps, mapset.Stamp(p.Dir, name))
	if level > maxDirLevels || len(p.stamps) > maxFiles+maxDirs {
		return &fs.PathError{Op: "read", Path: filepath.Join(p.Dir, name), Err: errors.New("too many directories of sources")}
	}
	if st, err := os.Lstat(filepath.Join(p.Dir, name)); err == nil && st.Mode()&fs.ModeSymlink != 0 {
		return &fs.PathError{Op: "read", Path: filepath.Join(p.Dir, name), Err: mapset.ErrSymlink}
	}
	entries, err := os.ReadDir(filepath.Join(p.Dir, name))
	if err != nil {
		return err
	}
	for _, e := range entries {
		child := path.Join(name, e.Name())
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			return &fs.PathError{Op: "read", Path: filepath.Join(p.Dir, child), Err: mapset.ErrSymlink}
		case e.IsDir():
			err = p.readDir(child, level+1)
		case mapset.IsSource(e.Name()):
			err = p.readFile(child)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *Project) readFile(name string) error {
	if len(p.files) >= maxFiles {
		return &fs.PathError{Op: "read", Path: filepath.Join(p.Dir, name), Err: fmt.Errorf("more than %d source files", maxFiles)}
	}
	before := mapset.Stamp(p.Dir, name)
	data, err := readRegular(filepath.Join(p.Dir, name))
	if err != nil {
		return err
	}
	if after := mapset.Stamp(p.Dir, name); after != before {
		return &fs.PathError{Op: "read", Path: filepath.Join(p.Dir, name), Err: errors.New("changed while it was read")}
	}
	p.files = append(p.files, file{name, data, before})
	p.stamps = append(p.stamps, before)
	return nil
}

// readRegular reads a regular file of at most maxFileSize that is no symbolic link.
func readRegular(name string) ([]byte, error) {
	fail := func(err error) ([]byte, error) { return nil, &fs.PathError{Op: "read", Path: name, Err: err} }
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ELOOP) {
		return fail(mapset.ErrSymlink)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return fail(errors.New("is not a regular file"))
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFileSize {
		return fail(fmt.Errorf("is larger than %d MiB", maxFileSize>>20))
	}
	return data, nil
}

// hashFiles hashes paths and contents with their lengths, so that no two sets
// of files have one hash.
func hashFiles(files []file) string {
	sorted := slices.Clone(files)
	slices.SortFunc(sorted, func(a, b file) int { return strings.Compare(a.name, b.name) })
	h := sha256.New()
	part := func(b []byte) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(b)))
		h.Write(n[:])
		h.Write(b)
	}
	for _, f := range sorted {
		part([]byte(f.name))
		part(f.data)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (p *Project) parse(opts ParseOptions) Problems {
	var problems Problems
	for _, f := range p.files {
		if f.name == ".tmp/config.json" {
			problems = append(problems, checkConfig(f)...)
			continue
		}
		s, ps := Parse(f.name, f.data, opts)
		problems = append(problems, ps...)
		if s != nil {
			p.Sources = append(p.Sources, s)
		}
	}
	return append(problems, sharedIDs(p.Sources)...)
}

// checkConfig reads a project's settings: "enter" makes the questions of Enter
// stricter, "registries" is kept for those who look for maps, "prefer" settles what the
// project's files say in two ways.
func checkConfig(f file) Problems {
	v, problem := readJSON(f.name, f.data)
	if problem != nil {
		return Problems{problem}
	}
	d := &decoder{file: f.name}
	if o := d.object(v, ""); o != nil {
		if n := o.want("v", numberKind); n != nil && n.text != "1" {
			o.errorf("v", "is %s: this program reads version 1", n.text)
		}
		o.texts("registries")
		o.want("prefer", objectKind) // what the project settled; see session.Preferences
		databases(o)
		checkPolicy(o)
		o.rest()
	}
	return d.problems
}

// databases reads the databases that a project names: SQLite files inside it, which are
// only read. All others stand in the user's config.toml.
func databases(o *object) map[string]string {
	v := o.want("sql", objectKind)
	if v == nil {
		return nil
	}
	out := map[string]string{}
	for _, m := range v.members {
		table := o.d.object(m.value, o.field("sql")+"."+m.name)
		if table == nil {
			continue
		}
		driver, from := table.text("driver"), table.text("from")
		file, ok := strings.CutPrefix(from, "file:")
		switch {
		case driver != "sqlite":
			table.errorf("driver", "%q: a project names databases of sqlite alone; others stand in your config.toml", driver)
		case !ok || !filepath.IsLocal(file):
			table.errorf("from", "%q: want file:PATH of a database inside the project", from)
		default:
			out[m.name] = from
		}
		table.rest()
	}
	return out
}

// ProjectDatabases are the databases that the project in dir names in its
// .tmp/config.json: "file:PATH" by their names.
func ProjectDatabases(dir string) map[string]string {
	data, err := readRegular(filepath.Join(dir, ".tmp", "config.json"))
	if err != nil {
		return nil
	}
	v, problem := readJSON("config.json", data)
	if problem != nil || v.kind != objectKind {
		return nil
	}
	d := &decoder{}
	found := databases(d.object(v, ""))
	if d.problems.Err() != nil {
		return nil
	}
	return found
}

// checkPolicy reports the settings of the policy that do not count.
func checkPolicy(o *object) {
	all, lines := map[string]any{}, map[string]int{}
	for _, section := range ask.Sections() {
		if v := o.want(section, objectKind); v != nil {
			all[section] = plain(v)
			placeLines(lines, section, v)
		}
	}
	s := ask.Default()
	for _, f := range s.Apply(all, true) {
		if f.Moved {
			o.d.report(Warning, lines[f.Key], f.Key, "%s", f.Reason)
			continue
		}
		o.d.errorf(lines[f.Key], f.Key, "%s", f.Reason)
	}
}

// placeLines notes the lines of the members of an object, and of theirs.
func placeLines(lines map[string]int, under string, v *value) {
	for _, m := range v.members {
		lines[under+"."+m.name] = m.line
		placeLines(lines, under+"."+m.name, m.value)
	}
}

// plain is a value as other decoders of JSON give it, as far as settings go.
func plain(v *value) any {
	switch v.kind {
	case stringKind:
		return v.text
	case arrayKind:
		list := []any{}
		for _, it := range v.items {
			list = append(list, plain(it))
		}
		return list
	case objectKind:
		all := map[string]any{}
		for _, m := range v.members {
			all[m.name] = plain(m.value)
		}
		return all
	}
	return nil
}

// sharedIDs reports operations that two files of a layer define, and tools
// that two files map.
func sharedIDs(sources []*Source) Problems {
	d := &decoder{}
	ids, tools := map[string]string{}, map[string]string{}
	for _, s := range sources {
		d.file = s.File
		for i, op := range s.Operations {
			if first, twice := ids[op.ID]; twice && op.ID != "" && first != s.File {
				d.errorf(op.line, fmt.Sprintf("operations[%d].id", i), "%q is in %s too", op.ID, first)
			}
			ids[op.ID] = s.File
		}
		if s.Node == nil {
			continue
		}
		if first, twice := tools[s.Tool]; twice {
			d.errorf(1, "tool", "%q is mapped by %s too", s.Tool, first)
		}
		tools[s.Tool] = s.File
	}
	return d.problems
}

// Build compiles the project's layer with its stamps. Without a store nothing is
// verified.
func (p *Project) Build(e *EvidenceStore) ([]byte, error) {
	b := tcpdb.NewBuilder()
	l := &Layering{Layer: tcpdb.ProjectLayer, Dir: p.Dir, Sources: p.Sources}
	e.judge(l)
	if err := l.Compile(b); err != nil {
		return nil, err
	}
	for _, s := range p.stamps {
		b.Source(s)
	}
	return b.Build()
}

// Count returns the number of source files.
func (p *Project) Count() int { return len(p.files) }
