package completion

import (
	"strings"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// common returns what all matches begin with, those that a resolver left out
// too, or "" if that is no more than what is typed.
func (g *gatherer) common(items []item) string {
	if len(items) == 0 {
		return ""
	}
	typed := g.slot.prefix + g.slot.text
	common := items[0].value
	for _, it := range items[1:] {
		n := 0
		for n < len(common) && n < len(it.value) && common[n] == it.value[n] {
			n++
		}
		common = common[:n]
	}
	for common != "" && !utf8.ValidString(common) {
		common = common[:len(common)-1]
	}
	if g.answer.Omitted > 0 {
		// What was left out most likely shares a part that is a whole: a question
		// for all that begin with that part tells whether there are others.
		common = common[:strings.LastIndexAny(common, "/-_.:@=")+1]
		if len(common) <= len(typed) || !g.allBegin(common, len(items)+g.answer.Omitted) {
			return ""
		}
	}
	if len(common) <= len(typed) || !strings.HasPrefix(common, typed) {
		return ""
	}
	return common
}

// allBegin reports whether as many matches begin with a text as there are.
func (g *gatherer) allBegin(text string, all int) bool {
	a := Answer{State: resolvers.Fresh}
	again := *g
	again.answer, again.items, again.group, again.mode = &a, nil, 0, resolvers.Prefix
	again.slot.text = strings.TrimPrefix(text, g.slot.prefix)
	again.collect()
	items := again.items
	if again.group > 1 {
		items = distinct(items)
	}
	return a.State == resolvers.Fresh && len(items)+a.Omitted == all
}
