package inventory

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/agent/conf"
	"github.com/tool-mapping-protocol/tmp/internal/agent/definition"
	"github.com/tool-mapping-protocol/tmp/internal/toolid"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

var object = json.RawMessage(`{"type":"object"}`)

func config(t *testing.T, text string) conf.Config {
	t.Helper()
	c, _, problems := conf.Read("agent.toml", "schema = 2\n"+text)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return c
}

func TestMake(t *testing.T) {
	c := config(t, `[agent.ci]
allow = ["tmp.*", "mcp.a.*"]
operations = ["cargo.*"]
[server.a]
command = ["srv"]
read_only = ["get"]
level = {get = "critical"}
`)
	origin := []string{"srv"}
	get := definition.Tool{Name: "get", InputSchema: object}
	changed := definition.Tool{Name: "put", Description: "new", InputSchema: object}
	old := changed
	old.Description = "old"
	p := Parts{
		Config: c, Own: Own(false),
		Listings: []Listing{{Server: "a", Origin: origin, Tools: []definition.Tool{
			get, changed,
			{Name: "fresh", InputSchema: object},
			{Name: "twice", InputSchema: object},
			{Name: "twice", InputSchema: object},
			{Name: "bad name", InputSchema: object},
			{Name: "bad", InputSchema: json.RawMessage(`[]`)},
		}}, {Server: "gone", Tools: []definition.Tool{get}}},
		Pins: []Pinned{
			{ID: "mcp.a.get", Pin: get.Pin(origin), At: "2026-11-01T10:00:00Z", Tool: get},
			{ID: "mcp.a.put", Pin: old.Pin(origin), At: "2026-11-01T10:00:00Z", Tool: old},
			{ID: "mcp.a.lost", Pin: "0", At: "2026-11-01T10:00:00Z", Tool: definition.Tool{Name: "lost"}},
			{ID: "mcp.gone.get", Pin: "0"},
		},
		Operations: []Operation{
			{ID: "cargo.run_bin", Level: "LOW_RISK"},
			{ID: "npm.test", Level: "LOW_RISK"},
			{ID: "deploy.it", Level: "HIGH_RISK", Plugin: "project"},
			{ID: "artifact.publish_draft"},
			{ID: "release_candidate"},
		},
	}
	agent, _ := c.Agent("ci")
	got := map[string]string{}
	for _, tool := range Make(p, agent.Agent) {
		e := tool.Row.Exposure
		codes := []string{}
		for _, cause := range e.All {
			codes = append(codes, cause.Code)
		}
		got[tool.Row.CanonicalID] = string(e.Reason) + " " + strings.Join(codes, ",")
	}
	want := map[string]string{
		"tmp.resolve": "enabled ", "tmp.run": "enabled ", "tmp.complete": "enabled ", "tmp.check": "enabled ",
		"tmp.tools": "enabled ", "tmp.call": "enabled ", "tmp.output": "enabled ",
		"mcp.a.get":      "enabled ",
		"mcp.a.put":      "disabled_invalid_schema definition_changed",
		"mcp.a.fresh":    "disabled_invalid_schema untrusted",
		"mcp.a.twice":    "disabled_invalid_schema duplicate,untrusted",
		"mcp.a.bad_name": "disabled_invalid_schema bad_name,untrusted",
		"mcp.a.bad":      "disabled_invalid_schema bad_schema,untrusted",
		"mcp.a.lost":     "disabled_invalid_schema missing",
		"cargo.run-bin":  "enabled ",
		"npm.test":       "disabled_by_agent_allowlist not_allowed",
		"deploy.it":      "disabled_by_agent_allowlist not_allowed",
	}
	for id, w := range want {
		if got[id] != w {
			t.Errorf("%s: %q, want %q", id, got[id], w)
		}
	}
	for id := range got {
		if _, ok := want[id]; !ok {
			t.Errorf("%s has a row: %s", id, got[id])
		}
	}
	p.Config.StateMode = toolid.ReadOnly
	var stopped []string
	for _, tool := range Make(p, agent.Agent) {
		if tool.Row.Exposure.Reason == toolid.DisabledByStateMode {
			stopped = append(stopped, tool.Row.CanonicalID)
		}
	}
	if want := []string{"cargo.run-bin", "deploy.it", "npm.test", "tmp.run"}; !slices.Equal(stopped, want) {
		t.Errorf("read_only stops %v, want %v", stopped, want)
	}
}

