package risk

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk/code"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
)

// relayed returns the shell lines that a command passes on: to another machine,
// into a container, to a shell of its own. Wrappers, whose whole grammar is that
// they carry a command, are in the map; here are those that do more than one
// thing, or do it by an option.
func relayed(b *argv.Bound, at int) []Line {
	if ids := relayedOptions(b.Node().Path); ids != "" {
		return values(b, at, ids)
	}
	switch b.Node().Path {
	case "less", "more":
		return pagers(b, at)
	case "just":
		return behind(b, at, "--command", "-c")
	case "gum":
		if b.Dash > 0 && b.Words[1] == "spin" && b.Dash+1 < len(b.Words) {
			return []Line{{Text: quotedWords(b.Words[b.Dash+1:]), Dialect: "posix", Word: at + b.Dash + 1}}
		}
	case "socat":
		return addresses(b, at)
	case "aws ssm send-command":
		return documents(b, at)
	case "make", "gmake":
		return shells(b, at)
	case "start-stop-daemon":
		return daemon(b, at)
	case "fzf", "sk":
		return bindings(b, at)
	case "docker run", "docker container run", "docker create", "podman run", "podman container run", "podman create", "nerdctl run", "nerdctl container run",
		"docker compose run", "docker-compose run", "podman compose run":
		return entrypoint(b, at)
	case "fly machine exec", "flyctl machine exec", "pdsh", "clush", "pssh", "parallel-ssh":
		return words(b, at, 0, false)
	case "heroku":
		if len(b.Args) > 1 && strings.HasPrefix(b.Args[0].Text, "run") {
			return words(b, at, 1, false)
		}
	case "wsl", "wsl.exe":
		return windows(b, at)
	case "systemd-nspawn", "arch":
		return words(b, at, 0, true)
	case "machinectl shell", "arch-chroot":
		return words(b, at, 1, true)
	case "kubectl run", "oc run", "kubectl debug", "oc debug":
		for i, a := range b.Args {
			if a.AfterDash {
				return words(b, at, i, true)
			}
		}
	case "concurrently":
		var lines []Line
		for _, a := range b.Args {
			lines = append(lines, Line{Text: a.Text, Dialect: "posix", Word: at + a.Word})
		}
		return lines
	case "gdb":
		return behind(b, at, "--args", "-args")
	case "flatpak run":
		if len(b.Args) > 1 {
			for _, w := range b.Words {
				if program, ok := strings.CutPrefix(w, "--command="); ok {
					return []Line{{Text: quotedWords(append([]string{program}, b.Words[b.Args[0].Word+1:]...)), Dialect: "posix", Word: at + b.Args[0].Word}}
				}
			}
		}
	case "salt", "salt-call":
		for i, a := range b.Args {
			if wordlist.Has("cmd.run cmd.shell cmd.run_all cmd.script", a.Text) {
				return words(b, at, i+1, false)
			}
		}
	case "ansible":
		if module := value(b, "module-name"); wordlist.Has("command shell raw ansible.builtin.command ansible.builtin.shell ansible.builtin.raw", module) || module == "" {
			return values(b, at, "args")
		}
	}
	return nil
}

// relayedOptions are the options whose values a tool hands to a shell, by id.
func relayedOptions(path string) string {
	switch path {
	case "nodemon":
		return "x exec"
	case "mapfile", "readarray", "complete", "compgen":
		return "C"
	case "zmv", "zcp", "zln":
		return "p P"
	case "fish":
		return "init-command"
	case "scp", "sftp":
		return "S"
	case "emulate":
		return "c"
	case "hyperfine":
		return "setup prepare cleanup conclude"
	case "gcloud compute ssh":
		return "command"
	case "fly ssh console", "flyctl ssh console":
		return "C command"
	}
	return ""
}

// pagers reads the commands of less that begin with "!", given as "+!LINE".
func pagers(b *argv.Bound, at int) []Line {
	var lines []Line
	for i, w := range b.Words[1:] {
		if _, line, ok := strings.Cut(w, "!"); ok && w[0] == '+' {
			lines = append(lines, Line{Text: line, Dialect: "posix", Word: at + i + 1})
		}
	}
	return lines
}

// behind reads the command that all words behind one of the options are.
func behind(b *argv.Bound, at int, options ...string) []Line {
	for i, w := range b.Words {
		if slices.Contains(options, w) && i+1 < len(b.Words) {
			return []Line{{Text: quotedWords(b.Words[i+1:]), Dialect: "posix", Word: at + i + 1}}
		}
	}
	return nil
}

// shells returns the programs that make is told to run its recipes with, and what
// --eval has it run while it reads: $(shell rm x).
func shells(b *argv.Bound, at int) []Line {
	var lines []Line
	made := func(text string, word int) {
		if line, ok := code.MadeShell(text); ok {
			lines = append(lines, Line{Text: line, Dialect: "posix", Word: at + word})
		}
	}
	for _, a := range b.Args {
		name, value, ok := strings.Cut(a.Text, "=")
		if ok && strings.TrimRight(name, ":?!") == "SHELL" {
			lines = append(lines, Line{Text: value, Dialect: "posix", Word: at + a.Word})
		}
		made(a.Text, a.Word)
	}
	for _, u := range b.Flags {
		if u.Flag != nil && u.Flag.ID == "eval" {
			made(u.Value, u.ValueWord)
		}
	}
	return lines
}

