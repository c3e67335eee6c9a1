package openapi

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/phrase"
	"github.com/tool-mapping-protocol/tmp/internal/surface/api"
)

func draftOf(t *testing.T, file string, o Options) (*Map, map[string]Operation) {
	t.Helper()
	m, err := Read(file, o)
	if err != nil {
		t.Fatal(err)
	}
	ops := map[string]Operation{}
	for _, op := range m.Operations {
		ops[op.ID] = op
	}
	return m, ops
}

// TestShop reads a document of 3.1 in several files.
func TestShop(t *testing.T) {
	m, ops := draftOf(t, "testdata/shop/openapi.yaml", Options{})
	if m.Tool != "shop" || m.Version != "2.4" || m.Origin.Licence != "MIT" || len(m.Operations) != 7 {
		t.Errorf("%s %s %s, %d operations", m.Tool, m.Version, m.Origin.Licence, len(m.Operations))
	}
	list := ops["shop.list_orders"]
	if want := "/orders?limit=<limit>&state=<state>&tags=<tags>&cursor=<cursor>"; list.API == nil || list.API.Path != want || list.API.Server != "https://eu.shop.example/v2" || list.API.Auth != "shop" {
		t.Fatalf("%+v", list.API)
	}
	if list.Risk != "low" || list.Effect != "network + read-only" || list.Approval != "" || list.API.Collections["tags"] != "csv" {
		t.Errorf("%+v", list)
	}
	limit, state := list.Parameters[0], list.Parameters[1]
	if limit.Type != "integer" || limit.Minimum != "1" || limit.Maximum != "100" || limit.Default != "20" || limit.Required || limit.Description != "How many" {
		t.Errorf("%+v", limit)
	}
	if words, _ := json.Marshal(state.Enum); string(words) != `["open","paid","sent"]` {
		t.Errorf("%s", words)
	}
	if p := list.API.Pages; p == nil || *p != (api.Pages{By: "cursor", Parameter: "cursor", Cursor: "next_cursor", Items: "data"}) {
		t.Errorf("%+v", p)
	}
	if !slices.Equal(list.OutputPolicy.Select, []string{"data[].id", "data[].state", "data[].created_at"}) {
		t.Errorf("%q", list.OutputPolicy.Select)
	}
	create := ops["shop.create_order"]
	if create.Risk != "high" || create.Effect != "network-write" || create.Approval != "required" || !create.API.BodyRequired {
		t.Errorf("%+v", create)
	}
	if want := `{"customer":"<body.customer>","priority":"<body.priority>","express":"<body.express>","lines":"<body.lines>"}`; string(create.API.Body) != want {
		t.Errorf("body %s", create.API.Body)
	}
	byName := map[string]Parameter{}
	for _, p := range create.Parameters {
		byName[p.Name] = p
	}
	if p := byName["body.customer"]; !p.Required || p.Format != "email" || p.Description != "such as ann@shop.example" {
		t.Errorf("%+v", p)
	}
	// A default of a body is not sent: what is not said stays as the server has it.
	if p := byName["body.priority"]; p.Required || p.Default != "" || p.Description != "default 3" {
		t.Errorf("%+v", p)
	}
	if p := byName["body.express"]; p.Type != "boolean" {
		t.Errorf("%+v", p)
	}
	if s := create.API.Schemas["body.lines"]; s == nil || s.Items == nil || !slices.Equal(s.Items.Required, []string{"sku"}) {
		t.Errorf("%+v", s)
	}
	if purge := ops["shop.purge_order"]; purge.Risk != "critical" || purge.Effect != "network-write + destructive" || !strings.HasPrefix(purge.Description, "Deprecated: ") {
		t.Errorf("%+v", purge)
	}
	if show := ops["shop.get_order"]; show.API.Auth != "" || show.API.Path != "/orders/<order_id>" || show.Parameters[0].Format != "uuid" || !show.Parameters[0].Required {
		t.Errorf("%+v", show)
	}
	attach := ops["shop.post_orders_order_id_attachments"]
	if attach.API.IdempotencyKey != "Idempotency-Key" || attach.API.Headers["X-Request-ID"] != "<x_request_id>" || len(attach.API.Headers) != 1 || attach.API.ContentType != "multipart/form-data" {
		t.Errorf("%+v", attach.API)
	}
	if again := ops["shop.list_orders_2"]; again.API == nil || again.API.ContentType != "application/xml" {
		t.Errorf("a clash: %+v", again)
	}
	var gaps []string
	for _, g := range m.Gaps {
		gaps = append(gaps, g.Text)
	}
	all := strings.Join(gaps, "\n")
	for _, want := range []string{
		"callbacks", "cookies are never sent", "application/xml", "oauth2", "has no host",
		"https://evil.example/params.yaml#/x is not followed: nothing is fetched", "etc/passwd is not followed",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no gap about %q in\n%s", want, all)
		}
	}
	if data, _ := json.Marshal(m); strings.Contains(string(data), "root:") {
		t.Error("a file from elsewhere is in the draft")
	}
}

