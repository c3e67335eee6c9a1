package api

import "strings"

// isSlotName reports whether a text is the name of a parameter: "owner", "body.title".
func isSlotName(s string) bool {
	if s == "" || len(s) > 128 || s[0] < 'a' || s[0] > 'z' || strings.HasSuffix(s, ".") {
		return false
	}
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_.") == ""
}

// part is a piece of a text with slots: literal text, or the name of a slot.
type part struct {
	text string
	slot bool
}

// split takes a text apart at its slots. What looks like one and is none is text.
func split(text string) []part {
	var out []part
	literal := 0
	for i := 0; i < len(text); i++ {
		if text[i] != '<' {
			continue
		}
		end := strings.IndexByte(text[i:], '>')
		if end < 0 {
			break
		}
		if name := text[i+1 : i+end]; isSlotName(name) {
			if i > literal {
				out = append(out, part{text: text[literal:i]})
			}
			out = append(out, part{text: name, slot: true})
			i += end
			literal = i + 1
		}
	}
	if literal < len(text) {
		out = append(out, part{text: text[literal:]})
	}
	return out
}

func slotsIn(text string) []string {
	var out []string
	for _, p := range split(text) {
		if p.slot {
			out = append(out, p.text)
		}
	}
	return out
}

// only is the slot that a text is, if it is nothing else.
func only(text string) (name string, ok bool) {
	parts := split(text)
	if len(parts) != 1 || !parts[0].slot {
		return "", false
	}
	return parts[0].text, true
}
