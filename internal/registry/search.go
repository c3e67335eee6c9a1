package registry

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/registry/keys"
	"github.com/tool-mapping-protocol/tmp/internal/registry/ledger"
)

// Hit is a pack that a search found.
type Hit struct {
	Name        string     `json:"name"`
	Version     string     `json:"version"`
	Description string     `json:"description"`
	Tools       []string   `json:"tools"`
	Level       string     `json:"level"`
	Publisher   string     `json:"publisher"`
	Key         string     `json:"key"`
	KeyState    keys.State `json:"key_state"`
	TrustedFor  string     `json:"trusted_for,omitempty"`
	Review      string     `json:"review"`
	Date        time.Time  `json:"date,omitzero"`
	Registry    string     `json:"registry"`
}

// scored is a line that fits, and how well.
type scored struct {
	score int
	line  ledger.Line
	from  *ledger.Lines
}

// Search finds the packs that all words are about, the best first, and how many there
// are; limit bounds how many are told, 0 tells all. No word finds all.
func (h *Home) Search(from []*ledger.Lines, words []string, limit int) ([]Hit, int, error) {
	book, err := h.Book()
	if err != nil {
		return nil, 0, err
	}
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	var fit []scored
	seen := map[string]bool{}
	for _, lines := range from {
		lines.Each(words, func(l ledger.Line) {
			if score := rank(&l, words); score > 0 && !seen[l.Name] {
				seen[l.Name] = true
				fit = append(fit, scored{score, l, lines})
			}
		})
	}
	slices.SortFunc(fit, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.line.Name, b.line.Name))
	})
	total := len(fit)
	if limit > 0 && total > limit {
		fit = fit[:limit]
	}
	hits := make([]Hit, len(fit))
	states := map[string]keys.State{"": keys.Unsigned, string(keys.Shipped): keys.Shipped}
	for i, s := range fit {
		l := s.line
		state, ok := states[l.Key]
		if !ok {
			state = book.Of(l.Key, s.from.Rotations)
			states[l.Key] = state
		}
		date, _ := time.Parse(time.RFC3339, l.Date) // written by us
		if state == keys.Shipped {
			l.Key = ""
		}
		hits[i] = Hit{
			Name: l.Name, Version: l.Version, Description: l.Description, Tools: append([]string{}, strings.Fields(l.Tools)...), Level: l.Level,
			Publisher: publisherOf(l.Name), Key: l.Key, KeyState: state.Word(), TrustedFor: state.For(), Review: l.Review, Date: date, Registry: s.from.Registry,
		}
	}
	return hits, total, nil
}

func publisherOf(name string) string {
	publisher, _, _ := strings.Cut(name, "/")
	return publisher
}

// rank is how well an entry fits words, 0 if one of them does not fit at all.
func rank(e *ledger.Line, words []string) int {
	total := 1
	publisher, own, _ := strings.Cut(e.Name, "/")
	for _, w := range words {
		best := 0
		for t := range strings.FieldsSeq(e.Tools) {
			switch tool := strings.ToLower(t); {
			case tool == w:
				best = max(best, 16)
			case strings.HasPrefix(tool, w):
				best = max(best, 6)
			}
		}
		switch {
		case e.Name == w, own == w:
			best = max(best, 12)
		case publisher == w:
			best = max(best, 8)
		case strings.Contains(e.Name, w):
			best = max(best, 4)
		case strings.Contains(strings.ToLower(e.Description), w):
			best = max(best, 2)
		}
		if best == 0 {
			return 0
		}
		total += best
	}
	return total
}
