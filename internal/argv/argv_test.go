package argv

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
	"pgregory.net/rapid"
)

// view is a small map: a tool in git's manner, one in go's, and wrappers.
func view(t interface{ Fatal(...any) }) *tcpdb.View {
	b := tcpdb.NewBuilder()
	b.Tool(&tcpdb.Node{
		Path: "git", Name: "git", Bits: tcpdb.Interspersed | tcpdb.OwnOptions,
		Flags: []tcpdb.Flag{
			{ID: "C", Names: []string{"-C"}, Value: tcpdb.RequiredValue, Repeatable: true, Role: tcpdb.ChdirRole},
			{ID: "no-pager", Names: []string{"--no-pager"}},
		},
		Subs: []*tcpdb.Node{
			{
				Path: "git reset", Name: "reset", Bits: tcpdb.Interspersed,
				Flags: []tcpdb.Flag{{ID: "hard", Names: []string{"--hard"}}, {ID: "soft", Names: []string{"--soft"}}},
				Args:  []tcpdb.Arg{{Name: "commit"}, {Name: "path", AfterDash: true, Repeatable: true}},
			},
			{
				Path: "git commit", Name: "commit", Aliases: []string{"ci"}, Bits: tcpdb.Interspersed,
				Flags: []tcpdb.Flag{
					{ID: "all", Names: []string{"-a", "--all"}},
					{ID: "message", Names: []string{"-m", "--message"}, Value: tcpdb.RequiredValue},
					{ID: "gpg-sign", Names: []string{"-S", "--gpg-sign"}, Value: tcpdb.OptionalValue, Negatable: true},
					{ID: "verify", Names: []string{"--verify"}, Negatable: true},
					{ID: "amend", Names: []string{"--amend"}},
				},
				Args: []tcpdb.Arg{{Name: "pathspec", Repeatable: true}},
			},
			{Path: "git log", Name: "log", Bits: tcpdb.Interspersed | tcpdb.NumericFlags},
		},
	})
	b.Tool(&tcpdb.Node{
		Path: "go", Name: "go",
		Subs: []*tcpdb.Node{{
			Path: "go test", Name: "test", Bits: tcpdb.SingleDashLong,
			Flags: []tcpdb.Flag{
				{ID: "run", Names: []string{"-run"}, Value: tcpdb.RequiredValue},
				{ID: "race", Names: []string{"-race"}},
				{ID: "v", Names: []string{"-v"}},
			},
			Args: []tcpdb.Arg{{Name: "package", Repeatable: true}},
		}},
	})
	b.Tool(&tcpdb.Node{
		Path: "tools", Name: "tools", Flags: []tcpdb.Flag{{ID: "root", Names: []string{"--root"}, Value: tcpdb.RequiredValue}},
		Subs: []*tcpdb.Node{{
			Path: "tools run", Name: "run", Flags: []tcpdb.Flag{{ID: "json", Names: []string{"--json"}}},
			Subs: []*tcpdb.Node{{
				Path: "tools run hello", Name: "hello", Bits: tcpdb.OwnOptions,
				Flags: []tcpdb.Flag{{ID: "name", Names: []string{"--name"}, Value: tcpdb.RequiredValue}},
			}},
		}},
	})
	b.Tool(&tcpdb.Node{
		Path: "road", Name: "road", Bits: tcpdb.Interspersed | tcpdb.Keywords,
		Flags: []tcpdb.Flag{
			{ID: "via", Names: []string{"via"}, Value: tcpdb.RequiredValue},
			{ID: "fast", Names: []string{"fast"}},
		},
		Args: []tcpdb.Arg{{Name: "to"}, {Name: "more", Repeatable: true}},
	})
	b.Tool(&tcpdb.Node{
		Path: "sudo", Name: "sudo",
		Flags:   []tcpdb.Flag{{ID: "user", Names: []string{"-u", "--user"}, Value: tcpdb.RequiredValue}},
		Wrapper: tcpdb.Wrapper{Mode: tcpdb.WrapWords, Assignments: true},
	})
	b.Tool(&tcpdb.Node{
		Path: "ssh", Name: "ssh",
		Flags:   []tcpdb.Flag{{ID: "p", Names: []string{"-p"}, Value: tcpdb.RequiredValue}},
		Wrapper: tcpdb.Wrapper{Mode: tcpdb.WrapJoined, Skip: 1, Elsewhere: true},
	})
	b.Tool(&tcpdb.Node{
		Path: "find", Name: "find", Bits: tcpdb.SingleDashLong | tcpdb.Interspersed,
		Flags: []tcpdb.Flag{
			{ID: "exec", Names: []string{"-exec"}}, {ID: "name", Names: []string{"-name"}, Value: tcpdb.RequiredValue},
		},
		Wrapper: tcpdb.Wrapper{Mode: tcpdb.WrapTrailer, Markers: []string{"-exec"}, Terminators: []string{";", "+"}},
	})
	data, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	im, err := tcpdb.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	v := tcpdb.NewView(nil)
	v.Add(tcpdb.SystemLayer, im)
	return v
}

