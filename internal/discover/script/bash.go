package script

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// Bash reads the word lists of a bash script for a tool: what "compgen -W" and
// variables such as opts offer, and which options a case on the previous word
// completes a value for.
func Bash(script, tool string) *draft.Node {
	root := &draft.Node{Name: tool, At: draft.Place{Source: draft.Script, Line: 1}}
	b := bashReader{tool: tool, root: root}
	for _, c := range commands(script) {
		b.command(c)
	}
	for _, v := range b.valued {
		n := root
		for _, word := range v.path {
			if n = n.Sub(word); n == nil {
				break
			}
		}
		if n == nil {
			continue
		}
		if f := n.Flag(v.name); f != nil {
			f.Arity = draft.Required
		}
	}
	return root
}

type bashReader struct {
	tool   string
	root   *draft.Node
	cases  []bashCase
	valued []valued
}

type bashCase struct {
	previous bool // on the word before the cursor
	path     []string
}

// valued is an option that a case completes a value for.
type valued struct {
	path []string
	name string
}

func (b *bashReader) command(c command) {
	words := c.words
	switch first := words[0]; {
	case first == "case":
		on := strings.Join(words[1:], " ")
		next := bashCase{previous: strings.Contains(on, "prev")}
		if n := len(b.cases); n > 0 {
			next.path = b.cases[n-1].path
		}
		if len(b.cases) < 64 {
			b.cases = append(b.cases, next)
		}
		if i := slices.Index(words, "in"); i >= 0 {
			words = words[i+1:]
		}
	case first == "esac":
		if n := len(b.cases); n > 0 {
			b.cases = b.cases[:n-1]
		}
		return
	}
	if n := len(b.cases); n > 0 && len(words) > 0 && strings.HasSuffix(words[0], ")") {
		b.arm(&b.cases[n-1], strings.Trim(words[0], "()"))
	}
	at := draft.Place{Source: draft.Script, Line: c.line}
	for i, w := range words {
		switch {
		case w == "-W" && i+1 < len(words):
			b.offer(words[i+1], at)
		case strings.Contains(w, `compgen -W `):
			_, rest, _ := strings.Cut(w, "compgen -W ")
			if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
				if end := strings.IndexByte(rest[1:], rest[0]); end > 0 {
					b.offer(rest[1:1+end], at)
				}
			}
		default:
			if name, value, ok := strings.Cut(w, "="); ok && plain(name) && strings.Contains(value, "-") && name[0] != '-' {
				b.offer(value, at)
			}
		}
	}
}

// arm reads the pattern of a case: options, or a command as clap writes it,
// "rustup__toolchain__install".
func (b *bashReader) arm(c *bashCase, pattern string) {
	if c.previous {
		for name := range strings.SplitSeq(pattern, "|") {
			if plain(name) && name[0] == '-' {
				b.valued = append(b.valued, valued{c.path, name})
			}
		}
		return
	}
	rest, ok := strings.CutPrefix(pattern, b.tool)
	if !ok || rest != "" && !strings.HasPrefix(rest, "__") && !strings.HasPrefix(rest, ",") {
		return
	}
	c.path = nil
	for part := range strings.SplitSeq(strings.ReplaceAll(rest, "__subcmd", ""), "__") {
		if plain(part) {
			c.path = append(c.path, part)
		}
	}
}

// written is a list without what only running a command would tell, "$(…)" and
// "`…`". What follows one that does not close goes too.
func written(list string) string {
	var b strings.Builder
	for list != "" {
		i := strings.Index(list, "$(")
		if tick := strings.IndexByte(list, '`'); tick >= 0 && (i < 0 || tick < i) {
			i = tick
		}
		if i < 0 {
			b.WriteString(list)
			break
		}
		b.WriteString(list[:i])
		end := strings.IndexByte(list[i+1:], '`') + 1
		if list[i] == '$' {
			end = closing(list[i+1:])
		}
		if end <= 0 {
			break
		}
		list = list[i+1+end:]
	}
	return b.String()
}

// closing is the length of s up to the bracket that closes its first, 0 if none
// does.
func closing(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// offer adds the options of a list of words; other words beside them are
// sub-commands.
func (b *bashReader) offer(list string, at draft.Place) {
	fields := strings.Fields(written(list))
	if !slices.ContainsFunc(fields, func(w string) bool { return len(w) > 1 && w[0] == '-' && plain(strings.TrimSuffix(w, "=")) }) {
		return
	}
	n := b.root
	if k := len(b.cases); k > 0 {
		for _, word := range b.cases[k-1].path {
			n = n.AddSub(word, at)
		}
	}
	for _, w := range fields {
		name := strings.TrimSuffix(w, "=")
		if !plain(name) || strings.Trim(name, "-") == "" {
			continue
		}
		if name[0] != '-' {
			n.AddSub(name, at)
			continue
		}
		f := &draft.Flag{Names: []string{name}, Arity: draft.Unsaid, At: []draft.Place{at}, ArityAt: at}
		if name != w {
			f.Arity = draft.Required
		}
		n.AddFlag(f)
	}
}
