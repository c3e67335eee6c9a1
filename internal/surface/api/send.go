package api

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// The times of a request, and how much of an answer is taken.
const (
	wholeTime  = 60 * time.Second
	maxAnswer  = 256 << 20 // bytes, after decompression
	maxHeader  = 1 << 20
	maxHops    = 10 // redirects that are followed
	maxRetries = 3
	maxWait    = 60 * time.Second // of Retry-After
)

// Sender sends the requests of one run.
type Sender struct {
	record     *Record
	credential *Credential // nil: none is used
	secret     string
	mask       *masker
	client     *http.Client
	whole      time.Duration // for one request with its repetitions, without what the server asks to wait
	most       int64         // bytes of an answer that are taken
	repeatable bool
	// tell hears what a person at the terminal should know: that it waits.
	tell  func(string)
	sleep func(context.Context, time.Duration) error
}

// Refused is that a request was not sent, or not further, because it must not be.
type Refused struct{ Err error }

func (r *Refused) Error() string { return r.Err.Error() }
func (r *Refused) Unwrap() error { return r.Err }

// newSender makes a sender for a record. The user's own configuration may name the
// server as one inside a private network.
func newSender(r *Record, c *Credential, secret string, getenv func(string) string) (*Sender, error) {
	server, err := url.Parse(r.Server)
	if err != nil {
		return nil, err
	}
	roots, err := trusted(getenv("SSL_CERT_FILE"))
	if err != nil {
		return nil, err
	}
	to := &reach{server: server.Hostname(), inside: c != nil && c.names(server)}
	t := &http.Transport{
		Proxy: nil, DialContext: to.dial, DisableCompression: true, ForceAttemptHTTP2: true,
		TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots},
		TLSHandshakeTimeout: connectTime, MaxResponseHeaderBytes: maxHeader, MaxIdleConnsPerHost: 2,
	}
	return &Sender{
		record: r, credential: c, secret: secret, mask: newMasker(c, secret), whole: wholeTime, most: maxAnswer,
		client: &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		sleep:  wait, tell: func(string) {},
	}, nil
}

// trusted are the certificates of the file, nil for those of the system.
func trusted(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("SSL_CERT_FILE: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("SSL_CERT_FILE: %s holds no certificate", file)
	}
	return pool, nil
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Answer is the head of an answer with its body still to be read.
type Answer struct {
	*http.Response
	cancel context.CancelFunc
}

// Close ends the answer.
func (a *Answer) Close() {
	_ = a.Body.Close()
	a.cancel()
}

// follow sends a request and follows its redirects. The context holds for the body
// of the answer too.
func (s *Sender) follow(ctx context.Context, r *Request) (*http.Response, error) {
	target, own := r.URL, true
	for hop := 0; ; hop++ {
		resp, err := s.once(ctx, r, target, own)
		if err != nil {
			return nil, err
		}
		next, err := s.redirect(r, resp, hop)
		if err != nil || next == nil {
			if err != nil {
				_ = resp.Body.Close()
				return nil, err
			}
			return resp, nil
		}
		_, _ = io.CopyN(io.Discard, resp.Body, 64<<10)
		_ = resp.Body.Close()
		target = next
		// Who was led away once has no secret any more, even where it is led back.
		own = own && next.Scheme == r.URL.Scheme && hostPort(next) == hostPort(r.URL)
	}
}

// once sends a request to one URL; own: it is at the server of the map. The secret
// goes with it only there, and only if the credential names that server.
func (s *Sender) once(ctx context.Context, r *Request, target *url.URL, own bool) (*http.Response, error) {
	u := *target
	var body io.Reader
	if r.Body != nil {
		body = strings.NewReader(string(r.Body))
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, u.String(), body)
	if err != nil {
		return nil, &Refused{err}
	}
	req.Header = r.Header.Clone()
	req.Header.Set("Accept-Encoding", "gzip")
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", "tmp")
	}
	switch {
	case s.credential != nil && own:
		if err := s.credential.For(&u); err != nil {
			return nil, &Refused{err}
		}
		s.credential.attach(req, s.secret)
	case !own: // another server gets nothing but the question
		req.Header = http.Header{"Accept": r.Header["Accept"], "Accept-Encoding": {"gzip"}, "User-Agent": {"tmp"}}
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return nil, s.transport(err)
	}
	return resp, nil
}

