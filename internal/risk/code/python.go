package code

import "strings"

// imports returns the names that Python's import statements give to others:
// import subprocess as s; from os import remove.
func imports(s []token) map[string]string {
	var named map[string]string
	add := func(name, full string) {
		if named == nil {
			named = map[string]string{}
		}
		named[name] = full
	}
	for i := 0; i+1 < len(s); i++ {
		switch {
		case s[i].literal:
		case s[i].text == "from" && i+3 < len(s) && s[i+2].text == "import":
			module := s[i+1].text
			for i += 3; i < len(s) && s[i].text != ";"; i++ {
				if s[i].text == "as" && i+1 < len(s) {
					add(s[i+1].text, module+"."+s[i-1].text)
					i++
				} else if isWord(s[i].text[0]) {
					add(s[i].text, module+"."+s[i].text)
				}
			}
		case s[i].text == "as" && i > 0:
			add(s[i+1].text, s[i-1].text)
		}
	}
	return named
}

// imported returns the full name of what a dotted name stands for.
func imported(named map[string]string, name string) string {
	first, rest, dotted := strings.Cut(name, ".")
	full, ok := named[first]
	switch {
	case !ok:
		return name
	case dotted:
		return full + "." + rest
	}
	return full
}

// magic returns the shell lines that IPython runs: lines that begin with "!".
func magic(code string) []string {
	var lines []string
	if strings.IndexByte(code, '!') < 0 {
		return nil
	}
	for line := range strings.Lines(code) {
		if shell, ok := strings.CutPrefix(strings.TrimSpace(line), "!"); ok {
			lines = append(lines, shell)
		}
	}
	return lines
}
