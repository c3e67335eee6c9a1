package shells_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

// keysIn starts a shell with the real answers in a directory of these files; a name
// that ends in "/" is a directory.
func keysIn(t *testing.T, name, after string, files ...string) *shell {
	t.Helper()
	before := ""
	if name == "zsh" {
		before = compinit
	}
	x := start(t, name, setup{before: before, after: after, env: []string{"TEST_REAL=1"}, cols: 160})
	for _, f := range files {
		if dir, ok := strings.CutSuffix(f, "/"); ok {
			if err := os.MkdirAll(filepath.Join(x.dir, dir), 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		x.write("work/"+f, "x\n")
	}
	return x
}

// A cursor within a word that is typed whole comes to its end, and nothing is there
// twice; a word of which more is to follow gets that.
func TestRealWholeWord(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := keysIn(t, name, "", "docs/readme.txt", "docs/with space.md", "my dir/f.txt")
		x.git("init", "-q", "-b", "trunk")
		x.git("commit", "-q", "--allow-empty", "-m", "first")
		x.git("branch", "feature/resolved-service")
		if name == "bash" { // the others take the whole word
			x.amid("cat do|cs/readme.txt", "cat docs/|readme.txt")
			x.amid("cat 'docs/with| space.md'", "cat 'docs/with space.md' |")
			x.amid("cat 'my di|r/f.txt'", "cat 'my dir/|f.txt'")
		}
		for _, c := range [][2]string{
			{"git checkout feature/resolved-ser|vice", "git checkout feature/resolved-service |"},
			{"git checkout fea|ture/resolved", "git checkout feature/resolved-service |"},
			{"cat docs/readme.tx|t", "cat docs/readme.txt |"},
			{`cat docs/with|\ space.md`, `cat docs/with\ space.md |`},
			{"git checkout trun|k && ls", "git checkout trunk| && ls"},
			{"cat docs/read|me.txt other", "cat docs/readme.txt| other"},
			{`cat "docs/read|me.txt"`, `cat "docs/readme.txt" |`},
		} {
			want := c[1]
			switch { // zsh and fish always add the blank, zsh stays at the quote
			case name != "bash" && strings.Contains(want, "| "):
				want = strings.Replace(want, "| ", " |", 1)
				if name == "zsh" {
					want = strings.Replace(want, "|", "| ", 1)
				}
			case name == "zsh" && strings.HasSuffix(want, `" |`):
				want = strings.TrimSuffix(want, " |") + "|"
			}
			x.amid(c[0], want)
		}
		if name == "bash" { // the setting of readline is the user's again
			x.Keys("\r")
			x.Keys("bind -v | grep skip\r")
			x.shows("set skip-completed-text off")
		}
	})
}

// A variable of the shell that is not exported stays as it is typed, and its value is
// what completes it. One that is in the environment too has the shell's value.
func TestRealVariables(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		after := `proj=proj; left=proj; count=proj; export GONE=proj; GONE=proj/sub`
		if name == "fish" {
			after = "set proj proj; set left proj; set count proj; set -gx GONE proj/sub; set many a b"
		}
		x := keysIn(t, name, after, "proj/file.txt", "proj/sub/inner.c")
		for _, c := range [][2]string{
			{"cat $proj/fi", "cat $proj/file.txt "},
			{"rm $left/fi", "rm $left/file.txt "},
			{"rm $count/fi", "rm $count/file.txt "},
			{"cat $proj/su", "cat $proj/sub/"},
			{"make -f$proj/fi", "make -f$proj/file.txt "},
			{"make --file=$proj/fi", "make --file=$proj/file.txt "},
			{"make -C $proj -f fi", "make -C $proj -f file.txt "},
			{"sudo cat $proj/fi", "sudo cat $proj/file.txt "},
			{"cat $GONE/in", "cat $GONE/inner.c "},
			{"cat $nosuch/zzz", "cat $nosuch/zzz"},
		} {
			x.tab(c[0], c[1])
		}
		if name != "zsh" { // which puts the value in its place before it completes
			x.tab(`cat "$proj/fi`, `cat "$proj/file.txt" `)
		}
		if name != "fish" {
			x.tab("cat ${proj}/fi", "cat ${proj}/file.txt ")
		}
	})
}

