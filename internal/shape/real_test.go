package shape

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var show = flag.Bool("show", false, "print what is made of each real output")

// sample is a real output, with the command that made it, its status, and what
// must survive.
type sample struct {
	name    string
	status  int
	command string
	raw     []byte
	signals []string
}

func (s sample) options() Options {
	o := Options{Status: s.status, Ended: true}
	if !strings.HasPrefix(s.command, "(") {
		o.Command = CommandOf(s.command)
	}
	return o
}

func tsv(t testing.TB, file string) [][]string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for sc := bufio.NewScanner(bytes.NewReader(data)); sc.Scan(); {
		if sc.Text() != "" {
			out = append(out, strings.Split(sc.Text(), "\t"))
		}
	}
	return out
}

// samples reads the outputs of a directory: INDEX.tsv has name, status and
// command, SIGNALS.tsv name and text ("\t" in it is a tab).
func samples(t testing.TB, dir string) []sample {
	t.Helper()
	signals := map[string][]string{}
	for _, r := range tsv(t, filepath.Join(dir, "SIGNALS.tsv")) {
		signals[r[0]] = append(signals[r[0]], strings.ReplaceAll(r[1], `\t`, "\t"))
	}
	var out []sample
	for _, r := range tsv(t, filepath.Join(dir, "INDEX.tsv")) {
		status, err := strconv.Atoi(r[1])
		if err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(filepath.Join(dir, r[0]+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, sample{r[0], status, r[2], raw, signals[r[0]]})
	}
	return out
}

func TestRealOutputs(t *testing.T) {
	var saved []float64
	for _, dir := range []string{"testdata/real", "testdata/own", "testdata/unseen", "testdata/fresh"} {
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		for _, smp := range samples(t, dir) {
			for _, known := range []bool{true, false} {
				o := smp.options()
				if !known {
					o.Command = Command{}
				}
				sum, err := Shape(o, bytes.NewReader(smp.raw))
				if err != nil {
					t.Fatal(err)
				}
				name := fmt.Sprintf("%s (command known: %v)", smp.name, known)
				for _, w := range smp.signals {
					if !strings.Contains(sum.Text, w) {
						t.Errorf("%s: lost %q", name, w)
					}
				}
				honest(t, name, o, smp.raw, sum)
				share := 0.0
				if sum.RawTokens > 0 {
					share = 1 - float64(sum.Tokens)/float64(sum.RawTokens)
				}
				if known && sum.RawTokens > 0 && (smp.status != 0 || sum.Compressor == "native") {
					saved = append(saved, share)
				}
				if *show {
					fmt.Printf("%-24s %-5v %-16s %7d → %6d bytes  −%3.0f %%  %v\n", smp.name, known, sum.Policy, len(smp.raw), len(sum.Text), 100*share, sum.Fields)
					if known && testing.Verbose() {
						fmt.Println(sum.Text)
					}
				}
			}
		}
	}
	slices.Sort(saved)
	t.Logf("tokens saved in the median of %d: %.0f %%", len(saved), 100*saved[len(saved)/2])
}
