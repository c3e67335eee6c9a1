// Package worker is the process that holds the isolate, and the frames by which
// it and the process outside talk. It is started by isolate.Start, loads the
// engine, closes itself in (package jail), and only then reads what to run.
package worker

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Name is the name under which a program starts itself as the worker.
const Name = "tgp-worker"

// FD is the descriptor of the socket.
const FD = 3

// Kinds of frames.
const (
	Ready  = 'Y' // worker: the jail stands; a jail.State
	RunIt  = 'R' // outside: a Job, with the file of a heap beside it where it has one
	Ask    = 'C' // worker: an operation, NUL, its arguments
	Answer = 'A' // outside: the answer, or after a NUL the code and the message that end the guest
	Out    = 'O' // worker: text for standard output
	Err    = 'E' // worker: text for standard error
	Done   = 'D' // worker: an Outcome
	Heap   = 'H' // worker: the memory of a guest, of a job that asked for it
)

// Most is how long a frame may be in bytes.
const Most = 192 << 20

// Job is what a worker is to run.
type Job struct {
	Code   string            `json:"code"` // one module
	Name   string            `json:"name"` // as it stands in traces
	Libs   string            `json:"libs,omitempty"`
	Args   map[string]any    `json:"args"`
	Env    map[string]string `json:"env"`
	Dirs   []string          `json:"dirs"`
	Argv   []string          `json:"argv"`
	WallMS int64             `json:"wall_ms"`
	Memory int               `json:"memory"`         // bytes
	Output int               `json:"output"`         // bytes of both streams and the result
	Dump   bool              `json:"dump,omitempty"` // make a heap of Libs, and run nothing else
}

// Kinds of ends.
const (
	Returned = "returned"
	Threw    = "threw"
	Exited   = "exited"
	Memory   = "memory"
	Stopped  = "stopped"
	Refused  = "refused" // the world outside ended it
	Quota    = "quota"
	Broken   = "broken" // the engine itself failed
)

// Outcome is how a run ended.
type Outcome struct {
	Kind    string `json:"kind"`
	Result  string `json:"result,omitempty"` // JSON, "" if there is none
	Status  int    `json:"status,omitempty"`
	Name    string `json:"name,omitempty"`
	Message string `json:"message,omitempty"`
	Stack   string `json:"stack,omitempty"`
	Code    string `json:"code,omitempty"`
}

// ErrFrame: what came is no frame.
var ErrFrame = errors.New("a broken frame")

// Wire is one end of the socket. It is of one goroutine.
type Wire struct {
	fd   int
	file *os.File        // ours, nil where the end is used as it is
	raw  syscall.RawConn // waits without a thread, nil: the call itself waits
}

// Blocking is an end on which each call waits.
func Blocking(fd int) *Wire { return &Wire{fd: fd} }

// Polled is an end that the poller of the runtime watches: who waits holds no thread,
// and none of the runtime's own looks whether it does.
func Polled(fd int) (*Wire, error) {
	if err := unix.SetNonblock(fd, true); err != nil {
		return nil, err
	}
	w := &Wire{fd: fd, file: os.NewFile(uintptr(fd), "worker")}
	raw, err := w.file.SyscallConn()
	w.raw = raw
	return w, err
}

// Close closes the end.
func (w *Wire) Close() {
	if w.file != nil {
		_ = w.file.Close()
		return
	}
	_ = unix.Close(w.fd)
}

// wait makes a call until it no longer would have to wait.
func (w *Wire) wait(wait func(func(fd uintptr) bool) error, call func() error) error {
	if w.raw == nil {
		for {
			if err := call(); !errors.Is(err, unix.EINTR) {
				return err
			}
		}
	}
	var err error
	if closed := wait(func(uintptr) bool {
		for {
			if err = call(); !errors.Is(err, unix.EINTR) {
				return !errors.Is(err, unix.EAGAIN)
			}
		}
	}); closed != nil {
		return closed
	}
	return err
}

func (w *Wire) reading(call func() error) error {
	if w.raw == nil {
		return w.wait(nil, call)
	}
	return w.wait(w.raw.Read, call)
}

func (w *Wire) writing(call func() error) error {
	if w.raw == nil {
		return w.wait(nil, call)
	}
	return w.wait(w.raw.Write, call)
}

// Send writes a frame; fd is a file that goes with it, -1 for none.
func (w *Wire) Send(kind byte, data []byte, fd int) error {
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(data)))
	head = append(head, kind)
	var rights []byte
	if fd >= 0 {
		rights = unix.UnixRights(fd)
	}
	small := len(data) < 4096
	if small {
		head = append(head, data...)
	}
	if err := w.send(head, rights); err != nil || small {
		return err
	}
	return w.send(data, nil)
}

func (w *Wire) send(data, rights []byte) error {
	for len(data) > 0 {
		var n int
		err := w.writing(func() (err error) {
			n, err = unix.SendmsgN(w.fd, data, rights, nil, unix.MSG_NOSIGNAL)
			return err
		})
		if err != nil {
			return err
		}
		data, rights = data[n:], nil
	}
	return nil
}

// Receive reads a frame; fd is the file that came with it, -1 for none.
func (w *Wire) Receive() (kind byte, data []byte, fd int, err error) {
	fd = -1
	var head [5]byte
	oob := make([]byte, unix.CmsgSpace(4))
	for at := 0; at < len(head); {
		var n, oobn int
		err := w.reading(func() (err error) {
			n, oobn, _, _, err = unix.Recvmsg(w.fd, head[at:], oob, 0)
			return err
		})
		if err != nil || n <= 0 {
			return 0, nil, fd, errors.Join(io.EOF, err)
		}
		at += n
		if oobn > 0 {
			fd = received(oob[:oobn])
		}
	}
	size := int(binary.LittleEndian.Uint32(head[:]))
	if size > Most {
		return 0, nil, fd, ErrFrame
	}
	// Memory grows with what has come, not with what was announced.
	data = make([]byte, 0, min(size, 1<<20))
	for len(data) < size {
		if len(data) == cap(data) {
			data = append(make([]byte, 0, min(size, 2*cap(data))), data...)
		}
		var n int
		err := w.reading(func() (err error) {
			n, err = unix.Read(w.fd, data[len(data):min(cap(data), size)])
			return err
		})
		if err != nil || n <= 0 {
			return 0, nil, fd, errors.Join(io.EOF, err)
		}
		data = data[:len(data)+n]
	}
	return head[4], data, fd, nil
}

func received(oob []byte) int {
	messages, err := unix.ParseSocketControlMessage(oob)
	if err != nil {
		return -1
	}
	got := -1
	for i := range messages {
		fds, err := unix.ParseUnixRights(&messages[i])
		if err != nil {
			continue
		}
		for _, fd := range fds {
			if got >= 0 {
				_ = unix.Close(fd)
				continue
			}
			unix.CloseOnExec(fd)
			got = fd
		}
	}
	return got
}
