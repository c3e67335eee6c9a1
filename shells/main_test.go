package shells_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tab"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/shells"
	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// The test binary is also the tmp-tab that the shells in these tests start:
// the real program around an engine whose answers the tests know.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "tmp-tab" && (os.Getenv("TEST_REAL") != "" || os.Args[1] == "--fish-files") {
		os.Exit(tab.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
	}
	if filepath.Base(os.Args[0]) == "tmp-tab" {
		os.Exit(tab.Run(fakeEngine, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
	}
	if filepath.Base(os.Args[0]) == "tmp-enter" && os.Getenv("TEST_REAL") != "" {
		os.Exit(realEnter())
	}
	if filepath.Base(os.Args[0]) == "tmp-enter" {
		os.Exit(fakeEnter(os.Args[1:]))
	}
	status := m.Run()
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
	os.Exit(status)
}

// fakeEngine knows the command mt ("mapped tool"), also behind sudo and under
// the alias m. Its first argument says what the second may be.
func fakeEngine(_ context.Context, r completion.Request) completion.Answer {
	if os.Getenv("TEST_CRASH") != "" {
		panic("crash")
	}
	d, _ := shline.ParseDialect(r.Shell)
	at := shline.At(d, r.Line, r.Point)
	words := shline.Texts(at.Words)
	for len(words) > 0 && (words[0] == "sudo" || words[0] == "nice") {
		words = words[1:]
	}
	if len(words) > 0 {
		if text, ok := r.Aliases[words[0]]; ok {
			words[0] = strings.TrimSpace(text)
		}
	}
	if at.Place != shline.Argument || len(words) == 0 || words[0] != "mt" {
		return completion.Answer{}
	}
	a := completion.Answer{Handled: true, Replace: tcpdb.Span{Start: at.Cursor.Start, End: r.Point}}
	kind := ""
	if len(words) > 1 {
		kind = words[1]
	}
	if kind == "crash" {
		panic("crash")
	}
	if kind == "slow" {
		time.Sleep(time.Minute)
	}
	for _, c := range fakeCandidates(kind) {
		f := resolvers.Filter{Text: at.Cursor.Text}
		if kind == "loose" {
			f.Mode, a.Match = resolvers.Substring, resolvers.Substring
		}
		if !f.Keep(c.Value) {
			continue
		}
		if r.Limit > 0 && len(a.Candidates) >= r.Limit || r.Limit < 0 && len(a.Candidates) >= 200 {
			a.Omitted++
			continue
		}
		c.Insert = shline.Quote(d, c.Value, at.Cursor, c.NoSpace)
		c.Display = strings.ToValidUTF8(c.Value, "?")
		a.Candidates = append(a.Candidates, c)
	}
	if common := "value-"; kind == "many" && a.Omitted > 0 && len(at.Cursor.Text) < len(common) {
		a.Common, a.CommonInsert = common, shline.Quote(d, common, at.Cursor, true)
	}
	if len(a.Candidates) == 1 && a.Candidates[0].Raises && !r.Armed {
		a.Hold = true
	}
	if kind == "failed" {
		a.Message = "the resolver failed: no such thing"
	}
	return a
}

func plain(values ...string) []completion.Candidate {
	var out []completion.Candidate
	for _, v := range values {
		out = append(out, completion.Candidate{Value: v, NoSpace: strings.HasSuffix(v, "/") || strings.HasSuffix(v, "=")})
	}
	return out
}

func fakeCandidates(kind string) []completion.Candidate {
	switch kind {
	case "one":
		return plain("main")
	case "colon":
		return plain("foo::bar", "foo::baz")
	case "colon1":
		return plain("foo::bar")
	case "opt":
		return plain("--format=json", "--format=text", "--level=")
	case "email":
		return plain("user@host")
	case "slash":
		return plain("feature/one", "feature/two")
	case "special":
		return plain("$(touch x)", "a'b", "-rf", "a b", "[x]", "a>b", `q"uote`, "back`tick", "semi;colon", "star*", "--", "nl\nx", "esc\x1b[31mred")
	case "find":
		return plain("-empty", "-exec", "-executable")
	case "home":
		return plain("~/some file", "~/other/")
	case "dir":
		return plain("dir one/")
	case "loose":
		return plain("feature/parser", "fix/parser")
	case "desc":
		return []completion.Candidate{
			{Value: "alpha", Description: "the first"},
			{Value: "alphabet", Description: "the second"},
			{Value: "--hard", Description: "throw away", Raises: true, Level: tcpdb.Critical},
		}
	case "risk":
		return []completion.Candidate{
			{Value: "--force", Description: "overwrite", Raises: true, Level: tcpdb.High},
			{Value: "--force-with-lease", Description: "safer"},
		}
	case "noted":
		var out []completion.Candidate
		for i := range 20 {
			c := completion.Candidate{Value: fmt.Sprintf("noted-%02d", i+1), Description: "one of twenty"}
			if i == 17 {
				c.Raises, c.Level = true, tcpdb.High
			}
			out = append(out, c)
		}
		return out
	case "long":
		return []completion.Candidate{{Value: strings.Repeat("l", 60), Description: "long"}, {Value: strings.Repeat("m", 60), Description: "long"}}
	case "many":
		var values []string
		for i := range 300 {
			values = append(values, "value-"+string(rune('a'+i%26))+string(rune('a'+i/26)))
		}
		return plain(values...)
	}
	return nil
}

// shell is a shell at its prompt "$ ".
type shell struct {
	*shelltest.Term
	t    *testing.T
	name string
	home string
	dir  string
}

// setup says how a shell is started.
type setup struct {
	before, after string // lines of its rc file before and after the hook
	env           []string
	cols, rows    int
	noTab         bool // no tmp-tab is installed
	enter         bool // with the hook of Enter instead of that of Tab
	both          bool // with both
	edit          func(hook string) string
	real          bool // the programs as they are built, and what tmp hook prints
	hookArgs      string
	path          string   // of the shell; else the one on PATH
	noEnter       bool     // no tmp-enter is installed
	args          []string // more of the shell's
	wrap          []string // what starts the shell, which it gets as arguments
	noPrompt      bool     // do not wait for its prompt
}

// lookShell finds the program of a shell: nushell is none of Debian's, and may be where
// scripts/test.sh puts it.
func lookShell(name string) (string, error) {
	if name != "nushell" {
		return exec.LookPath(name)
	}
	if path, err := exec.LookPath("nu"); err == nil {
		return path, nil
	}
	return exec.LookPath(filepath.Join(os.Getenv("TMP_TEST_SHELLS"), "node_modules/.bin/nu"))
}

// start starts a shell with the hook, in an empty directory of its own.
func start(t *testing.T, name string, s setup) *shell {
	t.Helper()
	path, err := s.path, error(nil)
	if path == "" {
		if path, err = lookShell(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
	home := t.TempDir()
	dir := filepath.Join(home, "work")
	bin := filepath.Join(home, "bin")
	for _, d := range []string{dir, bin, filepath.Join(home, ".config/fish/completions")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for program, out := range map[string]bool{"tmp-tab": s.noTab, "tmp-enter": s.noEnter} {
		if out || s.real {
			continue
		}
		if err := os.Symlink(self, filepath.Join(bin, program)); err != nil {
			t.Fatal(err)
		}
	}
	keys := shells.Tab
	switch {
	case s.both:
		keys |= shells.Enter
	case s.enter:
		keys = shells.Enter
	}
	hook, err := shells.Hook(name, keys)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"mt", "sudo", "pt"} {
		if err := os.WriteFile(filepath.Join(bin, tool), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	x := &shell{t: t, name: name, home: home, dir: dir}
	if s.edit != nil {
		hook = s.edit(hook)
	}
	x.write("hook."+name, hook)
	search, load := bin+":/usr/bin:/bin", `\. "$HOOK"`
	if s.real {
		search = programs(t) + ":" + search
		load = `eval "$(tmp hook ` + name + s.hookArgs + `)"`
		if name == "fish" {
			load = "tmp hook fish" + s.hookArgs + " | source"
		}
	}
	env := append([]string{
		"HOME=" + home, "PATH=" + search, "TERM=xterm", "LC_ALL=C.UTF-8",
		"HOOK=" + filepath.Join(home, "hook."+name), "XDG_CONFIG_HOME=" + filepath.Join(home, ".config"),
		"XDG_DATA_HOME=" + filepath.Join(home, "share"), "ZDOTDIR=" + home,
	}, s.env...)
	o := shelltest.Options{Env: env, Dir: dir, Cols: s.cols, Rows: s.rows}
	switch name {
	case "bash":
		x.write(".bashrc", "PS1='$ '\n"+s.before+"\n"+load+"\n"+s.after+"\n")
		o.Args = []string{path, "--noprofile", "--rcfile", filepath.Join(home, ".bashrc")}
	case "zsh":
		x.write(".zshrc", "PS1='$ '; PS2='> '\n"+s.before+"\n"+load+"\n"+s.after+"\n")
		o.Args = []string{path, "-d"}
	case "fish":
		if !s.real && !slices.Contains(s.env, "TEST_REAL=1") { // else the hook has them written
			x.write("share/tmp/fish/mt.fish", "builtin complete -c mt -f -k -a '(__tmp_tab mt)'\n")
		}
		x.write(".config/fish/config.fish", "function fish_prompt; echo -n '$ '; end\nfunction fish_greeting; end\nfunction fish_mode_prompt; end\n"+
			"set -g fish_autosuggestion_enabled 0\n"+s.before+"\n"+load+"\n"+s.after+"\n")
		o.Args = []string{path}
	case "elvish":
		x.write("rc.elv", "set edit:prompt = { put '$ ' }\nset edit:rprompt = { }\n"+s.before+"\neval (slurp < $E:HOOK)\n"+s.after+"\n")
		o.Args = []string{path, "-rc", filepath.Join(home, "rc.elv")}
	case "xonsh":
		x.write(".xonshrc", "$PROMPT = '$ '\n$AUTO_SUGGEST = False\n$XONSH_HISTORY_BACKEND = 'dummy'\n"+s.before+"\nexecx(open($HOOK).read())\n"+s.after+"\n")
		o.Args = []string{path, "--rc", filepath.Join(home, ".xonshrc")}
	case "tcsh":
		x.write(".tcshrc", "set prompt = '$ '\n"+s.before+"\nsource $HOOK\n"+s.after+"\n")
		o.Args = []string{path}
	case "nushell":
		x.write("env.nu", "")
		x.write("config.nu", "$env.config.show_banner = false\n$env.PROMPT_COMMAND = {|| ''}\n$env.PROMPT_COMMAND_RIGHT = {|| ''}\n$env.PROMPT_INDICATOR = '$ '\n"+
			s.before+"\nsource "+filepath.Join(home, "hook.nushell")+"\n"+s.after+"\n")
		o.Args = []string{path, "--env-config", filepath.Join(home, "env.nu"), "--config", filepath.Join(home, "config.nu")}
	}
	o.Args = append(slices.Clone(s.wrap), append(o.Args, s.args...)...)
	x.Term = shelltest.Start(t, o)
	if s.noPrompt {
		return x
	}
	x.Wait("the prompt", func(s *shelltest.Screen) bool { return s.Before() == "$ " })
	return x
}

func (x *shell) write(name, text string) {
	x.t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(x.home, name)), 0o755); err != nil {
		x.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(x.home, name), []byte(text), 0o600); err != nil {
		x.t.Fatal(err)
	}
}

// line waits until the line with the cursor is want, "|" standing for the cursor.
func (x *shell) line(want string) {
	x.t.Helper()
	x.Wait("the line "+want, func(s *shelltest.Screen) bool { return s.Before()+"|"+s.After() == "$ "+want })
}

// tab types a line, a Tab and a mark, and waits for the line with the mark in
// it: what the Tab inserted is what stands before the mark, blanks included.
func (x *shell) tab(typed, want string) {
	x.t.Helper()
	x.Keys(typed + "\t")
	x.Keys("_")
	x.line(want + "_|")
	x.clear()
}

// amid types a line with "|" at the cursor's place, a Tab and a mark, and waits
// for want with the mark in it, "|" again standing for its place.
func (x *shell) amid(typed, want string) {
	x.t.Helper()
	left, right, _ := strings.Cut(typed, "|")
	x.Keys(left + right + strings.Repeat("\x02", utf8.RuneCountInString(right)) + "\t_")
	x.line(strings.Replace(want, "|", "_|", 1))
	x.clear()
}

// clear drops the line and waits for an empty one.
func (x *shell) clear() {
	x.t.Helper()
	x.Keys("\x05\x15")
	x.line("|")
}

// shows waits for a text anywhere on the screen.
func (x *shell) shows(text string) {
	x.t.Helper()
	x.Wait(text, func(s *shelltest.Screen) bool { return strings.Contains(s.String(), text) })
}

// everyShell are lines and what one Tab makes of them, the same in the three shells.
func everyShell() [][2]string {
	return [][2]string{
		{"mt one m", "mt one main "},
		{"mt one ", "mt one main "},
		{"sudo mt one m", "sudo mt one main "},
		{"m one m", "m one main "},
		{"a; b | mt one m", "a; b | mt one main "},
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
	}
}
