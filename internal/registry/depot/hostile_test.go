package depot

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
)

// quick makes silence short for a test.
func quick(t *testing.T) {
	t.Helper()
	old, oldAnswer := silence, answer
	silence, answer = 300*time.Millisecond, 3*time.Second
	t.Cleanup(func() { silence, answer = old, oldAnswer })
}

func server(t *testing.T, h http.HandlerFunc) (*httptest.Server, Depot) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	d, err := Open("oci:" + strings.TrimPrefix(s.URL, "http://") + "/acme/packs")
	if err != nil {
		t.Fatal(err)
	}
	return s, d
}

// artifact is a manifest with one layer, as a server gives it.
func artifact() (manifest Artifact, layer Descriptor, data []byte) {
	data = []byte(strings.Repeat("layer ", 1000))
	layer = Blob("application/x", data)
	return Pack("application/y", Empty.Descriptor, []Descriptor{layer}, nil), layer, data
}

// TestServersThatMisbehave: each is refused by its name, with the status that says
// whether trying again helps; and soon.
func TestServersThatMisbehave(t *testing.T) {
	quick(t)
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	m, layer, data := artifact()
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	serve := func(blob http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.Contains(r.URL.Path, "/manifests/"):
				w.Header().Set("Content-Type", m.Descriptor.MediaType)
				w.Header().Set("Docker-Content-Digest", m.Descriptor.Digest.String())
				w.Header().Set("Content-Length", fmt.Sprint(len(m.Data)))
				if r.Method == http.MethodGet {
					w.Write(m.Data)
				}
			case strings.Contains(r.URL.Path, "/blobs/"):
				blob(w, r)
			}
		}
	}
	for name, x := range map[string]struct {
		handler http.HandlerFunc
		code    fault.Code
		status  int
	}{
		"401": {status(401), fault.Denied, 1},
		"401 with basic": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			w.WriteHeader(401)
		}, fault.Denied, 1},
		"403": {status(403), fault.Denied, 1},
		"404": {status(404), fault.NotFound, 1},
		"429": {status(429), fault.Network, 75},
		"500": {status(500), fault.Network, 75},
		"503": {status(503), fault.Network, 75},
		"418": {status(418), fault.BadAnswer, 1},
		"HTML": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<html>Sign in</html>")
		}, fault.BadAnswer, 1},
		"silent":   {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, fault.Network, 75},
		"hangs up": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, fault.Network, 75},
		"half a blob": {serve(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(data)))
			w.Write(data[:100])
			panic(http.ErrAbortHandler)
		}), fault.Network, 75},
		"blob that stops": {serve(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(data)))
			w.Write(data[:100])
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}), fault.Network, 75},
		"another blob": {serve(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(strings.Repeat("lies! ", 1000))) }), fault.Altered, 1},
		"a blob of HTML": {serve(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<html>Sign in</html>")
		}), "", 1},
		"404 for the blob": {serve(status(404)), fault.NotFound, 1},
		"500 for the blob": {serve(status(500)), fault.Network, 75},
		"redirects for ever": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path+"x", http.StatusTemporaryRedirect)
		}, fault.BadAnswer, 1},
	} {
		t.Run(name, func(t *testing.T) {
			_, d := server(t, x.handler)
			start := time.Now()
			_, err := d.Resolve(context.Background(), "index")
			if err == nil {
				_, err = d.Fetch(context.Background(), layer, 1<<20)
			}
			var f *fault.Fault
			if f, _ = err.(*fault.Fault); f == nil || x.code != "" && f.Code != x.code || f.Status() != x.status {
				t.Errorf("%v, want %s and %d", err, x.code, x.status)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
	_, d := server(t, func(http.ResponseWriter, *http.Request) {})
	if _, err := d.Fetch(context.Background(), layer, 10); !fault.Is(err, fault.Altered) {
		t.Errorf("a blob that is too large: %v", err)
	}
	gone, d := server(t, func(http.ResponseWriter, *http.Request) {})
	gone.Close()
	if _, err := d.Resolve(context.Background(), "index"); !fault.Is(err, fault.Network) {
		t.Errorf("nobody listens: %v", err)
	}
}

// headers are what a server was sent.
type headers struct {
	mu  sync.Mutex
	got []string
}

func (h *headers) add(r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.got = append(h.got, r.Header.Get("Authorization")+r.Header.Get("Cookie")+r.URL.RawQuery)
	if user, word, ok := r.BasicAuth(); ok {
		h.got = append(h.got, user+word)
	}
	_ = r.ParseForm()
	for k, v := range r.PostForm {
		h.got = append(h.got, k+strings.Join(v, ""))
	}
}

func (h *headers) secret() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := strings.Join(h.got, " ")
	return strings.Contains(all, "s3cret") || strings.Contains(all, base64.StdEncoding.EncodeToString([]byte("ann:s3cret")))
}

// TestRedirectsLeaveCredentialsBehind: a blob lies elsewhere. It is fetched there, the
// credential stays; and what the other host asks for it does not get either.
func TestRedirectsLeaveCredentialsBehind(t *testing.T) {
	quick(t)
	_, layer, data := artifact()
	var stolen headers
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stolen.add(r)
		switch {
		case r.URL.Path == "/blob":
			w.Write(data)
		case r.URL.Path == "/token":
			fmt.Fprint(w, `{"token":"x"}`)
		default:
			w.Header().Set("WWW-Authenticate", `Bearer realm="http://`+r.Host+`/token",service="x",scope="y"`)
			w.WriteHeader(401)
		}
	}))
	defer evil.Close()
	for _, to := range []string{"/blob", "/ask"} {
		var own headers
		s, d := server(t, nil)
		s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			own.add(r)
			if user, word, ok := r.BasicAuth(); !ok || user != "ann" || word != "s3cret" {
				w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
				w.WriteHeader(401)
				return
			}
			http.Redirect(w, r, evil.URL+to, http.StatusTemporaryRedirect)
		})
		dir := t.TempDir()
		login(t, dir, strings.TrimPrefix(s.URL, "http://"))
		t.Setenv("DOCKER_CONFIG", dir)
		d, err := Open(d.Name())
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.Fetch(context.Background(), layer, 1<<20)
		if to == "/blob" && (err != nil || string(got) != string(data)) {
			t.Errorf("%s: %v", to, err)
		}
		if to == "/ask" && !fault.Is(err, fault.Denied) {
			t.Errorf("%s: %v", to, err)
		}
		if err != nil && strings.Contains(err.Error(), "s3cret") {
			t.Errorf("a secret in the error %v", err)
		}
		if !own.secret() {
			t.Errorf("%s: the registry itself got no credential", to)
		}
	}
	if stolen.secret() {
		t.Errorf("the other host got %q", stolen.got)
	}
}

