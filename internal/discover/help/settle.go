package help

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// settle decides, once all rows of a text are known, what names with one dash
// and several letters are.
func settle(n *draft.Node) {
	single, double := 0, 0
	for _, f := range n.Flags {
		for _, name := range f.Names {
			switch {
			case draft.Long(name):
				double++
			case !draft.Short(name) && lower(name[len(name)-1]):
				single++
			}
		}
	}
	n.SingleDashLong = single > 2 && single*4 > double
	guessValues(n)
	families := letterFamilies(n)
	for _, f := range slices.Clone(n.Flags) {
		if f.Arity == draft.None {
			f.Values = nil
		}
		var names []string
		for _, name := range f.Names {
			if tail := f.Metavar; len(tail) > 1 && !draft.Long(name) && len(f.Names) > 1 && name[2:] == tail && capitals(tail) {
				name = name[:2] // "-IPATH, --include=PATH"
			}
			if before, tail := wordTail(name); tail != "" {
				name = before
				f.Arity, f.Metavar = draft.Required, tail
			}
			if !n.SingleDashLong && mixedBundle(name) {
				for _, c := range name[1 : len(name)-1] {
					n.Flags = append(n.Flags, &draft.Flag{Names: []string{"-" + string(c)}, Arity: draft.None, ArityAt: f.ArityAt, At: f.At})
				}
				name = "-" + name[len(name)-1:]
			}
			if !n.SingleDashLong && !families[name[:2]] || capitalTail(name) && placeholder(name[2:]) {
				name = unglue(f, name)
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		f.Names = names
	}
}

// letterFamilies are the letters, "-s", behind which three or more options have
// one more letter each: "-sS", "-sT", "-sN".
func letterFamilies(n *draft.Node) map[string]bool {
	count := map[string]int{}
	for _, f := range n.Flags {
		for _, name := range f.Names {
			if len(name) == 3 && !draft.Long(name) {
				count[name[:2]]++
			}
		}
	}
	out := map[string]bool{}
	for first, k := range count {
		out[first] = k > 2
	}
	return out
}

// capitalTail reports whether a name is a letter with a value in capitals behind
// it, "-fFILE".
func capitalTail(name string) bool {
	if draft.Long(name) || len(name) < 4 || !lower(name[1]) {
		return false
	}
	return capitals(name[2:]) && !strings.ContainsAny(name[2:], "-")
}

// wordTail splits a capital letter from the word for its value behind it,
// "-Dname", "-Akey", "-Olevel".
func wordTail(name string) (before, tail string) {
	if len(name) < 4 || name[0] != '-' || !upper(name[1]) {
		return name, ""
	}
	switch name[2:] {
	case "key", "name", "prop", "property", "symbol", "macro", "define", "level", "file", "dir", "path", "directory", "value", "option", "flag", "var", "num", "seconds":
		return name[:2], name[2:]
	}
	return name, ""
}

// mixedBundle reports whether a name is letters in both cases that are no word:
// "-ilrsD".
func mixedBundle(name string) bool {
	if len(name) < 4 || name[0] != '-' || draft.Long(name) || upper(name[1]) || strings.Contains(name, "-") && strings.LastIndexByte(name, '-') > 0 {
		return false
	}
	return upper(name[len(name)-1]) && lower(name[len(name)-2]) && !strings.ContainsAny(name[1:], "aeiouy_.+") || bundle(name) && upper(name[len(name)-1]) && lower(name[len(name)-2])
}

// placeholder reports whether a word in capitals is one that stands for a value
// in many programs.
func placeholder(w string) bool {
	switch w {
	case "FILE", "DIR", "DIRECTORY", "PATH", "NAME", "NUM", "NUMBER", "COUNT", "LEVEL", "SIZE", "BYTES", "USER", "HOST", "PORT", "STRING", "VALUE", "LIST", "MODE", "TYPE", "FORMAT", "PATTERN", "TIME", "SECS", "SECONDS", "WIDTH", "COLS", "LINES", "CMD", "COMMAND", "ARG", "URL", "LIB", "PREFIX", "SUFFIX":
		return true
	}
	return false
}

// unglue splits a letter from the value that stands right behind it.
func unglue(f *draft.Flag, name string) string {
	if draft.Long(name) || draft.Short(name) || len(name) < 3 {
		return name
	}
	if capitalTail(name) || len(name) == 3 && lower(name[1]) && upper(name[2]) && name[2] == 'N' {
		if f.Arity != draft.Required && f.Arity != draft.Optional {
			f.Arity = draft.Required
			f.Metavar = name[2:]
		}
		return name[:2]
	}
	if strings.Trim(name[1:], name[1:2]) == "" {
		f.Repeatable = true
		return name[:2]
	}
	return name
}