// transport takes the URL, which may hold the secret, out of an error.
func (s *Sender) transport(err error) error {
	var address *AddressError
	if errors.As(err, &address) {
		return &Refused{address}
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return err
}

// redirect is where the answer leads on; nil if it is the last one.
func (s *Sender) redirect(r *Request, resp *http.Response, hop int) (*url.URL, error) {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, nil
	}
	where := resp.Header.Get("Location")
	if where == "" {
		return nil, nil
	}
	refuse := func(format string, args ...any) (*url.URL, error) {
		return nil, &Refused{errors.New(s.mask.text(fmt.Sprintf("the server answers %d and points elsewhere: ", resp.StatusCode) + fmt.Sprintf(format, args...)))}
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return refuse("a %s is not sent again to another place", r.Method)
	}
	if hop >= maxHops {
		return refuse("more than %d times", maxHops)
	}
	next, err := resp.Request.URL.Parse(where)
	if err != nil {
		return refuse("it is no URL")
	}
	if err := s.hop(resp.Request.URL, next); err != nil {
		return refuse("%s", err)
	}
	return next, nil
}

// hop says why a request may not go on from one URL to another.
func (s *Sender) hop(from, next *url.URL) error {
	switch {
	case next.User != nil:
		return errors.New("with a name or password")
	case next.Scheme == "https":
	case next.Scheme != "http":
		return fmt.Errorf("to %s: in place of http", next.Scheme)
	case from.Scheme == "https":
		return errors.New("from https to http")
	case !isLoopbackName(next.Hostname()):
		return errors.New("http is for this machine alone")
	}
	return nil
}

// content is the body of an answer, decompressed and bounded.
func (s *Sender) content(resp *http.Response) (io.Reader, error) {
	body := io.Reader(resp.Body)
	if strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") && resp.Request.Method != http.MethodHead {
		z, err := gzip.NewReader(body)
		switch {
		case errors.Is(err, io.EOF):
			return strings.NewReader(""), nil
		case err != nil:
			return nil, fmt.Errorf("the answer is not what it says: %w", err)
		}
		body = z
	}
	return &bounded{r: body, left: s.most}, nil
}

// ErrTooLong is that an answer goes on beyond what is taken of one.
var ErrTooLong = fmt.Errorf("the answer is longer than %d MiB", maxAnswer>>20)

// bounded reads so many bytes and fails at more.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left == 0 {
		var one [1]byte
		n, err := b.r.Read(one[:])
		if n > 0 {
			return 0, ErrTooLong
		}
		return 0, err
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.r.Read(p)
	b.left -= int64(n)
	return n, err
}

// Statuses to exit with (curl's numbers where it has one).
const (
	statusDNS     = 6
	statusConnect = 7
	statusHTTP    = 22
	statusTLS     = 35
	statusOther   = 56
	statusTrust   = 60
	statusTimeout = 124
	statusRefused = 125
)

// statusOf is the exit status of an error, and its code.
func statusOf(err error) (status int, code string) {
	var (
		refused  *Refused
		dns      *net.DNSError
		unknown  x509.UnknownAuthorityError
		name     x509.HostnameError
		invalid  x509.CertificateInvalidError
		verify   *tls.CertificateVerificationError
		record   tls.RecordHeaderError
		alert    tls.AlertError
		op       *net.OpError
		timedOut interface{ Timeout() bool }
	)
	switch {
	case err == nil:
		return 0, ""
	case errors.As(err, &refused):
		return statusRefused, "refused"
	case errors.As(err, &dns) && !dns.IsTimeout:
		return statusDNS, "dns"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timedOut) && timedOut.Timeout():
		return statusTimeout, "timeout"
	case errors.As(err, &unknown), errors.As(err, &name), errors.As(err, &invalid), errors.As(err, &verify):
		return statusTrust, "tls_trust"
	case errors.As(err, &record), errors.As(err, &alert), strings.Contains(fmt.Sprintf("%T", errors.Unwrap(err)), "tls."):
		return statusTLS, "tls"
	case errors.As(err, &op) && op.Op == "dial":
		return statusConnect, "connect"
	case errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error"):
		return statusTLS, "tls"
	case strings.Contains(err.Error(), "tls: "), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return statusTLS, "tls" // net/http and crypto/tls have no types for these
	}
	return statusOther, "transport"
}