// Two tools of one name on the wire are not told apart by who calls it; a tool
// without a name of an ID does not stand in the way of one that has its looks.
func TestCollisions(t *testing.T) {
	c := conf.Default()
	c.Servers["a"] = conf.Server{Name: "a", Command: []string{"x"}}
	object := json.RawMessage(`{"type":"object"}`)
	l := Listing{Server: "a", Origin: []string{"x"}}
	var pins []Pinned
	for _, name := range []string{"x y", "x_y", "p.q", "p_q", "alone"} {
		d := definition.Tool{Name: name, InputSchema: object}
		l.Tools = append(l.Tools, d)
		pins = append(pins, Pinned{ID: "mcp.a." + name, Pin: d.Pin(l.Origin), At: "2026-11-01T00:00:00Z", Tool: d})
	}
	got := map[string]string{}
	for _, tool := range Make(Parts{Config: c, Listings: []Listing{l}, Pins: pins}, toolid.Agent{Key: "ci", Allow: []string{"*"}}) {
		code := ""
		if e := tool.Row.Exposure; !e.Enabled {
			code = e.All[0].Code
		}
		got[tool.Row.CanonicalID] = code
	}
	want := map[string]string{"mcp.a.x_y": "", "mcp.a.p.q": "duplicate", "mcp.a.p_q": "duplicate", "mcp.a.alone": ""}
	if !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

func TestLevel(t *testing.T) {
	tests := []struct {
		name, annotations, raised string
		want                      tcpdb.Level
	}{
		{"search", ``, "", tcpdb.Medium},
		{"search", `{"readOnlyHint":true}`, "", tcpdb.Medium},
		{"search", `{"destructiveHint":true}`, "", tcpdb.High},
		{"search", `{"destructiveHint":false}`, "", tcpdb.Medium},
		{"delete_repo", `{"readOnlyHint":true,"destructiveHint":false}`, "", tcpdb.High},
		{"dropTable", ``, "", tcpdb.High},
		{"repo-purge", ``, "", tcpdb.High},
		{"payInvoice", ``, "", tcpdb.High},
		{"deploys", ``, "", tcpdb.High},
		{"payload_get", ``, "", tcpdb.Medium},
		{"DROPTable", ``, "", tcpdb.High},
		{"create_payment", ``, "", tcpdb.High},
		{"deletion", ``, "", tcpdb.High},
		{"softDeleteUser", ``, "", tcpdb.High},
		{"Autodeploy", ``, "", tcpdb.High},
		{"droplet_list", ``, "", tcpdb.Medium},
		{"replay", ``, "", tcpdb.Medium},
		{"display", ``, "", tcpdb.Medium},
		{"dropdown_list", ``, "", tcpdb.Medium},
		{"search", ``, "high", tcpdb.High},
		{"delete_repo", ``, "medium", tcpdb.High},
		{"search", ``, "critical", tcpdb.Critical},
	}
	for _, tt := range tests {
		d := definition.Tool{Name: tt.name, Annotations: json.RawMessage(tt.annotations)}
		if got := Level(&d, tt.raised); got != tt.want {
			t.Errorf("%s %s raised to %q: %s, want %s", tt.name, tt.annotations, tt.raised, got, tt.want)
		}
	}
}

func TestOwn(t *testing.T) {
	if n := len(Own(true)); n != len(own) {
		t.Errorf("%d of %d own tools have a row", n, len(own))
	}
	for _, row := range Own(true) {
		if row.Visibility != "public" || row.Source != toolid.Builtin || row.Description == "" || row.Group != toolid.Core {
			t.Errorf("%+v", row)
		}
	}
}

// Whoever adds a tool that agents are offered gives it a row, and says in the
// documents what it is.
func TestOwnIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range Own(true) {
		if !strings.Contains(string(text), "`"+row.WireName+"`") {
			t.Errorf("docs/agents.md says nothing of %s", row.WireName)
		}
	}
}
