// Package shelltest types keys into a real program on a pseudo-terminal and
// reads the screen it draws. A test types, waits until the screen shows what
// it wants, and fails with the screen if it does not.
package shelltest

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
)

// Options say what to start.
type Options struct {
	Args       []string // the program and its arguments
	Env        []string // the whole environment, "NAME=value"
	Dir        string
	Rows, Cols int // 24 × 80 if 0
	// Patience is how long Wait waits; 15 s if 0.
	Patience time.Duration
}

// TB is what a terminal needs of a test. A *testing.T is one; so may be a
// program that is no test.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
	Cleanup(f func())
}

// Term is a program on a terminal.
type Term struct {
	t        TB
	cmd      *exec.Cmd
	file     *os.File
	patience time.Duration

	mu      sync.Mutex
	screen  *Screen
	raw     []byte
	last    time.Time
	changed chan struct{} // closed and replaced with every write
	done    chan struct{}
}

// Start starts a program; it is killed when the test ends.
func Start(t TB, o Options) *Term {
	t.Helper()
	if o.Rows == 0 {
		o.Rows = 24
	}
	if o.Cols == 0 {
		o.Cols = 80
	}
	if o.Patience == 0 {
		o.Patience = 15 * time.Second
	}
	cmd := exec.Command(o.Args[0], o.Args[1:]...)
	cmd.Env, cmd.Dir = o.Env, o.Dir
	file, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(o.Rows), Cols: uint16(o.Cols)})
	if err != nil {
		t.Fatalf("start %s: %v", o.Args[0], err)
	}
	x := &Term{
		t: t, cmd: cmd, file: file, patience: o.Patience,
		screen: NewScreen(o.Rows, o.Cols), changed: make(chan struct{}), done: make(chan struct{}),
	}
	go x.read()
	t.Cleanup(x.close)
	return x
}

func (x *Term) close() {
	// The shell is the leader of its session: the hang-up reaches its jobs.
	_ = syscall.Kill(-x.cmd.Process.Pid, syscall.SIGKILL)
	_ = x.file.Close()
	_ = x.cmd.Wait()
	<-x.done
}

func (x *Term) read() {
	defer close(x.done)
	buf := make([]byte, 1<<16)
	for {
		n, err := x.file.Read(buf)
		x.mu.Lock()
		_, _ = x.screen.Write(buf[:n])
		x.raw = append(x.raw, buf[:n]...)
		x.last = time.Now()
		reply := x.screen.reply
		x.screen.reply = nil
		close(x.changed)
		x.changed = make(chan struct{})
		x.mu.Unlock()
		if len(reply) > 0 {
			_, _ = x.file.Write(reply)
		}
		if err != nil {
			return
		}
	}
}

// Keys types.
func (x *Term) Keys(keys string) {
	x.t.Helper()
	if _, err := x.file.WriteString(keys); err != nil {
		x.t.Fatalf("type %q: %v", keys, err)
	}
}

// Resize makes the window another size. The screen is empty then: what is on it
// is what the program draws anew.
func (x *Term) Resize(rows, cols int) {
	x.t.Helper()
	x.mu.Lock()
	x.screen = NewScreen(rows, cols)
	x.mu.Unlock()
	if err := pty.Setsize(x.file, &pty.Winsize{Rows: uint16(rows), Cols: uint16(cols)}); err != nil {
		x.t.Fatalf("resize: %v", err)
	}
}

// Pid is the process ID of the program, which leads its session.
func (x *Term) Pid() int { return x.cmd.Process.Pid }

// Raw returns all that the program has written.
func (x *Term) Raw() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return string(x.raw)
}

// Screen returns the screen as text.
func (x *Term) Screen() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.screen.String()
}

// See calls f with the screen, which it may not keep.
func (x *Term) See(f func(s *Screen)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	f(x.screen)
}

// Try polls until the screen satisfies f and reports whether it did in time.
func (x *Term) Try(f func(s *Screen) bool) bool {
	deadline := time.After(x.patience)
	for {
		x.mu.Lock()
		ok, changed := f(x.screen), x.changed
		x.mu.Unlock()
		if ok {
			return true
		}
		select {
		case <-changed:
		case <-x.done:
			x.mu.Lock()
			defer x.mu.Unlock()
			return f(x.screen)
		case <-deadline:
			return false
		}
	}
}

// Wait polls until the screen satisfies f; the test fails if it never does.
func (x *Term) Wait(what string, f func(s *Screen) bool) {
	x.t.Helper()
	if !x.Try(f) {
		var at string
		x.See(func(s *Screen) { at = fmt.Sprintf("cursor %d,%d, left of it %q", s.row, s.col, s.Before()) })
		x.t.Fatalf("never saw %s; %s\n%s", what, at, x.Screen())
	}
}

// Quiet waits until nothing has been written for d.
func (x *Term) Quiet(d time.Duration) {
	for {
		x.mu.Lock()
		left := d - time.Since(x.last)
		x.mu.Unlock()
		if left <= 0 {
			return
		}
		time.Sleep(left)
	}
}
