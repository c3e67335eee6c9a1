package te

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// plain takes the backslashes of te off the lines of a body.
func unescaped(body string) string {
	var b strings.Builder
	for line := range strings.Lines(body) {
		bare := strings.TrimLeft(line, `\`)
		if line[0] == '\\' && (strings.HasPrefix(bare, "# TE") || strings.HasPrefix(bare, "[TE]")) {
			line = line[1:]
		}
		b.WriteString(line)
	}
	return b.String()
}

// TestCatIsTheFile: what fits is the file, byte for byte but for the backslashes; else
// the preview shows true numbers and counts every gap, and the chunks are the file.
func TestCatIsTheFile(t *testing.T) {
	total := runs(t, 100)
	b := newBench(t)
	for i := range total {
		g := generator{rand.New(rand.NewPCG(5, uint64(i)))}
		text := ""
		for range g.IntN(6) {
			text += g.file()
			if !strings.HasSuffix(text, "\n") && g.IntN(2) == 0 {
				text += "\n"
			}
		}
		name := g.pick("a.py", "b.go", "x.log", "d.md", "j.json", "t.csv", "plain", "s.sh")
		b.write(name, text)
		limit := []int{500, 1000, 3000, 100_000}[g.IntN(4)]
		if err := catDiffers(b, name, text, limit); err != nil {
			t.Fatalf("run %d: %s of %q at %d: %v", i, name, text, limit, err)
		}
		os.Remove(b.dir + "/" + name)
	}
}

func catDiffers(b *bench, name, text string, limit int) error {
	r := b.te("--max-chars", strconv.Itoa(limit), "cat", name)
	m, body := r.meta(b.t)
	if m["content_type"] == "binary" {
		if body != "" || m["truncated"] != true || m["handle"] == nil || m["chunks"] != nil {
			return fmt.Errorf("binary: %v %q", m, body)
		}
		if raw := b.te("-i", "--handle", m["handle"].(string)); raw.out != text {
			return fmt.Errorf("the whole is %q", raw.out)
		}
		return nil
	}
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if number(m, "lines") != len(lines) || number(m, "size") != len(text) {
		return fmt.Errorf("header %v, want %d lines, %d bytes", m, len(lines), len(text))
	}
	if n := len([]rune(r.out)); n > limit {
		return fmt.Errorf("%d characters, at most %d", n, limit)
	}
	if m["truncated"] == nil {
		if unescaped(body) != text {
			return fmt.Errorf("whole: %q", body)
		}
		return nil
	}
	next := 1
	for _, line := range strings.Split(strings.TrimSuffix(body, "\n"), "\n") {
		if note, ok := strings.CutPrefix(line, "# TE: "); ok {
			n, _, _ := strings.Cut(note, " ")
			k, err := strconv.Atoi(n)
			if err != nil || k == 0 {
				return fmt.Errorf("note %q", line)
			}
			next += k
			continue
		}
		if strings.HasPrefix(line, "# TE| ") {
			continue
		}
		n, shown, _ := strings.Cut(line, ":")
		if n != strconv.Itoa(next) || !same(shown, strings.TrimSuffix(lines[next-1], "\n")) {
			return fmt.Errorf("line %q, want number %d: %q", line, next, lines[next-1])
		}
		next++
	}
	if next != len(lines)+1 {
		return fmt.Errorf("shown and left out are %d lines of %d", next-1, len(lines))
	}
	return catChunks(b, m, text, lines, limit)
}

func catChunks(b *bench, m map[string]any, text string, lines []string, limit int) error {
	id := m["handle"].(string)
	var all strings.Builder
	at := 0
	for k := 1; k <= number(m, "chunks"); k++ {
		r := b.te("--handle", id, "--chunk", strconv.Itoa(k))
		cm, body := r.meta(b.t)
		if n := len([]rune(r.out)); n > limit {
			return fmt.Errorf("chunk %d has %d characters, at most %d", k, n, limit)
		}
		if number(cm, "from") != at+1 {
			return fmt.Errorf("chunk %d: %v after %d", k, cm, at)
		}
		at = number(cm, "to")
		i := strings.LastIndex("\n"+body, "\n# TE: ")
		if i >= 0 {
			if number(cm, "to")+omitted(body[i:]) != len(lines) {
				return fmt.Errorf("chunk %d: %v, %q of %d", k, cm, body[i:], len(lines))
			}
			body = body[:i]
		} else if at != len(lines) {
			return fmt.Errorf("chunk %d ends at %d of %d without a note", k, at, len(lines))
		}
		all.WriteString(body)
	}
	have := strings.SplitAfter(unescaped(all.String()), "\n")
	for i, line := range lines {
		if !same(strings.TrimSuffix(have[i], "\n"), strings.TrimSuffix(line, "\n")) {
			return fmt.Errorf("line %d of the chunks is %q, want %q", i+1, have[i], line)
		}
	}
	if raw := b.te("-i", "--handle", id); raw.out != text {
		return fmt.Errorf("the whole differs")
	}
	return nil
}
