package invoke

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// sh runs a shell script in a plan and returns the outcome and the log.
func sh(t *testing.T, ctx context.Context, script string, change func(*Options)) (Outcome, string) {
	t.Helper()
	log, err := os.OpenFile(filepath.Join(t.TempDir(), "raw.log"), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	o := Options{Log: log}
	if change != nil {
		change(&o)
	}
	p := &Plan{Argv: []string{"sh", "-c", script}, Dir: t.TempDir(), Env: []string{"PATH=/usr/bin:/bin"}}
	out := Run(ctx, p, o)
	data, err := os.ReadFile(log.Name())
	if err != nil {
		t.Fatal(err)
	}
	return out, string(data)
}

func TestRun(t *testing.T) {
	var stream bytes.Buffer
	for _, tt := range []struct {
		script string
		change func(*Options)
		status int
		signal string
		log    string
	}{
		{"echo a; echo b >&2; echo c", nil, 0, "", "a\nb\nc\n"},
		{"echo a; echo b >&2; echo c", func(o *Options) { o.Stream = &stream }, 0, "", "a\nb\nc\n"},
		{"exit 7", nil, 7, "", ""},
		{"kill -KILL $$", nil, 137, "SIGKILL", ""},
		{"cat", func(o *Options) { o.Stdin = strings.NewReader("in") }, 0, "", "in"},
		{"cat", nil, 0, "", ""},
		{"true", func(o *Options) { o.Stdin = neverReader{} }, 0, "", ""}, // it does not wait for input nobody reads
		{"env", nil, 0, "", "PATH=/usr/bin:/bin\n"},
	} {
		out, log := sh(t, context.Background(), tt.script, tt.change)
		log = keepLines(log, tt.log)
		if !out.Started || out.Status != tt.status || out.Signal != tt.signal || log != tt.log || out.Err != nil {
			t.Errorf("%s: %+v, log %q; want %d %q %q", tt.script, out, log, tt.status, tt.signal, tt.log)
		}
	}
	if got := stream.String(); got != "a\nb\nc\n" {
		t.Errorf("stream %q", got)
	}
}

// keepLines leaves out what sh itself adds to the environment.
func keepLines(log, want string) string {
	if !strings.HasPrefix(want, "PATH=") {
		return log
	}
	var b strings.Builder
	for line := range strings.Lines(log) {
		if strings.HasPrefix(line, "PATH=") {
			b.WriteString(line)
		}
	}
	return b.String()
}

type neverReader struct{}

func (neverReader) Read([]byte) (int, error) { select {} }

func TestTimeoutEndsTheWholeGroup(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	began := time.Now()
	out, log := sh(t, context.Background(), "echo begun; sleep 100 & echo $! >"+pidFile+"; wait", func(o *Options) { o.Timeout = 200 * time.Millisecond })
	if !out.TimedOut || out.Status != StatusTimeout || log != "begun\n" {
		t.Errorf("%+v, %q", out, log)
	}
	if took := time.Since(began); took > grace {
		t.Errorf("took %v", took)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(readFile(t, pidFile)))
	if err != nil {
		t.Fatal(err)
	}
	waitGone(t, pid)
}

func TestTimeoutOfAProgramThatWillNotStop(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the grace time")
	}
	out, _ := sh(t, context.Background(), "trap '' TERM; while :; do sleep 1; done", func(o *Options) { o.Timeout = 100 * time.Millisecond })
	if out.Status != StatusTimeout || out.Signal != "SIGKILL" {
		t.Errorf("%+v", out)
	}
}

func TestContextEndsTheRun(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	out, _ := sh(t, ctx, "sleep 100", nil)
	if out.Status != 128+15 || out.TimedOut {
		t.Errorf("%+v", out)
	}
}

func TestSignalsArePassedOn(t *testing.T) {
	go func() {
		time.Sleep(300 * time.Millisecond)
		_ = unix.Kill(os.Getpid(), unix.SIGUSR1)
	}()
	out, log := sh(t, context.Background(), "trap 'echo usr1; exit 9' USR1; while :; do sleep 0.05; done", nil)
	if out.Status != 9 || !strings.HasSuffix(log, "usr1\n") { // the shell may note that its sleep got it too
		t.Errorf("%+v, %q", out, log)
	}
}

// TestOwnGroup: the program is not in our group, so that a signal to it alone
// is possible.
func TestOwnGroup(t *testing.T) {
	_, log := sh(t, context.Background(), "cut -d' ' -f5 /proc/$$/stat; echo $$", nil)
	if f := strings.Fields(log); len(f) != 2 || f[0] != f[1] {
		t.Skipf("no /proc: %q", log)
	}
}

