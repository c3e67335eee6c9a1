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
	Review      string     `json:"review"`
	Date        time.Time  `json:"date"`
	Registry    string     `json:"registry"`
	score       int
}

// Search finds the packs that all words are about, the best first. No word finds all.
func (h *Home) Search(logs []*ledger.Log, words []string) ([]Hit, error) {
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	var hits []Hit
	seen := map[string]bool{}
	for _, l := range logs {
		for i := range l.Entries {
			e := &l.Entries[i]
			if e.Kind != ledger.Published || seen[e.Name] {
				continue
			}
			score := rank(e, words)
			if score == 0 {
				continue
			}
			seen[e.Name] = true
			latest := l.Find(e.Name, "")
			if latest == nil {
				continue // all were taken back
			}
			hit, err := h.hit(l, latest)
			if err != nil {
				return nil, err
			}
			hit.score = score
			hits = append(hits, hit)
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.Name, b.Name))
	})
	return hits, nil
}

func (h *Home) hit(l *ledger.Log, e *ledger.Entry) (Hit, error) {
	state, err := h.State(l, e.Key)
	hit := Hit{
		Name: e.Name, Version: e.Version, Description: e.Description, Tools: []string{}, Level: e.Level,
		Publisher: publisherOf(e.Name), Key: e.Key, KeyState: state, Review: e.Review, Date: e.Date, Registry: l.Registry,
	}
	for _, t := range e.Tools {
		hit.Tools = append(hit.Tools, t.Tool)
	}
	return hit, err
}

func publisherOf(name string) string {
	publisher, _, _ := strings.Cut(name, "/")
	return publisher
}

// rank is how well an entry fits words, 0 if one of them does not fit at all.
func rank(e *ledger.Entry, words []string) int {
	total := 1
	publisher, own, _ := strings.Cut(e.Name, "/")
	for _, w := range words {
		best := 0
		for _, t := range e.Tools {
			switch tool := strings.ToLower(t.Tool); {
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
