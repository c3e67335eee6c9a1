package forge

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"golang.org/x/mod/sumdb/note"

	"github.com/tool-mapping-protocol/tmp/internal/audit"
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

// Review is what an approval of a tool would hold for.
type Review struct {
	V        int           `json:"v"`
	Tool     string        `json:"tool"`
	Path     string        `json:"path"`
	State    string        `json:"state"`
	Branch   string        `json:"branch,omitempty"`
	Source   string        `json:"source"` // sha256:…
	Libs     string        `json:"libs"`
	Effect   string        `json:"effect"`
	Level    string        `json:"level"`
	Net      []string      `json:"net"`
	Env      []string      `json:"env"`
	Findings []law.Finding `json:"findings"`
	Old      string        `json:"-"`
	New      string        `json:"-"`
	Diff     string        `json:"diff"`
	Signed   int           `json:"signatures"`
	Need     int           `json:"threshold"`
	grant    *Grant
	note     []byte
}

// Review reads what waits of a tool, or the tool itself if it is not approved.
func (f *Forge) Review(word string) (*Review, error) {
	t, err := f.Find(word)
	if err != nil {
		return nil, err
	}
	data, signed, err := f.source(t, t.Branch)
	if err != nil {
		return nil, err
	}
	c, err := f.Check(data, filepath.Join(f.Root, t.Path), t.Path)
	if err != nil {
		return nil, err
	}
	rv := &Review{
		V: 1, Tool: t.Category + "/" + t.Name, Path: t.Path, State: t.State, Branch: t.Branch, Source: "sha256:" + c.SHA256, Libs: c.Libs,
		Effect: c.Manifest.Effect(), Level: c.Manifest.Level(), Net: run.OrEmpty(c.Manifest.Net), Env: run.OrEmpty(c.Manifest.Env), Findings: c.Findings,
		New: string(data), Need: f.Config.Gatekeeper.Threshold, note: signed,
	}
	if rv.Findings == nil {
		rv.Findings = []law.Finding{}
	}
	if t.Branch != "" {
		if old, _, err := f.source(t, ""); err == nil {
			rv.Old = string(old)
		}
	}
	rv.Diff = diff(rv.Old, rv.New)
	rv.grant = &Grant{
		Tool: rv.Tool, Source: c.SHA256, Libs: c.Libs, Effect: rv.Effect, Net: c.Manifest.Net, Env: c.Manifest.Env,
		Date: f.Now().UTC().Format("2006-01-02"),
	}
	if g, n, err := f.ReadGrant(signed); err == nil && g.Source == c.SHA256 && g.Libs == c.Libs {
		rv.Signed = n
	}
	return rv, nil
}

// Waiting are the tools that wait for an approval.
func (f *Forge) Waiting() ([]*Tool, error) {
	ix, err := f.Tools()
	if err != nil {
		return nil, err
	}
	var out []*Tool
	for _, t := range ix.Tools {
		if t.Branch != "" || t.State == Draft {
			out = append(out, t)
		}
	}
	return out, nil
}

