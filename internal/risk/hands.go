package risk

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk/code"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// This file says what a command hands on by its words: lines for a shell, programs
// that it starts, code, and files that it writes. The map says by roles which words
// they are; what wrappers carry is in carried.go.

// handsOn adds to v what options and arguments of a command hand on.
func (j *judge) handsOn(b *argv.Bound, at int, v *Verdict) {
	h := hand{judge: j, b: b, at: at, v: v}
	for u := range b.EachRole {
		name, operand, _ := strings.Cut(string(u.Role), ":")
		switch role := tcpdb.Role(name); {
		case role == tcpdb.GrammarRole:
			h.grammar(operand, u)
		case u.Word < 0 || u.Value == "":
		case role == tcpdb.ShellLineRole, role == tcpdb.ProgramRole:
			h.line(u.Value, u.Word)
		case role == tcpdb.CodeRole:
			h.code(operand, u.Value, u.Word)
		case role == tcpdb.OutputFileRole, role == tcpdb.OutputDirRole:
			h.writes(u.Value, u.Word)
		case role == tcpdb.ModuleRole && u.Value == "json.tool" && len(b.Args) > 1:
			h.writes(b.Args[1].Text, b.Args[1].Word) // the one that writes its second argument
		}
	}
	h.outputs()
}

// hand is a command whose words are looked at for what they hand on.
type hand struct {
	*judge
	b  *argv.Bound
	at int
	v  *Verdict
	// read are the grammars that have looked at all of the words.
	read []string
}

// line adds a line for a shell that a word holds. It runs where the command does,
// which carries nothing elsewhere by an option.
func (h *hand) line(text string, word int) {
	h.v.Lines = append(h.v.Lines, h.handed(text, word))
}

func (h *hand) handed(text string, word int) Line {
	outer := h.outer
	if !h.b.Node().Wrapper.Elsewhere {
		outer = &Command{Bound: h.b, At: h.at, Outer: h.outer}
	}
	return Line{Text: text, Dialect: "posix", Word: h.at + word, Outer: outer}
}

// code judges a program in a language.
func (h *hand) code(lang, text string, word int) {
	if h.b.Has("sandbox") {
		return // it may neither start nor write anything
	}
	if o := h.facts.Program(lang, text); len(o.Findings) > 0 || len(o.Lines) > 0 {
		o.place(h.at + word)
		h.placeLines(&o)
		h.v.merge(o)
	}
}

// words adds a line made of the words from one on: each a word of the command that
// runs, or all of them text that a shell reads.
func (h *hand) words(from int, each bool) {
	if from >= len(h.b.Words) {
		return
	}
	text := strings.Join(h.b.Words[from:], " ")
	if each {
		text = quotedWords(h.b.Words[from:])
	}
	h.line(text, from)
}

// quotedWords writes words so that a shell reads them as they are.
func quotedWords(words []string) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString("'" + strings.ReplaceAll(w, "'", `'\''`) + "' ")
	}
	return b.String()
}

// grammar reads a value that has a form of its own. A form that is one of all the
// words is read once.
func (h *hand) grammar(form string, u argv.Use) {
	switch form {
	case "ssh-option", "tar-checkpoint", "fzf-binding", "socat-address", "ssm-parameters", "make-text", "pager-argument", "ex-argument", "entrypoint",
		"mail-server", "git-setting", "git-variable", "awk-include", "operand-output", "statement":
		if u.Word >= 0 {
			h.value(form, u)
		}
		return
	}
	if slices.Contains(h.read, form) {
		return
	}
	h.read = append(h.read, form)
	h.whole(form, u)
}

// value reads the forms that lie in one value.
func (h *hand) value(form string, u argv.Use) {
	switch form {
	case "ssh-option": // KEY=VALUE or KEY VALUE, ssh_config(5)
		if k := strings.IndexAny(u.Value, "= "); k >= 0 && wordlist.Has("proxycommand localcommand knownhostscommand", strings.ToLower(u.Value[:k])) {
			h.line(u.Value[k+1:], u.Word)
		}
	case "tar-checkpoint":
		if text, ok := strings.CutPrefix(u.Value, "exec="); ok {
			h.line(text, u.Word)
		}
	case "fzf-binding":
		if text, ok := bound(u.Value); ok {
			h.line(text, u.Word)
		}
	case "socat-address": // EXEC:CMD,OPTION
		kind, text, ok := strings.Cut(u.Value, ":")
		if ok && wordlist.Has("exec system shell", strings.ToLower(kind)) {
			text, _, _ = strings.Cut(text, ",")
			h.line(strings.Trim(text, `'"`), u.Word)
		}
	case "ssm-parameters":
		h.documents(u)
	case "make-text": // SHELL=sh, $(shell LINE)
		if name, value, ok := strings.Cut(u.Value, "="); ok && strings.TrimRight(name, ":?!") == "SHELL" {
			h.line(value, u.Word)
		}
		if text, ok := code.MadeShell(u.Value); ok {
			h.line(text, u.Word)
		}
	case "pager-argument": // +!LINE
		if _, text, ok := strings.Cut(u.Value, "!"); ok && u.Value[0] == '+' {
			h.line(text, u.Word)
		}
	case "ex-argument": // +COMMAND
		if text, ok := strings.CutPrefix(u.Value, "+"); ok {
			h.code("ex", text, u.Word)
		}
	case "entrypoint": // a program in the place of an image's own: --entrypoint CMD IMAGE ARG…
		if len(h.b.Args) > 0 && u.Value != "" {
			image := h.b.Args[0].Word
			h.line(u.Value+" "+quotedWords(h.b.Words[image+1:]), image)
		}
	case "mail-server": // a program, or the name of a host
		if strings.HasPrefix(u.Value, "/") || strings.HasPrefix(u.Value, ".") {
			h.line(u.Value, u.Word)
		}
	case "git-setting", "git-variable":
		h.given(form == "git-variable", u)
	case "awk-include": // inplace: the files are written
		if u.Value == "inplace" {
			for i := range h.b.Args {
				h.writes(h.b.Args[i].Text, h.b.Args[i].Word)
			}
		}
	case "operand-output": // of=FILE
		if file, ok := strings.CutPrefix(u.Value, "of="); ok {
			h.writes(file, u.Word)
		}
	case "statement": // text for a database, which is no name
		if strings.Contains(u.Value, " ") && (u.Word == 1 || !strings.HasPrefix(h.b.Words[u.Word-1], "-")) {
			h.code("sql", u.Value, u.Word)
		}
	}
}

