package shells_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

const compinit = "autoload -Uz compinit; compinit -D"

func TestZshInserts(t *testing.T) {
	t.Parallel()
	x := start(t, "zsh", setup{before: compinit, after: "alias m=mt"})
	for _, c := range append(everyShell(), [][2]string{
		{"echo $(mt one m", "echo $(mt one main "},
		{"< f mt one m", "< f mt one main "},
	}...) {
		x.tab(c[0], c[1])
	}
}

func TestZshMidWord(t *testing.T) {
	t.Parallel()
	x := start(t, "zsh", setup{before: compinit})
	for _, c := range [][2]string{
		{"mt one ma|in", "mt one main |"},
		{"mt one m| xyz", "mt one main | xyz"},
		{"mt one m|xyz", "mt one m|xyz"},
		{"mt one \"ma|in\"", "mt one \"main\"|"},
		{"mt one \"m|\"", "mt one \"main\"|"},
	} {
		x.amid(c[0], c[1])
	}
}

func TestZshCompleteInWord(t *testing.T) {
	t.Parallel()
	x := start(t, "zsh", setup{before: compinit + "; setopt complete_in_word"})
	for _, c := range [][2]string{
		{"mt one ma|in", "mt one main|"},
		{"mt one m| xyz", "mt one main | xyz"},
		{"mt one m|xyz", "mt one m|xyz"},
		{"mt one |in", "mt one main|"},
		{"mt one \"ma|in\"", "mt one \"main\"|"},
		{"mt one \"m|\"", "mt one \"main\"|"},
		{"mt slash fea|two", "mt slash feature/two|"},
		{"mt slash fea|zzz", "mt slash fea|zzz"},
		{"mt find -e|mp", "mt find -empty|"},
	} {
		x.amid(c[0], c[1])
	}
}

func TestZshLists(t *testing.T) {
	t.Parallel()
	x := start(t, "zsh", setup{before: compinit})
	x.Keys("mt desc \t")
	x.shows("alpha     the first\nalphabet  the second\n--hard    [CRITICAL] throw away\n")
	x.line("mt desc |")
	x.clear()
	x.Keys("mt loose pa\t")
	x.shows("feature/parser  fix/parser\n")
	x.line("mt loose pa|")
	x.Keys("\t\t_") // a menu, on request
	x.line("mt loose fix/parser_|")
	x.clear()
	x.Keys("mt risk --fo\t")
	x.shows("--force             [HIGH] overwrite\n")
	x.line("mt risk --fo|")
	x.clear()
	x.Keys("mt failed \t")
	x.shows("the resolver failed: no such thing\n")
	x.line("mt failed |")
	x.clear()
	x.Keys("mt many v\t") // what all have in common, those left out too
	x.line("mt many value-|")
	x.Keys("\t") // more than fit the screen: zsh asks first
	x.shows("do you wish to see all 200 possibilities")
	x.Quiet(200 * time.Millisecond) // type-ahead would count as an answer and stay
	x.Keys("n")
	x.Quiet(200 * time.Millisecond)
	x.Keys("_")
	x.Wait("the line", func(s *shelltest.Screen) bool { return strings.HasSuffix(s.Before(), "mt many value-_") })
}

func TestZshHoldsARiskyMatchBack(t *testing.T) {
	t.Parallel()
	for _, before := range []string{compinit, "", compinit + "; bindkey -v"} {
		x := start(t, "zsh", setup{before: before})
		x.Keys("true; mt desc --\t")
		x.shows("--hard  [CRITICAL] throw away\n")
		x.line("true; mt desc --|")
		x.Keys("\t_")
		x.line("true; mt desc --hard _|")
	}
}

func TestZshMenuSelect(t *testing.T) {
	t.Parallel()
	x := start(t, "zsh", setup{before: compinit + "; zstyle ':completion:*' menu select; zmodload zsh/complist"})
	x.Keys("mt desc \t\t\x1b[B\r_")
	x.line("mt desc alphabet _|")
	x.clear()
	x.tab("mt one m", "mt one main ")
}