// describe writes a bound command in one line: path | flags | args | inner | pending.
func describe(b *Bound) string {
	if b == nil {
		return "-"
	}
	var flags, args, inner []string
	for _, f := range b.Flags {
		s := f.Name + "?"
		if f.Flag != nil {
			s = f.Flag.ID
			if f.Negated {
				s = "!" + s
			}
		}
		if f.ValueWord >= 0 {
			s += "=" + f.Value
		}
		flags = append(flags, s)
	}
	for _, a := range b.Args {
		s := a.Text
		if a.AfterDash {
			s = "--" + s
		}
		args = append(args, s)
	}
	for _, in := range b.Inner {
		inner = append(inner, strings.Join(b.Words[in.Start:in.End], " "))
	}
	pending := ""
	if b.Pending != nil {
		pending = b.Pending.ID
	}
	return strings.Join([]string{
		b.Node().Path, strings.Join(flags, " "), strings.Join(args, " "), strings.Join(inner, " / "), pending,
	}, "|")
}

func TestBind(t *testing.T) {
	v := view(t)
	for _, c := range []struct{ line, want string }{
		{"git", "git||||"},
		{"/usr/bin/git reset", "git reset||||"},
		{"svn up", "-"},
		{"git -C ../x --no-pager reset --hard HEAD", "git reset|C=../x no-pager hard|HEAD||"},
		{"git -C../x reset", "git reset|C=../x|||"},
		{"git reset HEAD --hard", "git reset|hard|HEAD||"},
		{"git reset --har", "git reset|hard|||"},
		{"git reset --h --s", "git reset|hard soft|||"},
		{"git reset -- --hard a", "git reset||----hard --a||"},
		{"road home via fast fast slow", "road|via=fast fast|home slow||"},
		{"road via", "road|via|||via"},
		{"road -- via", "road||--via||"},
		{"git commit -am msg x", "git commit|all message=msg|x||"},
		{"git commit -ammsg", "git commit|all message=msg|||"},
		{"git commit -m -a", "git commit|message=-a|||"},
		{"git commit --message=-a", "git commit|message=-a|||"},
		{"git commit -m", "git commit|message|||message"},
		{"git commit -S --am", "git commit|gpg-sign amend|||"},
		{"git commit -Skey", "git commit|gpg-sign=key|||"},
		{"git commit --a", "git commit|--a?|||"}, // all or amend: ambiguous
		{"git commit --no-verify --no-gpg", "git commit|!verify !gpg-sign|||"},
		{"git ci --no-am", "git commit|--no-am?|||"},
		{"git log -5 -x", "git log|-5?=5 -x?|||"},
		{"git what reset", "git||what reset||"},
		{"go test -run=X -race ./...", "go test|run=X race|./...||"},
		{"go test -run X -v", "go test|run=X v|||"},
		{"go test ./... -v", "go test||./... -v||"}, // go stops at the first package
		{"sudo -u bob A=1 rm -rf x", "sudo|user=bob|A=1|rm -rf x|"},
		{"sudo -u", "sudo|user|||user"},
		{"sudo", "sudo||||"},
		{"ssh -p 22 host rm -rf x", "ssh|p=22|host|rm -rf x|"},
		{"ssh host", "ssh||host||"},
		{"find . -name x -exec rm -f {} ; -exec ls {} +", "find|name=x exec exec|.|rm -f {} / ls {}|"},
		{"find . -exec rm", "find|exec|.|rm|"},
	} {
		if got := describe(Bind(v, strings.Fields(c.line))); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.line, got, c.want)
		}
	}
}

func TestArg(t *testing.T) {
	v := view(t)
	for _, c := range []struct{ line, want string }{
		{"git reset", "commit"},
		{"git reset HEAD", ""},
		{"git reset HEAD --", "path"},
		{"git reset -- a", "path"},
		{"git commit a b", "pathspec"},
		{"git commit --", "pathspec"},
	} {
		got := ""
		if a := Bind(v, strings.Fields(c.line)).Arg(); a != nil {
			got = a.Name
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.line, got, c.want)
		}
	}
}

