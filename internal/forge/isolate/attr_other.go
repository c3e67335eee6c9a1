//go:build !linux

package isolate

import "syscall"

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
