package tmp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/tool-mapping-protocol/tmp/internal/session"
)

// TestRunOnFullDisk: the program is not to fail because tmp finds no room for
// its output; that it was not kept whole is said.
func TestRunOnFullDisk(t *testing.T) {
	state := t.TempDir()
	if err := unix.Mount("tmpfs", state, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("cannot mount a small disk here")
	}
	defer func() { _ = unix.Unmount(state, unix.MNT_DETACH) }()
	env := mapped(t, processMap)
	cmd := started(t, env, "run", "--json", "--", "sh", "-c", "head -c 1000000 /dev/zero && echo went on > went; exit 3")
	cmd.Env = append(cmd.Env, "TMP_STATE_DIR="+state)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if _, missing := os.Stat(filepath.Join(env.Dir, "went")); err == nil || cmd.ProcessState.ExitCode() != 3 || missing != nil {
		t.Fatalf("%v, %v: %.300s %s", err, missing, out, errs.String())
	}
	var e session.Envelope
	if err := json.Unmarshal(out, &e); err != nil || e.Error == nil || !strings.Contains(e.Error.Message, "not complete") || e.RawOutput.Retained {
		t.Errorf("%v, %+v, %+v", err, e.Error, e.RawOutput)
	}
}

// TestRunShowsWhatAFullDiskCannotKeep: a program does not run twice, so what it
// printed is shown where there is no room to keep it. What
// cannot be kept for tmp run is answered all the same, unless tmp run would then
// take up something else.
func TestRunShowsWhatAFullDiskCannotKeep(t *testing.T) {
	state := t.TempDir()
	if err := unix.Mount("tmpfs", state, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("cannot mount a small disk here")
	}
	defer func() { _ = unix.Unmount(state, unix.MNT_DETACH) }()
	env := mapped(t, processMap)
	if err := os.Mkdir(filepath.Join(env.Dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	fill := filepath.Join(state, "fill")
	full := func() { // of room, not of names
		f, err := os.Create(fill)
		for err == nil {
			_, err = f.Write(make([]byte, 4096))
		}
		f.Close()
	}
	tmp := func(args ...string) (string, string, error) {
		cmd := started(t, env, args...)
		cmd.Env = append(cmd.Env, "TMP_STATE_DIR="+state)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.Output()
		return string(out), errs.String(), err
	}
	full()
	if out, errs, err := tmp("run", "--", "echo", "seen"); err != nil || out != "seen\n" || !strings.Contains(errs, "not complete") {
		t.Errorf("run: %v, %q, %s", err, out, errs)
	}
	if out, errs, err := tmp("resolve", "list branches"); err != nil || !strings.Contains(out, "git branch") || !strings.Contains(errs, "not kept for tmp run") {
		t.Errorf("resolve: %v, %q, %s", err, out, errs)
	}
	if err := os.Remove(fill); err != nil {
		t.Fatal(err)
	}
	if _, errs, err := tmp("resolve", "list tags"); err != nil {
		t.Fatalf("%v, %s", err, errs)
	}
	full()
	// To forget the older one may have made the room for the newer.
	out, errs, err := tmp("resolve", "list branches")
	if err != nil || !strings.Contains(out, "git branch") {
		t.Errorf("resolve: %v, %q, %s", err, out, errs)
	}
	if out, errs, err := tmp("run", "--dry-run"); strings.Contains(out, "git tag") || err != nil && !strings.Contains(errs, "nothing was resolved") {
		t.Errorf("tmp run takes up what was resolved before: %v, %q, %s", err, out, errs)
	}
}

// TestRunInReadOnlyProject: the output is kept elsewhere, and it is said where.
func TestRunInReadOnlyProject(t *testing.T) {
	env := mapped(t, processMap)
	cmd := started(t, env, "init")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount(env.Dir, env.Dir, "", unix.MS_BIND, ""); err != nil {
		t.Skip("cannot mount here")
	}
	defer func() { _ = unix.Unmount(env.Dir, unix.MNT_DETACH) }()
	if err := unix.Mount("", env.Dir, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skip("cannot make it read-only")
	}
	cmd = exec.Command("tmp", "run", "--", "echo", "hello")
	cmd.Dir, cmd.Env = env.Dir, append(env.Environ, "TERM=dumb")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil || string(out) != "hello\n" || !strings.Contains(errs.String(), "the output is kept in") || len(rawLogs(env)) != 1 {
		t.Errorf("%v, %q, %v\n%s", err, out, rawLogs(env), errs.String())
	}
}

// TestHugeOutput: a gigabyte passes through in little memory, and is all there.
func TestHugeOutput(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a gigabyte")
	}
	const size = 1 << 30
	env := mapped(t, processMap)
	cmd := started(t, env, "run", "--json", "--", "sh", "-c", "yes 'a line of output that says nothing' | head -c 1073741824")
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	most := make(chan int)
	go func() { most <- peak(cmd.Process.Pid) }()
	err := cmd.Wait()
	out := stdout.Bytes()
	var e session.Envelope
	if err != nil || json.Unmarshal(out, &e) != nil || e.RawOutput.Bytes != size {
		t.Fatalf("%v, %d bytes", err, e.RawOutput.Bytes)
	}
	if rss := <-most; rss == 0 || rss > 64<<10 {
		t.Errorf("%d KB of memory", rss)
	}
	if len(out) > 1<<20 {
		t.Errorf("%d bytes of envelope", len(out))
	}
}

// peak follows a process to its end and returns the most memory that it had, in
// KB. What wait4 tells is no use: it holds the test's own size too, which the
// process has between fork and exec.
func peak(pid int) (kb int) {
	for {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			return kb
		}
		_, rest, ok := strings.Cut(string(data), "VmHWM:")
		if !ok {
			return kb // a zombie has no memory
		}
		var now int
		_, _ = fmt.Sscan(rest, &now)
		kb = max(kb, now)
		time.Sleep(5 * time.Millisecond)
	}
}
