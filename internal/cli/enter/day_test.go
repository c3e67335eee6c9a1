package enter

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// workplace is a home directory with a git repository in it, as somebody works
// in: files that are committed, changed and new, what builds make, a
// temporary directory.
type workplace struct{ root, home, repo, temp string }

func newWorkplace(t *testing.T) *workplace {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &workplace{root: root, home: root + "/home", repo: root + "/home/project", temp: root + "/temp"}
	for name, text := range map[string]string{
		".gitignore": "node_modules/\ntarget/\nbuild/\ndist/\n__pycache__/\n*.o\n.env\n",
		"main.go":    "package main\n", "old.go": "package main\n", "src/a.c": "a\n", "src/b.c": "b\n", "docs/x.md": "x\n",
		"changed.txt": "one\n", "run.sh": "echo\n", "config.yaml": "a: 1\n", "package.json": "{}\n", "legacy/x.py": "x\n", "legacy/y.py": "y\n",
	} {
		w.write(t, w.repo+"/"+name, text)
	}
	w.git(t, "init", "-q")
	w.git(t, "add", ".")
	w.git(t, "commit", "-q", "-m", "first")
	for _, name := range []string{
		"node_modules/x/index.js", "target/debug/x", "build/x", "dist/app.js", "src/__pycache__/a.pyc", "src/a.o", "a.o", ".env", "new.txt", "notes/idea.md", "new.sh",
	} {
		w.write(t, w.repo+"/"+name, "made\n")
	}
	w.write(t, w.repo+"/changed.txt", "two\n")
	w.write(t, w.temp+"/scratch/x", "x")
	w.write(t, w.temp+"/out.log", "x")
	w.write(t, w.home+"/Documents/letter.txt", "x")
	w.write(t, w.home+"/.bashrc", "x")
	if err := os.Symlink(w.home+"/Documents", w.temp+"/link"); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *workplace) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (w *workplace) git(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = w.repo
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org",
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// enter types a line in the project; typed answers a question. asked reports
// whether there was one.
func (w *workplace) enter(t *testing.T, input, typed string, env map[string]string) (status int, asked bool, screen, stderr, reply string) {
	t.Helper()
	keys, tty, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	defer keys.Close()
	var errs, third bytes.Buffer
	e := Env{
		Args: []string{"--shell", "bash"}, Stdin: strings.NewReader(input + "\x00"), Stderr: &errs, Reply: &third, Dir: w.repo, Now: time.Now,
		Getenv: func(k string) string {
			if v, ok := env[k]; ok {
				return v
			}
			switch k {
			case "PATH":
				return "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
			case "HOME":
				return w.home
			case "TMPDIR":
				return w.temp
			case "GIT_CONFIG_NOSYSTEM":
				return "1"
			}
			return ""
		},
		OpenTTY: func() (*os.File, error) { return tty, nil },
	}
	shown := make(chan string, 1)
	go func() {
		var seen []byte
		buf := make([]byte, 4096)
		for answered := false; ; {
			n, err := keys.Read(buf)
			seen = append(seen, buf[:n]...)
			if err != nil {
				shown <- string(seen)
				return
			}
			if !answered && (bytes.HasSuffix(seen, []byte("] ")) || bytes.HasSuffix(seen, []byte(": ")) && bytes.Contains(seen, []byte("Type "))) {
				answered, asked = true, true
				_, _ = keys.WriteString(typed)
				// What is still waited for then is a no.
				time.AfterFunc(2*time.Second, func() { _, _ = keys.WriteString("\x03") })
			}
		}
	}()
	status = Main(e)
	_ = tty.Close()
	select {
	case screen = <-shown:
	case <-time.After(10 * time.Second):
		t.Fatal("the terminal was not closed")
	}
	return status, asked, screen, errs.String(), third.String()
}

func scenario(t *testing.T, w *workplace, name string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for l := range strings.Lines(string(data)) {
		if l = strings.TrimSuffix(l, "\n"); l != "" && !strings.HasPrefix(l, "# ") {
			lines = append(lines, strings.NewReplacer("@TEMP", w.temp, "@HOME", w.home).Replace(l))
		}
	}
	return lines
}

// With every default, a day of ordinary work asks at most four times: an answer
// for what a file of requirements names is none for a package named on the line.
func TestDayOfWork(t *testing.T) {
	w := newWorkplace(t)
	lines := scenario(t, w, "day.txt")
	if len(lines) < 200 {
		t.Errorf("%d lines", len(lines))
	}
	var questions []string
	for _, l := range lines {
		status, asked, _, stderr, _ := w.enter(t, l, "a", nil)
		if asked {
			questions = append(questions, l)
		}
		if status != StatusRun && !asked {
			t.Errorf("%s: status %d %s", l, status, stderr)
		}
	}
	if len(questions) > 4 {
		t.Errorf("%d questions:\n%s", len(questions), strings.Join(questions, "\n"))
	}
}

// Each disaster is asked about, and a wide one not by a single key.
func TestDisasters(t *testing.T) {
	w := newWorkplace(t)
	w.git(t, "checkout", "-q", "-b", "feature")
	w.git(t, "commit", "-q", "--allow-empty", "-m", "second")
	w.git(t, "checkout", "-q", "-")
	lines := scenario(t, w, "disasters.txt")
	if len(lines) < 40 {
		t.Errorf("%d lines", len(lines))
	}
	for _, l := range lines {
		status, asked, screen, stderr, _ := w.enter(t, l, "\r", nil)
		if status != StatusKeep || !asked {
			t.Errorf("%s: status %d, asked %v: %q %s", l, status, asked, screen, stderr)
		}
	}
}
