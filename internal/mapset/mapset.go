// Package mapset opens the layers of the compiled map that hold in a
// directory. It reads no source: whether a project's compiled map is still that
// of its sources is told from stamps. Programs that run on a key link it.
package mapset

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Reasons why a layer is left out, as Err of a tcpdb.Problem.
var (
	// ErrNoHome: neither HOME nor the variables in its place say where the
	// user's files are.
	ErrNoHome = errors.New("HOME is not set: going on without the user's map")
	// ErrUntrusted: the project has maps that were never trusted.
	ErrUntrusted = errors.New("project map not trusted: run tmp trust")
	// ErrChanged: the project's sources are not those that were trusted.
	ErrChanged = errors.New("project map changed: run tmp trust")
	// ErrForeign: a map of another user, or one that others can write.
	ErrForeign = errors.New("belongs to someone else: not used")
	// ErrSymlink: the project's .tmp is a symbolic link.
	ErrSymlink = errors.New("is a symbolic link: not used")
)

// OpenView opens core, system, user and project layer for work in dir, which
// may be "", and the packs once they are needed. It never fails: what is missing without a reason is left out, and
// what is damaged, foreign, untrusted or changed is named in the view's
// Problems. So is a user's map that is older than its sources, though it is in
// use: what it says of risks holds until the new one is compiled.
func OpenView(p place.Paths, dir string) *tcpdb.View {
	v := tcpdb.NewView(tcpdb.Core())
	AddPacks(v, p)
	openSystem(v, p)
	openForge(v, p, dir)
	openUser(v, p)
	if dir != "" {
		openProject(v, p, dir)
	}
	return v
}

// open adds the image of a file and reports whether there is such a file.
func open(v *tcpdb.View, layer tcpdb.Layer, file string) bool {
	im, err := tcpdb.Map(file)
	switch {
	case err == nil:
		v.Add(layer, im)
	case missing(err):
		return false
	default:
		v.Fail(layer, file, err)
	}
	return true
}

// missing reports whether an error of tcpdb.Map says that there is no file. It
// is errors.Is(err, fs.ErrNotExist) without the search for methods, which costs
// every press of Tab some pages of memory.
func missing(err error) bool {
	p, ok := err.(*fs.PathError) //nolint:errorlint // see above
	return ok && p.Err == syscall.ENOENT || errors.Is(err, fs.ErrNotExist)
}

// openSystem takes the user's own build of the system map, else one that root
// installed.
func openSystem(v *tcpdb.View, p place.Paths) {
	if p.Data != "" {
		if file := p.SystemMap(); foreign(file) {
			v.Fail(tcpdb.SystemLayer, file, ErrForeign)
		} else if open(v, tcpdb.SystemLayer, file) {
			return
		}
	}
	for _, file := range p.SharedMaps() {
		st, err := lstat(file)
		if err != nil {
			continue
		}
		if st.owner != 0 || st.othersWrite {
			v.Fail(tcpdb.SystemLayer, file, ErrForeign)
			continue
		}
		if open(v, tcpdb.SystemLayer, file) {
			return
		}
	}
}

func openProject(v *tcpdb.View, p place.Paths, dir string) {
	project, err := FindProject(p, dir)
	if errors.Is(err, ErrForeign) {
		return // a stranger's .tmp above is no business of ours, and no reason to say so on every key
	}
	if err != nil {
		v.Fail(tcpdb.ProjectLayer, filepath.Join(project, ".tmp"), err)
		return
	}
	if project == "" {
		return
	}
	file := p.ProjectMap(project)
	if file == "" {
		v.Fail(tcpdb.ProjectLayer, project, ErrUntrusted)
		return
	}
	if foreign(file) {
		v.Fail(tcpdb.ProjectLayer, file, ErrForeign)
		return
	}
	im, err := tcpdb.Map(file)
	switch {
	case missing(err):
		if hasMaps(project) {
			v.Fail(tcpdb.ProjectLayer, project, ErrUntrusted)
		}
	case err != nil:
		v.Fail(tcpdb.ProjectLayer, file, err)
	case !Current(im, project):
		im.Close()
		v.Fail(tcpdb.ProjectLayer, project, ErrChanged)
	default:
		v.Add(tcpdb.ProjectLayer, im)
	}
}

// FindProject returns the project that dir is in: the nearest directory, from
// dir upwards, whose .tmp holds schemas or a configuration. It returns "" if
// there is none below the home directory or a ceiling. With an error it
// returns the directory that was refused: its .tmp is a symbolic link
// (ErrSymlink) or another user's (ErrForeign).
func FindProject(p place.Paths, dir string) (string, error) {
	for dir = filepath.Clean(dir); filepath.IsAbs(dir); dir = filepath.Dir(dir) {
		if dir == p.Home || slices.Contains(p.Ceilings, dir) {
			return "", nil
		}
		found, err := isProject(dir)
		if found || err != nil {
			return dir, err
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return "", nil
}

// TrustedProject returns the project that dir is in, if its sources are those
// that were trusted; else "".
func TrustedProject(p place.Paths, dir string) string {
	if dir == "" {
		return ""
	}
	project, err := FindProject(p, dir)
	if err != nil || project == "" {
		return ""
	}
	file := p.ProjectMap(project)
	im, err := tcpdb.Map(file)
	if err != nil {
		return ""
	}
	defer im.Close()
	if foreign(file) {
		return ""
	}
	if !Current(im, project) {
		return ""
	}
	return project
}

// hasMaps reports whether a project has anything that would be compiled: a map,
// or a directory that may hold some.
func hasMaps(project string) bool {
	dir := filepath.Join(project, ".tmp", "schemas")
	return slices.ContainsFunc(namesIn(dir), func(name string) bool {
		if isMap(name) {
			return true
		}
		st, err := lstat(filepath.Join(dir, name))
		return err == nil && (st.dir || st.symlink)
	})
}

func isProject(dir string) (bool, error) {
	st, err := lstat(filepath.Join(dir, ".tmp"))
	if err != nil || !st.dir && !st.symlink {
		return false, nil
	}
	if st.symlink {
		return false, ErrSymlink
	}
	if !exists(filepath.Join(dir, ".tmp", "schemas")) && !exists(filepath.Join(dir, ".tmp", "config.json")) {
		return false, nil
	}
	up, err := lstat(dir)
	if err != nil || st.owner != self() || up.owner != self() {
		return false, ErrForeign
	}
	return true, nil
}

func exists(file string) bool {
	_, err := lstat(file)
	return err == nil
}

// Current reports whether a compiled map is that of the project in an absolute
// directory, and its sources are still the files that it was compiled from:
// each has the device, inode, size and times that the map holds, and none was
// added or taken away, which would have changed its directory.
func Current(im *tcpdb.Image, project string) bool {
	sources := im.Sources()
	if len(sources) == 0 || sources[0] != Owner(project) {
		return false
	}
	for _, s := range sources[1:] {
		if Stamp(project, s.Path) != s {
			return false
		}
	}
	return true
}

// Owner is the first of a compiled map's sources. It names the project's
// directory, since the map's file name is only a hash of it.
func Owner(project string) tcpdb.Source { return tcpdb.Source{Path: project} }

// Stamp returns the stamp of a file or directory of a project, named relative
// to it. One that does not exist has a stamp too: its path with zeros.
func Stamp(project, name string) tcpdb.Source {
	st, err := lstat(filepath.Join(project, name))
	if err != nil {
		return tcpdb.Source{Path: name}
	}
	s := st.Source
	s.Path = name
	if st.dir {
		s.Size = 0 // says nothing on most file systems
	}
	return s
}
