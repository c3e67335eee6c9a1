package tcpdb

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// writerEnv makes the test binary a process that writes files until it is killed.
const writerEnv = "TCPDB_TEST_WRITER"

func TestMain(m *testing.M) {
	if path := os.Getenv(writerEnv); path != "" {
		for i := byte(0); ; i++ {
			_ = WriteFile(path, uniform(i))
		}
	}
	os.Exit(m.Run())
}

// uniform is content of which every mixture can be told.
func uniform(b byte) []byte { return bytes.Repeat([]byte{b}, 1<<20) }

func isUniform(b []byte) bool {
	return len(b) == 1<<20 && bytes.Count(b, b[:1]) == len(b)
}

func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.tcpdb")
	for _, content := range []string{"one", "", "three"} {
		if err := WriteFile(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != content {
			t.Errorf("content %q, want %q", got, content)
		}
	}
	if st, _ := os.Stat(path); st.Mode() != 0o644 {
		t.Errorf("mode %v", st.Mode())
	}
	if err := WritePrivateFile(path, nil); err != nil {
		t.Fatal(err)
	}
	if st, _ := os.Stat(path); st.Mode() != 0o600 {
		t.Errorf("private mode %v", st.Mode())
	}
	names, _ := os.ReadDir(filepath.Dir(path))
	if len(names) != 2 { // the file and its lock
		t.Errorf("left behind: %v", names)
	}
}

func TestWriteFileKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.tcpdb")
	if err := WriteFile(path, uniform(0)); err != nil {
		t.Fatal(err)
	}
	rounds := 25
	if testing.Short() {
		rounds = 8
	}
	for i := range rounds {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), writerEnv+"="+path)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+7*i) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		got, err := os.ReadFile(path)
		if err != nil || !isUniform(got) {
			t.Fatalf("round %d: neither the old nor the new file: %d bytes, %v", i, len(got), err)
		}
	}
	if err := WriteFile(path, uniform(9)); err != nil {
		t.Fatalf("what the killed writers left behind is in the way: %v", err)
	}
	names, _ := os.ReadDir(filepath.Dir(path))
	if len(names) != 2 {
		t.Errorf("left behind: %v", names)
	}
}

func TestWriteFileConcurrent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.tcpdb")
	var wg sync.WaitGroup
	for i := range byte(8) {
		wg.Go(func() {
			if err := WriteFile(path, uniform(i)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got, _ := os.ReadFile(path); !isUniform(got) {
		t.Error("the file is a mixture")
	}
}

func TestWriteFileBusy(t *testing.T) {
	if testing.Short() {
		t.Skip("waits five seconds")
	}
	path := filepath.Join(t.TempDir(), "a.tcpdb")
	l, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	err = WriteFile(path, nil)
	var busy *BusyError
	if !errors.As(err, &busy) || busy.PID != os.Getpid() || busy.ExitCode() != 75 {
		t.Errorf("error %v", err)
	}
	if waited := time.Since(begin); waited < lockWait || waited > lockWait+20*time.Second {
		t.Errorf("waited %v", waited)
	}
	if err := l.Write([]byte("x"), 0o644); err != nil {
		t.Error(err)
	}
	if err := l.Unlock(); err != nil {
		t.Error(err)
	}
	if err := WriteFile(path, []byte("y")); err != nil {
		t.Error(err)
	}
}

func TestWriteFileRefuses(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "target"), link); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(link, nil); err == nil || !strings.Contains(err.Error(), link+": it is a symbolic link") {
		t.Errorf("symbolic link: %v", err)
	}
	sub := filepath.Join(dir, "sub")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(sub, nil); err == nil || !strings.Contains(err.Error(), "it is a directory") {
		t.Errorf("directory: %v", err)
	}
	lock := filepath.Join(dir, "b")
	if err := os.Symlink("/dev/null", lock+".lock"); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(lock, nil); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("symbolic link as lock: %v", err)
	}
	if err := WriteFile(filepath.Join(dir, "none", "a"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing directory: %v", err)
	}
	if os.Geteuid() != 0 {
		if err := os.Chmod(sub, 0o555); err != nil {
			t.Fatal(err)
		}
		if err := WriteFile(filepath.Join(sub, "a"), nil); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("read-only directory: %v", err)
		}
	}
}

func TestWriteFileDiskFull(t *testing.T) {
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("needs a small tmpfs")
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=256k", "none", dir).CombinedOutput(); err != nil {
		t.Skipf("cannot mount: %s", out)
	}
	defer func() { _ = exec.Command("umount", dir).Run() }()
	path := filepath.Join(dir, "a")
	if err := WriteFile(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, uniform(1)); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("full disk: %v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("the old file is gone: %q", got)
	}
	if err := WriteFile(path, []byte("new")); err != nil {
		t.Errorf("after a full disk: %v", err)
	}
}
