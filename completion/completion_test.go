package completion

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func level(l tcpdb.Level) tcpdb.Descriptor {
	return tcpdb.Descriptor{Flags: tcpdb.Flags(0).WithLevel(l)}
}

// engine answers from a small map in git's manner.
func engine(t testing.TB) *Engine {
	b := tcpdb.NewBuilder()
	b.Tool(&tcpdb.Node{
		Path: "vc", Name: "vc", Bits: tcpdb.Interspersed,
		Flags: []tcpdb.Flag{{ID: "C", Names: []string{"-C"}, Value: tcpdb.RequiredValue, Spec: tcpdb.ValueSpec{Kind: tcpdb.DirSpec}}},
		Subs: []*tcpdb.Node{
			{
				Path: "vc reset", Name: "reset", Description: "move the branch", Bits: tcpdb.Interspersed,
				Flags: []tcpdb.Flag{
					{ID: "hard", Names: []string{"--hard"}, Group: "mode"},
					{ID: "soft", Names: []string{"--soft"}, Group: "mode"},
					{ID: "quiet", Names: []string{"-q", "--quiet"}, Negatable: true},
				},
				Args: []tcpdb.Arg{{Name: "commit", Spec: tcpdb.ValueSpec{Kind: tcpdb.EnumSpec, Enum: []tcpdb.EnumValue{{Value: "HEAD"}, {Value: "main"}}}}},
			},
			{
				Path: "vc push", Name: "push", Bits: tcpdb.Interspersed,
				Flags: []tcpdb.Flag{
					{ID: "force", Names: []string{"-f", "--force"}},
					{ID: "force-with-lease", Names: []string{"--force-with-lease"}, Value: tcpdb.OptionalValue},
					{ID: "color", Names: []string{"--color"}, Value: tcpdb.OptionalValue, Spec: tcpdb.ValueSpec{Kind: tcpdb.EnumSpec, Enum: []tcpdb.EnumValue{{Value: "always"}, {Value: "never"}, {Value: "auto"}}}},
					{ID: "fields", Names: []string{"--fields"}, Value: tcpdb.RequiredValue, Spec: tcpdb.ValueSpec{Kind: tcpdb.EnumSpec, List: ",", Enum: []tcpdb.EnumValue{{Value: "name"}, {Value: "size"}}}},
				},
			},
			{Path: "vc show", Name: "show", Aliases: []string{"display"}, Args: []tcpdb.Arg{{Name: "file", Spec: tcpdb.ValueSpec{Kind: tcpdb.FileSpec}, Repeatable: true}}},
			{Path: "vc secret", Name: "secret", Bits: tcpdb.HiddenNode},
		},
	})
	b.Tool(&tcpdb.Node{
		Path: "boat", Name: "boat", Bits: tcpdb.Interspersed | tcpdb.Partial,
		Subs: []*tcpdb.Node{{Path: "boat exec", Name: "exec", Bits: tcpdb.Partial, Wrapper: tcpdb.Wrapper{Mode: tcpdb.WrapWords, Skip: 1}}},
	})
	b.Tool(&tcpdb.Node{Path: "sudo", Name: "sudo", Flags: []tcpdb.Flag{{ID: "user", Names: []string{"-u"}, Value: tcpdb.RequiredValue}}, Wrapper: tcpdb.Wrapper{Mode: tcpdb.WrapWords, Assignments: true}})
	b.Entry(tcpdb.Entry{Key: "vc reset", Descriptor: level(tcpdb.Medium)})
	b.Variant(tcpdb.Variant{Entry: tcpdb.Entry{Key: "vc reset", Descriptor: level(tcpdb.Critical), Rule: "vc.reset.hard"}, All: []string{"hard"}})
	b.Entry(tcpdb.Entry{Key: "vc push", Descriptor: level(tcpdb.Medium)})
	b.Variant(tcpdb.Variant{Entry: tcpdb.Entry{Key: "vc push", Descriptor: level(tcpdb.High)}, Any: []string{"force"}})
	b.Entry(tcpdb.Entry{Key: "vc show", Descriptor: level(tcpdb.Safe)})
	data, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	im, err := tcpdb.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	v := tcpdb.NewView(nil)
	v.Add(tcpdb.SystemLayer, im)
	return &Engine{Map: v, Resolvers: all.Table()}
}

