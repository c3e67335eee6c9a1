package api

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/surface"
)

const secret = "hunter2-is-a-s3cret"

// host is a server with what it was asked.
type host struct {
	*httptest.Server
	mu   sync.Mutex
	seen []*http.Request
	body []string
}

func serve(t *testing.T, h http.HandlerFunc) *host {
	t.Helper()
	s := &host{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.seen = append(s.seen, r.Clone(context.Background()))
		s.body = append(s.body, string(body))
		s.mu.Unlock()
		h(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *host) asked() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen
}

// call is one request of tmp's with its answer.
type call struct {
	record map[string]any
	params []surface.Param
	values map[string]string
	auth   map[string]any // [api.own]
	env    map[string]string
	tune   func(*Sender)
	mode   surface.Mode
	all    bool
	most   int
	ask    string
	ctx    context.Context
}

type result struct {
	*surface.Report
	raw    string
	told   []string
	waited time.Duration
}

func (c call) do(t *testing.T, server string) result {
	t.Helper()
	rec := map[string]any{"server": server, "method": "GET", "path": "/"}
	maps.Copy(rec, c.record)
	config := map[string]any{}
	if c.auth != nil {
		auth := map[string]any{"type": "bearer", "from": "env:TOKEN", "hosts": []any{"127.0.0.1"}}
		maps.Copy(auth, c.auth)
		config["api"] = map[string]any{"own": auth}
		rec["auth"] = "own"
	}
	data, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	q := &surface.Request{Call: surface.Call{V: 1, Surface: surface.API, Record: data, Params: c.params, Values: c.values}, Mode: c.mode, All: c.all, MaxItems: c.most, Resolver: c.ask}
	if q.Mode == "" {
		q.Mode = surface.Run
	}
	var out bytes.Buffer
	r := result{}
	env := map[string]string{"TOKEN": secret}
	maps.Copy(env, c.env)
	w := surface.World{Stdout: &out, Getenv: func(name string) string { return env[name] }, Config: config, Notice: func(text string) { r.told = append(r.told, text) }}
	ctx := c.ctx
	if ctx == nil {
		ctx = t.Context()
	}
	r.Report = do(ctx, w, q, func(s *Sender) {
		s.sleep = func(_ context.Context, d time.Duration) error {
			r.waited += d
			return nil
		}
		if c.tune != nil {
			c.tune(s)
		}
	})
	r.raw = out.String()
	all, err := json.Marshal(r.Report)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(all)+r.raw+strings.Join(r.told, " "), secret) {
		t.Errorf("the secret is in the report or the output: %s\n%s", all, r.raw)
	}
	return r
}

func (r result) want(t *testing.T, status int, text string) {
	t.Helper()
	if r.Status != status || !strings.Contains(r.Message, text) {
		t.Errorf("status %d (%s) %q, want %d and %q", r.Status, r.Code, r.Message, status, text)
	}
}

func TestAnswerIsSelectedAndKept(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `[{"id":1,"name":"a","x":{}},{"id":2,"name":"b","x":{}}]`)
	})
	r := call{record: map[string]any{"select": []string{"id", "name"}}}.do(t, s.URL)
	r.want(t, 0, "")
	if r.HTTPStatus != 200 || string(r.Output) != `[{"id":1,"name":"a"},{"id":2,"name":"b"}]` || r.Text != "id  name\n1   a\n2   b\n" {
		t.Errorf("%d %s\n%s", r.HTTPStatus, r.Output, r.Text)
	}
	if r.raw != `[{"id":1,"name":"a","x":{}},{"id":2,"name":"b","x":{}}]` {
		t.Errorf("raw %q", r.raw)
	}
}

func TestTheSecretIsSentAndNeverShown(t *testing.T) {
	for kind, there := range map[string]func(*http.Request) string{
		"bearer": func(r *http.Request) string { return strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") },
		"basic": func(r *http.Request) string {
			name, password, _ := r.BasicAuth()
			return name + ":" + password
		},
		"header": func(r *http.Request) string { return r.Header.Get("X-Key") },
		"query":  func(r *http.Request) string { return r.URL.Query().Get("X-Key") },
	} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) { // it says all it was told
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(map[string]any{"headers": r.Header, "url": r.URL.String(), "plain": secret})
		})
		want := secret
		if kind == "basic" {
			want = "ann:" + secret
		}
		c := call{auth: map[string]any{"type": kind, "name": "X-Key"}, env: map[string]string{"TOKEN": want}}
		c.do(t, s.URL).want(t, 0, "")
		if len(s.asked()) != 1 || there(s.asked()[0]) != want {
			t.Errorf("%s: the server got %q", kind, there(s.asked()[0]))
		}
		c.mode = surface.DryRun
		r := c.do(t, s.URL)
		if !strings.Contains(strings.Join(r.Lines, "\n"), "$TOKEN") || len(s.asked()) != 1 {
			t.Errorf("%s: the dry run says %q", kind, r.Lines)
		}
	}
}

