package project

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// opened opens a project within a time; what takes longer hangs.
func opened(t *testing.T, dir string, ask func(*Project)) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		if p, ok := Open(Disk{}, dir, Who{UID: uint32(os.Getuid())}, CoreRoles(), nil); ok {
			ask(p)
		}
	}()
	select {
	case <-done:
	case <-time.After(3 * time.Minute):
		t.Fatalf("%s: hangs: %v", dir, dirNames(dir))
	}
}

func dirNames(dir string) (out []string) {
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

// TestHostileNames: names that would be an option, a command, a line or a screen's
// business are offered nowhere.
func TestHostileNames(t *testing.T) {
	long := strings.Repeat("x", 64<<10)
	scripts := []string{`"a\nb": "x"`, `"\u001b[2J": "x"`, `"$(touch /tmp/owned)": "x"`, `"-rf": "x"`, `"` + long + `": "x"`, "\"a;b\": \"x\"", "\"`id`\": \"x\"", `"\u202egnp": "x"`, `"test": "jest"`}
	dir := tree(t, map[string]string{
		"package.json": `{"name":"\u001b[31m","scripts":{` + strings.Join(scripts, ",") + `}}`,
		"Makefile":     "-n:\n\techo\n$(shell touch /tmp/owned):\n\techo\ngood:\n\tcc x.c\n",
		"justfile":     "-x:\n    echo\nfine:\n    cc x.c\n",
		"Cargo.toml":   "[package]\nname = \"-Zfoo\"\nversion = \"1.0.0\"\n[[bin]]\nname = \"--config=x\"\n",
		"compose.yaml": "services:\n  '--privileged':\n    image: x\n  \"a\\nb\":\n    image: y\n  web:\n    image: z\n",
	})
	opened(t, dir, func(p *Project) {
		for _, task := range p.Whole().Tasks {
			for _, w := range append([]string{task.Name}, task.Argv[1:]...) {
				if strings.ContainsFunc(w, isOdd) || w == "-rf" || w == "-x" || w == "-n" || len(w) > maxName {
					t.Errorf("offers %.80q", task.Argv)
				}
			}
		}
		for _, words := range []string{"start --privileged", "run --config=x", "test -rf", "run $(touch /tmp/owned)", "run -Zfoo", "restart a b"} {
			if a := p.Ask(words); a.Play != nil {
				t.Errorf("%q: answers %q", words, a.Play.Argv)
			}
		}
		if a := p.Ask("restart web"); a.Play == nil {
			t.Errorf("the sound service is not asked: %s", a.Message)
		}
	})
}

// TestHostileFiles: what cannot be read is said, and does not hold anything up.
func TestHostileFiles(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "package.json")
	if err := os.WriteFile(outside, []byte(`{"scripts":{"test":"jest"}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	deep := strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000)
	anchors := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for i := range 20 {
		anchors += fmt.Sprintf("%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n", 'b'+i, 'b'+i, 'a'+i, 'a'+i, 'a'+i, 'a'+i, 'a'+i, 'a'+i, 'a'+i, 'a'+i)
	}
	var targets, scripts strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&targets, "t%d:\n\techo\n", i)
	}
	for i := range 2000 {
		fmt.Fprintf(&scripts, "%q: \"x\",\n", fmt.Sprint("s", i))
	}
	for name, c := range map[string]struct {
		files map[string]string
		make  func(dir string) error
		told  string
	}{
		"a link that leads out": {files: map[string]string{"Makefile": "test:\n\tcc x\n"}, make: func(dir string) error { return os.Symlink(outside, filepath.Join(dir, "package.json")) }, told: "package.json"},
		"a FIFO":                {files: map[string]string{"Makefile": "a:\n\tcc\n"}, make: func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, "package.json"), 0o644) }, told: "package.json"},
		"a file of 100 MB": {files: map[string]string{"Makefile": "a:\n\tcc\n"}, make: func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "package.json"), bytes.Repeat([]byte(" "), 100<<20), 0o644)
		}, told: "package.json"},
		"JSON 10 000 deep":           {files: map[string]string{"package.json": deep}},
		"anchors that explode":       {files: map[string]string{"compose.yaml": "services:\n  web:\n    image: x\n" + anchors, "Taskfile.yml": "version: '3'\ntasks: *t\n" + anchors, "pnpm-workspace.yaml": "packages: *p\n" + anchors, "package.json": "{}"}},
		"100 000 targets":            {files: map[string]string{"Makefile": targets.String()}},
		"2 000 scripts":              {files: map[string]string{"package.json": `{"scripts":{` + scripts.String() + `"test":"jest"}}`}},
		"a workspace of everything":  {files: map[string]string{"package.json": `{"workspaces":["**","**/**/**/**","../*","/etc/*","*/../../*"]}`, "a/package.json": `{"name":"a"}`}},
		"an include of itself":       {files: map[string]string{"Makefile": "include Makefile\ninclude */*.mk ../../../etc/*\ntest:\n\tcc\n", "justfile": "import 'justfile'\nmod x 'justfile'\n", "Taskfile.yml": "includes:\n  a: .\n  b: ./Taskfile.yml\ntasks:\n  t: x\n"}},
		"a directory for a manifest": {files: map[string]string{"package.json/": "", "Makefile/": "", "Cargo.toml/": "", "go.mod": "module x\n"}},
		"variables without end":      {files: map[string]string{"Makefile": "A=$(B)$(B)\nB=$(C)$(C)\nC=$(A)$(A)\n$(A): x\n\t$(A)\n"}},
	} {
		dir := tree(t, c.files)
		if c.make != nil {
			if err := c.make(dir); err != nil {
				t.Fatal(err)
			}
		}
		opened(t, dir, func(p *Project) {
			for _, words := range []string{"run the tests", "build a", "start web", "lint", "frob", "test s1999", "install"} {
				if a := p.Ask(words); a.Play != nil && !within(p.Root, filepath.Join(p.Root, a.Play.Dir)) {
					t.Errorf("%s: %q leads out: %+v", name, words, a.Play)
				}
			}
			w := p.Whole()
			if c.told != "" && (len(w.Unread) == 0 || w.Unread[0].File != c.told) {
				t.Errorf("%s: unread is %v", name, w.Unread)
			}
		})
	}
}

// TestNothingRuns: looking at a project starts no process. The test runs itself
// under strace, and every project of testdata is asked.
func TestNothingRuns(t *testing.T) {
	if os.Getenv("PROJECT_LOOK") != "" {
		paths, _ := filepath.Glob("testdata/*/*.txt")
		for _, path := range paths {
			s := readSkeleton(t, path)
			dir := tree(t, s.files)
			for _, a := range s.asks {
				_, _ = a.check(dir)
			}
		}
		return
	}
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("needs strace")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(strace, "-f", "-e", "trace=execve", "-o", filepath.Join(t.TempDir(), "trace"), self, "-test.run", "^TestNothingRuns$")
	cmd.Env = append(os.Environ(), "PROJECT_LOOK=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("strace cannot be used here: %v: %s", err, out)
	}
	trace, err := os.ReadFile(cmd.Args[5])
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(trace, []byte("execve(")); n != 1 {
		t.Errorf("%d processes: %s", n, trace)
	}
}
