package door

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// serveHTTP serves a door with two declared agents; it returns its address.
func serveHTTP(t *testing.T, more string) string {
	t.Helper()
	w := newWorld(t, "good", "[agent.other]\nallow = [\"tmp.resolve\"]\n"+more)
	s := httptest.NewUnstartedServer(nil)
	s.Config.Handler = w.door.Handler(s.Listener.Addr().String(), "token")
	s.Start()
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

func TestHTTP(t *testing.T) {
	address := serveHTTP(t, "")
	_, port, _ := strings.Cut(address, ":")
	tests := []struct {
		name   string
		change func(*http.Request)
		body   string
		want   int
	}{
		{"as it should be", func(*http.Request) {}, hello, 200},
		{"no token", func(r *http.Request) { r.Header.Del("Authorization") }, hello, 401},
		{"a wrong token", func(r *http.Request) { r.Header.Set("Authorization", "Bearer tokem") }, hello, 401},
		{"the scheme in lower case", func(r *http.Request) { r.Header.Set("Authorization", "bearer token") }, hello, 200},
		{"the token in the query", func(r *http.Request) { r.Header.Del("Authorization"); r.URL.RawQuery = "token=token" }, hello, 401},
		{"another host", func(r *http.Request) { r.Host = "evil.example:" + port }, hello, 403},
		{"another port", func(r *http.Request) { r.Host = "localhost:1" }, hello, 403},
		{"localhost", func(r *http.Request) { r.Host = "localhost:" + port }, hello, 200},
		{"another origin", func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, hello, 403},
		{"no origin of a file", func(r *http.Request) { r.Header.Set("Origin", "null") }, hello, 403},
		{"its own origin", func(r *http.Request) { r.Header.Set("Origin", "http://localhost:"+port) }, hello, 200},
		{"no JSON", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, hello, 415},
		{"too large", func(*http.Request) {}, strings.Repeat("x", maxBody+1), 413},
		{"too large, of unknown length", func(r *http.Request) {
			r.ContentLength, r.Body = -1, io.NopCloser(strings.NewReader(strings.Repeat("x", maxBody+1)))
		}, "", 413},
	}
	for _, tt := range tests {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/mcp", strings.NewReader(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer token")
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		tt.change(r)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		_ = resp.Body.Close()
		if resp.StatusCode != tt.want || resp.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %d, want %d", tt.name, resp.StatusCode, tt.want)
		}
	}
}

func TestInventoryOverHTTP(t *testing.T) {
	address := serveHTTP(t, "")
	get := func(path string) (int, map[string]any) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer token")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		var v map[string]any
		if err := json.NewDecoder(bytes.NewReader(data)).Decode(&v); err != nil {
			t.Fatalf("%s: %s", path, data)
		}
		return resp.StatusCode, v
	}
	for path, want := range map[string]string{
		"/config/tools?execution_profile=x":     "reserved_selector",
		"/config/tools?conversation_kind=x":     "reserved_selector",
		"/context/tools?conversation_id=x":      "not_an_exposure_selector",
		"/context/tools?turn_id=x":              "not_an_exposure_selector",
		"/config/tools?agent=ci":                "unknown_selector",
		"/config/tools?agent_key=nobody":        "unknown_agent",
		"/context/tools?agent_key=nobody":       "unknown_agent",
		"/config/tools?agent_key=ci&profile=no": "unknown_selector",
	} {
		status, v := get(path)
		e, _ := v["error"].(map[string]any)
		if wantStatus := map[bool]int{true: 404, false: 400}[want == "unknown_agent"]; status != wantStatus || e["code"] != want {
			t.Errorf("%s: %d %v, want %s", path, status, v, want)
		}
	}
	status, v := get("/config/tools?agent_key=other")
	tools, _ := v["tools"].([]any)
	if status != 200 || v["agent_key"] != "other" || len(tools) < 7 {
		t.Fatalf("%d %v", status, v["agent_key"])
	}
	enabled := map[string]bool{}
	for _, row := range tools {
		r := row.(map[string]any)
		enabled[r["canonical_id"].(string)] = r["effective_exposure"].(map[string]any)["enabled"].(bool)
	}
	if !enabled["tmp.resolve"] || enabled["tmp.run"] {
		t.Errorf("other has %v", enabled)
	}
	_, v = get("/context/tools")
	if len(v) != 3 || v["v"] != 1.0 || v["agent_key"] != "ci" {
		t.Errorf("agent %v, v %v", v["agent_key"], v["v"])
	}
	for _, row := range v["tools"].([]any) {
		r := row.(map[string]any)
		if len(r) != 2 || r["canonical_id"] == "tmp.run" && r["enabled_by_agent"] != true {
			t.Errorf("%v", r)
		}
	}
}
