package shape

import "bytes"

// traceback reads the frames of a Python traceback: "  File "x.py", line 3, in
// f" and the code below it. Frames that are not the program's own go, and the
// code of all but the last, which says what failed.
type traceback struct {
	code    *entry // of the last frame
	inside  bool   // a frame was read, its code may follow
	foreign bool
	began   int // tracebacks
}

// line takes a line that belongs to a traceback; it returns false if l does not.
func (t *traceback) line(g *ledger, l line) bool {
	b := ungrouped(l.text)
	switch {
	case len(b) < len(l.text) && (blank(b) || has(b, "---")):
		t.settle(g, b)
		g.drop(l, blanks) // between the members of a group
	case has(b, "Traceback (most recent call last):"), has(b, "Exception Group Traceback (most recent call last):"):
		t.settle(g, b)
		t.inside = false
		if t.began++; t.began > 1 {
			g.drop(l, headings)
		} else {
			g.keep(l)
		}
	case has(b, "  File \"") && contains(b, "\", line "):
		t.settle(g, b)
		file, _, _ := bytes.Cut(b[len("  File \""):], []byte(`"`))
		t.inside, t.foreign = true, foreignPython(file)
		if t.foreign {
			g.drop(l, frames)
		} else {
			g.keep(l)
		}
	case t.inside && has(b, "    ") && !blank(b):
		switch {
		case t.foreign:
			g.drop(l, frames)
		case t.code != nil || underlining(b):
			g.drop(l, excerpts)
		default:
			e := g.entry(l)
			t.code = &e
		}
	default:
		t.settle(g, b)
		return false
	}
	return true
}

// ungrouped is a line without what stands before the members of an exception
// group: "    | ", "  + ", "    +-+".
func ungrouped(b []byte) []byte {
	t := trimLeft(b)
	switch {
	case len(b) == len(t) && !has(t, "| ") && !has(t, "+-"), len(t) == 0:
		return b
	case has(t, "| "), has(t, "+ "):
		return t[2:]
	case has(t, "|") && len(t) == 1:
		return nil
	case has(t, "+-"):
		if t = bytes.TrimLeft(t, "+"); has(t, "-+-") {
			t = t[2:]
		}
		if len(bytes.Trim(t, "-. 0123456789")) == 0 && has(t, "---") {
			return t
		}
	}
	return b
}

// settle decides the code of the frame before, by the line that follows it.
func (t *traceback) settle(g *ledger, next []byte) {
	if t.code == nil {
		t.inside = t.inside && has(next, "    ")
		return
	}
	if has(next, "  File \"") {
		g.dropEntry(*t.code, excerpts)
	} else {
		g.keepEntry(*t.code)
	}
	t.code, t.inside = nil, false
}
