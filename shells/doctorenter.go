package shells

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Other is a shell beside the person's own.
type Other struct {
	Shell  string
	Asked  bool // a new interactive one could be asked
	Answer []string
	// HookFile is the installed file of its hook, or "".
	HookFile string
}

// EnterProbe is the part of Probe that is about Enter: it prints "enter STATE"
// if the hook is loaded. What the states are, enterState knows.
func EnterProbe(shell string) string {
	switch shell {
	case "bash", "zsh":
		return `_tmp_enter_state 2>/dev/null; [[ -z ${_tmp_enter_loaded-} ]] || echo "enter ${TMP_ENTER_HOOK##* }"; `
	case "fish":
		return `set -q __tmp_enter_loaded; and __tmp_enter_state; and echo enter (string split ' ' -- $TMP_ENTER_HOOK)[-1]; `
	}
	return ""
}

// loadedIn tells of the variable that a hook exports (shell, wire version,
// process, and what else) whether it is set, whether the asking shell has set it
// and whether it is of this version.
func (f Facts) loadedIn(hook string) (fields []string, here, current bool) {
	if fields = strings.Fields(hook); len(fields) < 3 {
		return nil, false, false
	}
	return fields, fields[2] == strconv.Itoa(f.Parent), fields[1] == strconv.Itoa(Wire)
}

// enterState says what a state means that a hook of Enter gives of itself.
func enterState(state, shell string) Finding {
	until := ""
	if at, ok := strings.CutPrefix(state, "paused:"); ok {
		if n, err := strconv.ParseInt(at, 10, 64); err == nil {
			until = " until " + time.Unix(n, 0).Format("15:04")
		}
		state = "paused"
	}
	switch state {
	case "on":
		return Finding{Fine, "Enter is judged in %s", ""}
	case "paused":
		return Finding{Note, "Enter is not judged in %s" + until + ": tmp pause", "tmp resume"}
	case "taken":
		return Finding{Problem, "Enter is not judged in %s: it is bound to something else than to run the line", "bind it before the hook is loaded, or not at all"}
	case "noediting":
		return Finding{Problem, "Enter is not judged in %s: it has no line editing, as in a buffer of Emacs", "use a terminal (in Emacs M-x term), or judge a line with tmp check"}
	case "old":
		return Finding{Problem, "Enter is not judged in %s: its version is too old", "bash 4.4, zsh 5.8 or fish 3.4, or later"}
	}
	return Finding{Problem, "Enter is not judged in %s, and the hook does not say why", "start a new " + shell + "; with installed files, install again"}
}

func (fi Finding) of(where string) Finding {
	fi.Text = fmt.Sprintf(fi.Text, where)
	return fi
}

// enterHere is about Enter in the shell that asks.
func (f Facts) enterHere() []Finding {
	fields, here, current := f.loadedIn(f.EnterHook)
	switch tab, _, _ := f.loadedIn(f.Hook); {
	case fields == nil && tab == nil:
		return nil // said of the hook as a whole
	case fields == nil:
		return []Finding{{Note, "Enter is left to " + f.Shell + " (--no-enter)", ""}}
	case !here:
		return nil
	case !current:
		return nil
	case len(fields) < 4:
		return []Finding{enterState("", f.Shell).of("this " + fields[0])}
	}
	return []Finding{enterState(fields[3], f.Shell).of("this " + fields[0])}
}

// enterProgram is about tmp-enter.
func (f Facts) enterProgram() Finding {
	switch {
	case f.Enter == "":
		return Finding{Problem, "tmp-enter is not found: every line runs unjudged, with one notice", "install it beside the hook, or put it on PATH"}
	case f.EnterProblem != "":
		return Finding{Problem, f.Enter + " does not judge: " + f.EnterProblem, ""}
	}
	return Finding{Fine, f.Enter + " judges", ""}
}

// answered returns the state of Enter in a shell's answer.
func answered(answer []string) (state string, ok bool) {
	for _, l := range answer {
		if state, ok := strings.CutPrefix(l, "enter "); ok {
			return state, true
		}
	}
	return "", false
}

// enterElsewhere is about the person's other shells: nothing that is wrong in
// them is a fault, since they may not be used.
func (f Facts) enterElsewhere() []Finding {
	var out []Finding
	for _, o := range f.Others {
		state, ok := answered(o.Answer)
		switch {
		case !o.Asked:
			continue
		case !ok && slices.Contains(o.Answer, "hook"):
			out = append(out, Finding{Note, "a new " + o.Shell + " leaves Enter to itself (--no-enter)", ""})
		case !ok:
			out = append(out, Finding{Note, "a new " + o.Shell + " does not load the hook: nothing is judged in it", RCLine(o.Shell, o.HookFile)})
		default:
			fi := enterState(state, o.Shell).of("a new " + o.Shell)
			if fi.Standing == Problem {
				fi.Standing = Note
			}
			out = append(out, fi)
		}
	}
	return out
}
