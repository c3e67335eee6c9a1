package risk

import (
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func entry(key string, l tcpdb.Level, caps tcpdb.Flags) tcpdb.Entry {
	return tcpdb.Entry{Key: key, Descriptor: tcpdb.Descriptor{Flags: caps.WithLevel(l)}, Rule: strings.ReplaceAll(key, " ", ".")}
}

func image(t testing.TB, fill func(*tcpdb.Builder)) *tcpdb.Image {
	t.Helper()
	b := tcpdb.NewBuilder()
	fill(b)
	data, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	im, err := tcpdb.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return im
}

func coreImage(t testing.TB) *tcpdb.Image {
	return image(t, func(b *tcpdb.Builder) {
		flag := func(id string, names ...string) tcpdb.Flag { return tcpdb.Flag{ID: id, Names: names} }
		valued := func(id string, names ...string) tcpdb.Flag {
			return tcpdb.Flag{ID: id, Names: names, Value: tcpdb.RequiredValue}
		}
		b.Tool(&tcpdb.Node{Path: "rm", Name: "rm", Bits: tcpdb.Interspersed, Flags: []tcpdb.Flag{flag("help", "--help"), flag("recursive", "-r"), flag("force", "-f")}, Args: []tcpdb.Arg{{Name: "file", Repeatable: true}}})
		b.Tool(&tcpdb.Node{
			Path: "git", Name: "git", Bits: tcpdb.Interspersed, Flags: []tcpdb.Flag{valued("C", "-C"), flag("help", "--help")},
			Subs: []*tcpdb.Node{
				{Path: "git reset", Name: "reset", Bits: tcpdb.Interspersed, Flags: []tcpdb.Flag{flag("hard", "--hard"), flag("help", "--help")}},
				{Path: "git push", Name: "push", Bits: tcpdb.Interspersed, Flags: []tcpdb.Flag{flag("force", "-f", "--force"), flag("dry-run", "-n", "--dry-run"), flag("help", "--help")}, Args: []tcpdb.Arg{{Name: "ref", Repeatable: true}}},
			},
		})
		b.Tool(&tcpdb.Node{Path: "sudo", Name: "sudo", Flags: []tcpdb.Flag{valued("user", "-u"), flag("list", "-l")}, Wrapper: tcpdb.Wrapper{Mode: tcpdb.WrapWords, Assignments: true, Adds: tcpdb.RequiresRoot | tcpdb.PrivilegeEscalation}})
		b.Tool(&tcpdb.Node{Path: "sh", Name: "sh", Flags: []tcpdb.Flag{flag("c", "-c")}, Wrapper: tcpdb.Wrapper{Mode: tcpdb.WrapShell, ShellFlag: "c", Dialect: "posix"}})
		b.Tool(&tcpdb.Node{Path: "find", Name: "find", Bits: tcpdb.SingleDashLong | tcpdb.Interspersed, Flags: []tcpdb.Flag{flag("delete", "-delete")}, Wrapper: tcpdb.Wrapper{Mode: tcpdb.WrapTrailer, Markers: []string{"-exec"}, Terminators: []string{";", "+"}}})
		b.Entry(entry("rm", tcpdb.Critical, tcpdb.Destructive))
		b.Entry(entry("ls", tcpdb.Safe, 0))
		b.Entry(entry("cp", tcpdb.Medium, tcpdb.FileModification))
		b.Entry(entry("find", tcpdb.Low, 0))
		b.Variant(tcpdb.Variant{Entry: entry("find", tcpdb.Critical, tcpdb.Destructive), All: []string{"delete"}})
		b.Variant(tcpdb.Variant{Entry: entry("rm", tcpdb.Safe, 0), Any: []string{"help"}, Effect: tcpdb.HarmlessEffect})
		b.Variant(tcpdb.Variant{Entry: entry("git", tcpdb.Safe, 0), Any: []string{"help"}, Effect: tcpdb.HarmlessEffect})
		b.Entry(entry("git", tcpdb.Low, 0))
		b.Entry(entry("git reset", tcpdb.Medium, tcpdb.FileModification))
		b.Variant(tcpdb.Variant{Entry: entry("git reset", tcpdb.Critical, tcpdb.Destructive), All: []string{"hard"}})
		b.Entry(entry("git push", tcpdb.Medium, tcpdb.NetworkAccess))
		b.Variant(tcpdb.Variant{Entry: entry("git push", tcpdb.High, tcpdb.NetworkAccess|tcpdb.Destructive), Any: []string{"force"}})
		b.Variant(tcpdb.Variant{Entry: entry("git push", tcpdb.High, tcpdb.NetworkAccess|tcpdb.Destructive), ArgClass: "plus-refspec|delete-refspec", Effect: tcpdb.RaiseEffect})
		b.Variant(tcpdb.Variant{Entry: entry("git push", tcpdb.Safe, 0), Any: []string{"dry-run"}, Effect: tcpdb.HarmlessEffect})
	})
}

func view(t testing.TB) *tcpdb.View { return tcpdb.NewView(coreImage(t)) }

func TestJudge(t *testing.T) {
	v := view(t)
	facts := Facts{Alias: func(tool, name string) (string, bool) {
		text, ok := map[string]string{"undo": "reset --hard", "up": "!git pull && make"}[name]
		return text, ok && tool == "git"
	}}
	const root = tcpdb.RequiresRoot | tcpdb.PrivilegeEscalation
	for _, c := range []struct {
		line  string
		level tcpdb.Level
		flags tcpdb.Flags
		known bool
		word  int // of the deciding finding
		lines string
	}{
		{"rm -rf x", tcpdb.Critical, tcpdb.Destructive, true, 0, ""},
		{"/bin/rm x", tcpdb.Critical, tcpdb.Destructive, true, 0, ""},
		{"./rm x", tcpdb.Critical, tcpdb.Destructive, false, 0, ""},
		{"rm --help", tcpdb.Safe, 0, true, 1, ""},
		{"rm -- --help", tcpdb.Critical, tcpdb.Destructive, true, 0, ""},
		{"ls -la", tcpdb.Safe, 0, true, 0, ""},
		{"frobnicate", tcpdb.Medium, 0, false, 0, ""},
		{"git reset", tcpdb.Medium, tcpdb.FileModification, true, 1, ""},
		{"git -C x reset --har", tcpdb.Critical, tcpdb.Destructive, true, 4, ""},
		{"git undo", tcpdb.Critical, tcpdb.Destructive, true, 1, ""},
		{"git up", tcpdb.Safe, 0, true, -1, "posix:git pull && make"},
		{"git frob", tcpdb.Medium, 0, false, 0, ""},
		{"git push origin +main", tcpdb.High, tcpdb.NetworkAccess | tcpdb.Destructive, true, 1, ""},
		{"git push -f", tcpdb.High, tcpdb.NetworkAccess | tcpdb.Destructive, true, 2, ""},
		{"git push -nf", tcpdb.Safe, 0, true, 2, ""},
		{"git push --force --help", tcpdb.Safe, 0, true, 3, ""},
		{"sudo ls", tcpdb.Medium, root, true, 0, ""},
		{"sudo -u bob A=1 cp a b", tcpdb.High, root | tcpdb.FileModification, true, 0, ""},
		{"sudo rm x", tcpdb.Critical, root | tcpdb.Destructive, true, 1, ""},
		{"sudo -l", tcpdb.Safe, 0, true, -1, ""},
		{"sudo sudo rm x", tcpdb.Critical, root | tcpdb.Destructive, true, 2, ""},
		{"sh -c rm", tcpdb.Safe, 0, true, -1, "posix:rm"},
		{"find . -delete", tcpdb.Critical, tcpdb.Destructive, true, 2, ""},
		{"find . -exec rm {} +", tcpdb.Critical, tcpdb.Destructive, true, 3, ""},
		{"find . -exec ls {} ;", tcpdb.Low, 0, true, 0, ""},
	} {
		got := Judge(v, strings.Fields(c.line), facts)
		word := -1
		if len(got.Findings) > 0 {
			word = got.Findings[0].Word
		}
		var lines []string
		for _, l := range got.Lines {
			lines = append(lines, l.Dialect+":"+l.Text)
		}
		if got.Level != c.level || got.Flags != c.flags || got.Known != c.known || word != c.word || strings.Join(lines, ";") != c.lines {
			t.Errorf("%s: %v %v known %v word %d lines %v", c.line, got.Level, got.Flags.Names(), got.Known, word, lines)
		}
	}
}

// A higher layer raises and never lowers, whatever it writes.
func TestNoLayerLowers(t *testing.T) {
	v := view(t)
	v.Add(tcpdb.ProjectLayer, image(t, func(b *tcpdb.Builder) {
		b.Entry(entry("rm", tcpdb.Safe, 0))
		b.Entry(entry("ls", tcpdb.High, tcpdb.NetworkAccess))
		b.Entry(entry("git reset", tcpdb.Safe, 0))
		b.Variant(tcpdb.Variant{Entry: entry("git reset", tcpdb.Safe, 0), All: []string{"hard"}})
		b.Variant(tcpdb.Variant{Entry: entry("rm", tcpdb.Safe, 0), Any: []string{"recursive", "force"}, Effect: tcpdb.HarmlessEffect})
	}))
	for line, want := range map[string]tcpdb.Level{
		"rm x": tcpdb.Critical, "rm -rf x": tcpdb.Critical, "ls": tcpdb.High,
		"git reset --hard": tcpdb.Critical, "git reset": tcpdb.Medium,
	} {
		if got := Judge(v, strings.Fields(line), Facts{}); got.Level != want {
			t.Errorf("%s: %v, want %v", line, got.Level, want)
		}
	}
}

func TestTooDeepIsHigh(t *testing.T) {
	words := append(strings.Fields(strings.Repeat("sudo ", 40)), "ls")
	if got := Judge(view(t), words, Facts{}); got.Level != tcpdb.High {
		t.Errorf("%v", got.Level)
	}
}

func TestArgClass(t *testing.T) {
	v := view(t)
	for _, c := range []struct {
		class, args string
		want        bool
	}{
		{"none", "", true},
		{"none", "a", false},
		{"some", "a", true},
		{"one", "a b", false},
		{"two", "a b c", true},
		{"3", "a b", false},
		{"is:a", "a b", true},
		{"is:b", "a b", false},
		{"has:b", "a b", true},
		{"match:*.sql", "x dump.sql", true},
		{"match:*.sql", "x db/dump.sql", true},
		{"first:d*", "x dump.sql", false},
		{"first:x*", "x dump.sql", true},
		{"keys", "/etc/sudoers.d/me", true},
		{"keys", "~/.ssh/authorized_keys", true},
		{"keys", "/etc/passwd", false},
		{"device", "/dev/sda", true},
		{"device", "/dev/disk/by-id/usb-x", true},
		{"device", "/dev/null", false},
		{"device", "/dev/stdout", false},
		{"root", "/", true},
		{"root", "/*", true},
		{"root", "/etc/", true},
		{"root", "/srv/data", false},
		{"home", "~", true},
		{"home", "~/", true},
		{"home", "~/x", false},
		{"home", "$HOME", true},
		{"tree", "dir/", true},
		{"glob", "*.o", true},
		{"startup", "~/.bashrc", true},
		{"account", "/etc/shadow", true},
		{"url", "https://x", true},
		{"plus-refspec", "origin +main", true},
		{"delete-refspec", "origin :old", true},
		{"pathspec", "src/..", true},
		{"pathspec", "./src", true},
		{"pathspec", "*.go", true},
		{"pathspec", ":/", true},
		{"pathspec", "src/", true},
		{"pathspec", "feature/x.y", false},
		{"pathspec", "main...topic", false},
		{"pathspec", "HEAD~2", false},
		{"revision", "HEAD~1", true},
		{"revision", "README.md", false},
		{"!some", "", true},
		{"device|root", "/", true},
		{"some&!device", "x", true},
		{"after-dash", "-- x", true},
		{"after-dash", "x", false},
	} {
		words := append([]string{"rm"}, strings.Fields(c.args)...)
		b := argv.Bind(v, words)
		if !ValidClass(c.class) {
			t.Errorf("%s is not a valid class", c.class)
		}
		if got := argsAre(c.class, b); got != c.want {
			t.Errorf("%s of %q: %v", c.class, c.args, got)
		}
	}
	git := argv.Bind(v, []string{"git", "-C", "/srv/repo", "push"})
	for class, want := range map[string]bool{"value:C=/srv/*": true, "value:C=/tmp/*": false, "value:x=*": false} {
		if got := argsAre(class, git); got != want || !ValidClass(class) {
			t.Errorf("%s: %v, valid %v", class, got, ValidClass(class))
		}
	}
	for _, bad := range []string{"", "what", "is:", "match:[", "none:x", "-1", "value:C", "keys:x"} {
		if ValidClass(bad) {
			t.Errorf("%q is a valid class", bad)
		}
	}
}

// TestUntrustedName: a name that PATH leads to a program of this place is rated
// no lower than what it is named for, and not as words too deep to follow.
func TestUntrustedName(t *testing.T) {
	v := tcpdb.NewView(tcpdb.Core())
	facts := Facts{Trusted: func(word string) bool { return word != "git" && word != "ls" }}
	for _, test := range []struct {
		words []string
		level tcpdb.Level
	}{
		{[]string{"ls"}, tcpdb.Medium},
		{[]string{"git", "status"}, tcpdb.Medium},
		{[]string{"git", "reset", "--hard"}, tcpdb.Critical},
		{[]string{"env", "ls"}, tcpdb.Medium},
	} {
		got := Judge(v, test.words, facts)
		if got.Level != test.level || got.Findings[0].Rule == "too-deep" {
			t.Errorf("%q: %s by %s, want %s", test.words, got.Level, got.Findings[0].Rule, test.level)
		}
	}
}
