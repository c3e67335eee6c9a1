package forge

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/tool-mapping-protocol/tmp/internal/forge/repo"
	"github.com/tool-mapping-protocol/tmp/internal/forge/run"
)

// journal is what is under way: after a crash the next tgp finishes it.
type journal struct {
	Branch string   `json:"branch"`
	To     string   `json:"to"`
	From   string   `json:"from"`
	Drop   []string `json:"drop,omitempty"`   // branches that go
	Remove []string `json:"remove,omitempty"` // files outside that have moved in
}

// recover finishes what a killed process began. It is called when a forge is opened and
// something is under way.
func (f *Forge) recover() error {
	file := f.Journal()
	if _, err := os.Lstat(file); err != nil {
		return nil //nolint:nilerr // nothing is under way
	}
	unlock, err := f.lock()
	if err != nil {
		return nil //nolint:nilerr // another one holds it, and works
	}
	defer unlock()
	data, err := os.ReadFile(file)
	var j journal
	if err != nil || json.Unmarshal(data, &j) != nil {
		_ = os.Remove(file)
		return nil
	}
	f.Say("finishing what was interrupted")
	return f.finish(file, &j)
}

// move moves a branch to a commit whose objects are written, with all that follows
// from it. The lock is held.
func (f *Forge) move(j journal) error {
	_, err := f.State()
	if err != nil {
		return err
	}
	file := f.Journal()
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	if err := run.WriteFile(file, data, 0o600); err != nil {
		return Fail(Failed, "%s", err)
	}
	return f.finish(file, &j)
}

func (f *Forge) finish(file string, j *journal) error {
	r, err := f.open()
	if err != nil {
		return err
	}
	to, from := plumbing.NewHash(j.To), plumbing.NewHash(j.From)
	if now := r.Branch(j.Branch); now != to && j.To != "" {
		if now != from {
			_ = os.Remove(file)
			return Fail(Conflict, "%s has moved meanwhile", j.Branch)
		}
		if err := r.SetBranch(j.Branch, to, from); err != nil {
			_ = os.Remove(file)
			return Fail(Failed, "%s", err)
		}
	}
	if j.Branch == repo.Main {
		if err := f.checkout(r, from, to); err != nil {
			return Fail(Failed, "%s", err)
		}
	}
	for _, b := range j.Drop {
		_ = r.DeleteBranch(b)
	}
	for _, p := range j.Remove {
		_ = os.Remove(p)
	}
	if err := os.Remove(file); err != nil {
		return Fail(Failed, "%s", err)
	}
	f.index = nil
	_, err = f.Tools()
	return err
}

// checkout brings the working tree from one commit of main to another.
func (f *Forge) checkout(r *repo.Repo, from, to repo.Hash) error {
	changed, err := r.Changed(from, to, "")
	if err != nil {
		return err
	}
	files, err := r.Files(to, "")
	if err != nil {
		return err
	}
	for _, p := range changed {
		there := filepath.Join(f.Root, filepath.FromSlash(p))
		file, ok := files[p]
		if !ok {
			_ = os.Remove(there)
			_ = os.Remove(filepath.Dir(there)) // if nothing is left in it
			continue
		}
		if !file.Regular() {
			continue
		}
		data, err := r.Blob(file.Hash, 8<<20)
		if err != nil {
			return err
		}
		mode := os.FileMode(0o644)
		if strings.HasPrefix(p, "core/") {
			mode = 0o444
		}
		if old, err := os.ReadFile(there); err == nil && string(old) == string(data) {
			continue
		}
		if err := run.WriteFile(there, data, mode); err != nil {
			return err
		}
	}
	return r.WriteIndex(to)
}
