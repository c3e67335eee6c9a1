package review

import (
	tea "charm.land/bubbletea/v2"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// form is an item that is being edited.
type form struct {
	item   *item
	fields []field
	lines  []line
	at     int
	fault  string
}

func (m *model) startEdit() {
	it := m.current()
	if it == nil {
		return
	}
	m.edit = form{item: it, fields: fieldsOf(it)}
	for _, f := range m.edit.fields {
		m.edit.lines = append(m.edit.lines, newLine(f.text))
	}
	m.mode = editing
}

func (m *model) editKey(k tea.KeyPressMsg) {
	f := &m.edit
	switch k.String() {
	case "esc":
		m.mode = browsing
	case "up", "shift+tab":
		f.at = max(0, f.at-1)
	case "down", "tab":
		f.at = min(len(f.fields)-1, f.at+1)
	case "enter":
		m.applyEdit()
	default:
		f.lines[f.at].key(k)
		f.fault = ""
	}
}

// applyEdit puts the form into the map, if the map is one with it.
func (m *model) applyEdit() {
	f := &m.edit
	back := f.item.snapshot()
	for i, fd := range f.fields {
		if f.lines[i].text() == fd.text {
			continue
		}
		if err := fd.set(f.lines[i].text()); err != nil {
			back()
			f.at, f.fault = i, fd.name+": "+err.Error()
			return
		}
	}
	source := m.r.Source
	if _, problems := opmap.Parse(source.File, source.Encode(), opmap.ParseOptions{}); problems.Err() != nil {
		back()
		p := problems[0]
		f.fault = p.Reason
		return
	}
	m.mode = browsing
	if f.item.undo == nil {
		f.item.undo = back
	}
	f.item.edited, f.item.state, m.dirty, m.changed = true, accepted, true, true
	m.note = "edited and accepted"
}
