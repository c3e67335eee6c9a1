package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Results keeps what was too long to show, for one session of the door. Handles
// are of that session alone and cannot be guessed.
type Results struct {
	dir  string
	mu   sync.Mutex
	size int64
	own  map[string]string // handle to file
}

// Bounds of what a session keeps, and of what killed sessions leave behind.
const (
	maxKept = 256 << 20 // bytes
	keepFor = 24 * time.Hour
)

// errFull says that a session has kept all that it may.
var errFull = errors.New("the session has kept 256 MiB already")

// NewResults makes the place of a session and clears those that are old.
func (s Store) NewResults(now time.Time) *Results {
	root := filepath.Join(s.dir, "results")
	if old, err := os.ReadDir(root); err == nil {
		for _, e := range old {
			if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > keepFor {
				_ = os.RemoveAll(filepath.Join(root, e.Name()))
			}
		}
	}
	return &Results{dir: filepath.Join(root, rand.Text()), own: map[string]string{}}
}

// Put keeps bytes and returns their handle.
func (r *Results) Put(data []byte) (handle string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.size+int64(len(data)) > maxKept {
		return "", errFull
	}
	handle = "out_" + strings.ToLower(rand.Text())
	path := filepath.Join(r.dir, handle)
	if err := writeFile(path, data); err != nil {
		return "", fmt.Errorf("the whole result cannot be kept: %w", err)
	}
	r.size += int64(len(data))
	r.own[handle] = path
	return handle, nil
}

// Open opens what a handle of this session names.
func (r *Results) Open(handle string) (*os.File, bool) {
	r.mu.Lock()
	path, ok := r.own[handle]
	r.mu.Unlock()
	if !ok {
		return nil, false
	}
	f, err := os.Open(path)
	return f, err == nil
}

// Close removes what the session kept.
func (r *Results) Close() { _ = os.RemoveAll(r.dir) }
