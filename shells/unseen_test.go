package shells_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

// unseen makes a program, with a manual page, that nobody has mapped. It notes that it ran.
const unseen = `mkdir -p ~/man/man1
printf '#!/bin/sh\ntouch "$HOME/ran"\n' >~/bin/frobnicate
chmod +x ~/bin/frobnicate
printf '.TH FROBNICATE 1\n.SH NAME\nfrobnicate - frob things\n.SH OPTIONS\n.TP\n.B --alpha\nthe first way\n.TP\n.B --omega\nthe last way\n' >~/man/man1/frobnicate.1
export MANPATH=$HOME/man
`

// The first Tab on a program that nobody has mapped is the shell's own; the second is
// answered from its manual. The program is never run.
func TestRealUnseenToolIsDrafted(t *testing.T) {
	for _, name := range []string{"bash", "zsh", "fish"} {
		t.Run(name, func(t *testing.T) {
			s := setup{real: true, cols: 100, before: unseen}
			// Few programs: the ratings of all that is installed take a while.
			few := "$HOME/bin:" + programs(t)
			s.after = "export PATH=" + few
			if name == "zsh" {
				s.before += compinit
			}
			x := start(t, name, s)
			t.Cleanup(func() { x.settled() })
			x.write("work/work-file", "")
			x.tab("frobnicate work-fi", "frobnicate work-file ")
			x.until("frobnicate --al", "frobnicate --alpha ")
			x.tab("frobnicate --om", "frobnicate --omega ")
			x.tab("frobnicate work-fi", "frobnicate work-file ")
			if _, err := os.Stat(filepath.Join(x.home, "ran")); err == nil {
				t.Error("the program was run")
			}
		})
	}
}

// Where bash-completion knows the program, what it says stays beside the draft.
func TestRealUnseenToolKeepsItsOwnCompletion(t *testing.T) {
	s := setup{real: true, cols: 100, before: unseen + ". /usr/share/bash-completion/bash_completion"}
	s.after = "export PATH=$HOME/bin:" + programs(t)
	x := start(t, "bash", s)
	t.Cleanup(func() { x.settled() })
	x.write("share/bash-completion/completions/frobnicate", "_frob() { COMPREPLY=($(compgen -W 'psi' -- \"$2\")); }\ncomplete -F _frob frobnicate\n")
	x.tab("frobnicate ps", "frobnicate psi ")
	x.until("frobnicate --al", "frobnicate --alpha ")
	x.tab("frobnicate ps", "frobnicate psi ")
}

// until presses Tab on a line again until it becomes want.
func (x *shell) until(typed, want string) {
	x.t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		x.Keys(typed + "\t")
		for range 30 { // a Tab may take a while
			time.Sleep(100 * time.Millisecond)
			var line string
			if x.See(func(s *shelltest.Screen) { line = strings.TrimPrefix(s.Before(), "$ ") }); line == want {
				x.clear()
				return
			}
		}
		if time.Now().After(end) {
			x.t.Fatalf("%q never became %q\n%s", typed, want, x.Screen())
		}
		x.clear()
	}
}

// settled waits until nothing is drafted any more: the home directory goes then.
func (x *shell) settled() {
	data := filepath.Join(x.home, "share", "tmp")
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if claims, _ := filepath.Glob(filepath.Join(data, "drafts", ".base", ".*.wanted")); len(claims) > 0 {
			continue
		}
		if f, err := os.Open(filepath.Join(data, "system.tcpdb.lock")); err == nil {
			free := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
			f.Close()
			if !free {
				continue
			}
		}
		time.Sleep(300 * time.Millisecond)
		return
	}
}