func TestNames(t *testing.T) {
	for in, want := range map[string]string{"123": "op_123", "": "op", "ok": "ok"} {
		if got := name(in, "op", 60); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"Swagger Petstore - OpenAPI 3.0": "swagger_petstore", "GitHub v3 REST API": "git_hub", "The Shop API": "shop", "API": "api", "Kubernetes": "kubernetes",
	} {
		if got := toolName(in); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
}

func TestRates(t *testing.T) {
	for _, c := range []struct{ method, path, summary, risk, effect string }{
		{"GET", "/pets", "List pets", "low", "network + read-only"},
		{"GET", "/deployments", "List deployments that were deleted", "low", "network + read-only"},
		{"GET", "/pets/delete", "Remove by link", "high", "network-write"},
		{"GET", "/cache/reset", "", "high", "network-write"},
		{"POST", "/pets", "Add a pet", "high", "network-write"},
		{"POST", "/apps/deploy", "Deploy an app", "high", "network-write + deployment"},
		{"POST", "/cache", "Purge the cache", "critical", "network-write + destructive"},
		{"DELETE", "/pets/{id}", "Delete a pet", "high", "network-write + destructive"},
		{"DELETE", "/pets/{id}", "Permanently delete a pet", "critical", "network-write + destructive"},
	} {
		risk, effect := rate(&operation{method: c.method, path: c.path, summary: c.summary, name: "x"})
		if risk != c.risk || effect != c.effect {
			t.Errorf("%s %s %q: %s, %s", c.method, c.path, c.summary, risk, effect)
		}
	}
}

// specs are the documents that the library is tested with: it is in the module cache
// wherever this is built.
func specs(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/pb33f/libopenapi").Output()
	dir := filepath.Join(strings.TrimSpace(string(out)), "test_specs")
	if err != nil || !isDir(dir) {
		t.Skipf("the documents of the library are not there: %v", err)
	}
	return dir
}

func isDir(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.IsDir()
}

// methods counts the operations of a document as text: its lines that name a method of
// a path.
var methods = regexp.MustCompile(`(?m)^ {4}"?(?:get|put|post|delete|patch|head|options)"?:`)

// TestPublicDocuments imports public ones whole.
func TestPublicDocuments(t *testing.T) {
	dir := specs(t)
	for _, c := range []struct {
		file, format string
		operations   int // counted by another reader; 0 is not held
		id           string
	}{
		{"k8s.json", "swagger", 853, "x.list_core_v1_namespaced_pod"},
		{"stripe.yaml", "openapi", 494, "x.get_accounts"},
		{"asana.yaml", "openapi", 152, "x.get_task"},
		{"petstorev2.json", "swagger", 20, "x.find_pets_by_status"},
		{"burgershop.openapi.yaml", "openapi", 5, "x.create_burger"},
	} {
		began := time.Now()
		m, ops := draftOf(t, filepath.Join(dir, c.file), Options{Name: "x"})
		if m.Origin.Format != c.format || len(m.Operations) != c.operations || ops[c.id].API == nil {
			t.Errorf("%s: %s, %d operations, %s %v", c.file, m.Origin.Format, len(m.Operations), c.id, ops[c.id].API != nil)
		}
		valid(t, c.file, m)
		if took := time.Since(began); took > 10*time.Second {
			t.Logf("%s took %s", c.file, took)
		}
	}
	if data, err := os.ReadFile(filepath.Join(dir, "stripe.yaml")); err == nil {
		_, paths, _ := strings.Cut(string(data), "\npaths:")
		if n := len(methods.FindAllString(paths, -1)); n != 494 {
			t.Errorf("stripe.yaml has %d operations", n)
		}
	}
}

// valid holds all records to what a request is built of: every slot has a parameter,
// every parameter a place, and every ID is of its grammar.
func valid(t *testing.T, file string, m *Map) {
	t.Helper()
	id := regexp.MustCompile(`^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$`)
	seen := map[string]bool{}
	for _, op := range m.Operations {
		if !id.MatchString(op.ID) || len(op.ID) > 128 || seen[op.ID] || len(op.Intent) == 0 {
			t.Errorf("%s: ID %q, intents %q", file, op.ID, op.Intent)
		}
		seen[op.ID] = true
		if err := op.API.Check(); err != nil {
			t.Errorf("%s: %s: %v", file, op.ID, err)
		}
		set := map[string]string{}
		var params []api.Param
		names := map[string]bool{}
		for _, p := range op.Parameters {
			if names[p.Name] || !strings.Contains(op.API.Path+string(op.API.Body)+strings.Join(values(op.API.Headers), " "), "<"+p.Name+">") {
				t.Errorf("%s: %s: parameter %s", file, op.ID, p.Name)
			}
			names[p.Name] = true
			params = append(params, api.Param{Name: p.Name, Required: p.Required})
			if p.Required {
				set[p.Name] = "1"
			}
		}
		r := *op.API
		r.Server, r.Schemas = "https://x.example", nil
		var body []byte
		if r.BodyRequired {
			body = []byte("{}")
		}
		if r.ContentType == api.MultipartType {
			body = nil
			r.BodyRequired = false
		}
		if _, err := api.Build(&r, params, api.Values{Set: set, Body: body}); err != nil && !strings.Contains(err.Error(), "is missing") {
			t.Errorf("%s: %s: %v", file, op.ID, err)
		}
	}
}

func values(m map[string]string) []string {
	var out []string
	for _, v := range m {
		out = append(out, v)
	}
	return out
}

// packages is the directory of npm's packages that scripts/test.sh makes.
func packages() string {
	if dir := os.Getenv("TMP_TEST_API"); dir != "" {
		return dir
	}
	cache, _ := os.UserCacheDir()
	return filepath.Join(cache, "tmp-test/api")
}

// TestGitHub imports GitHub's document, of which npm has a copy: scripts/test.sh
// installs it.
func TestGitHub(t *testing.T) {
	file := filepath.Join(packages(), "node_modules/@octokit/openapi/generated/api.github.com.json")
	if _, err := os.Stat(file); err != nil {
		t.Skipf("npm's @octokit/openapi is not there, scripts/test.sh installs it: %v", err)
	}
	began := time.Now()
	m, ops := draftOf(t, file, Options{Name: "github"})
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
	if len(m.Operations) < 1000 || ops["github.issues_create"].API == nil || ops["github.repos_get"].API.Path != "/repos/<owner>/<repo>" {
		t.Errorf("%d operations", len(m.Operations))
	}
	valid(t, "GitHub", m)
}

func TestDocumentsThatAreNone(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"empty": "", "text": "hello", "list": "[1]", "other.yaml": "openapi: 4.0.0\npaths: {}", "no paths": `{"openapi":"3.0.0","info":{"title":"a","version":"1"},"paths":{}}`,
		"deep": `{"openapi":"3.0.0","info":{"title":"a","version":"1"},"paths":` + strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5001),
		"bomb": "openapi: 3.0.0\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\n" +
			"e: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e]\ng: &g [*f,*f,*f,*f,*f,*f,*f,*f]\nh: [*g,*g,*g,*g,*g,*g,*g,*g]\npaths: {}\n",
		"bytes": "openapi: 3.0.0\n\xff",
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if m, err := Read(file, Options{}); err == nil {
			t.Errorf("%s: %d operations", name, len(m.Operations))
		}
	}
}

