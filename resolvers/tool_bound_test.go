package resolvers

import (
	"context"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// soon resolves under a context that never ends, and fails the test unless the
// resolver ends by itself within a time.
func soon(t *testing.T, limit time.Duration, r Request) Answer {
	t.Helper()
	began := time.Now()
	done := make(chan Answer, 1)
	go func() { done <- Resolve(context.Background(), r) }()
	select {
	case a := <-done:
		return a
	case <-time.After(limit):
		t.Fatalf("%s has no end: %s and no answer", r.Name, time.Since(began).Round(time.Second))
		return Answer{}
	}
}

// A failure is noticed however soon it comes, whether or not its answer can be
// kept, and the tool's own words are given.
func TestFailureIsNoticed(t *testing.T) {
	bin, home := fakeTool(t, "systemctl", "echo 'System has not been booted with systemd' >&2; exit 1\n")
	silent, _ := fakeTool(t, "systemctl", "exit 3\n")
	for range 20 {
		for _, cache := range []string{"", t.TempDir()} {
			r := Request{Name: "systemd:jobs", Dir: t.TempDir(), CacheDir: cache, Getenv: env("HOME", home, "PATH", bin+":/usr/bin:/bin")}
			if a := soon(t, 20*time.Second, r); a.State != Failed || a.Message != "systemctl: System has not been booted with systemd" {
				t.Fatalf("%+v", a)
			}
		}
	}
	r := Request{Name: "systemd:jobs", Dir: t.TempDir(), Getenv: env("HOME", home, "PATH", silent)}
	if a := soon(t, 20*time.Second, r); a.State != Failed || a.Message != "systemctl: failed with status 3" {
		t.Errorf("a tool that says nothing, alone in PATH: %+v", a)
	}
}

// A tool that hangs is given up though the context has no end, with what it said
// so far; with its group it is killed if nobody can use its answer later.
func TestHangingTool(t *testing.T) {
	t.Parallel()
	bin, home := fakeTool(t, "docker", "echo 'waiting for the daemon' >&2\nsleep 300 &\necho $! >\"$HOME/child\"\nwait\n")
	r := Request{Name: "docker:volumes", Dir: t.TempDir(), Getenv: env("HOME", home, "PATH", bin+":/usr/bin:/bin")}
	a := soon(t, 20*time.Second, r)
	if a.State != Timeout || a.Message != "docker does not answer (waiting for the daemon)" {
		t.Errorf("%+v", a)
	}
	await(t, func() bool { return gone(t, filepath.Join(home, "child")) })

	r.CacheDir = t.TempDir()
	a = soon(t, 20*time.Second, r)
	if a.State != Timeout || !strings.HasPrefix(a.Message, "docker is slow to answer") || !strings.Contains(a.Message, "(waiting for the daemon)") {
		t.Errorf("in the background: %+v", a)
	}
	if testing.Short() {
		return
	}
	// One that waits for the whole time takes up the same question and hears its end.
	r.Wait = true
	if a := soon(t, 40*time.Second, r); a.State != Failed || a.Message != "docker: waiting for the daemon" {
		t.Errorf("to the end: %+v", a)
	}
	await(t, func() bool { return gone(t, filepath.Join(home, "child")) })
	left, _ := filepath.Glob(filepath.Join(r.CacheDir, "*"))
	if len(left) != 1 || !strings.HasSuffix(left[0], ".failed") {
		t.Errorf("left in the cache: %v", left)
	}
}

// gone reports whether the process whose number a file holds has ended.
func gone(t *testing.T, file string) bool {
	t.Helper()
	text, err := readRegular(file, 100)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	stat, err := readProc("/proc/" + strconv.Itoa(pid) + "/stat")
	return syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(stat, ") Z")
}

// What a tool leaves behind holds up nothing: not an answer through files and
// not one through a pipe.
func TestGrandchildrenAreNotWaitedFor(t *testing.T) {
	bin, home := fakeTool(t, "docker", "sleep 300 &\nprintf 'data\\tlocal\\n'\n")
	r := Request{Name: "docker:volumes", Dir: t.TempDir(), Getenv: env("HOME", home, "PATH", bin+":/usr/bin:/bin")}
	a := soon(t, 20*time.Second, r)
	equal(t, "volumes", texts(a), words("data"))

	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Second)
	defer cancel()
	began := time.Now()
	out, err := groupOutput(exec.CommandContext(ctx, "/bin/sh", "-c", "sleep 300 & echo $!"))
	if err != nil || time.Since(began) > 20*time.Second {
		t.Fatalf("%q, %v after %s", out, err, time.Since(began))
	}
	file := tree(t, map[string]string{"pid": string(out)}) + "/pid"
	await(t, func() bool { return gone(t, file) })
}
