// Package code reads what a script says of its own options: the usage in its
// comments and texts, the documentation that lies in it, and the calls by which
// it parses its command line. Nothing is run. It is for scripts whose help cannot
// be had; shell, Perl and Python are read.
package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/discover/help"
)

// Parse drafts the tree of a script from its source. A source in a language that
// is not read gives an empty node.
func Parse(src, tool string) *draft.Node {
	n := &draft.Node{Name: tool, At: draft.Place{Source: draft.Code, Line: 1}}
	if read := readers[language(src)]; read != nil {
		read(n, src)
	}
	return n
}

// readers read sources, by the program that their first line names, without its
// version.
var readers = map[string]func(*draft.Node, string){
	"sh": readShell, "bash": readShell, "dash": readShell, "ksh": readShell, "zsh": readShell, "ash": readShell, "mksh": readShell,
	"perl": readPerl, "python": readPython, "pypy": readPython,
}

func readShell(n *draft.Node, src string) {
	shell(n, src)
	addUsage(n, shellUsage(src))
}

func readPerl(n *draft.Node, src string) {
	perl(n, src)
	addUsage(n, pod(src))
	addUsage(n, usageTexts(src))
}

func readPython(n *draft.Node, src string) {
	python(n, src)
	addUsage(n, usageTexts(src))
}

// language is the program that reads a script by its first line, "" for one whose
// language is not read.
func language(src string) string {
	first, _, _ := strings.Cut(src, "\n")
	if !strings.HasPrefix(first, "#!") {
		return ""
	}
	words := strings.FieldsFunc(first[2:], func(r rune) bool { return r == ' ' || r == '\t' || r == '/' || r == '\r' })
	for _, w := range words {
		if w = strings.TrimRight(w, "0123456789."); readers[w] != nil {
			return w
		}
	}
	return ""
}

// addUsage reads a text as help is read; what it says counts as said by code.
func addUsage(n *draft.Node, text string) {
	if text == "" {
		return
	}
	n.Merge(help.ParseLines(help.Lines(named(text, n.Name)), []string{n.Name}, draft.Code))
}

// selves are the ways in which a script writes its own name into a text.
var selves = pattern(`\$\(basename "?\$\{?0\}?"?\)|` + "`basename \"?\\$0\"?`" +
	`|\$\{0##\*/\}|\$\{?0\b\}?|%\(prog\)s|%prog|\$\{?(?:PROGNAME|progname|PROGRAM_NAME|PROGRAM|program|PROG|prog|SCRIPT_NAME|me|ME|self|SELF)\}?`)

// named writes the tool's name where a script's text has what stands for it.
func named(text, tool string) string {
	return selves().ReplaceAllLiteralString(text, tool)
}

// at is the place of an offset in a source.
func at(src string, offset int) draft.Place {
	return draft.Place{Source: draft.Code, Line: 1 + strings.Count(src[:offset], "\n")}
}

// flag makes an option of names as they are typed.
func flag(where draft.Place, arity draft.Arity, names ...string) *draft.Flag {
	return &draft.Flag{Names: names, Arity: arity, ArityAt: where, At: []draft.Place{where}}
}

// option is a name with the dashes that its length asks for.
func option(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// letters adds the options of a specification of getopts: "ab:c::".
func letters(n *draft.Node, spec string, where draft.Place) {
	spec = strings.TrimLeft(spec, ":+-")
	for i := 0; i < len(spec); i++ {
		if c := spec[i]; c != '?' && c != '#' && c|0x20 < 'a' || c > 'z' {
			if c < '0' || c > '9' {
				continue
			}
		}
		arity, name := draft.None, "-"+spec[i:i+1]
		for i+1 < len(spec) && spec[i+1] == ':' {
			arity++ // None, Required, Optional
			i++
		}
		n.AddFlag(flag(where, min(arity, draft.Optional), name))
	}
}

// words adds the long options of a list: "help,file:,color::", or of Python's
// getopt, "file=".
func words(n *draft.Node, list []string, where draft.Place) {
	for _, w := range list {
		name := strings.TrimRight(w, ":=")
		if !longName().MatchString(name) {
			continue
		}
		arity := draft.None + draft.Arity(min(len(w)-len(name), 2))
		n.AddFlag(flag(where, arity, "--"+name))
	}
}

var longName = pattern(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

var (
	// anyCommand is a usage line of whichever sub-command is meant: its options
	// are not the tool's.
	anyCommand = pattern(`(?i)\busage:?\s+\S+\s+\$\{?\w`)
	usageWord  = pattern(`(?i)\busage:?\s`)
	literal    = pattern(`(?s)"""(.*?)"""|'''(.*?)'''|<<\s*~?["']?([A-Z_]+)["']?;?[^\n]*\n(.*?)\n\s*([A-Z_]+)\n|(?:\becho|\bprintf?)\s+(?:-\w+\s+)*'([^']*)'|"((?:[^"\\]|\\.)*)"`)
)

// maxLiterals bounds how many texts of one script are looked at.
const maxLiterals = 5000

// usageTexts are the texts of a script that show how it is called.
func usageTexts(src string) string {
	var out []string
	for _, m := range literal().FindAllStringSubmatch(src, maxLiterals) {
		text := m[1] + m[2] + m[4] + m[6] + m[7]
		if m[4] != "" && m[3] != m[5] {
			continue
		}
		if !usageWord().MatchString(text) || anyCommand().MatchString(text) {
			continue
		}
		if m[7] != "" {
			text = strings.NewReplacer(`\n`, "\n", `\t`, "        ", `\"`, `"`, `\$`, "$").Replace(text)
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n\n")
}