// whole reads the forms that several words make up. Word is that of the first.
func (h *hand) whole(form string, u argv.Use) {
	b := h.b
	switch form {
	case "command-words":
		h.words(u.Word, true)
	case "line-words":
		h.words(u.Word, false)
	case "command-behind": // an option behind which all words are a command
		h.words(u.Flag.Word+1, true)
	case "dash-words":
		for i := range b.Args {
			if b.Args[i].AfterDash {
				h.words(b.Args[i].Word, true)
				return
			}
		}
	case "command-or-line": // one word is a line, several are the words of a command
		if len(b.Args) == 1 || strings.ContainsRune(u.Value, ' ') {
			h.line(u.Value, u.Word)
		} else {
			h.words(u.Word, true)
		}
	case "daemon": // start-stop-daemon(8)
		if !b.Has("start") && !b.Has("background") {
			return
		}
		text := u.Value
		for _, a := range b.Args {
			text += " " + quotedWords([]string{a.Text})
		}
		h.line(text, 0)
	case "wsl-words": // wsl CMD, wsl -d NAME -e CMD: after other options stands something else
		if u.Word == 1 || wordlist.Has("-- -e --exec", b.Words[u.Word-1]) || wordlist.Has("-d --distribution -u --user", b.Words[u.Word-2]) {
			h.words(u.Word, false)
		}
	case "salt-words":
		for i, a := range b.Args[:len(b.Args)-1] {
			if wordlist.Has("cmd.run cmd.shell cmd.run_all cmd.script", a.Text) {
				h.words(b.Args[i+1].Word, false)
				return
			}
		}
	case "ansible-arguments":
		if module := value(b, "module-name"); module == "" || wordlist.Has("command shell raw", strings.TrimPrefix(module, "ansible.builtin.")) {
			h.line(u.Value, u.Word)
		}
	case "screen-words":
		h.screen()
	case "capsh-words": // -- or ==, behind which are the arguments of bash
		for i, w := range b.Words {
			if (w == "--" || w == "==") && i+1 < len(b.Words) {
				h.line("bash "+quotedWords(b.Words[i+1:]), i+1)
				return
			}
		}
	case "bwrap-words":
		h.words(boxed(b.Words), true)
	}
}

// bound returns the line that fzf runs at a key: enter:execute(rm {}).
func bound(value string) (line string, ok bool) {
	for _, action := range [...]string{"execute-silent", "execute-multi", "execute", "become", "reload-sync", "reload", "transform", "preview"} {
		k := strings.Index(value, action)
		if k < 0 || k+len(action) >= len(value) {
			continue
		}
		line = value[k+len(action)+1:]
		shut := map[byte]string{'(': ")", '[': "]", '{': "}", '<': ">"}[value[k+len(action)]]
		if end := strings.LastIndex(line, shut); shut != "" && end >= 0 {
			line = line[:end]
		}
		return line, true
	}
	return "", false
}

// documents adds the lines that aws ssm runs on machines: commands=["LINE",…] or
// commands=LINE.
func (h *hand) documents(u argv.Use) {
	_, text, ok := strings.Cut(u.Value, "commands")
	if !ok {
		return
	}
	if text = strings.TrimLeft(text, `"':= `); !strings.HasPrefix(text, "[") {
		h.line(text, u.Word)
		return
	}
	for _, line := range code.Strings(text) {
		h.line(line, u.Word)
	}
}

// screen adds what screen types into a window, or the command of a new one.
func (h *hand) screen() {
	b := h.b
	for i, w := range b.Words {
		if w == "stuff" && i+1 < len(b.Words) {
			h.line(strings.NewReplacer(`\n`, "\n", `\r`, "\n", "^M", "\n", `\015`, "\n", `\012`, "\n").Replace(b.Words[i+1]), i+1)
			return
		}
	}
	if !b.Has("X") && b.Words[1] != "-X" {
		h.words(b.Args[0].Word, true)
	}
}

// boxed returns where the command of bwrap begins, after options of none, one
// or two values.
func boxed(words []string) int {
	for i := 1; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--":
			return i + 1
		case !strings.HasPrefix(w, "--"):
			return i
		case strings.Contains(w, "bind"), wordlist.Has("--symlink --setenv --file --chmod", w):
			i += 2
		case strings.HasPrefix(w, "--unshare"), wordlist.Has("--share-net --die-with-parent --new-session --clearenv --as-pid-1 --disable-userns", w):
		default:
			i++
		}
	}
	return len(words)
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
