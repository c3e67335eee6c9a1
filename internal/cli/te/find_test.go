package te

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func (g generator) findArgs() []string {
	args := []string{}
	for range g.IntN(3) {
		args = append(args, g.pick(".", "src", "./src", "a b", "tests", "missing", "new\ndir", "."))
	}
	tests := [][]string{
		{"-name", "*.py"},
		{"-name", "a*"},
		{"-iname", "*.GO"},
		{"-type", "f"},
		{"-type", "d"},
		{"-path", "*src*"},
		{"-maxdepth", "2"},
		{"-mindepth", "1"},
		{"-empty"},
		{"-size", "+1k"},
		{"-newermt", "2000-01-01"},
		{"-regex", ".*py"},
		{"!", "-name", "*.c"},
		{"-not", "-type", "d"},
		{"(", "-name", "a*", "-o", "-name", "*.go", ")"},
		{"-depth"},
		{"-name", "-print"},
		{"-prune"},
		{"-true"},
		{"-false"},
		{"-print"},
		{"-name", "x", "-prune"},
		{"-o"},
		{"-or"},
		{","},
		{"-a"},
		{"-quit"},
		{"-perm", "644"},
	}
	for range g.IntN(5) {
		args = append(args, tests[g.IntN(len(tests))]...)
	}
	return args
}

// TestFindFindsWhatFindFinds: for generated trees and calls the names over all chunks
// are those of the installed find.
func TestFindFindsWhatFindFinds(t *testing.T) {
	seed := uint64(1)
	if s, err := strconv.ParseUint(os.Getenv("TE_SEED"), 10, 64); err == nil {
		seed = s
	}
	total := runs(t, 120)
	var b *bench
	var g generator
	for i := range total {
		if i%10 == 0 {
			if b != nil {
				os.RemoveAll(b.dir)
				os.RemoveAll(b.home)
			}
			g = generator{rand.New(rand.NewPCG(seed, 1<<32|uint64(i)))}
			b = newBench(t)
			for range 3 {
				g.tree(b)
			}
		}
		args := g.findArgs()
		if err := findDiffers(b, g, args); err != nil {
			t.Fatalf("seed %d, run %d: te find %q: %v", seed, i, args, err)
		}
	}
	t.Logf("%d runs without a difference", total)
}

// findDiffers compares with find, whose names with newlines are told apart by what
// else it prints: the same tree is listed with zero bytes by a shell's own test.
func findDiffers(b *bench, g generator, args []string) error {
	plain := b.run("find", args...)
	limit := strconv.Itoa([]int{300, 600, 2000, 100_000}[g.IntN(4)])
	r := b.te(append([]string{"--json", "--max-chars", limit, "find"}, args...)...)
	o := r.object(b.t)
	if r.status != plain.status || r.err != plain.err {
		return fmt.Errorf("status %d and %q, want %d and %q", r.status, r.err, plain.status, plain.err)
	}
	if o.shown()+o.left() != magnitude(o) {
		return fmt.Errorf("%d shown and %d left out are not %d", o.shown(), o.left(), magnitude(o))
	}
	most, _ := strconv.Atoi(limit)
	var have []string
	for _, e := range collect(b, o, most) {
		have = append(have, e.path())
	}
	if len(have) != magnitude(o) {
		return fmt.Errorf("%d names, the header says %d", len(have), magnitude(o))
	}
	slices.Sort(have)
	// All that find prints, byte for byte, in another order.
	want := strings.Split(strings.TrimSuffix(plain.out, "\n"), "\n")
	if plain.out == "" {
		want = nil
	}
	var lines []string
	for _, h := range have {
		lines = append(lines, strings.Split(h, "\n")...)
	}
	slices.Sort(want)
	slices.Sort(lines)
	if !slices.Equal(want, lines) {
		return fmt.Errorf("names %q, want %q", lines, want)
	}
	for _, h := range have { // each is one that exists
		if _, err := os.Lstat(b.dir + "/" + h); err != nil {
			return fmt.Errorf("%q is no name: %v", h, err)
		}
	}
	return nil
}
