package door

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/agent/inventory"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// What a word of a query is worth that a tool has: in its ID or its description,
// the word itself, a form of it, or another verb for the same.
const (
	inID, formInID, verbInID = 6, 4, 4
	inText, formInText       = 3, 2
	allWords                 = 10 // a tool that has all of them
)

// rank finds the enabled tools that words name, the best first. A word counts the
// more the fewer tools have it; a tool that has all words comes before one that
// lacks some; a hit holds at least half of them. Of equals those of the lower
// level come first, then the shorter names.
func rank(list []inventory.Tool, query string) []*inventory.Tool {
	words := terms(query)
	type scored struct {
		tool  *inventory.Tool
		score float64
		level tcpdb.Level
		worth []int // of each word
	}
	var hits []scored
	df := make([]int, len(words))
	for i := range list {
		t := &list[i]
		if !t.Row.Exposure.Enabled || strings.HasPrefix(t.Row.CanonicalID, "tmp.") || len(words) == 0 {
			continue
		}
		h := scored{tool: t, worth: worth(t, words)}
		h.level, _ = tcpdb.ParseLevel(t.Row.Level)
		for k, n := range h.worth {
			if n > 0 {
				df[k]++
			}
		}
		hits = append(hits, h)
	}
	all := float64(len(hits))
	hits = slices.DeleteFunc(hits, func(h scored) bool {
		matched := 0
		for _, n := range h.worth {
			if n > 0 {
				matched++
			}
		}
		return matched == 0 || matched*2 < len(words)
	})
	for i := range hits {
		h := &hits[i]
		h.score = allWords
		for k, n := range h.worth {
			if n == 0 {
				h.score -= allWords
				continue
			}
			h.score += float64(n) * (1 + math.Log2(all/float64(df[k])))
		}
	}
	slices.SortStableFunc(hits, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.level, b.level), cmp.Compare(len(a.tool.Row.CanonicalID), len(b.tool.Row.CanonicalID)))
	})
	out := make([]*inventory.Tool, len(hits))
	for i := range hits {
		out[i] = hits[i].tool
	}
	return out
}

// worth is what each word is worth for a tool, 0 where it has it not.
func worth(t *inventory.Tool, words []string) []int {
	id, text := terms(t.Row.CanonicalID), terms(t.Row.Description)
	out := make([]int, len(words))
	for i, w := range words {
		form := func(s string) bool { return like(s, w) }
		switch {
		case slices.Contains(id, w):
			out[i] = inID
		case slices.ContainsFunc(id, form):
			out[i] = formInID
		case slices.ContainsFunc(id, func(s string) bool { return sameVerb(s, w) }):
			out[i] = verbInID
		case slices.Contains(text, w):
			out[i] = inText
		case slices.ContainsFunc(text, form):
			out[i] = formInText
		}
	}
	return out
}

// like reports whether two words are forms of one: one begins with the other.
func like(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= 4 && strings.HasPrefix(b, a)
}

// verbs are words that people and tools use for the same, a kind a row; a word
// may be of several kinds.
var verbs = [...]string{
	"create add new make open insert post send write put set start begin schedule book publish register submit upload append apply raise file launch trigger",
	"get show read view fetch see display print inspect describe retrieve load download detail info look",
	"list all which every enumerate show",
	"search find look query lookup filter locate",
	"update edit change modify rename set patch alter adjust correct move replace mark assign write",
	"delete remove drop purge destroy wipe erase clear trash",
	"close resolve cancel finish end stop abort complete terminate",
	"run execute start invoke call trigger launch",
	"send post mail notify publish share message tell",
}

// sameVerb reports whether two words are of one kind of verbs.
func sameVerb(a, b string) bool {
	for _, row := range verbs {
		if hasWord(row, a) && hasWord(row, b) {
			return true
		}
	}
	return false
}

func hasWord(row, word string) bool {
	for w := range strings.SplitSeq(row, " ") {
		if w == word {
			return true
		}
	}
	return false
}

// fillers are words of a request that name nothing.
var fillers = []string{
	"a", "an", "the", "of", "in", "on", "for", "to", "with", "by", "from", "at", "and", "or", "my", "me", "our", "i", "we", "you", "please", "is", "are", "be",
	"that", "this", "these", "it", "its", "there", "here", "some", "any", "mcp", "want", "need", "would", "like", "can", "could", "do", "how", "what", "into", "up",
}

// singular folds the plurals of English words.
func singular(w string) string {
	if len(w) <= 3 || !strings.HasSuffix(w, "s") || strings.HasSuffix(w, "ss") {
		return w
	}
	if stem, ok := strings.CutSuffix(w, "ies"); ok {
		return stem + "y"
	}
	for _, end := range [...]string{"ches", "shes", "sses", "xes"} {
		if strings.HasSuffix(w, end) {
			return w[:len(w)-2]
		}
	}
	return w[:len(w)-1]
}

// terms are the words of a text or of an ID, in lower case, plurals folded.
func terms(text string) []string {
	var out []string
	var b strings.Builder
	flush := func() {
		w := singular(strings.ToLower(b.String()))
		b.Reset()
		if w != "" && !slices.Contains(fillers, w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	lower := false
	for _, r := range text {
		letter := r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 0x80
		upper := r >= 'A' && r <= 'Z'
		if !letter && !upper || upper && lower {
			flush()
		}
		if letter || upper {
			b.WriteRune(r)
		}
		lower = letter
	}
	flush()
	return out
}