func values(a Answer) string {
	var vs []string
	for _, c := range a.Candidates {
		s := c.Value
		if c.NoSpace {
			s += "…"
		}
		if c.Raises {
			s += "!"
		}
		vs = append(vs, s)
	}
	return strings.Join(vs, " ")
}

// ask completes at the "|" of the line.
func ask(t testing.TB, e *Engine, shell, line string, change ...func(*Request)) Answer {
	t.Helper()
	point := strings.IndexByte(line, '|')
	r := Request{Shell: shell, Line: line[:point] + line[point+1:], Point: point, Limit: -1, Dir: t.TempDir()}
	for _, f := range change {
		f(&r)
	}
	return e.Complete(context.Background(), r)
}

func TestCandidates(t *testing.T) {
	e := engine(t)
	for _, c := range []struct{ line, want string }{
		{"vc |", "reset push show"},
		{"vc s|", "show"},
		{"vc di|", "display"},
		{"vc sh|", "show"},
		{"vc ush|", "push"}, // no prefix fits: substring
		{"vc PU|", ""},      // upper case means upper case
		{"vc zzz|", ""},
		{"vc reset |", "HEAD main"},
		{"vc reset --|", "--soft --quiet --no-…  --hard!"},
		{"vc reset --n|", "--no-quiet"},
		{"vc reset --no-|", "--no-quiet"},
		{"vc reset -|", "--soft --quiet -C --hard!"},
		{"vc reset -q|", "-q -qC"},
		{"vc reset --hard --|", "--quiet --no-…"},
		{"vc reset --quiet --so|", "--soft"},
		{"vc reset HEAD |", "--soft --quiet -C --hard!"}, // only options can follow,
		{"vc push --color|", "--color --color=…"},
		{"vc push --color=|", "--color=always --color=never --color=auto"},
		{"vc push --color=n|", "--color=never"},
		{"vc push --fields |", "name size"},
		{"vc push --fields name,|", "name,size"},
		{"vc push --fields=name,s|", "--fields=name,size"},
		{"vc push --fo|", "--force-with-lease --force-with-lease=… --force!"},
		{"sudo -u root vc re|", "reset"},
		{"A=1 vc re| x", "reset"},
		{"echo $(vc re|", "reset"},
		{"true && vc re|", "reset"},
		{"< in vc re|", "reset"},
		{"vc -C / re|", "reset"},
		{"vc secret|", "secret"},
		{"vc sec|", ""},
	} {
		if got, want := values(ask(t, e, "bash", c.line)), strings.Join(strings.Fields(c.want), " "); got != want {
			t.Errorf("%s\n got %s\nwant %s", c.line, got, want)
		}
	}
}

func TestUnmappedIsNotHandled(t *testing.T) {
	e := engine(t)
	for _, line := range []string{"svn |", "v|", "echo $HO|", "A=|", "# vc |", "|"} {
		if a := ask(t, e, "bash", line); a.Handled || len(a.Candidates) > 0 {
			t.Errorf("%s: handled, %d candidates", line, len(a.Candidates))
		}
	}
}

// TestPartialMapIsLeftToTheShell: what is known of a tool for judging alone is
// no map to complete from, but a command that it carries is.
func TestPartialMapIsLeftToTheShell(t *testing.T) {
	e := engine(t)
	for _, line := range []string{"boat ", "boat ex", "boat exec ", "boat exec -", "sudo boat "} {
		if a := e.Complete(context.Background(), Request{Shell: "bash", Line: line, Point: len(line)}); a.Handled || len(a.Candidates) > 0 {
			t.Errorf("%q is handled: %s", line, values(a))
		}
	}
	line := "boat exec c vc reset --h"
	if a := e.Complete(context.Background(), Request{Shell: "bash", Line: line, Point: len(line)}); values(a) != "--hard!" {
		t.Errorf("%q: %s", line, values(a))
	}
}