func TestErrorsOfTheServer(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusUnprocessableEntity)
		fmt.Fprintf(w, `{"title":"No credit","detail":"30, but that costs 50: %s","balance":30}`, secret)
	})
	r := call{auth: map[string]any{}}.do(t, s.URL)
	r.want(t, 22, "No credit: 30, but that costs 50")
	if r.HTTPStatus != 422 || !strings.Contains(string(r.Output), `"balance":30`) {
		t.Errorf("%d %s", r.HTTPStatus, r.Output)
	}
}

func TestUnauthorisedIsNotTriedAgain(t *testing.T) {
	n := 0
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if n++; n == 1 {
			w.Header().Set("WWW-Authenticate", `Basic realm="all"`)
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
	call{auth: map[string]any{}}.do(t, s.URL).want(t, 22, "401")
	if len(s.asked()) != 1 {
		t.Errorf("%d requests", len(s.asked()))
	}
}

func TestRedirects(t *testing.T) {
	other := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "other") })
	elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	for _, c := range []struct {
		method, location string
		status           int
		text             string
		asked            int // at the other one
	}{
		{"GET", "/there", 0, "", 0},
		{"HEAD", "/there", 0, "", 0},
		{"POST", "/there", 125, "a POST is not sent again", 0},
		{"DELETE", "/there", 125, "a DELETE is not sent again", 0},
		{"GET", other.URL, 0, "", 1}, // the same host at another port, without the secret
		{"GET", elsewhere, 125, "loopback", 0},
		{"GET", "http://169.254.169.254/latest/meta-data", 125, "http is for this machine alone", 0},
		{"GET", "https://169.254.169.254/latest/meta-data", 125, "link-local", 0},
		{"GET", "https://[::ffff:10.0.0.1]/", 125, "private", 0},
		{"GET", "file:///etc/passwd", 125, "to file:", 0},
		{"GET", "https://user:pw@127.0.0.1/", 125, "name or password", 0},
		{"GET", "/loop", 125, "more than 10 times", 0},
	} {
		other.seen = nil
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/there" {
				return
			}
			w.Header().Set("Location", c.location)
			w.WriteHeader(http.StatusTemporaryRedirect)
		})
		r := call{auth: map[string]any{}, record: map[string]any{"method": c.method, "path": "/loop"}}.do(t, s.URL)
		r.want(t, c.status, c.text)
		if len(other.asked()) != c.asked {
			t.Errorf("%s %s: the other server was asked %d times", c.method, c.location, len(other.asked()))
		}
		for _, q := range other.asked() {
			if q.Header.Get("Authorization") != "" {
				t.Errorf("%s: the other server got the secret", c.location)
			}
		}
	}
}

// TestLedAwayAndBack: who was led to another server is not led back with the secret.
func TestLedAwayAndBack(t *testing.T) {
	var back string
	other := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, back+"/private", http.StatusFound) })
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, other.URL, http.StatusFound)
		}
	})
	back = s.URL
	call{auth: map[string]any{}}.do(t, s.URL).want(t, 0, "")
	if asked := s.asked(); len(asked) != 2 || asked[1].Header.Get("Authorization") != "" {
		t.Errorf("%d requests; the last with %v", len(asked), asked[len(asked)-1].Header)
	}
}

func TestASecretOfOtherHosts(t *testing.T) {
	s := serve(t, func(http.ResponseWriter, *http.Request) {})
	call{auth: map[string]any{"hosts": []any{"api.example.org"}}}.do(t, s.URL).want(t, 125, "not for 127.0.0.1")
	call{auth: map[string]any{"hosts": []any{"127.0.0.1:1"}}}.do(t, s.URL).want(t, 125, "not for 127.0.0.1")
	call{record: map[string]any{"auth": "none"}}.do(t, s.URL).want(t, 125, "has no [api.none]")
	call{auth: map[string]any{"from": "env:NOT_SET"}}.do(t, s.URL).want(t, 125, "NOT_SET is not set")
	if len(s.asked()) != 0 {
		t.Error("the server was asked")
	}
}

