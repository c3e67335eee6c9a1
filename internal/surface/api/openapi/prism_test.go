package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/surface"
	"github.com/tool-mapping-protocol/tmp/internal/surface/api"
)

// prism serves a document and holds every request to it, and gives its address.
func prism(t *testing.T, document string) string {
	t.Helper()
	program := filepath.Join(packages(), "node_modules/@stoplight/prism-cli/dist/index.js")
	node, err := exec.LookPath("node")
	if _, missing := os.Stat(program); err != nil || missing != nil {
		t.Skip("npm's @stoplight/prism-cli is not there: scripts/test.sh installs it")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_, port, _ := net.SplitHostPort(address)
	l.Close()
	cmd := exec.Command(node, program, "mock", "--errors", "--host", "127.0.0.1", "--port", port, document)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	for range 600 {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return "http://" + address
		}
		time.Sleep(200 * time.Millisecond)
	}
	t.Fatal("prism does not listen")
	return ""
}

// TestRequestsKeepToTheirDocument calls operations of a public document, whose server
// answers 422 to a request that is not what the document says.
func TestRequestsKeepToTheirDocument(t *testing.T) {
	document := filepath.Join(specs(t), "asana.yaml")
	server := prism(t, document)
	m, _ := draftOf(t, document, Options{Name: "asana"})
	called, good := 0, 0
	for _, op := range m.Operations {
		if op.API.ContentType == api.MultipartType {
			continue
		}
		r := *op.API
		r.Server, r.Auth = server, "asana"
		q := &surface.Request{Mode: surface.Run, Call: surface.Call{V: 1, Surface: surface.API, Operation: op.ID, Values: map[string]string{}}}
		var err error
		if q.Record, err = json.Marshal(r); err != nil {
			t.Fatal(err)
		}
		for _, p := range op.Parameters {
			q.Params = append(q.Params, surface.Param{
				Name: p.Name, Type: p.Type, Format: p.Format, Enum: words(p.Enum), Minimum: p.Minimum.String(), Maximum: p.Maximum.String(), Required: p.Required,
			})
			s := &api.Schema{Type: p.Type, Format: p.Format, Enum: p.Enum, Minimum: p.Minimum}
			if inner := r.Schemas[p.Name]; inner != nil {
				s.Items, s.Properties, s.Required = inner.Items, inner.Properties, inner.Required
			}
			if p.Required || !strings.HasPrefix(p.Name, "body.") && p.Type != "array" {
				q.Values[p.Name] = textual(sample(s))
			}
		}
		w := surface.World{Stdout: io.Discard, Getenv: func(name string) string { return map[string]string{"TOKEN": "secret-token"}[name] }, Config: map[string]any{"api": map[string]any{
			"asana": map[string]any{"type": "bearer", "from": "env:TOKEN", "hosts": []any{"127.0.0.1"}},
		}}}
		rep := api.Do(t.Context(), w, q)
		called++
		switch {
		case rep.Status == 0:
			good++
		case rep.HTTPStatus >= http.StatusInternalServerError: // prism has no example to answer with
		default:
			t.Errorf("%s: %d, HTTP %d, %s: %s", op.ID, rep.Status, rep.HTTPStatus, rep.Message, rep.Output)
		}
	}
	t.Logf("%d operations called, %d answered well", called, good)
	if called < 100 || good < 100 {
		t.Errorf("%d operations called, %d answered well", called, good)
	}
}

func words(enum []json.RawMessage) []string {
	var out []string
	for _, raw := range enum {
		text := string(raw)
		_ = json.Unmarshal(raw, &text)
		out = append(out, text)
	}
	return out
}

// sample is a value of a schema.
func sample(s *api.Schema) any {
	switch {
	case s == nil:
		return "x"
	case len(s.Enum) > 0:
		return s.Enum[0]
	}
	switch s.Type {
	case "integer", "number":
		if s.Minimum != "" {
			return s.Minimum
		}
		return 1
	case "boolean":
		return true
	case "array":
		return []any{sample(s.Items)}
	case "object":
		out := map[string]any{}
		for _, name := range s.Required {
			out[name] = sample(s.Properties[name])
		}
		return out
	}
	if text := map[string]string{
		"date": "2026-01-02", "date-time": "2026-01-02T03:04:05Z", "uuid": "00000000-0000-4000-8000-000000000000", "email": "a@b.example", "uri": "https://x.example/",
	}[s.Format]; text != "" {
		return text
	}
	return "12345"
}

// textual is a value as --set takes it.
func textual(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	var text string
	if json.Unmarshal(data, &text) == nil {
		return text
	}
	return string(data)
}
