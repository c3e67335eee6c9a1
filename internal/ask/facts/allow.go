package facts

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/ask"
)

// Allowance is a form of a command that the person allowed in a directory from
// then on. See ask.Form.
type Allowance struct {
	Dir   string    `json:"dir"`
	Rule  string    `json:"rule"`
	Form  string    `json:"form"`
	Since time.Time `json:"since"`
}

// formsVersion is the version of the file: 1 had forms without arguments, which
// allowed more than was answered.
const formsVersion = 2

// OldFormError says that what the file held is not used any more.
type OldFormError struct {
	File  string
	Count int
}

func (e *OldFormError) Error() string {
	return fmt.Sprintf("%s: %d allowed by an earlier version covered more than was asked about; they are dropped, and you are asked again", e.File, e.Count)
}

// allowances is the content of the file.
type allowances struct {
	V       int         `json:"v"`
	Allowed []Allowance `json:"allowed"`
}

// maxAllowed bounds how many are kept; the oldest go first.
const maxAllowed = 2000

func allowedFile(state string) string { return filepath.Join(state, "allowed.json") }

// Allowed reads what was allowed, the oldest first. A file that is a link, or
// that others may write, is refused; of an earlier version nothing is used, which
// an *OldFormError says.
func Allowed(state string) ([]Allowance, error) {
	if state == "" {
		return nil, nil
	}
	f, err := os.OpenFile(allowedFile(state), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if sys, ok := st.Sys().(*syscall.Stat_t); !ok || !st.Mode().IsRegular() || st.Mode().Perm()&0o022 != 0 || int(sys.Uid) != os.Geteuid() || st.Size() > 4<<20 {
		return nil, fmt.Errorf("%s: not a file of ours alone: not used", f.Name())
	}
	var all allowances
	if err := json.NewDecoder(f).Decode(&all); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	switch {
	case all.V == formsVersion:
		return all.Allowed, nil
	case all.V > formsVersion:
		return nil, fmt.Errorf("%s: version %d is not known: not used", f.Name(), all.V)
	case len(all.Allowed) == 0:
		return nil, nil
	}
	return nil, &OldFormError{f.Name(), len(all.Allowed)}
}

// Change lets edit work on what is allowed, and writes what it returns.
func Change(state string, edit func([]Allowance) []Allowance) error {
	if state == "" {
		return errors.New("there is no state directory")
	}
	if err := os.MkdirAll(state, 0o700); err != nil {
		return err
	}
	lock, err := os.OpenFile(allowedFile(state)+".lock", os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := waitLock(lock, 2*time.Second); err != nil {
		return err
	}
	all, err := Allowed(state)
	if old := (*OldFormError)(nil); err != nil && !errors.As(err, &old) {
		return err
	}
	all = edit(all)
	if len(all) > maxAllowed {
		all = all[len(all)-maxAllowed:]
	}
	data, err := json.MarshalIndent(allowances{formsVersion, all}, "", "  ")
	if err != nil {
		return err
	}
	return replace(allowedFile(state), append(data, '\n'))
}

func waitLock(f *os.File, most time.Duration) error {
	for end := time.Now().Add(most); ; time.Sleep(5 * time.Millisecond) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil || !errors.Is(err, syscall.EWOULDBLOCK) || time.Now().After(end) {
			return err
		}
	}
}

// replace puts a file in place whole.
func replace(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	d, err := os.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Anywhere is the directory of an allowance that holds everywhere.
const Anywhere = "*"

// Allow records forms for where they hold.
func (w *World) Allow(forms []ask.Form, now time.Time) error {
	tree := w.Dir
	if repo := w.repo(w.Dir); repo != nil {
		tree = repo.Root()
	}
	return allow(w.Paths.State, w.Dir, tree, forms, now)
}

// allow records forms for a directory, the work tree that it is in, or everywhere.
func allow(state, dir, tree string, forms []ask.Form, now time.Time) error {
	if dir == "" {
		return errors.New("the working directory is not known")
	}
	return Change(state, func(all []Allowance) []Allowance {
		for _, f := range forms {
			place := [...]string{ask.InDirectory: dir, ask.InTree: tree, ask.Everywhere: Anywhere}[f.Extent]
			if !slices.ContainsFunc(all, func(a Allowance) bool { return a.is(place, f) }) {
				all = append(all, Allowance{place, f.Rule, f.Form, now.UTC().Truncate(time.Second)})
			}
		}
		return all
	})
}

func (a *Allowance) is(dir string, f ask.Form) bool {
	return a.Dir == dir && a.Rule == f.Rule && a.Form == f.Form
}

// Drop takes allowances of an earlier form out of the file, if it was read and
// held some: they are told of once.
func (w *World) Drop() {
	if w.dropped {
		w.dropped = false
		_ = Change(w.Paths.State, func(all []Allowance) []Allowance { return all })
	}
}

// isAllowed reports whether a form is allowed in the working directory.
func (w *World) isAllowed(f ask.Form) bool {
	if !w.read {
		w.read = true
		var err error
		if w.allowed, err = Allowed(w.Paths.State); err != nil {
			if old := (*OldFormError)(nil); errors.As(err, &old) {
				w.dropped = true
			}
			w.problems = append(w.problems, Problem{Err: err})
		}
	}
	return w.Dir != "" && slices.ContainsFunc(w.allowed, func(a Allowance) bool {
		return a.is(w.Dir, f) || f.Extent == ask.Everywhere && a.is(Anywhere, f) || f.Extent == ask.InTree && w.within(a.Dir) && a.is(a.Dir, f)
	})
}

// within reports whether the working directory is in the work tree of that root.
func (w *World) within(root string) bool {
	repo := w.repo(w.Dir)
	return repo != nil && repo.Root() == root
}
