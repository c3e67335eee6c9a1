package shells_test

import "testing"

const compinit = "autoload -Uz compinit; compinit -D"

func TestZshInserts(t *testing.T) {
	x := start(t, "zsh", setup{before: compinit, after: "alias m=mt"})
	for _, c := range [][2]string{
		{"mt one m", "mt one main "},
		{"mt one ", "mt one main "},
		{"sudo mt one m", "sudo mt one main "},
		{"m one m", "m one main "},
		{"a; b | mt one m", "a; b | mt one main "},
		{"echo $(mt one m", "echo $(mt one main "},
		{"mt one \"m", "mt one \"main\" "},
		{"mt one 'm", "mt one 'main' "},
		{"mt colon1 ", "mt colon1 foo::bar "},
		{"mt colon1 foo::b", "mt colon1 foo::bar "},
		{"mt colon foo", "mt colon foo::ba"},
		{"mt opt --fo", "mt opt --format="},
		{"mt opt --format=j", "mt opt --format=json "},
		{"mt opt --l", "mt opt --level="},
		{"mt email user@h", "mt email user@host "},
		{"mt special '$", "mt special '$(touch x)' "},
		{"mt special \\$", "mt special \\$\\(touch\\ x\\) "},
		{"mt special a\\'", "mt special a\\'b "},
		{"mt special -r", "mt special -rf "},
		{"mt special a\\ ", "mt special a\\ b "},
		{"mt special \"a ", "mt special \"a b\" "},
		{"mt special \\[", "mt special \\[x\\] "},
		{"mt special a\\>", "mt special a\\>b "},
		{"mt home ~/s", "mt home ~/some\\ file "},
		{"mt home ~/o", "mt home ~/other/"},
		{"mt dir di", "mt dir dir\\ one/"},
		{"mt dir \"di", "mt dir \"dir one/"},
		{"mt nothing zzz", "mt nothing zzz"},
		{"< f mt one m", "< f mt one main "},
	} {
		x.tab(c[0], c[1])
	}
}

func TestZshMidWord(t *testing.T) {
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
