package shape

const (
	blockHead = 60 // lines of one failure that are shown from its begin,
	blockTail = 40 // from its end, at least recentN so that the end can be revealed,
	blockErrs = 40 // and alarming ones between
	blockSize = 64 << 10
)

// block holds lines back until it is known what they belong to. Its lines are
// reused: most blocks are those of tests that pass.
type block struct {
	head, errs, tail []heldLine
	size             int
	over             int     // lines that were let go
	rest             *middle // of which those that deviate are shown, counted in a ledger of its own
}

// heldLine is an entry whose text can still be written over.
type heldLine struct {
	entry
	bytes []byte
}

func (b *block) empty() bool { return len(b.head) == 0 }

// push appends a line to a list, in the memory of one that was there before.
func push(list []heldLine, e entry, text []byte) []heldLine {
	if len(list) < cap(list) {
		list = list[:len(list)+1]
	} else {
		list = append(list, heldLine{})
	}
	h := &list[len(list)-1]
	h.entry, h.bytes = e, append(h.bytes[:0], text...)
	return list
}

func (b *block) add(g *ledger, l line) {
	text, cut := shorten(l.text, g.find)
	b.addEntry(entry{n: l.n, cut: l.cut + cut}, text)
}

func (b *block) addEntry(e entry, text []byte) {
	b.size += len(text)
	if len(b.head) < blockHead && b.size < blockSize {
		b.head = push(b.head, e, text)
		return
	}
	if len(b.tail) < blockTail {
		b.tail = push(b.tail, e, text)
		return
	}
	old := b.tail[0]
	if len(b.errs) < blockErrs && alarming(old.bytes) {
		b.errs = push(b.errs, old.entry, old.bytes)
	} else {
		b.over++
		if b.rest == nil {
			b.rest = &middle{g: &ledger{}}
		}
		b.rest.add(old.entry, old.bytes, testOutput)
	}
	copy(b.tail, b.tail[1:])
	old.entry, old.bytes = e, append(old.bytes[:0], text...)
	b.tail[blockTail-1] = old
}

// each calls f with every line that is held, with its text.
func (b *block) each(f func(e entry, text []byte)) {
	for _, part := range [][]heldLine{b.head, b.errs, b.tail} {
		for i := range part {
			f(part[i].entry, part[i].bytes)
		}
	}
}

// keep shows the block, without stack frames that are not the program's own.
func (b *block) keep(g *ledger) {
	foreign := b.goFrames()
	thin := thinner{g: g, test: true}
	b.each(func(e entry, text []byte) {
		switch {
		case foreign[e.n], foreignFrame(text):
			g.dropText(e, text, frames)
		case blank(text) && !e.joined:
			g.dropText(e, text, blanks)
		default:
			e.text = string(text)
			if e.joined || e.event {
				g.keepEntry(e)
			} else {
				thin.add(e)
			}
		}
	})
	thin.flush()
	if b.rest != nil {
		b.rest.finish()
		for _, e := range b.rest.g.kept {
			g.keepEntry(e)
		}
		b.over -= len(b.rest.g.kept)
	}
	if b.over > 0 {
		g.omitted[testOutput] += b.over
		g.note(b.head[len(b.head)-1].n, plural(b.over, "line")+" of this one omitted")
	}
	b.reset()
}

// goFrames returns the lines of functions, in a stack of Go that was printed,
// whose place on the next line is not the program's own.
func (b *block) goFrames() map[int]bool {
	var found map[int]bool
	inside, last, fn := false, -2, false
	b.each(func(e entry, text []byte) {
		switch {
		case stackHead(text):
			inside = true
		case inside && has(text, "\t/") && fn && e.n == last+1 && goFile(text[1:]):
			if found == nil {
				found = map[int]bool{}
			}
			found[last] = true
		}
		last, fn = e.n, ends(text, ")") || has(text, "created by ")
	})
	return found
}

// drop leaves the block out.
func (b *block) drop(g *ledger, k kind) {
	b.each(func(e entry, text []byte) { g.dropText(e, text, k) })
	g.omitted[k] += b.over
	b.reset()
}

func (b *block) reset() {
	b.head, b.errs, b.tail = b.head[:0], b.errs[:0], b.tail[:0]
	b.size, b.over, b.rest = 0, 0, nil
}

// foreignFrame reports whether a line is a stack frame in the standard library,
// the runtime or a package that was installed.
func foreignFrame(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	t := trimLeft(b)
	switch {
	case len(t) == 0:
		return false
	case has(t, "at "):
		return hasJSRuntime(t) || hasAny(t, "at java.", "at javax.", "at jdk.", "at sun.", "at org.junit.", "at org.gradle.", "at com.sun.", "at org.apache.maven.", "at kotlin.", "at scala.", "at /rustc/", "at System.", "at Microsoft.", "at app//org.junit", "at org.opentest4j", "at org.hamcrest", "at org.assertj", "at junit.", "at app//java", "at Xunit.", "at NUnit.") ||
			contains(t, "/rustc/") || contains(t, "/.cargo/registry/") || contains(t, "java.base/")
	case b[0] == '\t' && has(t, "/"):
		return goFile(t)
	case has(t, "...") && ends(t, " more"):
		return true
	case hasAny(t, "internal/", "testing.tRunner", "testing.(*", "created by testing.", "testing.runTests", "created by time.goFunc", "runtime.", "runtime/debug.", "panic({", "panic(0x", "created by runtime.", "reflect.Value.", "created by net/http."):
		return true
	case digit(t[0]) && contains(t, ": "):
		_, n := number(t)
		rest := t[n:]
		return hasAny(rest, ": core::", ": std::", ": rust_begin_unwind", ": __rust", ": test::", ": <alloc::", ": alloc::", ": <core::", ": <std::", ": <fn(", ": __libc", ": _start", ": main\x00", ": clone")
	}
	return false
}

func hasJSRuntime(t []byte) bool {
	return contains(t, "node:internal") || contains(t, "(node:") || has(t, "at node:") || contains(t, "/node_modules/") || contains(t, "(node_modules/") || contains(t, " node_modules/") || contains(t, "(internal/") ||
		contains(t, "(<anonymous>)") || contains(t, "process.processTicksAndRejections") || contains(t, "[eval]-wrapper")
}

// goFile reports whether a stack's place is in the Go tree or the module cache.
func goFile(t []byte) bool {
	return contains(t, "/src/runtime/") || contains(t, "/src/testing/") || contains(t, "/src/reflect/") || contains(t, "/go/src/") ||
		contains(t, "/pkg/mod/") || contains(t, "/libexec/src/") || contains(t, "/src/net/http/")
}