func TestSlow(t *testing.T) {
	stop := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/head" {
			<-stop
			return
		}
		fmt.Fprint(w, "begin")
		w.(http.Flusher).Flush()
		<-stop
	})
	defer close(stop)
	quick := func(s *Sender) { s.whole = 200 * time.Millisecond }
	call{tune: quick, record: map[string]any{"path": "/head"}}.do(t, s.URL).want(t, 124, "")
	r := call{tune: quick}.do(t, s.URL)
	r.want(t, 124, "")
	if r.raw != "begin" {
		t.Errorf("raw %q", r.raw)
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), 100*time.Millisecond, surface.ErrTimeout)
	defer cancel()
	call{ctx: ctx}.do(t, s.URL).want(t, 124, "its time was over")
}

func TestHuge(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for range 100 {
			if _, err := w.Write(bytes.Repeat([]byte("x"), 1<<20)); err != nil {
				return
			}
		}
	})
	r := call{tune: func(s *Sender) { s.most = 3 << 20 }}.do(t, s.URL)
	r.want(t, 56, "longer than")
	if len(r.raw) != 3<<20 {
		t.Errorf("%d bytes kept", len(r.raw))
	}
}

func TestGzip(t *testing.T) {
	pack := func(n int) []byte {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		_, _ = z.Write(bytes.Repeat([]byte("0"), n))
		_ = z.Close()
		return out.Bytes()
	}
	var body []byte
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(body)
	})
	body = pack(1000)
	if r := (call{}.do(t, s.URL)); r.Status != 0 || len(r.raw) != 1000 {
		t.Errorf("%d %d", r.Status, len(r.raw))
	}
	body = pack(64 << 20)
	r := call{tune: func(s *Sender) { s.most = 1 << 20 }}.do(t, s.URL)
	r.want(t, 56, "longer than")
	if len(r.raw) != 1<<20 {
		t.Errorf("a bomb of %d bytes became %d", len(body), len(r.raw))
	}
	body = []byte("no gzip at all")
	call{}.do(t, s.URL).want(t, 56, "")
	body = pack(1000)[:20]
	call{}.do(t, s.URL).want(t, 56, "")
}

// wire answers with bytes, whatever it is asked.
func wire(t *testing.T, answer string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = c.Read(make([]byte, 4096))
				_, _ = io.WriteString(c, answer)
				_ = c.Close()
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

func TestGarbage(t *testing.T) {
	for name, answer := range map[string]string{
		"chunks":        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nnot a chunk\r\n",
		"cut chunk":     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
		"no HTTP":       "SSH-2.0-OpenSSH_9.9\r\n",
		"nothing":       "",
		"short":         "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nab",
		"endless head":  "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("a", 4<<20) + "\r\n\r\n",
		"two lengths":   "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc",
		"split headers": "HTTP/1.1 200 OK\r\nContent-Type: text/plain\n Evil\r\nContent-Length: x\r\n\r\n",
	} {
		r := call{}.do(t, wire(t, answer))
		if r.Status != 56 {
			t.Errorf("%s: status %d %q, want 56", name, r.Status, r.Message)
		}
	}
}

func TestHTMLInThePlaceOfJSON(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<h1>Sign in</h1>\x1b[31m")
	})
	r := call{record: map[string]any{"select": []string{"id"}}}.do(t, s.URL)
	r.want(t, 0, "")
	if r.Output != nil || !strings.Contains(strings.Join(r.Lines, " "), "no JSON") {
		t.Errorf("%s %q", r.Output, r.Lines)
	}
}

func TestCookiesAreNeitherKeptNorSent(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "1"})
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/next", http.StatusFound)
		}
	})
	call{}.do(t, s.URL).want(t, 0, "")
	for _, q := range s.asked() {
		if q.Header.Get("Cookie") != "" {
			t.Errorf("%s got %q", q.URL, q.Header.Get("Cookie"))
		}
	}
	if len(s.asked()) != 2 {
		t.Errorf("%d requests", len(s.asked()))
	}
}