// Approve signs what was reviewed and merges its branch.
func (f *Forge) Approve(rv *Review, keyFile string, unattended bool) (*Added, error) {
	if f.Agent != "" {
		return nil, Fail(AgentRefused, "an agent approves nothing")
	}
	if len(rv.Findings) > 0 {
		return nil, Fail(LintFailed, "%s", rv.Findings[0].String())
	}
	signer, err := f.readKey(keyFile)
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
	rv.grant.Unattended = unattended
	n := &note.Note{Text: rv.grant.Text()}
	if g, _, err := f.ReadGrant(rv.note); err == nil { // another one has signed the same before
		same := *rv.grant
		same.Date, same.Unattended = g.Date, g.Unattended
		if same.Text() == g.Text() {
			if old, err := note.Open(rv.note, run.VerifierList(f.known())); err == nil {
				n.Text, n.Sigs = old.Text, old.Sigs
			}
		}
	}
	n.Sigs = slices.DeleteFunc(n.Sigs, func(s note.Signature) bool { return s.Name == signer.Name() && s.Hash == signer.KeyHash() })
	signed, err := note.Sign(n, signer)
	if err != nil {
		return nil, Fail(Failed, "%s", err)
	}
	if err := f.Signed(signed, rv.Tool, rv.grant.Source); err != nil && strings.Contains(err.Error(), "no key is known") {
		return nil, Fail(NotApproved, "this key is not among gatekeeper.keys, nor trusted on this machine").Hint("tgp key trust VERIFIER")
	}
	var unverified *note.UnverifiedNoteError
	if _, _, err := f.ReadGrant(signed); errors.As(err, &unverified) {
		return nil, Fail(NotApproved, "this key is not among gatekeeper.keys, nor trusted on this machine").Hint("tgp key trust VERIFIER")
	}
	_, have, err := f.ReadGrant(signed)
	if err != nil {
		return nil, Fail(Failed, "%s", err)
	}
	category, name, _ := strings.Cut(rv.Tool, "/")
	change := repo.Change{Path: run.NotePath(category, name), Data: signed}
	a := &Added{V: 1, Tool: rv.Tool, ID: "tgp." + category + "." + name, Path: rv.Path, State: Approved, Subject: "approve(" + category + "): " + name}
	if rv.Branch != "" && r.Branch(rv.Branch).IsZero() {
		return nil, Fail(Conflict, "the branch %s is gone", rv.Branch)
	}
	if rv.Branch != "" && have < f.Config.Gatekeeper.Threshold {
		at := r.Branch(rv.Branch)
		h, err := r.NewCommit(at, parentsOf(at), []repo.Change{change}, a.Subject, signer.Name(), f.Now())
		if err != nil {
			return nil, Fail(Failed, "%s", err)
		}
		a.State, a.Branch, a.Commit = Pending, rv.Branch, h.String()
		return a, f.move(journal{Branch: rv.Branch, To: h.String(), From: at.String()})
	}
	changes := []repo.Change{change}
	j := journal{}
	var parents []repo.Hash
	if rv.Branch != "" {
		now, _, err := f.source(&Tool{Path: rv.Path, Category: category, Name: name}, rv.Branch)
		if err != nil {
			return nil, err
		}
		if sum := sha256.Sum256(now); hex.EncodeToString(sum[:]) != rv.grant.Source {
			return nil, Fail(Conflict, "%s has changed since it was shown", rv.Tool)
		}
		changes = append(changes, repo.Change{Path: rv.Path, Data: now})
		parents = []repo.Hash{r.Branch(rv.Branch)}
		j.Drop = []string{rv.Branch}
		// The copy that tgp fix gave out.
		j.Remove = []string{f.fixFile(name, filepath.Ext(rv.Path))}
	}
	if have < f.Config.Gatekeeper.Threshold {
		a.State = Draft
	}
	f.granted("tgp approve "+rv.Tool+" by "+signer.Name(), a.ID)
	h, err := f.commitMain(changes, a.Subject, parents, j)
	if err != nil {
		return nil, err
	}
	a.Commit = h.String()
	return a, nil
}

// granted notes in the audit log what was granted or taken back.
func (f *Forge) granted(line, id string) {
	if f.Paths.State != "" {
		_ = audit.Append(f.Paths.State, audit.Record{Time: f.Now(), Via: "tgp", Answer: audit.Approved, Level: "HIGH_RISK", Dir: f.Dir, Line: line, Agent: f.Agent, Operation: id})
	}
}

// known are the keys as verifiers.
func (f *Forge) known() []note.Verifier {
	var out []note.Verifier
	for _, k := range f.Verifiers() {
		if v, err := note.NewVerifier(k); err == nil {
			out = append(out, v)
		}
	}
	return out
}

// Revoke takes an approval back.
func (f *Forge) Revoke(word string) (*Added, error) {
	if f.Agent != "" {
		return nil, Fail(AgentRefused, "an agent revokes nothing")
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
	_, signed, err := f.source(t, "")
	if err != nil {
		return nil, err
	}
	if signed == nil {
		return nil, Fail(NotFound, "%s/%s has no approval", t.Category, t.Name)
	}
	a := &Added{V: 1, Tool: t.Category + "/" + t.Name, ID: t.ID, Path: t.Path, State: Draft, Subject: "revoke(" + t.Category + "): " + t.Name}
	h, err := f.commitMain([]repo.Change{{Path: run.NotePath(t.Category, t.Name)}}, a.Subject, nil, journal{})
	if err != nil {
		return nil, err
	}
	a.Commit = h.String()
	return a, nil
}
