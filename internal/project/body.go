package project

import (
	"path/filepath"
	"slices"
	"strings"
)

// A body is read as far as it takes to see which programs it would start: cut into
// commands, without what stands before the program's name. No shell is run, and no
// level comes from here; the judge reads the body whole.

// command is one command of a body: its words, the program by its base name, and
// the same without options.
type command struct {
	words, plain []string
	by           string   // the runner behind whose "run" the words stand
	in           []string // the directory that the body has changed into, as words
}

// commands cuts a body into commands.
func commands(body string) []command {
	var out []command
	var in []string
	for _, line := range strings.FieldsFunc(parallel(joinContinued(body)), func(r rune) bool { return r == '\n' || r == ';' || r == '|' || r == '&' || r == '(' || r == ')' }) {
		words := bodyWords(line)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		if len(words) > 1 && (words[0] == "cd" || words[0] == "pushd") {
			in = append(in, strings.FieldsFunc(words[1], func(r rune) bool { return r == '/' })...)
			continue
		}
		if words[0] == "popd" {
			in = nil
			continue
		}
		c := command{words: words, in: in}
		if first := strings.Fields(line); len(first) > 2 && first[1] == "run" && slices.Contains(runRunners, strings.TrimLeft(first[0], "@-+")) {
			c.by = strings.TrimLeft(first[0], "@-+")
		}
		for _, w := range words {
			if w[0] != '-' {
				c.plain = append(c.plain, w)
			}
		}
		if out = append(out, c); len(out) > 500 {
			break
		}
	}
	return out
}

// joinContinued joins lines that end in a backslash, and writes the references of
// make and shell as "$(NAME)".
func joinContinued(body string) string {
	body = strings.ReplaceAll(body, "\\\n", " ")
	if !strings.Contains(body, "$") {
		return body
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(body, '$')
		if i < 0 || i+1 >= len(body) {
			break
		}
		b.WriteString(body[:i])
		body = body[i+1:]
		end := -1
		if body[0] == '{' {
			end = strings.IndexByte(body, '}')
		} else if body[0] == '(' {
			end = strings.IndexByte(body, ')')
		}
		if end < 0 {
			if n := strings.IndexFunc(body, func(r rune) bool { return r != '_' && (r < 'A' || r > 'Z') && (r < '0' || r > '9') }); n > 0 {
				b.WriteString(strings.ToLower(body[:n]))
				body = body[n:]
			} else if n < 0 {
				b.WriteString(strings.ToLower(body))
				body = ""
			}
			continue
		}
		if end > 0 && !strings.ContainsAny(body[1:end], " \t\n") {
			// "${PYTEST} tests" runs what the variable is named for.
			b.WriteString(strings.ToLower(body[1:end]))
			body = body[end+1:]
		}
	}
	b.WriteString(body)
	return b.String()
}

// parallel puts each command that is handed as one word to a program that runs
// several at once on a line of its own.
func parallel(body string) string {
	if !strings.Contains(body, "concurrently") {
		return body
	}
	return strings.NewReplacer(`\\"`, "\n", `"`, "\n", "'", "\n").Replace(body)
}

// leads are programs that start the one named behind them.
var leads = []string{
	"npx", "bunx", "pnpx", "sudo", "time", "exec", "env", "cross-env", "dotenv", "command", "nice", "xvfb-run", "@", "do", "then", "else", "if", "!", "{", "dotenvx", "c8", "nyc", "infisical", "doppler", "set", "corepack",
}

