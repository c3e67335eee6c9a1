package rtk

import (
	"cmp"
	"slices"
	"strings"
)

const (
	maxRules   = 24
	minSupport = 2    // lines that a rule must have been seen to take
	maxKinds   = 4000 // distinct lines that are looked at
	blankRule  = `^\s*$`
)

// induce finds expressions for lines that may be left out. They take none of
// the lines that must stay, whole lines alone, and are sorted by what they
// leave out. Lines stand in the order of the samples; each may come often.
func induce(drop, keep []string) []string {
	stay := make(map[string]bool, len(keep))
	for _, l := range keep {
		stay[l] = true
	}
	var kinds []*template
	seen := map[string]*template{}
	blanks := false
	for _, l := range drop {
		if strings.TrimSpace(l) == "" {
			blanks = true
			continue
		}
		if stay[l] {
			continue
		}
		t := templateOf(l)
		if k := seen[t.key()]; k != nil {
			k.lines++
		} else if len(kinds) < maxKinds {
			seen[t.key()] = t
			kinds = append(kinds, t)
		}
	}
	rules := append(marked(drop, keep), cluster(kinds, keep)...)
	slices.SortStableFunc(rules, func(a, b *template) int { return cmp.Compare(b.lines, a.lines) })
	var out []string
	if blanks && !slices.ContainsFunc(keep, func(l string) bool { return strings.TrimSpace(l) == "" }) {
		out = append(out, blankRule)
	}
	for _, t := range rules {
		e := t.expression()
		if slices.ContainsFunc(out, func(o string) bool {
			return strings.HasSuffix(o, ".*$") && strings.HasPrefix(e, strings.TrimSuffix(o, ".*$"))
		}) {
			continue // a rule for all that begin so is there
		}
		if len(out) < maxRules && t.lines >= minSupport && t.says() && !slices.Contains(out, e) && takesNone(e, keep) {
			out = append(out, e)
		}
	}
	return out
}

// marked makes a template of the lines that begin with a mark of what went well
// (a tick, "ok 3 -"), whatever name stands behind it.
func marked(drop, keep []string) []*template {
	var out []*template
	index := map[string]int{}
	for _, l := range drop {
		t := templateOf(l)
		n := 1
		switch {
		case len(t.tokens) < 2:
			continue
		case strings.ContainsAny(t.tokens[0].text, "✓✔√") && len(t.tokens[0].text) <= 3, t.tokens[0].text == "PASS":
		case t.tokens[0].text == "ok" && t.tokens[1].text == "0":
			if n = 2; len(t.tokens) > 2 && t.tokens[2].text == "-" {
				n = 3
			}
		default:
			continue
		}
		if len(t.tokens) <= n {
			continue
		}
		m := &template{tokens: append(slices.Clone(t.tokens[:n]), token{blanks: " ", text: anything}), lines: 1}
		e := m.expression()
		if i, ok := index[e]; ok {
			out[i].lines++
		} else if takesNone(e, keep) {
			index[e] = len(out)
			out = append(out, m)
		}
	}
	return out
}

// says reports whether a template spells a word: one of slots and signs alone
// takes lines of any meaning.
func (t *template) says() bool {
	for _, tok := range t.tokens {
		if tok.values == nil && (tells(tok.text) || tok.text == anything) {
			return true
		}
	}
	return false
}

// cluster merges templates as long as what comes of it takes no line that must
// stay.
func cluster(kinds []*template, keep []string) []*template {
	groups := map[string][]*template{}
	var order []string
	for _, k := range kinds {
		shape := string(rune('0'+min(len(k.tokens), 1000))) + k.end
		if groups[shape] == nil {
			order = append(order, shape)
		}
		merged := false
		for i, g := range groups[shape] {
			m := merge(g, k)
			if m == nil || !takesNone(m.expression(), keep) {
				continue
			}
			groups[shape][i] = m
			merged = true
			break
		}
		if !merged {
			groups[shape] = append(groups[shape], k)
		}
	}
	var out []*template
	for _, shape := range order {
		out = append(out, groups[shape]...)
	}
	return out
}

// takesNone reports whether an expression takes none of the lines.
func takesNone(expression string, lines []string) bool {
	re, err := compile(expression)
	return err == nil && !slices.ContainsFunc(lines, re.match)
}

// idle reports whether a line tells only that something is going on, or that
// nothing had to be done: what a person would leave out of a log.
func idle(line string) bool {
	words := strings.FieldsFunc(strings.ToLower(line), func(c rune) bool { return !word(c) && c != '-' })
	for i, w := range words {
		switch w {
		case "unchanged", "up-to-date", "uptodate", "cached", "cache", "skipping", "checking", "downloading",
			"downloaded", "fetching", "resolving", "extracting", "unpacking", "reusing", "reading", "loading", "loaded", "scanning",
			"processing", "verifying", "preparing", "waiting", "pulling", "collecting", "analyzing", "parsing", "copying", "visiting":
			return true
		case "debug", "trace", "verbose":
			return i < 4
		case "already":
			return i+1 < len(words) && strings.Contains(" installed up satisfied downloaded built compiled ", " "+words[i+1]+" ")
		case "date":
			if i >= 2 && words[i-1] == "to" && words[i-2] == "up" {
				return true
			}
		}
	}
	return false
}
