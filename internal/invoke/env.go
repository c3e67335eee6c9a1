package invoke

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/workflow"
)

// Environment returns what of env an operation's program receives, and the names
// of what is withheld from it though no list says so. With a list
// of its own that is the base (see base) and what the list names, exactly. A
// script without one receives all but the variables whose names tell of secrets:
// nobody has said that it may see them. Any other program receives all, as it
// would from a shell; called by an agent, not those that load code into it.
func Environment(env []string, surface string, agent bool, d workflow.Detail) (kept, withheld []string) {
	kept = slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		name, value, _ := strings.Cut(e, "=")
		if idle(name, value) {
			return true
		}
		if d.Bare {
			return !base(name) && !slices.ContainsFunc(d.Env, func(p string) bool { return covers(p, name) })
		}
		if surface == "script" && secret(name) || agent && loads(name) && !harmless(value) {
			withheld = append(withheld, name)
			return true
		}
		return false
	})
	slices.Sort(withheld)
	return kept, slices.Compact(withheld)
}

// Settle puts the working directory into the environment of what runs in it.
func Settle(env []string, dir string) []string {
	env = slices.DeleteFunc(slices.Clone(env), func(e string) bool { return strings.HasPrefix(e, "PWD=") })
	return append(env, "PWD="+dir)
}

// volatile names variables that a shell or terminal changes from one command to
// the next and that say nothing to a program: the size of the window, how deep a
// shell is, which window it is. The digest of a plan leaves them out, so a program
// gets them only with such a value as they have.
func volatile(name string) bool {
	switch name {
	case "COLUMNS", "LINES", "SHLVL", "_", "OLDPWD", "WINDOWID", "TMUX_PANE", "TERM_SESSION_ID", "ITERM_SESSION_ID", "SHELL_SESSION_ID",
		"KITTY_WINDOW_ID", "WEZTERM_PANE", "ALACRITTY_WINDOW_ID", "KONSOLE_DBUS_SESSION", "GNOME_TERMINAL_SCREEN", "WT_SESSION":
		return true
	}
	return false
}

// idle reports whether a volatile variable is not handed on: the shell's own
// book-keeping, and one with a value that it never has by itself.
func idle(name, value string) bool {
	switch {
	case name == "", name == "_", name == "OLDPWD":
		return true
	case !volatile(name):
		return false
	}
	return strings.ContainsFunc(value, func(r rune) bool {
		return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("-:%/_.", r))
	})
}

// loads reports whether a variable makes other programs run code that it names.
// An agent could hand its own code to an operation in it.
func loads(name string) bool {
	switch name {
	case "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "ENV", "PROMPT_COMMAND", "LESSOPEN", "LESSCLOSE",
		"GIT_EXTERNAL_DIFF", "GIT_SSH_COMMAND", "GIT_SSH", "GIT_ASKPASS", "SSH_ASKPASS", "SUDO_ASKPASS", "GIT_PROXY_COMMAND",
		"GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT", "GIT_CONFIG_GLOBAL", "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR",
		"PERL5OPT", "PERL5DB", "RUBYOPT", "PYTHONSTARTUP", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER":
		return true
	}
	return strings.HasPrefix(name, "BASH_FUNC_") || strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
}

func covers(pattern, name string) bool {
	if head, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(name, head)
	}
	return pattern == name
}

// harmless reports whether the value of such a variable names nothing to run, or
// what an agent sets so that nothing waits for a person.
func harmless(value string) bool {
	return slices.Contains([]string{"", "true", "/bin/true", "/usr/bin/true", "false", ":", "cat", "ssh", "/dev/null", "0"}, value)
}

// base are the variables without which few programs work.
func base(name string) bool {
	switch name {
	case "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "COLORTERM", "NO_COLOR", "LANG", "LANGUAGE", "TZ", "TMPDIR", "PWD", "SHLVL", "TMP_AGENT_ID", "TE_AGENT_ID":
		return true
	}
	return strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "XDG_")
}

// secret reports whether a variable's name has a word that tells of a secret.
func secret(name string) bool {
	for word := range strings.SplitSeq(strings.ToUpper(name), "_") {
		switch word {
		case "TOKEN", "TOKENS", "SECRET", "SECRETS", "PASSWORD", "PASSWD", "PASSPHRASE", "PASS", "KEY", "KEYS", "APIKEY", "CREDENTIAL", "CREDENTIALS", "AUTH", "COOKIE", "DSN":
			return true
		}
	}
	return strings.HasSuffix(strings.ToUpper(name), "PASSWORD") || strings.HasSuffix(strings.ToUpper(name), "TOKEN")
}
