//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// jailName is the name under which a program starts itself as the jail's first
// process.
const jailName = "tmp-jail"

// Run runs a program in a jail. An error means that it did not start; what it
// did, a failure too, is in the result.
func Run(ctx context.Context, s Spec) (Result, error) {
	if len(s.Argv) == 0 || !filepath.IsAbs(s.Argv[0]) {
		return Result{}, errors.New("sandbox: the program must be an absolute path")
	}
	if _, err := os.Stat(s.Argv[0]); err != nil {
		return Result{}, fmt.Errorf("sandbox: %w", err)
	}
	s = s.withDefaults()
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	j, err := start(ctx, s, cancel)
	if err != nil {
		return Result{}, err
	}
	err = j.cmd.Wait()
	// The program may have ended right away, so the report is read in any case.
	switch failed := j.report(); {
	case strings.HasPrefix(failed, execStep):
		return Result{}, fmt.Errorf("sandbox: %s", failed)
	case failed != "":
		return Result{}, fmt.Errorf("%w: %s", ErrUnavailable, failed)
	}
	r := Result{Stdout: j.out.kept.Bytes(), Stderr: j.err.kept.Bytes(), Cut: j.out.cut || j.err.cut}
	r.TimedOut = !r.Cut && errors.Is(ctx.Err(), context.DeadlineExceeded)
	if ws, ok := j.cmd.ProcessState.Sys().(syscall.WaitStatus); ok {
		r.Status = ws.ExitStatus()
		if ws.Signaled() {
			r.Status = 128 + int(ws.Signal())
		}
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && ctx.Err() == nil && !errors.Is(err, exec.ErrWaitDelay) {
		return r, err
	}
	return r, nil
}

// jail is a jail that has been started.
type jail struct {
	cmd      *exec.Cmd
	out, err *capped
	failures *os.File // closed unread if the program could be executed
}

// start makes the namespaces and starts this very program in them; Child goes
// on from there.
func start(ctx context.Context, s Spec, stop func()) (*jail, error) {
	order, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	specFile, err := memory(order)
	if err != nil {
		return nil, err
	}
	defer specFile.Close()
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer write.Close()

	cmd := exec.CommandContext(ctx, "/proc/self/exe")
	cmd.Args = []string{jailName}
	cmd.Env = s.environ()
	cmd.Dir = "/"
	cmd.ExtraFiles = []*os.File{specFile, write}
	j := &jail{cmd: cmd, out: &capped{most: s.Output, stop: stop}, err: &capped{most: s.Output, stop: stop}, failures: read}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(s.Stdin), j.out, j.err
	if len(s.Stdin) == 0 {
		cmd.Stdin = nil // /dev/null
	}
	// Everything in the jail dies with its first process; pipes that something
	// else holds are not waited for.
	cmd.WaitDelay = s.Timeout
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Setsid: true,
		Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET |
			unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP,
		UidMappings:                []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}},
		GidMappings:                []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}},
		GidMappingsEnableSetgroups: false,
		// For who is not root these are lost by starting the jail's first process.
		AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP},
		Pdeathsig:   syscall.SIGKILL,
	}
	if err := cmd.Start(); err != nil {
		read.Close()
		return nil, fmt.Errorf("%w: no namespaces: %w", ErrUnavailable, err)
	}
	return j, nil
}

// report reads what kept the program from being executed, "" if nothing did.
func (j *jail) report() string {
	defer j.failures.Close()
	text, _ := io.ReadAll(io.LimitReader(j.failures, 4096))
	return string(text)
}

// memory returns a file in memory with the data.
func memory(data []byte) (*os.File, error) {
	fd, err := unix.MemfdCreate("jail", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("memfd_create: %w", err)
	}
	f := os.NewFile(uintptr(fd), "jail")
	if _, err := f.WriteAt(data, 0); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// capped keeps the first bytes that are written and stops the program when there
// are more.
type capped struct {
	kept bytes.Buffer
	most int
	cut  bool
	stop func()
}

func (c *capped) Write(p []byte) (int, error) {
	n := min(len(p), c.most-c.kept.Len())
	c.kept.Write(p[:n])
	if n < len(p) && !c.cut {
		c.cut = true
		c.stop()
	}
	return len(p), nil
}

// Available reports why no jail can be made here, or nil.
func Available(ctx context.Context) error {
	_, err := Run(ctx, Spec{Argv: []string{"/proc/self/exe"}, Env: []string{probe + "=1"}})
	return err
}

// probe is set in the environment of a jail that only shows that it can be made.
const probe = "TMP_JAIL_PROBE"
