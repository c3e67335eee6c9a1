package forge

import (
	"os"
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/internal/forge/repo"
	"github.com/tool-mapping-protocol/tmp/internal/forge/run"
)

// fixFile is where the editable copy of a tool lies.
func (f *Forge) fixFile(name, ext string) string { return filepath.Join(f.Root, "fix", name+ext) }

// Fix makes the branch of a repair and gives out an editable copy of the tool.
func (f *Forge) Fix(word string) (*Added, error) {
	t, err := f.Find(word)
	if err != nil {
		return nil, err
	}
	unlock, err := f.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	branch := t.Branch
	if branch == "" {
		branch = "fix/" + t.Name
	}
	data, _, err := f.source(t, t.Branch)
	if err != nil {
		return nil, err
	}
	if r.Branch(branch).IsZero() {
		main := r.Branch(repo.Main)
		if err := f.move(journal{Branch: branch, To: main.String(), From: repo.Zero.String()}); err != nil {
			return nil, err
		}
	}
	a := f.fixed(t, branch)
	if _, err := os.Lstat(a.File); err != nil {
		if err := run.WriteFile(a.File, data, 0o644); err != nil {
			return nil, Fail(Failed, "%s", err)
		}
	}
	a.LastFailure = f.lastFailure(a.Tool)
	return a, nil
}

func (f *Forge) fixed(t *Tool, branch string) *Added {
	return &Added{V: 1, Tool: t.Category + "/" + t.Name, ID: t.ID, Path: t.Path, State: t.State, Branch: branch, File: f.fixFile(t.Name, filepath.Ext(t.Path))}
}

// CommitFix checks the copy and commits it: main moves in god mode, else the branch
// waits and main runs on.
func (f *Forge) CommitFix(word, text string) (*Added, error) {
	if err := message(text); err != nil {
		return nil, err
	}
	t, err := f.Find(word)
	if err != nil {
		return nil, err
	}
	unlock, err := f.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	branch := t.Branch
	if branch == "" {
		branch = "fix/" + t.Name
	}
	a := f.fixed(t, branch)
	source, err := run.ReadSource(a.File)
	if err != nil || r.Branch(branch).IsZero() {
		return nil, Fail(NotFound, "%s is not being fixed", a.Tool).Hint("tgp fix %s begins", t.Name)
	}
	if c, err := f.Compile(source, filepath.Join(f.Root, t.Path), a.File); err != nil {
		if c != nil {
			return nil, lintError(c, err)
		}
		return nil, err
	}
	a.Subject = subject("fix", t.Category, text)
	if !f.Strict() {
		drop := []string{}
		if !r.Branch(branch).IsZero() {
			drop = append(drop, branch)
		}
		h, err := f.commitMain([]repo.Change{{Path: t.Path, Data: source}}, a.Subject, nil, journal{Drop: drop, Remove: []string{a.File}})
		if err != nil {
			return nil, err
		}
		a.State, a.Commit, a.Branch = Draft, h.String(), ""
		return a, nil
	}
	at := r.Branch(branch)
	h, err := r.NewCommit(at, parentsOf(at), []repo.Change{{Path: t.Path, Data: source}}, a.Subject, f.Config.Upstream.Auth.Username, f.Now())
	if err != nil {
		return nil, Fail(Failed, "%s", err)
	}
	a.State, a.Commit = Pending, h.String()
	return a, f.move(journal{Branch: branch, To: h.String(), From: at.String(), Remove: []string{a.File}})
}

// AbortFix drops the branch and the copy.
func (f *Forge) AbortFix(word string) (*Added, error) {
	t, err := f.Find(word)
	if err != nil {
		return nil, err
	}
	unlock, err := f.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	branch := "fix/" + t.Name
	a := f.fixed(t, branch)
	at := r.Branch(branch)
	if at.IsZero() {
		return nil, Fail(NotFound, "%s is not being fixed", a.Tool)
	}
	return a, f.move(journal{Branch: branch, To: at.String(), From: at.String(), Drop: []string{branch}, Remove: []string{a.File}})
}
