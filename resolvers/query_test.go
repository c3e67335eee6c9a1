package resolvers_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

// soon resolves under a context that never ends, and fails the test unless the
// resolver ends by itself within a time.
func soon(t *testing.T, limit time.Duration, r resolvers.Request) resolvers.Answer {
	t.Helper()
	began := time.Now()
	done := make(chan resolvers.Answer, 1)
	go func() { done <- resolvertest.Resolve(context.Background(), r) }()
	select {
	case a := <-done:
		return a
	case <-time.After(limit):
		t.Fatalf("%s has no end: %s and no answer", r.Name, time.Since(began).Round(time.Second))
		return resolvers.Answer{}
	}
}

// A failure is noticed however soon it comes, whether or not its answer can be
// kept, and the tool's own words are given.
func TestFailureIsNoticed(t *testing.T) {
	bin, home := resolvertest.FakeTool(t, "systemctl", "echo 'System has not been booted with systemd' >&2; exit 1\n")
	silent, _ := resolvertest.FakeTool(t, "systemctl", "exit 3\n")
	for range 20 {
		for _, cache := range []string{"", t.TempDir()} {
			r := resolvers.Request{Name: "systemd:jobs", Dir: t.TempDir(), CacheDir: cache, Getenv: resolvertest.Env("HOME", home, "PATH", bin+":/usr/bin:/bin")}
			if a := soon(t, 20*time.Second, r); a.State != resolvers.Failed || a.Message != "systemctl: System has not been booted with systemd" {
				t.Fatalf("%+v", a)
			}
		}
	}
	r := resolvers.Request{Name: "systemd:jobs", Dir: t.TempDir(), Getenv: resolvertest.Env("HOME", home, "PATH", silent)}
	if a := soon(t, 20*time.Second, r); a.State != resolvers.Failed || a.Message != "systemctl: failed with status 3" {
		t.Errorf("a tool that says nothing, alone in PATH: %+v", a)
	}
}

// A tool that hangs is given up though the context has no end, with what it said
// so far; with its group it is killed if nobody can use its answer later.
func TestHangingTool(t *testing.T) {
	t.Parallel()
	bin, home := resolvertest.FakeTool(t, "docker", "echo 'waiting for the daemon' >&2\nsleep 300 &\necho $! >\"$HOME/child\"\nwait\n")
	r := resolvers.Request{Name: "docker:volumes", Dir: t.TempDir(), Getenv: resolvertest.Env("HOME", home, "PATH", bin+":/usr/bin:/bin")}
	a := soon(t, 20*time.Second, r)
	if a.State != resolvers.Timeout || a.Message != "docker does not answer (waiting for the daemon)" {
		t.Errorf("%+v", a)
	}
	resolvertest.Await(t, func() bool { return gone(t, filepath.Join(home, "child")) })

	r.CacheDir = t.TempDir()
	a = soon(t, 20*time.Second, r)
	if a.State != resolvers.Timeout || !strings.HasPrefix(a.Message, "docker is slow to answer") || !strings.Contains(a.Message, "(waiting for the daemon)") {
		t.Errorf("in the background: %+v", a)
	}
	if testing.Short() {
		return
	}
	// One that waits for the whole time takes up the same question and hears its end.
	r.Wait = true
	if a := soon(t, 40*time.Second, r); a.State != resolvers.Failed || a.Message != "docker: waiting for the daemon" {
		t.Errorf("to the end: %+v", a)
	}
	resolvertest.Await(t, func() bool { return gone(t, filepath.Join(home, "child")) })
	left, _ := filepath.Glob(filepath.Join(r.CacheDir, "*"))
	if len(left) != 1 || !strings.HasSuffix(left[0], ".failed") {
		t.Errorf("left in the cache: %v", left)
	}
}

// gone reports whether the process whose number a file holds has ended.
func gone(t *testing.T, file string) bool {
	t.Helper()
	text, err := disk.ReadRegular(file, 100)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(stat), ") Z")
}

// What a tool leaves behind holds up nothing: not an answer through files and
// not one through a pipe.
func TestGrandchildrenAreNotWaitedFor(t *testing.T) {
	bin, home := resolvertest.FakeTool(t, "docker", "sleep 300 &\nprintf 'data\\tlocal\\n'\n")
	r := resolvers.Request{Name: "docker:volumes", Dir: t.TempDir(), Getenv: resolvertest.Env("HOME", home, "PATH", bin+":/usr/bin:/bin")}
	a := soon(t, 20*time.Second, r)
	resolvertest.Equal(t, "volumes", resolvertest.Texts(a), resolvertest.Words("data"))

	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Second)
	defer cancel()
	began := time.Now()
	out, err := resolvers.GroupOutput(exec.CommandContext(ctx, "/bin/sh", "-c", "sleep 300 & echo $!"))
	if err != nil || time.Since(began) > 20*time.Second {
		t.Fatalf("%q, %v after %s", out, err, time.Since(began))
	}
	file := resolvertest.Tree(t, map[string]string{"pid": string(out)}) + "/pid"
	resolvertest.Await(t, func() bool { return gone(t, file) })
}
