package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tool-mapping-protocol/tmp/internal/agent/inventory"
	"github.com/tool-mapping-protocol/tmp/internal/agent/store"
)

// packages is the node_modules in which scripts/test.sh has installed the clients
// and servers of testdata/npm; node is a program that is new enough for them.
func packages(t *testing.T) (modules, node string) {
	t.Helper()
	dir := os.Getenv("TMP_TEST_NPM")
	if dir == "" {
		cache := os.Getenv("XDG_CACHE_HOME")
		if cache == "" {
			home, err := os.UserHomeDir()
			if err != nil {
				t.Skip(err)
			}
			cache = filepath.Join(home, ".cache")
		}
		dir = filepath.Join(cache, "tmp-test", "npm")
	}
	want, err := os.ReadFile("testdata/npm/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "package-lock.json")); err != nil || !bytes.Equal(got, want) {
		t.Skipf("the npm packages of testdata/npm are not in %s: scripts/test.sh installs them", dir)
	}
	modules = filepath.Join(dir, "node_modules")
	if node = filepath.Join(modules, ".bin", "node"); !exists(node) {
		if node, err = exec.LookPath("node"); err != nil {
			t.Skip("there is no node")
		}
	}
	return modules, node
}

// abroad is a world with tmp-agent in it, as a program of its own.
func abroad(t *testing.T, config string) *world {
	t.Helper()
	w := newWorld(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, w.agent()); err != nil {
		t.Fatal(err)
	}
	w.vars["XDG_CONFIG_HOME"] = "" // what the caller has must not count
	w.write(filepath.Join(w.home, ".config/tmp/agent.toml"), config)
	return w
}

func (w *world) agent() string { return w.bin + "/tmp-agent" }

func (w *world) environ() []string {
	var out []string
	for k, v := range w.vars {
		out = append(out, k+"="+v)
	}
	return out
}

// output runs a program to its end and returns what it printed.
func (w *world) output(name string, args ...string) string {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = w.project, w.environ(), time.Second
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		w.t.Fatalf("%s %q: %v\n%s\n%s", name, args, err, out, errs.String())
	}
	return string(out)
}

// trustAll trusts what the servers list, as a person would.
func (w *world) trustAll() {
	w.t.Helper()
	w.output(w.agent(), "refresh")
	s := store.In(filepath.Join(w.home, ".local/state/tmp"))
	names, err := filepath.Glob(filepath.Join(w.home, ".local/state/tmp/agent/tools/*.json"))
	if err != nil || len(names) == 0 {
		w.t.Fatalf("nothing was listed: %v", err)
	}
	for _, name := range names {
		listings, problems := s.Listings([]string{strings.TrimSuffix(filepath.Base(name), ".json")})
		if len(problems) > 0 {
			w.t.Fatal(problems)
		}
		for _, l := range listings {
			for i := range l.Tools {
				p := inventory.Pinned{ID: "mcp." + l.Server + "." + l.Tools[i].Name, Pin: l.Tools[i].Pin(l.Origin), At: "2026-11-01T00:00:00Z", Tool: l.Tools[i]}
				if err := s.Pin(p); err != nil {
					w.t.Fatal(err)
				}
			}
		}
	}
}

// served is a tmp-agent that serves HTTP.
type served struct{ url, token string }

func (w *world) serve() served {
	w.t.Helper()
	cmd := exec.Command(w.agent(), "serve", "--http", "127.0.0.1:0")
	cmd.Dir, cmd.Env = w.project, w.environ()
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	var line struct {
		URL   string
		Token string `json:"token_file"`
	}
	if err := json.NewDecoder(out).Decode(&line); err != nil {
		w.t.Fatal(err)
	}
	return served{line.URL, strings.TrimSpace(w.read(line.Token))}
}

// The inspector lists and calls, over both transports.
func TestInspector(t *testing.T) {
	t.Parallel()
	modules, node := packages(t)
	w := abroad(t, "schema = 2\n")
	s := w.serve()
	inspector := []string{filepath.Join(modules, "@modelcontextprotocol/inspector/clients/launcher/build/index.js"), "--cli"}
	for name, to := range map[string][]string{
		"stdio": {w.agent(), "serve"},
		"http":  {s.url, "--transport", "http", "--header", "Authorization: Bearer " + s.token},
	} {
		var list struct{ Tools []struct{ Name string } }
		if err := json.Unmarshal([]byte(w.output(node, append(append(inspector[:2:2], to...), "--method", "tools/list")...)), &list); err != nil || len(list.Tools) < 7 {
			t.Errorf("%s: %v: %+v", name, err, list)
		}
		out := w.output(node, append(append(inspector[:2:2], to...), "--method", "tools/call", "--tool-name", "tmp_check", "--tool-arg", "line=rm -rf /")...)
		if !strings.Contains(out, "CRITICAL") {
			t.Errorf("%s: %s", name, out)
		}
	}
}

