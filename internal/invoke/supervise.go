package invoke

import (
	"context"
	"os"
	"os/signal"
	"time"

	"golang.org/x/sys/unix"
)

// process is a started program.
type process struct {
	pid   int
	group bool // it leads a process group of its own
	tty   int  // the terminal that was handed over to it, or -1
}

// send passes a signal on.
func (p process) send(s unix.Signal) {
	switch {
	case p.group:
		_ = unix.Kill(-p.pid, s)
	case s != unix.SIGINT && s != unix.SIGQUIT: // those the terminal sends to our whole group
		_ = unix.Kill(p.pid, s)
	}
}

// supervise waits for the program, passes signals on to it, stops it after the
// timeout, and, when it has the terminal, lets it be stopped and continued from
// the keyboard as a shell's job.
func (p process) supervise(ctx context.Context, timeout time.Duration, signals <-chan os.Signal) Outcome {
	states := make(chan unix.WaitStatus)
	go p.await(states)

	var expire, kill <-chan time.Time
	if timeout > 0 {
		t := time.NewTimer(timeout)
		defer t.Stop()
		expire = t.C
	}
	stop := func() {
		p.send(unix.SIGTERM)
		p.send(unix.SIGCONT)
		kill = time.After(grace)
	}
	done := ctx.Done()
	timedOut := false
	for {
		select {
		case s := <-signals:
			if n, ok := s.(unix.Signal); ok {
				p.send(n)
			}
		case <-expire:
			timedOut, expire = true, nil
			stop()
		case <-done:
			done = nil
			stop()
		case <-kill:
			p.send(unix.SIGKILL)
		case st := <-states:
			if st.Stopped() {
				p.suspend()
				continue
			}
			if p.group && kill != nil {
				p.send(unix.SIGKILL) // what the program left in its group
			}
			if p.tty >= 0 {
				foreground(p.tty, unix.Getpgrp())
			}
			return ended(st, timedOut)
		}
	}
}

// await reports every stop of the program and at last its end.
func (p process) await(states chan<- unix.WaitStatus) {
	options := 0
	if p.tty >= 0 {
		options = unix.WUNTRACED
	}
	for {
		var st unix.WaitStatus
		_, err := unix.Wait4(p.pid, &st, options, nil)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			st = unix.WaitStatus(1 << 8) // no such child: all that is known is that it is over
		}
		states <- st
		if err != nil || !st.Stopped() {
			return
		}
	}
}

// suspend stops us with the program, as if we were one job, and takes it up
// again with us.
func (p process) suspend() {
	foreground(p.tty, unix.Getpgrp())
	_ = unix.Kill(0, unix.SIGSTOP)
	foreground(p.tty, p.pid)
	p.send(unix.SIGCONT)
}

// inForeground reports whether our group has the terminal.
func inForeground(tty int) bool {
	pgrp, err := unix.IoctlGetInt(tty, unix.TIOCGPGRP)
	return err == nil && pgrp == unix.Getpgrp()
}

// foreground gives the terminal to a process group. A background process that
// does so is stopped by SIGTTOU unless it ignores it.
func foreground(tty, pgrp int) {
	signal.Ignore(unix.SIGTTOU)
	defer signal.Reset(unix.SIGTTOU)
	_ = unix.IoctlSetPointerInt(tty, unix.TIOCSPGRP, pgrp)
}

func ended(st unix.WaitStatus, timedOut bool) Outcome {
	o := Outcome{Status: st.ExitStatus(), TimedOut: timedOut}
	if st.Signaled() {
		o.Status, o.Signal = 128+int(st.Signal()), unix.SignalName(st.Signal())
	}
	if timedOut {
		o.Status = StatusTimeout
	}
	return o
}
