// Package binding takes down the state of a place: what is here now, of all that
// a command could read or run. An approval is for that state, and not for the
// words of the command: what a program reads cannot be told from its words.
//
//   - binding.go: what is asked, and how a state is taken
//   - entry.go, encode.go: a file in a state; the states as bytes
//   - walk.go: the files of a project
//   - gitdir.go, gitconfig.go: what git would use
//   - outside.go, includes.go, habits.go: what lies elsewhere
//   - content.go: what a file holds: by git's index, by a cache, or read
//   - change.go: what is different between two states
//   - look.go: the last look before a start
//   - quiet.go: whether somebody changes it all the while
//
// It reads, and writes nothing but its cache.
package binding

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/project"
)

// Subject is what would run.
type Subject struct {
	Dir      string     // the working directory, absolute
	Env      []string   // NAME=value, what the programs receive; see Naming
	Home     string     // where the user's own files are if no variable says so
	Commands [][]string // the words of each command
	Programs []string   // their programs as they were found, absolute; "" where there is none
	Files    []string   // further files that they are made from, absolute
	// Outputs are patterns of what is written by what runs, relative to the root
	// of the project or to Dir: "dist/**", "*.log". They are left out.
	Outputs []string
	Written []string // words that name what is written and not read
}

// Options say what is known from before.
type Options struct {
	// Base is an earlier state: content is taken from it where the stat data has
	// not moved, and from nothing else. What it knew the content of is read again
	// where it has, whatever its size.
	Base *State
	// Cache is a directory for what files held, "" for none. It counts only
	// without a Base.
	Cache string
	// Except are further patterns of what does not count, as Subject.Outputs.
	Except []string
	// Skip are directories, absolute, of our own records.
	Skip []string
}

// Limits of one state; tests lower them.
var (
	maxFiles  int64 = 200_000                // in a walk
	maxFolder int64 = 20_000                 // files of an untracked folder that are all bound
	maxHashed int64 = 64 << 20               // bytes that are read of files nobody knows
	maxWork         = 400 * time.Millisecond // of a walk, on the clock and of the processor
)

// State is what was found.
type State struct {
	Subject Subject // what it was taken for
	Root    string  // the project's, real path; Dir where there is none
	Taken   int64   // when the taking began, Unix time in nanoseconds
	Project []*Entry
	Other   []*Entry // elsewhere, by absolute paths
	Unbound []Unbound
	Cut     string   // why the walk ended before its end, ""
	Large   []string // folders of the project of which only the top is bound
	Digest  [32]byte

	// When the newest change in a folder was, by its ctime, and in which; 0 where
	// folders tell nothing, since something is written there that is left out.
	stirred  int64
	stirring string

	texts map[string]string // of small files, for showing what changed
	first []string          // absolute paths of what the words name
}

// Unbound is something that the state says nothing about.
type Unbound struct {
	What string `json:"what"`
	Why  string `json:"why"`
	// Code says that it may be code that runs.
	Code bool `json:"code,omitempty"`
}

// Bound counts what is bound.
type Bound struct {
	Files int   `json:"files"` // files and links, also those known by stat alone
	Bytes int64 `json:"bytes"`
}

// NotAFileError is about a name that would be read and is no file.
type NotAFileError struct{ Path, Kind string }

func (e *NotAFileError) Error() string {
	return fmt.Sprintf("%s is %s: what is read from it cannot be bound", e.Path, e.Kind)
}

// taking is a state on its way.
type taking struct {
	Subject
	Options
	state   *State
	known   known
	ignore  patterns // what does not count
	except  patterns // of that, what a person left out
	other   map[string]*Entry
	done    map[string]bool
	hashed  int64    // bytes
	scripts []string // programs that are scripts, and take in others
	names   int      // words of texts that were looked up as programs
	anew    bool     // something was read that the cache did not know
	refused error
}

// Take takes down the state of the subject's place.
func Take(s Subject, o Options) (*State, error) {
	s.Env = Naming(s.Env)
	t := &taking{Subject: s, Options: o, state: &State{Subject: s, Taken: time.Now().UnixNano(), texts: map[string]string{}}, other: map[string]*Entry{}, done: map[string]bool{}}
	defer rest()()
	if err := t.place(); err != nil {
		return nil, err
	}
	t.ignore = newPatterns(t.state.Root, t.Dir, append(slices.Clone(s.Outputs), o.Except...))
	t.except = newPatterns(t.state.Root, t.Dir, o.Except)
	t.named()
	if t.refused != nil {
		return nil, t.refused
	}
	t.openKnown()
	if o.Base != nil && o.Base.Cut != "" {
		t.again()
	} else {
		t.walk()
	}
	t.links()
	t.environment()
	t.habits()
	t.includes()
	t.git()
	if t.refused != nil {
		return nil, t.refused
	}
	t.contents()
	t.finish()
	return t.state, nil
}

// resting counts the states that are being taken, and keeps how much garbage was
// let lie before the first.
var resting struct {
	sync.Mutex
	count, percent int
}

// rest lets the collector of garbage rest until what it returns is called: a state
// of many files is a few large pieces that all stay. Their sizes are bounded by the
// limits of a state.
func rest() (done func()) {
	resting.Lock()
	defer resting.Unlock()
	if resting.count++; resting.count == 1 {
		resting.percent = debug.SetGCPercent(-1)
	}
	return func() {
		resting.Lock()
		defer resting.Unlock()
		if resting.count--; resting.count == 0 {
			debug.SetGCPercent(resting.percent)
		}
	}
}

// place finds the working directory and the root of its project.
func (t *taking) place() error {
	real, err := filepath.EvalSymlinks(t.Dir)
	if err != nil {
		return err
	}
	t.Dir = real
	t.state.Root = Root(real, t.Home)
	return nil
}

// Root is the directory whose files are bound for a command in dir: the top of
// the repository, else the package's root, else dir.
func Root(dir, home string) string {
	if p, ok := project.Find(project.Disk{}, dir, project.Who{UID: uint32(os.Getuid()), Home: home}); ok {
		return p.Root
	}
	return dir
}

// finish puts the parts in order and takes the digest.
func (t *taking) finish() {
	for _, e := range t.other {
		t.state.Other = append(t.state.Other, e)
	}
	slices.SortFunc(t.state.Other, func(a, b *Entry) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(t.state.Unbound, func(a, b Unbound) int { return strings.Compare(a.What+"\x00"+a.Why, b.What+"\x00"+b.Why) })
	t.state.Unbound = slices.Compact(t.state.Unbound)
	t.state.Digest = t.state.digest()
}

func (t *taking) unbound(what, format string, args ...any) {
	t.state.Unbound = append(t.state.Unbound, Unbound{what, fmt.Sprintf(format, args...), true})
}

// Again takes the state of the same place for the same commands.
func Again(old *State, o Options) (*State, error) {
	o.Base = old
	return Take(old.Subject, o)
}

// Bound counts the files and links of a state.
func (s *State) Bound() Bound {
	var b Bound
	for _, list := range [][]*Entry{s.Project, s.Other} {
		for i := range list {
			if e := list[i]; e.Kind == File || e.Kind == Link {
				b.Files, b.Bytes = b.Files+1, b.Bytes+e.Size
			}
		}
	}
	return b
}
