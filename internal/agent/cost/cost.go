// Package cost plays a session of an agent with ten servers of thirty tools each
// behind the door, and gives the texts of it: what the agent would read if the
// tools were listed, and what it reads instead. No server is started; what they
// would list is invented (office.go).
package cost

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tool-mapping-protocol/tmp/internal/agent/conf"
	"github.com/tool-mapping-protocol/tmp/internal/agent/door"
	"github.com/tool-mapping-protocol/tmp/internal/agent/inventory"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/session"
)

// Play is a session that is open.
type Play struct {
	door   *door.Door
	client *mcp.ClientSession
	all    []*mcp.Tool
}

// Open makes a door in a directory of its own, which the caller removes.
func Open(ctx context.Context, dir string) (*Play, error) {
	var text strings.Builder
	text.WriteString("schema = 2\n[agent.ci]\nallow = [\"*\"]\n")
	for _, o := range office {
		fmt.Fprintf(&text, "[server.%s]\ncommand = [\"x\"]\n", o.server)
	}
	c, _, problems := conf.Read("agent.toml", text.String())
	if len(problems) > 0 {
		return nil, problems[0]
	}
	agent, _ := c.Agent("ci")
	vars := map[string]string{"HOME": dir, "TMP_STATE_DIR": filepath.Join(dir, "state"), "PATH": "/usr/bin:/bin", "TMP_AGENT_ID": "ci"}
	var environ []string
	for k, v := range vars {
		environ = append(environ, k+"="+v)
	}
	p := &Play{door: door.New(door.Options{
		Config: c, Agent: agent, Version: "benchmark", Te: "/bin/true", // te is part of the list
		Caller: session.Caller{
			Dir: dir, Account: vars["TMP_STATE_DIR"], Getenv: func(n string) string { return vars[n] }, Environ: environ,
			Now: time.Now, Who: gate.Agent, Agent: "ci",
		},
	})}
	if err := p.furnish(); err != nil {
		return nil, err
	}
	here, there := mcp.NewInMemoryTransports()
	if _, err := p.door.Server().Connect(ctx, there, nil); err != nil {
		return nil, err
	}
	var err error
	p.client, err = mcp.NewClient(&mcp.Implementation{Name: "benchmark", Version: "1"}, nil).Connect(ctx, here, nil)
	return p, err
}

// furnish records what the servers list, as trusted.
func (p *Play) furnish() error {
	var pins []inventory.Pinned
	for _, of := range office {
		l := inventory.Listing{Server: of.server, Origin: []string{"x"}, Tools: officeTools(of.keeper, of.things, of.verbs)}
		if err := p.door.Store().PutListing(l); err != nil {
			return err
		}
		for i := range l.Tools {
			t := &l.Tools[i]
			pins = append(pins, inventory.Pinned{ID: "mcp." + of.server + "." + t.Name, Pin: t.Pin(l.Origin), At: "2026-11-01T00:00:00Z", Tool: *t})
			p.all = append(p.all, &mcp.Tool{Name: t.Name, Description: t.Description, InputSchema: t.InputSchema})
		}
	}
	return p.door.Store().Pin(pins...)
}

// Close ends the session.
func (p *Play) Close() {
	_ = p.client.Close()
	p.door.Close()
}

// Listing is what a client hands a model of the servers' tools: their list as JSON.
func (p *Play) Listing() (string, error) {
	data, err := json.Marshal(p.all)
	return string(data), err
}

// Session is what an agent reads that uses four of the tools: the door's own
// list, and for each wish the search and the definition that it takes.
func (p *Play) Session(ctx context.Context) ([]string, error) {
	list, err := p.client.ListTools(ctx, nil)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(list.Tools)
	if err != nil {
		return nil, err
	}
	out := []string{string(data)}
	for _, w := range used {
		found, err := p.ask(ctx, map[string]any{"query": w.Text, "limit": 3})
		if err != nil {
			return nil, err
		}
		shown, err := p.ask(ctx, map[string]any{"id": w.Want})
		if err != nil {
			return nil, err
		}
		out = append(out, found, shown)
	}
	return out, nil
}

// Missed are the wishes whose words do not find their tool among the first three,
// each with what they find; all is how many wishes there are.
func (p *Play) Missed(ctx context.Context) (missed []string, all int, err error) {
	for _, list := range [...][]Wish{used, wishes} {
		for _, w := range list {
			all++
			found, err := p.ask(ctx, map[string]any{"query": w.Text, "limit": 3})
			if err != nil {
				return missed, all, err
			}
			if !strings.Contains(found, `"`+w.Want+`"`) {
				missed = append(missed, fmt.Sprintf("%s: %s is not in %s", w.Text, w.Want, found))
			}
		}
	}
	return missed, all, nil
}

func (p *Play) ask(ctx context.Context, arguments map[string]any) (string, error) {
	r, err := p.client.CallTool(ctx, &mcp.CallToolParams{Name: "tmp_tools", Arguments: arguments})
	if err != nil {
		return "", err
	}
	text, ok := r.Content[0].(*mcp.TextContent)
	if !ok || r.IsError {
		return "", fmt.Errorf("tmp_tools %v failed", arguments)
	}
	return text.Text, nil
}
