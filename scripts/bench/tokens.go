package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tiktoken-go/tokenizer"

	"github.com/tool-mapping-protocol/tmp/internal/printed"
	"github.com/tool-mapping-protocol/tmp/internal/shape"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// minTokens is how much an output has that counts in the figures of tokens.
const minTokens = 200

// output is a real output, shaped by its command and status.
type output struct {
	name    string
	status  int
	raw     string
	shaped  shape.Summary
	signals int // what must survive
	lost    int // and did not
}

// noisy reports whether the output has failures, or noise that was left out,
// and is long enough to count.
func (s output) noisy() bool {
	return (s.status != 0 || s.shaped.Compressor == "native") && s.shaped.RawTokens >= minTokens
}

// outputs shapes every real output that the tests hold.
func outputs() ([]output, error) {
	var all []output
	for _, dir := range []string{"real", "own", "unseen"} {
		dir = filepath.Join(samplesDir, dir)
		signals, err := os.ReadFile(filepath.Join(dir, "SIGNALS.tsv"))
		if err != nil {
			return nil, err
		}
		index, err := os.ReadFile(filepath.Join(dir, "INDEX.tsv"))
		if err != nil {
			return nil, err
		}
		for row := range strings.Lines(string(index)) {
			s, err := shapeOutput(dir, strings.Split(strings.TrimSpace(row), "\t"), string(signals))
			if err != nil {
				return nil, err
			}
			all = append(all, s)
		}
	}
	return all, nil
}

func shapeOutput(dir string, col []string, signals string) (output, error) {
	raw, err := os.ReadFile(filepath.Join(dir, col[0]+".txt"))
	if err != nil {
		return output{}, err
	}
	s := output{name: col[0], raw: string(raw)}
	if s.status, err = strconv.Atoi(col[1]); err != nil {
		return output{}, err
	}
	o := shape.Options{Status: s.status, Ended: true}
	if !strings.HasPrefix(col[2], "(") {
		o.Command = printed.Line(tcpdb.NewView(tcpdb.Core()), col[2]).Command
	}
	if s.shaped, err = shape.Shape(o, bytes.NewReader(raw)); err != nil {
		return output{}, err
	}
	for row := range strings.Lines(signals) {
		of, want, _ := strings.Cut(strings.TrimRight(row, "\n"), "\t")
		if of != s.name {
			continue
		}
		s.signals++
		if !strings.Contains(s.shaped.Text, strings.ReplaceAll(want, `\t`, "\t")) {
			s.lost++
		}
	}
	return s, nil
}

// shapeTokens says which share of tokens shaping saves over the real outputs.
func shapeTokens() error {
	all, err := outputs()
	if err != nil {
		return err
	}
	var saved []float64
	var before, after, signals, lost int
	for _, s := range all {
		signals, lost = signals+s.signals, lost+s.lost
		if s.noisy() {
			saved = append(saved, 1-float64(s.shaped.Tokens)/float64(s.shaped.RawTokens))
			before, after = before+s.shaped.RawTokens, after+s.shaped.Tokens
		}
	}
	slices.Sort(saved)
	fmt.Printf("\nshape tokens, %d real outputs with failures or noise of %d tokens or more  (goal: 70 %% in the median, no signal lost)\n", len(saved), minTokens)
	fmt.Printf("  saved %.1f %% in the median, %.1f %% of %d in all (estimated), %d of %d signals lost\n", 100*saved[len(saved)/2], 100*(1-float64(after)/float64(before)), before, lost, signals)
	return nil
}

// tokenEstimate holds the estimate of tokens against exact counts, and says
// what shaping saves by those.
func tokenEstimate() error {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return err
	}
	all, err := outputs()
	if err != nil {
		return err
	}
	var off, saved []float64 // shares
	var estimated, exact int
	for _, s := range all {
		var counts [2]int
		for i, text := range []string{s.raw, s.shaped.Text} {
			n, err := codec.Count(text)
			if err != nil {
				return err
			}
			counts[i] = n
			if i == 1 && s.shaped.Compressor == "raw" || n < minTokens/4 {
				continue
			}
			guess := shape.Tokens(text)
			off = append(off, float64(guess)/float64(n)-1)
			estimated, exact = estimated+guess, exact+n
		}
		if s.noisy() {
			saved = append(saved, 1-float64(counts[1])/float64(counts[0]))
		}
	}
	mean, worst := 0.0, 0.0 // of the absolute values
	for _, o := range off {
		mean += math.Abs(o) / float64(len(off))
		if math.Abs(o) > math.Abs(worst) {
			worst = o
		}
	}
	slices.Sort(saved)
	fmt.Printf("\ntoken estimate, %d texts of %d tokens or more against o200k_base\n", len(off), minTokens/4)
	fmt.Printf("  off by %.1f %% in the mean, %+.0f %% at most, %+.1f %% over all; exactly counted, shaping saves %.1f %% in the median of %d\n",
		100*mean, 100*worst, 100*(float64(estimated)/float64(exact)-1), 100*saved[len(saved)/2], len(saved))
	return nil
}
