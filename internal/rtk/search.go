package rtk

import (
	"regexp/syntax"
	"unicode/utf8"
)

// search finds the leftmost match in text from at on, with its groups as
// offsets of bytes, by trying the program's branches in their order; nil if
// there is none. Where word boundaries lie is Unicode's affair, which Go's own
// matcher does not know. The work is the program's size times the text's.
func search(prog *syntax.Prog, text string, at int) []int {
	m := matcher{prog: prog, text: text, seen: make([]uint64, (len(prog.Inst)*(len(text)+1)+63)/64), caps: make([]int, prog.NumCap)}
	for ; at <= len(text); at++ {
		if at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
			continue
		}
		for i := range m.caps {
			m.caps[i] = -1
		}
		if m.run(uint32(prog.Start), at) {
			m.caps[0] = at
			return m.caps
		}
	}
	return nil
}

type matcher struct {
	prog *syntax.Prog
	text string
	seen []uint64 // places of the program and the text that lead nowhere
	caps []int
}

// run follows the program from an instruction at a place of the text.
func (m *matcher) run(pc uint32, at int) bool {
	for {
		if key := int(pc)*(len(m.text)+1) + at; m.seen[key/64]&(1<<(key%64)) != 0 {
			return false
		} else {
			m.seen[key/64] |= 1 << (key % 64)
		}
		in := &m.prog.Inst[pc]
		switch in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			if m.run(in.Out, at) {
				return true
			}
			pc = in.Arg
			continue
		case syntax.InstCapture:
			if int(in.Arg) >= len(m.caps) {
				break
			}
			old := m.caps[in.Arg]
			m.caps[in.Arg] = at
			if m.run(in.Out, at) {
				return true
			}
			m.caps[in.Arg] = old
			return false
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^m.context(at) != 0 {
				return false
			}
		case syntax.InstMatch:
			if len(m.caps) > 1 {
				m.caps[1] = at
			}
			return true
		case syntax.InstFail:
			return false
		case syntax.InstNop:
		default:
			c, n := utf8.DecodeRuneInString(m.text[at:])
			if n == 0 || !in.MatchRune(c) {
				return false
			}
			at += n
		}
		pc = in.Out
	}
}

// context tells which empty matches hold at a place of the text.
func (m *matcher) context(at int) syntax.EmptyOp {
	before, after := rune(-1), rune(-1)
	if at > 0 {
		before, _ = utf8.DecodeLastRuneInString(m.text[:at])
	}
	if at < len(m.text) {
		after, _ = utf8.DecodeRuneInString(m.text[at:])
	}
	op := syntax.EmptyOpContext(before, after) &^ (syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary)
	if (before >= 0 && word(before)) != (after >= 0 && word(after)) {
		return op | syntax.EmptyWordBoundary
	}
	return op | syntax.EmptyNoWordBoundary
}
