package runlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/tool-mapping-protocol/tmp/internal/account"
)

// Resolved is what was resolved last in a directory: what `tmp run` plans anew.
// It holds no words to run.
type Resolved struct {
	V           int               `json:"v"`
	OperationID string            `json:"operation_id"`
	Parameters  map[string]string `json:"parameters"`
	Intent      string            `json:"intent"`
	Dir         string            `json:"cwd"`
	MapDigest   string            `json:"map_digest"`
	Time        time.Time         `json:"time"`
	// Argv is what was shown of an operation that was read from the project.
	Argv []string `json:"argv,omitempty"`
	// Boot names the boot in which it was kept. The record is not waited for to reach
	// the disk: after a crash an older one may stand in its place, and counts for
	// nothing, since it is of another boot.
	Boot string `json:"boot"`
}

const maxResolved = 1 << 20

// SaveResolved writes the copy that counts, in the state directory, one for
// each directory and agent ("" for a person), so that what an agent resolves is
// never what a person's `tmp run` finds.
func SaveResolved(state, agent string, r Resolved) error {
	d, err := stateDir(state, "resolved", true)
	if err != nil {
		return err
	}
	defer d.Close()
	r.V, r.Boot = 1, account.At(r.Time).BootID
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return d.writeLater(resolvedName(r.Dir, agent), append(data, '\n'))
}

// LoadResolved reads the copy that counts. The error is fs.ErrNotExist if
// nothing was resolved in this directory since the machine was started.
func LoadResolved(state, agent, dir string) (Resolved, error) {
	d, err := stateDir(state, "resolved", false)
	if err != nil {
		return Resolved{}, err
	}
	defer d.Close()
	data, err := d.read(resolvedName(dir, agent), maxResolved)
	if err != nil {
		return Resolved{}, err
	}
	var r Resolved
	if len(data) == 0 { // it was lost with the machine
		return Resolved{}, fmt.Errorf("%s: %w", d.path, fs.ErrNotExist)
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return Resolved{}, fmt.Errorf("%s: %w", d.path, err)
	}
	if r.V != 1 {
		return Resolved{}, fmt.Errorf("%s: version %d is not known", d.path, r.V)
	}
	if r.Boot != account.At(time.Time{}).BootID {
		return Resolved{}, fmt.Errorf("%s: %w", d.path, fs.ErrNotExist)
	}
	if r.Dir != dir { // two directories with one hash
		return Resolved{}, fmt.Errorf("%s: %w", d.path, fs.ErrNotExist)
	}
	return r, nil
}

// ForgetResolved removes the copy that counts: what was asked for after it was
// refused, and must not be answered by running what came before. That there is
// none is no error.
func ForgetResolved(state, agent, dir string) error {
	d, err := stateDir(state, "resolved", false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.remove(resolvedName(dir, agent), false); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", d.path, err)
	}
	return nil
}

func resolvedName(dir, agent string) string {
	return strconv.FormatUint(xxhash.Sum64String(dir+"\x00"+agent), 16) + ".json"
}

// SaveShown writes the copy that people read, <project>/.tmp/last-resolve.json,
// if the project has a .tmp. It is never read back.
func SaveShown(project string, data []byte) error {
	d, err := openDir(project)
	if err != nil {
		return err
	}
	defer d.Close()
	t, err := d.sub(".tmp", false)
	if err != nil {
		return err
	}
	defer t.Close()
	return t.write("last-resolve.json", data)
}

// stateDir opens a directory of the state directory, both for their owner alone.
func stateDir(state, name string, create bool) (*dir, error) {
	if state == "" {
		return nil, errors.New("there is no state directory")
	}
	if create {
		if err := os.MkdirAll(state, 0o700); err != nil {
			return nil, err
		}
	}
	d, err := openDir(state)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.sub(name, create)
}
