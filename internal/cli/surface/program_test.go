package surface_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/place"
)

var built struct {
	once sync.Once
	dir  string
	err  error
}

func TestMain(m *testing.M) {
	status := m.Run()
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
	os.Exit(status)
}

// programs builds tmp and tmp-surface, once.
func programs(t *testing.T) string {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "tmp-surface-test-"); built.err != nil {
			return
		}
		cmd := exec.Command("go", "build", "-o", built.dir+"/", "../../../cmd/tmp", "../../../cmd/tmp-surface")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("%w: %s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.dir
}

const token = "t0p-s3cret/+value"

// home is a person's home with a map, what is set up for it, and the programs.
type home struct {
	t   *testing.T
	dir string
	env []string
}

func newHome(t *testing.T) *home {
	t.Helper()
	bin := programs(t)
	h := &home{t: t, dir: t.TempDir()}
	h.env = []string{"HOME=" + h.dir, "PATH=" + bin + ":/usr/bin:/bin", "SHOP_TOKEN=" + token, "TMP_CEILING_DIRECTORIES=" + filepath.Dir(h.dir)}
	return h
}

func (h *home) write(name, text string) string {
	h.t.Helper()
	file := filepath.Join(h.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
	return file
}

func (h *home) getenv(name string) string {
	for _, pair := range h.env {
		if n, v, _ := strings.Cut(pair, "="); n == name {
			return v
		}
	}
	return ""
}

// reviewed records that a person has read a map of the home, and compiles it.
func (h *home) reviewed(file string) {
	h.t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		h.t.Fatal(err)
	}
	s, problems := opmap.Parse(file, data, opmap.KnownResolvers())
	if err := problems.Err(); err != nil {
		h.t.Fatal(err)
	}
	store := machine.Evidence(place.Find(h.getenv), h.getenv, "")
	for _, op := range s.Operations {
		if err := store.Add(s, op, opmap.Proof{Kind: "human_review", By: "ann", Date: time.Now()}); err != nil {
			h.t.Fatal(err)
		}
	}
	if out, status := h.tmp("compile"); status != 0 {
		h.t.Fatalf("tmp compile: %d %s", status, out)
	}
}

// tmp runs tmp in the home and gives what it prints.
func (h *home) tmp(args ...string) (string, int) {
	h.t.Helper()
	out, errs, status := h.apart(args...)
	return out + errs, status
}

// apart is tmp with standard error for itself.
func (h *home) apart(args ...string) (stdout, stderr string, status int) {
	h.t.Helper()
	cmd := exec.Command(filepath.Join(programs(h.t), "tmp"), args...)
	cmd.Dir, cmd.Env = h.dir, h.env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		status = exit.ExitCode()
	} else if err != nil {
		h.t.Fatal(err)
	}
	if strings.Contains(out.String()+errs.String(), token) {
		h.t.Errorf("tmp %q shows the secret: %s%s", args, out.String(), errs.String())
	}
	return out.String(), errs.String(), status
}

// envelope is what tmp run --json says.
type envelope struct {
	ExitStatus int             `json:"exit_status"`
	Started    bool            `json:"started"`
	Success    bool            `json:"success"`
	HTTPStatus int             `json:"http_status"`
	Output     json.RawMessage `json:"output"`
	Error      *struct{ Code, Message string }
	RawOutput  struct{ Path string } `json:"raw_output"`
}

func (h *home) run(args ...string) (envelope, int) {
	h.t.Helper()
	out, _, status := h.apart(append([]string{"run", "--json"}, args...)...)
	var e envelope
	if err := json.Unmarshal([]byte(out), &e); err != nil {
		h.t.Fatalf("%q: %v: %s", args, err, out)
	}
	return e, status
}

// noSecret looks through all that was kept.
func (h *home) noSecret() {
	h.t.Helper()
	files := 0
	err := filepath.WalkDir(h.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if files++; bytes.Contains(data, []byte(token)) {
			h.t.Errorf("the secret is in %s", name)
		}
		return nil
	})
	if err != nil || files < 5 {
		h.t.Errorf("%d files: %v", files, err)
	}
}

// shop is the server; it repeats whatever it is told.
func shop(t *testing.T) (*httptest.Server, *[]string) {
	t.Helper()
	var mu sync.Mutex
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		asked = append(asked, r.Method+" "+r.URL.String()+" "+r.Header.Get("Authorization")+" "+string(body))
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/orders":
			fmt.Fprint(w, `[{"id":1,"state":"open","x":{"y":1}},{"id":2,"state":"paid","x":{}}]`)
		case "/missing":
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprintf(w, `{"title":"No such order","detail":"%s"}`, r.Header.Get("Authorization"))
		case "/away":
			http.Redirect(w, r, "http://localhost:1/", http.StatusFound)
		case "/slow":
			time.Sleep(3 * time.Second)
		default:
			_ = json.NewEncoder(w).Encode(map[string]any{"headers": r.Header, "url": r.URL.String(), "body": string(body)})
		}
	}))
	t.Cleanup(s.Close)
	return s, &asked
}

