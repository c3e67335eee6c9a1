// Package sandbox runs a program that is not trusted: without network, on a
// file system that it can read and not write but for a scratch home in memory,
// without a terminal, under limits, for a few seconds, and without leaving a
// process behind.
//
// On Linux this is a jail of namespaces (namespaces(7)), a seccomp filter and
// resource limits, made without privileges. Where the system does not allow
// one, nothing is run and the error says why: there is no weaker jail.
package sandbox

import (
	"errors"
	"time"
)

// ErrUnavailable is wrapped by the errors that say why there is no jail here.
var ErrUnavailable = errors.New("a program cannot be confined here")

// Spec says what is to be run. The zero value of a limit is its default.
type Spec struct {
	// Argv is the command: an absolute path and its arguments.
	Argv []string
	// Env holds variables, NAME=value, beside those that every jail has: PATH,
	// HOME, TMPDIR, LANG, TERM=dumb, NO_COLOR and pagers that pass text on.
	Env []string
	// Dir is the working directory; by default the scratch home.
	Dir string
	// Show lists directories below /tmp, /var/tmp and /run, which are empty in a
	// jail, that are to be seen all the same. They can be read, not written.
	Show []string
	// Stdin is what the program reads; by default nothing.
	Stdin []byte
	// Timeout bounds the run; 5 s by default.
	Timeout time.Duration
	// Output bounds each of the two outputs in bytes; 4 MiB by default. A program
	// that writes more is stopped.
	Output int
	// Memory bounds the data of each process in bytes; 2 GiB by default.
	Memory uint64
	// Disk bounds the scratch home in bytes; 64 MiB by default.
	Disk uint64
	// Processes bounds how many there may be at once; 128 by default.
	Processes uint64
}

// Result is what came of a run.
type Result struct {
	Stdout, Stderr []byte
	// Status is the exit status, 128 and the signal's number for one that a signal
	// ended.
	Status int
	// TimedOut and Cut say that the program was stopped for its time, or for what
	// it wrote.
	TimedOut, Cut bool
}

// withDefaults fills in the limits that are not set.
func (s Spec) withDefaults() Spec {
	if s.Timeout <= 0 {
		s.Timeout = 5 * time.Second
	}
	if s.Output <= 0 {
		s.Output = 4 << 20
	}
	if s.Memory == 0 {
		s.Memory = 2 << 30
	}
	if s.Disk == 0 {
		s.Disk = 64 << 20
	}
	if s.Processes == 0 {
		s.Processes = 128
	}
	if s.Dir == "" {
		s.Dir = Home
	}
	return s
}

// Home is the scratch home inside a jail.
const Home = "/tmp/home"

// environ is the environment of a jail.
func (s Spec) environ() []string {
	return append([]string{
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		"HOME=" + Home, "TMPDIR=/tmp", "XDG_RUNTIME_DIR=/tmp", "LANG=C.UTF-8", "LC_ALL=C.UTF-8",
		"TERM=dumb", "NO_COLOR=1", "PAGER=cat", "MANPAGER=cat", "GIT_PAGER=cat", "SYSTEMD_PAGER=cat", "LESS=-FRX",
	}, s.Env...)
}
