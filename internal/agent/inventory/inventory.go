// Package inventory puts together which tools there are behind the agent door and
// what one agent has of each: the door's own, those of the user's MCP servers as
// they were last listed, forged tools, and the operations of the map. It is pure.
package inventory

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/agent/conf"
	"github.com/tool-mapping-protocol/tmp/internal/agent/definition"
	"github.com/tool-mapping-protocol/tmp/internal/toolid"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Listing is what a server listed when it was last asked.
type Listing struct {
	Server string            `json:"server"`
	Origin []string          `json:"origin"` // the command's words or the URL
	At     string            `json:"at"`     // RFC 3339
	Tools  []definition.Tool `json:"tools"`
}

// Pinned is a definition that a person has seen and trusts.
type Pinned struct {
	ID   string          `json:"id"`
	Pin  string          `json:"pin"`
	At   string          `json:"at"` // RFC 3339
	Tool definition.Tool `json:"tool"`
}

// Operation is an operation of the map as far as its row needs it.
type Operation struct {
	ID, Description, Level string
	Plugin                 string // what a layer that is not ours is called, "" for core and system
	ReadOnly               bool
}

// Tool is a tool with its row and, for one of a server, its definition.
type Tool struct {
	Row        toolid.Row
	Subject    toolid.Subject
	Definition *definition.Tool // nil for our own and for operations
	Pin        string           // of the definition as it is listed now
	Trusted    *Pinned          // what was trusted, nil if nothing was
	Findings   []definition.Finding
	Server     string
}

// Parts are what an inventory is made of.
type Parts struct {
	Config     conf.Config
	Own        []toolid.Row // the door's own tools
	Listings   []Listing
	Pins       []Pinned
	Operations []Operation
	Look       bool // look through definitions for what a person should see
}

// Make puts an inventory together for one agent, sorted by ID.
func Make(p Parts, agent toolid.Agent) []Tool {
	var out []Tool
	for _, row := range p.Own {
		out = append(out, Tool{Row: row, Subject: toolid.Subject{ID: row.CanonicalID, Changes: changes[row.CanonicalID]}})
	}
	out = append(out, p.proxied()...)
	for _, op := range p.Operations {
		if t, ok := operation(op); ok {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b Tool) int { return strings.Compare(a.Row.CanonicalID, b.Row.CanonicalID) })
	for i := range out {
		out[i].Row.Exposure = toolid.Expose(out[i].Subject, agent, p.Config.StateMode)
	}
	return out
}

// changes are our own tools that can change something. tmp.call is none: what it
// calls is looked at by itself.
var changes = map[string]bool{"tmp.run": true}

// operation is the row of an operation of the map. One whose public ID the
// platform has reserved has none, nor has one that is no public ID.
func operation(op Operation) (Tool, bool) {
	id := toolid.Public(op.ID)
	if toolid.Reserved(id) != "" && !strings.HasPrefix(id, "tgp.") {
		return Tool{}, false
	}
	source := toolid.Builtin
	if op.Plugin != "" {
		source = toolid.Plugin
	}
	row, err := toolid.NewRow(id, source)
	if err != nil {
		return Tool{}, false
	}
	row.Description, row.Level, row.Plugin = definition.Clean(op.Description), op.Level, op.Plugin
	forged := strings.HasPrefix(id, "tgp.")
	if forged {
		row.Source, row.Plugin = toolid.Builtin, ""
	}
	return Tool{Row: row, Subject: toolid.Subject{ID: id, Operation: !forged, Changes: true}}, true
}

