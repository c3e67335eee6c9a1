// Package store keeps what the agent door remembers in the state directory: what
// each server listed, which definitions a person trusts, and the results that were
// too long to show. Everything is for its owner alone and written whole or not.
package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/agent/inventory"
	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/toolid"
)

// Store is the door's part of a state directory.
type Store struct{ dir string }

// In is the store of a state directory; nothing is made before it is needed.
func In(state string) Store { return Store{filepath.Join(state, "agent")} }

// maxFile bounds what is read back, in bytes: 512 tools of 32 KiB each.
const maxFile = 64 << 20

// LogFile is where the standard error of a server goes.
func (s Store) LogFile(server string) string { return filepath.Join(s.dir, "log", server+".log") }

func (s Store) listing(server string) string { return filepath.Join(s.dir, "tools", server+".json") }

// Listings are the servers' tools as they were last listed. A file that cannot be
// read counts as none and is told of.
func (s Store) Listings(servers []string) (out []inventory.Listing, problems []error) {
	for _, name := range servers {
		if !toolid.ServerName(name) {
			continue
		}
		var l inventory.Listing
		switch err := readJSON(s.listing(name), &l); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			problems = append(problems, fmt.Errorf("%s: %w: tmp-agent refresh %s", s.listing(name), err, name))
		case l.Server == name:
			out = append(out, l)
		}
	}
	return out, problems
}

// Stamp tells whether what is remembered of servers, and what is trusted, is what
// it was: by device, inode, size and times of each file.
func (s Store) Stamp(servers []string) string {
	var b strings.Builder
	for _, file := range append([]string{s.trustFile()}, s.files(servers)...) {
		if st, ok := disk.Stat(file); ok {
			mtime, ctime := disk.Times(&st)
			fmt.Fprint(&b, st.Dev, st.Ino, st.Size, mtime, ctime)
		}
		b.WriteByte(';')
	}
	return b.String()
}

func (s Store) files(servers []string) []string {
	var out []string
	for _, name := range servers {
		if toolid.ServerName(name) {
			out = append(out, s.listing(name))
		}
	}
	return out
}

// PutListing records what a server listed.
func (s Store) PutListing(l inventory.Listing) error {
	if !toolid.ServerName(l.Server) {
		return fmt.Errorf("%q is no name of a server", l.Server)
	}
	return writeJSON(s.listing(l.Server), l)
}

type trust struct {
	V    int                `json:"v"`
	Pins []inventory.Pinned `json:"pins"`
}

func (s Store) trustFile() string { return filepath.Join(s.dir, "trust.json") }

// Pins are the trusted definitions.
func (s Store) Pins() ([]inventory.Pinned, error) {
	var t trust
	if err := readJSON(s.trustFile(), &t); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", s.trustFile(), err)
	}
	return t.Pins, nil
}

// Pin trusts definitions in the place of those of the same IDs.
func (s Store) Pin(pins ...inventory.Pinned) error {
	return s.change(func(old []inventory.Pinned) []inventory.Pinned {
		for _, p := range pins {
			old = slices.DeleteFunc(old, func(o inventory.Pinned) bool { return o.ID == p.ID })
			old = append(old, p)
		}
		return old
	})
}

// Unpin takes the trust from IDs; it returns those that had it.
func (s Store) Unpin(match func(id string) bool) (gone []string, err error) {
	err = s.change(func(old []inventory.Pinned) []inventory.Pinned {
		return slices.DeleteFunc(old, func(o inventory.Pinned) bool {
			if match(o.ID) {
				gone = append(gone, o.ID)
				return true
			}
			return false
		})
	})
	return gone, err
}

func (s Store) change(f func([]inventory.Pinned) []inventory.Pinned) error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	pins, err := s.Pins()
	if err != nil {
		return err
	}
	pins = f(pins)
	slices.SortFunc(pins, func(a, b inventory.Pinned) int { return strings.Compare(a.ID, b.ID) })
	return writeJSON(s.trustFile(), trust{V: 1, Pins: pins})
}

func readJSON(path string, v any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return errors.New("is no file of ours")
	}
	return json.NewDecoder(f).Decode(v)
}
