package registry

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/registry/archive"
	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/internal/registry/keys"
	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// What is installed is what the compiled image of the packs says: it names each pack
// that it was compiled from, and is replaced in one step. The files of the packs lie
// beside it, each content in a directory of its own, so that they are there before the
// image names them and go after it has ceased to.

// Packs is what is installed, for changing it.
type Packs struct {
	home *Home
	lock *tcpdb.FileLock
	List []opmap.InstalledPack
}

// root is the directory of the files.
func (h *Home) root() string { return filepath.Join(h.Paths.Data, "packs") }

func (h *Home) dir(i *opmap.InstalledPack) string {
	return filepath.Join(h.root(), filepath.FromSlash(i.Dir()))
}

// noteFile is where the note of an installed pack lies: not among its files, which its
// digest is over.
func (h *Home) noteFile(i *opmap.InstalledPack) string { return h.dir(i) + ".note" }

// Installed lists what is installed.
func (h *Home) Installed() ([]opmap.InstalledPack, error) {
	if h.Paths.Data == "" {
		return nil, mapset.ErrNoHome
	}
	im, err := tcpdb.Map(h.Paths.PackMap())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer im.Close()
	list := opmap.PacksIn(im)
	for i := range list { // they outlive the image
		p := &list[i]
		for _, s := range []*string{&p.Name, &p.Version, &p.Digest, &p.Key, &p.State, &p.Registry} {
			*s = strings.Clone(*s)
		}
	}
	return list, nil
}

// Change lets fn change what is installed, beside nobody else.
func (h *Home) Change(fn func(p *Packs) error) error {
	if h.Paths.Data == "" {
		return mapset.ErrNoHome
	}
	if err := os.MkdirAll(h.root(), 0o755); err != nil {
		return err
	}
	lock, err := tcpdb.Lock(h.Paths.PackMap())
	if err != nil {
		return err
	}
	defer lock.Unlock()
	list, err := h.Installed()
	if err != nil {
		return err
	}
	return fn(&Packs{home: h, lock: lock, List: list})
}

// Find is an installed pack, nil if it is not.
func (p *Packs) Find(name string) *opmap.InstalledPack { return named(p.List, name) }

func named(list []opmap.InstalledPack, name string) *opmap.InstalledPack {
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}

// put lays the files of a pack down, where nothing names them yet.
func (p *Packs) put(i *opmap.InstalledPack, files archive.Files, signed []byte) error {
	dir := p.home.dir(i)
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	if signed != nil {
		// Not made lasting, as the files are not: the image is, and holds all that is
		// used. Verify tells what a power failure took.
		note := p.home.noteFile(i)
		if err := errors.Join(os.WriteFile(note+newMark, signed, 0o644), os.Rename(note+newMark, note)); err != nil {
			return err
		}
	}
	if there, err := archive.ReadDir(dir); err == nil && there.Digest() == i.Digest {
		return nil
	}
	fresh := dir + newMark
	if err := errors.Join(os.RemoveAll(fresh), os.RemoveAll(dir)); err != nil {
		return err
	}
	if err := files.Write(fresh); err != nil {
		_ = os.RemoveAll(fresh) // what is left is taken away by the next one
		return err
	}
	return os.Rename(fresh, dir)
}

// newMark ends the name of a directory that is being written.
const newMark = ".new"

