package project

import (
	"path/filepath"
	"slices"
	"strings"
)

// testWords may stand beside the name of one test.
var testWords = []string{"run", "execute", "test", "tests", "case", "function", "called", "named", "just", "only", "benchmark", "rerun", "debug"}

// testNamed reads words that hold the name of one test as its source writes it,
// "TestLogin" or "test_login": the command that runs it, where the project has it.
// Go and Rust name it to their own tool; what other words say is read elsewhere.
func (p *Project) testNamed(s said) *Play {
	name := ""
	for _, w := range s.raw {
		switch l := strings.ToLower(w); {
		case slices.Contains(testWords, l) || slices.Contains(p.roles.Fillers, l):
		case name == "" && isTestName(w):
			name = w
		default:
			return nil
		}
	}
	if name == "" {
		return nil
	}
	for _, u := range p.here() {
		e, end, mark := u.eco("go"), "_test.go", "func "+name+"("
		argv := []string{"go", "test", "./...", "-run", name}
		if strings.HasPrefix(name, "Benchmark") {
			argv = []string{"go", "test", "./...", "-bench", name}
		}
		if e == nil || !u.facts["go-module"] {
			e, end, mark = u.eco("rust"), ".rs", "fn "+name+"("
			argv = []string{"cargo", "test", name}
			if u.holds("fact:cargo-part") {
				argv = []string{"cargo", "test", "--workspace", name}
			}
		}
		if e == nil || len(e.rivals) > 0 {
			continue
		}
		if file := p.fileWith(u.dir, end, mark); file != "" {
			evidence := append(slices.Clone(e.Evidence), Evidence{u.rel(file), lineOf([]byte(p.str(file)), mark), name})
			return &Play{Role: "test", Runner: argv[0], Name: "test", Argv: argv, Dir: u.rdir(), Manager: e.Manager, Evidence: evidence, eco: e.Name}
		}
	}
	return nil
}

// isTestName reports whether a word is written as functions of tests are: a name of
// Go with its capital, or words joined by "_".
func isTestName(w string) bool {
	if strings.ContainsFunc(w, func(r rune) bool { return !isNameRune(r) || r == '.' || r == '-' }) {
		return false
	}
	for _, start := range [...]string{"Test", "Benchmark", "Example", "Fuzz"} {
		if rest, ok := strings.CutPrefix(w, start); ok && rest != "" && (rest[0] == '_' || rest[0] >= 'A' && rest[0] <= 'Z' || rest[0] >= '0' && rest[0] <= '9') {
			return true
		}
	}
	return strings.Contains(w, "_") && strings.ToLower(w) == w
}

// maxSources bounds the sources that are read for the name of one test.
const maxSources = 2000

// fileWith is the first source below a directory that holds a text, "" for none.
func (p *Project) fileWith(dir, end, text string) string {
	found, read := "", 0
	p.walk(dir, 0, func(at string, entries []Entry) {
		for _, e := range entries {
			if found != "" || read > maxSources {
				return
			}
			if path := filepath.Join(at, e.Name); !e.Dir && strings.HasSuffix(e.Name, end) {
				read++
				if strings.Contains(p.str(path), text) {
					found = path
				}
			}
		}
	})
	return found
}
