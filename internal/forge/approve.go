package forge

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/tool-mapping-protocol/tmp/internal/audit"
	"github.com/tool-mapping-protocol/tmp/internal/forge/law"
	"github.com/tool-mapping-protocol/tmp/internal/forge/repo"
	"github.com/tool-mapping-protocol/tmp/internal/forge/run"
)

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
	signed, have, err := f.sign(rv, signer)
	if err != nil {
		return nil, err
	}
	category, name, _ := strings.Cut(rv.Tool, "/")
	note := repo.Change{Path: run.NotePath(category, name), Data: signed}
	a := &Added{V: 1, Tool: rv.Tool, ID: "tgp." + category + "." + name, Path: rv.Path, State: Approved, Subject: "approve(" + category + "): " + name}
	switch {
	case rv.Branch != "" && r.Branch(rv.Branch).IsZero():
		return nil, Fail(Conflict, "the branch %s is gone", rv.Branch)
	case rv.Branch != "" && have < f.Config.Gatekeeper.Threshold:
		return a, f.signBranch(r, rv, a, note, signer.Name())
	case have < f.Config.Gatekeeper.Threshold:
		a.State = Draft
	}
	changes, parents, j, err := f.merge(r, rv, category, name)
	if err != nil {
		return nil, err
	}
	f.granted("tgp approve "+rv.Tool+" by "+signer.Name(), a.ID)
	h, err := f.commitMain(append([]repo.Change{note}, changes...), a.Subject, parents, j)
	if err != nil {
		return nil, err
	}
	a.Commit = h.String()
	return a, nil
}

// sign adds a signature to the note of what was reviewed, and counts those that hold.
func (f *Forge) sign(rv *Review, signer note.Signer) (signed []byte, have int, err error) {
	n := &note.Note{Text: rv.grant.Text()}
	if g, _, err := f.ReadGrant(rv.note); err == nil { // another one has signed the same before
		same := *rv.grant
		same.Date = g.Date // what else differs is another approval, which begins anew
		if same.Text() == g.Text() {
			if old, err := note.Open(rv.note, run.VerifierList(f.known())); err == nil {
				n.Text, n.Sigs = old.Text, old.Sigs
			}
		}
	}
	n.Sigs = slices.DeleteFunc(n.Sigs, func(s note.Signature) bool { return s.Name == signer.Name() && s.Hash == signer.KeyHash() })
	if signed, err = note.Sign(n, signer); err != nil {
		return nil, 0, Fail(Failed, "%s", err)
	}
	stranger := Fail(NotApproved, "this key is not among gatekeeper.keys, nor trusted on this machine").Hint("tgp key trust VERIFIER")
	if err := f.Signed(signed, rv.Tool, rv.grant.Source); err != nil && strings.Contains(err.Error(), "no key is known") {
		return nil, 0, stranger
	}
	var unverified *note.UnverifiedNoteError
	_, have, err = f.ReadGrant(signed)
	switch {
	case errors.As(err, &unverified):
		return nil, 0, stranger
	case err != nil:
		return nil, 0, Fail(Failed, "%s", err)
	}
	return signed, have, nil
}

// signBranch keeps a signature on the branch that waits for more of them.
func (f *Forge) signBranch(r *repo.Repo, rv *Review, a *Added, note repo.Change, signer string) error {
	at := r.Branch(rv.Branch)
	h, err := r.NewCommit(at, parentsOf(at), []repo.Change{note}, a.Subject, signer, f.Now())
	if err != nil {
		return Fail(Failed, "%s", err)
	}
	a.State, a.Branch, a.Commit = Pending, rv.Branch, h.String()
	return f.move(journal{Branch: rv.Branch, To: h.String(), From: at.String()})
}

// merge is what a branch brings to main, and what goes with it; nothing for a tool that is
// there already.
func (f *Forge) merge(r *repo.Repo, rv *Review, category, name string) (changes []repo.Change, parents []repo.Hash, j journal, err error) {
	if rv.Branch == "" {
		return nil, nil, j, nil
	}
	now, _, err := f.source(&Tool{Path: rv.Path, Category: category, Name: name}, rv.Branch)
	if err != nil {
		return nil, nil, j, err
	}
	if sum := sha256.Sum256(now); hex.EncodeToString(sum[:]) != rv.grant.Source {
		return nil, nil, j, Fail(Conflict, "%s has changed since it was shown", rv.Tool)
	}
	j.Drop = []string{rv.Branch}
	// The copy that tgp fix gave out.
	j.Remove = []string{f.fixFile(name, filepath.Ext(rv.Path))}
	return []repo.Change{{Path: rv.Path, Data: now}}, []repo.Hash{r.Branch(rv.Branch)}, j, nil
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
