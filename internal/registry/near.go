package registry

import (
	"context"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/registry/ledger"
	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
)

// Near reports whether two names of publishers are easily taken for each other: they
// are one letter apart, or differ in dashes and in letters that look alike only.
func Near(a, b string) bool {
	if a == b {
		return false
	}
	return plain(a) == plain(b) || distanceOne(a, b)
}

func plain(s string) string {
	return strings.NewReplacer("-", "", "rn", "m", "vv", "w", "0", "o", "1", "l", "i", "l", "5", "s").Replace(s)
}

// distanceOne reports whether one letter was put in, left out, changed or swapped with
// its neighbour.
func distanceOne(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || len(b) < 4 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	if i == len(a) {
		return false
	}
	return a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// PublisherKeys are the keys by which a publisher's packs are signed in the registries.
func (h *Home) PublisherKeys(ctx context.Context, publisher string) (map[string]bool, error) {
	sources, err := h.Sources(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for _, s := range sources {
		for i := range s.Log.Entries {
			e := &s.Log.Entries[i]
			if e.Kind == ledger.Published && e.Key != "" && statement.KeyName(e.Key) == publisher || e.Kind == ledger.Published && statement.Short(e.Key) == publisher {
				out[e.Key] = true
			}
		}
	}
	return out, nil
}
