package upstream

import (
	"io"
	"net/http"
	"net/url"
)

// headers adds the user's headers to requests to one host, and bounds answers.
type headers struct {
	secrets []secret
	home    *url.URL
	limit   int64
}

// RoundTrip sends a request (http.RoundTripper).
func (h *headers) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme == h.home.Scheme && r.URL.Host == h.home.Host {
		r = r.Clone(r.Context())
		for _, s := range h.secrets {
			r.Header.Set(s.name, s.value)
		}
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		resp.Body = &bounded{resp.Body, h.limit}
	}
	return resp, err
}

// bounded ends a body that is longer than one message may be. A stream of events
// is bounded as a whole: a server that sends so much opens another.
type bounded struct {
	io.ReadCloser
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, &Error{TooLarge, "an answer of it is larger than max_result allows"}
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}
