package mapset

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// StaleError is the reason why the user's layer is not what the user's files say.
type StaleError struct {
	File string // that has changed, or that was never compiled
	// Never: nothing was compiled at all; else the older map is in use.
	Never bool
}

func (e *StaleError) Error() string {
	if e.Never {
		return e.File + " is not compiled yet: run tmp compile"
	}
	return e.File + " has changed since your maps were compiled: run tmp compile"
}

func openUser(v *tcpdb.View, p place.Paths) {
	if p.Data == "" {
		v.Fail(tcpdb.UserLayer, "", ErrNoHome)
		return
	}
	file := p.UserMap()
	if foreign(file) {
		v.Fail(tcpdb.UserLayer, file, ErrForeign)
		return
	}
	im, err := tcpdb.Map(file)
	switch {
	case missing(err):
		if source := userSource(p); source != "" {
			v.Fail(tcpdb.UserLayer, source, &StaleError{File: source, Never: true})
		}
	case err != nil:
		v.Fail(tcpdb.UserLayer, file, err)
	default:
		v.Add(tcpdb.UserLayer, im)
		if source := changedUser(im, p); source != "" {
			v.Fail(tcpdb.UserLayer, source, &StaleError{File: source})
		}
	}
}

// foreign reports whether a map is another user's, neither ours nor root's, or
// one that everybody may write: what it says is not to be believed, as where
// sudo has kept the HOME of who called it.
func foreign(file string) bool {
	st, err := stat(file)
	return err == nil && (st.owner != self() && st.owner != 0 || st.everybodyWrites)
}

// userSource returns one of the user's files that would be compiled, or "".
func userSource(p place.Paths) string {
	if p.Config == "" {
		return ""
	}
	if exists(p.Risks()) {
		return p.Risks()
	}
	for _, name := range namesIn(p.Schemas()) {
		for _, file := range userFiles(p, name) {
			if exists(file) {
				return file
			}
		}
	}
	return ""
}

// userFiles are the files that would be compiled of a name in the user's schemas:
// a map, or those in a directory of a tool's own.
func userFiles(p place.Paths, name string) []string {
	file := filepath.Join(p.Schemas(), name)
	if isMap(name) {
		return []string{file}
	}
	return []string{filepath.Join(file, "map.json"), filepath.Join(file, "risk.toml")}
}

// isMap reports whether a name in a directory of source maps is that of one.
func isMap(name string) bool { return IsSource(name) }

// IsSource reports whether a file of that name is read as a source map: JSON, YAML or
// templates of SQL.
func IsSource(name string) bool {
	for _, ext := range [...]string{".json", ".sql", ".yaml", ".yml"} {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}

// namesIn are the names in a directory, in no order; none if it cannot be read.
func namesIn(dir string) []string {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1)
	return names
}

// changedUser returns a source of the user's map that is not what it was compiled
// from, "" if all are. A map without stamps has no sources.
func changedUser(im *tcpdb.Image, p place.Paths) string {
	sources := im.Sources()
	if p.Config == "" || len(sources) == 0 {
		return ""
	}
	if sources[0].Path != p.Schemas() {
		return p.Schemas()
	}
	for _, s := range sources[1:] {
		if UserStamp(s.Path) != s {
			return s.Path
		}
	}
	if UserStamp(sources[0].Path) == sources[0] {
		return ""
	}
	// Editors make and remove files of their own there.
	known := make(map[string]bool, len(sources))
	for _, s := range sources {
		known[s.Path] = true
	}
	for _, name := range namesIn(p.Schemas()) {
		for _, file := range userFiles(p, name) {
			if !known[file] && exists(file) {
				return file
			}
		}
	}
	return ""
}

// UserStamp returns the stamp of a file or directory of the user's, named by its
// absolute path; of a symbolic link it is that of the target. The device is left
// out: that of a home on a network is another one after each start. One that does
// not exist has a stamp too: its path with zeros.
func UserStamp(name string) tcpdb.Source {
	st, err := stat(name)
	if err != nil {
		return tcpdb.Source{Path: name}
	}
	s := st.Source
	s.Path, s.Dev = name, 0
	if st.dir {
		s.Size = 0
	}
	return s
}
