package shape

import (
	"path"
	"slices"
	"strings"
)

// Interactive reports whether a program works on the whole screen of a terminal,
// or talks to whoever sits there: it needs the terminal itself, and what it
// writes is nothing to keep or to shorten.
func Interactive(argv []string) bool {
	argv = bare(argv)
	if len(argv) == 0 {
		return false
	}
	name, args := path.Base(argv[0]), argv[1:]
	has := func(words ...string) bool {
		return slices.ContainsFunc(args, func(a string) bool { return slices.Contains(words, a) })
	}
	letters := func(set string) bool { // each of them among the bundled options
		all := ""
		for _, a := range args {
			if len(a) > 1 && a[0] == '-' && a[1] != '-' {
				all += a[1:]
			}
		}
		return strings.IndexFunc(set, func(r rune) bool { return !strings.ContainsRune(all, r) }) < 0
	}
	operands := slices.IndexFunc(args, func(a string) bool { return a == "" || a[0] != '-' }) >= 0
	switch name {
	case "vi", "vim", "nvim", "view", "vimdiff", "nano", "pico", "micro", "hx", "helix", "kak", "joe", "emacs", "emacsclient", "sudoedit", "visudo", "vipw", "vigr",
		"less", "more", "most", "man", "info", "top", "htop", "btop", "atop", "iotop", "glances", "nvtop", "watch", "fzf", "sk", "peco", "tmux", "screen", "byobu", "zellij",
		"mc", "ranger", "nnn", "lf", "yazi", "ncdu", "tig", "lazygit", "gitui", "k9s", "lazydocker", "dialog", "whiptail", "mutt", "neomutt", "links", "lynx", "w3m", "ftp", "sftp", "telnet", "mosh", "passwd", "su":
		return !has("--help", "--version", "-b", "--batch") || name == "less"
	case "crontab":
		return has("-e")
	case "systemctl", "kubectl", "oc":
		return has("edit") || has("exec", "run", "attach", "debug") && (letters("it") || has("--stdin", "--tty"))
	case "docker", "podman", "nerdctl":
		return has("exec", "run", "attach", "start") && letters("it") || has("attach")
	case "git":
		return has("commit") && !has("--no-edit", "--dry-run") && !slices.ContainsFunc(args, message) || has("rebase") && (has("--interactive") || letters("i")) || has("mergetool", "difftool")
	case "ssh":
		return letters("t") || len(args) == 1
	case "sh", "bash", "dash", "zsh", "fish", "ksh", "python", "python3", "ipython", "node", "irb", "ghci", "lua", "R", "julia", "bc", "gdb", "lldb", "redis-cli", "mongosh":
		return !operands && !has("-c", "-e", "-p", "--version", "--help", "-V", "-m")
	case "psql", "mysql", "mariadb", "sqlite3":
		return !has("-c", "-e", "-f", "-l", "--command", "--execute", "--file", "--list", "--version", "--help") && (name != "sqlite3" || len(args) < 2)
	}
	return false
}

// message reports whether an option of git commit says the message itself.
func message(a string) bool {
	for _, p := range [...]string{"--message", "--file", "--fixup", "--squash", "--reuse-message"} {
		if strings.HasPrefix(a, p) {
			return true
		}
	}
	return len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.ContainsAny(a, "mFC")
}
