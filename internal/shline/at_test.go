package shline

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The cursor is written ‸. Want is: place, words, then the cursor's text and,
// after a bar, the text of the suffix; then what the row is about.
var atCases = []struct {
	dialect Dialect
	line    string
	place   Place
	words   string // joined by blanks
	cursor  string
	suffix  string
	after   string
}{
	{Bash, "‸", CommandWord, "", "", "", ""},
	{Bash, "gi‸", CommandWord, "", "gi", "", ""},
	{Bash, "gi‸t status", CommandWord, "", "gi", "t", "status"},
	{Bash, "git ‸", Argument, "git", "", "", ""},
	{Bash, "git ch‸eckout x y", Argument, "git", "ch", "eckout", "x y"},
	{Bash, "prog foo‸ bar", Argument, "prog", "foo", "", "bar"},
	{Bash, "prog ‸foo bar", Argument, "prog", "", "foo", "bar"},
	{Bash, "find x -e‸mp", Argument, "find x", "-e", "mp", ""},
	{Bash, "< a.txt cat --‸", Argument, "cat", "--", "", ""},
	{Bash, "2>err git ch‸", Argument, "git", "ch", "", ""},
	{Bash, "2>‸ git", RedirectTarget, "", "", "", "git"},
	{Bash, "echo test 2>‸", RedirectTarget, "echo test", "", "", ""},
	{Bash, "echo test <f‸o x", RedirectTarget, "echo test", "f", "o", "x"},
	{Bash, "prog foo >./‸", RedirectTarget, "prog foo", "./", "", ""},
	{Bash, "prog {fd}>x a‸", Argument, "prog", "a", "", ""},
	{Bash, "prog &>x a‸", Argument, "prog", "a", "", ""},
	{Bash, "prog 2>&1 a‸", Argument, "prog", "a", "", ""},
	{Bash, "prog <<<x a‸", Argument, "prog", "a", "", ""},
	{Bash, "a >| x b‸", Argument, "a", "b", "", ""},
	{Bash, "a | b c‸ | d", Argument, "b", "c", "", ""},
	{Bash, "a |& b‸", CommandWord, "", "b", "", ""},
	{Bash, "a && b || c ; d & e f‸ & g", Argument, "e", "f", "", ""},
	{Bash, "a\nb c‸\nd", Argument, "b", "c", "", ""},
	{Bash, "if ! a; then while b; do c d‸; done; fi", Argument, "c", "d", "", ""},
	{Bash, "time -p git ‸", Argument, "git", "", "", ""},
	{Bash, "coproc git ‸", Argument, "git", "", "", ""},
	{Bash, "for x in a b‸", Argument, "for x in a", "b", "", ""},
	{Bash, "for x in a b; do git ‸", Argument, "git", "", "", ""},
	{Bash, "for ((i=0;i<3;i++)); do git ‸", Argument, "git", "", "", ""},
	{Bash, "case x in a|b) git ‸;; esac", Argument, "git", "", "", ""},
	{Bash, "case x in a) b;; c‸", Data, "", "", "", ""},
	{Bash, "case x in a) b;; esac; git ‸", Argument, "git", "", "", ""},
	{Bash, "(cd x; git ch‸)", Argument, "git", "ch", "", ""},
	{Bash, "{ git ch‸; }", Argument, "git", "ch", "", ""},
	{Bash, "f() { git ch‸; }", Argument, "git", "ch", "", ""},
	{Bash, "function f { git ch‸; }", Argument, "git", "ch", "", ""},
	{Bash, "echo $(git ch‸", Argument, "git", "ch", "", ""},
	{Bash, "echo \"a $(git ch‸) b\" c", Argument, "git", "ch", "", ""},
	{Bash, "echo \"a $(git x) b‸ c\" d", Argument, "echo", "a $(git x) b", " c", "d"},
	{Bash, "echo `git ch‸` b", Argument, "git", "ch", "", ""},
	{Bash, "echo `git x` b‸", Argument, "echo `git x`", "b", "", ""},
	{Bash, "cat <(git ch‸) b", Argument, "git", "ch", "", ""},
	{Bash, "cat <(git x) b‸", Argument, "cat <(git x)", "b", "", ""},
	{Bash, "echo $((1+‸2)) x", Data, "echo", "", "", ""},
	{Bash, "echo $((1+2)) x‸", Argument, "echo $((1+2))", "x", "", ""},
	{Bash, "echo $HO‸ME x", Variable, "echo", "HO", "ME", "x"},
	{Bash, "echo ${HO‸ME} x", Variable, "echo", "HO", "ME", "x"},
	{Bash, "echo \"$HO‸", Variable, "echo", "HO", "", ""},
	{Bash, "echo $‸", Variable, "echo", "", "", ""},
	{Bash, "echo '$HO‸'", Argument, "echo", "$HO", "", ""},
	{Bash, "echo ${x:-a b‸} x", Data, "echo", "", "", ""},
	{Bash, "[[ -f a && -f b‸ ]]", Argument, "[[ -f a -f", "b", "", "]]"},
	{Bash, "[[ a ]] && git ‸", Argument, "git", "", "", ""},
	{Bash, "FOO=ba‸r cmd", AssignValue, "", "ba", "r", "cmd"},
	{Bash, "FOO=bar A+=x cm‸", CommandWord, "", "cm", "", ""},
	{Bash, "a=(x y‸ z)", AssignValue, "", "y", "", ""},
	{Bash, "a=(x y z) git ‸", Argument, "git", "", "", ""},
	{Bash, "a[1]=x git ‸", Argument, "git", "", "", ""},
	{Bash, "git log # x‸", Data, "git log", "", "", ""},
	{Bash, "git log a#b‸", Argument, "git log", "a#b", "", ""},
	{Bash, "cat <<A <<-'B'\nx\nA\n\tB\ngit ‸", Argument, "git", "", "", ""},
	{Bash, "cat <<A\ngit ‸", Data, "", "", "", ""},
	{Bash, "cat <<A | git ch‸", Argument, "git", "ch", "", ""},
	{Bash, "echo a\\ b‸c", Argument, "echo", "a b", "c", ""},
	{Bash, "echo a\\‸ b", Argument, "echo", "a", " b", ""},
	{Bash, "echo 'it‸s' x", Argument, "echo", "it", "s", "x"},
	{Bash, "echo $'a\\nb\\x41\\u00e9‸'", Argument, "echo", "a\nbAé", "", ""},
	{Bash, "echo $\"ab‸", Argument, "echo", "ab", "", ""},
	{Bash, "echo \"a\\$b\\c‸\"", Argument, "echo", "a$b\\c", "", ""},
	{Bash, "\"g\"'i't ‸", Argument, "git", "", "", ""},
	{Bash, "echo a\\\nb‸", Argument, "echo", "ab", "", ""},
	{Bash, "echo \\\n b‸", Argument, "echo", "b", "", ""},
	{Bash, "a; ) b c‸", Argument, "b", "c", "", ""},
	{Zsh, "git log #x‸", Argument, "git log", "#x", "", ""},
	{Zsh, "cat =(git ch‸)", Argument, "git", "ch", "", ""},
	{Zsh, "ls *(.) x‸", Argument, "ls *(.)", "x", "", ""},
	{Zsh, "git &| git ch‸", Argument, "git", "ch", "", ""},
	{Zsh, "a >! x b‸", Argument, "a", "b", "", ""},
	{Zsh, "noglob git ‸", Argument, "git", "", "", ""},
	{Zsh, "echo ${(f)x} $x[1] b‸", Argument, "echo ${(f)x} $x[1]", "b", "", ""},
	{Zsh, "for x (a b) git ch‸", Argument, "git", "ch", "", ""},
	{Zsh, "for x y (a $(b)) { git ch‸ }", Argument, "git", "ch", "", "}"},
	{Zsh, "for ((i=0; i<3; i++)) git ch‸", Argument, "git", "ch", "", ""},
	{Zsh, "select x (a b) git ‸", Argument, "git", "", "", ""},
	{Zsh, "for x (a ‸", Data, "for x", "", "", ""},
	{Zsh, "case $x { a) git ch‸", Argument, "git", "ch", "", ""},
	{Zsh, "if (( x > 1 )) { git ch‸", Argument, "git", "ch", "", ""},
	{Zsh, "while ((x)) { git ch‸", Argument, "git", "ch", "", ""},
	{Zsh, "{ a; } always { git ch‸ }", Argument, "git", "ch", "", "}"},
	{Bash, "for ((i=0;i<3;i++)) do git ‸", Argument, "git", "", "", ""},
	{Zsh, "f() { git ch‸ }", Argument, "git", "ch", "", "}"},
	{Fish, "if test x; and git ch‸", Argument, "git", "ch", "", ""},
	{Fish, "not git ch‸", Argument, "git", "ch", "", ""},
	{Fish, "begin; git ch‸; end", Argument, "git", "ch", "", ""},
	{Fish, "echo (git ch‸) x", Argument, "git", "ch", "", ""},
	{Fish, "echo \"a$(git ch‸\"", Argument, "git", "ch", "", ""},
	{Fish, "echo \"a(git ch‸", Argument, "echo", "a(git ch", "", ""},
	{Fish, "echo (git x)b‸", Argument, "echo", "(git x)b", "", ""},
	{Fish, "make 2>| git ch‸", Argument, "git", "ch", "", ""},
	{Fish, "make &| git ch‸", Argument, "git", "ch", "", ""},
	{Fish, "make 2> x a^b‸", Argument, "make", "a^b", "", ""},
	{Fish, "echo 'a\\'b\\n‸'", Argument, "echo", "a'b\\n", "", ""},
	{Fish, "echo a\\ b\\x41\\u00e9\\n‸", Argument, "echo", "a bAé\n", "", ""},
	{Fish, "echo $x[1] b‸", Argument, "echo $x[1]", "b", "", ""},
	{Fish, "X=a git ch‸", Argument, "git", "ch", "", ""},
	{Fish, "for x in a b; git ‸", Argument, "git", "", "", ""},
	{Fish, "cat < f‸", RedirectTarget, "cat", "f", "", ""},
	{Fish, "# git ‸", Data, "", "", "", ""},
	{Fish, "command git ‸", Argument, "command git", "", "", ""},
}

