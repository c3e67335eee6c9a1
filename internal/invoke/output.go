package invoke

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// output is the way from the program to the log.
type output struct {
	log    io.Writer
	stream io.Writer // nil for none, or when it has gone away
	index  io.Writer // of the parts from standard error; nil for none
	at     int64     // bytes written to the log
	lost   error     // why the log is not complete

	mu     sync.Mutex
	pipes  []*os.File // our ends for reading
	theirs []*os.File
	copies sync.WaitGroup
}

// connectOutput gives the program the log itself, or pipes that are copied to
// the log first and then to the stream.
func connectOutput(cmd *exec.Cmd, o Options) (*output, error) {
	out := &output{log: o.Log, stream: o.Stream, index: o.Stderr}
	if o.Terminal != nil {
		cmd.Stdout, cmd.Stderr = o.Terminal, o.TerminalErr
		return out, nil
	}
	if o.Stream == nil && o.Stderr == nil {
		cmd.Stdout, cmd.Stderr = o.Log, o.Log
		return out, nil
	}
	w, err := out.pipe(false)
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = w, w
	if o.Stderr != nil {
		if w, err = out.pipe(true); err != nil {
			out.started()
			out.wait()
			return nil, err
		}
		cmd.Stderr = w
	}
	return out, nil
}

// pipe makes a pipe that is copied from now on, and returns the program's end.
func (o *output) pipe(isError bool) (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	o.pipes, o.theirs = append(o.pipes, r), append(o.theirs, w)
	o.copies.Go(func() {
		buf := make([]byte, 32<<10)
		for {
			n, err := r.Read(buf)
			if n > 0 {
				o.write(buf[:n], isError)
			}
			if err != nil {
				return
			}
		}
	})
	return w, nil
}

func (o *output) write(p []byte, isError bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, err := o.log.Write(p)
	if isError && n > 0 {
		if _, e := fmt.Fprintf(o.index, "%d %d\n", o.at, n); err == nil {
			err = e
		}
	}
	if o.lost == nil {
		o.lost = err
	}
	o.at += int64(n)
	// A reader that has gone away does not end the program: the log goes on.
	if o.stream != nil {
		if _, err := o.stream.Write(p); err != nil {
			o.stream = nil
		}
	}
}

// started closes our ends of what the program now holds.
func (o *output) started() {
	for _, w := range o.theirs {
		_ = w.Close()
	}
}

// wait returns when all output has been copied, or when nothing more has to be
// awaited from what the program left running.
func (o *output) wait() {
	done := make(chan struct{})
	go func() {
		o.copies.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(drain):
		for _, r := range o.pipes {
			_ = r.SetReadDeadline(time.Now())
		}
		<-done
	}
	for _, r := range o.pipes {
		_ = r.Close()
	}
}
