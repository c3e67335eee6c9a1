package line

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// testView is a small map of its own, so that the rows below do not depend on
// what the core says.
func testView(t testing.TB) *tcpdb.View {
	t.Helper()
	b := tcpdb.NewBuilder()
	flag := func(id string, names ...string) tcpdb.Flag { return tcpdb.Flag{ID: id, Names: names} }
	for name, level := range map[string]tcpdb.Level{"rm": tcpdb.Critical, "cp": tcpdb.Medium, "ls": tcpdb.Safe, "echo": tcpdb.Safe, "cat": tcpdb.Safe, "printf": tcpdb.Safe, "make": tcpdb.Medium, "chmod": tcpdb.High, "alias": tcpdb.Safe, "true": tcpdb.Safe, ":": tcpdb.Safe} {
		b.Tool(&tcpdb.Node{Path: name, Name: name, Bits: tcpdb.Interspersed, Flags: []tcpdb.Flag{flag("force", "-f")}, Args: []tcpdb.Arg{{Name: "x", Repeatable: true}}})
		b.Entry(tcpdb.Entry{Key: name, Rule: name, Reason: "is " + name, Descriptor: tcpdb.Descriptor{Flags: tcpdb.Flags(0).WithLevel(level)}})
	}
	for name, w := range map[string]tcpdb.Wrapper{
		"sudo": {Mode: tcpdb.WrapWords, Adds: tcpdb.RequiresRoot | tcpdb.PrivilegeEscalation},
		"eval": {Mode: tcpdb.WrapJoined},
		"sh":   {Mode: tcpdb.WrapShell, ShellFlag: "c", Dialect: "posix"},
		"bash": {Mode: tcpdb.WrapShell, ShellFlag: "c", Dialect: "bash"},
		"fish": {Mode: tcpdb.WrapShell, ShellFlag: "c", Dialect: "fish"},
	} {
		n := &tcpdb.Node{Path: name, Name: name, Flags: []tcpdb.Flag{flag("c", "-c")}, Wrapper: w, Args: []tcpdb.Arg{{Name: "x", Repeatable: true}}}
		if w.Mode == tcpdb.WrapShell {
			n.Class = []string{"interpreter:sh"}
		}
		b.Tool(n)
	}
	b.Tool(&tcpdb.Node{Path: "python", Name: "python", Class: []string{"interpreter:python"}})
	data, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	im, err := tcpdb.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return tcpdb.NewView(im)
}

