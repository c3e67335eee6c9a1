package registry

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh/agent"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
)

// world is a machine of one person: a home, and an ssh-agent with their keys, which
// signs without the second that a passphrase costs.
type world struct {
	t      *testing.T
	home   string
	dir    string // the working directory
	now    time.Time
	socket string
	ring   agent.Agent
	person bool   // someone sits at the terminal
	answer string // what they type
	vars   map[string]string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	root := memoryDir(t)
	w := &world{t: t, home: filepath.Join(root, "home"), dir: filepath.Join(root, "work"), now: time.Date(2026, 6, 3, 10, 30, 0, 0, time.UTC), vars: map[string]string{}}
	for _, d := range []string{w.home, w.dir} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.serveAgent()
	return w
}

// memoryDir is a directory in memory where there is one: what is made lasting there
// costs nothing.
func memoryDir(t *testing.T) string {
	t.Helper()
	if dir, err := os.MkdirTemp("/dev/shm", "tmp-registry-"); err == nil {
		t.Cleanup(func() { os.RemoveAll(dir) })
		return dir
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// other is another person's machine beside this one.
func (w *world) other() *world {
	w.t.Helper()
	o := newWorld(w.t)
	o.now = w.now
	return o
}

func (w *world) serveAgent() {
	w.ring = agent.NewKeyring()
	dir, err := os.MkdirTemp("", "agent") // the path of a socket has to be short
	if err != nil {
		w.t.Fatal(err)
	}
	w.socket = filepath.Join(dir, "s")
	l, err := net.Listen("unix", w.socket)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { l.Close(); os.RemoveAll(dir) })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { _ = agent.ServeAgent(w.ring, c); c.Close() }()
		}
	}()
}

// key makes the key of a publisher, in the agent, and returns it.
func (w *world) key(name string, flags ...string) string {
	w.t.Helper()
	comment := fmt.Sprintf("%s-%d", name, time.Now().UnixNano())
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.ring.Add(agent.AddedKey{PrivateKey: private, Comment: comment}); err != nil {
		w.t.Fatal(err)
	}
	out := w.ok(append([]string{"key", "generate", name, "--ssh-agent", comment}, flags...)...)
	return strings.TrimSpace(out)
}

// tty is a terminal that gives one answer.
type tty struct {
	io.Reader
	out *bytes.Buffer
}

func (t tty) Write(p []byte) (int, error) { return t.out.Write(p) }
func (tty) Close() error                  { return nil }

// result is what a command did.
type result struct {
	status           int
	out, err, prompt string
}

func (w *world) run(args ...string) result {
	w.t.Helper()
	var out, errs, asked bytes.Buffer
	env := term.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
		Getenv: func(name string) string {
			switch name {
			case "HOME":
				return w.home
			case "SSH_AUTH_SOCK":
				return w.socket
			}
			return w.vars[name]
		},
		Account: func() string { return w.home },
		Dir:     w.dir, Now: func() time.Time { return w.now },
		IsTerminal: func(int) bool { return w.person },
		OpenTTY: func() (io.ReadWriteCloser, error) {
			if !w.person {
				return nil, errors.New("no terminal")
			}
			return tty{strings.NewReader(w.answer + "\n"), &asked}, nil
		},
	}
	status := Main(env)
	return result{status, out.String(), errs.String(), asked.String()}
}

// ok runs a command that is to succeed, and returns its output.
func (w *world) ok(args ...string) string {
	w.t.Helper()
	r := w.run(args...)
	if r.status != 0 {
		w.t.Fatalf("tmp %s: status %d\n%s%s", strings.Join(args, " "), r.status, r.out, r.err)
	}
	return r.out
}

// refused runs a command that is to be refused, with that status and by that name.
func (w *world) refused(status int, code string, args ...string) result {
	w.t.Helper()
	r := w.run(args...)
	if r.status != status || !strings.Contains(r.err, "tmp: "+code+":") {
		w.t.Errorf("tmp %s: status %d, want %d and %s\n%s%s", strings.Join(args, " "), r.status, status, code, r.out, r.err)
	}
	return r
}

// as lets a person answer at the terminal.
func (w *world) as(answer string, f func()) {
	person, old := w.person, w.answer
	w.person, w.answer = true, answer
	f()
	w.person, w.answer = person, old
}

// trust trusts a key for running what it signs.
func (w *world) trust(key string) {
	w.t.Helper()
	w.as("y", func() { w.ok("key", "trust", key, "--for", "verified") })
}

// decode reads the JSON of a command.
func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	return v
}

func (w *world) write(name, text string) {
	w.t.Helper()
	if !filepath.IsAbs(name) {
		name = filepath.Join(w.dir, name)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// pack writes the directory of a pack that maps one tool, and returns it. more are
// pairs of a file and its text; an empty one takes the file away.
func (w *world) pack(name, version string, more ...string) string {
	w.t.Helper()
	_, tool, _ := strings.Cut(name, "/")
	dir := filepath.Join(w.dir, strings.ReplaceAll(name, "/", "-")+"-"+version)
	files := map[string]string{
		"pack.json": fmt.Sprintf(`{"v":1,"name":%q,"version":%q,"description":"Maps %s","license":"MIT","homepage":"https://example.com","tools":[{"tool":%q,"version_range":""}],"platforms":["linux"],"review":"reviewed","provenance":"curated","requires":[]}`, name, version, tool, tool),
		"maps/" + tool + ".json": fmt.Sprintf(`{"schema":1,"tool":%[1]q,"provenance":"curated","verified":true,
 "node":{"name":%[1]q,"subcommands":[{"name":"list","description":"List them"},{"name":"purge"}]},
 "operations":[{"id":"%[1]s.list","surface":"cli","intent":["list the %[1]s things"],"template":"%[1]s list","parameters":[],"effect":"read-only","risk":"low","verified":true,"evidence":["human_review"]}]}`, tool),
		"risk.toml": fmt.Sprintf("[[command]]\nkey = \"%[1]s list\"\nlevel = \"low\"\nreason = \"reads\"\n\n[[command]]\nkey = \"%[1]s purge\"\nlevel = \"high\"\nflags = [\"DESTRUCTIVE\"]\nreason = \"purges\"\n", tool),
		"LICENSE":   "MIT\n", "README.md": "# " + name + "\n",
	}
	for i := 0; i+1 < len(more); i += 2 {
		files[more[i]] = more[i+1]
	}
	if err := os.RemoveAll(dir); err != nil {
		w.t.Fatal(err)
	}
	for file, text := range files {
		if text != "" {
			w.write(filepath.Join(dir, file), text)
		}
	}
	return dir
}

// registry is a directory that becomes one.
func (w *world) registry() string { return "dir:" + filepath.Join(w.dir, "reg") }
