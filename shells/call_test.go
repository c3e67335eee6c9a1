package shells_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/shells"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func TestParseCall(t *testing.T) {
	for _, c := range []struct {
		name, args, stdin string
		left, right, word string
		aliases           map[string]string
	}{
		{"hook", "--wire 1 --shell zsh", "git a\x00b\x00a\x00", "git a", "b", "a", nil},
		{"hook with aliases", "--wire 1 --shell zsh --aliases 2", "g\x00\x00\x00g\x00l\x00git\x00ls\nx\x00f\x00", "g", "", "", map[string]string{"g": "git", "l": "ls\nx"}},
		{"bash", "--wire 1 --shell bash --split --columns 99999999 --aliases 1", "g x\x1f\x1fx\x1fg\x1fgit\x1f\n", "g x", "", "x", map[string]string{"g": "git"}},
		{"a line that ends in a newline", "--wire 1 --shell bash --split", "echo '\n\x1f\x1f\n\x1f\n", "echo '\n", "", "\n", nil},
		{"plain", "--shell bash --point 3", "git che\x00g=git\x00", "git", " che", "", map[string]string{"g": "git"}},
		{"plain, cursor past the end", "--shell bash --point 99", "git", "git", "", "", nil},
		{"plain, cursor before the line", "--shell bash --point=-7", "git", "", "git", "", nil},
		{"plain, cursor beyond all numbers", "--shell=bash --point 99999999999999999999999", "git", "git", "", "", nil},
		{"plain, cursor in a rune", "--shell bash --point 2", "aé", "a", "é", "", nil},
		{"plain, no cursor", "--shell fish", "git x", "git x", "", "", nil},
	} {
		call, err := shells.ParseCall(strings.Fields(c.args), strings.NewReader(c.stdin))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if call.Left != c.left || call.Right != c.right || call.Word != c.word {
			t.Errorf("%s: %q %q %q", c.name, call.Left, call.Right, call.Word)
		}
		if call.Columns > 4096 {
			t.Errorf("%s: %d columns", c.name, call.Columns)
		}
		if d := cmp.Diff(c.aliases, call.Aliases); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

func TestParseCallRefuses(t *testing.T) {
	for _, c := range [][2]string{
		{"--shell tcsh", ""},
		{"", ""},
		{"--shell bash --point x", ""},
		{"--shell bash --frob 1", ""},
		{"--shell", ""},
		{"--wire 2 --shell bash", "a\x00b\x00\x00"},             // another version
		{"--wire 1 --shell bash", "a\x00b"},                     // a record is missing
		{"--wire 1 --shell bash --aliases 9", "a\x00b\x00\x00"}, // aliases are missing
		{"--wire 1 --shell bash", "git a\x00\x00b\x00"},         // the word is not at the cursor
	} {
		_, err := shells.ParseCall(strings.Fields(c[0]), strings.NewReader(c[1]))
		var usage *shells.UsageError
		if !errors.As(err, &usage) {
			t.Errorf("%q %q: %v", c[0], c[1], err)
		}
	}
}

func TestParseCommandCall(t *testing.T) {
	for _, c := range []struct {
		word, line, point string
		utf8              bool
		left              string
	}{
		{"che", "git che", "7", true, "git che"},
		{"ä", "git ä", "5", true, "git ä"},
		{"ä", "git ä", "6", false, "git ä"},
		{"ä", "git ä", "5", false, "git ä"}, // the locale is UTF-8, the environment does not say so
		{"ä", "git ä", "6", true, "git ä"},
		{"x", "git ä", "junk", true, "git ä"},
		{"x", "git ä", "-1", true, "git ä"},
		{"", "git ", "99999999999999999999", true, "git "},
	} {
		call, err := shells.ParseCommandCall([]string{"git", c.word, "git"}, c.line, c.point, "9", c.utf8)
		if err != nil || call.Left != c.left {
			t.Errorf("%+v: %+v %v", c, call, err)
		}
	}
	if _, err := shells.ParseCommandCall([]string{"git"}, "git", "3", "9", true); err == nil {
		t.Error("one argument is enough")
	}
}

func answer(cs ...completion.Candidate) completion.Answer {
	return completion.Answer{Handled: true, Replace: tcpdb.Span{Start: 2, End: 3}, Candidates: cs}
}

// quoted is a candidate as the engine quotes it for fish.
func quoted(value string) completion.Candidate {
	insert := shline.Quote(shline.Fish, value, shline.Word{Raw: "a", Text: "a", Start: 2, End: 3}, false)
	return completion.Candidate{Value: value, Insert: insert, Display: completion.Clean(value)}
}

// A caller that names a limit gets that many, also more than bash would list.
func TestReplyLimit(t *testing.T) {
	cs := make([]completion.Candidate, 300)
	for i := range cs {
		text := fmt.Sprintf("a%03d", i)
		cs[i] = completion.Candidate{Value: text, Insert: text, Display: text}
	}
	none := 0
	for _, c := range []struct {
		limit *int
		lines int
	}{{nil, 1 + 99}, {&none, 1 + 300}} {
		call := &shells.Call{Shell: "bash", Left: "x a", Word: "a", Kind: 9, Columns: 80, Limit: c.limit}
		// The state and a line for each.
		if n := strings.Count(call.Reply(answer(cs...)), "\n"); n != c.lines {
			t.Errorf("limit %v: %d lines, want %d", c.limit, n, c.lines)
		}
	}
}

func TestReply(t *testing.T) {
	abc := completion.Candidate{Value: "abc", Insert: "abc", Display: "abc"}
	abd := completion.Candidate{Value: "abd", Insert: "abd", Display: "abd", Description: "second"}
	risky := completion.Candidate{Value: "ax", Insert: "ax", Display: "ax", Raises: true, Level: tcpdb.High}
	line := completion.Candidate{Value: "a\nb", Insert: "a\nb", Display: "a b"}
	held := answer(risky)
	held.Hold = true
	more := answer(abc, abd)
	more.Omitted = 3
	loose := answer(abc, abd)
	loose.Match = 2
	for _, c := range []struct {
		name   string
		shell  string
		kind   int
		answer completion.Answer
		want   string
	}{
		{"not ours", "bash", 9, completion.Answer{}, "own\n"},
		{"nothing", "bash", 9, answer(), "none\n"},
		{"own of a wrapped command", "fish", 9, completion.Answer{Inner: 2}, "own\na\n"},
		{"own of a wrapped command elsewhere", "zsh", 9, completion.Answer{Inner: 2}, "own\n"},
		{"values that fish cannot be told", "fish", 9, answer(quoted("a\nb"), quoted("a\tb"), quoted("a\u009b1m"), quoted("a\u2028b"), quoted("~x"), quoted("a\x1bb"), quoted("a b")), "ok\n\na\x1eb\na\x1bb\na b\n"},
		{"a file in fish that begins as a home", "fish", 9, answer(completion.Candidate{Value: "~x", Insert: `\~x`, Display: "~x", Kind: "file"}), "ok\n\n./~x\n"},
		{"no value that fish can be told", "fish", 9, answer(quoted("a\tb")), "none\n"},
		{"message", "zsh", 9, completion.Answer{Handled: true, Message: "no\nway"}, "say no way\n"},
		{"one", "bash", 9, answer(abc), "ok\nabc\n"},
		{"two", "bash", 9, answer(abc, abd), "ok\nabc\nabd\n"},
		{"a line break is never inserted raw", "bash", 9, answer(line), "none\n"},
		{"list", "bash", '?', answer(abc, abd), "ok\nabc" + strings.Repeat(" ", 37) + "\nabd  second" + strings.Repeat(" ", 29) + "\n"},
		{"held", "bash", 9, held, "hold ax  [HIGH]\n"},
		{"menu of risks", "bash", '%', answer(risky), "none\n"},
		{"menu", "bash", '%', answer(abc, risky), "ok\nabc\n"},
		{"more", "bash", 9, more, "ok\nabc\nabd\n… 3 more\n"},
		{"loose", "bash", 9, loose, "ok\nabc\nabd\n \n"},
		{"loose list", "bash", '?', loose, "ok\nabc" + strings.Repeat(" ", 37) + "\nabd  second" + strings.Repeat(" ", 29) + "\n"},
		{"zsh", "zsh", 9, answer(abc, abd), "ok notes\n\n2 \nabc\nabd\nabc\nabd  second\n"},
		{"zsh more", "zsh", 9, more, "ok stuck notes\n… 3 more\n2 \nabc\nabd\nabc\nabd  second\n"},
		{"zsh held", "zsh", 9, held, "ok hold notes\n\n1 \nax\nax  [HIGH]\n"},
		{"fish", "fish", 9, answer(abc, abd), "ok\n\nabc\nabd\tsecond\n"},
		{"fish held", "fish", 9, held, "ok hold\n\nax\t[HIGH]\na\n"},
		{"fish loose", "fish", 9, loose, "ok\n\nabc\nabd\tsecond\n"},
	} {
		call := &shells.Call{Shell: c.shell, Left: "x a", Word: "a", Kind: c.kind, Columns: 80}
		if got := call.Reply(c.answer); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// Any bytes from a hook have an answer, of which no candidate is more than a line.
func FuzzReply(f *testing.F) {
	f.Add("bash", "git a", "b", "a", "abc", 9)
	f.Add("zsh", "x \"a b", "\"", "a b", "\"a bc\"", 9)
	f.Add("fish", "x ~/a", "", "~/a", "~/a\nb", 9)
	f.Fuzz(func(t *testing.T, shell, left, right, word, insert string, kind int) {
		c := &shells.Call{Shell: shell, Left: left, Right: right, Kind: kind, Columns: 80}
		if strings.HasSuffix(left, word) {
			c.Word = word
		}
		a := completion.Answer{Handled: true, Replace: tcpdb.Span{Start: len(left) - len(c.Word), End: len(left)}}
		for _, v := range []string{insert, insert + "x", "y" + insert} {
			a.Candidates = append(a.Candidates, completion.Candidate{Value: v, Insert: v})
		}
		reply := c.Reply(a)
		if !strings.HasSuffix(reply, "\n") {
			t.Fatalf("%q", reply)
		}
		if shell == "zsh" {
			lines := strings.Count(reply, "\n")
			if strings.HasPrefix(reply, "ok") && (lines-3)%2 != 0 {
				t.Fatalf("texts and lines of the list differ in number: %q", reply)
			}
		}
	})
}