func TestLevels(t *testing.T) {
	a := ask(t, engine(t), "bash", "vc reset --|")
	want := map[string]tcpdb.Level{"--hard": tcpdb.Critical, "--soft": tcpdb.Medium, "--quiet": tcpdb.Medium}
	for _, c := range a.Candidates {
		if l, ok := want[c.Value]; ok && (l != c.Level || c.Raises != (l == tcpdb.Critical)) {
			t.Errorf("%s: %v raises %v", c.Value, c.Level, c.Raises)
		}
	}
}

func TestHold(t *testing.T) {
	e := engine(t)
	for _, c := range []struct {
		line  string
		armed bool
		hold  bool
	}{
		{"vc reset --h|", false, true},
		{"vc reset --h|", true, false},
		{"vc reset --hard|", false, false}, // typed out: nothing would be inserted
		{"vc reset --s|", false, false},
		{"vc rese| --hard", false, false}, // what is typed already raised the line
		{"vc reset --h| HEAD", false, true},
		{"vc push --fo|", false, true}, // the common prefix is --force
		{"vc push --|", false, false},
	} {
		a := ask(t, e, "bash", c.line, func(r *Request) { r.Armed = c.armed })
		if a.Hold != c.hold {
			t.Errorf("%s armed %v: hold %v", c.line, c.armed, a.Hold)
		}
	}
}

func TestTextRightOfTheCursor(t *testing.T) {
	e := engine(t)
	for _, c := range []struct {
		line, want string
		end        int // of Replace
	}{
		{"vc re|set", "reset", 8},
		{"vc re|et", "reset", 7},
		{"vc re|x", "reset…", 5},
		{"vc |ow", "show", 5},
	} {
		a := ask(t, e, "bash", c.line)
		if values(a) != c.want || a.Replace.End != c.end {
			t.Errorf("%s: %s, replaces up to %d", c.line, values(a), a.Replace.End)
		}
	}
}

