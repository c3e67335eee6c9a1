package door

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tool-mapping-protocol/tmp/internal/agent/conf"
	"github.com/tool-mapping-protocol/tmp/internal/agent/definition"
	"github.com/tool-mapping-protocol/tmp/internal/agent/inventory"
	"github.com/tool-mapping-protocol/tmp/internal/agent/store"
	"github.com/tool-mapping-protocol/tmp/internal/agent/upstream"
)

// rawArguments are the bytes of the member "arguments" of a call of tmp_call.
func rawArguments(call json.RawMessage) json.RawMessage {
	var in struct {
		Arguments json.RawMessage `json:"arguments"`
	}
	_ = json.Unmarshal(call, &in) // it has been decoded before
	return in.Arguments
}

// proxied calls a tool of another server: if it is trusted as it is now, and
// there for this agent, and lets itself be called without a person or with one's yes.
func (c *call) proxied(ctx context.Context, t *inventory.Tool, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	d := c.door
	if !t.Row.Exposure.Enabled {
		c.audit(t, arguments, refusedCall, "", string(t.Row.Exposure.Reason))
		return nil, hidden(t.Row.CanonicalID, t.Row.Exposure)
	}
	if len(bytes.TrimSpace(arguments)) == 0 || string(bytes.TrimSpace(arguments)) == "null" {
		arguments = json.RawMessage("{}")
	}
	if f := validate(t.Definition, arguments); f != nil {
		return nil, f
	}
	digest, err := c.pass(ctx, t, arguments)
	if err != nil {
		return nil, err
	}
	now, err := d.current(ctx, t.Server, t.Row.CanonicalID)
	if err != nil {
		c.audit(t, arguments, refusedCall, digest, faultOf(err).Code)
		return nil, err
	}
	if now.Pin != t.Pin || !now.Row.Exposure.Enabled {
		c.audit(t, arguments, refusedCall, digest, "definition_changed")
		return nil, hidden(t.Row.CanonicalID, now.Row.Exposure)
	}
	c.audit(t, arguments, ranCall, digest, "")
	result, err := d.servers[t.Server].Call(ctx, t.Definition.Name, arguments, c.progress(ctx))
	if err != nil {
		return nil, err
	}
	return c.present(result), nil
}

// progress hands a server's progress on, under the client's own token.
func (c *call) progress(ctx context.Context) func(*mcp.ProgressNotificationParams) {
	if c.token == nil || c.session == nil {
		return nil
	}
	return func(p *mcp.ProgressNotificationParams) {
		_ = c.session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: c.token, Message: definition.Clean(p.Message), Progress: p.Progress, Total: p.Total,
		})
	}
}

// validate holds arguments against the tool's schema. A schema that this reader
// does not take in is left to the server.
func validate(t *definition.Tool, arguments json.RawMessage) *Fault {
	var value map[string]any
	if err := json.Unmarshal(arguments, &value); err != nil {
		return fault(invalidArguments, "arguments: want an object")
	}
	var s jsonschema.Schema
	if json.Unmarshal(t.InputSchema, &s) != nil {
		return nil
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil
	}
	if err := resolved.Validate(value); err != nil {
		return fault(invalidArguments, "%s", definition.Clean(err.Error()))
	}
	return nil
}

// current is the tool as its server lists it now. The server is asked before the
// first call since it started, and after it said that its tools changed.
func (d *Door) current(ctx context.Context, server, id string) (inventory.Tool, error) {
	d.mu.Lock()
	seen := d.seen[server]
	d.mu.Unlock()
	if !seen || !d.servers[server].Running() {
		if _, err := d.Refresh(ctx, server); err != nil {
			return inventory.Tool{}, err
		}
	}
	for _, t := range d.Inventory(nil) {
		if t.Row.CanonicalID == id {
			return t, nil
		}
	}
	return inventory.Tool{}, fault(unknownTool, "%s lists %s no more", server, id)
}

// Refresh asks a server for its tools and records them; it returns how many.
func (d *Door) Refresh(ctx context.Context, server string) (int, error) {
	tools, err := d.servers[server].Tools(ctx)
	if err != nil {
		return 0, err
	}
	c := d.o.Config.Servers[server]
	l := inventory.Listing{Server: server, Origin: upstream.Origin(&c), At: time.Now().UTC().Format(time.RFC3339), Tools: tools}
	if err := d.store.PutListing(l); err != nil {
		return 0, fault(failed, "what %s lists cannot be recorded: %s", server, err)
	}
	d.mu.Lock()
	d.seen[server] = true
	d.mu.Unlock()
	if d.o.Agent.Expose == conf.Direct {
		d.list()
	}
	return len(tools), nil
}

// Store is where the door remembers.
func (d *Door) Store() store.Store { return d.store }
