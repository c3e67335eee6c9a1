package depot

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"
	"oras.land/oras-go/v2/registry/remote/errcode"

	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
)

// How long a registry may be silent, and how long one answer may take.
var (
	silence = 15 * time.Second
	answer  = 2 * time.Minute
)

// remoteDepot is a repository of an OCI registry.
type remoteDepot struct {
	name string
	repo *remote.Repository
}

func newOCI(where string) (Depot, error) {
	repo, err := remote.NewRepository(where)
	if err != nil || repo.Reference.Reference != "" {
		return nil, fault.New(fault.BadName, "%q is no registry: want oci:HOST/PATH", "oci:"+where)
	}
	repo.PlainHTTP = loopback(repo.Reference.Host())
	repo.SkipReferrersGC = true // the old list may stay: most registries delete nothing
	client := &auth.Client{Client: &http.Client{Transport: transport(), CheckRedirect: redirected}, Cache: auth.NewCache()}
	client.SetUserAgent("tmp")
	if store := containerCredentials(); store != nil {
		client.Credential = credentials.Credential(store)
	}
	repo.Client = client
	return &remoteDepot{"oci:" + where, repo}, nil
}

// containerCredentials are those that docker login and podman login stored; nil if
// there is no place for them.
func containerCredentials() credentials.Store {
	var stores []credentials.Store
	add := func(s credentials.Store, err error) {
		if err == nil {
			stores = append(stores, s)
		}
	}
	if file := os.Getenv("REGISTRY_AUTH_FILE"); file != "" {
		add(credentials.NewStore(file, credentials.StoreOptions{}))
	}
	add(credentials.NewStoreFromDocker(credentials.StoreOptions{}))
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		add(credentials.NewStore(filepath.Join(dir, "containers", "auth.json"), credentials.StoreOptions{}))
	}
	if len(stores) == 0 {
		return nil
	}
	return credentials.NewStoreWithFallbacks(stores[0], stores[1:]...)
}

// loopback reports whether a host is this machine itself, where nobody listens in.
func loopback(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func transport() http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DialContext = (&net.Dialer{Timeout: silence}).DialContext
	t.TLSHandshakeTimeout, t.ResponseHeaderTimeout = silence, silence
	return guarded{t}
}

// guarded sends no secret over a line that others can read: a registry may name
// another server for its tokens, and that may be a plain one.
type guarded struct{ next http.RoundTripper }

func (g guarded) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" && !loopback(r.URL.Host) && r.Header.Get("Authorization") != "" {
		return nil, fault.New(fault.Denied, "%s is asked without encryption: no credential is sent there", r.URL.Host)
	}
	resp, err := g.next.RoundTrip(r)
	if err == nil && elsewhere(r) {
		// Whoever a redirect leads to asks for no credentials: they would be those of
		// the registry, for a server of its choice.
		resp.Header.Del("Www-Authenticate")
	}
	return resp, err
}

// elsewhere reports whether redirects led to another host than the one that was asked.
func elsewhere(r *http.Request) bool {
	first := r
	for first.Response != nil && first.Response.Request != nil {
		first = first.Response.Request
	}
	return first.URL.Host != r.URL.Host || first.URL.Scheme != r.URL.Scheme
}

// redirected leaves credentials behind where another host is named, and follows no
// redirect from an encrypted line to a plain one.
func redirected(r *http.Request, via []*http.Request) error {
	if len(via) > 5 {
		return fault.New(fault.BadAnswer, "%s: too many redirects", via[0].URL.Host)
	}
	first := via[0].URL
	if first.Scheme == "https" && r.URL.Scheme != "https" {
		return fault.New(fault.BadAnswer, "%s leads to %s without encryption", first.Host, r.URL.Host)
	}
	if r.URL.Host != first.Host || r.URL.Scheme != first.Scheme {
		r.Header.Del("Authorization")
		r.Header.Del("Cookie")
	}
	return nil
}

func (d *remoteDepot) Name() string { return d.name }

func (d *remoteDepot) Resolve(ctx context.Context, tag string) (Descriptor, error) {
	ctx, cancel := context.WithTimeout(ctx, answer)
	defer cancel()
	desc, err := d.repo.Resolve(ctx, tag)
	return desc, d.said(err, "no "+tag)
}

