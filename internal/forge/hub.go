package forge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/forge/law"
	"github.com/tool-mapping-protocol/tmp/internal/forge/repo"
	"github.com/tool-mapping-protocol/tmp/internal/forge/run"
)

// Skipped is what was not taken of the hub.
type Skipped struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Synced is what a sync did.
type Synced struct {
	V         int       `json:"v"`
	Pulled    []string  `json:"pulled"`
	Pushed    []string  `json:"pushed"`
	Skipped   []Skipped `json:"skipped"`
	Conflicts []string  `json:"conflicts"`
	Idle      bool      `json:"idle,omitempty"` // --due, and it was not
}

// hubTime bounds one conversation with the hub.
const hubTime = 2 * time.Minute

// Due reports whether the interval of the configuration has passed since the last sync.
func (f *Forge) Due() bool {
	dir, err := f.State()
	if err != nil {
		return true
	}
	st, err := os.Stat(filepath.Join(dir, "synced"))
	return err != nil || f.Now().Sub(st.ModTime()) >= time.Duration(f.Config.Upstream.PullIntervalSeconds)*time.Second
}

// dial opens the hub.
func (f *Forge) dial() (repo.Remote, error) {
	u := &f.Config.Upstream
	if u.Remote == "" {
		return nil, Fail(NotFound, "there is no hub: upstream.remote")
	}
	remote := u.Remote
	if strings.HasPrefix(remote, ".") {
		remote = filepath.Join(f.Config.App.Root, remote)
	}
	r, err := repo.Dial(remote, u.Auth.Username, u.Auth.Token)
	return r, f.hubError(err)
}

// hubError is a fault of the hub without the token.
func (f *Forge) hubError(err error) error {
	if err == nil {
		return nil
	}
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	text := err.Error()
	if t := f.Config.Upstream.Auth.Token; t != "" {
		text = strings.ReplaceAll(text, t, "***")
	}
	if errors.Is(err, repo.ErrRemoteMoved) {
		return Fail(Network, "%s", text).Hint("somebody else was first; sync again")
	}
	return Fail(Network, "%s", text)
}

// Sync takes what the hub has, and gives what the strategy gives.
func (f *Forge) Sync(ctx context.Context) (*Synced, error) {
	ctx, cancel := context.WithTimeout(ctx, hubTime)
	defer cancel()
	out := &Synced{V: 1, Pulled: []string{}, Pushed: []string{}, Skipped: []Skipped{}, Conflicts: []string{}}
	hub, err := f.dial()
	if err != nil {
		return nil, err
	}
	unlock, err := f.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	branches, err := hub.Branches(ctx)
	if err != nil {
		return nil, f.hubError(err)
	}
	if err := f.pull(ctx, hub, branches, out); err != nil {
		return nil, err
	}
	if err := f.push(ctx, hub, branches, out); err != nil {
		return out, err
	}
	if dir, err := f.State(); err == nil {
		_ = run.WriteFile(filepath.Join(dir, "synced"), nil, 0o600)
	}
	return out, nil
}

// pull merges the main of the hub: three-way, by file.
func (f *Forge) pull(ctx context.Context, hub repo.Remote, branches map[string]repo.Hash, out *Synced) error {
	r, err := f.open()
	if err != nil {
		return err
	}
	theirs, base := branches[repo.Main], r.Tracked(repo.Main)
	if theirs.IsZero() {
		if !base.IsZero() {
			return Fail(UpstreamRewound, "the main of the hub is gone")
		}
		return nil
	}
	if err := hub.Fetch(ctx, r, theirs, []repo.Hash{base, r.Branch(repo.Main)}); err != nil {
		return f.hubError(err)
	}
	fine, err := r.IsAncestor(base, theirs)
	if err != nil {
		return f.hubError(err)
	}
	if !fine {
		return Fail(UpstreamRewound, "the history of the hub was rewritten: %s is no more behind its main", base.String()[:12]).
			Hint("a person looks into it; nothing was taken")
	}
	main := r.Branch(repo.Main)
	merged, err := r.IsAncestor(theirs, main)
	if err != nil {
		return Fail(Failed, "%s", err)
	}
	if merged {
		return r.Track(repo.Main, theirs)
	}
	changes, err := f.takes(r, base, main, theirs, out)
	if err != nil {
		return err
	}
	text := "sync: " + run.Plural(len(out.Pulled), "file") + " of the hub"
	if _, err := f.commitMain(changes, text, []repo.Hash{theirs}, journal{}); err != nil {
		return err
	}
	if err := f.dropMerged(r); err != nil {
		return err
	}
	return r.Track(repo.Main, theirs)
}

