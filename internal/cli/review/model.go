package review

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// mode is what the keys mean.
type mode uint8

const (
	browsing mode = iota
	filtering
	editing
	naming  // who reviewed it
	leaving // with something that is not saved
	helping
)

// model is the state of the screen.
type model struct {
	r             Request
	all           []*item
	shown         []*item // those that pass the filter
	at, top       int     // the item under the cursor, the first one on the screen
	scroll        int     // lines that the texts are moved by
	width, height int
	mode          mode
	filter        line
	onlyOpen      bool
	onlyMissing   bool
	edit          form
	name          line
	note          string // of what happened, until the next key
	dirty         bool   // something is not saved
	changed       bool   // the map is not what it was
	aborted       bool
	texts         textCache
}

func newModel(r Request) *model {
	m := &model{r: r, width: 80, height: 24, name: newLine(r.Reviewer)}
	m.load(r.Source)
	return m
}

// load lists the items of a map and marks those that were accepted before.
func (m *model) load(s *opmap.Source) {
	m.r.Source = s
	m.all = items(s, m.r.Missing)
	for _, it := range m.all {
		if m.r.Accepted[it.hash(s.Tool)] {
			it.state = accepted
		}
	}
	m.pass()
}

// Init starts nothing.
func (m *model) Init() tea.Cmd { return nil }

// Update takes a key or a new size of the window.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		m.note = ""
		if msg.String() == "ctrl+c" {
			m.aborted = m.dirty
			return m, tea.Quit
		}
		return m, m.key(msg)
	case tea.PasteMsg:
		m.pasted(msg.Content)
	}
	return m, nil
}

// pasted takes what was pasted: it is text, and no command.
func (m *model) pasted(text string) {
	m.note = ""
	switch m.mode {
	case filtering:
		m.filter.insert(text)
		m.pass()
	case editing:
		m.edit.lines[m.edit.at].insert(text)
		m.edit.fault = ""
	case naming:
		m.name.insert(text)
	default:
		m.note = "what is pasted is not taken for keys"
	}
}

func (m *model) key(k tea.KeyPressMsg) tea.Cmd {
	switch m.mode {
	case filtering:
		m.filterKey(k)
	case editing:
		m.editKey(k)
	case naming:
		return m.nameKey(k)
	case leaving:
		return m.leaveKey(k)
	case helping:
		m.mode = browsing
	default:
		return m.browseKey(k)
	}
	return nil
}

// browseKey takes a key while nothing is typed.
func (m *model) browseKey(k tea.KeyPressMsg) tea.Cmd {
	if m.moveKey(k.String()) {
		return nil
	}
	switch k.String() {
	case "a", "space":
		m.decide(accepted)
		m.move(1)
	case "A":
		m.acceptAll()
	case "x":
		m.decide(rejected)
		m.move(1)
	case "u":
		m.undo()
	case "e", "enter":
		m.startEdit()
	case "/":
		m.mode = filtering
	case "o":
		m.onlyOpen = !m.onlyOpen
		m.pass()
	case "m":
		m.onlyMissing = !m.onlyMissing
		m.pass()
	case "esc":
		m.filter, m.onlyOpen, m.onlyMissing = line{}, false, false
		m.pass()
	case "?":
		m.mode = helping
	case "w", "ctrl+s":
		return m.save()
	case "q":
		if !m.dirty && !m.whole() {
			return tea.Quit
		}
		return m.leave()
	}
	return nil
}

// moveKey moves the cursor or the texts and reports whether the key is for that.
func (m *model) moveKey(key string) bool {
	page := max(1, m.layout().rows-1)
	switch key {
	case "down", "j":
		m.move(1)
	case "up", "k":
		m.move(-1)
	case "pgdown", "ctrl+f":
		m.move(page)
	case "pgup", "ctrl+b":
		m.move(-page)
	case "home", "g":
		m.move(-len(m.shown))
	case "end", "G":
		m.move(len(m.shown))
	case "n":
		m.nextOpen()
	case "J", "shift+down", "right":
		m.scroll++
	case "K", "shift+up", "left":
		m.scroll--
	case "tab":
		m.scroll = m.nextHit()
	default:
		return false
	}
	return true
}

