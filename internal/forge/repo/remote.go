package repo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/revlist"
	"github.com/go-git/go-git/v5/plumbing/transport"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"

	"github.com/tool-mapping-protocol/tmp/internal/forge/pattern"
)

// Remote is a repository elsewhere.
type Remote interface {
	// Branches are its branches.
	Branches(ctx context.Context) (map[string]Hash, error)
	// Fetch copies what a commit there reaches.
	Fetch(ctx context.Context, into *Repo, want Hash, have []Hash) error
	// Push sends what a commit reaches and moves a branch from one commit to another.
	Push(ctx context.Context, from *Repo, branch string, to, old Hash) error
}

// ErrRemote is wrapped by what fails on the way.
var ErrRemote = errors.New("the hub cannot be reached")

// ErrRemoteMoved: the branch there is not where it was.
var ErrRemoteMoved = errors.New("the branch of the hub has moved")

// scpLike is how git writes an address of SSH: user@host:path.
var scpLike = pattern.New(`^[A-Za-z0-9._-]+@[A-Za-z0-9.-]+:[^:]`)

// Dial opens a remote: a path, file://, http(s)://, ssh:// or user@host:path.
func Dial(remote, user, token string) (Remote, error) {
	u, err := url.Parse(remote)
	switch {
	case err == nil && u.Scheme == "ssh", scpLike.MatchString(remote):
		return dialSSH(remote)
	case err == nil && (u.Scheme == "http" || u.Scheme == "https"):
		return dialHTTP(remote, user, token)
	case err == nil && u.Scheme == "file":
		return openLocal(u.Path)
	case strings.HasPrefix(remote, "/") || strings.HasPrefix(remote, "."):
		return openLocal(remote)
	}
	return nil, fmt.Errorf("%w: upstream.remote is a path, file://, https:// or ssh://", ErrRemote)
}

// local is a repository on this machine: objects are copied, no program is run.
type local struct{ *Repo }

func openLocal(dir string) (Remote, error) {
	r, err := OpenBare(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRemote, err)
	}
	return &local{r}, nil
}

func (l *local) Branches(context.Context) (map[string]Hash, error) { return l.Repo.Branches() }

func (l *local) Fetch(_ context.Context, into *Repo, want Hash, _ []Hash) error {
	return transfer(l.Repo, into, want)
}

func (l *local) Push(_ context.Context, from *Repo, branch string, to, old Hash) error {
	if l.Branch(branch) != old {
		return fmt.Errorf("%s: %w", branch, ErrRemoteMoved)
	}
	if err := transfer(from, l.Repo, to); err != nil {
		return err
	}
	if err := l.SetBranch(branch, to, old); err != nil {
		return fmt.Errorf("%s: %w", branch, ErrRemoteMoved)
	}
	return nil
}

// web is a repository behind smart HTTP or SSH.
type web struct {
	client   transport.Transport
	endpoint *transport.Endpoint
	auth     transport.AuthMethod
}

func dialHTTP(remote, user, token string) (Remote, error) {
	ep, err := transport.NewEndpoint(remote)
	if err != nil {
		return nil, fmt.Errorf("%w: not a URL", ErrRemote)
	}
	w := &web{client: githttp.DefaultClient, endpoint: ep}
	if token != "" {
		w.auth = &githttp.BasicAuth{Username: user, Password: token}
	}
	return w, nil
}

// quiet drops what a fault says of the address, where a token might be.
func quiet(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return fmt.Errorf("%w: %w", ErrRemote, err)
}

func (w *web) Branches(ctx context.Context) (map[string]Hash, error) {
	s, err := w.client.NewUploadPackSession(w.endpoint, w.auth)
	if err != nil {
		return nil, quiet(err)
	}
	defer s.Close()
	ar, err := s.AdvertisedReferencesContext(ctx)
	if errors.Is(err, transport.ErrEmptyRemoteRepository) {
		return map[string]Hash{}, nil
	}
	if err != nil {
		return nil, quiet(err)
	}
	out := map[string]Hash{}
	for name, h := range ar.References {
		if short, ok := strings.CutPrefix(name, "refs/heads/"); ok {
			out[short] = h
		}
	}
	return out, nil
}

func (w *web) Fetch(ctx context.Context, into *Repo, want Hash, have []Hash) error {
	if want.IsZero() || into.st.HasEncodedObject(want) == nil {
		return nil
	}
	s, err := w.client.NewUploadPackSession(w.endpoint, w.auth)
	if err != nil {
		return quiet(err)
	}
	defer s.Close()
	ar, err := s.AdvertisedReferencesContext(ctx)
	if err != nil {
		return quiet(err)
	}
	req := packp.NewUploadPackRequestFromCapabilities(ar.Capabilities)
	_ = req.Capabilities.Set(capability.OFSDelta)
	for _, c := range []capability.Capability{capability.Sideband64k, capability.Sideband} { // the pack alone
		req.Capabilities.Delete(c)
	}
	req.Wants = append(req.Wants, want)
	for _, h := range have {
		if !h.IsZero() {
			req.Haves = append(req.Haves, h)
		}
	}
	rd, err := s.UploadPack(ctx, req)
	if err != nil {
		return quiet(err)
	}
	defer rd.Close()
	if err := packfile.UpdateObjectStorage(into.st, io.LimitReader(rd, 512<<20)); err != nil {
		return quiet(err)
	}
	return nil
}

func (w *web) Push(ctx context.Context, from *Repo, branch string, to, old Hash) error {
	s, err := w.client.NewReceivePackSession(w.endpoint, w.auth)
	if err != nil {
		return quiet(err)
	}
	defer s.Close()
	ar, err := s.AdvertisedReferencesContext(ctx)
	if err != nil && !errors.Is(err, transport.ErrEmptyRemoteRepository) {
		return quiet(err)
	}
	if ar == nil {
		ar = packp.NewAdvRefs()
	}
	ref := plumbing.NewBranchReferenceName(branch)
	if ar.References[ref.String()] != old {
		return fmt.Errorf("%s: %w", branch, ErrRemoteMoved)
	}
	var have []plumbing.Hash
	for _, h := range ar.References {
		if from.st.HasEncodedObject(h) == nil {
			have = append(have, h)
		}
	}
	objects, err := revlist.Objects(from.st, []plumbing.Hash{to}, have)
	if err != nil {
		return err
	}
	req := packp.NewReferenceUpdateRequestFromCapabilities(ar.Capabilities)
	_ = req.Capabilities.Set(capability.ReportStatus)
	for _, c := range []capability.Capability{capability.Sideband64k, capability.Sideband} {
		req.Capabilities.Delete(c)
	}
	req.Commands = []*packp.Command{{Name: ref, Old: old, New: to}}
	rd, wr := io.Pipe()
	req.Packfile = rd
	go func() {
		_, err := packfile.NewEncoder(wr, from.st, false).Encode(objects, 10)
		_ = wr.CloseWithError(err)
	}()
	report, err := s.ReceivePack(ctx, req)
	if err != nil {
		return quiet(err)
	}
	if report != nil {
		if err := report.Error(); err != nil {
			return fmt.Errorf("%w: %w", ErrRemoteMoved, err)
		}
	}
	return nil
}