func (h *home) shopMap(server string) {
	h.t.Helper()
	h.write(".config/tmp/config.toml", "[api.shop]\ntype = \"bearer\"\nfrom = \"env:SHOP_TOKEN\"\nhosts = [\"127.0.0.1\"]\n\n[api.other]\ntype = \"bearer\"\nfrom = \"env:SHOP_TOKEN\"\nhosts = [\"api.example.org\"]\n")
	op := func(id, method, path, more string) string {
		effect := map[string]string{"GET": "network + read-only"}[method]
		risk := "low"
		if effect == "" {
			effect, risk = "network-write", "medium"
		}
		return fmt.Sprintf(`{"id":"shop.%s","surface":"api","intent":["%s of the shop"],"effect":%q,"risk":%q,"api":{"server":%q,"method":%q,"path":%q,"auth":"shop"%s`,
			id, strings.ReplaceAll(id, "_", " "), effect, risk, server, method, path, more)
	}
	h.reviewed(h.write(".config/tmp/schemas/shop.json", `{"operations":[`+strings.Join([]string{
		op("list_orders", "GET", "/orders?limit=<limit>&state=<state>", `},"parameters":[{"name":"limit","type":"integer","minimum":1,"maximum":10},{"name":"state","enum":["open","paid"]}],"output_policy":{"mode":"json","select":["id","state"]}}`),
		op("show_order", "GET", "/echo/<order>", `,"headers":{"X-Note":"<note>"}},"parameters":[{"name":"order","required":true},{"name":"note"}]}`),
		op("missing", "GET", "/missing", "}}"),
		op("away", "GET", "/away", "}}"),
		op("slow", "GET", "/slow", "}}"),
		op("create", "POST", "/echo", `,"body":{"customer":"<body.customer>","count":"<body.count>"}},"parameters":[{"name":"body.customer","required":true,"format":"email"},{"name":"body.count","type":"integer"}]}`),
		strings.Replace(op("wrong_host", "GET", "/echo", "}}"), `"auth":"shop"`, `"auth":"other"`, 1),
	}, ",")+`]}`))
}

func TestOperationsOfAnAPI(t *testing.T) {
	server, asked := shop(t)
	h := newHome(t)
	h.shopMap(server.URL)

	e, status := h.run("shop.list_orders", "--set", "limit=2")
	if status != 0 || e.HTTPStatus != 200 || !e.Success || compact(e.Output) != `[{"id":1,"state":"open"},{"id":2,"state":"paid"}]` {
		t.Errorf("%d %+v %s", status, e, e.Output)
	}
	if raw, err := os.ReadFile(e.RawOutput.Path); err != nil || !strings.Contains(string(raw), `"x":{"y":1}`) {
		t.Errorf("raw output %q %v", raw, err)
	}
	if !slices.Contains(*asked, "GET /orders?limit=2 Bearer "+token+" ") {
		t.Errorf("the server was asked %q", *asked)
	}
	if out, status := h.tmp("run", "list orders of the shop"); status != 0 || !strings.Contains(out, "id  state\n1   open\n2   paid\n") {
		t.Errorf("%d %s", status, out)
	}

	for _, c := range []struct {
		status int
		code   string
		text   string
		args   []string
	}{
		{22, "http_error", "No such order: Bearer $SHOP_TOKEN", []string{"shop.missing"}},
		{125, "refused", "loopback", []string{"shop.away"}},
		{125, "refused", "not for 127.0.0.1", []string{"shop.wrong_host"}},
		{124, "timeout", "", []string{"shop.slow", "--timeout", "300ms"}},
		{125, "missing_parameter", "query limit: 11 is more than 10", []string{"shop.list_orders", "--set", "limit=11"}},
		{125, "missing_parameter", "query state", []string{"shop.list_orders", "--set", "state=gone"}},
		{125, "missing_parameter", "nope", []string{"shop.list_orders", "--set", "nope=1"}},
		{125, "missing_parameter", "path order", []string{"shop.show_order"}},
		{125, "missing_parameter", "path order: would lead to another path", []string{"shop.show_order", "--set", "order=.."}},
		{125, "missing_parameter", "header X-Note note", []string{"shop.show_order", "--set", "order=1", "--set", "note=a\r\nEvil: 1"}},
		{125, "missing_parameter", "body body.customer", []string{"shop.create", "--set", "body.customer=ann"}},
		{125, "missing_parameter", "other: is unknown", []string{"shop.create", "--body", h.write("body.json", `{"customer":"a@b.example","other":1}`)}},
	} {
		e, status := h.run(c.args...)
		if status != c.status || e.ExitStatus != c.status || e.Error == nil || e.Error.Code != c.code || !strings.Contains(e.Error.Message, c.text) {
			t.Errorf("%q: %d %+v, want %d, %s and %q", c.args, status, e.Error, c.status, c.code, c.text)
		}
	}
	n := len(*asked)
	out, status := h.tmp("run", "shop.create", "--set", "body.customer=ann@shop.example", "--set", "count=3", "--dry-run")
	for _, want := range []string{"POST " + server.URL + "/echo", "Authorization: Bearer $SHOP_TOKEN", `{"count":3,"customer":"ann@shop.example"}`, "curl "} {
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("%d: no %q in %s", status, want, out)
		}
	}
	if len(*asked) != n {
		t.Error("a dry run asks the server")
	}
	if e, status = h.run("shop.create", "--body", h.write("body.json", `{"customer":"a@b.example","count":1}`)); status != 0 || !strings.Contains((*asked)[n], `{"count":1,"customer":"a@b.example"}`) {
		t.Errorf("%d %q", status, *asked)
	}
	if e, status = h.run("shop.show_order", "--set", "order=a/../b?c#d", "--set", "note=n"); status != 0 || !strings.Contains(string(e.Output), `/echo/a%2F..%2Fb%3Fc%23d`) {
		t.Errorf("%d %s", status, e.Output)
	}
	h.noSecret()
}