func TestJudge(t *testing.T) {
	v := testView(t)
	const safe, low, medium, high, critical = tcpdb.Safe, tcpdb.Low, tcpdb.Medium, tcpdb.High, tcpdb.Critical
	for _, tc := range []struct {
		d     shline.Dialect
		line  string
		level tcpdb.Level
		part  string // of the line, that the first finding points at
	}{
		{shline.Bash, "", safe, ""},
		{shline.Bash, "# rm x", safe, ""},
		{shline.Bash, "ls; cp a b", medium, "cp"},
		{shline.Bash, "ls && (cp a b; rm -f x)", critical, "rm"},
		{shline.Bash, "echo \"$(rm x)\"", critical, "rm"},
		{shline.Bash, "echo '$(rm x)'", safe, ""},
		{shline.Bash, "f() { rm x; }", safe, ""},
		{shline.Bash, "f() { rm x; }; g() { f; }; g", critical, "rm"},
		{shline.Bash, "f() { f | f & }; f", critical, "f"},
		{shline.Bash, "f() { f; }", safe, ""},
		{shline.Bash, "sh -c 'ls; rm x'", critical, "rm"},
		{shline.Bash, "sh -c \"sh -c 'rm x'\"", critical, "rm"},
		{shline.Bash, "eval rm x", critical, "rm"},
		{shline.Bash, "sudo ls", medium, "sudo"},
		{shline.Bash, "$CMD x", high, "$CMD"},
		{shline.Bash, "C=rm; $C x", critical, "$C"},
		{shline.Bash, "C='rm -f'; ls; $C x", critical, "$C"},
		{shline.Bash, "{rm,-f,x}", critical, "{rm,-f,x}"},
		{shline.Bash, "/bin/r? x", high, "/bin/r?"},
		{shline.Bash, "alias l='rm x'\nl", critical, "l"},
		{shline.Bash, "alias l='rm x'; true", safe, ""},
		{shline.Bash, "ls > f", medium, "> f"},
		{shline.Bash, "> f", high, "> f"},
		{shline.Bash, ": > f", high, "> f"},
		{shline.Bash, "ls 2>&1 >/dev/null", safe, ""},
		{shline.Bash, "ls > /dev/sda", critical, "> /dev/sda"},
		{shline.Bash, "echo x >> ~/.ssh/authorized_keys", high, ">> ~/.ssh/authorized_keys"},
		{shline.Bash, "{ ls; } > f", medium, "> f"},
		{shline.Bash, "echo rm x | sh", critical, "echo rm x"},
		{shline.Bash, "echo $x | sh", high, "echo $x"},
		{shline.Bash, "cat f | sudo sh", high, "sudo sh"},
		{shline.Bash, "sh <<E\nrm x\nE", critical, "rm"},
		{shline.Bash, "cat <<E\nrm x\nE", safe, ""},
		{shline.Bash, "cat <<E\n$(rm x)\nE", critical, "rm"},
		{shline.Bash, "cat <<'E'\n$(rm x)\nE", safe, ""},
		{shline.Bash, "bash <<< 'rm x'", critical, "rm"},
		{shline.Bash, "python3 -c 'import os; os.remove(\"x\")'", critical, "'import os; os.remove(\"x\")'"},
		{shline.Bash, "sh -c 'unclosed (('", high, "unclosed (("},
		{shline.Bash, "ls )", high, "ls )"},
		{shline.Bash, "rm x; ls )", critical, "rm"},
		{shline.Bash, "echo 'ls; rm x", high, "echo 'ls; rm x"},
		{shline.Zsh, "ls # x; rm y", critical, "rm"},
		{shline.Zsh, "rm x &|", critical, "rm"},
		{shline.Fish, "ls; and rm x", critical, "rm"},
		{shline.Fish, "function f; rm x; end", safe, ""},
		{shline.Fish, "function f; rm x; end; f", critical, "rm"},
		{shline.Fish, "echo (rm x)", critical, "rm"},
		{shline.Fish, "echo \"(rm x)\"", safe, ""},
		{shline.Fish, "echo '$(rm x)'", safe, ""},
		{shline.Fish, "ls > f", medium, "> f"},
		{shline.Fish, "echo rm x | sh", critical, "echo rm x"},
		{shline.Fish, "if ls; rm x; end", critical, "rm"},
		{shline.Fish, "bash -c 'ls && rm x'", critical, "rm"},
	} {
		got := Judge(v, tc.line, tc.d, risk.Facts{}, Options{})
		part := ""
		if len(got.Findings) > 0 && tc.level > safe {
			part = tc.line[got.Findings[0].Start:got.Findings[0].End]
		}
		if got.Level != tc.level || part != tc.part {
			t.Errorf("%d %q: %v at %q, want %v at %q", tc.d, tc.line, got.Level, part, tc.level, tc.part)
		}
	}
}

func TestShellAliases(t *testing.T) {
	o := Options{Aliases: map[string]string{"ls": "ls --color", "x": "rm -f", "y": "x a"}}
	for line, want := range map[string]tcpdb.Level{"ls a": tcpdb.Safe, "x a": tcpdb.Critical, "y": tcpdb.Critical, `\x a`: tcpdb.Medium} {
		if got := Judge(testView(t), line, shline.Bash, risk.Facts{}, o); got.Level != want {
			t.Errorf("%q: %v, want %v", line, got.Level, want)
		}
	}
}

