package shells

import (
	"fmt"
	"slices"
	"strings"
)

// Facts are what is known of one shell and its hook.
type Facts struct {
	Shell string // "bash", "zsh", "fish", or another's name
	// Hook is TMP_HOOK, which a hook exports: shell, wire version, process.
	Hook string
	// EnterHook is TMP_ENTER_HOOK: the same, and the state of Enter.
	EnterHook string
	// Parent is the process that started the asking program.
	Parent int
	// Tab is the tmp-tab found, "" if there is none; TabProblem why it does not answer.
	Tab, TabProblem string
	// HookFile is the installed file of the hook, or "".
	HookFile string
	// Bin is the directory of tmp itself if PATH does not lead to it, else "".
	Bin string
	// Enter and EnterProblem are the same of tmp-enter.
	Enter, EnterProblem string
	// Asked says that a new interactive shell could be asked; Answer are its lines.
	Asked  bool
	Answer []string
	// Mapped reports whether a command has a map to complete from.
	Mapped func(command string) bool
	// FishFiles is how many commands have their line for fish, of FishTools.
	FishFiles, FishTools int
	// Others are the other shells that are installed.
	Others []Other
}

// Standing is how a finding is to be taken.
type Standing string

const (
	Fine    Standing = "ok"
	Note    Standing = "note"
	Problem Standing = "problem"
)

// Finding is one thing that is or is not active, and why.
type Finding struct {
	Standing Standing `json:"standing"`
	Text     string   `json:"text"`
	Advice   string   `json:"advice,omitempty"`
}

// Probe is a line for a new interactive shell to run ("-i -c"), whose output is
// what Facts.Answer holds: "hook" if the hook is loaded, "default F" the
// default completion, "own C" a command with a completion of its user's, and
// what EnterProbe says.
func Probe(shell string) string {
	switch shell {
	case "bash":
		return EnterProbe(shell) + `_tmp_tab_prompt 2>/dev/null; _tmp_tab_take "$(complete -p)" 2>/dev/null; ` +
			`[[ -z ${_tmp_tab_loaded-} ]] || echo hook; ` +
			`complete -p 2>/dev/null; [[ -z ${BASH_COMPLETION_VERSINFO-} ]] || echo "bash-completion ${BASH_COMPLETION_VERSINFO[*]}"`
	case "zsh":
		return EnterProbe(shell) + `_tmp_tab_install 2>/dev/null; [[ -z ${_tmp_tab_loaded-} ]] || print hook; ` +
			`if (( $+functions[compdef] )); then print compinit; print -r -- default ${_patcomps[*]}; ` +
			`for c in ${(k)_comps}; do words=($c); _tmp_tab_user 2>/dev/null && print -r -- own $c; done; fi`
	case "fish":
		return EnterProbe(shell) + `set -q __tmp_tab_loaded; and echo hook; for d in $fish_complete_path; ` +
			`test "$d" = "$__tmp_tab_dir"; and echo default; and break; ` +
			`for f in $d/*.fish; echo own (string replace -r '.*/(.*)\.fish$' '$1' -- $f); end; end`
	}
	return ""
}

// Diagnose says what the facts mean.
func Diagnose(f Facts) []Finding {
	var out []Finding
	add := func(s Standing, advice, format string, args ...any) {
		out = append(out, Finding{s, fmt.Sprintf(format, args...), advice})
	}
	if _, err := Hook(f.Shell, Tab|Enter); err != nil {
		if f.Shell == "" {
			add(Problem, "run it from bash, zsh or fish, or set SHELL", "neither the program that started this one nor SHELL says which shell this is")
			return out
		}
		add(Problem, "use bash, zsh or fish, and set SHELL", "the shell %q has no hook", f.Shell)
		return out
	}
	if isWordShell(f.Shell) {
		add(Note, "docs/shells.md says what it can do; its hook: tmp hook "+f.Shell, "of %s it cannot be told what is active", f.Shell)
		return out
	}
	out = append(out, f.here())
	out = append(out, f.enterHere()...)
	out = append(out, f.enterProgram())
	switch {
	case f.Tab == "":
		add(Problem, "install it beside the hook, put it on PATH, or set TMP_TAB_BIN", "tmp-tab is not found: %s completes by itself", f.Shell)
	case f.TabProblem != "":
		add(Problem, "", "%s does not answer: %s", f.Tab, f.TabProblem)
	default:
		add(Fine, "", "%s answers", f.Tab)
	}
	if f.Bin != "" {
		advice := "export PATH=" + f.Bin + ":$PATH"
		if f.Shell == "fish" {
			advice = "fish_add_path " + f.Bin
		}
		add(Problem, advice, "tmp is not on PATH: the hook works, but tmp has to be called by its path")
	}
	if !f.Asked {
		add(Note, "", "a new %s could not be asked what it registers", f.Shell)
		return append(out, f.enterElsewhere()...)
	}
	state, enters := answered(f.Answer)
	switch tabs := slices.Contains(f.Answer, "hook"); {
	case !tabs && !enters:
		add(Problem, RCLine(f.Shell, f.HookFile), "a new %s does not load the hook", f.Shell)
	case !tabs:
		add(Note, "", "a new %s leaves Tab to itself (--no-tab)", f.Shell)
	default:
		out = append(out, f.registrations()...)
	}
	if enters {
		out = append(out, enterState(state, f.Shell).of("a new "+f.Shell))
	}
	return append(out, f.enterElsewhere()...)
}