func (d *remoteDepot) Fetch(ctx context.Context, desc Descriptor, max int64) ([]byte, error) {
	if err := desc.Digest.Validate(); err != nil {
		return nil, fault.New(fault.Altered, "%s: %q is no digest", d.name, desc.Digest)
	}
	if desc.Size > max || desc.Size < 0 {
		return nil, fault.New(fault.Altered, "%s: %s is to have %d bytes: more than %d", d.name, short(desc), desc.Size, max)
	}
	ctx, cancel := context.WithTimeout(ctx, answer)
	defer cancel()
	r, err := d.repo.Fetch(ctx, desc)
	if err != nil {
		return nil, d.said(err, short(desc)+" is missing")
	}
	defer r.Close()
	stalled := time.AfterFunc(silence, cancel)
	defer stalled.Stop()
	data, err := read(&awake{r, stalled}, desc)
	switch {
	case err == nil:
		return data, nil
	case errors.Is(err, io.ErrUnexpectedEOF), ctx.Err() != nil:
		return nil, fault.New(fault.Network, "%s: the answer broke off", d.name).Because(err)
	case isMismatch(err):
		return nil, altered(d.name, desc, err)
	}
	return nil, d.said(err, "")
}

// awake puts the alarm off whenever something arrives.
type awake struct {
	r     io.Reader
	alarm *time.Timer
}

func (a *awake) Read(p []byte) (int, error) {
	n, err := a.r.Read(p)
	if n > 0 {
		a.alarm.Reset(silence)
	}
	return n, err
}

func (d *remoteDepot) Referrers(ctx context.Context, of Descriptor, artifactType string) ([]Descriptor, error) {
	ctx, cancel := context.WithTimeout(ctx, answer)
	defer cancel()
	var out []Descriptor
	err := d.repo.Referrers(ctx, of, artifactType, func(list []Descriptor) error {
		for _, r := range list {
			if r.ArtifactType == artifactType {
				out = append(out, r)
			}
		}
		return nil
	})
	return out, d.said(err, "")
}

// said is what an error of a registry means. No credential is in it: oras names
// addresses and answers, and of an address what may hold a signature is cut off.
func (d *remoteDepot) said(err error, missing string) error {
	var f *fault.Fault
	var response *errcode.ErrorResponse
	var address *url.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &f):
		return f
	case errors.As(err, &response):
		return d.status(response, missing)
	case errors.Is(err, errdef.ErrNotFound):
		return fault.New(fault.NotFound, "%s: %s", d.name, missing)
	case errors.Is(err, auth.ErrBasicCredentialNotFound), strings.Contains(err.Error(), "credential"):
		return fault.New(fault.Denied, "%s wants credentials, and the container configuration has none for it", d.name).Hint("docker login %s, or podman login, stores them", d.repo.Reference.Host())
	case errors.As(err, &address):
		return fault.New(fault.Network, "%s does not answer", d.name).Because(address.Err)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return fault.New(fault.Network, "%s: the answer broke off", d.name).Because(err)
	}
	return fault.New(fault.BadAnswer, "%s does not answer as a registry does", d.name).Because(err)
}

func (d *remoteDepot) status(r *errcode.ErrorResponse, missing string) error {
	code := r.StatusCode
	text := http.StatusText(code)
	switch {
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return fault.New(fault.Denied, "%s says %d %s", d.name, code, text).Hint("docker login %s, or podman login, stores credentials", d.repo.Reference.Host())
	case code == http.StatusNotFound:
		return fault.New(fault.NotFound, "%s says 404 %s: %s", d.name, text, missing)
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code >= 500:
		return fault.New(fault.Network, "%s says %d %s", d.name, code, text)
	}
	return fault.New(fault.BadAnswer, "%s says %d %s", d.name, code, text)
}

func (d *remoteDepot) Publish(ctx context.Context, fn func(w Writer) error) error {
	l, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer l.release()
	return fn(&remoteWriter{d, l})
}

type remoteWriter struct {
	*remoteDepot
	lease *lease // nil while it is being taken
}

func (w *remoteWriter) Push(ctx context.Context, d Descriptor, data []byte) error {
	if w.lease != nil {
		if err := w.lease.renew(ctx); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, answer)
	defer cancel()
	there, err := w.repo.Exists(ctx, d)
	if err != nil {
		return w.said(err, "")
	}
	if there {
		return nil
	}
	err = w.repo.Push(ctx, d, strings.NewReader(string(data)))
	if errors.Is(err, errdef.ErrAlreadyExists) {
		return nil
	}
	return w.said(err, "")
}

func (w *remoteWriter) Commit(ctx context.Context, tagged []Tagged) error {
	for i, t := range tagged {
		if i == len(tagged)-1 { // what makes all of it found
			if err := w.lease.mine(ctx); err != nil {
				return err
			}
		}
		m := t.Manifest
		if t.Tag == "" {
			if err := w.Push(ctx, m.Descriptor, m.Data); err != nil {
				return err
			}
			continue
		}
		ctx, cancel := context.WithTimeout(ctx, answer)
		err := w.repo.PushReference(ctx, m.Descriptor, strings.NewReader(string(m.Data)), t.Tag)
		cancel()
		if err != nil {
			return w.said(err, "")
		}
	}
	return nil
}
