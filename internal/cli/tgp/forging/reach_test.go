package forging

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/tgp"
)

// served is a serve that goes on while a test asks.
type served struct {
	t     *testing.T
	in    *io.PipeWriter
	lines *bufio.Scanner
	n     int
}

func (w *world) serve() *served {
	w.t.Helper()
	inRead, in := io.Pipe()
	out, outWrite := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tgp.Main(tgp.Env{
			Args: []string{"serve"}, Stdin: inRead, Stdout: outWrite, Stderr: io.Discard, Dir: w.dir, Now: time.Now, Context: context.Background(),
			Getenv: func(k string) string { return w.env[k] }, IsTerminal: func(int) bool { return false },
		}, Commands())
		outWrite.Close()
	}()
	w.t.Cleanup(func() {
		in.Close()
		<-ended
	})
	s := &served{t: w.t, in: in, lines: bufio.NewScanner(out)}
	s.lines.Buffer(nil, 1<<20)
	return s
}

// run runs a tool and returns its result.
func (s *served) run(tool, args string) string {
	s.t.Helper()
	s.n++
	fmt.Fprintf(s.in, `{"id":%d,"method":"run","params":{"tool":%q,"args":%s}}`+"\n", s.n, tool, args)
	if !s.lines.Scan() {
		s.t.Fatalf("serve ended: %v", s.lines.Err())
	}
	var a struct {
		ID     int
		Result struct {
			Success bool
			Result  json.RawMessage
			Error   any
		}
	}
	if err := json.Unmarshal(s.lines.Bytes(), &a); err != nil || a.ID != s.n || !a.Result.Success {
		s.t.Fatalf("%v: %s", err, s.lines.Text())
	}
	return string(a.Result.Result)
}

// cpu is what this process and the children that it waited for have used.
func cpu(t *testing.T, who int) time.Duration {
	t.Helper()
	var ru syscall.Rusage
	if err := syscall.Getrusage(who, &ru); err != nil {
		t.Fatal(err)
	}
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
}

// workers are the worker processes of this one: their memory in KB, their time.
func workers(t *testing.T) (rss int, used time.Duration, n int) {
	t.Helper()
	dirs, _ := os.ReadDir("/proc")
	for _, d := range dirs {
		stat, err := os.ReadFile("/proc/" + d.Name() + "/stat")
		if err != nil {
			continue
		}
		f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		line, _ := os.ReadFile("/proc/" + d.Name() + "/cmdline")
		if f[1] != strconv.Itoa(os.Getpid()) || !strings.HasPrefix(string(line), "tgp-worker") {
			continue
		}
		pages, _ := strconv.Atoi(f[21])
		user, _ := strconv.Atoi(f[11])
		system, _ := strconv.Atoi(f[12])
		rss, used, n = rss+pages*4, used+time.Duration(user+system)*10*time.Millisecond, n+1
	}
	return rss, used, n
}

func openFiles(t *testing.T) int {
	t.Helper()
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("/proc is not here")
	}
	return len(fds)
}

// TestWarmRuns: thousands of runs in one worker leave nothing behind, and one costs less
// than 5 ms. TGP_RUNS says how many (10000 are what is promised).
func TestWarmRuns(t *testing.T) {
	runs := 2000
	if n, err := strconv.Atoi(os.Getenv("TGP_RUNS")); err == nil {
		runs = n
	}
	w := newWorld(t).god("")
	w.must("init")
	w.write("d.ts", greet)
	w.must("add", "d.ts", "greet/hello", "-m", "greet")
	s := w.serve()
	once := func(n int) {
		for i := range n {
			if got, want := s.run("hello", fmt.Sprintf(`{"name":"n%d"}`, i)), fmt.Sprintf(`["hi n%d"]`, i); got != want {
				t.Fatalf("%s, want %s", got, want)
			}
		}
	}
	once(200)
	fds, goroutines := openFiles(t), runtime.NumGoroutine()
	memory, before, n := workers(t)
	if n != 1 {
		t.Fatalf("%d workers", n)
	}
	own := cpu(t, syscall.RUSAGE_SELF)
	once(runs)
	after, used, n := workers(t)
	each := (cpu(t, syscall.RUSAGE_SELF) - own + used - before) / time.Duration(runs)
	t.Logf("%d runs: %v each, worker %d KB before, %d KB after", runs, each, memory, after)
	if n != 1 {
		t.Errorf("%d workers", n)
	}
	if f := openFiles(t); f > fds+1 {
		t.Errorf("%d files open, %d before", f, fds)
	}
	if g := runtime.NumGoroutine(); g > goroutines+2 {
		t.Errorf("%d goroutines, %d before", g, goroutines)
	}
	if after > memory+16<<10 {
		t.Errorf("the worker has %d KB, %d before", after, memory)
	}
	if each > 5*time.Millisecond {
		t.Errorf("a warm run costs %v", each)
	}
}

// TestReach: what a look at a thousand tools costs, and a check of one.
func TestReach(t *testing.T) {
	w := newWorld(t).god("")
	w.must("init")
	w.thousand()
	w.must("list")
	draft := w.write("draft.ts", greet)
	for _, tt := range []struct {
		limit time.Duration
		args  []string
		want  string
	}{
		{50 * time.Millisecond, []string{"list"}, "tools/c7/tool-777.ts"},
		{50 * time.Millisecond, []string{"list", "--query", "number 777"}, "tools/c7/tool-777.ts"},
		{100 * time.Millisecond, []string{"check", draft}, ": ok"},
	} {
		best := time.Hour // of several: a loaded machine adds, and never takes away
		for range 7 {
			begin := cpu(t, syscall.RUSAGE_SELF)
			out := w.must(tt.args...)
			best = min(best, cpu(t, syscall.RUSAGE_SELF)-begin)
			if !strings.Contains(out, tt.want) {
				t.Fatalf("%v lacks %q: %.300s", tt.args, tt.want, out)
			}
		}
		t.Logf("%v: %v", tt.args, best)
		if best > tt.limit {
			t.Errorf("%v costs %v, at most %v", tt.args, best, tt.limit)
		}
	}
}

// thousand puts a thousand tools on main at once, as a sync does.
func (w *world) thousand() {
	w.t.Helper()
	hub := newWorld(w.t).god("")
	hub.must("init")
	for i := range 1000 {
		hub.write(fmt.Sprintf(".tgp/tools/c%d/tool-%d.ts", i%10, i), fmt.Sprintf("/**\n * Tool number %d.\n * @param {string} name who\n */\nexport default tgp.args.name;\n", i))
	}
	hub.commitAll()
	config := w.env["TGP_CONFIG"]
	w.god(`,"upstream":{"remote":"` + hub.dir + `/.tgp/.git"}`)
	w.must("sync")
	w.env["TGP_CONFIG"] = config
}

// commitAll commits what lies in the root, as a person with git would.
func (w *world) commitAll() {
	w.t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		w.t.Skip("git is not here")
	}
	for _, args := range [][]string{{"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "-qm", "many"}} {
		cmd := exec.Command(git, append([]string{"-C", filepath.Join(w.dir, ".tgp")}, args...)...)
		cmd.Env = append(os.Environ(), "HOME="+w.env["HOME"], "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			w.t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
}
