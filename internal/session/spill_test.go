package session

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestSpill: a short output comes back as it was; of a long one the beginning,
// the end and the count of what is between.
func TestSpill(t *testing.T) {
	var s spill
	for _, part := range []string{"one\n", "two", "\nthree\n"} {
		if n, err := s.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
	}
	if got, _ := io.ReadAll(s.reader()); string(got) != "one\ntwo\nthree\n" {
		t.Errorf("%q", got)
	}

	s = spill{}
	line := []byte(strings.Repeat("x", 1023) + "\n")
	_, _ = s.Write([]byte("first\n"))
	for range 16 << 10 { // 16 MiB
		_, _ = s.Write(line)
	}
	_, _ = s.Write([]byte("last\n"))
	got, _ := io.ReadAll(s.reader())
	head, tail, ok := bytes.Cut(got, []byte("[tmp] "))
	gap, tail, _ := bytes.Cut(tail, []byte("\n"))
	if !ok || !bytes.HasPrefix(head, []byte("first\n")) || !bytes.HasSuffix(tail, []byte("\nlast\n")) {
		t.Fatalf("%v, %.20q … %q … %.20q", ok, head, gap, tail)
	}
	if len(got) > spillHead+2*spillTail+100 {
		t.Errorf("%d bytes are held", len(got))
	}
	for _, l := range bytes.SplitAfter(slices.Concat(head[len("first\n"):], tail), []byte("\n")) {
		if len(l) > 0 && !bytes.Equal(l, line) && string(l) != "last\n" {
			t.Fatalf("a line of %d bytes", len(l))
		}
	}
	missing := 6 + 5 + 16<<20 - len(head) - len(tail)
	if want := strings.Split(string(gap), " ")[0]; want != strconv.Itoa(missing) {
		t.Errorf("%s bytes are said to be missing, %d are", want, missing)
	}
}
