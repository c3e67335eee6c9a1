// Package keeper stands between the agent door and a server that it starts, so
// that no process of the server outlives the door, however the door ends: killed
// too, it can tell nobody. The keeper holds the reading end of a pipe whose other
// end the door alone has; when that closes, it kills what it started, and all
// that those started.
package keeper

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// pipeFD is the descriptor of the pipe in the keeper.
const pipeFD = 3

// Command is a command that runs words under a keeper: the program self called
// with the given words before them, which must call Main. The returned file keeps
// it alive; the caller closes it, or dies.
func Command(self string, before, words []string) (cmd *exec.Cmd, alive *os.File, err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	cmd = exec.Command(self, append(append(append([]string{}, before...), "--"), words...)...)
	cmd.ExtraFiles = []*os.File{r} // becomes pipeFD; the caller closes it after the start
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd, w, nil
}

// Main runs words and returns the status to exit with; nothing of them is left
// then. Standard streams are the server's own.
func Main(words []string) int {
	if len(words) == 0 {
		return 2
	}
	syscall.CloseOnExec(pipeFD)
	adopt()
	signal.Ignore(syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT) // a key at the client's terminal is not for us
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		_, _ = io.WriteString(os.Stderr, err.Error()+"\n")
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
			return 127
		}
		return 126
	}
	// The streams are the server's now: held open here, its end would not be seen.
	_ = os.Stdin.Close()
	_ = os.Stdout.Close()
	go func() {
		door := os.NewFile(pipeFD, "door")
		_, _ = io.Copy(io.Discard, door)
		killAll(cmd.Process.Pid)
		os.Exit(137)
	}()
	err := cmd.Wait()
	killAll(cmd.Process.Pid)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		if st, ok := exit.Sys().(syscall.WaitStatus); ok && st.Signaled() {
			return 128 + int(st.Signal())
		}
		return exit.ExitCode()
	}
	return 0
}
