package shells_test

import (
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

func TestFishInserts(t *testing.T) {
	t.Parallel()
	x := start(t, "fish", setup{after: "alias m=mt"})
	for _, c := range append(everyShell(), [][2]string{
		{"echo (mt one m", "echo (mt one main "},
		{"mt < f one m", "mt < f one main "},
	}...) {
		x.tab(c[0], c[1])
	}
}

func TestFishMidWord(t *testing.T) {
	t.Parallel()
	x := start(t, "fish", setup{})
	for _, c := range [][2]string{
		{"mt one ma|in", "mt one main |"},
		{"mt one m| xyz", "mt one main |xyz"},
		{"mt one m|xyz", "mt one m|xyz"},
	} {
		x.amid(c[0], c[1])
	}
}

func TestFishLists(t *testing.T) {
	t.Parallel()
	x := start(t, "fish", setup{})
	x.Keys("mt desc \t")
	x.shows("alpha  (the first)  alphabet  (the second)  --hard  ([CRITICAL] throw away)\n")
	x.line("mt desc |")
	x.Keys("\t\t\t\r_")
	x.line("mt desc --hard _|")
	x.clear()
	x.Keys("mt loose pa\t")
	x.shows("feature/parser  fix/parser\n")
	x.line("mt loose pa|")
	x.Keys("\t\t\r_")
	x.line("mt loose fix/parser _|")
	x.clear()
	x.Keys("mt risk --fo\t")
	x.shows("--force  ([HIGH] overwrite)")
	x.line("mt risk --fo|")
	x.clear()
	x.Keys("mt failed \t")
	x.shows("the resolver failed: no such thing\n$ mt failed")
	x.line("mt failed |")
	x.clear()
	x.Keys("mt many v\t") // what all have in common, those left out too
	x.line("mt many value-|")
	x.Keys("\t")
	x.shows("… 100 more\n$ mt many value-")
}

func TestFishHoldsARiskyMatchBack(t *testing.T) {
	t.Parallel()
	for _, set := range []string{"", "fish_vi_key_bindings"} {
		x := start(t, "fish", setup{before: set})
		x.Keys("true; mt desc --\t")
		x.shows("--hard  ([CRITICAL] throw away)")
		x.Wait("nothing inserted", func(s *shelltest.Screen) bool { return strings.HasSuffix(s.Before(), "true; mt desc --") })
		x.Keys("\t\r_")
		x.Wait("the match", func(s *shelltest.Screen) bool { return strings.HasSuffix(s.Before(), "true; mt desc --hard _") })
	}
}

func TestFishSetups(t *testing.T) {
	if testing.Short() {
		t.Skip("many shells")
	}
	for _, c := range []struct{ name, before, after string }{
		{"plain", "", ""},
		{"loaded twice", "", "source $HOOK"},
		{"from a pipe", "set -g HOOK2 $HOOK; set -g HOOK /dev/null", "cat $HOOK2 | source"},
		{"abbreviations", "abbr -a mt1 'mt one'", "alias ls='ls -l'"},
		{"autosuggestions", "", "set -g fish_autosuggestion_enabled 1"},
		{"C locale", "", "set -gx LC_ALL C"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := start(t, "fish", setup{before: c.before, after: c.after})
			x.tab("mt one m", "mt one main ")
			x.tab("mt one \"m", "mt one \"main\" ")
			x.tab("mt colon foo", "mt colon foo::ba")
			x.tab("mt special a\\ ", "mt special a\\ b ")
			x.tab("mt home ~/o", "mt home ~/other/")
		})
	}
}

func TestFishKeepsOthers(t *testing.T) {
	t.Parallel()
	x := start(t, "fish", setup{})
	x.write("work/some file", "")
	x.tab("pt som", "pt some\\ file ")
	x.tab("cat < som", "cat < some\\ file ")
	x.tab("mt one > som", "mt one > some\\ file ")
	x.tab("ls --almost-a", "ls --almost-all ")
	x.write(".config/fish/completions/mt2.fish", "complete -c mt2 -f -a owned")
	x.write("share/tmp/fish/mt2.fish", "complete -c mt2 -f -k -a '(__tmp_tab mt2)'")
	x.write("bin/mt2", "#!/bin/sh\n")
	x.Keys("chmod +x ~/bin/mt2\r\x0c")
	x.tab("mt2 ", "mt2 owned ")
}

// Without tmp-tab, or where it fails, what comes after it on the path answers.
func TestFishWithoutTab(t *testing.T) {
	t.Parallel()
	for _, typed := range []string{"mt ", "mt crash "} {
		x := start(t, "fish", setup{noTab: typed == "mt ", before: "set -g fish_complete_path $fish_complete_path ~/later"})
		x.write("later/mt.fish", "complete -c mt -f -a native")
		x.Keys(typed + "\t")
		x.shows("is missing or failed; fish completes by itself\n")
		x.Wait("the completion", func(s *shelltest.Screen) bool { return strings.HasSuffix(s.Before(), typed+"native ") })
		x.clear()
		x.Keys("\x0c")
		x.tab(typed+"n", typed+"native ")
	}
}
