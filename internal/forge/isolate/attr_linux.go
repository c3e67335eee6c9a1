package isolate

import "syscall"

// attributes: a worker ends with us, and belongs to no terminal.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}