// The conformance suite tests the door as a server, and as the client that it is
// of others. It knows no token: a relay adds it.
func TestConformance(t *testing.T) {
	t.Parallel()
	modules, node := packages(t)
	suite := filepath.Join(modules, "@modelcontextprotocol/conformance/dist/index.js")
	t.Run("server", func(t *testing.T) {
		t.Parallel()
		w := abroad(t, "schema = 2\n")
		s := w.serve()
		target, err := url.Parse(s.url)
		if err != nil {
			t.Fatal(err)
		}
		relay := httptest.NewServer(nil)
		t.Cleanup(relay.Close)
		own := strings.TrimPrefix(relay.URL, "http://")
		_, port, _ := strings.Cut(own, ":")
		relay.Config.Handler = &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = "http", target.Host
			r.Out.Header.Set("Authorization", "Bearer "+s.token)
			if r.In.Host == own || r.In.Host == "localhost:"+port {
				r.Out.Host = target.Host // another one is a test of that header
			}
			if o := r.In.Header.Get("Origin"); o == "http://"+own || o == "http://localhost:"+port {
				r.Out.Header.Set("Origin", "http://"+target.Host)
			}
		}}
		for _, scenario := range []string{"server-initialize", "ping", "tools-list", "server-sse-multiple-streams", "dns-rebinding-protection"} {
			out := w.output(node, suite, "server", "--url", "http://localhost:"+port+"/mcp", "--scenario", scenario)
			if !strings.Contains(out, "0 failed") {
				t.Errorf("%s:\n%s", scenario, out)
			}
		}
	})
	t.Run("client", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		// The suite takes the command apart at blanks.
		command := filepath.Join(w.home, "conformance-client")
		if err := os.Symlink(self, command); err != nil {
			t.Fatal(err)
		}
		for _, scenario := range []string{"initialize", "tools_call"} {
			w.output(node, suite, "client", "--command", command, "--scenario", scenario) // fails where the client does
		}
	})
}