// Commit compiles the packs and puts the image into its place; then what it does not
// name any more goes.
func (p *Packs) Commit() error {
	slices.SortFunc(p.List, func(a, b opmap.InstalledPack) int { return strings.Compare(a.Name, b.Name) })
	if len(p.List) == 0 {
		if err := os.Remove(p.home.Paths.PackMap()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		p.sweep()
		return nil
	}
	packs, err := p.load()
	if err != nil {
		return err
	}
	if err := together(packs); err != nil {
		return err
	}
	image, err := opmap.BuildPacks(packs)
	if err != nil {
		return fault.New(fault.BadPack, "the packs cannot be compiled").Because(err)
	}
	if old, err := os.ReadFile(p.home.Paths.PackMap()); err == nil && string(old) == string(image) {
		p.sweep()
		return nil
	}
	if err := p.lock.Write(image, 0o644); err != nil {
		return err
	}
	p.sweep()
	return nil
}

// load reads the packs of the list from their files.
func (p *Packs) load() ([]*opmap.Pack, error) {
	var packs []*opmap.Pack
	for n := range p.List {
		pack, err := p.home.read(&p.List[n])
		if err != nil {
			return nil, err
		}
		packs = append(packs, pack)
	}
	return packs, nil
}

// read reads an installed pack. Its files are held to nothing but being a pack: verify
// holds them against their digest.
func (h *Home) read(i *opmap.InstalledPack) (*opmap.Pack, error) {
	dir := h.dir(i)
	p, problems := opmap.ReadPack(os.DirFS(dir), ".", opmap.ParseOptions{})
	for _, x := range problems {
		if x.Severity == opmap.Error {
			f := asFault(fault.BadPack, x)
			f.File = filepath.Join(dir, x.File)
			return nil, f.Hint("tmp registry install %s@%s puts its files right", i.Name, i.Version)
		}
	}
	p.Installed, p.Trusted = i, i.Trusted()
	return p, nil
}

// sweep takes away the files of what is not installed any more, and what killed
// installations left.
func (p *Packs) sweep() {
	keep := map[string]bool{}
	for n := range p.List {
		keep[p.home.dir(&p.List[n])] = true
		keep[p.home.noteFile(&p.List[n])] = true
	}
	publishers, _ := os.ReadDir(p.home.root()) // no more than untidy
	for _, d := range publishers {
		dir := filepath.Join(p.home.root(), d.Name())
		inside, _ := os.ReadDir(dir)
		for _, e := range inside {
			file := filepath.Join(dir, e.Name())
			if strings.Contains(e.Name(), "@") && !keep[file] {
				_ = os.RemoveAll(file)
			}
		}
		_ = os.Remove(dir) // if it is empty
	}
}

// Reviewed reports whether an installed pack says that somebody has looked at its
// operations: whatever the key, they are drafts else.
func (h *Home) Reviewed(i *opmap.InstalledPack) bool {
	data, err := os.ReadFile(filepath.Join(h.dir(i), "pack.json"))
	var p struct{ Review string }
	return err == nil && json.Unmarshal(data, &p) == nil && p.Review == "reviewed"
}

// Restate asks again what is thought of the keys of what is installed, and compiles
// what follows from it. It reports what changed, by name.
func (h *Home) Restate() ([]string, error) {
	var changed []string
	if h.Paths.Data == "" {
		return nil, nil
	}
	if _, err := os.Stat(h.Paths.PackMap()); err != nil {
		return nil, nil
	}
	h.book = nil
	err := h.Change(func(p *Packs) error {
		for n := range p.List {
			i := &p.List[n]
			state, err := h.stateOf(i)
			if err != nil {
				return err
			}
			if string(state) != i.State {
				i.State = string(state)
				changed = append(changed, i.Name)
			}
		}
		if len(changed) == 0 {
			return nil
		}
		return p.Commit()
	})
	return changed, err
}

// stateOf is what is thought of the key of an installed pack now; its note is read
// again for it.
func (h *Home) stateOf(i *opmap.InstalledPack) (keys.State, error) {
	if i.Key == "" || i.State == string(keys.Shipped) {
		return keys.State(i.State), nil
	}
	book, err := h.Book()
	if err != nil {
		return "", err
	}
	var rotations []string
	if l := h.cached(i.Registry); l != nil {
		rotations = l.Rotations(statement.KeyName(i.Key))
	}
	state := book.Of(i.Key, rotations)
	if state == keys.Verified {
		signed, err := os.ReadFile(h.noteFile(i))
		if err == nil {
			_, err = statement.Open(signed, i.Key)
		}
		if err != nil {
			return keys.Unknown, nil // without its note nobody vouches for it
		}
	}
	return state, nil
}
