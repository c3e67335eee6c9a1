package shells_test

import (
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

func TestBashInserts(t *testing.T) {
	t.Parallel()
	x := start(t, "bash", setup{after: "alias m=mt"})
	for _, c := range append(everyShell(), [][2]string{
		{"echo $(mt one m", "echo $(mt one main "},
		{"mt colon1 foo", "mt colon1 foo::bar "},
		{"mt colon1 foo:", "mt colon1 foo::bar "},
		{"mt colon1 foo::", "mt colon1 foo::bar "},
		{"mt colon foo::", "mt colon foo::ba"},
		{"mt opt --format=", "mt opt --format="},
		{"mt email u", "mt email user@host "},
		{"mt email user@", "mt email user@host "},
		{"< f mt one m", "< f mt one main "},
	}...) {
		x.tab(c[0], c[1])
	}
}

func TestBashMidWord(t *testing.T) {
	t.Parallel()
	x := start(t, "bash", setup{})
	for _, c := range [][2]string{
		{"mt one ma|in", "mt one main |"},
		{"mt one m|xyz", "mt one m|xyz"},
		{"mt one m| xyz", "mt one main| xyz"},
		{"mt one |in", "mt one ma|in"},
		{"mt one \"ma|in\"", "mt one \"main\" |"},
		{"mt one \"m|\"", "mt one \"main|\""},
		{"mt slash fea|two", "mt slash feature/|two"},
		{"mt slash fea|zzz", "mt slash fea|zzz"},
		{"mt find -e|mp", "mt find -empty |"},
	} {
		x.amid(c[0], c[1])
	}
}

func TestBashLists(t *testing.T) {
	t.Parallel()
	x := start(t, "bash", setup{})
	x.Keys("mt desc \t\t")
	x.shows("alpha     the first\n")
	x.shows("--hard    [CRITICAL] throw away\n")
	x.line("mt desc |")
	x.clear()
	x.Keys("mt loose pa\t\t")
	x.shows("feature/parser  fix/parser\n")
	x.line("mt loose pa|")
	x.clear()
	x.Keys("mt risk --fo\t\t")
	x.shows("--force             [HIGH] overwrite\n--force-with-lease  safer\n")
	x.line("mt risk --fo|")
	x.clear()
	x.Keys("mt many v\t") // what all have in common, those left out too
	x.line("mt many value-|")
	x.Keys("\t\t") // more than 100 would be asked about
	x.shows("… 202 more")
	x.line("mt many value-|")
}

func TestBashHoldsARiskyMatchBack(t *testing.T) {
	t.Parallel()
	for _, set := range []string{"", "set -o vi"} {
		x := start(t, "bash", setup{before: set})
		x.Keys("true; mt desc --\t")
		x.shows("--hard  [CRITICAL] throw away\n$ true; mt desc --")
		x.line("true; mt desc --|")
		x.Keys("\t_")
		x.line("true; mt desc --hard _|")
	}
}

func TestBashMessage(t *testing.T) {
	t.Parallel()
	x := start(t, "bash", setup{})
	x.Keys("mt failed \t")
	x.shows("the resolver failed: no such thing\n$ mt failed")
	x.line("mt failed |")
	x.clear()
	// A message below a line of several rows, and a cursor amid it.
	long := "mt failed " + strings.Repeat("x", 90) + " "
	x.Keys(long + "\t_")
	x.Wait("the long line", func(s *shelltest.Screen) bool {
		r, _ := s.Cursor()
		return s.Row(r-1)+s.Row(r) == "$ "+long+"_" && strings.Contains(s.String(), "no such thing\n")
	})
}

func TestBashShowAllIfAmbiguous(t *testing.T) {
	t.Parallel()
	x := start(t, "bash", setup{before: "bind 'set show-all-if-ambiguous on'"})
	x.Keys("mt desc al\t")
	x.shows("alpha     the first\n")
	x.line("mt desc alpha|")
	x.clear()
	x.Keys("mt risk --fo\t")
	x.shows("--force             [HIGH] overwrite\n")
	x.line("mt risk --fo|")
	x.clear()
	x.tab("mt one m", "mt one main ")
}

func TestBashMenuLeavesRiskOut(t *testing.T) {
	t.Parallel()
	x := start(t, "bash", setup{before: "bind 'TAB: menu-complete'"})
	x.Keys("mt desc \t\t_")
	x.line("mt desc alphabet _|")
	x.clear()
	x.Keys("mt desc \t\t\t\t_")
	x.line("mt desc alpha _|")
	x.clear()
	x.Keys("mt desc --\t_")
	x.line("mt desc --_|")
}

// Set-ups of users under which the same keys give the same lines.
func TestBashSetups(t *testing.T) {
	if testing.Short() {
		t.Skip("many shells")
	}
	for _, c := range []struct{ name, before, after string }{
		{"set -u", "set -u", ""},
		{"set -e", "set -e", ""},
		{"vi", "set -o vi", ""},
		{"posix", "", "set -o posix"},
		{"loaded twice", "", `. "$HOOK"`},
		{"eval", "HOOK2=$HOOK; HOOK=/dev/null", `eval "$(cat "$HOOK2")"`},
		{"word breaks", "", `COMP_WORDBREAKS=' '`},
		{"more word breaks", "", `COMP_WORDBREAKS=$' \t\n"\'><=;|&(:/-'`},
		{"no colon", "", `COMP_WORDBREAKS=$' \t\n"\'><=;|&('`},
		{"IFS", "", `IFS=:/-m`},
		{"noglob", "", "set -f"},
		{"nullglob", "", "shopt -s nullglob failglob extglob nocasematch"},
		{"C locale", "", "LC_ALL=C"},
		{"aliases", "alias ls='ls -l' echo='echo -n' mt='mt '", ""},
		{"bash-completion before", ". /usr/share/bash-completion/bash_completion", ""},
		{"bash-completion after", "", ". /usr/share/bash-completion/bash_completion"},
		{"prompt command", "PROMPT_COMMAND='x=1'", ""},
		{"prompt commands", "PROMPT_COMMAND=('x=1' 'y=2')", ""},
		{"functions", "mt() { command mt; }", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := start(t, "bash", setup{before: c.before, after: c.after})
			x.tab("mt one m", "mt one main ")
			x.tab("mt one \"m", "mt one \"main\" ")
			x.tab("mt colon1 foo::b", "mt colon1 foo::bar ")
			x.tab("mt colon1 foo:", "mt colon1 foo::bar ")
			x.tab("mt opt --format=j", "mt opt --format=json ")
			x.tab("mt email user@h", "mt email user@host ")
			x.tab("mt special a\\ ", "mt special a\\ b ")
			x.tab("mt slash feature/o", "mt slash feature/one ")
			x.tab("sudo mt one m", "sudo mt one main ")
			x.tab("time mt one m", "time mt one main ")
			x.tab("nice mt one m", "nice mt one main ")
		})
	}
}