// login is what docker login leaves.
func login(t *testing.T, dir, host string) {
	t.Helper()
	data, err := json.Marshal(map[string]any{"auths": map[string]any{host: map[string]string{"auth": base64.StdEncoding.EncodeToString([]byte("ann:s3cret"))}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.json"), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestNoCredentialInTheClear: to another machine no credential goes without encryption.
func TestNoCredentialInTheClear(t *testing.T) {
	r, err := http.NewRequest(http.MethodGet, "http://registry.example.com/v2/", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Basic x")
	if _, err := (guarded{nil}).RoundTrip(r); !fault.Is(err, fault.Denied) {
		t.Errorf("%v", err)
	}
	for host, want := range map[string]bool{"localhost:5000": true, "127.0.0.1": true, "[::1]:80": true, "registry.example.com": false, "127.0.0.1.example.com:80": false, "10.0.0.1:5000": false} {
		if got := loopback(host); got != want {
			t.Errorf("%s: %t", host, got)
		}
	}
}

func TestOpen(t *testing.T) {
	for name, ok := range map[string]bool{
		"dir:/srv/packs": true, "oci:ghcr.io/acme/packs": true, "oci:127.0.0.1:5000/x": true,
		"dir:packs": false, "dir:": false, "oci:": false, "oci:ghcr.io": false, "oci:ghcr.io/acme/packs:latest": false, "https://x/y": false, "x": false, "": false,
	} {
		if _, err := Open(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}