func TestAt(t *testing.T) {
	for _, tc := range atCases {
		point := strings.Index(tc.line, "‸")
		line := strings.Replace(tc.line, "‸", "", 1)
		c := At(tc.dialect, line, point)
		got := fmt.Sprintf("%d [%s] [%s|%s] [%s]", c.Place, strings.Join(Texts(c.Words), " "), c.Cursor.Text, c.SuffixText, strings.Join(Texts(c.After), " "))
		want := fmt.Sprintf("%d [%s] [%s|%s] [%s]", tc.place, tc.words, tc.cursor, tc.suffix, tc.after)
		if got != want {
			t.Errorf("%d %q\n got %s\nwant %s", tc.dialect, tc.line, got, want)
		}
	}
}

func TestAtLinear(t *testing.T) {
	for _, unit := range []string{"$(", "(", "\"$(", "`", "${", "a=(", "<(", "$((", "a ", "'", "\\", "x|", "<<A\n", "case a in ", "[[ ", "{ ", "f() "} {
		for d := Bash; d <= Fish; d++ {
			line := strings.Repeat(unit, 20_000)
			start := time.Now()
			At(d, line, len(line)/2)
			At(d, line, len(line))
			if e := time.Since(start); e > 5*time.Second {
				t.Errorf("dialect %d, %q: %v", d, unit, e)
			}
		}
	}
}