// RCLine is the line of a start-up file that loads the hook: from the file
// given, or printed by tmp.
func RCLine(shell, file string) string {
	switch {
	case file != "" && shell == "fish":
		return "source " + file
	case file != "":
		return ". " + file
	case shell == "fish":
		return "tmp hook fish | source"
	}
	return `eval "$(tmp hook ` + shell + `)"`
}

// here is about the shell that asks.
func (f Facts) here() Finding {
	fields, here, current := f.loadedIn(f.Hook)
	tab := fields != nil
	if !tab {
		fields, here, current = f.loadedIn(f.EnterHook)
	}
	switch {
	case fields == nil:
		return Finding{Problem, "the hook is not loaded in this shell", RCLine(f.Shell, f.HookFile)}
	case fields[0] != f.Shell:
		return Finding{Problem, "the hook is not loaded in this " + f.Shell + ", only in the " + fields[0] + " around it", RCLine(f.Shell, f.HookFile)}
	case !here:
		return Finding{Note, "the hook is loaded in a shell around this one (" + fields[0] + "); whether it is here cannot be seen", ""}
	case !current:
		return Finding{Problem, "the hook of this shell is from another version", "start a new shell; with installed files, install again"}
	case !tab:
		return Finding{Note, "Tab is left to " + fields[0] + " (--no-tab)", ""}
	}
	return Finding{Fine, "the hook is loaded in this " + fields[0], ""}
}

// ownSpec reports whether a line of "complete -p" is a user's own: not ours, and
// none of those that bash-completion makes for the shell's builtins.
func ownSpec(line string) bool {
	if strings.Contains(line, " -F _tmp_tab ") || strings.Contains(line, " -F _cd ") || strings.Contains(line, " -F _comp_cmd_cd ") {
		return false
	}
	return strings.Contains(line, " -F ") || strings.Contains(line, " -W ") || strings.Contains(line, " -C ")
}

// registrations is about what a new shell has registered.
func (f Facts) registrations() []Finding {
	var own []string
	active, compinit, library := false, false, ""
	for _, line := range f.Answer {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		last := words[len(words)-1]
		switch {
		case words[0] == "complete" && last == "-D":
			active = strings.Contains(line, " -F _tmp_tab ")
		case words[0] == "complete" && ownSpec(line) && f.Mapped(last),
			words[0] == "own" && len(words) == 2 && f.Mapped(last):
			own = append(own, last)
		case words[0] == "default":
			active = f.Shell == "fish" || last == "_tmp_tab"
		case line == "compinit":
			compinit = true
		case words[0] == "bash-completion":
			library = strings.Join(words[1:], ".")
		}
	}
	var out []Finding
	switch {
	case f.Shell == "zsh" && !compinit:
		out = append(out, Finding{Note, "compinit is not run: commands without a map have zsh's basic completion", "autoload -Uz compinit && compinit"})
	case active:
		out = append(out, Finding{Fine, "mapped commands are completed by tmp in a new " + f.Shell, ""})
	default:
		out = append(out, Finding{Problem, "something else has become the default completion after the hook", "load the hook as the last thing in the start-up file"})
	}
	if library != "" {
		out = append(out, Finding{Fine, "bash-completion " + library + " completes commands without a map", ""})
	}
	if len(own) > 0 {
		slices.Sort(own)
		out = append(out, Finding{Note, "completions of your own are used instead of the map: " + strings.Join(own, " "), ""})
	}
	if f.Shell == "fish" && f.FishFiles < f.FishTools {
		out = append(out, Finding{Problem, fmt.Sprintf("%d of %d mapped commands have their file for fish", f.FishFiles, f.FishTools), "tmp db build"})
	}
	return out
}

// Bypass is a way to run or complete a line past tmp.
type Bypass struct {
	Way string `json:"way"`
	Why string `json:"why"`
}

// Bypasses lists what a hook of the shell cannot see.
func Bypasses(shell string) []Bypass {
	switch shell {
	case "bash":
		return []Bypass{
			{"Meta-/ and the other complete-filename keys", "readline completes files itself"},
			{"a variable after $", "bash completes it itself"},
			{"edit-and-execute-command bound after the hook, or called by its name (M-x)", "readline runs what the editor leaves, past Enter"},
			{"another binding of Enter after the hook (bind)", "the line runs unjudged and is noticed at the next prompt"},
		}
	case "zsh":
		return []Bypass{
			{"a completion widget of your own (zle -C)", "it calls what it was made for"},
			{"a key or widget that calls .accept-line", "the line runs unjudged and is noticed at the next prompt"},
		}
	case "fish":
		return []Bypass{
			{"autosuggestions", "fish takes them from history and files, and runs no program for them"},
			{"a key bound to execute, or Enter bound to something of your own", "the line runs unjudged, with a notice"},
		}
	}
	return nil
}
