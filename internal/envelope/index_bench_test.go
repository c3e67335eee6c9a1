package envelope

import (
	"bytes"
	"fmt"
	"testing"
)

// BenchmarkIndex reads a million matches of one file.
func BenchmarkIndex(b *testing.B) {
	var out bytes.Buffer
	for i := range 1_000_000 {
		fmt.Fprintf(&out, "src/ten.py\x00%d:foo line %d here\n", i+1, i)
	}
	w := World{IsDir: func(string) bool { return false }}
	b.SetBytes(int64(out.Len()))
	for b.Loop() {
		x := NewIndex(GrepCall([]string{"foo", "src/ten.py"}, w), Limits{Budget: 16000, Preview: 10, PerFile: 3}, func(string) Class { return Source })
		for p := out.Bytes(); len(p) > 0; {
			n := min(len(p), 64<<10)
			_, _ = x.Write(p[:n])
			p = p[n:]
		}
		x.Close()
		if x.Total() != 1_000_000 {
			b.Fatal(x.Total())
		}
	}
}

// BenchmarkNames reads a million names.
func BenchmarkNames(b *testing.B) {
	var out bytes.Buffer
	for i := range 1_000_000 {
		fmt.Fprintf(&out, "./usr/lib/python3/%d/dist/name%d.py\x00", i/100, i)
	}
	for b.Loop() {
		x := NewIndex(FindCall([]string{"."}), Limits{Budget: 16000, Preview: 10, PerFile: 3}, func(p string) Class { return ClassOf(p, false) })
		for p := out.Bytes(); len(p) > 0; {
			n := min(len(p), 64<<10)
			_, _ = x.Write(p[:n])
			p = p[n:]
		}
		x.Close()
		if x.Total() != 1_000_000 {
			b.Fatal(x.Total())
		}
	}
}