// bodyWords are the words of a command from the program's name on.
func bodyWords(line string) []string {
	words := strings.Fields(strings.NewReplacer(`"`, " ", `'`, " ", "`", " ").Replace(line))
	for i, w := range words {
		if w[0] == '#' {
			words = words[:i]
			break
		}
	}
	for len(words) > 0 {
		w := strings.TrimLeft(words[0], "@-+")
		n := 0
		switch {
		case w == "":
			n = 1
		case strings.Contains(w, "=") && !strings.HasPrefix(w, "=") && !strings.Contains(w, "/="):
			n = 1
		case isLead(w):
			n = 1
			for n < len(words) && strings.HasPrefix(words[n], "-") {
				n++
			}
			if at := slices.Index(words, "--"); at > 0 && at+1 < len(words) {
				n = at + 1 // "dotenv -e .env -- next dev"
			}
		case len(words) > 2 && (w == "uv" || w == "poetry" || w == "pdm" || w == "pipenv" || w == "hatch" || w == "rye" || w == "pixi") && words[1] == "run":
			n = 2
			for n < len(words)-1 && strings.HasPrefix(words[n], "-") {
				if takesWord(words[n]) {
					n++
				}
				n++
			}
		case len(words) > 2 && (w == "bundle" || w == "pnpm" || w == "yarn" || w == "npm" || w == "composer" || w == "mise") && (words[1] == "exec" || words[1] == "dlx" || words[1] == "x"):
			n = 2
			for n < len(words)-1 && strings.HasPrefix(words[n], "-") {
				n++
			}
		case len(words) > 4 && (w == "npm" || w == "pnpm" || w == "yarn") && words[1] == "run" && strings.Contains(words[2], "env") && words[3] == "--":
			n = 4 // "npm run with:env -- next dev"
		case len(words) > 2 && (strings.HasPrefix(w, "python") || filepath.Base(w) == "python" || filepath.Base(w) == "python3") && words[1] == "-m":
			n = 2
		}
		if n == 0 || n > len(words) {
			break
		}
		words = words[n:]
	}
	out := make([]string, 0, len(words))
	for i, w := range words {
		if i == 0 {
			w = strings.TrimLeft(w, "@-+")
		}
		if w == "" {
			continue
		}
		if i == 0 || !strings.HasPrefix(w, "-") && strings.Contains(w, "/") && !strings.HasSuffix(w, "/...") {
			if base := filepath.Base(w); base != "." && base != "/" && base != "..." {
				w = base
			}
		}
		out = append(out, w)
	}
	return out
}

func isLead(w string) bool { return slices.Contains(leads, w) }

// takesWord reports whether an option of a runner of Python takes the next word.
func takesWord(option string) bool {
	return slices.Contains([]string{"--with", "--group", "--extra", "-p", "--python", "--package", "-e", "--env", "--project", "--directory", "--only", "-m", "--no-group", "--only-group"}, option)
}

// hasMark reports whether words stand in a command, one behind the other.
func (c *command) hasMark(mark string, atStart bool) bool {
	want := strings.Fields(mark)
	return hasRun(c.words, want, atStart) || hasRun(c.plain, want, atStart)
}

func hasRun(words, want []string, atStart bool) bool {
	for i := 0; i+len(want) <= len(words); i++ {
		ok := true
		for k, w := range want {
			if have := words[i+k]; have != w && !(w[0] == '-' && strings.HasPrefix(have, w+"=")) {
				ok = false
				break
			}
		}
		if ok {
			return true
		}
		if atStart {
			return false
		}
	}
	return false
}

// anyMark reports whether one of the marks stands in one of the commands.
func anyMark(list []command, marks []string) bool {
	for i := range list {
		for _, m := range marks {
			if list[i].hasMark(m, false) {
				return true
			}
		}
	}
	return false
}

// anyWithout reports whether one of the commands has one of the marks and none of
// never.
func anyWithout(list []command, marks, never []string) bool {
	for i := range list {
		if anyMark(list[i:i+1], marks) && !anyMark(list[i:i+1], never) {
			return true
		}
	}
	return false
}

// serves reports whether a command of a body is one that goes on serving, and is
// not about one of never.
func serves(list []command, marks, never []string) bool {
	for i := range list {
		c := &list[i]
		about := command{words: append(slices.Clone(c.in), c.words...)}
		if slices.ContainsFunc(never, func(m string) bool { return about.hasMark(m, false) }) {
			continue
		}
		if slices.ContainsFunc(marks, func(m string) bool { return c.hasMark(m, true) }) {
			return true
		}
	}
	return false
}

// idle reports whether a body does nothing but say something, and may fail.
func idle(list []command) bool {
	for i := range list {
		switch list[i].words[0] {
		case "echo", "printf", "exit", "true", "false", ":":
		default:
			return false
		}
	}
	return true
}
