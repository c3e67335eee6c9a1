package intent

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/phrase"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// The usual constants of Okapi BM25 (Robertson and Zaragoza, "The Probabilistic
// Relevance Framework", 2009): how soon a repeated word stops counting, and how
// much a long text is held against it.
const (
	bm25K = 1.2
	bm25B = 0.75

	maxSuggestions = 5
)

// suggest ranks the verified operations that apply here by how much the words
// of their intents, ID and description have in common with what was said.
func (r Request) suggest(words []phrase.Word) []Suggestion {
	var query []string
	for _, w := range words {
		for _, n := range w.Norm {
			query = append(query, stem(n))
		}
	}
	var docs []document
	total := 0
	for i := range r.Operations {
		if op := &r.Operations[i]; op.Standing.Verified() && r.Applies(op) {
			d := newDocument(op)
			docs = append(docs, d)
			total += len(d.words)
		}
	}
	var out []Suggestion
	for _, d := range docs {
		score := 0.0
		for _, q := range query {
			with := 0
			for _, e := range docs {
				if slices.Contains(e.words, q) {
					with++
				}
			}
			score += bm25(count(d.words, q), with, len(docs), float64(len(d.words))*float64(len(docs))/float64(max(total, 1)))
		}
		if score > 0 {
			out = append(out, Suggestion{OperationID: d.op.ID, Intent: d.closest(query), Score: math.Round(score*1000) / 1000})
		}
	}
	slices.SortFunc(out, func(a, b Suggestion) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.OperationID, b.OperationID))
	})
	return out[:min(len(out), maxSuggestions)]
}

// bm25 is the weight of a word that stands n times in a text of relative length
// length (1 is average) and in with of all texts.
func bm25(n, with, all int, length float64) float64 {
	if n == 0 {
		return 0
	}
	idf := math.Log(1 + (float64(all-with)+0.5)/(float64(with)+0.5))
	f := float64(n)
	return idf * f * (bm25K + 1) / (f + bm25K*(1-bm25B+bm25B*length))
}

type document struct {
	op    *tcpdb.Operation
	words []string
}

func newDocument(op *tcpdb.Operation) document {
	d := document{op: op}
	for _, text := range append([]string{op.Description, strings.NewReplacer(".", " ", "_", " ").Replace(op.ID)}, op.Intents...) {
		for _, p := range phrase.Parse(text) {
			if !p.Slot {
				d.words = append(d.words, stem(p.Text))
			}
		}
	}
	return d
}

// closest is the operation's intent that shares most words with the query, the
// first of equals.
func (d document) closest(query []string) string {
	best, most := "", -1
	for _, in := range d.op.Intents {
		n := 0
		for _, p := range phrase.Parse(in) {
			if !p.Slot && slices.Contains(query, stem(p.Text)) {
				n++
			}
		}
		if n > most {
			best, most = in, n
		}
	}
	return best
}

// stem drops the endings that make a word count as another: "tests", "branches".
func stem(s string) string {
	switch {
	case len(s) > 4 && (strings.HasSuffix(s, "ches") || strings.HasSuffix(s, "shes") || strings.HasSuffix(s, "sses")):
		return s[:len(s)-2]
	case len(s) > 3 && strings.HasSuffix(s, "s") && !strings.HasSuffix(s, "ss") && !strings.HasSuffix(s, "us"):
		return s[:len(s)-1]
	}
	return s
}

func count(words []string, w string) int {
	n := 0
	for _, x := range words {
		if x == w {
			n++
		}
	}
	return n
}
