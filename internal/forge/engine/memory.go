package engine

import (
	"errors"
	"os"

	"github.com/tetratelabs/wazero/experimental"
	"golang.org/x/sys/unix"
)

const page = 65536

// memory is the linear memory of a guest: a range of addresses of which only
// what is used costs anything, never moved.
type memory struct {
	all   []byte
	size  int
	limit int
	full  bool // more was asked for than it may have
}

func newMemory(limit int) (*memory, error) {
	limit = (limit + page - 1) / page * page
	all, err := unix.Mmap(-1, 0, limit, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil, errors.Join(errors.New("no memory for the guest"), err)
	}
	return &memory{all: all, limit: limit}, nil
}

// Allocate is called once, when the guest is made.
func (m *memory) Allocate(_, _ uint64) experimental.LinearMemory { return m }

// Reallocate grows the memory; nil beyond its bound.
func (m *memory) Reallocate(size uint64) []byte {
	if size > uint64(m.limit) {
		m.full = true
		return nil
	}
	if int(size) > m.size {
		if err := unix.Mprotect(m.all[m.size:size], unix.PROT_READ|unix.PROT_WRITE); err != nil {
			m.full = true
			return nil
		}
		m.size = int(size)
	}
	return m.all[:size:size]
}

// Free gives it back.
func (m *memory) Free() {
	if m.all != nil {
		_ = unix.Munmap(m.all)
		m.all = nil
	}
}

// overlay maps a file over the beginning: a page of it costs nothing until it is
// touched, and what the guest writes stays its own.
func (m *memory) overlay(f *os.File, size int) error {
	return mapOver(m.all, int(f.Fd()), size)
}
