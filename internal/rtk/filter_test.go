package rtk

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// one parses a file of one filter, whose keys are given, and returns it.
func one(t testing.TB, keys string) *Filter {
	t.Helper()
	f, problems := Parse("filters.toml", []byte("schema_version = 1\n[filters.f]\nmatch_command = '^cmd'\n"+keys+"\n"))
	if f == nil || len(f.Filters) != 1 {
		t.Fatalf("%s: %v", keys, problems)
	}
	return f.Filters[0]
}

// The results are worked out by hand from the documented stages.
func TestApply(t *testing.T) {
	for _, c := range []struct{ name, keys, input, want string }{
		{"nothing set", ``, "a\nb\n", "a\nb"},
		{"an empty output", ``, "", ""},
		{"CRLF", ``, "a\r\nb\r\n", "a\nb"},
		{"a carriage return without its line feed stays", ``, "a\rb\r", "a\rb\r"},
		{"colours", `strip_ansi = true`, "\x1b[31;1mred\x1b[0m plain \x1b[2K", "red plain "},
		{"colours stay unless asked", ``, "\x1b[31mred\x1b[0m", "\x1b[31mred\x1b[0m"},
		{"a private mode is no colour to RTK", `strip_ansi = true`, "\x1b[?25lx\x1b[12", "\x1b[?25lx\x1b[12"},
		{"one rule works on what the other made", "replace = [{pattern = 'a', replacement = 'b'}, {pattern = 'b+', replacement = 'c'}]", "aab\nx", "c\nx"},
		{"groups by number and name", `replace = [{pattern = '(?P<k>\w+)=(\w+)', replacement = "$2:${k}"}]`, "one=two", "two:one"},
		{"a name is as long as it can be", `replace = [{pattern = '(a)', replacement = "$1x|${1}x|$$1|$9|$"}]`, "a", "|ax|$1||$"},
		{"empty matches", `replace = [{pattern = 'x*', replacement = "-"}]`, "axb", "-a-b-"},
		{"strip", `strip_lines_matching = ['^noise', '^\s*$']`, "noise 1\nkeep\n\n  \nnot noise\n", "keep\nnot noise"},
		{"keep", `keep_lines_matching = ['^PASS', 'FAIL']`, "PASS a\nother\n1 FAIL\n", "PASS a\n1 FAIL"},
		{"strip sees what replace made", `strip_lines_matching = ['^gone$']` + "\n" + `replace = [{pattern = '\d+', replacement = "gone"}]`, "123\n123 x\n", "gone x"},
		{"truncate counts characters", `truncate_lines_at = 5`, "hello\n日本語xyz\nabcdef", "hello\n日本...\nab..."},
		{"truncate below three", `truncate_lines_at = 2`, "ab\nabc", "ab\n..."},
		{"truncate at nothing", `truncate_lines_at = 0`, "\na", "\n..."},
		{"head", `head_lines = 2`, "a\nb\nc\nd\ne", "a\nb\n... (3 lines omitted)"},
		{"head of just as many", `head_lines = 2`, "a\nb", "a\nb"},
		{"tail", `tail_lines = 2`, "a\nb\nc\nd\ne", "... (3 lines omitted)\nd\ne"},
		{"head and tail", "head_lines = 2\ntail_lines = 1", "a\nb\nc\nd\ne", "a\nb\n... (2 lines omitted)\ne"},
		{"head and tail that meet", "head_lines = 2\ntail_lines = 3", "a\nb\nc\nd\ne", "a\nb\nc\nd\ne"},
		{"one line is called lines too", "head_lines = 1\ntail_lines = 1", "a\nb\nc", "a\n... (1 lines omitted)\nc"},
		{"max", `max_lines = 3`, "a\nb\nc\nd\ne", "a\nb\nc\n... (2 lines truncated)"},
		{"max counts the line that tells of head", "head_lines = 3\nmax_lines = 2", "a\nb\nc\nd", "a\nb\n... (2 lines truncated)"},
		{"on_empty", "strip_lines_matching = ['.']\non_empty = 'nothing left'", "a\nb\n", "nothing left"},
		{"on_empty for blanks", "on_empty = 'nothing left'", " \n\t\n", "nothing left"},
		{"no on_empty", "strip_lines_matching = ['.']", "a\n", ""},
		{"match_output ends it all", "max_lines = 1\non_empty = 'x'\n[[filters.f.match_output]]\npattern = 'up to date'\nmessage = 'nothing to do'", "a\nb is up to date\nc", "nothing to do"},
		{"the first rule wins", "match_output = [{pattern = 'zz', message = '1'}, {pattern = 'a', message = '2'}, {pattern = 'b', message = '3'}]", "b\na", "2"},
		{"unless", "match_output = [{pattern = 'ended', message = 'short', unless = '(?i)error'}]", "Error: x\nended", "Error: x\nended"},
		{"unless that does not match", "match_output = [{pattern = 'ended', message = 'short', unless = '(?i)error'}]", "x\nended", "short"},
		{"an empty unless matches all", "match_output = [{pattern = 'ended', message = 'short', unless = ''}]", "ended", "ended"},
		{"match_output sees lines joined", `match_output = [{pattern = 'a\nb$', message = 'hit'}]`, "a\r\nb\r\n", "hit"},
		{"match_output comes before strip", "strip_lines_matching = ['^x']\nmatch_output = [{pattern = 'xy', message = 'hit'}]", "xy", "hit"},
		{"bytes that are no text", ``, "a\xff\xe2\x82b\xf0\x9f\x98", "a\ufffd\ufffdb\ufffd"},
		{"\\d is every decimal digit", `strip_lines_matching = ['^\d+$']`, "12\n١٢\nx", "x"},
		{"\\w is every letter", `strip_lines_matching = ['^\w+$']`, "naïve_1\n日本\na b", "a b"},
		{"\\s is every blank", `strip_lines_matching = ['^\s+$']`, "\u00a0\u2003\n-", "-"},
		{"\\b knows letters beyond ASCII", `strip_lines_matching = ['\bna\b']`, "na ïve\nnaïve\nxna", "naïve\nxna"},
		{"\\b in a substitution", `replace = [{pattern = '\b(\w)', replacement = "<$1>"}]`, "élan vital", "<é>lan <v>ital"},
		{"classes", `strip_lines_matching = ['^[\w.]+$', '^[^\s]+!$', '^[\S]-$']`, "é.é\na!\n é!\ny-\n", " é!"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := one(t, c.keys).Apply(c.input); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestMatches(t *testing.T) {
	f := &Filter{}
	f.command, _ = compile(`^codegen\.sh( |$)`)
	for line, want := range map[string]bool{
		"./scripts/codegen.sh":        true,
		"/x/codegen.sh --fast":        true,
		"codegen.shx":                 false,
		"bash ./scripts/codegen.sh":   false,
		"scripts/codegen.sh a b":      true,
		"other ./scripts/codegen.sh ": false,
	} {
		if got := f.Matches(strings.Split(line, " ")); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
	if got := CommandLine([]string{"/usr/bin/make", "a b", "-j4"}); got != "make a b -j4" {
		t.Errorf("%q", got)
	}
}

// What Rust's regex crate refuses, or reads otherwise, must not pass here.
func TestCompile(t *testing.T) {
	for pattern, want := range map[string]string{
		`a{2,3}b{2,}c{4}`: "", `\{x\}`: "", `x\/y\-z\ `: "", `[]a]`: "", `[^]a]`: "", `[a\]b]`: "", `[[:alpha:]_]`: "", `(?i)x(?s:.)`: "",
		`(?P<n>a)(?<m>b)`: "", `\x41\x{42}\u0043\u{44}\U00000045`: "", `\pL\p{Greek}\P{Nd}`: "", `}`: "", `a]`: "",
		`x{`: "not closed", `{2}`: "nothing to repeat", `a|{2}`: "nothing to repeat", `x{a}`: "no repetition", `x{,3}`: "no repetition",
		`(?=x)`: "looking around", `(?<!x)`: "looking around", `\1`: "not supported", `\Qx\E`: "not supported", `(`: "missing", `[a`: "not closed",
		`\`: "backslash", `(?q)x`: "no flag", `*`: "missing argument", `\xg0`: "hexadecimal",
		`[a&&b]`: "cannot be checked here", `[a[b]]`: "cannot be checked here", `[a--b]`: "cannot be checked here", `(?x) a`: "cannot be checked here",
		`\<a`: "cannot be checked here", `\b{start}`: "cannot be checked here", `\p{Alphabetic}`: "cannot be checked here",
	} {
		_, err := compile(pattern)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", pattern, err, want)
		}
		if strings.HasPrefix(want, "cannot") != errors.Is(err, errUnsupported) {
			t.Errorf("%s: %v", pattern, err)
		}
	}
}

// With text of ASCII alone our own matcher must agree with Go's.
func TestSearchAgreesWithGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`(\\b|\\B|a|b+|\(a\|b\)|[ab]\*\??|\^|\$|\.|\(ab\)\?){1,6}`).Draw(t, "pattern")
		text := rapid.StringMatching(`[ab \n]{0,12}`).Draw(t, "text")
		r, err := compile(`\b|` + pattern)
		if err != nil {
			t.Skip()
		}
		want := regexp.MustCompile(`\b|`+pattern).FindAllStringSubmatchIndex(text, -1)
		var got [][]int
		for at, end := 0, -1; at <= len(text); {
			m := search(r.prog, text, at)
			if m == nil {
				break
			}
			if m[0] != m[1] || m[0] != end {
				got = append(got, slices.Clone(m))
			}
			end = m[1]
			if at = m[1]; m[0] == m[1] {
				at++
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%q in %q: %v, Go has %v", pattern, text, got, want)
		}
	})
}

// byHand applies a filter of plain words the long way.
func byHand(f *Filter, output string) string {
	var lines []string
	for l := range strings.Lines(output) {
		lines = append(lines, strings.TrimSuffix(l, "\n"))
	}
	for i := range lines {
		for _, r := range f.Replace {
			lines[i] = strings.ReplaceAll(lines[i], r.Pattern, r.Replacement)
		}
	}
	for _, m := range f.MatchOutput {
		all := strings.Join(lines, "\n")
		if strings.Contains(all, m.Pattern) && (m.Unless == nil || !strings.Contains(all, *m.Unless)) {
			return m.Message
		}
	}
	hit := func(l string, words []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(l, w) })
	}
	var kept []string
	for _, l := range lines {
		if len(f.StripLines) > 0 && hit(l, f.StripLines) || len(f.KeepLines) > 0 && !hit(l, f.KeepLines) {
			continue
		}
		if n := f.TruncateLinesAt; n != nil && utf8.RuneCountInString(l) > *n {
			l = string([]rune(l)[:max(*n-3, 0)]) + "..."
		}
		kept = append(kept, l)
	}
	total := len(kept)
	var out []string
	dropped := 0
	for i, l := range kept {
		early, late := f.HeadLines != nil && i < *f.HeadLines, f.TailLines != nil && i >= total-*f.TailLines
		if f.HeadLines == nil && f.TailLines == nil || early || late {
			if dropped > 0 {
				out = append(out, fmt.Sprintf("... (%d lines omitted)", dropped))
				dropped = 0
			}
			out = append(out, l)
			continue
		}
		dropped++
	}
	if dropped > 0 {
		out = append(out, fmt.Sprintf("... (%d lines omitted)", dropped))
	}
	if f.MaxLines != nil && len(out) > *f.MaxLines {
		out = append(slices.Clone(out[:*f.MaxLines]), fmt.Sprintf("... (%d lines truncated)", len(out)-*f.MaxLines))
	}
	text := strings.Join(out, "\n")
	if f.OnEmpty != nil && strings.Trim(text, " \n") == "" {
		return *f.OnEmpty
	}
	return text
}

func TestApplyIsItsStages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.StringMatching(`[abc ]{1,2}`)
		number := rapid.Ptr(rapid.IntRange(0, 6), true)
		f := &Filter{
			Name: "f", MatchCommand: "^f", TruncateLinesAt: number.Draw(t, "truncate"), HeadLines: number.Draw(t, "head"),
			TailLines: number.Draw(t, "tail"), MaxLines: number.Draw(t, "max"),
			OnEmpty: rapid.Ptr(rapid.Just("nothing"), true).Draw(t, "empty"),
		}
		switch rapid.IntRange(0, 2).Draw(t, "lines") {
		case 1:
			f.StripLines = rapid.SliceOfN(letters, 1, 3).Draw(t, "strip")
		case 2:
			f.KeepLines = rapid.SliceOfN(letters, 1, 3).Draw(t, "keep")
		}
		for range rapid.IntRange(0, 2).Draw(t, "rules") {
			f.Replace = append(f.Replace, Replace{Pattern: letters.Draw(t, "from"), Replacement: letters.Draw(t, "to")})
			if rapid.Bool().Draw(t, "answer") {
				f.MatchOutput = append(f.MatchOutput, MatchOutput{Pattern: letters.Draw(t, "pattern"), Message: "answer", Unless: rapid.Ptr(letters, true).Draw(t, "unless")})
			}
		}
		output := rapid.StringMatching(`([abcdé ]{0,7}\n){0,9}`).Draw(t, "output")
		if f.HeadLines != nil && f.TailLines != nil && len(strings.Split(output, "\n"))-1 <= *f.HeadLines+*f.TailLines {
			f.TailLines = nil
		}
		file, problems := Parse("f", []byte("schema_version = 1\n"+Encode(f, nil, []string{"a filter"})))
		if file == nil || len(file.Filters) != 1 {
			t.Fatalf("%v", problems)
		}
		if got, want := file.Filters[0].Apply(output), byHand(f, output); got != want {
			t.Fatalf("%q\ngot  %q\nwant %q", output, got, want)
		}
	})
}
