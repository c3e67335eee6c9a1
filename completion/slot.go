package completion

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// slot is what may stand at the cursor.
type slot struct {
	prefix  string   // part of the word before the value: "--file=", "-f", "a,b,"
	within  string   // that part of prefix which belongs to the value: "a,b,", "user:"
	members []string // of the list that the value is one of, those before it
	text    string   // what is typed of the value
	// What may stand there, in the order of preference.
	subcommands bool
	flags       bool
	keywords    bool // options that are plain words
	guessed     bool // specs are a guess: the map says nothing of what stands here
	specs       []tcpdb.ValueSpec
	flag        *tcpdb.Flag // the flag whose value it is, or nil
	arg         *tcpdb.Arg  // the argument it is, or nil
}

func (e *Engine) slot(t *target) slot {
	text := t.cursor.Text
	switch t.place {
	case commandWord:
		return slot{text: text, specs: []tcpdb.ValueSpec{{Kind: tcpdb.CommandSpec}}}
	case redirection:
		return slot{text: text, specs: []tcpdb.ValueSpec{{Kind: tcpdb.FileSpec}}}
	}
	b := t.bound
	if b.Pending != nil {
		return valueSlot(b.Pending, "", text)
	}
	if b.Options() && !unknownSub(b) && (strings.HasPrefix(text, "-") || plusOption(b.Node(), text)) {
		if s, ok := attached(b, text); ok {
			return s
		}
		if s, ok := unknownValue(b, text); ok {
			return s
		}
		return slot{text: text, flags: true}
	}
	return argSlot(b, text)
}

// plusOption reports whether a text may become an option that begins with "+"
// (dig +short); a word such as the format of date may too, and is none.
func plusOption(n *tcpdb.Node, text string) bool {
	return strings.HasPrefix(text, "+") && n.Bits&tcpdb.Plus != 0 && slices.ContainsFunc(n.Flags, func(f tcpdb.Flag) bool {
		return slices.ContainsFunc(f.Names, func(s string) bool { return strings.HasPrefix(s, text) })
	})
}

// valueSlot is the value of a flag; before is what precedes it in the word.
func valueSlot(f *tcpdb.Flag, before, text string) slot {
	s := slot{prefix: before, text: text, flag: f, specs: []tcpdb.ValueSpec{f.Spec}}
	return s.part()
}

// part moves what is typed of a value up to the part that the cursor stands in
// to the prefix: the members of a list, the word of a value that goes on ("if="),
// the first part of one that has two ("user:").
func (s slot) part() slot {
	for i := range s.specs {
		list, before, spec := partOf(s.specs[i], s.text)
		if before > 0 {
			if list < before && spec.List != "" {
				s.members = strings.Split(s.text[list:before-len(spec.List)], spec.List)
			}
			s.within = s.text[:before]
			s.prefix, s.text = s.prefix+s.within, s.text[before:]
			s.specs = []tcpdb.ValueSpec{spec}
			return s
		}
	}
	return s
}

// partOf returns how much of a text stands before the part of the value that the
// text ends in, what that part may be and, where it is one of a list, where in
// the text the list begins.
func partOf(spec tcpdb.ValueSpec, text string) (list, before int, _ tcpdb.ValueSpec) {
	if spec.List != "" {
		if i := strings.LastIndex(text, spec.List); i >= 0 {
			before = i + len(spec.List)
		}
	}
	within := func(at int, part tcpdb.ValueSpec) (list, before int, _ tcpdb.ValueSpec) {
		l, n, part := partOf(part, text[at:])
		return at + l, at + n, part
	}
	if next := goesOn(spec, text[before:]); next != nil {
		return within(before+next.length, *next.spec)
	}
	if t := spec.Then; t != nil {
		if i := strings.Index(text[before:], t.Separator); i >= 0 {
			return within(before+i+len(t.Separator), t.Spec)
		}
	}
	return 0, before, spec
}

// further is what follows a word of a closed set in the same word.
type further struct {
	length int // of the word
	spec   *tcpdb.ValueSpec
}

// goesOn returns what follows the longest word of spec that text begins with, or nil.
func goesOn(spec tcpdb.ValueSpec, text string) *further {
	var best *further
	for _, v := range spec.Enum {
		if v.Next != nil && strings.HasPrefix(text, v.Value) && (best == nil || len(v.Value) > best.length) {
			best = &further{len(v.Value), v.Next}
		}
	}
	return best
}

// attached recognises a value that is joined to its flag: --name=VALUE, -xVALUE
// and -abxVALUE.
func attached(b *argv.Bound, text string) (slot, bool) {
	if name, value, ok := strings.Cut(text, "="); ok {
		for _, n := range b.Scope() {
			if f, _ := argv.FindLong(n, name); f != nil && f.Value != tcpdb.NoValue {
				return valueSlot(f, name+"=", value), true
			}
		}
	}
	if strings.HasPrefix(text, "--") || len(text) < 3 {
		return slot{}, false
	}
	scope := b.Scope()
	for k := 1; k < len(text); k++ {
		f := shortFlag(scope, text[k:k+1])
		if f == nil {
			return slot{}, false
		}
		if f.Value != tcpdb.NoValue {
			return valueSlot(f, text[:k+1], text[k+1:]), k+1 < len(text)
		}
	}
	return slot{}, false
}

// unknownValue is the value of a long option that the map does not have, of
// another version or of a plug-in: a file, as shells take it to be.
func unknownValue(b *argv.Bound, text string) (slot, bool) {
	name, value, ok := strings.Cut(text, "=")
	if !ok || len(name) < 3 || !strings.HasPrefix(name, "--") {
		return slot{}, false
	}
	for _, n := range b.Scope() {
		if f, _ := argv.FindLong(n, name); f != nil {
			return slot{}, false // one that takes none
		}
	}
	return slot{prefix: name + "=", text: value, specs: []tcpdb.ValueSpec{{Kind: tcpdb.FileSpec}}}, true
}

func shortFlag(scope []*tcpdb.Node, letter string) *tcpdb.Flag {
	for _, n := range scope {
		if f := n.Flag("-" + letter); f != nil {
			return f
		}
	}
	return nil
}

// unknownSub reports whether the words name a sub-command that the map does not
// have: an alias that is a shell line, a plug-in. Nothing is known of its options.
func unknownSub(b *argv.Bound) bool {
	n := b.Node()
	return n.HasSubs() && len(n.Args) == 0 && len(b.Args) > 0
}

func argSlot(b *argv.Bound, text string) slot {
	n := b.Node()
	s := slot{text: text}
	if n.HasSubs() && len(b.Args) == 0 && b.Dash < 0 {
		s.subcommands = true
	}
	s.keywords = n.Bits&tcpdb.Keywords != 0 && b.Options()
	s.arg = b.Arg()
	switch {
	case s.arg != nil:
		s.specs = append([]tcpdb.ValueSpec{s.arg.Spec}, s.arg.Alt...)
		s = s.part()
	case s.keywords:
	case len(n.Args) == 0 && !n.HasSubs(), unknownSub(b):
		// The map says nothing of arguments: files, as shells do.
		s.specs, s.guessed = []tcpdb.ValueSpec{{Kind: tcpdb.FileSpec}}, true
	}
	if len(s.specs) == 0 && !s.subcommands && !s.keywords {
		s.flags = b.Options() // nothing but options can follow
	}
	return s
}