func TestRetries(t *testing.T) {
	for _, c := range []struct {
		method, after string
		key           string
		code, asked   int
		waited        time.Duration
		told          string
	}{
		{"GET", "", "", 503, 4, 1750 * time.Millisecond, ""},
		{"GET", "2", "", 429, 4, 6 * time.Second, "asks to wait 2s"},
		{"GET", "7200", "", 502, 4, 180 * time.Second, "asks to wait 2h0m0s; trying again in 1m0s"},
		{"PUT", "", "", 504, 4, 1750 * time.Millisecond, ""},
		{"POST", "1", "", 503, 1, 0, ""},
		{"PATCH", "1", "", 503, 1, 0, ""},
		{"POST", "1", "Idempotency-Key", 503, 4, 3 * time.Second, "asks to wait 1s"},
		{"GET", "1", "", 500, 1, 0, ""},
		{"GET", "1", "", 404, 1, 0, ""},
	} {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			if c.after != "" {
				w.Header().Set("Retry-After", c.after)
			}
			w.WriteHeader(c.code)
		})
		rec := map[string]any{"method": c.method}
		if c.key != "" {
			rec["idempotency_key"] = c.key
		}
		r := call{record: rec}.do(t, s.URL)
		r.want(t, 22, strconv.Itoa(c.code))
		if len(s.asked()) != c.asked || r.waited != c.waited || !strings.Contains(strings.Join(r.told, " "), c.told) || c.told == "" && len(r.told) > 0 {
			t.Errorf("%s %d: %d requests, waited %s, told %q; want %d, %s, %q", c.method, c.code, len(s.asked()), r.waited, r.told, c.asked, c.waited, c.told)
		}
		for _, q := range s.asked() {
			if got := q.Header.Get("Idempotency-Key"); got != s.asked()[0].Header.Get("Idempotency-Key") || (got != "") != (c.key != "") {
				t.Errorf("%s: key %q", c.method, got)
			}
		}
	}
}

// TestWaitingIsNotCounted: a wait that the server asks for leaves the time of the
// request as it was.
func TestWaitingIsNotCounted(t *testing.T) {
	n := 0
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if n++; n == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	r := call{tune: func(s *Sender) { s.whole, s.sleep = 500*time.Millisecond, wait }}.do(t, s.URL)
	r.want(t, 0, "")
}

func TestConnections(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := "http://" + l.Addr().String()
	l.Close()
	r := call{}.do(t, closed)
	r.want(t, 7, "refused")
	if r.waited == 0 {
		t.Error("not tried again")
	}
	call{}.do(t, "https://no-such-host.invalid").want(t, 6, "")
	call{}.do(t, strings.Replace(serve(t, func(http.ResponseWriter, *http.Request) {}).URL, "http:", "https:", 1)).want(t, 35, "")
}

func TestCertificates(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"ok":true}`) }))
	defer s.Close()
	call{}.do(t, s.URL).want(t, 60, "")
	file := filepath.Join(t.TempDir(), "ca.pem")
	data := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	call{env: map[string]string{"SSL_CERT_FILE": file}}.do(t, s.URL).want(t, 0, "")
	call{env: map[string]string{"SSL_CERT_FILE": "/nowhere"}}.do(t, s.URL).want(t, 125, "SSL_CERT_FILE")
}

func TestHeaderInjection(t *testing.T) {
	s := serve(t, func(http.ResponseWriter, *http.Request) {})
	c := call{record: map[string]any{"headers": map[string]string{"X-A": "<a>"}}, params: []surface.Param{{Name: "a"}}, values: map[string]string{"a": "1\r\nX-B: 2"}}
	c.do(t, s.URL).want(t, 125, "header X-A a: a header holds no line break")
	if len(s.asked()) != 0 {
		t.Error("it was sent")
	}
}

func TestPages(t *testing.T) {
	page := func(r *http.Request) int {
		n, _ := strconv.Atoi(r.URL.Query().Get("page"))
		return max(n, 1)
	}
	items := func(n int) string { return fmt.Sprintf(`[{"id":%d},{"id":%d}]`, 2*n-1, 2*n) }
	link := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n := page(r); n < 3 {
			w.Header().Add("Link", fmt.Sprintf(`</?page=1>; rel="first", <http://%s/?page=%d>; rel="next"`, r.Host, n+1))
		}
		fmt.Fprint(w, items(page(r)))
	})
	r := call{}.do(t, link.URL)
	if !strings.Contains(strings.Join(r.Lines, " "), "--all") || len(link.asked()) != 1 {
		t.Errorf("%q", r.Lines)
	}
	r = call{all: true, auth: map[string]any{}}.do(t, link.URL)
	r.want(t, 0, "")
	want := `[{"id":1},{"id":2},{"id":3},{"id":4},{"id":5},{"id":6}]`
	if string(r.Output) != want || strings.ReplaceAll(r.raw, "\n", "") != want {
		t.Errorf("%s\n%s", r.Output, r.raw)
	}
	r = call{all: true, most: 3}.do(t, link.URL)
	if string(r.Output) != `[{"id":1},{"id":2},{"id":3}]` || r.Fields["more"] != true {
		t.Errorf("%s %v", r.Output, r.Fields)
	}
	numbered := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if page(r) > 3 {
			fmt.Fprint(w, `{"data":[],"errors":[]}`)
			return
		}
		fmt.Fprintf(w, `{"data":%s,"errors":[]}`, items(page(r)))
	})
	r = call{all: true, record: map[string]any{"pages": map[string]any{"by": "page", "parameter": "page", "items": "data"}}}.do(t, numbered.URL)
	if string(r.Output) != want {
		t.Errorf("%d %q %s", r.Status, r.Message, r.Output)
	}
	cursor := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Query().Get("after"), "c&"))
		next := fmt.Sprintf(`"c&%d"`, n+1)
		if n == 2 {
			next = "null"
		}
		fmt.Fprintf(w, `{"items":%s,"meta":{"next":%s}}`, items(n+1), next)
	})
	r = call{all: true, record: map[string]any{"pages": map[string]any{"by": "cursor", "parameter": "after", "cursor": "meta.next"}}}.do(t, cursor.URL)
	if string(r.Output) != want {
		t.Errorf("%d %q %s", r.Status, r.Message, r.Output)
	}
}

