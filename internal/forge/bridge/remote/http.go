package remote

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/forge/bridge"
)

type request struct {
	Method   string      `json:"method"`
	Headers  [][2]string `json:"headers"`
	Body     *string     `json:"body"`
	Base64   bool        `json:"base64"`
	Redirect string      `json:"redirect"`
}

// response is what a tool is told.
type response struct {
	Status     int         `json:"status"`
	StatusText string      `json:"statusText"`
	URL        string      `json:"url"`
	Redirected bool        `json:"redirected"`
	Headers    [][2]string `json:"headers"`
	Text       *string     `json:"text,omitempty"`
	Base64     *string     `json:"base64,omitempty"`
}

// Bounds of a request.
const (
	maxBody   = 16 << 20
	redirects = 5
)

var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

// ours are headers that the host sets itself.
var ours = []string{"host", "connection", "content-length", "transfer-encoding", "upgrade", "te", "trailer", "proxy-authorization", "proxy-connection", "keep-alive", "expect"}

// Fetch makes a request to a host that is signed.
func (w *World) Fetch(ctx context.Context, g *bridge.Grants, raw string, asked json.RawMessage) (any, error) {
	var r request
	if json.Unmarshal(asked, &r) != nil {
		return nil, bridge.Violation("a call with arguments of another type")
	}
	method := strings.ToUpper(r.Method)
	if !slices.Contains(methods, method) {
		return nil, bridge.Fail("EINVAL", "a method that is not known")
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil:
		return nil, bridge.Fail("EINVAL", "not a URL")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, bridge.Fail("EPERM", "requests are made by https, or by http where that is signed")
	case u.Host == "":
		return nil, bridge.Fail("EINVAL", "not a URL")
	}
	body, err := r.body()
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	for _, h := range r.Headers {
		if slices.Contains(ours, strings.ToLower(h[0])) || !token(h[0]) || strings.ContainsAny(h[1], "\r\n\x00") {
			return nil, bridge.Fail("EPERM", "a header that a tool may not set")
		}
		header.Add(h[0], h[1])
	}
	for n := 0; ; n++ {
		if err := signed(g, u); err != nil {
			return nil, err
		}
		res, err := once(ctx, method, u, header, body)
		if err != nil {
			return nil, err
		}
		location := res.Header.Get("Location")
		if res.StatusCode < 300 || res.StatusCode >= 400 || location == "" || r.Redirect == "manual" {
			return answer(g, res, u, n > 0)
		}
		res.Body.Close()
		if r.Redirect == "error" || n >= redirects {
			return nil, bridge.Fail("ENETWORK", "redirected")
		}
		next, err := u.Parse(location)
		if err != nil {
			return nil, bridge.Fail("ENETWORK", "redirected to no URL")
		}
		if next.Host != u.Host || next.Scheme != u.Scheme { // what is for one host stays with it
			for _, h := range []string{"Authorization", "Cookie", "Proxy-Authorization"} {
				header.Del(h)
			}
		}
		if res.StatusCode == http.StatusSeeOther || res.StatusCode < 303 && method == http.MethodPost {
			method, body = http.MethodGet, nil
		}
		u = next
	}
}

func (r *request) body() ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	data := []byte(*r.Body)
	if r.Base64 {
		var err error
		if data, err = base64.StdEncoding.DecodeString(*r.Body); err != nil {
			return nil, bridge.Fail("EINVAL", "the body is not base64")
		}
	}
	if len(data) > maxBody {
		return nil, bridge.Fail("ETOOBIG", "the body is too large")
	}
	return data, nil
}

func token(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(`()<>@,;:\"/[]?={}`, r) }) < 0
}

// signed reports why a URL is not one of a signed host.
func signed(g *bridge.Grants, u *url.URL) error {
	for _, entry := range g.Net {
		scheme := "https"
		if rest, ok := strings.CutPrefix(entry, "http://"); ok {
			scheme, entry = "http", rest
		}
		entry = strings.TrimPrefix(entry, "https://")
		want, err := url.Parse(scheme + "://" + entry)
		if err != nil {
			continue
		}
		if u.Scheme == scheme && strings.EqualFold(u.Hostname(), want.Hostname()) && port(u) == port(want) {
			return nil
		}
	}
	return bridge.Fail("EPERM", "the host is not signed for this tool: @net")
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if u.Scheme == "http" {
		return "80"
	}
	return "443"
}

// once makes one request, without a proxy, to an address that may be dialled.
func once(ctx context.Context, method string, u *url.URL, header http.Header, body []byte) (*http.Response, error) {
	literal := u.Hostname()
	var refused error
	dialer := net.Dialer{Timeout: 10 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		// After the name was resolved: the address itself is looked at.
		ap, err := netip.ParseAddrPort(address)
		if err == nil && mayDial(ap.Addr(), literal) {
			return nil
		}
		refused = bridge.Fail("EPERM", "the host lies at a private address")
		return refused
	}}
	client := http.Client{
		Transport:     &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true, ResponseHeaderTimeout: 60 * time.Second, MaxResponseHeaderBytes: 64 << 10},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), strings.NewReader(string(body)))
	if err != nil {
		return nil, bridge.Fail("EINVAL", "not a request")
	}
	req.Header = header.Clone()
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", "tgp")
	}
	res, err := client.Do(req)
	if err != nil {
		if refused != nil {
			return nil, refused
		}
		var dns *net.DNSError
		if errors.As(err, &dns) {
			return nil, bridge.Fail("ENETWORK", "the host is not found")
		}
		return nil, bridge.Fail("ENETWORK", "the host does not answer")
	}
	return res, nil
}

// mayDial reports whether an address may be dialled for a host: a public one, or one
// that is written out literally.
func mayDial(a netip.Addr, literal string) bool {
	a = a.Unmap()
	if lit, err := netip.ParseAddr(literal); err == nil && lit.Unmap() == a {
		return true
	}
	if strings.EqualFold(literal, "localhost") && a.IsLoopback() {
		return true
	}
	for _, p := range special {
		if p.Contains(a) {
			return false
		}
	}
	return a.IsGlobalUnicast() && !a.IsPrivate() && !a.IsLoopback()
}

// special are ranges that are not the public network (RFC 6890 and its registries).
var special = prefixes("0.0.0.0/8 100.64.0.0/10 169.254.0.0/16 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4 " +
	"64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 fc00::/7 fe80::/10")

func prefixes(list string) (out []netip.Prefix) {
	for s := range strings.FieldsSeq(list) {
		out = append(out, netip.MustParsePrefix(s))
	}
	return out
}

// answer reads a response.
func answer(g *bridge.Grants, res *http.Response, u *url.URL, redirected bool) (any, error) {
	defer res.Body.Close()
	limit := int64(maxBody)
	if g.MaxAnswer > 0 {
		limit = min(limit, int64(g.MaxAnswer)/2)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	if err != nil {
		return nil, bridge.Fail("ENETWORK", "the answer broke off")
	}
	if int64(len(data)) > limit {
		return nil, bridge.Fail("ETOOBIG", "the answer is too large")
	}
	out := &response{Status: res.StatusCode, StatusText: http.StatusText(res.StatusCode), URL: u.Redacted(), Redirected: redirected, Headers: [][2]string{}}
	for k, vs := range res.Header {
		for _, v := range vs {
			out.Headers = append(out.Headers, [2]string{strings.ToLower(k), strings.ToValidUTF8(v, "\ufffd")})
		}
	}
	if utf8.Valid(data) {
		s := string(data)
		out.Text = &s
	} else {
		s := base64.StdEncoding.EncodeToString(data)
		out.Base64 = &s
	}
	return out, nil
}