func BenchmarkAtMegabyte(b *testing.B) {
	line := strings.Repeat("git commit -m 'a message' --author=\"A B\" $HOME/x && ", 20_000)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		At(Bash, line, len(line))
	}
}

func BenchmarkAtShort(b *testing.B) {
	for b.Loop() {
		At(Bash, "git commit -m 'a message' && git checkout feat", 46)
	}
}

func FuzzAt(f *testing.F) {
	for _, tc := range atCases {
		f.Add(uint8(tc.dialect), tc.line, len(tc.line)/2)
	}
	f.Fuzz(func(t *testing.T, d uint8, line string, point int) {
		c := At(Dialect(d%3), line, point)
		w := c.Cursor
		if w.Start < 0 || w.End < w.Start || w.End > len(line) || c.Start > w.End {
			t.Fatalf("cursor %d-%d, start %d", w.Start, w.End, c.Start)
		}
		if w.Raw != "" && line[w.Start:w.End] != w.Raw || !strings.HasPrefix(line[w.End:], c.Suffix) {
			t.Fatalf("raw %q suffix %q", w.Raw, c.Suffix)
		}
		if !strings.HasPrefix(w.Raw, w.Prefix) {
			t.Fatalf("prefix %q of %q", w.Prefix, w.Raw)
		}
		for _, o := range append(c.Words, c.After...) {
			if line[o.Start:o.End] != o.Raw {
				t.Fatalf("word %+v", o)
			}
		}
	})
}
