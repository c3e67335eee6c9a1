package generate

import (
	"errors"
	"os"
	"sync"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/layers"
	"github.com/tool-mapping-protocol/tmp/internal/discover/drafts"
	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/wanted"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// detach goes on in the background, at the lowest priority, and returns.
func (o *options) detach(env *term.Env, names []string) error {
	if o.json || o.unconfined {
		return term.Usagef("--background goes with neither --json nor --allow-unconfined")
	}
	args := []string{"generate"}
	if o.all {
		args = append(args, "--all")
	}
	if o.force {
		args = append(args, "--force")
	}
	if o.filesOnly {
		args = append(args, "--files-only")
	}
	log, err := layers.Background(env, append(append(args, "--"), names...))
	if err != nil {
		return err
	}
	env.Notice("drafting in the background; what it says goes to %s", term.OneLine(log))
	return nil
}

// patience is how long what a Tab has started waits for other writers.
const patience = 2 * time.Minute

// ofTab drafts programs for a Tab: of what is written about them, without running
// them, for the Tab after it. Nobody reads what it says.
func (o *options) ofTab(env *term.Env, names []string) error {
	paths := env.Places()
	dir := drafts.Dir(paths.Drafts())
	if dir == "" || !wanted.Allowed(paths) {
		return nil
	}
	wanted.LowPriority()
	for _, tool := range names {
		defer wanted.Release(paths, tool)
	}
	o.filesOnly = true
	m := machine.New(machine.Options{Getenv: env.Getenv, NoRun: true})
	programs, _, err := o.programs(env, names)
	if err != nil {
		return err
	}
	changed := false
	err = waiting(func() error {
		lock, err := dir.Lock()
		if err != nil {
			return err
		}
		defer lock.Unlock()
		for _, p := range programs {
			row := o.one(env, m, dir, p)
			changed = changed || row.Status == "drafted" || row.Status == "none"
		}
		return nil
	})
	if err != nil || !changed {
		return err
	}
	// The next Tab is to have it at once: the ratings of all that is installed, which
	// take a while the first time, follow.
	if _, err := os.Stat(paths.SystemMap()); err != nil {
		if err := waiting(func() error { return layers.BuildDrafted(env, paths, m) }); err != nil {
			return err
		}
		for _, tool := range names {
			wanted.Release(paths, tool)
		}
	}
	return waiting(func() error {
		_, err := layers.BuildSystem(env, paths, m, true, nil)
		return err
	})
}

// waiting does what needs a lock again while somebody else has that.
func waiting(do func() error) error {
	for end := time.Now().Add(patience); ; {
		err := do()
		var busy *tcpdb.BusyError
		var failed *term.Failure
		if !errors.As(err, &busy) && !(errors.As(err, &failed) && failed.Status == busy.ExitCode()) || time.Now().After(end) {
			return err
		}
	}
}

// settled reports whether a draft that exists holds for a Tab: it is of this very
// program, though more than files may have been read for it.
func settled(dir drafts.Dir, b *drafts.Base, identity string) bool {
	return b != nil && (b.Identity == identity || b.Identity+filesOnly == identity) && dir.Touch(b.Tool) == nil
}

// joined is a draft from files, with what an earlier one has from the program's own
// words: nobody runs the program for a Tab, and the manual may say less.
func joined(dir drafts.Dir, b *drafts.Base, made *machine.Draft) (*opmap.Source, bool) {
	if b == nil || b.From["help"]+b.From["answer"]+b.From["code"] == 0 {
		return made.Source, !made.Empty()
	}
	before := dir.Generated(b)
	switch {
	case before == nil:
		return made.Source, !made.Empty()
	case made.Empty():
		return before, true
	}
	return drafts.Join(made.Source, before), true
}

// buildEvery is how often the map is built while many programs are drafted, so that
// Tab has what is done.
const buildEvery = time.Minute

// meanwhile builds the system map now and then.
type meanwhile struct {
	env  *term.Env
	m    *machine.Machine
	mu   sync.Mutex
	last time.Time
}

func (w *meanwhile) build() {
	if !w.mu.TryLock() {
		return
	}
	defer w.mu.Unlock()
	if w.env.Now().Sub(w.last) < buildEvery {
		return
	}
	// That it fails is said at the end.
	_, _ = layers.BuildSystem(w.env, w.env.Places(), w.m, true, nil)
	w.last = w.env.Now()
}