// TestCirclesOfFiles reads files that refer to each other.
func TestCirclesOfFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.yaml": "openapi: 3.0.0\ninfo: {title: a, version: '1'}\npaths:\n  /x:\n    get:\n      responses:\n        '200': {description: ok, content: {application/json: {schema: {$ref: 'b.yaml#/B'}}}}\n",
		"b.yaml": "B:\n  type: object\n  properties:\n    c: {$ref: 'c.yaml#/C'}\n",
		"c.yaml": "C:\n  type: object\n  properties:\n    b: {$ref: 'b.yaml#/B'}\n    gone: {$ref: 'gone.yaml#/G'}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link.yaml")); err != nil {
		t.Fatal(err)
	}
	m, ops := draftOf(t, filepath.Join(dir, "a.yaml"), Options{})
	if ops["a.get_x"].API == nil || !strings.Contains(m.Gaps[len(m.Gaps)-1].Text, "it is not there") {
		t.Errorf("%+v", m)
	}
}

// TestSummariesOfOneWord: a summary that names no object is no intent: a map of it would
// be refused.
func TestSummariesOfOneWord(t *testing.T) {
	m, err := Parse([]byte(`{"openapi":"3.0.3","info":{"title":"Pets","version":"1"},"servers":[{"url":"https://x.example"}],"paths":{
		"/pets":{"get":{"operationId":"listPets","summary":"List","responses":{"200":{"description":"ok"}}},
		"post":{"operationId":"addPet","summary":"Do it now, please.","responses":{"200":{"description":"ok"}}}}}}`), "x.json", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range m.Operations {
		if len(op.Intent) == 0 {
			t.Errorf("%s has no intent", op.ID)
		}
		for _, words := range op.Intent {
			if phrase.Vague(phrase.Normalize(words)) {
				t.Errorf("%s: %q names no object", op.ID, words)
			}
		}
	}
}

// TestBoundsThatAreNotReached: an exclusive bound of an integer is the one inside it.
func TestBoundsThatAreNotReached(t *testing.T) {
	for _, c := range []struct{ version, schema, low, high string }{
		{"3.1.0", `{"type":"integer","exclusiveMinimum":3,"exclusiveMaximum":9}`, "4", "8"},
		{"3.1.0", `{"type":["integer","null"],"minimum":6,"exclusiveMinimum":3,"exclusiveMaximum":8.5,"maximum":7}`, "6", "7"},
		{"3.1.0", `{"type":"integer","exclusiveMinimum":-3.5,"exclusiveMaximum":-1}`, "-3", "-2"},
		{"3.1.0", `{"type":"number","exclusiveMinimum":0.5}`, "0.5", ""},
		{"3.0.3", `{"type":"integer","minimum":3,"exclusiveMinimum":true,"maximum":9,"exclusiveMaximum":false}`, "4", "9"},
	} {
		m, err := Parse([]byte(`{"openapi":"`+c.version+`","info":{"title":"Pets","version":"1"},"servers":[{"url":"https://x.example"}],"paths":{"/pets":{"get":{
			"operationId":"listPets","parameters":[{"name":"n","in":"query","schema":`+c.schema+`}],"responses":{"200":{"description":"ok"}}}}}}`), "x.json", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p := m.Operations[0].Parameters[0]; string(p.Minimum) != c.low || string(p.Maximum) != c.high {
			t.Errorf("%s: %s to %s, want %s to %s", c.schema, p.Minimum, p.Maximum, c.low, c.high)
		}
	}
}
