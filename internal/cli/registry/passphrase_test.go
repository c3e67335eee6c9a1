package registry

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// TestPassphrase: a key is sealed by a passphrase, which is typed at a terminal without
// an echo, or comes from a file descriptor that is named; without either there is none.
func TestPassphrase(t *testing.T) {
	w := newWorld(t)
	c := w.process(nil, "key", "generate", "acme")
	out, err := typed(t, c, "passphrase", "open sesame\n")
	if err != nil || strings.Contains(out, "sesame") || !strings.Contains(out, "acme+") {
		t.Fatalf("%v\n%s", err, out)
	}
	file := filepath.Join(w.home, ".local/state/tmp/keys/acme.key")
	st, err := os.Stat(file)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Fatalf("%v %v", st, err)
	}
	if data, _ := os.ReadFile(file); bytes.Contains(data, []byte("PRIVATE+KEY")) || !bytes.Contains(data, []byte("BEGIN AGE ENCRYPTED FILE")) {
		t.Errorf("%s", data)
	}
	w.now = time.Now()
	dir, reg := w.pack("acme/frob", "1.0.0"), w.registry()
	c = w.process(nil, "registry", "publish", dir, "--to", reg)
	if out, err := typed(t, c, "passphrase", "open barley\n"); err == nil || !strings.Contains(out, "denied") {
		t.Errorf("another passphrase: %v\n%s", err, out)
	}
	c = w.process(nil, "registry", "publish", dir, "--to", reg, "--passphrase-fd", "3")
	c.ExtraFiles = []*os.File{pipe(t, "open sesame\n")}
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	c = w.process(nil, "registry", "yank", "acme/frob@1.0.0", "--reason", "x", "--to", reg)
	c.Env = append(c.Env, "TMP_PASSPHRASE_FD=3")
	c.ExtraFiles = []*os.File{pipe(t, "open sesame")}
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	w.refused(1, "denied", "registry", "publish", w.pack("acme/grob", "1.0.0"), "--to", reg)
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if r := w.refused(1, "bad_name", "registry", "publish", dir, "--to", "dir:"+filepath.Join(w.dir, "r2")); !strings.Contains(r.err, "others may read it") {
		t.Error(r.err)
	}
}

func pipe(t *testing.T, text string) *os.File {
	t.Helper()
	r, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	if _, err := io.WriteString(out, text); err != nil {
		t.Fatal(err)
	}
	out.Close()
	return r
}

// typed runs a program at a terminal of its own, waits for a prompt, and answers.
func typed(t *testing.T, cmd *exec.Cmd, prompt, answer string) (string, error) {
	t.Helper()
	f, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out bytes.Buffer
	buf := make([]byte, 4096)
	done := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
	defer done.Stop()
	for answered := false; ; {
		n, err := f.Read(buf)
		out.Write(buf[:n])
		if !answered && strings.Contains(out.String(), prompt) {
			answered = true
			_, _ = io.WriteString(f, answer)
		}
		if err != nil {
			break
		}
	}
	return out.String(), cmd.Wait()
}
