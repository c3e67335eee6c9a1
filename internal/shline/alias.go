package shline

import "strings"

// ExpandAlias returns the texts of the words of a command with its alias put in
// place, as the shell would: an alias that begins with another's name is
// expanded on, none twice; after one that ends in a blank the next word is
// looked at too; only an unquoted word is an alias. Of an alias that holds
// several commands the last one counts, as it is the one that takes the words.
// Shift is how many places the words that were not expanded have moved.
func ExpandAlias(d Dialect, words []Word, aliases map[string]string) (texts []string, shift int) {
	texts = Texts(words)
	if len(words) == 0 || len(aliases) == 0 {
		return texts, 0
	}
	out := make([]string, 0, len(words)+4)
	next := 0
	for next < len(words) {
		w := words[next]
		head, blank, ok := expand(d, w.Raw, w.Text, aliases)
		if !ok {
			break
		}
		out = append(out, head...)
		next++
		if !blank {
			break
		}
	}
	if next == 0 {
		return texts, 0
	}
	out = append(out, texts[next:]...)
	return out, len(out) - len(words)
}

// expand returns the words that an alias stands for, and whether it ends in a
// blank.
func expand(d Dialect, raw, text string, aliases map[string]string) (words []string, blank, ok bool) {
	var seen []string
	var tail []string
	for raw == text {
		body, found := aliases[text]
		if !found {
			break
		}
		for _, s := range seen {
			if s == text {
				found = false
			}
		}
		if !found {
			break
		}
		seen = append(seen, text)
		if len(tail) == 0 {
			blank = strings.HasSuffix(body, " ") || strings.HasSuffix(body, "\t")
		}
		c := At(d, body, len(body))
		if c.Cursor.Raw != "" {
			c.Words = append(c.Words, c.Cursor)
		}
		if len(c.Words) == 0 {
			return tail, blank, true
		}
		tail = append(Texts(c.Words[1:]), tail...)
		raw, text = c.Words[0].Raw, c.Words[0].Text
		ok = true
	}
	if !ok {
		return nil, false, false
	}
	return append([]string{text}, tail...), blank, true
}
