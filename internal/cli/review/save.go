package review

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// decision is what was decided so far.
func (m *model) decision(reviewer string) Decision {
	d := Decision{Source: pruned(m.r.Source, m.all), Changed: m.changed, Reviewer: reviewer}
	for _, it := range m.all {
		switch it.state {
		case accepted:
			d.Accepted = append(d.Accepted, it.hash(m.r.Source.Tool))
		case rejected:
			d.Changed = true
		}
		d.Changed = d.Changed || it.edited
	}
	return d
}

// save keeps what was decided and goes on.
func (m *model) save() tea.Cmd {
	if err := m.put(""); err != nil {
		m.note = err.Error()
		return nil
	}
	m.note = "saved"
	return nil
}

func (m *model) put(reviewer string) error {
	d := m.decision(reviewer)
	if err := m.r.Save(d); err != nil {
		return err
	}
	m.dirty, m.changed = false, false
	if m.r.Accepted == nil {
		m.r.Accepted = map[string]bool{}
	}
	for _, h := range d.Accepted {
		m.r.Accepted[h] = true
	}
	if d.Changed {
		m.load(d.Source)
	}
	return nil
}

// leave asks what is to become of what was decided: where nothing is open any
// more, who reviewed it; else whether to save.
func (m *model) leave() tea.Cmd {
	m.mode = leaving
	if m.whole() {
		m.mode = naming
	}
	return nil
}

// nameKey takes the name of who reviewed the whole map.
func (m *model) nameKey(k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "esc":
		m.mode = browsing
	case "enter":
		name := strings.TrimSpace(m.name.text())
		if err := m.put(name); err != nil {
			m.mode, m.note = browsing, err.Error()
			return nil
		}
		return tea.Quit
	default:
		m.name.key(k)
	}
	return nil
}

// leaveKey takes the answer to whether to save.
func (m *model) leaveKey(k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "y", "enter":
		if err := m.put(""); err != nil {
			m.mode, m.note = browsing, err.Error()
			return nil
		}
		return tea.Quit
	case "n":
		return tea.Quit
	case "esc":
		m.mode = browsing
	}
	return nil
}

// question is what is asked on the last line.
func (m *model) question() string {
	n, _ := m.counts()
	if m.mode == naming {
		return fmt.Sprintf("All %d are decided. Reviewed by (empty: no record): ", n[accepted]+n[rejected])
	}
	return fmt.Sprintf("Save? %d are open still, so no review is recorded; what is accepted stays so.", n[open])
}
