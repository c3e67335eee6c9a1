package shells_test

import (
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

// A list below the line takes one Enter; the next is judged.
func TestEnterFishLists(t *testing.T) {
	for _, c := range []struct {
		name, keys, list, line string
	}{
		{"the history", "\x12dang", "► danger old", "danger old"},
		{"one chosen from it", "ran \t\t\t", "danger-b", "ran danger-b"},
		{"one searched for", "ran \t\x13r-b", "danger-b", "ran danger-b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := entering(t, "fish", setup{after: "complete -c ran -f -a 'danger-a danger-b'"})
			x.Keys("danger old\r")
			x.asked("danger old")
			x.Keys("y")
			x.Wait("it ran", func(s *shelltest.Screen) bool { return x.times("danger old") == 1 && s.Before() == "$ " })
			x.Keys("\x0c" + c.keys)
			x.shows(c.list)
			x.Keys("\r")
			x.Wait("the line alone", func(s *shelltest.Screen) bool {
				return strings.TrimRight(s.String(), "\n ") == "$ "+c.line && strings.HasPrefix(s.Before(), "$ ")
			})
			x.Keys("\r")
			x.Wait("the question", func(s *shelltest.Screen) bool { return strings.HasSuffix(s.Before(), `"? `) })
			x.Keys("n")
			x.Wait("the line", func(s *shelltest.Screen) bool { return strings.HasPrefix(s.Before(), "$ "+c.line) })
			x.Keys("\r")
			x.Wait("the question", func(s *shelltest.Screen) bool { return strings.HasSuffix(s.Before(), `"? `) })
			x.Keys("y")
			want, ran := strings.TrimPrefix(c.line, "ran "), 1
			if want == "danger old" {
				ran = 2
			}
			x.Wait("it ran", func(s *shelltest.Screen) bool { return x.times(want) == ran && s.Before() == "$ " })
			if strings.Contains(x.Raw(), "not judged") {
				t.Errorf("a notice\n%s", x.Screen())
			}
		})
	}
}

// A list that nothing was chosen from is no way around.
func TestEnterFishOpenList(t *testing.T) {
	x := entering(t, "fish", setup{after: "complete -c danger -f -a 'one two'"})
	x.Keys("danger \t")
	x.shows("one  two")
	x.Keys("\r")
	x.Wait("the line alone", func(s *shelltest.Screen) bool { return s.String() == "$ danger\n" && s.Before() == "$ danger " })
	x.Keys("\r")
	x.asked("danger ")
	x.Keys("y")
	x.Wait("it ran", func(s *shelltest.Screen) bool { return x.times("danger ") == 1 && s.Before() == "$ " })
	// A harmless line runs as without tmp.
	x.Keys("\x0c" + "ran fine")
	x.line("ran fine|")
	x.Keys("\r")
	x.Wait("it ran", func(s *shelltest.Screen) bool { return x.times("fine") == 1 && s.Before() == "$ " })
}

// What an abbreviation stands for is judged, wherever fish expands it.
func TestEnterFishAbbreviations(t *testing.T) {
	x := entering(t, "fish", setup{rows: 60, after: `abbr -a gd danger expanded
abbr -a --position anywhere ANY '| danger'
abbr -a fine ran fine
abbr -a txt --regex '.+\.txt' --function edit
abbr -a later --function gives
abbr -a mark --set-cursor 'danger %x'
function edit; echo "danger $argv"; end
function gives; echo 'danger later'; end`})
	for _, c := range []struct{ keys, judged string }{
		{"gd", "danger expanded"},
		{"and gd", "and danger expanded"},
		{"not gd", "not danger expanded"},
		{"FOO=1 gd", "FOO=1 danger expanded"},
		{"time gd", "time danger expanded"},
		{"ran a; gd", "ran a; danger expanded"},
		{"ran a | gd", "ran a | danger expanded"},
		{"gd\x02", "danger expanded"},
		{"gd\x02\x02", "danger expanded"},
		{"ran a ANY", "ran a | danger"},
	} {
		x.Keys(c.keys + "\r")
		x.asked(c.judged)
		x.Keys("n")
		x.Wait("the line", func(s *shelltest.Screen) bool { return strings.HasPrefix(s.Before(), "$ ") })
		x.clear()
		x.Keys("\x0c")
		x.Wait("a clean screen", func(s *shelltest.Screen) bool { return s.String() == "$\n" })
	}
	// Expanded by a first Enter where only fish knows to what.
	for _, c := range []struct{ keys, line, judged string }{
		{"later", "danger later|", "danger later"},
		{"a.txt", "danger a.txt|", "danger a.txt"},
		{"mark", "danger |x", "danger x"},
	} {
		x.Keys(c.keys + "\r")
		x.line(c.line)
		x.Keys("\r")
		x.asked(c.judged)
		x.Keys("n")
		x.Wait("the line", func(s *shelltest.Screen) bool { return strings.HasPrefix(s.Before(), "$ ") })
		x.clear()
		x.Keys("\x0c")
		x.Wait("a clean screen", func(s *shelltest.Screen) bool { return s.String() == "$\n" })
	}
	// No abbreviation there: one Enter runs it.
	for typed, ran := range map[string]string{"ran gd": "gd", "ran a.txt": "a.txt", "ran later": "later", "command ran mark": "mark", "fine": "fine"} {
		x.Keys(typed + "\r")
		x.Wait("it ran", func(s *shelltest.Screen) bool { return x.times(ran) == 1 && s.Before() == "$ " })
	}
	if strings.Contains(x.Raw(), "not judged") {
		t.Errorf("a notice\n%s", x.Screen())
	}
}
