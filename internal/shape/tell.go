package shape

import (
	"path"
	"slices"
	"strings"
)

// replace leaves out the lines of documents that are shown in another way.
func (g *ledger) replace(spans []span) {
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	inside := func(n int) bool {
		i, found := slices.BinarySearchFunc(spans, n, func(s span, n int) int { return s.from - n })
		return found || i > 0 && n <= spans[i-1].to
	}
	g.retract(unselected, func(e entry) bool { return inside(e.n) })
	g.notes = slices.DeleteFunc(g.notes, func(e entry) bool { return inside(e.n) })
	g.alarms = slices.DeleteFunc(g.alarms, func(a alarmed) bool { return inside(a.n) })
	for n := max(0, g.total-recentN); n < g.total; n++ {
		if inside(n) {
			g.fates[n%recentN] = kinds // it is told of, and not to be revealed
		}
	}
}

// tell shows findings where their document was.
func (s *Shaper) tell(r reports, form string) {
	at := r.spans[0].to
	base := shared(r.finds)
	head := plural(len(r.finds), "finding") + " read from " + form
	if base != "" {
		head += ", paths below " + base
	}
	if len(r.counts) > 0 {
		head += "; " + strings.Join(r.counts, ", ")
	}
	s.ledger.note(at, head)
	same := map[string][]find{}
	for _, f := range r.finds {
		k := f.level + "\x00" + f.rule + "\x00" + f.text
		same[k] = append(same[k], f)
	}
	told := 0
	for i, f := range r.finds {
		k := f.level + "\x00" + f.rule + "\x00" + f.text
		if all := same[k]; len(all) > 0 {
			delete(same, k)
			if told++; told > maxTold {
				s.ledger.note(at, plural(len(r.finds)-i, "finding")+" not listed here")
				break
			}
			s.tellOne(at, all, base)
		}
	}
	s.found.failures += len(r.finds)
	s.found.gaps = false
	add(s.found.fields, "findings", len(r.finds))
}

// tellOne shows what several findings say alike, with the places of all.
func (s *Shaper) tellOne(at int, all []find, base string) {
	f := all[0]
	if f.why != nil {
		s.ledger.note(at, "failed: "+f.text)
		for _, l := range f.why {
			s.ledger.note(at, "  "+l)
		}
		return
	}
	places := places{all: f.level != "warning"}
	for _, f := range all {
		places.add(strings.TrimPrefix(f.file, base), f.line, f.col)
	}
	words := []string{}
	for _, w := range []string{places.String(), f.level, f.rule} {
		if w != "" {
			words = append(words, w)
		}
	}
	said, _ := shorten([]byte(strings.ReplaceAll(f.text, "\n", " ")), alarm)
	s.ledger.note(at, strings.Join(words, " ")+": "+string(said))
}

// shared is the directory above the one that the files of all findings are in.
// A path that is relative is short as it is.
func shared(finds []find) string {
	base, any := "", false
	for _, f := range finds {
		if f.why != nil || f.file == "" {
			continue
		}
		if !any {
			base, any = path.Dir(path.Dir(f.file))+"/", true
		}
		for !strings.HasPrefix(f.file, base) {
			if base = path.Dir(strings.TrimSuffix(base, "/")) + "/"; len(base) < 4 {
				return ""
			}
		}
	}
	if !path.IsAbs(base) || len(base) < 4 {
		return ""
	}
	return base
}

// places lists where something is: "a.go:3:1 12:5 b.go:1:1".
type places struct {
	b    strings.Builder
	file string
	n    int
	all  bool // they are those of errors
}

func (p *places) add(file string, line, col int) {
	if p.n++; p.n > p.most() {
		return
	}
	if p.b.Len() > 0 {
		p.b.WriteByte(' ')
	}
	if file != p.file {
		p.b.WriteString(file)
		if p.file = file; line > 0 {
			p.b.WriteByte(':')
		}
	}
	if line > 0 {
		p.b.WriteString(itoa(line))
		if col > 0 {
			p.b.WriteString(":" + itoa(col))
		}
	}
}

func (p *places) String() string {
	if p.n > p.most() {
		return p.b.String() + " and " + itoa(p.n-p.most()) + " more"
	}
	return p.b.String()
}

// most is how many places are listed.
func (p *places) most() int {
	if p.all {
		return maxErrorPlaces
	}
	return maxPlaces
}