func TestComplete(t *testing.T) {
	v := testView(t)
	for _, tc := range []struct {
		d    shline.Dialect
		line string
		want bool
	}{
		{shline.Bash, "ls", true},
		{shline.Bash, "ls 'a", false},
		{shline.Bash, "cat <<E\nx", false},
		{shline.Bash, "ls |", false},
		{shline.Bash, "if ls", false},
		{shline.Bash, "ls )", true},
		{shline.Bash, `rm -r \`, false},
		{shline.Bash, `ls \\`, true},
		{shline.Bash, `ls '\'`, true},
		{shline.Bash, `ls # \`, true},
		{shline.Bash, "ls \\\n-l", true},
		{shline.Zsh, `rm -r \`, false},
		{shline.Zsh, `ls # \`, false}, // at a prompt # begins no comment
		{shline.Fish, `rm -r \`, false},
		{shline.Fish, "if ls", false},
		{shline.Fish, "ls (", false},
		{shline.Zsh, "{ ls", false},
	} {
		if got := Judge(v, tc.line, tc.d, risk.Facts{}, Options{}); got.Complete != tc.want {
			t.Errorf("%d %q: complete %v", tc.d, tc.line, got.Complete)
		}
	}
}

// What a scan refuses is HIGH, and never reaches a parser.
func TestNotAnalysed(t *testing.T) {
	v := testView(t)
	for _, line := range []string{
		strings.Repeat("ls;", 30_000), "ls \x00", strings.Repeat("(", 20_000), strings.Repeat("$(", 20_000),
		strings.Repeat("if ", 20_000), strings.Repeat("while if ", 5_000), strings.Repeat("{ ", 20_000),
	} {
		for d := shline.Bash; d <= shline.Fish; d++ {
			start := time.Now()
			got := Judge(v, line, d, risk.Facts{}, Options{})
			if got.Level != tcpdb.High || got.Findings[0].Rule != "not-analysed" {
				t.Errorf("%d %.20q…: %v", d, line, got.Level)
			}
			if e := time.Since(start); e > 5*time.Second {
				t.Errorf("%d %.20q…: %v", d, line, e)
			}
		}
	}
}

// TestWorkIsBounded: a line that makes much of little is refused in time, with
// little memory.
func TestWorkIsBounded(t *testing.T) {
	view := testView(t)
	var chain strings.Builder
	for i := 2000; i > 0; i-- {
		fmt.Fprintf(&chain, "f%d(){ f%d;};", i, i+1)
	}
	for _, tt := range []struct {
		name, line string
		refused    bool
	}{
		{"doubled values", "x=aaaaaaaa;" + strings.Repeat("x=$x$x;", 100) + "ls", true},
		{"doubled by +=", "x=aaaaaaaa;" + strings.Repeat("x+=$x;", 100) + "ls", true},
		{"a long pipeline of copies", "echo x" + strings.Repeat("|tee a", 4000), true},
		{"many copies of a long list", "{ " + strings.Repeat("echo a;", 3000) + "} | tee" + strings.Repeat(" f1 f2", 5000), true},
		{"a long file over and over", "echo '" + strings.Repeat("ls -l a b c d e;", 2000) + "'>a;" + strings.Repeat("sh a;", 4000), true},
		{"a long program over and over", "echo '" + strings.Repeat("a.b(c, d)", 3000) + "'>a;" + strings.Repeat("python a;", 3000), true},
		{"exported over and over", "f(){ ls;};" + strings.Repeat("export -f f;", 4000), false},
		{"functions in turn", chain.String() + "f1", false},
	} {
		for _, dialect := range []shline.Dialect{shline.Bash, shline.Zsh} {
			start := time.Now()
			v := Judge(view, tt.line, dialect, risk.Facts{}, Options{})
			if refused := v.Level == tcpdb.High && slices.ContainsFunc(v.Findings, func(f Finding) bool { return f.Rule == "not-analysed" }); refused != tt.refused {
				t.Errorf("%s, dialect %v: %v, refused %v", tt.name, dialect, v.Level, refused)
			}
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("%s, dialect %v: took %v", tt.name, dialect, took)
			}
		}
	}
}

// A line in a line must not be able to run away.
func TestDeepLines(t *testing.T) {
	line := "rm x"
	for range 40 {
		line = "eval " + shline.QuoteWord(shline.Bash, line)
		if len(line) > maxBytes/4 {
			break
		}
	}
	if got := Judge(testView(t), line, shline.Bash, risk.Facts{}, Options{}); got.Level < tcpdb.High {
		t.Errorf("%v", got.Level)
	}
}

func FuzzJudge(f *testing.F) {
	for _, c := range riskCases(f) {
		f.Add(uint8(0), c.line)
		f.Add(uint8(2), c.line)
	}
	v := testView(f)
	f.Fuzz(func(t *testing.T, d uint8, line string) {
		got := Judge(v, line, shline.Dialect(d%3), risk.Facts{}, Options{})
		if got.Level < tcpdb.Safe || got.Level > tcpdb.Critical {
			t.Fatalf("level %v", got.Level)
		}
		for _, x := range got.Findings {
			if x.Start < 0 || x.Start > x.End || x.End > len(line) {
				t.Fatalf("%q: span %v of %+v", line, x.Span, x)
			}
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	line := `cd "$HOME/src/project" && git add -A . && git commit -m 'fix: parse the line before it is judged' --no-verify && git push --force-with-lease origin feature/parser | tee -a push.log && make -j8 test VERBOSE=1`
	long := strings.Repeat("cp a.txt b.txt; ", 4096)
	v := tcpdb.NewView(tcpdb.Core())
	for _, c := range []struct {
		name, line string
		shell      shline.Dialect
	}{{"bash", line, shline.Bash}, {"fish", line, shline.Fish}, {"64K-bash", long, shline.Bash}, {"64K-fish", long, shline.Fish}} {
		b.Run(c.name, func(b *testing.B) {
			Judge(v, c.line, c.shell, risk.Facts{}, Options{})
			b.SetBytes(int64(len(c.line)))
			b.ReportAllocs()
			for b.Loop() {
				Judge(v, c.line, c.shell, risk.Facts{}, Options{})
			}
		})
	}
}
