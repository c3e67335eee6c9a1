package shape

import "slices"

const (
	blockHead = 60 // lines of one failure that are shown from its begin,
	blockTail = 40 // from its end, at least recentN so that the end can be revealed,
	blockErrs = 40 // and alarming ones between
	blockSize = 64 << 10
)

// block holds lines back until it is known what they belong to.
type block struct {
	head, errs, tail []entry
	size             int
	over             int // lines that were let go
	noise            int // of them stack frames of others' code
}

func (b *block) empty() bool { return len(b.head) == 0 }

func (b *block) len() int { return len(b.head) + len(b.errs) + len(b.tail) + b.over }

func (b *block) add(e entry) {
	b.size += len(e.text)
	if len(b.head) < blockHead && b.size < blockSize {
		b.head = append(b.head, e)
		return
	}
	if b.tail = append(b.tail, e); len(b.tail) <= blockTail {
		return
	}
	old := b.tail[0]
	b.tail = slices.Delete(b.tail, 0, 1)
	if len(b.errs) < blockErrs && alarming([]byte(old.text)) {
		b.errs = append(b.errs, old)
	} else {
		b.over++
	}
}

// keep shows the block, without stack frames that are not the program's own.
func (b *block) keep(g *ledger) {
	for _, part := range [][]entry{b.head, b.errs, b.tail} {
		for _, e := range part {
			switch text := []byte(e.text); {
			case foreignFrame(text):
				g.dropEntry(e, frames)
			case blank(text) && !e.joined:
				g.dropEntry(e, blanks)
			default:
				g.keepEntry(e)
			}
		}
	}
	if b.over > 0 {
		g.omitted[testOutput] += b.over
		n := b.head[len(b.head)-1].n
		g.note(n, plural(b.over, "line")+" of this one omitted")
	}
	b.reset()
}

// drop leaves the block out.
func (b *block) drop(g *ledger, k kind) {
	for _, part := range [][]entry{b.head, b.errs, b.tail} {
		for _, e := range part {
			g.dropEntry(e, k)
		}
	}
	g.omitted[k] += b.over
	b.reset()
}

func (b *block) reset() {
	b.head, b.errs, b.tail = b.head[:0], b.errs[:0], b.tail[:0]
	b.size, b.over = 0, 0
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
		return hasJSRuntime(t) || hasAny(t, "at java.", "at javax.", "at jdk.", "at sun.", "at org.junit.", "at org.gradle.", "at com.sun.", "at org.apache.maven.", "at kotlin.", "at scala.", "at /rustc/", "at System.", "at Microsoft.") ||
			contains(t, "/rustc/") || contains(t, "/.cargo/registry/") || contains(t, "java.base/")
	case b[0] == '\t' && has(t, "/"):
		return goFile(t)
	case has(t, "...") && ends(t, " more"):
		return true
	case hasAny(t, "testing.tRunner", "testing.(*", "created by testing.", "runtime.", "runtime/debug.", "panic({", "panic(0x", "created by runtime.", "reflect.Value.", "created by net/http."):
		return true
	case digit(t[0]) && contains(t, ": "):
		_, n := number(t)
		rest := t[n:]
		return hasAny(rest, ": core::", ": std::", ": rust_begin_unwind", ": __rust", ": test::", ": <alloc::", ": alloc::", ": <core::", ": <std::", ": __libc", ": _start", ": main\x00", ": clone")
	}
	return false
}

func hasJSRuntime(t []byte) bool {
	return contains(t, "node:internal") || contains(t, "(node:") || has(t, "at node:") || contains(t, "/node_modules/") || contains(t, "(internal/") ||
		contains(t, "(<anonymous>)") || contains(t, "process.processTicksAndRejections") || contains(t, "[eval]-wrapper")
}

// goFile reports whether a stack's place is in the Go tree or the module cache.
func goFile(t []byte) bool {
	return contains(t, "/src/runtime/") || contains(t, "/src/testing/") || contains(t, "/src/reflect/") || contains(t, "/go/src/") ||
		contains(t, "/pkg/mod/") || contains(t, "/libexec/src/") || contains(t, "/src/net/http/")
}
