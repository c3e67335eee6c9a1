package shape

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var (
	cutMark = regexp.MustCompile(`…\[tmp: \d+ bytes cut(?: in all)?\]…`)
	success = regexp.MustCompile(`(?i)\b(ok|pass(ed)?|success\w*|succeeded|completed|done|all tests)\b`)
)

var inJSON = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

type failer interface {
	Errorf(string, ...any)
	Helper()
}

// honest checks what holds for every shape: lines add up, each is one of the
// output or marked, nothing of ours speaks of success when the status does not,
// and the text is no longer than the output.
func honest(t failer, name string, o Options, raw []byte, s Summary) {
	t.Helper()
	left := 0
	for _, v := range s.Omitted {
		if n, ok := v.(int); ok {
			left += n
			if n < 0 {
				t.Errorf("%s: omitted %v", name, s.Omitted)
			}
		}
	}
	lines := bytes.Count(raw, []byte("\n"))
	if len(raw) > 0 && raw[len(raw)-1] != '\n' {
		lines++
	}
	if s.Lines != lines || s.Shown+left != s.Lines {
		t.Errorf("%s: %d lines; %d counted, %d shown, omitted %v", name, lines, s.Lines, s.Shown, s.Omitted)
	}
	if len(s.Text) > len(raw) {
		t.Errorf("%s: %d bytes of %d", name, len(s.Text), len(raw))
	}
	if s.Compressor == "raw" {
		if s.Text != string(raw) {
			t.Errorf("%s: not the raw output", name)
		}
		return
	}
	plain := pieces(raw)
	for l := range strings.SplitSeq(strings.TrimSuffix(s.Text, "\n"), "\n") {
		if strings.HasPrefix(l, mark) {
			if own := ours(l, plain); o.Ended && o.Status != 0 && success.MatchString(own) && !strings.Contains(own, "failed") {
				t.Errorf("%s: status %d, and it says %q", name, o.Status, own)
			}
			continue
		}
		for _, part := range cutMark.Split(l, -1) {
			if !strings.Contains(plain, part) {
				t.Errorf("%s: %q is not in the output", name, l)
				break
			}
		}
	}
}

// ours is what a line of ours says without its places and what it quotes.
func ours(l, plain string) string {
	if i := strings.LastIndex(l, " at "); i > 0 {
		l = l[:i]
	}
	for i := len(mark); i < len(l); i++ {
		if quote := strings.TrimSpace(l[i:]); len(quote) > 20 && strings.Contains(plain, inJSON.Replace(quote)) {
			return l[:i]
		}
	}
	return l
}

// pieces is the output without escape sequences and backspaces, and, where
// lines are JSON, what their strings say.
func pieces(raw []byte) string {
	var c cleaner
	var b strings.Builder
	b.Write(raw)
	b.WriteByte('\n')
	plain := append([]byte(nil), c.plain(raw)...)
	b.Write(plain)
	b.WriteByte('\n')
	for l := range bytes.SplitSeq(plain, []byte("\n")) {
		for f := range bytes.SplitSeq(l, []byte("\r")) {
			if bytes.IndexByte(f, '\b') >= 0 {
				b.Write(backspace(f))
				b.WriteByte('\n')
			}
		}
		object(l, func(_, v []byte) {
			var c cleaner
			b.Write(c.plain(unquote(v)))
			b.WriteByte('\n')
		})
	}
	for l := range bytes.SplitSeq(plain, []byte("\n")) { // events tell parts of lines
		object(l, func(k, v []byte) {
			var c cleaner
			if string(k) == "Output" {
				b.Write(c.plain(unquote(v)))
			}
		})
	}
	return b.String()
}

func TestCutsFallBetweenCharacters(t *testing.T) {
	for shift := range 4 {
		in := strings.Repeat("x", shift) + strings.Repeat("界", 5000) + "error: 界" + strings.Repeat("é", 3000)
		sum, err := Shape(Options{}, strings.NewReader(in+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.ValidString(sum.Text) || !strings.Contains(sum.Text, "error: 界") || len(sum.Text) > 2*maxShow {
			t.Errorf("shift %d: %d bytes, valid %v", shift, len(sum.Text), utf8.ValidString(sum.Text))
		}
	}
}