func (m *model) move(by int) {
	m.at = max(0, min(len(m.shown)-1, m.at+by))
	m.scroll = 0
}

// nextOpen goes to the next item that is not decided, from the top again after
// the last.
func (m *model) nextOpen() {
	for i := range m.shown {
		at := (m.at + 1 + i) % len(m.shown)
		if m.shown[at].state == open {
			m.at, m.scroll = at, 0
			return
		}
	}
	m.note = "nothing here is open"
}

func (m *model) current() *item {
	if m.at < len(m.shown) {
		return m.shown[m.at]
	}
	return nil
}

// decide sets what becomes of the current item; of a command that is rejected
// all that belongs to it goes too.
func (m *model) decide(s state) {
	it := m.current()
	switch {
	case it == nil:
		return
	case s == rejected && it.node != nil && it.parent == nil:
		m.note = "the tool itself cannot be rejected: quit, and remove the file"
		return
	case s == rejected && it.node != nil:
		for _, other := range m.all {
			if other.below(it.node, m.all) {
				other.state = rejected
			}
		}
	default:
		it.state = s
	}
	m.dirty = true
}

// acceptAll accepts what is shown of the current command and beneath it, and
// that a text names: what no text names is looked at by itself.
func (m *model) acceptAll() {
	it := m.current()
	if it == nil {
		return
	}
	n, left, done := it.node, 0, 0
	if n == nil {
		n = it.parent
	}
	for _, other := range m.shown {
		switch {
		case other.state != open || n != nil && !other.below(n, m.all) || n == nil && other.op == nil:
		case other.missing || other.op != nil && n != nil:
			left++
		default:
			other.state, m.dirty = accepted, true
			done++
		}
	}
	m.note = fmt.Sprintf("%d accepted", done)
	if left > 0 {
		m.note += fmt.Sprintf(", %d left: no text names them", left)
	}
}

// undo opens the current item again, and takes its edits back.
func (m *model) undo() {
	it := m.current()
	if it == nil {
		return
	}
	if it.undo != nil {
		it.undo()
		it.undo, it.edited = nil, false
	}
	if it.node != nil && it.state == rejected {
		for _, other := range m.all {
			if other.below(it.node, m.all) {
				other.state = open
			}
		}
	}
	it.state, m.dirty = open, true
}

// pass lists the items that the filter lets through.
func (m *model) pass() {
	here := m.current()
	m.shown = m.shown[:0:0]
	needle := strings.ToLower(m.filter.text())
	for _, it := range m.all {
		text := strings.ToLower(strings.Join(it.path, " ") + " " + it.label() + " " + description(it))
		if m.onlyOpen && it.state != open || m.onlyMissing && !it.missing || !strings.Contains(text, needle) {
			continue
		}
		m.shown = append(m.shown, it)
	}
	m.at, m.scroll = 0, 0
	for i, it := range m.shown {
		if it == here {
			m.at = i
		}
	}
}

func description(it *item) string {
	switch {
	case it.flag != nil:
		return it.flag.Description
	case it.arg != nil:
		return it.arg.Description
	case it.op != nil:
		return it.op.Description + " " + it.op.Template + " " + strings.Join(it.op.Intents, " ")
	}
	return it.node.Description
}

func (m *model) filterKey(k tea.KeyPressMsg) {
	switch k.String() {
	case "enter", "down", "up":
		m.mode = browsing
	case "esc":
		m.mode, m.filter = browsing, line{}
		m.pass()
	default:
		if m.filter.key(k) {
			m.pass()
		}
	}
}

// counts are the numbers of items by what became of them.
func (m *model) counts() (n [3]int, missing int) {
	for _, it := range m.all {
		n[it.state]++
		if it.missing && it.state != rejected {
			missing++
		}
	}
	return n, missing
}

// whole reports whether nothing is open.
func (m *model) whole() bool {
	n, _ := m.counts()
	return n[open] == 0 && n[accepted] > 0
}
