package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

// TestInBash types into a real bash that knows nothing of tmp but "complete -C": the
// example, and tmp itself.
func TestInBash(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two programs and starts bash")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	home := t.TempDir()
	bin, dir := filepath.Join(home, "bin"), filepath.Join(home, "work")
	env := []string{
		"HOME=" + home, "PATH=" + bin + ":/usr/bin:/bin", "TERM=xterm", "LC_ALL=C.UTF-8", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.com", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.com",
	}
	run := func(in string, env []string, args ...string) {
		t.Helper()
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir, cmd.Env = in, env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	run("../..", append(os.Environ(), "CGO_ENABLED=0"), "go", "build", "-o", bin+"/", "./examples/completed", "./cmd/tmp")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"init -q -b trunk", "commit -q --allow-empty -m first", "branch feature/login"} {
		run(dir, env, append([]string{"git"}, strings.Fields(args)...)...)
	}
	rc := filepath.Join(home, ".bashrc")
	if err := os.WriteFile(rc, []byte("PS1='$ '\ncomplete -C completed completed\ncomplete -C tmp tmp\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	x := shelltest.Start(t, shelltest.Options{Args: []string{bash, "--noprofile", "--rcfile", rc}, Env: env, Dir: dir, Patience: 30 * time.Second})
	x.Wait("the prompt", func(s *shelltest.Screen) bool { return s.Before() == "$ " })
	for _, c := range []struct{ typed, want string }{
		{"completed op", "completed open "},
		{"completed open fea", "completed open feature/login "},
		{"completed open zzz", "completed open zzz"},
		{"completed git swit", "completed git switch "},
		{"completed git commit --allow-empty-m", "completed git commit --allow-empty-message "},
		{"tmp resol", "tmp resolve "},
		{"tmp runs prun", "tmp runs prune "},
		{"tmp hook fi", "tmp hook fish "},
		{"tmp check --expl", "tmp check --explain "},
		{"tmp frobnicate zz", "tmp frobnicate zz"},
	} {
		x.Keys(c.typed + "\t_")
		x.Wait(c.want, func(s *shelltest.Screen) bool { return s.Before() == "$ "+c.want+"_" })
		x.Keys("\x05\x15")
		x.Wait("an empty line", func(s *shelltest.Screen) bool { return s.Before() == "$ " })
	}
}
