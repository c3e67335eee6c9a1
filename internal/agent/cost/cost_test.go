package cost

import (
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"github.com/tool-mapping-protocol/tmp/internal/shape"
)

// A session with ten servers of thirty tools costs at most 3 % of their list, by
// a model's own tokens and by the estimate of the benchmark, and the words that
// people use find what they want.
func TestCost(t *testing.T) {
	p, err := Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	listing, err := p.Listing()
	if err != nil {
		t.Fatal(err)
	}
	session, err := p.Session(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	for name, tokens := range map[string]func(string) int{
		"o200k": func(text string) int {
			ids, _, err := codec.Encode(text)
			if err != nil {
				t.Fatal(err)
			}
			return len(ids)
		},
		"estimate": shape.Tokens,
	} {
		whole, cost := tokens(listing), 0
		for _, text := range session {
			cost += tokens(text)
		}
		t.Logf("%s: 300 tools listed: %d tokens; a session that uses four of them: %d, %.1f %%", name, whole, cost, 100*float64(cost)/float64(whole))
		if len(p.all) != 300 || cost*100 > whole*3 {
			t.Errorf("%s: a session with %d tools costs %d tokens of %d", name, len(p.all), cost, whole)
		}
	}
	missed, all, err := p.Missed(t.Context())
	if err != nil || all < 25 {
		t.Fatal(all, err)
	}
	if len(missed) > 0 {
		t.Errorf("%d of %d wishes are missed:\n%s", len(missed), all, strings.Join(missed, "\n"))
	}
}