func TestHostilePages(t *testing.T) {
	other := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "[]") })
	away := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Link", "<"+other.URL+`>; rel=next`)
		fmt.Fprint(w, `[1]`)
	})
	call{all: true, auth: map[string]any{}}.do(t, away.URL).want(t, 125, "another server")
	if len(other.asked()) != 0 {
		t.Error("the other server was asked")
	}
	circle := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Link", `</>; rel="next"`)
		fmt.Fprint(w, `[1]`)
	})
	call{all: true}.do(t, circle.URL+"/").want(t, 0, "")
	if len(circle.asked()) > 2 {
		t.Errorf("%d requests", len(circle.asked()))
	}
	endless := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", fmt.Sprintf(`</?n=%d>; rel="next"`, time.Now().UnixNano()))
		fmt.Fprint(w, `[1,2,3,4,5,6,7,8,9,10]`)
	})
	if r := (call{all: true, most: 50}.do(t, endless.URL)); r.Fields["items"] != 50 {
		t.Errorf("%v", r.Fields)
	}
	call{all: true, record: map[string]any{"method": "POST"}}.do(t, endless.URL).want(t, 125, "--all")
}

func TestValuesOfAResolver(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"items":[{"n":"a"},{"n":"b"},{"n":"a"},{"n":null},{"n":"x\ny"},{"n":3}]}`)
	})
	r := call{mode: surface.Values, ask: "api:shop.list#items[].n"}.do(t, s.URL)
	if r.raw != "a\nb\n3\n" {
		t.Errorf("%q %q", r.raw, r.Message)
	}
	call{mode: surface.Values, ask: "api:shop.list#items[].n", record: map[string]any{"method": "POST"}}.do(t, s.URL).want(t, 125, "that reads")
}

// TestFormsOfAnAnswer: what is asked for as lines or as CSV comes so.
func TestFormsOfAnAnswer(t *testing.T) {
	v, err := decode([]byte(`[{"id":9007199254740993,"name":"a,b","x":null},{"id":2,"name":"","y":[1]},3]`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := commas(v, false), "id,name,x,y,value\n9007199254740993,\"a,b\",,,\n2,\"\",,[1],\n,,,,3\n"; got != want {
		t.Errorf("CSV\n%s\nwant\n%s", got, want)
	}
	if got, want := inLines(v, false), `{"id":9007199254740993,"name":"a,b","x":null}`+"\n"+`{"id":2,"name":"","y":[1]}`+"\n3\n"; got != want {
		t.Errorf("lines\n%s\nwant\n%s", got, want)
	}
	if v, _ = decode([]byte(`[{"a":"\u001b[2Jx"}]`)); strings.Contains(commas(v, true), "\x1b") {
		t.Error("a terminal is steered")
	}
	for format, want := range map[string]string{"csv": "a\n\u001b[2Jx\n", "ndjson": `{"a":"\u001b[2Jx"}` + "\n"} {
		if got := look(200, JSONType, []byte(`[{"a":"\u001b[2Jx"}]`), nil, format, 0).text; got != want {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
	}
}