// takes are the changes of the hub that are taken.
func (f *Forge) takes(r *repo.Repo, base, ours, theirs repo.Hash, out *Synced) ([]repo.Change, error) {
	var files [3]map[string]repo.File
	for i, h := range []repo.Hash{base, ours, theirs} {
		var err error
		if files[i], err = r.Files(h, ""); err != nil {
			return nil, Fail(Failed, "%s", err)
		}
	}
	var paths []string
	for p, file := range files[2] {
		if files[0][p] != file {
			paths = append(paths, p)
		}
	}
	for p := range files[0] {
		if _, ok := files[2][p]; !ok {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	// Tools before their notes, so that a note of a skipped tool is skipped too.
	slices.SortStableFunc(paths, func(a, b string) int {
		return strings.Compare(b[:min(5, len(b))], a[:min(5, len(a))])
	})
	var changes []repo.Change
	skipped := map[string]bool{}
	for _, p := range paths {
		was, mine, new := files[0][p], files[1][p], files[2][p]
		if mine.Hash == new.Hash && mine.Mode == new.Mode {
			continue
		}
		if p == "meta.json" || p == ".gitignore" || strings.HasPrefix(p, "core/") {
			continue // every root has its own
		}
		skip := func(format string, args ...any) {
			out.Skipped = append(out.Skipped, Skipped{p, fmt.Sprintf(format, args...)})
			skipped[p] = true
		}
		if new.Hash.IsZero() {
			if mine.Hash == was.Hash && !mine.Hash.IsZero() && (toolPath.MatchString(p) || notePath.MatchString(p)) {
				changes = append(changes, repo.Change{Path: p})
				out.Pulled = append(out.Pulled, p)
			} else if !mine.Hash.IsZero() && (toolPath.MatchString(p) || notePath.MatchString(p)) {
				out.Conflicts = append(out.Conflicts, p)
			}
			continue
		}
		data, why := f.fit(r, p, new, files[1], skipped)
		if why != "" {
			skip("%s", why)
			continue
		}
		if mine.Hash != was.Hash && !(mine.Hash.IsZero() && was.Hash.IsZero()) {
			out.Conflicts = append(out.Conflicts, p)
			continue
		}
		changes = append(changes, repo.Change{Path: p, Data: data})
		out.Pulled = append(out.Pulled, p)
	}
	return changes, nil
}

// fit reads a file of the hub, or says why it is not taken.
func (f *Forge) fit(r *repo.Repo, p string, file repo.File, ours map[string]repo.File, skipped map[string]bool) ([]byte, string) {
	tool, n := toolPath.FindStringSubmatch(p), notePath.FindStringSubmatch(p)
	switch {
	case tool == nil && n == nil && (strings.HasPrefix(p, "tools/") || strings.HasPrefix(p, "approvals/")):
		return nil, "not the name of a tool"
	case tool == nil && n == nil:
		return nil, "neither a tool nor an approval"
	case !file.Regular():
		return nil, "no regular file"
	}
	data, err := r.Blob(file.Hash, law.MaxSource)
	if err != nil {
		return nil, "larger than 64 KiB"
	}
	if n != nil {
		if skipped["tools/"+n[1]+"/"+n[2]+".ts"] || skipped["tools/"+n[1]+"/"+n[2]+".tsx"] {
			return nil, "its tool was not taken"
		}
		if len(data) > run.MaxNote || !bytes.HasPrefix(data, []byte("tgp tool v1\n"+n[1]+"/"+n[2]+"\n")) {
			return nil, "not an approval of this tool"
		}
		return data, ""
	}
	for q := range ours {
		if m := toolPath.FindStringSubmatch(q); m != nil && m[2] == tool[2] && q != p {
			return nil, "there is a tool " + m[1] + "/" + m[2]
		}
	}
	res := law.Check(string(data), f.lawOptions(filepath.Join(f.Root, p), p))
	if len(res.Findings) > 0 {
		return nil, res.Findings[0].Rule + ": " + res.Findings[0].Message
	}
	return data, ""
}

// dropMerged drops branches whose tool is on main as it is on them.
func (f *Forge) dropMerged(r *repo.Repo) error {
	branches, err := r.Branches()
	if err != nil {
		return err
	}
	main, err := r.Files(branches[repo.Main], "tools")
	if err != nil {
		return err
	}
	dropped := false
	for b, h := range branches {
		if !strings.HasPrefix(b, "feat/") && !strings.HasPrefix(b, "fix/") {
			continue
		}
		files, err := r.Files(h, "tools")
		if err != nil {
			continue
		}
		for p, file := range files {
			if m := toolPath.FindStringSubmatch(p); m != nil && m[2] == branchName(b) && main[p].Hash == file.Hash && strings.HasPrefix(b, "feat/") {
				_ = r.DeleteBranch(b)
				dropped = true
			}
		}
	}
	if dropped {
		f.index = nil
		_, err = f.Tools()
	}
	return err
}

// push gives what the strategy gives: main, or the branches that wait.
func (f *Forge) push(ctx context.Context, hub repo.Remote, branches map[string]repo.Hash, out *Synced) error {
	r, err := f.open()
	if err != nil {
		return err
	}
	if f.Config.Upstream.PushStrategy == "direct" {
		main := r.Branch(repo.Main)
		theirs := branches[repo.Main]
		changed, err := r.Changed(theirs, main, "")
		if err != nil {
			return Fail(Failed, "%s", err)
		}
		var sent []string
		for _, p := range changed {
			if toolPath.MatchString(p) || notePath.MatchString(p) {
				sent = append(sent, p)
			}
		}
		if len(sent) == 0 {
			return nil
		}
		to, err := f.forward(r, main, theirs)
		if err != nil {
			return err
		}
		if to.IsZero() {
			return nil
		}
		if err := hub.Push(ctx, r, repo.Main, to, theirs); err != nil {
			return f.hubError(err)
		}
		out.Pushed = append(out.Pushed, sent...)
		if to != main { // the hub has what is not taken here: our main goes on from its own
			if _, err := f.commitMain(nil, "sync: sent "+run.Plural(len(sent), "file"), []repo.Hash{to}, journal{}); err != nil {
				return err
			}
		}
		return r.Track(repo.Main, to)
	}
	own, err := r.Branches()
	if err != nil {
		return Fail(Failed, "%s", err)
	}
	names := make([]string, 0, len(own))
	for b := range own {
		if strings.HasPrefix(b, "feat/") || strings.HasPrefix(b, "fix/") {
			names = append(names, b)
		}
	}
	slices.Sort(names)
	for _, b := range names {
		c, err := r.Commit(own[b])
		if err != nil {
			return Fail(Failed, "%s", err)
		}
		sent, err := f.pushBranch(ctx, hub, branches, b, own[b], c.Subject())
		if err != nil {
			return err
		}
		if sent {
			out.Pushed = append(out.Pushed, b)
		}
	}
	return nil
}

// forward is the commit that the main of the hub may move to: ours, or, where the hub
// has files that were not taken here, one on its main with what we have beside them.
func (f *Forge) forward(r *repo.Repo, main, theirs repo.Hash) (repo.Hash, error) {
	ours, err := r.Files(main, "")
	if err != nil {
		return repo.Zero, Fail(Failed, "%s", err)
	}
	there, err := r.Files(theirs, "")
	if err != nil {
		return repo.Zero, Fail(Failed, "%s", err)
	}
	foreign := false
	for p := range there {
		if _, ok := ours[p]; !ok {
			foreign = true
		}
	}
	if !foreign {
		return main, nil
	}
	var changes []repo.Change
	for p, file := range ours {
		if !toolPath.MatchString(p) && !notePath.MatchString(p) || there[p].Hash == file.Hash || !file.Regular() {
			continue
		}
		data, err := r.Blob(file.Hash, law.MaxSource)
		if err != nil {
			return repo.Zero, Fail(Failed, "%s", err)
		}
		changes = append(changes, repo.Change{Path: p, Data: data})
	}
	if len(changes) == 0 {
		return repo.Zero, nil
	}
	c, err := r.Commit(main)
	if err != nil {
		return repo.Zero, Fail(Failed, "%s", err)
	}
	h, err := r.NewCommit(theirs, parentsOf(theirs), changes, c.Subject(), f.Config.Upstream.Auth.Username, f.Now())
	if err != nil {
		return repo.Zero, Fail(Failed, "%s", err)
	}
	return h, nil
}

// pushBranch sends one tool with its note as a commit on the main of the hub.
func (f *Forge) pushBranch(ctx context.Context, hub repo.Remote, branches map[string]repo.Hash, branch string, at repo.Hash, subject string) (bool, error) {
	r, err := f.open()
	if err != nil {
		return false, err
	}
	files, err := r.Files(at, "")
	if err != nil {
		return false, Fail(Failed, "%s", err)
	}
	theirs := branches[repo.Main]
	old := branches[branch]
	if !old.IsZero() {
		if err := hub.Fetch(ctx, r, old, []repo.Hash{theirs}); err != nil {
			return false, f.hubError(err)
		}
	}
	there, err := r.Files(theirs, "")
	if err != nil {
		return false, Fail(Failed, "%s", err)
	}
	sent, err := r.Files(old, "")
	if err != nil {
		return false, Fail(Failed, "%s", err)
	}
	var changes []repo.Change
	same := true
	for p, file := range files {
		m := toolPath.FindStringSubmatch(p)
		if m == nil {
			m = notePath.FindStringSubmatch(p)
		}
		if m == nil || m[2] != branchName(branch) || !file.Regular() || there[p].Hash == file.Hash {
			continue
		}
		data, err := r.Blob(file.Hash, law.MaxSource)
		if err != nil {
			return false, Fail(Failed, "%s", err)
		}
		changes = append(changes, repo.Change{Path: p, Data: data})
		same = same && sent[p].Hash == file.Hash
	}
	if len(changes) == 0 || same && !old.IsZero() {
		return false, nil
	}
	base, parents := theirs, parentsOf(theirs)
	if !old.IsZero() {
		base, parents = old, parentsOf(old)
	}
	h, err := r.NewCommit(base, parents, changes, subject, f.Config.Upstream.Auth.Username, f.Now())
	if err != nil {
		return false, Fail(Failed, "%s", err)
	}
	if err := hub.Push(ctx, r, branch, h, old); err != nil {
		return false, f.hubError(err)
	}
	return true, f.pullRequest(ctx, branch, subject)
}

// pullRequest opens a pull request through the API of the hub, where there is one.
func (f *Forge) pullRequest(ctx context.Context, branch, title string) error {
	u := &f.Config.Upstream
	if u.API == "" {
		return nil
	}
	owner, name := repoName(u.Remote)
	body, _ := json.Marshal(map[string]string{"title": title, "head": branch, "base": repo.Main, "body": "Sent by tgp."})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimRight(u.API, "/")+"/repos/"+owner+"/"+name+"/pulls", bytes.NewReader(body))
	if err != nil {
		return Fail(ConfigInvalid, "upstream.api is no URL")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/vnd.github+json")
	if u.Auth.Token != "" {
		req.Header.Set("Authorization", "Bearer "+u.Auth.Token)
	}
	client := &http.Client{Timeout: 30 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		var ue *url.Error
		if errors.As(err, &ue) {
			err = ue.Err
		}
		return f.hubError(fmt.Errorf("the pull request: %w", err))
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 && res.StatusCode != http.StatusUnprocessableEntity { // 422: there is one
		return Fail(Network, "the pull request was refused: %s", res.Status)
	}
	return nil
}

func repoName(remote string) (owner, name string) {
	p := strings.TrimSuffix(remote, "/")
	if u, err := url.Parse(p); err == nil && u.Path != "" {
		p = u.Path
	}
	parts := strings.Split(strings.Trim(strings.TrimSuffix(p, ".git"), "/"), "/")
	if len(parts) < 2 {
		return "hub", parts[0]
	}
	return parts[len(parts)-2], parts[len(parts)-1]
}

// Harvested is a tool that has earned its place in the hub.
type Harvested struct {
	ID       string        `json:"id"`
	Path     string        `json:"path"`
	Runs     int           `json:"runs"`
	Pushed   bool          `json:"pushed,omitempty"`
	Findings []law.Finding `json:"findings,omitempty"`
}

// Harvest finds the tools with more than harvest.minRuns successes that the hub does
// not have; push sends those that the janitor lets pass.
func (f *Forge) Harvest(ctx context.Context, push bool) ([]*Harvested, error) {
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	tools, err := f.List("")
	if err != nil {
		return nil, err
	}
	var hub repo.Remote
	var branches map[string]repo.Hash
	if push {
		if hub, err = f.dial(); err != nil {
			return nil, err
		}
		unlock, err := f.lock()
		if err != nil {
			return nil, err
		}
		defer unlock()
		if branches, err = hub.Branches(ctx); err != nil {
			return nil, f.hubError(err)
		}
		if err := hub.Fetch(ctx, r, branches[repo.Main], []repo.Hash{r.Tracked(repo.Main)}); err != nil {
			return nil, f.hubError(err)
		}
	}
	there, err := r.Files(r.Tracked(repo.Main), "tools")
	if err != nil {
		return nil, Fail(Failed, "%s", err)
	}
	main := r.Branch(repo.Main)
	files, err := r.Files(main, "tools")
	if err != nil {
		return nil, Fail(Failed, "%s", err)
	}
	out := []*Harvested{}
	for _, t := range tools {
		if t.Runs <= f.Config.Harvest.MinRuns || t.State == Pending || t.State == Broken || there[t.Path].Hash == files[t.Path].Hash {
			continue
		}
		h := &Harvested{ID: t.ID, Path: t.Path, Runs: t.Runs}
		out = append(out, h)
		data, err := r.Blob(files[t.Path].Hash, law.MaxSource)
		if err != nil {
			return nil, Fail(Failed, "%s", err)
		}
		if !push {
			continue
		}
		if h.Findings = law.Janitor(string(data), law.JanitorOptions{File: t.Path, Prefixes: f.Config.Janitor.CustomPrefixes}); len(h.Findings) > 0 {
			continue
		}
		text := "feat(" + t.Category + "): " + t.Name
		if len(t.Subject) > 0 {
			text = t.Subject[0]
		}
		if h.Pushed, err = f.pushBranch(ctx, hub, branches, "feat/"+t.Name, main, text); err != nil {
			return out, err
		}
	}
	return out, nil
}
