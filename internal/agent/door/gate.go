package door

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tool-mapping-protocol/tmp/internal/agent/definition"
	"github.com/tool-mapping-protocol/tmp/internal/agent/inventory"
	"github.com/tool-mapping-protocol/tmp/internal/audit"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// How a proxied call was answered, in the audit log.
const (
	ranCall     = audit.Ran
	refusedCall = audit.Refused
)

// pass lets a call through the gate by its level: below HIGH at once, HIGH with a
// person's approval of this very call, CRITICAL never. It returns the digest that
// an approval was for.
func (c *call) pass(ctx context.Context, t *inventory.Tool, arguments json.RawMessage) (digest string, err error) {
	level, _ := tcpdb.ParseLevel(t.Row.Level)
	if level < tcpdb.High {
		return "", nil
	}
	if level >= tcpdb.Critical {
		c.audit(t, arguments, refusedCall, "", critical)
		return "", fault(critical, "%s is CRITICAL and is refused to every agent", t.Row.CanonicalID)
	}
	w, err := c.door.session()
	if err != nil {
		return "", err
	}
	request := session.ForeignCall{
		ID: t.Row.CanonicalID, Agent: c.door.o.Agent.Key, Pin: t.Pin, Level: level,
		Arguments: string(definition.Canonical(arguments)),
	}
	digest = request.Digest()
	if w.UseForeign(request) {
		return digest, nil
	}
	if err := w.RequestForeign(request); err != nil {
		return "", err
	}
	show := c.door.o.Agent.Elicit && c.asks.can
	if show && !c.asks.byResult {
		if _, err := c.session.Elicit(ctx, elicitation(t, digest)); err == nil && w.UseForeign(request) {
			return digest, nil
		}
	}
	c.audit(t, arguments, refusedCall, digest, approvalRequired)
	if show && c.asks.byResult && !c.asks.answered {
		return "", &question{elicitation(t, digest)}
	}
	f := fault(approvalRequired, "%s is HIGH and needs a person's approval", t.Row.CanonicalID)
	f.Digest, f.Approve = digest, "tmp approve "+digest
	return "", f.Next("A person allows it once, within ten minutes, with: %s . Then call it again.", f.Approve)
}

// asking is how a person can be shown something in the middle of a call.
type asking struct {
	can      bool // the client can
	byResult bool // from protocol 2026-07-28 on: by a result that the client answers by calling again
	answered bool // this is that call; the answer itself is not looked at
}

func askingOf(r *mcp.CallToolRequest) asking {
	can := r.ClientCapabilities()
	return asking{
		can:      r.Session != nil && can != nil && can.Elicitation != nil,
		byResult: r.ProtocolVersion() >= "2026-07-28",
		answered: len(r.Params.InputResponses) > 0,
	}
}

// question is shown to the person of a client in the place of a result.
type question struct{ *mcp.ElicitParams }

func (q *question) Error() string { return q.Message }

func (q *question) result() *mcp.CallToolResult {
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"approve": q.ElicitParams}}
}

// elicitation shows what is to be approved and how. The answer grants nothing: it
// says that it is time to look for the approval.
func elicitation(t *inventory.Tool, digest string) *mcp.ElicitParams {
	return &mcp.ElicitParams{
		Message: "To allow " + t.Row.CanonicalID + " once, type in a terminal of your own:\n  tmp approve " + digest +
			"\nWhat is answered here allows nothing; answer when you have typed it.",
		RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}},
	}
}

// audit writes a line for a proxied call or its refusal.
func (c *call) audit(t *inventory.Tool, arguments json.RawMessage, how audit.Answer, digest, reason string) {
	line := t.Row.CanonicalID
	if text := strings.TrimSpace(string(arguments)); text != "" && text != "{}" {
		line += " " + text
	}
	// A log that cannot be written stops no call; doctor says so.
	_ = audit.Append(c.door.o.Caller.Account, audit.Record{
		Time: c.door.o.Caller.Now(), Via: "mcp", Answer: how, Reason: reason, Level: t.Row.Level, Dir: c.door.o.Caller.Dir,
		Line: line, Map: c.door.view, Agent: c.door.o.Agent.Key, Operation: t.Row.CanonicalID, PlanDigest: digest,
	})
}
