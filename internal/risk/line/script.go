package line

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
)

// fromScript takes over what the tolerant lexer found.
func fromScript(t *text, x shline.Script) program {
	p := program{complete: x.Complete, err: x.Err}
	if x.Deep {
		p.err = "nested too deep"
	}
	p.commands = make([]command, 0, len(x.Commands))
	last := map[int]int{} // the latest command of each list
	row, at := 0, 0       // lines before an offset
	for i := range x.Commands {
		c := &x.Commands[i]
		if c.Start < at {
			row -= strings.Count(t.s[c.Start:at], "\n")
		} else {
			row += strings.Count(t.s[at:c.Start], "\n")
		}
		at = c.Start
		out := command{
			words: c.Words, assigns: c.Assigns, start: c.Start, end: c.End, function: c.Function,
			row: row, piped: c.Sep == "|" || c.Sep == "|&" || c.Sep == "&",
		}
		if k, ok := last[c.Parent]; ok && c.Piped {
			out.from, out.to = k, len(p.commands)
			if prev := &p.commands[k]; prev.from < prev.to {
				out.from = prev.from
			}
		}
		last[c.Parent] = len(p.commands)
		if len(c.Words) == 0 && t.dialect == shline.Fish {
			out.compound = true // a redirection after end; fish has none by itself
		}
		var block []shline.Word
		if t.dialect == shline.Zsh && x.Err == "" && x.Complete {
			out.words, block = shortBlock(out.words)
			p.short = p.short || block != nil
		}
		if header(t.dialect, c.Words) {
			if len(c.Words) > 2 && c.Words[0].Text == "for" && c.Words[2].Text == "in" {
				p.loops = append(p.loops, loop{at: c.Start, name: c.Words[1].Text, items: c.Words[3:]})
			}
			p.hooks = append(p.hooks, hook(t.dialect, c.Words)...)
			out.words = body(c.Words)
			out.compound = len(out.words) == 0
			p.short = p.short || !out.compound && t.dialect == shline.Zsh && x.Err == "" && x.Complete
		}
		for _, r := range c.Redirects {
			out.redirs = append(out.redirs, redirect{op: r.Op, target: r.Target, start: r.Start})
		}
		out.index = len(p.commands)
		p.commands = append(p.commands, out)
		if len(block) > 0 {
			in := out
			in.index++
			in.words, in.assigns, in.redirs, in.start = block, nil, nil, block[0].Start
			p.commands = append(p.commands, in)
		}
	}
	return p
}

// hook returns the name of a function of fish that its definition has run at an
// event: function f --on-event fish_prompt.
func hook(d shline.Dialect, words []shline.Word) []string {
	if d != shline.Fish || words[0].Text != "function" {
		return nil
	}
	for _, w := range words[1:] {
		switch option := w.Text; {
		case strings.HasPrefix(option, "--on-"), option == "-e", option == "-v", option == "-s", option == "-p", option == "-j":
			return []string{words[1].Text, words[len(words)-1].Text}
		}
	}
	return nil
}

// header reports whether the words are the head of a compound command and no
// command.
func header(d shline.Dialect, words []shline.Word) bool {
	if len(words) == 0 || words[0].Raw != words[0].Text {
		return false
	}
	heads := "for case function select [["
	switch d {
	case shline.Zsh:
		heads = "for case function select [[ foreach"
	case shline.Fish:
		heads = "for case function switch"
	}
	return wordlist.Has(heads, words[0].Text)
}

// body returns the command that zsh's short forms have right after the head: for
// f (*) rm $f; if [[ -f x ]] rm x; case x { (y) rm z ;; }.
func body(words []shline.Word) []shline.Word {
	for i, w := range words[1:] {
		if w.Raw == "]]" || words[0].Text != "[[" && len(w.Raw) > 1 && w.Raw[len(w.Raw)-1] == ')' && w.Raw[0] == '(' {
			rest := words[i+2:]
			for len(rest) > 0 && rest[0].Raw == "{" {
				rest = rest[1:]
			}
			for len(rest) > 0 && rest[len(rest)-1].Raw == "}" {
				rest = rest[:len(rest)-1]
			}
			return rest
		}
	}
	return nil
}