// proxied are the tools of the servers: those listed, and those that were trusted
// once and are listed no more.
func (p *Parts) proxied() []Tool {
	pins := map[string]*Pinned{}
	for i := range p.Pins {
		pins[p.Pins[i].ID] = &p.Pins[i]
	}
	var own, all []string
	for _, row := range p.Own {
		own = append(own, row.WireName, row.CanonicalID)
	}
	for _, l := range p.Listings {
		for _, t := range l.Tools {
			all = append(all, l.Server+"\x00"+t.Name)
		}
	}
	var out []Tool
	seen := map[string]bool{}
	for _, l := range p.Listings {
		server, declared := p.Config.Servers[l.Server]
		if !declared {
			continue
		}
		others := definition.Others{Server: l.Server, Own: own, Names: namesOfOthers(all, l.Server)}
		names := map[string]int{}
		for _, t := range l.Tools {
			names[t.Name]++
		}
		// What has no name of an ID comes last: it must not stand in the way of a tool
		// that has the name it is shown by.
		order := make([]int, 0, len(l.Tools))
		for _, fit := range [...]bool{true, false} {
			for i := range l.Tools {
				if (toolid.CheckPublic("mcp."+server.Name+"."+l.Tools[i].Name) == nil) == fit {
					order = append(order, i)
				}
			}
		}
		for _, i := range order {
			t := proxiedTool(&server, &l, i, names, pins)
			if p.Look {
				t.Findings = l.Tools[i].Findings(others)
			}
			if !seen[t.Row.CanonicalID] {
				seen[t.Row.CanonicalID] = true
				out = append(out, t)
			}
		}
	}
	out = append(out, p.missing(seen)...)
	apart(out)
	return out
}

// apart takes out tools that have one name on the wire: whoever calls it could get
// the other.
func apart(list []Tool) {
	first := map[string]int{}
	for i := range list {
		name := list[i].Row.WireName
		k, taken := first[name]
		if !taken {
			first[name] = i
			continue
		}
		list[i].fault(toolid.Duplicate, "its name on the wire, %s, is that of %s too", name, list[k].Row.CanonicalID)
		list[k].fault(toolid.Duplicate, "its name on the wire, %s, is that of %s too", name, list[i].Row.CanonicalID)
	}
}

func namesOfOthers(all []string, server string) []string {
	var out []string
	for _, s := range all {
		if of, name, _ := strings.Cut(s, "\x00"); of != server {
			out = append(out, name)
		}
	}
	return out
}

// proxiedTool is a tool of a server as it is listed now.
func proxiedTool(server *conf.Server, l *Listing, i int, names map[string]int, pins map[string]*Pinned) Tool {
	d := &l.Tools[i]
	id := "mcp." + server.Name + "." + d.Name
	t := Tool{Definition: d, Server: server.Name, Pin: d.Pin(l.Origin), Trusted: pins[id]}
	row, err := toolid.NewRow(id, toolid.MCP)
	if err != nil {
		// The row says what is wrong; the name is shown as text, never as an ID that works.
		row = toolid.Row{
			CanonicalID: "mcp." + server.Name + "." + safeName(d.Name), Family: "mcp", Group: toolid.Extension, Tier: toolid.Advanced,
			Visibility: "public", Lifecycle: toolid.LifecycleCanonical, Aliases: []string{}, Source: toolid.MCP,
		}
		row.WireName = toolid.WireName(row.CanonicalID)
		t.fault(toolid.BadName, "%q cannot be part of an ID", definition.Clean(d.Name))
	}
	t.Subject = toolid.Subject{ID: row.CanonicalID, Changes: !slices.Contains(server.ReadOnly, d.Name), Schema: t.Subject.Schema}
	row.Backing = &toolid.Server{ID: server.Name, Transport: server.Transport()}
	row.Description = definition.Clean(d.Description)
	row.Level = Level(d, server.Level[d.Name]).String()
	t.Row = row
	if names[d.Name] > 1 {
		t.fault(toolid.Duplicate, "%d tools of %s have this name", names[d.Name], server.Name)
	}
	if reason := d.SchemaFault(); reason != "" {
		t.fault(toolid.BadSchema, "%s", reason)
	}
	switch {
	case t.Trusted == nil:
		t.fault(toolid.Untrusted, "nobody has seen it: tmp tools trust %s", row.CanonicalID)
	case t.Trusted.Pin != t.Pin:
		t.fault(toolid.DefinitionChanged, "it is not what was trusted on %s: tmp tools diff %s", day(t.Trusted.At), row.CanonicalID)
	}
	return t
}

