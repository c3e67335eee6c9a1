// Package door is the MCP server that agents talk to. It offers the door's own
// tools, which answer as the command line does, and the tools of the user's other
// servers behind it: found by search, pinned, gated by risk, recorded, shortened.
// Nothing that a model, a client or a server says approves anything.
//
//   - door.go: the server and its list of tools
//   - dispatch.go: a call becomes a result or an error
//   - own.go: the tools of the door
//   - files.go: read, grep and glob by te
//   - proxied.go: the tools of other servers
//   - gate.go: what needs a person
//   - present.go: results as an agent gets them
//   - http.go: streamable HTTP on the loopback
package door

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tool-mapping-protocol/tmp/internal/agent/conf"
	"github.com/tool-mapping-protocol/tmp/internal/agent/inventory"
	"github.com/tool-mapping-protocol/tmp/internal/agent/store"
	"github.com/tool-mapping-protocol/tmp/internal/agent/upstream"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/internal/toolid"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Options are what a door is made of.
type Options struct {
	Config  conf.Config
	Agent   conf.Agent
	Caller  session.Caller // an agent's, in the project
	Version string
	Te      string // the program te, "" if it is not there
	Self    string // this program, which keeps the servers
	Keeper  []string
}

// Door is the server of one agent. Calls may come at once.
type Door struct {
	o       Options
	store   store.Store
	results *store.Results
	servers map[string]*upstream.Server
	server  *mcp.Server

	names []string    // of the servers, sorted
	view  *tcpdb.View // says what is a secret in the audit log

	mu     sync.Mutex
	stamp  string           // of the files that tools was read from
	tools  []inventory.Tool // the inventory without the map
	seen   map[string]bool  // servers whose listing has been compared since they started or changed
	direct []string         // names of the proxied tools that are listed now
}

// New makes a door. It starts no server and reads no listing of one.
func New(o Options) *Door {
	w := session.At(o.Caller)
	d := &Door{o: o, store: store.In(w.Paths.State), servers: map[string]*upstream.Server{}, seen: map[string]bool{}}
	d.names, d.view = slices.Sorted(maps.Keys(o.Config.Servers)), w.View
	d.results = d.store.NewResults(time.Now())
	world := &upstream.World{
		Getenv: o.Caller.Getenv, Dir: o.Caller.Dir, Self: o.Self, Keeper: o.Keeper, Version: o.Version,
		LogFile: d.store.LogFile, Changed: d.changed,
	}
	for name, c := range o.Config.Servers {
		d.servers[name] = upstream.New(c, world)
	}
	d.server = mcp.NewServer(&mcp.Implementation{Name: "tmp", Version: o.Version}, &mcp.ServerOptions{
		Instructions: "Say what you want to do to tmp_resolve; run it by tmp_run. Tools of other servers: tmp_tools, then tmp_call.",
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}},
	})
	d.server.AddReceivingMiddleware(d.receive)
	for _, t := range own() {
		if t.te && o.Te == "" || !d.exposed(toolid.Subject{ID: t.id, Changes: t.id == "tmp.run"}) {
			continue
		}
		d.server.AddTool(&mcp.Tool{
			Name: toolid.WireName(t.id), Description: inventory.Description(t.id), InputSchema: json.RawMessage(t.schema),
			Meta: mcp.Meta{"tmp/id": t.id},
		}, nothing)
	}
	if o.Agent.Expose == conf.Direct {
		d.list()
	}
	return d
}

// nothing is the handler of every tool: calls are taken before, by receive.
func nothing(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil }

// Server is the protocol's side of the door.
func (d *Door) Server() *mcp.Server { return d.server }

// Close ends the servers behind the door and forgets what was kept.
func (d *Door) Close() {
	var all sync.WaitGroup
	for _, s := range d.servers {
		all.Go(s.Close)
	}
	all.Wait()
	d.results.Close()
}

func (d *Door) exposed(s toolid.Subject) bool {
	return toolid.Expose(s, d.o.Agent.Agent, d.o.Config.StateMode).Enabled
}

// session opens the map for one call.
func (d *Door) session() (*session.Session, error) { return session.Open(d.o.Caller) }

// Inventory is all that there is, for this agent, as it was last listed; of the
// map only with a session.
func (d *Door) Inventory(w *session.Session) []inventory.Tool {
	if w == nil {
		return d.listed()
	}
	p := d.parts()
	p.Operations = Operations(w)
	return inventory.Make(p, d.o.Agent.Agent)
}

func (d *Door) parts() inventory.Parts {
	p := inventory.Parts{Config: d.o.Config, Own: inventory.Own(d.o.Te != "")}
	p.Listings, _ = d.store.Listings(d.names)
	p.Pins, _ = d.store.Pins() // without them nothing is trusted
	return p
}

// listed is the inventory without the map, read again only when a file of it has
// changed.
func (d *Door) listed() []inventory.Tool {
	stamp := d.store.Stamp(d.names)
	d.mu.Lock()
	defer d.mu.Unlock()
	if stamp != d.stamp || d.tools == nil {
		d.tools, d.stamp = inventory.Make(d.parts(), d.o.Agent.Agent), stamp
	}
	return d.tools
}

// Operations are the operations of a session's map, for an inventory.
func Operations(w *session.Session) []inventory.Operation {
	var out []inventory.Operation
	for _, op := range w.Operations() {
		o := inventory.Operation{ID: op.ID, Description: op.Description, Level: w.LeastLevel(&op).String(), ReadOnly: op.Effect == "read"}
		if op.Layer >= tcpdb.UserLayer {
			o.Plugin = op.Layer.String()
		}
		out = append(out, o)
	}
	return out
}

// changed hears that a server has other tools now: its next call compares them.
func (d *Door) changed(server string) {
	d.mu.Lock()
	delete(d.seen, server)
	d.mu.Unlock()
}

// list puts the enabled proxied tools into the list, and takes out those that
// are enabled no more. Clients hear of it.
func (d *Door) list() {
	var names []string
	for _, t := range d.Inventory(nil) {
		if t.Server == "" || !t.Row.Exposure.Enabled {
			continue
		}
		shown := t.Definition.Shown()
		names = append(names, t.Row.WireName)
		d.server.AddTool(&mcp.Tool{
			Name: t.Row.WireName, Title: shown.Title, Description: shown.Description, InputSchema: shown.InputSchema,
			Meta: mcp.Meta{"tmp/id": t.Row.CanonicalID},
		}, nothing)
	}
	d.mu.Lock()
	gone := slices.DeleteFunc(slices.Clone(d.direct), func(n string) bool { return slices.Contains(names, n) })
	d.direct = names
	d.mu.Unlock()
	if len(gone) > 0 {
		d.server.RemoveTools(gone...)
	}
}
