package layers

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/discover/drafts"
	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/wanted"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// SweepDrafts takes away the drafts of programs that were removed.
func SweepDrafts(env *term.Env, dir drafts.Dir) {
	path := env.Getenv("PATH")
	gone, err := dir.Sweep(func(tool string) bool {
		_, err := machine.Find(path, tool)
		return err == nil
	})
	for _, tool := range gone {
		env.Notice("%s is not installed any more: its draft is gone", term.OneLine(tool))
	}
	if err != nil {
		env.Notice("%v", err)
	}
}

// Background starts this program with other arguments, detached, at the lowest
// priority; it returns the file that its output goes to.
func Background(env *term.Env, args []string) (log string, err error) {
	paths := env.Places()
	if paths.Drafts() == "" {
		return "", term.Failf("there is no place for drafts").Hint("set HOME, XDG_DATA_HOME or TMP_DATA_DIR")
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	log = filepath.Join(paths.Drafts(), ".base", ".log")
	if err := os.MkdirAll(filepath.Dir(log), 0o755); err != nil {
		return "", err
	}
	return log, wanted.Detach(append([]string{self}, args...), append(env.Environ, lowest+"=1"), log)
}

// lowest is the variable by which a program that was started so knows it.
const lowest = "TMP_BACKGROUND"

// GiveWay lets everything else go first, if Background has started this program.
func GiveWay(env *term.Env) {
	if env.Getenv(lowest) != "" {
		wanted.LowPriority()
	}
}

// perProgram is what drafting takes of one processor for each program, measured
// over the programs of a Debian system.
const perProgram = 400 * time.Millisecond

// fewUnseen are too few programs to speak of.
const fewUnseen = 20

// Offer says how many programs have neither a map nor a draft, and how long it takes
// to draft them; a person at a terminal is asked whether to.
func Offer(env *term.Env, paths place.Paths, built *Built) error {
	if paths.Drafts() == "" {
		return nil
	}
	programs := machine.Programs(env.Getenv("PATH"))
	unseen := 0
	for _, p := range programs {
		if root := built.View.Root(p.Name); root != nil && root.Bits&tcpdb.Partial == 0 {
			continue
		}
		if _, err := os.Lstat(wanted.Note(paths, p.Name)); err != nil {
			unseen++
		}
	}
	if unseen < fewUnseen {
		return nil
	}
	minutes := 1 + int(time.Duration(unseen)*perProgram/time.Duration(max(1, runtime.NumCPU()))/time.Minute)
	text := fmt.Sprintf("%d of %d programs have no map. tmp generate --all drafts them from their manuals and help, about %d min",
		unseen, len(programs), minutes)
	if env.Who() != gate.Person {
		env.Notice("%s; with --background it returns at once", text)
		return nil
	}
	answer, err := term.Ask(env, text+".\nDo that now, in the background? [y/N] ")
	if err != nil || !term.IsYes(answer) {
		return err
	}
	log, err := Background(env, []string{"generate", "--all"})
	if err == nil {
		env.Notice("drafting; what it says goes to %s. Killed, it goes on where it was: tmp generate --all", term.OneLine(log))
	}
	return err
}
