package phrase

import (
	"maps"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestNormalize(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"Run  the\tTests.", "run the tests"},
		{"run tests!?", "run tests"},
		{"run tests …", "run tests"},
		{"(run) \"tests", "run tests"},
		{"dry-run the build_step", "dry run the build step"},
		{"list <name> branches", "list <name> branches"},
		{"build C++", "build c++"},     // not "build c"
		{"build C#", "build c#"},       // nor this
		{"!run tests", "!run tests"},   // a negation is not dropped
		{"-run tests", "-run tests"},   // nor an option
		{"run - tests", "run - tests"}, // nor a lone sign
		{"don't run", "don't run"},
		{"go to v1.2.3.", "go to v1.2.3"},
		{"go test ./...", "go test ./..."},
		{"go test .", "go test ."}, // not "go test"
		{"go test ...", "go test ..."},
		{"git branch -D x", "git branch -D x"},
		{"cargo publish --dry-run.", "cargo publish --dry-run"},
		{"ÜBER ÄÖ", "über äö"},
		{"", ""},
		{" \t\n", ""},
		{"!?…", ""},
	} {
		if got := Normalize(tt.in); got != tt.want {
			t.Errorf("Normalize(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		phrase, text string
		want         map[string]string // nil: no match
	}{
		{"run tests", "Run tests.", map[string]string{}},
		{"run tests", "run-tests", map[string]string{}},
		{"run tests", "run all tests", nil},
		{"run tests", "run", nil},
		{"run tests", "run tests now", nil},
		{"run tests", "don't run tests", nil},
		{"run <f> tests", "run Parser tests", map[string]string{"f": "Parser"}},
		{"run <f> tests", "run parser::unit-a tests", map[string]string{"f": "parser::unit-a"}},
		{"run <f> tests", "run tests", nil},
		{"run <f> tests", "run a b tests", nil},
		{"run <f> tests", "run 'a b' tests", map[string]string{"f": "a b"}},
		{"run <f> tests", "run \"it's\" tests", map[string]string{"f": "it's"}},
		{"checkout <b>", "checkout feature/X-1", map[string]string{"b": "feature/X-1"}},
		{"checkout <b>", "checkout $(touch x)", nil},
		{"checkout <b>", "checkout 'main'.", map[string]string{"b": "main"}},
		{"checkout <b>", "checkout 'a'b", map[string]string{"b": "'a'b"}},
		{"merge <a> into <b>", "merge x into y", map[string]string{"a": "x", "b": "y"}},
		{"copy <a> to <a>", "copy x to x", map[string]string{"a": "x"}},
		{"copy <a> to <a>", "copy x to y", nil},
		{"run tests", "'run' tests", nil}, // what is quoted is a value
		{"", "", nil},
		{"", "x", nil},
	} {
		got, ok := Parse(tt.phrase).Match(Split(tt.text))
		if ok != (tt.want != nil) || ok && !maps.Equal(got, tt.want) {
			t.Errorf("%q against %q: %v, %v; want %v", tt.text, tt.phrase, got, ok, tt.want)
		}
	}
}

// TestNormalizeIsIdempotent: the compiled map holds normalised intents, which
// are read again as phrases.
func TestNormalizeIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[a-zA-Z<>_ .,;:!?+#()\[\]/…Ü-]{0,24}`).Draw(t, "intent")
		once := Normalize(s)
		if twice := Normalize(once); twice != once {
			t.Fatalf("%q → %q → %q", s, once, twice)
		}
	})
}

// TestAnIntentMatchesItself: whatever words an intent is made of, its own text
// matches it, in any case and with any blanks.
func TestAnIntentMatchesItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-z]([a-z0-9+#/-]{0,5}[a-z0-9+#])?`), 1, 5).Draw(t, "words")
		p := Parse(strings.Join(words, " "))
		if len(p) == 0 {
			t.Skip()
		}
		said := strings.ToUpper(strings.Join(words, " \t ")) + "."
		if slots, ok := p.Match(Split(said)); !ok || len(slots) != 0 {
			t.Fatalf("%q does not match %v", said, p)
		}
	})
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"run tests", "'a b' \"c", "`x`.", "…", "\xff<a>", "<", "''"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		raw := 0
		for _, w := range Split(s) {
			raw += len(w.Raw)
			if !w.Quoted && (w.Raw == "" || strings.ContainsFunc(w.Raw, unicode.IsSpace)) {
				t.Errorf("%q has the word %q", s, w.Raw)
			}
		}
		if raw > len(s) {
			t.Errorf("the words of %q are longer than it is", s)
		}
		Parse(s).Match(Split(s))
	})
}
