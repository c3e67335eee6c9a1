package keys

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// State says what this person thinks of a key.
type State string

// The states of a key. Verified is trust for running what it signed.
const (
	Unknown  State = "unknown"
	Known    State = "known" // met before
	Trusted  State = "trusted"
	Verified State = "verified" // trusted --for verified
	Revoked  State = "revoked"
	Unsigned State = "unsigned"
	Shipped  State = "shipped" // part of the programs
)

// Word is the state as it is told: a key that is trusted for verified is trusted.
func (s State) Word() State {
	if s == Verified {
		return Trusted
	}
	return s
}

// For is what a key is trusted for, "" for nothing.
func (s State) For() string {
	if s == Verified {
		return "verified"
	}
	return ""
}

// Trust is what is noted of one key.
type Trust struct {
	Key    string    `json:"key"`
	State  State     `json:"state"`
	Date   time.Time `json:"date"`
	Reason string    `json:"reason,omitempty"`
	// Rotation is the note that names it as the one that follows another, if it is
	// trusted for that.
	Rotation string `json:"rotation,omitempty"`
}

type trustFile struct {
	V    int     `json:"v"`
	Keys []Trust `json:"keys"`
}

func (r Ring) trustFile() string { return filepath.Join(r.Dir, "trust.json") }

// Trusts returns what is noted of the keys of others. A file that cannot be read is
// an error: it may hold what was revoked.
func (r Ring) Trusts() ([]Trust, error) {
	data, err := os.ReadFile(r.trustFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var f trustFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, &fs.PathError{Op: "read", Path: r.trustFile(), Err: err}
	}
	return f.Keys, nil
}

// Note changes what is noted of keys, under the file's lock.
func (r Ring) Note(change func(all []Trust) ([]Trust, error)) error {
	if err := os.MkdirAll(r.Dir, 0o700); err != nil {
		return err
	}
	lock, err := tcpdb.Lock(r.trustFile())
	if err != nil {
		return err
	}
	defer lock.Unlock()
	all, err := r.Trusts()
	if err != nil {
		return err
	}
	if all, err = change(all); err != nil {
		return err
	}
	data, err := json.MarshalIndent(trustFile{1, all}, "", "  ")
	if err != nil {
		return err
	}
	return lock.Write(append(data, '\n'), 0o600)
}

// Set notes the state of one key.
func (r Ring) Set(t Trust) error {
	t.Date = t.Date.UTC().Truncate(time.Second)
	return r.Note(func(all []Trust) ([]Trust, error) {
		all = slices.DeleteFunc(all, func(old Trust) bool { return old.Key == t.Key })
		return append(all, t), nil
	})
}

// Book is what is noted of keys, for asking it.
type Book []Trust

// Of is the state of a key. A key that another one's note names as its successor
// stands as that one does, unless something was noted of it.
func (b Book) Of(key string, rotations []string) State { return b.of(key, rotations, 0) }

func (b Book) of(key string, rotations []string, deep int) State {
	best := Unknown
	for _, t := range b {
		if t.Key == key {
			if t.State != Known {
				return t.State
			}
			best = Known
		}
	}
	if deep > len(rotations) {
		return best
	}
	for _, signed := range rotations {
		old := follows(signed, key)
		if old == "" {
			continue
		}
		switch s := b.of(old, rotations, deep+1); s {
		case Trusted, Verified:
			return s
		}
	}
	return best
}

// follows returns the key whose note names another one as its successor, "" if the
// note does not, or is not signed by it.
func follows(signed, key string) string {
	text := signed
	if i := lastBlank(signed); i >= 0 {
		text = signed[:i+1]
	}
	r, err := statement.ParseRotation(text)
	if err != nil || r.New != key || statement.KeyName(r.Old) != r.Name || statement.KeyName(r.New) != r.Name {
		return ""
	}
	if opened, err := statement.Open([]byte(signed), r.Old); err != nil || opened != text {
		return ""
	}
	return r.Old
}

// lastBlank is where the text of a note ends: before the blank line over its
// signatures.
func lastBlank(signed string) int {
	for i := len(signed) - 2; i >= 0; i-- {
		if signed[i] == '\n' && signed[i+1] == '\n' {
			return i
		}
	}
	return -1
}

// OfName are the keys of a publisher that something is noted of.
func (b Book) OfName(name string) []Trust {
	var out []Trust
	for _, t := range b {
		if statement.KeyName(t.Key) == name {
			out = append(out, t)
		}
	}
	return out
}
