package shape

import (
	"strconv"
	"strings"
)

const mark = "[tmp] "

func itoa(n int) string { return strconv.Itoa(n) }

// plural is "1 line" or "2 lines".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if noun == "more match" {
		return itoa(n) + " more matches"
	}
	return itoa(n) + " " + noun + "s"
}

// render joins what is shown. Where lines may matter that were left out, each
// gap is marked; a last line of ours says what was left out in all.
func (s *Shaper) render() (text string, shown, cut int) {
	var b strings.Builder
	entries := s.ledger.lines()
	asides := s.asides
	next, open := 0, false
	last := -1 // the line shown last
	var of *stream
	closeLine := func() {
		if open {
			b.WriteByte('\n')
			open = false
		}
	}
	gap := func(n int) {
		if left := s.ledger.gap(next, n, s.found.gaps); left > 0 && (n < s.ledger.total || left < s.ledger.total) {
			b.WriteString(mark + plural(left, "line") + " omitted\n")
		}
	}
	for _, e := range entries {
		for len(asides) > 0 && asides[0].n <= e.n {
			closeLine()
			b.WriteString(asides[0].text + "\n")
			asides = asides[1:]
		}
		if e.note {
			if e.of < 0 || e.of == last {
				closeLine()
				b.WriteString(mark + e.text + "\n")
				next = max(next, e.n+1)
			}
			continue
		}
		if !e.event {
			closeLine()
		}
		if st := s.ledger.whose(e.n); st != of {
			closeLine()
			of = st
			if st != nil && st.name != "" && e.n != last {
				b.WriteString(mark + st.name + "\n")
			}
		}
		if e.n != last {
			shown++
			if e.n > next {
				if s.ledger.gap(next, e.n, s.found.gaps) > 0 {
					closeLine()
				}
				gap(e.n)
			}
		}
		b.WriteString(e.text)
		if open = e.joined; !open {
			b.WriteByte('\n')
		}
		cut += e.cut
		last, next = e.n, e.n+1
	}
	closeLine()
	for _, a := range asides {
		b.WriteString(a.text + "\n")
	}
	gap(s.ledger.total)
	s.closing(&b)
	return b.String(), shown, cut
}

// closing writes the last line: what was counted, and what was left out.
func (s *Shaper) closing(b *strings.Builder) {
	var parts []string
	if s.options.Ended && s.options.Status != 0 {
		parts = append(parts, "exit status "+itoa(s.options.Status))
	}
	if s.ledger.left() > 0 {
		var left []string
		dull := 0
		for k, n := range s.ledger.omitted {
			if w := kind(k).words(); w == "" {
				dull += n
			} else if n > 0 {
				left = append(left, itoa(n)+" "+w)
			}
		}
		if dull > 0 {
			left = append(left, itoa(dull)+" routine")
		}
		parts = append(parts, itoa(s.ledger.left())+" of "+plural(s.ledger.total, "line")+" left out: "+strings.Join(left, ", "))
	}
	if len(parts) > 0 {
		b.WriteString(mark + strings.Join(parts, "; ") + "\n")
	}
}

// words names a kind in a sentence, without words of success; it is empty for
// those that say nothing of their own, which are counted as one.
func (k kind) words() string {
	switch k {
	case blanks, headings, progress, hints, events:
		return ""
	case passing:
		return "test"
	case packages:
		return "package"
	case frames:
		return "frame"
	case capped:
		return "over the cap"
	}
	w, _ := strings.CutSuffix(k.String(), "_lines")
	return strings.ReplaceAll(w, "_", " ")
}
