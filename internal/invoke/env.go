package invoke

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/workflow"
)

// Environment returns what of env an operation's program receives. With a list
// of its own that is the base (see base) and what the list names, exactly. A
// script without one receives all but the variables whose names tell of secrets:
// nobody has said that it may see them. Any other program receives all, as it
// would from a shell.
func Environment(env []string, surface string, d workflow.Detail) []string {
	if !d.Bare && surface != "script" {
		return env
	}
	return slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		if d.Bare {
			return !base(name) && !slices.ContainsFunc(d.Env, func(p string) bool { return covers(p, name) })
		}
		return secret(name)
	})
}

func covers(pattern, name string) bool {
	if head, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(name, head)
	}
	return pattern == name
}

// base are the variables without which few programs work.
func base(name string) bool {
	switch name {
	case "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "COLORTERM", "NO_COLOR", "LANG", "LANGUAGE", "TZ", "TMPDIR", "PWD", "SHLVL", "TMP_AGENT_ID":
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
