package script

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// Zsh reads the specs of _arguments and the lists of _describe in a zsh script
// for a tool.
func Zsh(script, tool string) *draft.Node {
	root := &draft.Node{Name: tool, At: draft.Place{Source: draft.Script, Line: 1}}
	w := walker{tool: tool, root: root}
	for _, c := range commands(script) {
		w.command(c)
	}
	return root
}

// walker follows functions and cases to know which command specs belong to.
type walker struct {
	tool     string
	root     *draft.Node
	function []string // the path that the function's name tells
	cases    []zshCase
	list     []string // "word:description" of the array being read
}

// zshCase is an open "case" and the arm that is read.
type zshCase struct {
	words bool // it is on the words of the line
	arm   string
}

func (w *walker) command(c command) {
	first := c.words[0]
	switch {
	case strings.HasSuffix(first, "()") || len(c.words) > 1 && c.words[1] == "()" || first == "function" && len(c.words) > 1:
		name := strings.TrimSuffix(first, "()")
		if first == "function" {
			name = strings.TrimSuffix(c.words[1], "()")
		}
		w.function, w.cases = w.functionPath(name), nil
	case first == "case":
		on := strings.Join(c.words[1:], " ")
		w.cases = append(w.cases, zshCase{words: strings.Contains(on, "$line[") || strings.Contains(on, "$words[") || strings.Contains(on, "${words[")})
		if len(w.cases) > 64 {
			w.cases = w.cases[1:]
		}
	case first == "esac":
		if n := len(w.cases); n > 0 {
			w.cases = w.cases[:n-1]
		}
	case strings.HasSuffix(first, ")") && len(w.cases) > 0 && len(c.words) == 1:
		w.cases[len(w.cases)-1].arm = strings.Trim(first, "()")
	}
	at := draft.Place{Source: draft.Script, Line: c.line}
	if i := slices.IndexFunc(c.words, func(s string) bool { return s == "_arguments" || s == "_values" }); i >= 0 && c.words[i] == "_arguments" {
		n := w.node(at)
		for _, spec := range c.words[i+1:] {
			addSpec(n, spec, at)
		}
		return
	}
	w.described(c, at)
}

// functionPath is the command that a function's name tells: "_git-commit",
// "_rustup__toolchain_commands".
func (w *walker) functionPath(name string) []string {
	rest, ok := strings.CutPrefix(strings.TrimLeft(name, "_"), w.tool)
	if !ok {
		return nil
	}
	rest = strings.TrimSuffix(rest, "_commands")
	var path []string
	for _, part := range strings.Split(strings.ReplaceAll(rest, "__subcmd", ""), "__") {
		if part = strings.Trim(part, "-_"); plain(part) {
			path = append(path, part)
		}
	}
	return path
}

// node is the command that specs belong to here.
func (w *walker) node(at draft.Place) *draft.Node {
	n := w.root
	path := slices.Clone(w.function)
	for _, c := range w.cases {
		if c.words && plain(c.arm) {
			path = append(path, c.arm)
		}
	}
	for _, word := range path {
		n = n.AddSub(word, at)
	}
	return n
}

// described reads arrays of "word:description": "commands=( 'add:Add it' … )".
func (w *walker) described(c command, at draft.Place) {
	words := c.words
	i := slices.IndexFunc(words, func(s string) bool { return strings.Contains(s, "=(") })
	switch {
	case i >= 0:
		name, rest, _ := strings.Cut(words[i], "=(")
		if !strings.Contains(name, "command") && !strings.Contains(name, "cmd") {
			w.list = nil
			return
		}
		w.list = []string{}
		words = append([]string{rest}, words[i+1:]...)
	case w.list == nil:
		return
	}
	for _, word := range words {
		end := word == ")" || strings.HasSuffix(word, ")") && !strings.Contains(word, "(")
		word = strings.TrimSuffix(word, ")")
		name, text, ok := strings.Cut(word, ":")
		if ok && plain(name) && name[0] != '-' {
			if s := w.node(at).AddSub(name, at); s.Description == "" {
				s.Description = strings.TrimSpace(text)
			}
		}
		if end {
			w.list = nil
			return
		}
	}
}

// addSpec reads one spec of _arguments: exclusions, "*", names, explanation,
// values.
func addSpec(n *draft.Node, spec string, at draft.Place) {
	f := &draft.Flag{At: []draft.Place{at}, ArityAt: at, ValuesAt: at, Arity: draft.None}
	s := spec
	if strings.HasPrefix(s, "(") {
		end := strings.IndexByte(s, ')')
		if end < 0 {
			return
		}
		s = s[end+1:]
	}
	if after, ok := strings.CutPrefix(s, "*"); ok {
		f.Repeatable, s = true, after
	}
	s = strings.TrimPrefix(s, "!")
	var names []string
	if strings.HasPrefix(s, "{") {
		end := strings.IndexByte(s, '}')
		if end < 0 {
			return
		}
		for name := range strings.SplitSeq(s[1:end], ",") {
			names = append(names, strings.TrimPrefix(strings.TrimSpace(name), "*"))
		}
		s = s[end+1:]
	} else if strings.HasPrefix(s, "-") {
		end := strings.IndexAny(s, "[:")
		if end < 0 {
			end = len(s)
		}
		names, s = []string{s[:end]}, s[end:]
	}
	for _, name := range names {
		bare := strings.TrimRight(name, "=+-")
		if tail := name[len(bare):]; tail != "" && tail != "-" || strings.HasPrefix(s, "=") {
			f.Arity = draft.Required
		}
		if plain(bare) && len(bare) > 1 && bare[0] == '-' && !f.Has(bare) {
			f.Names = append(f.Names, bare)
		}
	}
	if len(f.Names) == 0 {
		return
	}
	s = strings.TrimLeft(s, "=+-")
	if strings.HasPrefix(s, "[") {
		end := strings.IndexByte(s, ']')
		if end < 0 {
			end = len(s)
		}
		f.Description, s = s[1:end], s[min(end+1, len(s)):]
	}
	if strings.HasPrefix(s, ":") {
		f.Arity = draft.Required
		if strings.HasPrefix(s, "::") {
			f.Arity, s = draft.Optional, s[1:]
		}
		message, action, _ := strings.Cut(s[1:], ":")
		f.Metavar = strings.TrimSpace(message)
		readAction(f, action)
	}
	n.AddFlag(f)
}

// readAction takes kind and words from what completes a value: "_files",
// "(a b c)", "((a\:text b\:text))".
func readAction(f *draft.Flag, action string) {
	action = strings.TrimSpace(action)
	switch {
	case strings.HasPrefix(action, "_files -/") || strings.HasPrefix(action, "_directories") || strings.HasPrefix(action, "_path_files -/"):
		f.Kind = "dir"
	case strings.HasPrefix(action, "_files"), strings.HasPrefix(action, "_path_files"):
		f.Kind = "file"
	case strings.HasPrefix(action, "_users"):
		f.Kind = "user"
	case strings.HasPrefix(action, "_hosts"):
		f.Kind = "host"
	case strings.HasPrefix(action, "_urls"):
		f.Kind = "url"
	case strings.HasPrefix(action, "("):
		for w := range strings.FieldsSeq(strings.Trim(action, "()")) {
			w, text, _ := strings.Cut(w, ":")
			if w = strings.Trim(w, `\"'`); plain(w) {
				f.Values = append(f.Values, draft.Value{Text: w, Description: strings.Trim(text, `\"'`)})
			}
		}
	}
}