func day(at string) string { return at[:min(10, len(at))] }

func (t *Tool) fault(code, format string, args ...any) {
	t.Subject.Schema = append(t.Subject.Schema, toolid.Cause{Reason: toolid.DisabledBySchema, Code: code, Detail: fmt.Sprintf(format, args...)})
}

// safeName is a name that is no ID, as far as a row can show it.
func safeName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, name)
	if name == "" {
		return "_"
	}
	return name[:min(len(name), 64)]
}

// missing are trusted tools that their server lists no more, or whose server was
// never listed.
func (p *Parts) missing(seen map[string]bool) []Tool {
	var out []Tool
	for i := range p.Pins {
		pin := &p.Pins[i]
		server, _, _ := strings.Cut(strings.TrimPrefix(pin.ID, "mcp."), ".")
		s, declared := p.Config.Servers[server]
		row, err := toolid.NewRow(pin.ID, toolid.MCP)
		if seen[pin.ID] || !declared || err != nil {
			continue
		}
		row.Backing = &toolid.Server{ID: server, Transport: s.Transport()}
		row.Description, row.Level = definition.Clean(pin.Tool.Description), Level(&pin.Tool, s.Level[pin.Tool.Name]).String()
		t := Tool{Row: row, Subject: toolid.Subject{ID: pin.ID, Changes: true}, Definition: &pin.Tool, Trusted: pin, Server: server}
		t.fault(toolid.Missing, "%s lists it no more: tmp-agent refresh %s", server, server)
		out = append(out, t)
	}
	return out
}

// What makes a tool HIGH in its name: parts of words that no other word has, and
// whole words where one has ("droplet", "display", "payload").
var (
	dangerousParts = []string{"delete", "deleting", "deletion", "purge", "purging", "destroy", "destruct", "wipe", "wiping", "deploy"}
	dangerousWords = []string{"drop", "drops", "dropped", "dropping", "pay", "pays", "paying", "payment", "payments", "payout", "payouts"}
)

// Level is the level of a proxied tool: MEDIUM, or HIGH where its server says
// that it destroys or its name does; raised to what the user says ("high",
// "critical"). What a server says lowers nothing.
func Level(t *definition.Tool, raised string) tcpdb.Level {
	level := tcpdb.Medium
	var hints struct {
		Destructive *bool `json:"destructiveHint"`
	}
	if json.Unmarshal(t.Annotations, &hints) == nil && hints.Destructive != nil && *hints.Destructive || Dangerous(t.Name) {
		level = tcpdb.High
	}
	switch raised {
	case "high":
		level = max(level, tcpdb.High)
	case "critical":
		level = tcpdb.Critical
	}
	return level
}

// Dangerous reports whether a tool's name says that it deletes, deploys or pays:
// "delete_repo", "dropTable", "repo-purge", and not "display" or "payload".
func Dangerous(name string) bool {
	lower := strings.ToLower(name)
	for _, part := range dangerousParts {
		if strings.Contains(lower, part) {
			return true
		}
	}
	return slices.ContainsFunc(words(name), func(word string) bool { return slices.Contains(dangerousWords, word) })
}

// words are the words of a name in snake, kebab or camel case, in lower case.
func words(name string) []string {
	var out []string
	start := 0
	flush := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(name[start:end]))
		}
		start = end
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case c == '_' || c == '-' || c == '.' || c == ' ' || c == '/':
			flush(i)
			start = i + 1
		case c >= 'A' && c <= 'Z' && i > start && (!upper(name, i-1) || lower(name, i+1)): // "dropTable", "DROPTable"
			flush(i)
		}
	}
	flush(len(name))
	return out
}

func upper(s string, i int) bool { return s[i] >= 'A' && s[i] <= 'Z' }

func lower(s string, i int) bool { return i < len(s) && s[i] >= 'a' && s[i] <= 'z' }

// PublicID is the ID under which an operation has its row.
func PublicID(operation string) string { return toolid.Public(operation) }
