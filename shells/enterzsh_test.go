package shells_test

import (
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

// Aliases of zsh that stand anywhere, and those for an extension, are judged as
// what they stand for, to the last level.
func TestEnterZshAliases(t *testing.T) {
	x := entering(t, "zsh", setup{rows: 60, after: `alias -g G='| danger'
alias -g TWO='ONE x' ONE='G'
alias -g LOOP='LOOP danger MORE' MORE='LOOP'
alias -g '*S'='star'
alias -s txt=danger
alias viaglobal='ran G'
alias plain='ran plain'`})
	for _, c := range []struct{ keys, judged string }{
		{"ran a G", "ran a | danger "},
		{"ran a TWO b", "ran a | danger   x  b"},
		{"ran LOOP", "ran LOOP danger LOOP  "},
		{"ran a;ran b G", "ran a;ran b | danger "},
		{"ran $(ran G)", "ran $(ran | danger )"},
		{"ran \"$(ran G)\"", "ran \"$(ran | danger )\""},
		{"viaglobal", "viaglobal"},
		{"notes.txt", "notes.txt"},
		{"ran a | notes.txt", "ran a | notes.txt"},
	} {
		x.Keys(c.keys + "\r")
		x.asked(c.judged)
		x.Keys("n")
		x.line(c.keys + "|")
		x.clear()
		x.Keys("\x0c")
		x.Wait("a clean screen", func(s *shelltest.Screen) bool { return s.String() == "$\n" })
	}
	// A here-document keeps its lines.
	x.Keys("ran <<E TWO\r")
	x.line0("> ")
	x.Keys("ONE\r")
	x.line0("> ")
	x.Keys("E\r")
	x.Wait("the question", func(s *shelltest.Screen) bool { return strings.HasSuffix(s.Before(), `"? `) })
	x.shows(`"ran <<E | danger   x \n`)
	x.Keys("n")
	x.line0("> E")
	x.drop()
	// Not where they do not stand by themselves.
	for typed, ran := range map[string]string{"ran 'G'": "G", `ran "a G"`: "a G", `ran \G`: "G", "ran GG": "GG", "ran notes.tx": "notes.tx", "plain": "plain", "ran x-S": "x-S"} {
		x.Keys("\x0c" + typed + "\r")
		x.Wait("it ran", func(s *shelltest.Screen) bool { return x.times(ran) >= 1 && s.Before() == "$ " })
	}
	x.ranTimes("danger", 0)
}