func TestChdir(t *testing.T) {
	v := view(t)
	for line, want := range map[string]string{
		"git -C a -C ../b commit":       "/w/b",
		"git -C /x log":                 "/x",
		"git commit -C HEAD":            "/w",
		"git -C":                        "/w",
		"git -C a/./b -C c":             "/w/a/b/c",
		"git -C a -C /x -C .. -C y log": "/y",
	} {
		if got := Bind(v, strings.Fields(line)).Chdir("/w"); got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
}

// Whatever the words, each is accounted for once at most, in range and in order.
func TestBindAnyWords(t *testing.T) {
	v := view(t)
	words := rapid.SliceOfN(rapid.OneOf(
		rapid.SampledFrom([]string{
			"git", "sudo", "find", "reset", "commit", "-am", "-m", "--", "--hard", "-exec", ";", "A=1",
			"-C", "--no-verify", "-", "", "+x", "--=", "-S", "--message=", "go", "test", "-run", "-5",
		}), rapid.String()), 1, 12)
	rapid.Check(t, func(rt *rapid.T) {
		w := words.Draw(rt, "words")
		b := Bind(v, w)
		if b == nil {
			return
		}
		last := 0
		for _, a := range b.Args {
			if a.Word <= last || a.Word >= len(w) || w[a.Word] != a.Text {
				rt.Fatalf("argument out of place: %+v in %q", a, w)
			}
			last = a.Word
		}
		for _, f := range b.Flags {
			if f.Word < 1 || f.Word >= len(w) || f.ValueWord >= len(w) || f.Node >= len(b.Chain) {
				rt.Fatalf("flag out of place: %+v in %q", f, w)
			}
		}
		for _, in := range b.Inner {
			if in.Start < 1 || in.Start > in.End || in.End > len(w) {
				rt.Fatalf("inner command out of place: %+v in %q", in, w)
			}
		}
	})
}

// A first word without a dash can be a bundle of options; those that take a
// value take the words that follow, in order (tar xfC a.tar dir).
func TestBundleWithoutDash(t *testing.T) {
	b := tcpdb.NewBuilder()
	value := func(name string) tcpdb.Flag {
		return tcpdb.Flag{ID: name, Names: []string{"-" + name}, Value: tcpdb.RequiredValue}
	}
	b.Tool(&tcpdb.Node{
		Path: "tar", Name: "tar", Bits: tcpdb.Interspersed | tcpdb.Bundle,
		Flags: []tcpdb.Flag{{ID: "x", Names: []string{"-x"}}, {ID: "c", Names: []string{"-c"}}, value("f"), value("C")},
		Args: []tcpdb.Arg{
			{Name: "letters"},
			{Name: "file", Repeatable: true},
			{Name: "member", With: []string{"x"}, Repeatable: true},
		},
	})
	data, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	im, err := tcpdb.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	v := tcpdb.NewView(im)
	for _, c := range []struct{ line, flags, pending, args, next string }{
		{"tar", "", "", "", "letters"},
		{"tar x", "x", "", "", "member"},
		{"tar xf", "x f", "f", "", "member"},
		{"tar xfC a.tar", "x f=a.tar C", "C", "", "member"},
		{"tar xfC a.tar dir", "x f=a.tar C=dir", "", "", "member"},
		{"tar cCf dir a.tar one", "c C=dir f=a.tar", "", "one", "file"},
		{"tar xyz", "", "", "xyz", "file"}, // y is no option
		{"tar -xf a.tar x", "x f=a.tar", "", "x", "member"},
		{"tar a xf", "", "", "a xf", "file"}, // only the first word
	} {
		b := Bind(v, strings.Fields(c.line))
		var flags, args []string
		for _, u := range b.Flags {
			text := u.Flag.ID
			if u.ValueWord >= 0 {
				text += "=" + u.Value
			}
			flags = append(flags, text)
		}
		for _, a := range b.Args {
			args = append(args, a.Text)
		}
		pending := ""
		if b.Pending != nil {
			pending = b.Pending.ID
		}
		if got := strings.Join(flags, " "); got != c.flags || strings.Join(args, " ") != c.args || pending != c.pending {
			t.Errorf("%s: flags %q, args %q, pending %q", c.line, got, args, pending)
		}
		if a := b.Arg(); a == nil || a.Name != c.next {
			t.Errorf("%s: next is %+v, want %s", c.line, a, c.next)
		}
	}
}

func TestPlaced(t *testing.T) {
	arg := func(name string, many bool) tcpdb.Arg { return tcpdb.Arg{Name: name, Repeatable: many} }
	dash := func(a tcpdb.Arg) tcpdb.Arg { a.AfterDash = true; return a }
	for _, c := range []struct {
		args []tcpdb.Arg
		line string
		want string
	}{
		{[]tcpdb.Arg{arg("s", true), arg("t", false)}, "x a b c", "s s t"},
		{[]tcpdb.Arg{arg("s", true), arg("t", false)}, "x a", "s"},
		{[]tcpdb.Arg{arg("s", true), arg("t", false)}, "x a b", "s t"},
		{[]tcpdb.Arg{arg("m", false), arg("s", true), arg("t", false)}, "x a b", "m s"},
		{[]tcpdb.Arg{arg("m", false), arg("s", true), arg("t", false)}, "x a b c d", "m s s t"},
		{[]tcpdb.Arg{arg("a", false), arg("b", false)}, "x 1 2 3", "a b -"},
		{[]tcpdb.Arg{arg("a", true)}, "x 1 2", "a a"},
		{nil, "x 1", "-"},
		{[]tcpdb.Arg{arg("p", false), dash(arg("q", true)), dash(arg("r", false))}, "x 1 2 -- 3 4 5", "p - q q r"},
	} {
		b := tcpdb.NewBuilder()
		b.Tool(&tcpdb.Node{Path: "x", Name: "x", Args: c.args})
		data, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		im, err := tcpdb.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range Bind(tcpdb.NewView(im), strings.Fields(c.line)).Placed() {
			if a == nil {
				got = append(got, "-")
			} else {
				got = append(got, a.Name)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.line, got, c.want)
		}
	}
}

func TestUses(t *testing.T) {
	b := tcpdb.NewBuilder()
	b.Tool(&tcpdb.Node{
		Path: "tar", Name: "tar", Bits: tcpdb.Interspersed, Class: []string{tcpdb.FileSystemClass},
		Flags: []tcpdb.Flag{
			{ID: "create", Names: []string{"-c"}},
			{ID: "file", Names: []string{"-f", "--file"}, Value: tcpdb.RequiredValue, Role: tcpdb.OutputFileRole, RoleWith: []string{"create"}},
			{ID: "run", Names: []string{"--run"}, Value: tcpdb.RequiredValue, Role: "code:sql"},
			{ID: "force", Names: []string{"--force"}, Role: tcpdb.ForceRole, Negatable: true},
		},
		Args: []tcpdb.Arg{{Name: "s", Repeatable: true}, {Name: "t", Role: tcpdb.OutputFileRole}},
		Subs: []*tcpdb.Node{{Path: "tar sub", Name: "sub"}, {Path: "tar page", Name: "page", Class: []string{tcpdb.PagerClass}}},
	})
	data, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	im, err := tcpdb.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	v := tcpdb.NewView(im)
	for line, want := range map[string]string{
		"tar -c -f a.tar x y":   "output-file=a.tar@3 output-file=y@5",
		"tar -f a.tar x":        "",
		"tar --run=l --force x": "code:sql=l@1 force=@-1",
		"tar --no-force x y":    "output-file=y@3",
		"tar -fc":               "", // the value of -f is "c": nothing is created
	} {
		bound := Bind(v, strings.Fields(line))
		var got []string
		for _, name := range []tcpdb.Role{tcpdb.CodeRole, tcpdb.ForceRole, tcpdb.OutputFileRole} {
			if has := bound.HasRole(name); has != (len(bound.Uses(name)) > 0) {
				t.Errorf("%s: HasRole(%s) is %v", line, name, has)
			}
			for _, u := range bound.Uses(name) {
				got = append(got, fmt.Sprintf("%s=%s@%d", u.Role, u.Value, u.Word))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	for line, want := range map[string]bool{"tar sub": true, "tar page": false, "tar x": true} {
		if Bind(v, strings.Fields(line)).Is(tcpdb.FileSystemClass) != want {
			t.Errorf("%s: %v", line, !want)
		}
	}
}

// TestOwnOptions: a command that takes none of the options above it, whose words of
// that name are its own affair.
func TestOwnOptions(t *testing.T) {
	v := view(t)
	for line, want := range map[string]string{
		"tools run":                     "tools run, tools",
		"tools run --json hello":        "tools run hello",
		"tools run hello --name x":      "tools run hello",
		"tools --root d run hello --na": "tools run hello",
	} {
		b := Bind(v, strings.Fields(line))
		var got []string
		for _, n := range b.Scope() {
			got = append(got, n.Path)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %v, want %s", line, got, want)
		}
	}
	b := Bind(v, strings.Fields("tools run --json hello --json"))
	if n := len(b.Flags); n != 2 || b.Flags[0].Flag == nil || b.Flags[1].Flag != nil {
		t.Errorf("%+v", b.Flags)
	}
}
