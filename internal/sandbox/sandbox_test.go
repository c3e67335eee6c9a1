//go:build linux && (amd64 || arm64)

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) {
	Child()
	os.Exit(m.Run())
}

// jailed runs a script in a jail.
func jailed(t *testing.T, script string, change ...func(*Spec)) Result {
	t.Helper()
	s := Spec{Argv: []string{"/bin/sh", "-c", script}}
	for _, c := range change {
		c(&s)
	}
	r, err := Run(t.Context(), s)
	if errors.Is(err, ErrUnavailable) {
		t.Skipf("no jail on this machine: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOutputAndStatus(t *testing.T) {
	r := jailed(t, "echo out; echo err >&2; exit 3")
	if string(r.Stdout) != "out\n" || string(r.Stderr) != "err\n" || r.Status != 3 || r.TimedOut || r.Cut {
		t.Errorf("%+v", r)
	}
	if r := jailed(t, "kill -9 $$; sleep 1 & kill -9 $!; exit 0"); r.Status != 0 && r.Status != 137 {
		t.Errorf("%+v", r)
	}
	r = jailed(t, "cat; pwd; echo $HOME $X", func(s *Spec) { s.Stdin = []byte("in\n"); s.Env = []string{"X=y"} })
	if string(r.Stdout) != "in\n/tmp/home\n/tmp/home y\n" {
		t.Errorf("%q", r.Stdout)
	}
}

// Nothing outside of the scratch home can be written, whoever runs this.
func TestFilesCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	home, err := os.MkdirTemp("/var", "jail")
	if err != nil {
		home = dir
	}
	defer os.RemoveAll(home)
	kept := filepath.Join(home, "kept")
	if err := os.WriteFile(kept, []byte("kept"), 0o666); err != nil {
		t.Fatal(err)
	}
	r := jailed(t, `
echo x > $HOME/own && echo own
for f in /etc/jailtest /usr/jailtest `+kept+` `+home+`/new /proc/sys/kernel/hostname /sys/power/state; do
	echo x 2>/dev/null > $f && echo wrote $f
done
rm `+kept+` 2>/dev/null && echo deleted
touch `+kept+` 2>/dev/null && echo touched
chmod 0 `+kept+` 2>/dev/null && echo changed
mount -o remount,rw / 2>/dev/null && echo remounted
umount /tmp 2>/dev/null && echo unmounted
mknod $HOME/sda b 8 0 2>/dev/null && echo node
unshare -Ur true 2>/dev/null && echo unshared
exit 0`)
	if got := string(r.Stdout); got != "own\n" {
		t.Errorf("in the jail: %s%s", got, r.Stderr)
	}
	if b, err := os.ReadFile(kept); string(b) != "kept" {
		t.Errorf("the file holds %q: %v", b, err)
	}
}

func TestOthersCannotBeReached(t *testing.T) {
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	dir, err := os.MkdirTemp("/var", "jail")
	if err != nil {
		t.Skip("no directory that the jail shows and this test may write")
	}
	defer os.RemoveAll(dir)
	unixSocket, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer unixSocket.Close()
	_, port, _ := net.SplitHostPort(tcp.Addr().String())
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not here")
	}
	r := jailed(t, `python3 - <<'E'
import socket
for family, where in ((socket.AF_INET, ("127.0.0.1", `+port+`)), (socket.AF_UNIX, "`+dir+`/s")):
    try:
        socket.socket(family).connect(where)
        print("connected", where)
    except OSError as e:
        print(e.errno)
E
ps -e 2>/dev/null | grep -q sandbox.test && echo sees others
ls -A /tmp /run /dev
kill -0 `+strconv.Itoa(os.Getpid())+` 2>/dev/null && echo signals others
exit 0`)
	want := "1\n1\n/dev:\nfd\nfull\nnull\nrandom\nshm\nstderr\nstdin\nstdout\nurandom\nzero\n\n/run:\n\n/tmp:\nhome\n"
	if got := sorted(string(r.Stdout)); got != sorted(want) {
		t.Errorf("in the jail:\n%s\nwant\n%s%s", got, want, r.Stderr)
	}
}

