package forge

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/forge/law"
	"github.com/tool-mapping-protocol/tmp/internal/forge/repo"
	"github.com/tool-mapping-protocol/tmp/internal/forge/run"
)

// Added is the answer of add, fix and approve.
type Added struct {
	V       int    `json:"v"`
	Tool    string `json:"tool"` // CATEGORY/NAME
	ID      string `json:"id"`
	Path    string `json:"path"`
	State   string `json:"state"`
	Branch  string `json:"branch,omitempty"`
	Commit  string `json:"commit,omitempty"`
	Subject string `json:"subject,omitempty"`
	File    string `json:"file,omitempty"` // of fix: what is to be edited
	// LastFailure is what the tool failed of last.
	LastFailure any `json:"last_failure,omitempty"`
}

// commitMain writes a commit on main with the index that follows from it, and moves
// main there. The lock is held.
func (f *Forge) commitMain(changes []repo.Change, message string, parents []repo.Hash, j journal) (repo.Hash, error) {
	r, err := f.open()
	if err != nil {
		return repo.Zero, err
	}
	main := r.Branch(repo.Main)
	meta, err := f.metaAfter(r, main, changes)
	if err != nil {
		return repo.Zero, err
	}
	if !main.IsZero() {
		parents = append([]repo.Hash{main}, parents...)
	}
	h, err := r.NewCommit(main, parents, append(changes, repo.Change{Path: "meta.json", Data: meta}), message, f.Config.Upstream.Auth.Username, f.Now())
	if err != nil {
		return repo.Zero, Fail(Failed, "%s", err)
	}
	j.Branch, j.To, j.From = repo.Main, h.String(), main.String()
	return h, f.move(j)
}

// metaAfter is meta.json as it is after changes of main.
func (f *Forge) metaAfter(r *repo.Repo, main repo.Hash, changes []repo.Change) ([]byte, error) {
	ix := &Index{}
	if !main.IsZero() {
		now, err := f.Tools()
		if err != nil {
			return nil, err
		}
		for _, t := range now.Tools {
			if t.State != Pending {
				ix.Tools = append(ix.Tools, t)
			}
		}
	}
	notes := map[string][]byte{}
	for _, c := range changes {
		if m := notePath.FindStringSubmatch(c.Path); m != nil {
			notes[m[1]+"/"+m[2]] = c.Data
		}
	}
	for _, c := range changes {
		m := toolPath.FindStringSubmatch(c.Path)
		if m == nil {
			continue
		}
		ix.Tools = slices.DeleteFunc(slices.Clone(ix.Tools), func(t *Tool) bool { return t.Path == c.Path })
		if c.Data != nil {
			ix.Tools = append(ix.Tools, f.describeBytes(c.Data, notes[m[1]+"/"+m[2]], c.Path, m[1], m[2]))
		}
	}
	for key, signed := range notes {
		for i, t := range ix.Tools {
			if t.Category+"/"+t.Name != key {
				continue
			}
			n := *t
			n.State = Draft
			if signed != nil && f.Signed(signed, key, t.SHA256) == nil {
				n.State = Approved
			}
			ix.Tools = slices.Clone(ix.Tools)
			ix.Tools[i] = &n
		}
	}
	return ix.meta(), nil
}

// message is what a commit may say: one line.
func message(m string) error {
	switch {
	case strings.TrimSpace(m) == "":
		return Fail(Usage, "-m needs a text: what the tool does, the index for later")
	case strings.ContainsAny(m, "\n\r\x00"):
		return Fail(Usage, "-m is one line")
	case len(m) > 200:
		return Fail(Usage, "-m is at most 200 bytes long")
	}
	return nil
}

// subject is the first line of a commit of a tool.
func subject(kind, category, text string) string {
	if head, rest, ok := strings.Cut(text, ": "); ok && (head == "feat" || head == "fix" || strings.HasPrefix(head, "feat(") || strings.HasPrefix(head, "fix(")) {
		text = rest
	}
	return kind + "(" + category + "): " + text
}