// Commands without a map keep the completion they have.
func TestBashKeepsOthers(t *testing.T) {
	t.Parallel()
	files := func(x *shell) {
		x.write("work/some file", "")
		x.write("work/sub/inner", "")
	}
	t.Run("plain", func(t *testing.T) {
		x := start(t, "bash", setup{after: "own() { COMPREPLY=(owned); }; complete -F own owner"})
		files(x)
		x.tab("pt som", "pt some\\ file ")
		x.tab("pt su", "pt sub/")
		x.tab("echo $HOM", "echo $HOME/")
		x.tab("pt \"som", "pt \"some file\" ")
		x.tab("owner ", "owner owned ")
		x.tab("cat < som", "cat < some\\ file ")
		x.tab("mt one > som", "mt one > some\\ file ")
		x.tab("sudo pt som", "sudo pt some\\ file ")
		x.tab("pt ~/wor", "pt ~/work/")
	})
	for _, where := range []string{"before", "after"} {
		t.Run("bash-completion "+where, func(t *testing.T) {
			s := setup{before: "mine() { COMPREPLY=(mine); }; complete -F mine mt2"}
			if load := ". /usr/share/bash-completion/bash_completion"; where == "before" {
				s.before += "\n" + load
			} else {
				s.after = load
			}
			x := start(t, "bash", s)
			files(x)
			x.tab("mt2 ", "mt2 mine ")
			x.tab("pt som", "pt some\\ file ")
			x.tab("ls --author", "ls --author ")               // an eager one
			x.tab("tar --absolute-n", "tar --absolute-names ") // a lazy one
			x.tab("sudo tar --absolute-n", "sudo tar --absolute-names ")
			x.tab("sudo mt one m", "sudo mt one main ") // after sudo's own was loaded
			x.tab("sudo tar --absolute-n", "sudo tar --absolute-names ")
			x.tab("nice ls --author", "nice ls --author ")
			x.tab("sudo -", "sudo -")
		})
	}
	t.Run("own default", func(t *testing.T) {
		x := start(t, "bash", setup{before: "dflt() { COMPREPLY=(dflt:$1); }; complete -o nospace -D -F dflt"})
		x.tab("pt ", "pt dflt:pt")
		x.tab("mt one m", "mt one main ")
	})
	t.Run("own for a mapped command", func(t *testing.T) {
		x := start(t, "bash", setup{after: "own() { COMPREPLY=(owned); }; complete -F own mt"})
		x.tab("mt one ", "mt one owned ")
	})
}

