// Package textdiff compares two texts line by line.
package textdiff

import (
	"fmt"
	"slices"
	"strings"
)

// maxEdits bounds the work: texts that differ in more lines than this between
// their common beginning and end are told as one whole change.
const maxEdits = 2000

// edit is a line of the comparison: ' ' in both, '-' in the first, '+' in the
// second.
type edit struct {
	op   byte
	line string
}

// Unified returns the changes from a to b as a unified diff with three lines
// around each change, without the two lines that name the files; "" if the
// texts are equal. A last line without its end counts as another line than one
// with it, and is marked as diff marks it.
func Unified(a, b string) string {
	if a == b {
		return ""
	}
	return render(compare(split(a), split(b)))
}

// Count returns how many lines of a are not in b at their place, and the
// reverse.
func Count(a, b string) (removed, added int) {
	for _, e := range compare(split(a), split(b)) {
		switch e.op {
		case '-':
			removed++
		case '+':
			added++
		}
	}
	return removed, added
}

func split(s string) []string {
	if s == "" {
		return nil
	}
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// compare returns the edits that make b of a, the common beginning and end
// taken off first.
func compare(a, b []string) []edit {
	var out []edit
	same := func(lines []string) {
		for _, l := range lines {
			out = append(out, edit{' ', l})
		}
	}
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	same(a[:head])
	out = append(out, shortest(a[head:len(a)-tail], b[head:len(b)-tail])...)
	same(a[len(a)-tail:])
	return out
}

// shortest finds a shortest list of edits (Myers, "An O(ND) difference
// algorithm", 1986), or with too many of them replaces the whole.
func shortest(a, b []string) []edit {
	limit := min(len(a)+len(b), maxEdits)
	v := make([]int, 2*limit+2) // v[limit+k]: the furthest line of a on diagonal k
	var trace [][]int
	for d := 0; d <= limit; d++ {
		for k := -d; k <= d; k += 2 {
			x := 0
			switch {
			case k == -d || k != d && v[limit+k-1] < v[limit+k+1]:
				if d > 0 {
					x = v[limit+k+1]
				}
			default:
				x = v[limit+k-1] + 1
			}
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			v[limit+k] = x
			if x >= len(a) && x-k >= len(b) {
				return back(a, b, trace, d)
			}
		}
		trace = append(trace, append([]int(nil), v[limit-d:limit+d+1]...))
	}
	var out []edit
	for _, l := range a {
		out = append(out, edit{'-', l})
	}
	for _, l := range b {
		out = append(out, edit{'+', l})
	}
	return out
}

// back follows the trace from the end. trace[d][k+d] is the furthest line of a
// on diagonal k after d edits.
func back(a, b []string, trace [][]int, d int) []edit {
	x, y := len(a), len(b)
	var out []edit
	for ; d > 0; d-- {
		at := func(k int) int {
			if k < -(d-1) || k > d-1 {
				return -1
			}
			return trace[d-1][k+d-1]
		}
		k := x - y
		from := k - 1
		if k == -d || k != d && at(k-1) < at(k+1) {
			from = k + 1
		}
		after := at(from) // the line of a at which the lines in common begin
		if from == k-1 {
			after++
		}
		for x > after {
			x, y = x-1, y-1
			out = append(out, edit{' ', a[x]})
		}
		if from == k+1 {
			y--
			out = append(out, edit{'+', b[y]})
		} else {
			x--
			out = append(out, edit{'-', a[x]})
		}
	}
	for x > 0 {
		x--
		out = append(out, edit{' ', a[x]})
	}
	slices.Reverse(out)
	return out
}

const context = 3

// render writes hunks.
func render(edits []edit) string {
	var out strings.Builder
	la, lb := 1, 1 // line numbers at edits[i]
	for i := 0; i < len(edits); {
		if edits[i].op == ' ' {
			i, la, lb = i+1, la+1, lb+1
			continue
		}
		start := max(0, i-context)
		for j := i - 1; j >= start; j-- {
			la, lb = la-1, lb-1
		}
		end := hunkEnd(edits, i)
		na, nb := 0, 0
		for _, e := range edits[start:end] {
			if e.op != '+' {
				na++
			}
			if e.op != '-' {
				nb++
			}
		}
		fmt.Fprintf(&out, "@@ -%s +%s @@\n", span(la, na), span(lb, nb))
		for _, e := range edits[start:end] {
			out.WriteByte(e.op)
			out.WriteString(e.line)
			if !strings.HasSuffix(e.line, "\n") {
				out.WriteString("\n\\ No newline at end of file\n")
			}
		}
		i, la, lb = end, la+na, lb+nb
	}
	return out.String()
}

// hunkEnd is the end of the hunk whose first change is at i: changes with no
// more than twice the context between them share one.
func hunkEnd(edits []edit, i int) int {
	last := i
	for j := i; j < len(edits) && j-last <= 2*context; j++ {
		if edits[j].op != ' ' {
			last = j
		}
	}
	return min(len(edits), last+1+context)
}

// span is a range of lines as a hunk names it.
func span(start, n int) string {
	if n == 0 {
		start--
	}
	if n == 1 {
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, n)
}