// sorted is the lines in order: ls prints its directories in an order of its own.
func sorted(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func TestNoPrivilegeAndNoTerminal(t *testing.T) {
	r := jailed(t, `grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status; (: < /dev/tty) 2>/dev/null && echo terminal; exit 0`)
	want := "CapEff:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1\nSeccomp:\t2\n"
	if got := string(r.Stdout); got != want {
		t.Errorf("%s%s", got, r.Stderr)
	}
}

func TestTimeAndOutputAreBounded(t *testing.T) {
	start := time.Now()
	r := jailed(t, "trap '' TERM INT HUP; (sleep 60 &); echo first; while :; do sleep 60; done", func(s *Spec) { s.Timeout = 500 * time.Millisecond })
	if !r.TimedOut || string(r.Stdout) != "first\n" {
		t.Errorf("%+v", r)
	}
	r = jailed(t, "yes", func(s *Spec) { s.Output = 1000 })
	if !r.Cut || len(r.Stdout) != 1000 {
		t.Errorf("cut %v, %d bytes", r.Cut, len(r.Stdout))
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("it took %v", d)
	}
}

// A child that leaves its group and session is ended with the jail.
func TestNothingIsLeftBehind(t *testing.T) {
	mark := "31536" + strconv.Itoa(os.Getpid())
	jailed(t, "setsid sleep "+mark+" >/dev/null 2>&1 & exit 0")
	for range 50 {
		out, _ := exec.Command("pgrep", "-f", "sleep "+mark).Output()
		if len(out) == 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("a process is left")
}

func TestProcessesAndDiskAreBounded(t *testing.T) {
	r := jailed(t, "head -c 100000000 /dev/zero 2>/dev/null > $HOME/big; stat -c %s $HOME/big", func(s *Spec) { s.Disk = 1 << 20 })
	if size, err := strconv.Atoi(strings.TrimSpace(string(r.Stdout))); err != nil || size > 1<<20 {
		t.Errorf("%+v", r)
	}
	if os.Getuid() == 0 && oldKernel(t) {
		t.Skip("the kernel does not limit the processes of root")
	}
	r = jailed(t, "for i in $(seq 500); do sleep 1 & done; echo done", func(s *Spec) { s.Processes = 20 })
	if string(r.Stdout) == "done\n" && len(r.Stderr) == 0 {
		t.Errorf("500 processes were started: %+v", r)
	}
}

// oldKernel tells a kernel without a limit for each PID namespace.
func oldKernel(t *testing.T) bool {
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		t.Fatal(err)
	}
	var major, minor int
	if _, err := fmt.Sscanf(unix.ByteSliceToString(u.Release[:]), "%d.%d", &major, &minor); err != nil {
		t.Fatal(err)
	}
	return major < 6 || major == 6 && minor < 14
}

// A program below /tmp is seen, with what the caller asks for, and stays read-only.
func TestShow(t *testing.T) {
	dir := t.TempDir()
	prog := filepath.Join(dir, "bin/tool")
	lib := filepath.Join(dir, "lib")
	for _, err := range []error{
		os.MkdirAll(filepath.Dir(prog), 0o755), os.Mkdir(lib, 0o755),
		os.WriteFile(prog, []byte("#!/bin/sh\ncat $1/lib/f; echo x 2>/dev/null > $1/lib/new && echo wrote; ls $1\n"), 0o755),
		os.WriteFile(filepath.Join(lib, "f"), []byte("shown\n"), 0o644),
		os.WriteFile(filepath.Join(dir, "secret"), nil, 0o644),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	r := jailed(t, "", func(s *Spec) { s.Argv = []string{prog, dir}; s.Show = []string{lib} })
	if string(r.Stdout) != "shown\nbin\nlib\n" {
		t.Errorf("%q %q", r.Stdout, r.Stderr)
	}
}

func TestErrors(t *testing.T) {
	if _, err := Run(context.Background(), Spec{Argv: []string{"relative"}}); err == nil {
		t.Error("a relative program was taken")
	}
	if err := Available(t.Context()); err != nil {
		t.Skip(err)
	}
	_, err := Run(t.Context(), Spec{Argv: []string{"/nowhere/at/all"}})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an absent program: %v", err)
	}
	_, err = Run(t.Context(), Spec{Argv: []string{"/etc/passwd"}})
	if err == nil || errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "/etc/passwd") {
		t.Errorf("no program at all: %v", err)
	}
}