// Add checks a draft and commits it: on main in god mode, else on a branch that waits.
func (f *Forge) Add(file, as, text string) (*Added, error) {
	category, name, err := run.Split(as)
	if err != nil {
		return nil, err
	}
	if err := message(text); err != nil {
		return nil, err
	}
	file = f.Abs(file)
	source, err := run.ReadSource(file)
	if err != nil {
		return nil, err
	}
	ext := filepath.Ext(file)
	if ext != ".ts" && ext != ".tsx" {
		return nil, Fail(Usage, "%s is neither .ts nor .tsx", filepath.Base(file))
	}
	unlock, err := f.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	p := "tools/" + category + "/" + name + ext
	ix, err := f.Tools()
	if err != nil {
		return nil, err
	}
	for _, t := range ix.Tools {
		if t.Name == name {
			e := Fail(Exists, "there is a tool %s/%s", t.Category, t.Name)
			return nil, e.Hint("tgp fix %s changes it", t.Name)
		}
	}
	if _, err := os.Lstat(filepath.Join(f.Root, p)); err == nil && filepath.Join(f.Root, p) != file {
		return nil, Fail(Exists, "%s exists and was never added", p).Hint("tgp doctor names what main does not know")
	}
	if c, err := f.Compile(source, filepath.Join(f.Root, p), file); err != nil {
		if c != nil {
			return nil, lintError(c, err)
		}
		return nil, err
	}
	a := &Added{V: 1, Tool: category + "/" + name, ID: "tgp." + category + "." + name, Path: p, Subject: subject("feat", category, text)}
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	remove := []string{file}
	if file == filepath.Join(f.Root, p) && !f.Strict() {
		remove = nil
	}
	if !f.Strict() {
		h, err := f.commitMain([]repo.Change{{Path: p, Data: source}}, a.Subject, nil, journal{Remove: remove})
		if err != nil {
			return nil, err
		}
		a.State, a.Commit = Draft, h.String()
		return a, nil
	}
	a.Branch = "feat/" + name
	main := r.Branch(repo.Main)
	h, err := r.NewCommit(main, parentsOf(main), []repo.Change{{Path: p, Data: source}}, a.Subject, f.Config.Upstream.Auth.Username, f.Now())
	if err != nil {
		return nil, Fail(Failed, "%s", err)
	}
	a.State, a.Commit = Pending, h.String()
	return a, f.move(journal{Branch: a.Branch, To: h.String(), From: r.Branch(a.Branch).String(), Remove: remove})
}

func parentsOf(h repo.Hash) []repo.Hash {
	if h.IsZero() {
		return nil
	}
	return []repo.Hash{h}
}

func lintError(c *Compiled, err error) error {
	var e *Error
	if errors.As(err, &e) && e.Code == LintFailed {
		return &LintError{Fault: e, Compiled: c}
	}
	return err
}

// source is the bytes of a tool, as its branch or main has them, with its note.
func (f *Forge) source(t *Tool, branch string) (data, signed []byte, err error) {
	r, err := f.open()
	if err != nil {
		return nil, nil, err
	}
	if branch == "" {
		branch = repo.Main
	}
	h := r.Branch(branch)
	if h.IsZero() {
		return nil, nil, Fail(NotFound, "there is no branch %s", branch)
	}
	files, err := r.Files(h, "")
	if err != nil {
		return nil, nil, Fail(Failed, "%s", err)
	}
	file, ok := files[t.Path]
	if !ok {
		return nil, nil, Fail(NotFound, "%s has no %s", branch, t.Path)
	}
	if data, err = r.Blob(file.Hash, 8*law.MaxSource); err != nil {
		return nil, nil, Fail(Failed, "%s", err)
	}
	if n, ok := files[run.NotePath(t.Category, t.Name)]; ok {
		signed, _ = r.Blob(n.Hash, run.MaxNote)
	}
	return data, signed, nil
}
