package conf

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/toolid"
)

const whole = `schema = 2
state_mode = "read_only"
result_limit = 4000
origins = ["http://localhost:3000"]

[agent.ci]
allow = ["read", "mcp.github.*"]
deny = ["mcp.github.delete_repo"]
operations = ["cargo.*", "git.run_it"]
expose = "direct"
elicit = true

[server.github]
command = ["npx", "-y", "server-github"]
env = {TOKEN = "env:GITHUB_TOKEN", KEY = "file:/etc/key"}
cwd = "/srv"
start_timeout = "3s"
call_timeout = "1m30s"
max_result = "2MiB"
concurrency = 2
read_only = ["search"]
level = {create_issue = "high"}

[server.web]
url = "https://example.org/mcp"
headers = {Authorization = "env:WEB"}
`

func TestRead(t *testing.T) {
	c, warnings, problems := Read("agent.toml", whole)
	if len(warnings)+len(problems) > 0 {
		t.Fatal(warnings, problems)
	}
	if c.StateMode != toolid.ReadOnly || c.ResultLimit != 4000 || !slices.Equal(c.Origins, []string{"http://localhost:3000"}) {
		t.Errorf("top: %+v", c)
	}
	a, ok := c.Agent("ci")
	if !ok || a.Expose != Direct || !a.Elicit || !slices.Equal(a.Operations, []string{"cargo.*", "git.run-it"}) || !slices.Equal(a.Deny, []string{"mcp.github.delete_repo"}) {
		t.Errorf("agent: %+v", a)
	}
	s := c.Servers["github"]
	if s.StartTimeout != 3*time.Second || s.CallTimeout != 90*time.Second || s.MaxResult != 2<<20 || s.Concurrency != 2 || s.Dir != "/srv" ||
		s.Env["TOKEN"].Env != "GITHUB_TOKEN" || s.Env["KEY"].File != "/etc/key" || s.Level["create_issue"] != "high" || s.Transport() != "stdio" {
		t.Errorf("server: %+v", s)
	}
	if w := c.Servers["web"]; w.Transport() != "http" || w.CallTimeout != time.Minute || w.Headers["Authorization"].Env != "WEB" {
		t.Errorf("server over http: %+v", w)
	}
}

func TestDefaults(t *testing.T) {
	c, _, problems := Read("agent.toml", "")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	a, ok := c.Agent("default")
	if !ok || !slices.Equal(a.Allow, []string{"read", "grep", "glob", "tmp.*", "tgp.*"}) || !slices.Equal(a.Operations, []string{"*"}) || a.Expose != Search {
		t.Errorf("default: %v %+v", ok, a)
	}
	if _, ok := c.Agent("other"); ok {
		t.Error("an agent that nobody declared is one")
	}
}

func TestFaults(t *testing.T) {
	tests := []struct {
		name, text string
		line       int
		want       string
	}{
		{"no TOML", "schema = 2\n[agent", 2, ""},
		{"another schema", "\nschema = 3\n", 2, "want 2"},
		{"unknown", "schema = 2\nallow = []\n", 2, "unknown"},
		{"unknown of an agent", "schema = 2\n[agent.ci]\nallow=[]\nallows = []\n", 4, "unknown"},
		{"unknown of a server", "schema = 2\n[server.a]\ncommand=[\"x\"]\ntimeout=\"1s\"\n", 4, "unknown"},
		{"mode", "schema = 2\nstate_mode = \"off\"\n", 2, "normal, read_only, paused"},
		{"legacy", "schema = 2\n[agent.ci]\nallow = [\n  \"read\",\n  \"tool.fs.*\",\n]\n", 5, `write "read", "write"`},
		{"legacy deny", "schema = 2\n[agent.ci]\ndeny = [\"tool.exec\"]\n", 3, `write "bash"`},
		{"selector", "schema = 2\n[agent.ci]\nallow = [\"re*\"]\n", 3, "no selector"},
		{"server name", "schema = 2\n[server.memory]\ncommand=[\"x\"]\n", 2, "not memory"},
		{"server name", "schema = 2\n[server.A]\ncommand=[\"x\"]\n", 2, "want a name"},
		{"neither", "schema = 2\n[server.a]\nconcurrency = 2\n", 2, "want command or url"},
		{"both", "schema = 2\n[server.a]\ncommand=[\"x\"]\nurl=\"https://a/\"\n", 4, "want one of them"},
		{"plain http", "schema = 2\n[server.a]\nurl=\"http://example.org/\"\n", 3, "want https"},
		{"size", "schema = 2\n[server.a]\ncommand=[\"x\"]\nmax_result=\"8 pages\"\n", 4, "want a size"},
		{"time", "schema = 2\n[server.a]\ncommand=[\"x\"]\nstart_timeout=10\n", 4, "want a time"},
	}
	for _, tt := range tests {
		_, _, problems := Read("agent.toml", tt.text)
		if len(problems) != 1 || problems[0].Line != tt.line || !strings.Contains(problems[0].Error(), tt.want) {
			t.Errorf("%s: %v, want line %d: %s", tt.name, problems, tt.line, tt.want)
		}
	}
}

func TestSecretsAreRefusedUnprinted(t *testing.T) {
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ0123"
	for _, line := range []string{
		`env = {TOKEN = "` + secret + `"}`,
		`headers = {Authorization = "Bearer ` + secret + `"}`,
		`env = {TOKEN = 12}`,
		`env = {TOKEN = "file:relative"}`,
	} {
		head := "command = [\"x\"]\n"
		if strings.HasPrefix(line, "headers") {
			head = "url = \"https://a.example/\"\n"
		}
		_, _, problems := Read("agent.toml", "schema = 2\n[server.a]\n"+head+line)
		if len(problems) != 1 || strings.Contains(problems[0].Error(), secret) || problems[0].Line != 4 {
			t.Errorf("%s: %v", line, problems)
		}
	}
	for _, line := range []string{
		`command = ["x", "--token", "` + secret + `"]`,
		`url = "https://user:` + secret + `@a.example/"`,
	} {
		_, _, problems := Read("agent.toml", "schema = 2\n[server.a]\n"+line)
		if len(problems) == 0 || strings.Contains(problems[0].Error(), secret) {
			t.Errorf("%s: %v", line, problems)
		}
	}
}

func TestLegacyExpands(t *testing.T) {
	c, warnings, problems := Read("agent.toml", "[agent.ci]\nallow = [\"tool.*\", \"mcp.memory.seed\"]\ndeny = [\"tool.fs.*\"]\n")
	a := c.Agents["ci"]
	if len(problems) > 0 || len(warnings) != 3 || !slices.Equal(a.Allow, []string{"*", "memory.seed"}) ||
		!slices.Equal(a.Deny, []string{"read", "write", "edit", "apply_patch", "glob", "grep"}) {
		t.Errorf("%+v\n%v\n%v", a, warnings, problems)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(whole)
	f.Add("server = 1\nagent = []")
	f.Fuzz(func(t *testing.T, text string) { Read("agent.toml", text) })
}