// Set-ups of users under which the same keys give the same lines.
func TestZshSetups(t *testing.T) {
	if testing.Short() {
		t.Skip("many shells")
	}
	for _, c := range []struct{ name, before, after string }{
		{"compinit before", compinit, ""},
		{"compinit after", "", compinit},
		{"no compinit", "", ""},
		{"ksh options", compinit, "setopt ksh_arrays sh_word_split glob_subst no_bare_glob_qual posix_builtins"},
		{"ksh options before", "setopt ksh_arrays sh_word_split\n" + compinit, ""},
		{"strict options", compinit, "setopt no_unset warn_create_global err_return no_nomatch null_glob no_multi_func_def"},
		{"noglob", compinit, "setopt no_glob"},
		{"rc_expand_param", compinit, "setopt rc_expand_param extended_glob csh_null_glob magic_equal_subst"},
		{"complete_in_word", compinit, "setopt complete_in_word always_to_end"},
		{"complete_aliases", compinit, "setopt complete_aliases"},
		{"vi", compinit + "; bindkey -v", ""},
		{"loaded twice", compinit, `. "$HOOK"`},
		{"eval", compinit + "; HOOK2=$HOOK; HOOK=/dev/null", `eval "$(cat $HOOK2)"`},
		{"aliases", compinit, "alias mt='mt ' ls='ls -l' -g L='| less' -g G='| grep'"},
		{"C locale", compinit, "LC_ALL=C"},
		{"completers", compinit, "zstyle ':completion:*' completer _expand _complete _approximate; zstyle ':completion:*' matcher-list 'm:{a-z}={A-Z}' 'r:|[._-]=* r:|=*'"},
		{"styles", compinit, "zstyle ':completion:*' format '%d'; zstyle ':completion:*' group-name ''; zstyle ':completion:*' list-colors ''"},
		{"functions", compinit, "mt() { command mt; }"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := start(t, "zsh", setup{before: c.before, after: c.after})
			x.tab("mt one m", "mt one main ")
			x.tab("mt one \"m", "mt one \"main\" ")
			x.tab("mt colon foo", "mt colon foo::ba")
			x.tab("mt opt --format=j", "mt opt --format=json ")
			x.tab("mt special a\\ ", "mt special a\\ b ")
			x.tab("mt slash feature/o", "mt slash feature/one ")
			x.tab("sudo mt one m", "sudo mt one main ")
			x.tab("mt home ~/o", "mt home ~/other/")
		})
	}
}

func TestZshKeepsOthers(t *testing.T) {
	t.Parallel()
	for _, before := range []string{compinit, ""} {
		x := start(t, "zsh", setup{before: before})
		x.write("work/some file", "")
		x.write("work/sub/inner", "")
		x.tab("pt som", "pt some\\ file ")
		x.tab("pt su", "pt sub/")
		x.tab("pt \"som", "pt \"some file\" ")
		x.tab("cat < som", "cat < some\\ file ")
		x.tab("mt one > som", "mt one > some\\ file ")
		x.tab("sudo pt som", "sudo pt some\\ file ")
	}
	x := start(t, "zsh", setup{before: compinit, after: "_own() { compadd owned }; compdef _own mt owner"})
	x.tab("mt one ", "mt one owned ")
	x.tab("owner ", "owner owned ")
	x.tab("tar --absolute-n", "tar --absolute-names ")
}

func TestZshWithoutTab(t *testing.T) {
	t.Parallel()
	x := start(t, "zsh", setup{before: compinit, noTab: true})
	x.write("work/some file", "")
	x.Keys("pt som\t")
	x.shows("tmp: tmp-tab is not there; zsh completes by itself")
	x.clear()
	x.tab("pt som", "pt some\\ file ")
	x = start(t, "zsh", setup{before: compinit, env: []string{"TEST_CRASH=1"}})
	x.write("work/some file", "")
	x.Keys("pt som\t")
	x.shows("tmp: tmp-tab failed (status 1); zsh completes by itself")
	x.clear()
	x.tab("pt som", "pt some\\ file ")
}

func TestZshContinuation(t *testing.T) {
	t.Parallel()
	x := start(t, "zsh", setup{before: compinit})
	x.Keys("echo \\\r$(mt one m\t_")
	x.Wait("the second line", func(s *shelltest.Screen) bool { return s.Before() == "> $(mt one main _" })
}
