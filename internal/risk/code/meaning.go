package code

import (
	_ "embed"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
)

// wordsTable says what the names mean that programs use. The file says what its
// columns are.
//
//go:embed words.tsv
var wordsTable string

// called is a name as a program uses it.
type called struct {
	lang     string
	name     string
	variable bool // the method of a variable that is marked as one: $x->name
}

// meanings are those of the functions that one program calls, each looked up once.
type meanings map[called]string

func (m meanings) mean(c called) string {
	means, ok := m[c]
	if !ok {
		means = meaning("call", c)
		m[c] = means
	}
	return means
}

// meaning returns what a name says to a reader: "delete", "write", "shell" and the
// like, "" for one that says nothing.
func meaning(reader string, c called) string {
	name := strings.ReplaceAll(c.name, "::", ".")
	for row := range wordlist.Rows(wordsTable, reader) {
		languages, row, _ := strings.Cut(row, "\t")
		part, row, _ := strings.Cut(row, "\t")
		means, names, _ := strings.Cut(row, "\t")
		unsigned := false
		if rest, ok := strings.CutPrefix(part, "signed "); ok {
			if part = rest; !c.variable {
				continue
			}
		}
		if part, unsigned = strings.CutPrefix(part, "unsigned "); !serves(languages, c.lang) || !fits(part, names, name) {
			continue
		}
		if unsigned && c.variable || means == "-" {
			return ""
		}
		return means
	}
	return ""
}

// serves reports whether a row of those languages is for one.
func serves(languages, lang string) bool {
	if languages[0] == '!' {
		return !wordlist.Has(languages, "!"+lang)
	}
	return languages == "*" || wordlist.Has(languages, lang)
}

// fits reports whether a dotted name is among names, compared as part says.
func fits(part, names, name string) bool {
	last := name[strings.LastIndexAny(name, ".:")+1:]
	switch part {
	case "last":
		return wordlist.Has(names, last)
	case "module":
		modules, functions, _ := strings.Cut(names, "|")
		module, _, dotted := strings.Cut(name, ".")
		return dotted && wordlist.Has(modules, module) && wordlist.Has(functions, last)
	}
	if strings.IndexByte(names, '*') < 0 {
		return wordlist.Has(names, name)
	}
	for pattern := range strings.SplitSeq(names, " ") {
		if matches(pattern, name) {
			return true
		}
	}
	return false
}

// matches reports whether a name is of a pattern in which "*" stands for any text,
// at either end or in the middle.
func matches(pattern, name string) bool {
	before, after, any := strings.Cut(pattern, "*")
	if !any {
		return pattern == name
	}
	if inner, both := strings.CutSuffix(after, "*"); both && before == "" {
		return strings.Contains(name, inner)
	}
	return len(name) >= len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after)
}