// A variable as the value of an option of a program that nobody described is no
// reason to ask.
func TestRealEnterUnknownOption(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := dirty(t, name, setup{cols: 120})
		x.write("bin/someprogram", "#!/bin/sh\necho ran:$1.\n")
		if err := os.Chmod(filepath.Join(x.home, "bin/someprogram"), 0o755); err != nil {
			t.Fatal(err)
		}
		set := "VAR=it"
		if name == "fish" {
			set = "set VAR it"
		}
		x.Keys(set + "\r")
		x.Wait("the prompt", func(s *shelltest.Screen) bool { return strings.Contains(s.String(), set) && s.Before() == "$ " })
		x.runs("someprogram --x=$VAR", "ran:--x=it.")
		x.runs(`someprogram --out "$VAR"`, "ran:--out.")
	})
}

// A directory of the name ~ is never inserted as the home, whoever completes: fish, of a
// command without a map, too.
func TestRealTildeDirectory(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := keysIn(t, name, "", "td/~/inner")
		x.Keys("cd td\r")
		x.prompt()
		for _, command := range []string{"ls ", "rm -r ", "cat ", "cd ", "pt ", "sudo pt "} {
			x.Keys(command + "\t_")
			x.Wait("the directory of "+command, func(s *shelltest.Screen) bool {
				got := strings.TrimSuffix(s.Before(), "_")
				return got == "$ "+command+`\~/` || got == "$ "+command+x.dir+"/td/~/"
			})
			x.clear()
		}
		x.tab(`cat \~/in`, `cat \~/inner `)
	})
}

// A name with a newline is inserted whole.
func TestRealNewlineName(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := keysIn(t, name, "", "nl/a\nb", "nl/other")
		want := `nl/a$'\n'b `
		if name == "fish" {
			want = `nl/a\nb `
		}
		for _, command := range []string{"cat ", "rm ", "sudo cat ", "pt "} {
			if name != "fish" && command == "pt " {
				continue // all their own
			}
			x.tab(command+"nl/a", command+want)
		}
	})
}

// Places in a line and kinds of quoting, the same in the three shells but where named.
func TestRealPlaces(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := keysIn(t, name, "", "dir with space/file one.txt", "docs/résumé.md", "ünï/çédille.txt", "it's/me.txt", "a&b/in.c", "$money", "-dash", "star*")
		x.git("init", "-q", "-b", "trunk")
		x.git("commit", "-q", "--allow-empty", "-m", "first")
		x.git("branch", "feature/long-name")
		x.git("tag", "v1.2.3")
		for _, c := range [][3]string{
			{"", "cat 'dir with space/fi", "cat 'dir with space/file one.txt' "},
			{"", `cat dir\ with\ space/fi`, `cat dir\ with\ space/file\ one.txt `},
			{"", "cat docs/ré", "cat docs/résumé.md "},
			{"", "cat ünï/", "cat ünï/çédille.txt "},
			{"", `cat it\'s/m`, `cat it\'s/me.txt `},
			{"", `cat a\&b/i`, `cat a\&b/in.c `},
			{"", `cat \$mon`, `cat \$money `},
			{"", "rm -- -da", "rm -- -dash "},
			{"", "cat star", `cat star\* `},
			{"", "git log v1.2.3..feature/l", "git log v1.2.3..feature/long-name "},
			{"", "sudo -E env X=1 nice -n 5 git checkout feature/l", "sudo -E env X=1 nice -n 5 git checkout feature/long-name "},
			{"", "git -c user.name=x checkout feature/l", "git -c user.name=x checkout feature/long-name "},
			{"", "true | git checkout feature/l", "true | git checkout feature/long-name "},
			{"bash zsh", "cat <<< x; git checkout feature/l", "cat <<< x; git checkout feature/long-name "},
			{"bash zsh", "diff <(git show feature/l", "diff <(git show feature/long-name "},
			{"bash zsh", "while ! git checkout feature/l", "while ! git checkout feature/long-name "},
			{"bash zsh", "echo $(git checkout feature/l", "echo $(git checkout feature/long-name "},
			{"bash", `echo "$(git checkout feature/l`, `echo "$(git checkout feature/long-name`},
			{"bash", `echo "$(cat 'dir with space/fi`, `echo "$(cat 'dir with space/file one.txt'`},
			{"zsh", `echo "$(git checkout feature/l`, `echo "$(git checkout feature/long-name `},
			{"fish", "and git checkout feature/l", "and git checkout feature/long-name "},
			{"fish", "echo (git checkout feature/l", "echo (git checkout feature/long-name "},
		} {
			if c[0] == "" || strings.Contains(c[0], name) {
				x.tab(c[1], c[2])
			}
		}
	})
}