func compact(data []byte) string {
	var out bytes.Buffer
	if json.Compact(&out, data) != nil {
		return string(data)
	}
	return out.String()
}

const petDocument = `openapi: 3.0.3
info: {title: Pets API, version: "1"}
paths:
  /pets:
    get:
      operationId: listPets
      summary: List pets
      parameters: [{name: perPage, in: query, schema: {type: integer, maximum: 5}}]
      responses: {"200": {description: ok}}
    post:
      operationId: createPet
      summary: Add a pet
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}, kind: {type: string, enum: [cat, dog]}}}}}}
      responses: {"201": {description: ok}}
`

func TestImportOfADocument(t *testing.T) {
	server, _ := shop(t)
	h := newHome(t)
	document := h.write("pets.yaml", petDocument)
	out, _, status := h.apart("schema", "import", document, "--server", server.URL, "--json")
	var done struct {
		Tool, File string
		Written    bool
		Operations int
	}
	if err := json.Unmarshal([]byte(out), &done); err != nil || status != 0 || done.Tool != "pets" || !done.Written || done.Operations != 2 {
		t.Fatalf("%d %v %s", status, err, out)
	}
	if _, status := h.run("pets.list_pets"); status != 125 {
		t.Errorf("a draft runs: %d", status)
	}
	if out, _ := h.tmp("complete", "--json", "--", "tmp", "run", "pets.create_pet", "--set", "body.kind="); !strings.Contains(out, `"body.kind=dog"`) {
		t.Errorf("completes %s", out)
	}
	h.reviewed(done.File)
	if e, status := h.run("pets.list_pets", "--set", "perPage=3"); status != 0 || !strings.Contains(string(e.Output), "/pets?perPage=3") {
		t.Errorf("%d %s %+v", status, e.Output, e.Error)
	}
	if out, status := h.tmp("run", "pets.create_pet", "--set", "name=rex", "--set", "kind=cow", "--dry-run"); status != 125 || !strings.Contains(out, "body body.kind") {
		t.Errorf("%d %s", status, out)
	}
	if out, status := h.tmp("run", "pets.create_pet", "--set", "name=rex", "--dry-run"); status != 0 || !strings.Contains(out, "HIGH_RISK") || !strings.Contains(out, "ask") {
		t.Errorf("%d %s", status, out)
	}
	// Again, and then over edits.
	if out, status := h.tmp("schema", "import", document); status != 0 {
		t.Errorf("%d %s", status, out)
	}
	data, err := os.ReadFile(done.File)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(data), "List pets", "List my pets", 1)
	if err := os.WriteFile(done.File, []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, status := h.tmp("schema", "import", document); status == 0 || !strings.Contains(out, "edited") {
		t.Errorf("%d %s", status, out)
	}
	if now, _ := os.ReadFile(done.File); string(now) != edited {
		t.Error("an edit is lost")
	}
}