// daemon returns the program that start-stop-daemon starts, with its arguments.
func daemon(b *argv.Bound, at int) []Line {
	program := value(b, "exec")
	if program == "" {
		program = value(b, "startas")
	}
	if program == "" || !b.Has("start") && !b.Has("background") {
		return nil
	}
	text := program
	for _, a := range b.Args {
		text += " " + quotedWords([]string{a.Text})
	}
	return []Line{{Text: text, Dialect: "posix", Word: at}}
}

// addresses returns the commands among the addresses of socat: EXEC:CMD,OPTION.
func addresses(b *argv.Bound, at int) []Line {
	var lines []Line
	for _, a := range b.Args {
		kind, text, ok := strings.Cut(a.Text, ":")
		if ok && wordlist.Has("exec system shell", strings.ToLower(kind)) {
			text, _, _ = strings.Cut(text, ",")
			lines = append(lines, Line{Text: strings.Trim(text, `'"`), Dialect: "posix", Word: at + a.Word})
		}
	}
	return lines
}

// documents returns the lines that aws ssm runs on machines: commands=["LINE",…] or
// commands=LINE.
func documents(b *argv.Bound, at int) []Line {
	var lines []Line
	for i, w := range b.Words {
		_, text, ok := strings.Cut(w, "commands")
		if !ok {
			continue
		}
		text = strings.TrimLeft(text, `"':= `)
		if !strings.HasPrefix(text, "[") {
			lines = append(lines, Line{Text: text, Dialect: "posix", Word: at + i})
			continue
		}
		for _, line := range code.Strings(text) {
			lines = append(lines, Line{Text: line, Dialect: "posix", Word: at + i})
		}
	}
	return lines
}

// windows returns the command that wsl runs: wsl CMD, wsl -d NAME -e CMD. After
// other options stands something else.
func windows(b *argv.Bound, at int) []Line {
	if len(b.Args) == 0 {
		return nil
	}
	first := b.Args[0].Word
	if first == 1 || wordlist.Has("-- -e --exec", b.Words[first-1]) || wordlist.Has("-d --distribution -u --user", b.Words[first-2]) {
		return words(b, at, 0, false)
	}
	return nil
}

// values are the values of the options of those IDs, each a shell line.
func values(b *argv.Bound, at int, ids string) []Line {
	var lines []Line
	for _, u := range b.Flags {
		if u.Flag != nil && u.ValueWord >= 0 && wordlist.Has(ids, u.Flag.ID) {
			lines = append(lines, Line{Text: u.Value, Dialect: "posix", Word: at + u.ValueWord})
		}
	}
	return lines
}

// value returns the value of an option, "" if it is not given.
func value(b *argv.Bound, id string) string {
	for _, u := range b.Flags {
		if u.Flag != nil && u.Flag.ID == id {
			return u.Value
		}
	}
	return ""
}

// words makes one line of the words from a positional argument on: each a word
// of the command that runs, or all of them text that a shell reads.
func words(b *argv.Bound, at, from int, each bool) []Line {
	if from >= len(b.Args) {
		return nil
	}
	first := b.Args[from].Word
	text := strings.Join(b.Words[first:], " ")
	if each {
		text = quotedWords(b.Words[first:])
	}
	return []Line{{Text: text, Dialect: "posix", Word: at + first}}
}

// quotedWords writes words so that a shell reads them as they are.
func quotedWords(words []string) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString("'" + strings.ReplaceAll(w, "'", `'\''`) + "' ")
	}
	return b.String()
}

// entrypoint returns the command that a container starts in the place of the
// image's own: --entrypoint CMD IMAGE ARG….
func entrypoint(b *argv.Bound, at int) []Line {
	program := value(b, "entrypoint")
	if program == "" || len(b.Args) == 0 {
		return nil
	}
	image := b.Args[0].Word
	return []Line{{Text: program + " " + quotedWords(b.Words[image+1:]), Dialect: "posix", Word: at + image}}
}

// bindings returns the shell lines that fzf runs: for its list, for the preview,
// and at a key: --bind 'enter:execute(rm {})'.
func bindings(b *argv.Bound, at int) []Line {
	lines := values(b, at, "preview")
	for _, u := range b.Flags {
		if u.Flag == nil || u.Flag.ID != "bind" || u.ValueWord < 0 {
			continue
		}
		text := u.Value
		for _, action := range [...]string{"execute-silent", "execute-multi", "execute", "become", "reload-sync", "reload", "transform", "preview"} {
			k := strings.Index(text, action)
			if k < 0 || k+len(action) >= len(text) {
				continue
			}
			line := text[k+len(action)+1:]
			shut := map[byte]string{'(': ")", '[': "]", '{': "}", '<': ">"}[text[k+len(action)]]
			if end := strings.LastIndex(line, shut); shut != "" && end >= 0 {
				line = line[:end]
			}
			lines = append(lines, Line{Text: line, Dialect: "posix", Word: at + u.ValueWord})
			break
		}
	}
	return lines
}