func TestFiles(t *testing.T) {
	e := engine(t)
	home := t.TempDir()
	for _, name := range []string{"a b", "[x]", "it's", "$(touch x)", "-rf", "two\nlines", ".hidden", "~"} {
		if err := os.WriteFile(filepath.Join(home, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(home, "dir"), 0o700); err != nil {
		t.Fatal(err)
	}
	in := func(r *Request) {
		r.Dir = home
		r.Getenv = func(k string) string {
			if k == "HOME" {
				return home
			}
			return ""
		}
	}
	for _, c := range []struct{ shell, line, want string }{
		{"bash", "vc show a|", `a\ b`},
		{"bash", "vc show ~/a|", `~/a\ b`},
		{"bash", "vc show $HOME/a|", `$HOME/a\ b`},
		{"bash", `vc show "a|`, `"a b"`},
		{"bash", `vc show 'a|`, `'a b'`},
		{"bash", "vc show [|", `\[x\]`},
		{"bash", "vc show it|", `it\'s`},
		{"fish", "vc show ~/[|", `~/\[x\]`},
		{"zsh", "vc show ~/d|", `~/dir/`},
		{"bash", "vc show .h|", `.hidden`},
	} {
		a := ask(t, e, c.shell, c.line, in)
		if len(a.Candidates) != 1 || a.Candidates[0].Insert != c.want {
			t.Errorf("%s: %s: %+v, want %s", c.shell, c.line, a.Candidates, c.want)
		}
	}
	for _, c := range ask(t, e, "bash", "vc show |", in).Candidates {
		if strings.ContainsAny(c.Insert, "\n\x1b") || strings.ContainsAny(c.Display, "\n\x1b") {
			t.Errorf("%q shows or inserts a control character", c.Insert)
		}
	}
}

// What all begin with is known where the list is cut, if it is a whole part.
func TestCommon(t *testing.T) {
	e := engine(t)
	dir := t.TempDir()
	for i := range 300 {
		name := "report-" + string(rune('a'+i%26)) + strings.Repeat("x", i/26)
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	common := func(limit int) string {
		a := ask(t, e, "bash", "vc show re|", func(r *Request) { r.Dir, r.Limit = dir, limit })
		if a.Common != a.CommonInsert {
			t.Errorf("%q would be inserted for %q", a.CommonInsert, a.Common)
		}
		return a.Common
	}
	for limit, want := range map[int]string{7: "report-", -1: "report-", 0: "", 400: ""} {
		if got := common(limit); got != want {
			t.Errorf("limit %d: %q, want %q", limit, got, want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "rest"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := common(7); got != "" {
		t.Errorf("with another file: %q", got)
	}
}

func TestLimit(t *testing.T) {
	e := engine(t)
	dir := t.TempDir()
	for i := range 300 {
		name := "f" + string(rune('a'+i%26)) + strings.Repeat("x", i/26)
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for limit, want := range map[int]int{-1: 200, 0: 300, 7: 7} {
		a := ask(t, e, "bash", "vc show f|", func(r *Request) { r.Dir, r.Limit = dir, limit })
		if len(a.Candidates) != want || a.Omitted != 300-want {
			t.Errorf("limit %d: %d candidates, %d omitted", limit, len(a.Candidates), a.Omitted)
		}
	}
}

func TestAliases(t *testing.T) {
	e := engine(t)
	for _, c := range []struct {
		aliases map[string]string
		line    string
		want    string
	}{
		{map[string]string{"v": "vc"}, "v re|", "reset"},
		{map[string]string{"v": "vc -C /"}, "v re|", "reset"},
		{map[string]string{"s": "sudo ", "v": "vc"}, "s v re|", "reset"},
		{map[string]string{"vc": "vc -C /"}, "vc re|", "reset"},
		{map[string]string{"a": "b", "b": "a"}, "a re|", ""},
		{map[string]string{"r": "vc reset"}, "r --ha|", "--hard!"},
	} {
		a := ask(t, e, "bash", c.line, func(r *Request) { r.Aliases = c.aliases })
		if values(a) != c.want {
			t.Errorf("%v %s: %s", c.aliases, c.line, values(a))
		}
	}
}

func TestWords(t *testing.T) {
	e := engine(t)
	a := e.Complete(context.Background(), Request{Words: []string{"vc", "reset", "--s"}, Limit: -1})
	if values(a) != "--soft" || a.Replace != (tcpdb.Span{Start: 0, End: 3}) {
		t.Errorf("%s %v", values(a), a.Replace)
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain":           "plain",
		"été":             "été",
		"a\x1b[31mb":      `a\x1b[31mb`,
		"two\nlines":      `two\nlines`,
		"\u202etxt.exe":   `\u202etxt.exe`,
		"zero\u200bwidth": `zero\u200bwidth`,
		"bad\xff":         `bad\xff`,
		"\u009b31m":       `\u009b31m`,
	} {
		if got := Clean(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := Clean(strings.Repeat("x", 5000)); len(got) > maxShown+len("…") {
		t.Errorf("%d bytes shown", len(got))
	}
}

func TestLooseMatchIsSaid(t *testing.T) {
	e := engine(t)
	if a := ask(t, e, "bash", "vc ush|"); a.Match != resolvers.Substring {
		t.Errorf("match %d", a.Match)
	}
}

// Any bytes in any shell: no panic, replacements in range, nothing unprintable shown.
func FuzzComplete(f *testing.F) {
	for _, s := range []string{"vc re", "vc show ~/", "sudo vc $(vc ", "vc reset --h", "'\"`$((", "vc show \xff\x00"} {
		f.Add(s, len(s))
	}
	e := engine(f)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, line string, point int) {
		for _, shell := range []string{"bash", "zsh", "fish", ""} {
			a := e.Complete(context.Background(), Request{Shell: shell, Line: line, Point: point, Dir: dir, Limit: -1})
			if a.Replace.Start < 0 || a.Replace.Start > a.Replace.End || a.Replace.End > len(line) {
				t.Fatalf("%s %q: replaces %v", shell, line, a.Replace)
			}
			if slices.ContainsFunc(a.Candidates, func(c Candidate) bool { return strings.ContainsAny(c.Display, "\x00\x1b\n") }) {
				t.Fatalf("%s %q: control character shown", shell, line)
			}
		}
	})
}

// Options that are plain words are offered beside the arguments, and their
// values after them.
func TestKeywords(t *testing.T) {
	b := tcpdb.NewBuilder()
	closed := func(words ...string) tcpdb.ValueSpec {
		s := tcpdb.ValueSpec{Kind: tcpdb.EnumSpec}
		for _, w := range words {
			s.Enum = append(s.Enum, tcpdb.EnumValue{Value: w})
		}
		return s
	}
	b.Tool(&tcpdb.Node{Name: "road", Path: "road", Bits: tcpdb.Interspersed | tcpdb.Keywords, Flags: []tcpdb.Flag{
		{ID: "via", Names: []string{"via"}, Value: tcpdb.RequiredValue, Spec: closed("north", "south")},
		{ID: "fast", Names: []string{"fast"}},
		{ID: "verbose", Names: []string{"--verbose"}},
	}, Args: []tcpdb.Arg{{Name: "to", Spec: closed("fair", "home")}}})
	data, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	im, err := tcpdb.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	e := &Engine{Map: tcpdb.NewView(im), Resolvers: all.Table()}
	for _, c := range []struct{ line, want string }{
		{"road ", "fair home via fast"},
		{"road f", "fair fast"},
		{"road home ", "via fast"},
		{"road home via ", "north south"},
		{"road via south home fast ", ""},
		{"road -", "--verbose"},
		{"road -- f", "fair"},
	} {
		a := e.Complete(context.Background(), Request{Line: c.line, Point: len(c.line), Dir: t.TempDir(), Limit: -1})
		var got []string
		for _, x := range a.Candidates {
			got = append(got, x.Value)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s|: %s, want %s", c.line, s, c.want)
		}
	}
}

func TestUsualBundles(t *testing.T) {
	b := tcpdb.NewBuilder()
	word := func(s string) tcpdb.EnumValue { return tcpdb.EnumValue{Value: s} }
	b.Tool(&tcpdb.Node{Name: "lst", Path: "lst", Flags: []tcpdb.Flag{
		{
			ID: "l", Names: []string{"-l"}, Description: "Long form",
			Spec: tcpdb.ValueSpec{Kind: tcpdb.EnumSpec, Enum: []tcpdb.EnumValue{word("-la"), word("-law"), word("-lh")}},
		},
		{ID: "all", Names: []string{"-a", "--all"}, Description: "Everything"},
		{ID: "h", Names: []string{"-h"}, Description: "Readable"},
		{ID: "width", Names: []string{"-w", "--width"}, Value: tcpdb.RequiredValue, Description: "Width"},
	}})
	data, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	im, err := tcpdb.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	e := &Engine{Map: tcpdb.NewView(im), Resolvers: all.Table()}
	for _, c := range []struct{ line, want string }{
		{"lst -l", "-l -la -law -lh -lw"},
		{"lst -la", "-la -law -lah"},
		{"lst -a", "-a -al -ah -aw"}, // nothing is usual with it
	} {
		var got []string
		a := e.Complete(context.Background(), Request{Line: c.line, Point: len(c.line), Dir: t.TempDir(), Limit: -1})
		for _, x := range a.Candidates {
			got = append(got, x.Value)
			if x.Value == "-la" && c.line == "lst -l" && x.Description != "Long form; Everything" {
				t.Errorf("%s: -la is described as %q", c.line, x.Description)
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, want %s", c.line, s, c.want)
		}
	}
}
