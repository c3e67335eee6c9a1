package completion

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/tasks"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// recall gives items the rank of their uses.
func (e *Engine) recall(t *target, s slot, items []item) {
	if e.Recent == nil || t.place != argument || len(items) < 2 {
		return
	}
	score := e.Recent(t.dir, t.bound.Node(), s.flag)
	if score == nil {
		return
	}
	prefix := 0
	if s.flag != nil {
		prefix = len(s.prefix) - len(s.within)
	}
	for i := range items {
		items[i].recent = score(items[i].value[prefix:])
	}
}

// rank orders items: what is typed exactly first, deprecated ones last, then by
// their uses here, by source and by the source's own weight; within that the
// source's order stays.
func rank(items []item, typed string) []item {
	slices.SortStableFunc(items, func(a, b item) int {
		// Who has typed "--" wants to see what options there are.
		if x, y := typed != "" && a.value == typed, typed != "" && b.value == typed; x != y && typed != "--" {
			return before(x)
		}
		if a.deprecated != b.deprecated {
			return before(b.deprecated)
		}
		if a.recent != b.recent {
			return b.recent - a.recent
		}
		if a.group != b.group {
			return int(a.group) - int(b.group)
		}
		return b.weight - a.weight
	})
	return items
}

func before(first bool) int {
	if first {
		return -1
	}
	return 1
}

// judge makes candidates of items and rates the line with each in place.
func (e *Engine) judge(t *target, items []item) []Candidate {
	out := make([]Candidate, len(items))
	facts := risk.Facts{Trusted: once(e.Trusted), Installed: e.Installed, Alias: t.aliasText}
	if !t.elsewhere {
		facts.Tasks = tasks.Reader(t.dir, t.getenv)
	}
	runs := newTaskJudge(e.Map, facts)
	words := make([]string, 0, len(t.outer)+1+len(t.after))
	with := func(middle ...string) risk.Verdict {
		words = append(append(append(words[:0], t.outer...), middle...), t.after...)
		return risk.Judge(e.Map, words, facts)
	}
	var base, common risk.Verdict
	judged, commonJudged := t.place == argument, false
	if judged {
		base = with()
	}
	// Without its sub-command the base means nothing, and what stands right of
	// the cursor is there already: a sub-command raises what is left of it.
	left := func(value string) bool {
		v := risk.Judge(e.Map, append(slices.Clip(t.outer), value), facts)
		return v.Level >= tcpdb.High && v.Level > risk.Judge(e.Map, t.outer, facts).Level
	}
	var v risk.Verdict
	for i := range items {
		c := &out[i]
		c.Value, c.Description, c.Kind = items[i].value, items[i].description, items[i].kind
		c.NoSpace = items[i].partial
		if !judged {
			continue
		}
		switch {
		case items[i].plain && commonJudged:
			v = common
		default:
			v = with(strings.TrimSuffix(c.Value, "="))
			if items[i].plain {
				common, commonJudged = v, true
			}
		}
		runs.raise(&v, len(t.outer), c.Value)
		c.Level, c.Flags = v.Level, v.Flags.Capabilities()
		c.Raises = v.Level >= tcpdb.High && v.Level > base.Level &&
			(c.Kind != "subcommand" || len(t.after) == 0 || left(c.Value))
	}
	return out
}

// riskyLast moves what raises the risk to the end, of the candidates and of
// the items that they were made of, and keeps the order of the rest. Verbs that
// are HIGH keep their place: git rebase and kubectl apply are what the command
// line is for, and behind forty rare verbs nobody would find them. So does what
// is typed already.
func riskyLast(cs []Candidate, items []item, typed string) {
	var risky []Candidate
	var riskyItems []item
	n := 0
	for i := range cs {
		if cs[i].Raises && cs[i].Value != typed && (cs[i].Kind != "subcommand" || cs[i].Level > tcpdb.High) {
			risky, riskyItems = append(risky, cs[i]), append(riskyItems, items[i])
			continue
		}
		cs[n], items[n] = cs[i], items[i]
		n++
	}
	copy(cs[n:], risky)
	copy(items[n:], riskyItems)
}

// glance is how many candidates a person takes in at once.
const glance = 5

// endInSight moves the "--" that comes last, but for what is deprecated, into
// what is seen at a glance: where words follow it, it is typed as often as any
// option.
func endInSight(items []item) {
	n := len(items)
	for n > 0 && items[n-1].deprecated {
		n--
	}
	if n <= glance || items[n-1].value != "--" {
		return
	}
	end := items[n-1]
	copy(items[glance:], items[glance-1:n-1])
	items[glance-1] = end
}

// once keeps the last answer of a question that every candidate asks again.
func once(f func(string) bool) func(string) bool {
	if f == nil {
		return nil
	}
	asked, last, answer := false, "", false
	return func(s string) bool {
		if !asked || s != last {
			asked, last, answer = true, s, f(s)
		}
		return answer
	}
}

// holds reports whether what a shell would insert unasked is risky: the only
// candidate, or the common prefix where it is itself a candidate (--force of
// --force and --force-with-lease).
func holds(cs []Candidate, typed string, m resolvers.Match) bool {
	if len(cs) == 0 || m > resolvers.SmartCase {
		return false
	}
	common := cs[0].Value
	for _, c := range cs[1:] {
		n := 0
		for n < len(common) && n < len(c.Value) && common[n] == c.Value[n] {
			n++
		}
		common = common[:n]
	}
	if common == typed {
		return false
	}
	for _, c := range cs {
		if c.Raises && c.Value == common {
			return true
		}
	}
	return false
}