// TestLeftOverProcessDoesNotHoldUs: a program may leave something running that
// keeps the output open.
func TestLeftOverProcessDoesNotHoldUs(t *testing.T) {
	for _, stream := range []bool{false, true} {
		began := time.Now()
		var buf bytes.Buffer
		out, log := sh(t, context.Background(), "sleep 30 & echo $!; echo done", func(o *Options) {
			if stream {
				o.Stream = &buf
			}
		})
		if out.Status != 0 || !strings.HasSuffix(log, "done\n") || time.Since(began) > 20*time.Second {
			t.Errorf("stream %v: %+v after %v, %q", stream, out, time.Since(began), log)
		}
		if pid, err := strconv.Atoi(strings.Fields(log)[0]); err == nil {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
	}
}

// TestReaderGoneDoesNotEndTheProgram: `tmp run --raw | head -1` still keeps all.
func TestReaderGoneDoesNotEndTheProgram(t *testing.T) {
	out, log := sh(t, context.Background(), "seq 1 20000; exit 4", func(o *Options) { o.Stream = brokenWriter{} })
	if out.Status != 4 || !strings.HasSuffix(log, "\n20000\n") {
		t.Errorf("%+v, %d bytes", out, len(log))
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, unix.EPIPE }

func TestLook(t *testing.T) {
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	for name, mode := range map[string]os.FileMode{"bin/good": 0o755, "bin/plain": 0o644, "here": 0o755} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"PATH=/nowhere", "PATH=.::" + bin}
	for _, tt := range []struct {
		word, want string
		status     int
	}{
		{"good", filepath.Join(bin, "good"), 0},
		{"./here", filepath.Join(dir, "here"), 0},
		{bin + "/good", bin + "/good", 0},
		{"here", "", StatusNotFound}, // in the working directory, which is no place to look
		{"plain", "", StatusNotExecutable},
		{"./bin", "", StatusNotExecutable},
		{"./none", "", StatusNotFound},
		{"none", "", StatusNotFound},
		{"", "", StatusNotFound},
	} {
		got, status, err := Look(tt.word, dir, env)
		if got != tt.want || status != tt.status || (err != nil) != (tt.status != 0) {
			t.Errorf("Look(%q) = %q, %d, %v; want %q, %d", tt.word, got, status, err, tt.want, tt.status)
		}
	}
}

func TestNotStarted(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad")
	if err := os.WriteFile(bad, []byte("\x00\x01"), 0o755); err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	for _, tt := range []struct {
		p      Plan
		status int
	}{
		{Plan{Argv: []string{"./bad"}, Dir: dir}, StatusNotExecutable},
		{Plan{Argv: []string{"./none"}, Dir: dir}, StatusNotFound},
		{Plan{Argv: []string{"/bin/sh"}, Dir: filepath.Join(dir, "gone")}, StatusRefused},
		{Plan{Argv: []string{"/bin/sh", strings.Repeat("x", 4<<20)}, Dir: dir}, StatusRefused}, // longer than an argument may be
	} {
		for _, stream := range []bool{false, true} {
			o := Options{Log: log}
			if stream {
				o.Stream = &bytes.Buffer{}
			}
			out := Run(context.Background(), &tt.p, o)
			if out.Started || out.Status != tt.status || out.Err == nil {
				t.Errorf("%.20q in %s: %+v, want status %d", tt.p.Argv, tt.p.Dir, out, tt.status)
			}
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// waitGone waits until a process is no more, or only a zombie that its new
// parent has yet to collect.
func waitGone(t *testing.T, pid int) {
	t.Helper()
	for range 100 {
		if unix.Kill(pid, 0) != nil {
			return
		}
		if data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil && strings.Contains(string(data), ") Z ") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("process %d still runs", pid)
}

// Which bytes came from standard error is written down, and no byte is lost.
func TestSeparateStreams(t *testing.T) {
	var index bytes.Buffer
	out, log := sh(t, context.Background(), "echo one; sleep .1; echo two >&2; sleep .1; echo three", func(o *Options) { o.Stderr = &index })
	if out.Status != 0 || out.Lost != nil || log != "one\ntwo\nthree\n" || index.String() != "4 4\n" {
		t.Errorf("%+v, log %q, index %q", out, log, index.String())
	}
}

// A log that cannot be written, as on a full disk, is told and not passed over.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full")
	}
	defer full.Close()
	var stream bytes.Buffer
	p := &Plan{Argv: []string{"echo", "hello"}, Dir: t.TempDir(), Env: []string{"PATH=/usr/bin:/bin"}}
	if out := Run(context.Background(), p, Options{Log: full, Stream: &stream}); out.Status != 0 || out.Lost == nil || stream.String() != "hello\n" {
		t.Errorf("%+v, stream %q", out, stream.String())
	}
}