func TestBashWithoutTab(t *testing.T) {
	t.Parallel()
	x := start(t, "bash", setup{noTab: true, before: "command_not_found_handle() { echo NOTFOUND; }"})
	x.write("work/some file", "")
	x.Keys("mt som\t")
	x.shows("tmp: tmp-tab is not there; bash completes by itself\n")
	x.Wait("the file", func(s *shelltest.Screen) bool { return strings.HasSuffix(s.Before(), "mt some\\ file ") })
	x.clear()
	x.Keys("\x0c")
	x.tab("mt som", "mt some\\ file ")
	x.Wait("no second message", func(s *shelltest.Screen) bool { return !strings.Contains(s.String(), "tmp-tab") })
}

func TestBashCrash(t *testing.T) {
	t.Parallel()
	x := start(t, "bash", setup{})
	x.write("work/some file", "")
	x.Keys("mt crash som\t")
	x.shows("tmp: tmp-tab failed (status 1); bash completes by itself\n")
	x.Keys("\x05\x15\x0c")
	x.tab("mt crash som", "mt crash some\\ file ")
	x.tab("mt one m", "mt one main ")
}

func TestBashSlow(t *testing.T) {
	t.Parallel()
	x := start(t, "bash", setup{})
	x.write("work/some file", "")
	x.Keys("mt slow som\t")
	x.shows("tmp: tmp-tab failed (status 124); bash completes by itself\n")
}

func TestBashCompleteC(t *testing.T) {
	t.Parallel()
	for _, locale := range []string{"C.UTF-8", "C"} {
		x := start(t, "bash", setup{before: "HOOK=/dev/null; complete -C tmp-tab mt", env: []string{"LC_ALL=" + locale}})
		x.tab("mt one m", "mt one main ")
		x.tab("mt colon1 foo::b", "mt colon1 foo::bar ")
		x.tab("mt one \"m", "mt one \"main\" ")
		x.tab("mt loose pa", "mt loose pa")
		if locale != "C" { // there readline shows other characters as octal
			x.tab("mt one \u00e9 m", "mt one \u00e9 main ")
			x.amid("mt one \u00e9 m| \u00e9", "mt one \u00e9 main| \u00e9")
		}
		x.Keys("mt desc --\t_")
		x.line("mt desc --_|")
		x.clear()
		x.Keys("mt desc --\t\t_")
		x.line("mt desc --hard _|")
	}
}
