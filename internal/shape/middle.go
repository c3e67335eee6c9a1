package shape

import (
	"cmp"
	"slices"
)

// middle takes the lines of a long output that are not shown for their place.
// Those that are rows of one form are compared, and the ones that deviate are
// shown; so is a line of a form of its own where nearly all others have one.
type middle struct {
	g     *ledger
	forms map[uint64]*odds
	list  []*odds
	cells []cell
	n     int
}

const (
	maxForms  = 48 // forms of rows that are told apart
	fewRows   = 16 // of one form in which nothing deviates
	maxLone   = 12 // lines with a form of their own that are shown,
	loneRows  = 2  // rows at most that such a form has
	maxMiddle = 24 // rows that are shown because they are the largest or the smallest
)

func (m *middle) add(e entry, text []byte, k kind) {
	m.n++
	var how byte
	m.cells, how = cells(text, m.cells[:0])
	if len(m.cells) < 2 { // a list of names
		m.g.dropText(e, text, k)
		return
	}
	id := form(m.cells, how)
	o := m.forms[id]
	if o == nil {
		if len(m.forms) >= maxForms || m.n > 1<<16 && len(m.list) < 2 {
			m.g.dropText(e, text, k)
			return
		}
		if m.forms == nil {
			m.forms = map[uint64]*odds{}
		}
		o = newOdds(m.g, k)
		m.forms[id] = o
		m.list = append(m.list, o)
	}
	o.kind = k
	o.add(e, text, m.cells, false)
}

func (m *middle) finish() {
	slices.SortStableFunc(m.list, func(a, b *odds) int { return cmp.Compare(b.n, a.n) })
	many, lone := 0, 0
	for _, o := range m.list {
		switch {
		case o.n >= fewRows:
			many += o.n
		case o.n <= loneRows:
			lone += o.n
		}
	}
	special := lone <= maxLone && many*10 >= m.n*8 && len(m.forms) < maxForms
	shown := 0
	for _, o := range m.list {
		switch {
		case o.n >= fewRows:
			o.sure = shown < maxMiddle
			shown += o.finish()
		case o.n <= loneRows && special:
			o.all()
		default:
			o.settle()
		}
	}
	*m = middle{g: m.g}
}
