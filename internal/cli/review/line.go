package review

import (
	"slices"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

// line is a line of text that is being typed.
type line struct {
	runes []rune
	at    int // where the next one goes
}

func newLine(text string) line {
	r := []rune(text)
	return line{r, len(r)}
}

func (l *line) text() string { return string(l.runes) }

// key takes a key and reports whether it was one for editing.
func (l *line) key(k tea.KeyPressMsg) bool {
	switch k.String() {
	case "backspace":
		if l.at > 0 {
			l.at--
			l.runes = slices.Delete(l.runes, l.at, l.at+1)
		}
	case "delete":
		if l.at < len(l.runes) {
			l.runes = slices.Delete(l.runes, l.at, l.at+1)
		}
	case "left", "ctrl+b":
		l.at = max(0, l.at-1)
	case "right", "ctrl+f":
		l.at = min(len(l.runes), l.at+1)
	case "home", "ctrl+a":
		l.at = 0
	case "end", "ctrl+e":
		l.at = len(l.runes)
	case "ctrl+u":
		l.runes, l.at = slices.Clone(l.runes[l.at:]), 0
	case "ctrl+k":
		l.runes = l.runes[:l.at]
	case "ctrl+w":
		from := l.at
		for from > 0 && l.runes[from-1] == ' ' {
			from--
		}
		for from > 0 && l.runes[from-1] != ' ' {
			from--
		}
		l.runes = slices.Delete(l.runes, from, l.at)
		l.at = from
	default:
		if k.Text == "" || k.Mod.Contains(tea.ModAlt) {
			return false
		}
		l.insert(k.Text)
	}
	return true
}

// insert puts a text where the cursor is, without what cannot be printed.
func (l *line) insert(text string) {
	typed := slices.DeleteFunc([]rune(text), func(r rune) bool { return !unicode.IsPrint(r) && r != ' ' })
	l.runes = slices.Insert(l.runes, l.at, typed...)
	l.at += len(typed)
}

// view shows as much of the line as fits into columns, the place of the cursor
// as "_" under what is not there yet, or between angle marks.
func (l *line) view(columns int, paint func(string) string) string {
	before, under, after := string(l.runes[:l.at]), " ", ""
	if l.at < len(l.runes) {
		under, after = string(l.runes[l.at]), string(l.runes[l.at+1:])
	}
	before, under, after = screen.Printable(before), screen.Printable(under), screen.Printable(after)
	for screen.Width(before)+screen.Width(under) > columns && before != "" {
		_, n := firstRune(before)
		before = before[n:]
	}
	room := columns - screen.Width(before) - screen.Width(under)
	return before + paint(under) + screen.Clip(after, max(0, room))
}

func firstRune(s string) (rune, int) {
	for i, r := range s {
		if i > 0 {
			return r, i
		}
	}
	return 0, len(s)
}
