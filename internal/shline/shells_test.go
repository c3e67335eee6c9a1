package shline

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// hostile are values that have broken completions elsewhere.
var hostile = []string{
	"", " ", "a b", "a'b", `a"b`, `a\b`, "a\\", "$HOME", "$(touch /tmp/never)", "`touch /tmp/never`", "${x}", "~", "~root", "a~", "a=~", "a:~", "~/x",
	"-rf", "--", "*", "?", "[x]", "[", "]", "a[1]=x", "{a,b}", "{1..3}", "stash@{0}", "@{u}", "{}", "{", "}", "a{b", "#", "#x", "a#b", "a;b", "a&b", "a|b", "a>b", "a<b", "2>x", "a&>b", "(", ")", "a(b)", "@(a)", "!", "!!", "!x", "a!b", "^a^b", "HEAD^", "HEAD~1", "=ls", "==", "a=b", "%self", "%", "if", "time", "\n", "a\nb", "\t", "\r", "\x01", "\x1b[31m", "\x7f", "\xff", "a\xc3", "\xc3(", "é", "日本", "\u0085", "\u202etxt", "\u00a0", "a\\nb", "x\\x41", "\\x41", "\\", "'", "\"", "'\\''", "a,b", "a:b", "//:x:y", "a@b", "a+b", "1", "?!", "<1-5>", "a^b", "^", "$", "$$", "$1", "a$", "a\n\n", "\n\x01\xff1", "\x01f", "\xfff", "\u2003x\u3000y\u1680", "\u00a0\u2007\u202f\u2028", "\uf600", "\ue000",
	strings.Repeat("é'\" $", 500),
}

// Each shell reads on standard input a script of one printf a line, with its
// history expansion and widest patterns on.
var realShells = []struct {
	d        Dialect
	args     []string
	preamble string
}{
	{Bash, []string{"bash", "--norc"}, "set -o history; set -H; shopt -s extglob\n:\n"},
	{Zsh, []string{"zsh", "-f", "-i", "+Z"}, "setopt extendedglob banghist; unsetopt prompt_sp zle; PS1= PS2=\n:\n"},
	{Fish, []string{"fish", "--no-config"}, ""},
}

// What Quote writes is what the real shell passes to a command.
func TestRealShells(t *testing.T) {
	values := hostile
	for i := range 300 {
		values = append(values, genValue().Example(i))
	}
	for _, sh := range realShells {
		t.Run(sh.args[0], func(t *testing.T) {
			if _, err := exec.LookPath(sh.args[0]); err != nil {
				t.Skipf("%s is not installed", sh.args[0])
			}
			for _, typed := range []string{"", "'", `"`, "$'", "x", `"x`} {
				if sh.d == Fish && typed == "$'" {
					continue
				}
				line := "cmd " + typed
				w := At(sh.d, line, len(line)).Cursor
				quoted := make([]string, len(values))
				want := make([]string, len(values))
				for i, v := range values {
					want[i] = strings.TrimLeft(typed, `'"$`) + v
					quoted[i] = Quote(sh.d, want[i], w, false)
				}
				checkShell(t, sh.args, sh.preamble, quoted, want)
			}
		})
	}
}

func checkShell(t *testing.T, args []string, preamble string, quoted, want []string) {
	t.Helper()
	var script bytes.Buffer
	script.WriteString(preamble)
	for _, q := range quoted {
		script.WriteString("printf '%s\\0' " + q + "\n")
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = t.TempDir()
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "HOME=" + cmd.Dir, "TERM=dumb"}
	cmd.Stdin = &script
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%v: %.500s", err, stderr.Bytes())
	}
	got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for i, v := range want {
		switch {
		case i >= len(got):
			t.Fatalf("%d answers for %d values: %.500s", len(got), len(want), stderr.Bytes())
		case got[i] != v:
			t.Fatalf("wrote %q: the shell read %q, want %q; %.300s", quoted[i], got[i], v, stderr.Bytes())
		}
	}
}

func TestIsPOSIX(t *testing.T) {
	for shell, want := range map[string]bool{"sh": true, "dash": true, "posix": true, "bash": false, "ksh": false, "zsh": false, "fish": false, "": false} {
		if got := IsPOSIX(shell); got != want {
			t.Errorf("%q: %v, want %v", shell, got, want)
		}
	}
}
