package toolid

import (
	"slices"
	"strings"
	"testing"
)

func TestCheckPublic(t *testing.T) {
	good := "read apply_patch codesearch artifact.describe memory.seed tool.location.get tool.location.place.create " +
		"tool.automation.schedule.pause tool.node.list tool.node.capability.get tool.desktop.wait-for tool.browser.navigate " +
		"tool.camera.capture-photo tool.audio.record tool.secret.copy-to-node-clipboard sandbox.current subagent.spawn " +
		"workboard.capture workboard.item.list mcp.github.search mcp.exa.web_search_exa mcp.a-b.Get.Thing tmp.resolve " +
		"tgp.reports.monthly.revenue acme.search cargo.run-bin"
	for id := range strings.FieldsSeq(good) {
		if err := CheckPublic(id); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	bad := "reader Read cargo.run_bin tool.fs.read tool.exec tool.http.fetch tool.location.put tool.x.y tool.desktop.a.b mcp.github mcp.github. " +
		"mcp.memory.seed mcp.GitHub.x mcp.a_b.x mcp.1a.x mcp.github.a/b artifact.a.b memory.a.b sandbox.a.b workboard.a.b.c " +
		".a a. a..b tmp tgp memory * acme.*"
	for id := range strings.FieldsSeq(bad) {
		if CheckPublic(id) == nil {
			t.Errorf("%s is taken for a public ID", id)
		}
	}
	if CheckPublic("mcp."+strings.Repeat("a", 33)+".x") == nil || CheckPublic("mcp.a."+strings.Repeat("x", 65)) == nil {
		t.Error("names beyond their bounds are taken")
	}
}

func TestDescribe(t *testing.T) {
	for id, want := range map[string]Facts{
		"read":                         {"read", Core, Default},
		"websearch":                    {"websearch", Retrieval, Default},
		"artifact.describe":            {"artifact", Core, Default},
		"memory.seed":                  {"memory", Memory, Default},
		"mcp.github.search":            {"mcp", Extension, Advanced},
		"tool.location.get":            {"tool.location", Node, Advanced},
		"tool.location.place.list":     {"tool.location.place", Environment, Advanced},
		"tool.automation.schedule.get": {"tool.automation.schedule", Environment, Advanced},
		"tool.node.capability.get":     {"tool.node", Node, Advanced},
		"workboard.item.list":          {"workboard", Orchestration, Advanced},
		"tmp.run":                      {"tmp", Core, Default},
		"tgp.a.b":                      {"tgp", Core, Default},
		"cargo.test":                   {"cargo", Extension, Advanced},
	} {
		if got, err := Describe(id); err != nil || got != want {
			t.Errorf("Describe(%s) = %v, %v; want %v", id, got, err, want)
		}
	}
}

func TestClassify(t *testing.T) {
	table := Table{Aliases: []Alias{
		{"board.list", "workboard.item.list", "1.2.0", "1.2.0", "1.3.0", "1.4.0"},
		{"board.get", "workboard.item.get", "1.2", "", "", ""},
	}}
	tests := []struct {
		input, at, plugin string
		status            Status
		canonical, repl   string
	}{
		{"read", "", "", Canonical, "read", ""},
		{"mcp.memory.seed", "", "", Deprecated, "memory.seed", "memory.seed"},
		{"mcp.memory.drop", "", "", Invalid, "", ""},
		{"tool.fs.read", "", "", LegacyInput, "read", "read"},
		{"tool.exec", "", "", LegacyInput, "bash", "bash"},
		{"tool.*", "", "", LegacyInput, "", "*"},
		{"tool.fs.*", "", "", LegacyInput, "", "read, write"},
		{"*", "", "", Wildcard, "", ""},
		{"tool.desktop.*", "", "", Wildcard, "", ""},
		{"mcp.github.*", "", "", Wildcard, "", ""},
		{"mcp.*", "", "", Wildcard, "", ""},
		{"tmp.*", "", "", Wildcard, "", ""},
		{"tool.nothing.*", "", "", Invalid, "", ""},
		{"mcp.memory.*", "", "", Invalid, "", "memory.*"},
		{"re*d", "", "", Invalid, "", ""},
		{"board.list", "", "", Deprecated, "workboard.item.list", "workboard.item.list"},
		{"board.list", "1.1", "", Canonical, "board.list", ""},
		{"board.list", "1.3.9", "", Deprecated, "workboard.item.list", "workboard.item.list"},
		{"board.list", "1.4", "", Retired, "", "workboard.item.list"},
		{"acme.search", "", "acme", Canonical, "acme.search", ""},
		{"acme.search", "", "other", Invalid, "", ""},
		{"read", "", "acme", Invalid, "", ""},
		{"tool.desktop.act", "", "tool", Invalid, "", ""},
		{"", "", "", Invalid, "", ""},
		{"Über.x", "", "", Invalid, "", ""},
	}
	text := func(p *string) string {
		if p == nil {
			return ""
		}
		return *p
	}
	for _, tt := range tests {
		c := Classify(tt.input, Question{table, tt.at, tt.plugin})
		if c.Status != tt.status || text(c.CanonicalID) != tt.canonical || text(c.Replacement) != tt.repl {
			t.Errorf("%q at %q for %q: %s %q %q, want %s %q %q", tt.input, tt.at, tt.plugin,
				c.Status, text(c.CanonicalID), text(c.Replacement), tt.status, tt.canonical, tt.repl)
		}
		if bad := c.Status == Invalid || c.Status == Retired; bad != (c.Error != nil) {
			t.Errorf("%q: error %v with status %s", tt.input, c.Error, c.Status)
		}
	}
	if c := Classify("board.get", Question{Table: table}); *c.Lifecycle != LifecycleAlias {
		t.Errorf("an alias without an end is %s", *c.Lifecycle)
	}
	if c := Classify("mcp.memory.seed", Question{}); *c.Lifecycle != LifecycleDeprecated {
		t.Errorf("mcp.memory.seed is %s", *c.Lifecycle)
	}
}

func TestLint(t *testing.T) {
	tests := []struct {
		name  string
		table []Alias
		want  []string
	}{
		{"sound", []Alias{{"a.b", "c.d", "1.0", "1.0", "1.1", "1.2"}, {"e.f", "c.d", "1.0", "", "", ""}}, nil},
		{"hop", []Alias{{ID: "a.b", Canonical: "c.d"}, {ID: "c.d", Canonical: "e.f"}}, []string{"one_hop"}},
		{"cycle", []Alias{{ID: "a.b", Canonical: "c.d"}, {ID: "c.d", Canonical: "a.b"}}, []string{"cycle", "cycle"}},
		{"both", []Alias{{ID: "read", Canonical: "memory.seed"}}, []string{"both_canonical_and_alias"}},
		{"twice", []Alias{{ID: "a.b", Canonical: "c.d"}, {ID: "a.b", Canonical: "e.f"}}, []string{"duplicate"}},
		{"grammar", []Alias{{ID: "A.b", Canonical: "c.d"}, {ID: "x.y", Canonical: "c_d.e"}}, []string{"grammar", "grammar"}},
		{"same minor", []Alias{{"a.b", "c.d", "1.0", "1.1.0", "1.1.1", "1.1.2"}}, []string{"window"}},
		{"no release between", []Alias{{"a.b", "c.d", "1.0", "1.0", "1.2", "1.2"}}, []string{"window"}},
		{"never alone", []Alias{{"a.b", "c.d", "1.0", "1.0", "", "1.2"}}, []string{"window"}},
		{"never migrated", []Alias{{"a.b", "c.d", "1.0", "", "1.1", "1.2"}}, []string{"window"}},
		{"next major", []Alias{{"a.b", "c.d", "1.9", "1.9", "1.9.1", "2.0"}}, nil},
	}
	for _, tt := range tests {
		var got []string
		for _, f := range (&Table{tt.table}).Lint() {
			got = append(got, f.Rule)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	own := Aliases()
	if got := own.Lint(); len(got) > 0 {
		t.Errorf("the platform's own table: %v", got)
	}
}

func TestExpose(t *testing.T) {
	agent := Agent{Key: "ci", Allow: []string{"read", "tmp.*", "mcp.github.*"}, Deny: []string{"mcp.github.drop"}, Operations: []string{"cargo.*"}}
	changed := []Cause{{DisabledBySchema, DefinitionChanged, "since 2026-11-01"}}
	tests := []struct {
		subject Subject
		mode    StateMode
		want    []string
	}{
		{Subject{ID: "read"}, Normal, nil},
		{Subject{ID: "grep"}, Normal, []string{"disabled_by_agent_allowlist"}},
		{Subject{ID: "tmp.run", Changes: true}, Normal, nil},
		{Subject{ID: "tmp.run", Changes: true}, ReadOnly, []string{"disabled_by_state_mode"}},
		{Subject{ID: "tmp.resolve"}, ReadOnly, nil},
		{Subject{ID: "tmp.resolve"}, Paused, []string{"disabled_by_state_mode"}},
		{Subject{ID: "mcp.github.drop", Changes: true, Schema: changed}, Paused, []string{"disabled_invalid_schema", "disabled_by_state_mode", "disabled_by_agent_allowlist"}},
		{Subject{ID: "mcp.gitlab.list"}, Normal, []string{"disabled_by_agent_allowlist"}},
		{Subject{ID: "cargo.test", Operation: true, Changes: true}, Normal, nil},
		{Subject{ID: "npm.test", Operation: true, Changes: true}, Normal, []string{"disabled_by_agent_allowlist"}},
	}
	for _, tt := range tests {
		e := Expose(tt.subject, agent, tt.mode)
		var got []string
		for _, c := range e.All {
			got = append(got, string(c.Reason))
		}
		if !slices.Equal(got, tt.want) || e.Enabled != (len(tt.want) == 0) {
			t.Errorf("%s, %s: %v %v, want %v", tt.subject.ID, tt.mode, e.Enabled, got, tt.want)
		}
		if want := append(tt.want, "enabled")[0]; string(e.Reason) != want || e.AgentKey != "ci" {
			t.Errorf("%s, %s: %s of %s, want %s", tt.subject.ID, tt.mode, e.Reason, e.AgentKey, want)
		}
	}
	// tool.location.* is a family of its own beside tool.location.place.
	if Selects("tool.location.*", "tool.location.place.list") || !Selects("tool.location.*", "tool.location.get") {
		t.Error("a family's selector covers another family")
	}
}

func TestWireName(t *testing.T) {
	if got := WireName("tmp.resolve"); got != "tmp_resolve" {
		t.Errorf("tmp.resolve is %s", got)
	}
	long := "mcp.server." + strings.Repeat("x", 60)
	got := WireName(long)
	if len(got) != 64 || got[:56] != strings.ReplaceAll(long, ".", "_")[:55]+"_" || got == WireName(long+"y") {
		t.Errorf("%s is %s", long, got)
	}
}
