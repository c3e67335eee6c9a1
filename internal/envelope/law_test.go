package envelope

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// counted reads an answer: what its header says, what it shows, what its notes count.
func counted(t *rapid.T, a *Answer) (total, shown, left int) {
	text := string(a.Bytes())
	rest, ok := strings.CutPrefix(text, beginMeta)
	header, body, ok2 := strings.Cut(rest, endMeta)
	var m struct{ Matches, Lines *int }
	if err := json.Unmarshal([]byte(header), &m); err != nil || !ok || !ok2 {
		t.Fatalf("header of %.300q: %v", text, err)
	}
	for _, n := range []*int{m.Matches, m.Lines} {
		if n != nil {
			total = *n
		}
	}
	body, _ = strings.CutPrefix(body, "\n")
	for line := range strings.Lines(body) {
		switch {
		case strings.HasPrefix(line, notePrefix):
			for _, m := range noteCount.FindAllStringSubmatch(strings.TrimPrefix(line, notePrefix), -1) {
				n, _ := strconv.Atoi(m[1])
				left += n
			}
		case strings.HasPrefix(line, "# TE"), strings.HasPrefix(line, "[TE]"):
			t.Fatalf("a line of te's own that is none: %q", line)
		case contextLine.MatchString(line):
		case line != "--\n":
			shown++
		}
	}
	return total, shown, left
}

var (
	noteCount   = regexp.MustCompile(`(?:^|, )(\d+) `)
	contextLine = regexp.MustCompile(`-\d+-after\n$`)
)

// TestLawOfCounts: in every output what is shown and what the notes count is the
// magnitude: whole, preview, and every chunk.
func TestLawOfCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		context := rapid.Bool().Draw(t, "context")
		args := []string{"-r", rapid.SampledFrom([]string{"foo", "bar", "[a-z]*", "def"}).Draw(t, "pattern")}
		if context {
			args = append([]string{"-A1"}, args...)
		}
		c := GrepCall(args, World{IsDir: func(string) bool { return true }, Unlikely: "te-sep"})
		l := Limits{
			Budget: rapid.IntRange(200, 4000).Draw(t, "budget"), Preview: rapid.IntRange(1, 12).Draw(t, "preview"), PerFile: 3,
		}
		x := NewIndex(c, l, func(p string) Class { return ClassOf(p, false) })
		out := grepOutput(t, context)
		for rest := out; len(rest) > 0; { // in parts of any length
			n := min(rapid.IntRange(1, 700).Draw(t, "part"), len(rest))
			_, _ = x.Write(rest[:n])
			rest = rest[n:]
		}
		x.Close()
		src := bytes.NewReader(out)
		answers := []*Answer{x.Preview(x.Meta(), nil)}
		if a := x.Whole(x.Meta(), src, nil); a != nil {
			answers = append(answers, a)
			if a.Size() > l.Budget {
				t.Fatalf("%d characters of %d", a.Size(), l.Budget)
			}
			if a.Meta.Truncated != (a.Meta.Cut > 0) {
				t.Fatalf("truncated %v with %d cut", a.Meta.Truncated, a.Meta.Cut)
			}
		}
		for _, a := range answers {
			total, shown, left := counted(t, a)
			if shown+left != total || int64(total) != x.Total() {
				t.Fatalf("%d shown and %d left out are not %d of %d:\n%s", shown, left, total, x.Total(), a.Bytes())
			}
		}
		before := 0
		for i, k := range x.Chunks(l.Budget) {
			m := x.Meta()
			m.Chunk = int64(i + 1)
			a, err := Piece(c, m, false, l.Budget, k, x.Total(), src, nil)
			if err != nil {
				t.Fatal(err)
			}
			total, shown, left := counted(t, a)
			if before+shown+left != total || int(k.From) != before+1 || int(k.To) != before+shown {
				t.Fatalf("chunk %d (%+v): %d before, %d shown, %d left of %d", i+1, k, before, shown, left, total)
			}
			before += shown
		}
		if before != int(x.Total()) {
			t.Fatalf("the chunks show %d of %d", before, x.Total())
		}
	})
}

// grepOutput is what grep might print.
func grepOutput(t *rapid.T, context bool) []byte {
	var b bytes.Buffer
	files := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{
		"src/a.py", "src/rag/b.py", "tests/test_a.py", "vendor/x.go", "go.sum", "a, b.go", "# TE: 5 more", "[TE] x", "build/y.js", "src/rag/deep/c.go", "plain",
	}), 0, 8, func(s string) string { return s }).Draw(t, "files")
	for _, f := range files {
		line := 0
		for range rapid.IntRange(1, 40).Draw(t, "lines") {
			line += rapid.IntRange(1, 3).Draw(t, "gap")
			text := rapid.SampledFrom([]string{"foo", "def foo(x):", "x = foo(bar)", "# TE: 9 more", "[TE] x", "", "func foo() {", strings.Repeat("é", 700) + "foo", "bar, 12 x"}).Draw(t, "text")
			fmt.Fprintf(&b, "%s\x00%d:%s\n", f, line, text)
			if context && rapid.Bool().Draw(t, "more") {
				line++
				fmt.Fprintf(&b, "%s\x00%d-after\n", f, line)
				if rapid.Bool().Draw(t, "separated") {
					b.WriteString("te-sep\n")
				}
			}
		}
	}
	return b.Bytes()
}