// conformanceClient puts the server at a URL behind the door, trusts what it lists
// and calls each tool with two numbers.
func conformanceClient(address string) error {
	home, err := os.MkdirTemp("", "tmp-conformance-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	config := filepath.Join(home, ".config/tmp/agent.toml")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(config, fmt.Appendf(nil, "schema = 2\n[agent.default]\nallow = [\"*\"]\n[server.it]\nurl = %q\n", address), 0o600); err != nil {
		return err
	}
	vars := map[string]string{"HOME": home, "PATH": os.Getenv("PATH")}
	env := Env{
		Stdout: os.Stdout, Stderr: os.Stderr, Getenv: func(n string) string { return vars[n] }, Environ: []string{"HOME=" + home},
		Version: "test", Dir: home, Self: os.Args[0], Account: func() string { return home },
	}
	d, err := env.open(&serving{}, true)
	if err != nil {
		return err
	}
	defer d.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if _, err := d.Refresh(ctx, "it"); err != nil {
		return err
	}
	here, there := mcp.NewInMemoryTransports()
	if _, err := d.Server().Connect(ctx, there, nil); err != nil {
		return err
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(ctx, here, nil)
	if err != nil {
		return err
	}
	for _, tool := range d.Inventory(nil) {
		if tool.Server == "" {
			continue
		}
		if err := d.Store().Pin(inventory.Pinned{ID: tool.Row.CanonicalID, Pin: tool.Pin, At: "2026-11-01T00:00:00Z", Tool: *tool.Definition}); err != nil {
			return err
		}
		r, err := client.CallTool(ctx, &mcp.CallToolParams{Name: tool.Row.CanonicalID, Arguments: map[string]any{"a": 2, "b": 3}})
		if err != nil {
			return err
		}
		if r.IsError {
			return fmt.Errorf("%s: %s", tool.Row.CanonicalID, r.Content[0].(*mcp.TextContent).Text)
		}
	}
	return nil
}

// The SDK that most clients are made of speaks to the door over both transports.
func TestSDK(t *testing.T) {
	t.Parallel()
	modules, node := packages(t)
	w := abroad(t, "schema = 2\n")
	s := w.serve()
	script, err := filepath.Abs("testdata/client.mjs")
	if err != nil {
		t.Fatal(err)
	}
	sdk := filepath.Join(modules, "@modelcontextprotocol/sdk/dist/esm")
	for name, to := range map[string][]string{"stdio": {w.agent(), w.home}, "http": {s.url, s.token}} {
		out := w.output(node, append([]string{script, sdk, name}, to...)...)
		var got struct {
			Server string
			Tools  []string
			Text   string
			Same   bool
			Code   string
			Wrong  int
		}
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
		if got.Server != "tmp" || len(got.Tools) < 7 || !strings.Contains(got.Text, `"level":"CRITICAL"`) || !got.Same || got.Code != "invalid_arguments" || got.Wrong != -32602 {
			t.Errorf("%s: %s", name, out)
		}
	}
}

// Two servers as people have them stand behind the door, for the library's own
// client.
func TestServersOfOthers(t *testing.T) {
	t.Parallel()
	modules, node := packages(t)
	quote := func(words ...string) string {
		data, err := json.Marshal(words)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	root := filepath.Join(modules, "@modelcontextprotocol")
	files, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := abroad(t, "schema = 2\n[agent.default]\nallow = [\"*\"]\n"+
		"[server.files]\ncommand = "+quote(node, root+"/server-filesystem/dist/index.js", files)+"\n"+
		"[server.all]\ncommand = "+quote(node, root+"/server-everything/dist/index.js", "stdio")+"\n")
	w.write(files+"/a.txt", "what stands in it\n")
	w.trustAll()
	cmd := exec.Command(w.agent(), "serve")
	cmd.Dir, cmd.Env = w.project, w.environ()
	progress := make(chan float64, 100)
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { progress <- r.Params.Progress },
	}).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	call := func(id, arguments string) *mcp.CallToolResult {
		t.Helper()
		params := &mcp.CallToolParams{Name: id, Arguments: json.RawMessage(arguments)}
		params.SetProgressToken(id)
		r, err := client.CallTool(t.Context(), params)
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		return r
	}
	text := func(r *mcp.CallToolResult) string { return r.Content[0].(*mcp.TextContent).Text }
	path := quote(files + "/a.txt")
	path = path[1 : len(path)-1]
	for _, tt := range []struct{ id, arguments, want string }{
		{"mcp.files.read_text_file", `{"path":` + path + `}`, "what stands in it"},
		{"mcp.files.list_directory", `{"path":` + quote(files)[1:len(quote(files))-1] + `}`, "[FILE] a.txt"},
		{"mcp.files.read_text_file", `{"path":"/etc/passwd"}`, "ccess denied"},
		{"mcp.files.read_text_file", `{"path":3}`, "invalid_arguments: "},
		{"mcp.all.echo", `{"message":"hello"}`, "hello"},
		{"mcp_all_get-sum", `{"a":2,"b":40}`, "42"},
		{"mcp.all.get-env", `{}`, `"PATH"`},
	} {
		if out := text(call(tt.id, tt.arguments)); !strings.Contains(out, tt.want) {
			t.Errorf("%s: %s", tt.id, out)
		}
	}
	if env := text(call("mcp.all.get-env", `{}`)); strings.Contains(env, "XDG_CONFIG_HOME") {
		t.Errorf("a variable passes: %s", env)
	}
	if r := call("mcp.all.get-tiny-image", `{}`); !hasImage(r) {
		t.Error("the image does not pass")
	}
	if r := call("mcp.all.trigger-long-running-operation", `{"duration":0.3,"steps":3}`); r.IsError || len(progress) < 2 {
		t.Errorf("%d notes of progress", len(progress))
	}
	if r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "mcp.all.trigger-sampling-request", Arguments: map[string]any{"prompt": "x"}}); err == nil && !r.IsError {
		t.Errorf("it is answered: %s", text(r))
	}
	if runtime.GOOS == "linux" {
		pids := below(cmd.Process.Pid)
		if len(pids) < 4 {
			t.Errorf("two servers and their keepers: %v", pids)
		}
		_ = cmd.Process.Kill() // it can tell nobody
		for _, pid := range pids {
			if !gone(pid) {
				t.Errorf("process %d is left", pid)
			}
		}
	}
}

func hasImage(r *mcp.CallToolResult) bool {
	for _, c := range r.Content {
		if i, ok := c.(*mcp.ImageContent); ok && i.MIMEType == "image/png" {
			return true
		}
	}
	return false
}

// below lists the processes under one (proc(5)).
func below(of int) []int {
	var out []int
	names, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", of))
	for _, name := range names {
		data, _ := os.ReadFile(name)
		for field := range strings.FieldsSeq(string(data)) {
			var pid int
			if _, err := fmt.Sscan(field, &pid); err == nil {
				out = append(append(out, pid), below(pid)...)
			}
		}
	}
	return out
}

// gone waits until a process has ended.
func gone(pid int) bool {
	for range 250 {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(data), ") Z ") {
			return true
		}
		time.Sleep(20 * time.Millisecond)
	}
	return false
}
