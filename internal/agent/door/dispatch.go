package door

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tool-mapping-protocol/tmp/internal/agent/upstream"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/internal/toolid"
)

// Fault is why a call gave nothing (agent contract, "Tools").
type Fault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Reason  string `json:"reason,omitempty"`
	Digest  string `json:"digest,omitempty"`
	Approve string `json:"approve,omitempty"` // the command for the person
	next    string // what to do, told beside the message
}

func (f *Fault) Error() string { return f.Code + ": " + f.Message }

// The door's own codes; those of a session's refusals are codes too.
const (
	invalidArguments = "invalid_arguments"
	notExposed       = "not_exposed"
	unknownTool      = "unknown_tool"
	unknownHandle    = "unknown_handle"
	critical         = "critical"
	approvalRequired = "approval_required"
	failed           = "internal"
)

func fault(code, format string, args ...any) *Fault {
	return &Fault{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Next adds what to do.
func (f *Fault) Next(format string, args ...any) *Fault {
	f.next = fmt.Sprintf(format, args...)
	return f
}

// faultOf turns any error of a call into a fault.
func faultOf(err error) *Fault {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	if u, ok := errors.AsType[*upstream.Error](err); ok {
		return fault(string(u.Code), "%s", u.Message)
	}
	if r, ok := errors.AsType[*session.Refusal](err); ok {
		f := fault(string(r.Code), "%s", r.Message)
		f.Approve = r.Approve
		if len(r.Hints) > 0 {
			f.next = r.Hints[0]
		}
		return f
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fault("timeout", "it took too long")
	case errors.Is(err, context.Canceled):
		return fault("cancelled", "the call was cancelled")
	}
	return fault(failed, "%s", err)
}

// result is the fault as a result: text, and the same as an object.
func (f *Fault) result() *mcp.CallToolResult {
	text := f.Code + ": " + f.Message
	if f.next != "" {
		text += "\n" + f.next
	}
	return &mcp.CallToolResult{
		IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}},
		StructuredContent: struct {
			V     int    `json:"v"`
			Error *Fault `json:"error"`
		}{1, f},
	}
}

// answer is a value as a result: its JSON as text, and the same as an object.
func answer(v any) (*mcp.CallToolResult, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	data := bytes.TrimSpace(b.Bytes())
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(data)}}, StructuredContent: json.RawMessage(data)}, nil
}

// call is one call of a tool.
type call struct {
	door      *Door
	session   *mcp.ServerSession
	token     any // of progress, nil if the client wants none
	arguments json.RawMessage
	schema    string // of the arguments, of a tool of the door
	asks      asking
}

// receive takes the calls; everything else is the protocol's.
func (d *Door) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		r, ok := req.(*mcp.CallToolRequest)
		if method != "tools/call" || !ok {
			return next(ctx, method, req)
		}
		c := &call{door: d, session: r.Session, arguments: r.Params.Arguments, token: r.Params.GetProgressToken()}
		c.asks = askingOf(r)
		result, err := c.dispatch(ctx, r.Params.Name)
		if f, ok := errors.AsType[*jsonrpc.Error](err); ok {
			return nil, f
		}
		kind := "complete"
		switch q, asks := errors.AsType[*question](err); {
		case asks:
			result, kind = q.result(), "input_required"
		case err != nil:
			result = faultOf(err).result()
		}
		if c.asks.byResult {
			result = ofKind(result, kind)
		}
		return result, nil
	}
}

// ofKind is a result with its kind, which the protocol wants from 2026-07-28 on.
// The library keeps that member to itself: it is set by reading it.
func ofKind(r *mcp.CallToolResult, kind string) *mcp.CallToolResult {
	var out mcp.CallToolResult
	if json.Unmarshal([]byte(`{"content":[],"resultType":"`+kind+`"}`), &out) != nil {
		return r
	}
	out.Content, out.StructuredContent, out.IsError, out.InputRequests = r.Content, r.StructuredContent, r.IsError, r.InputRequests
	return &out
}

// dispatch finds the tool of a name on the wire or of an ID.
func (c *call) dispatch(ctx context.Context, name string) (result *mcp.CallToolResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, fault(failed, "the door failed inside: %v", p)
		}
	}()
	for _, t := range own() {
		if name != t.id && name != toolid.WireName(t.id) || t.te && c.door.o.Te == "" {
			continue
		}
		e := toolid.Expose(toolid.Subject{ID: t.id, Changes: t.id == "tmp.run"}, c.door.o.Agent.Agent, c.door.o.Config.StateMode)
		if !e.Enabled {
			return nil, hidden(t.id, e)
		}
		c.schema = t.schema
		return t.call(c, ctx)
	}
	for _, t := range c.door.Inventory(nil) {
		if t.Server != "" && (name == t.Row.CanonicalID || name == t.Row.WireName || slices.Contains(t.Row.Aliases, name)) {
			return c.proxied(ctx, &t, c.arguments)
		}
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown tool %q", name)}
}

// hidden is the fault of a tool that the agent has not.
func hidden(id string, e toolid.Exposure) *Fault {
	f := fault(notExposed, "%s is not there for %s: %s: %s", id, e.AgentKey, e.All[0].Code, e.All[0].Detail)
	f.Reason = string(e.Reason)
	switch e.All[0].Code {
	case toolid.Untrusted, toolid.DefinitionChanged: // of the others trust is refused too
		f.next = "A person looks at it with: tmp tools trust " + id
	}
	return f
}

// read decodes the arguments strictly: a member that nobody knows is an error, and
// so is a missing one without which the answer would be about nothing.
func (c *call) read(v any) error {
	if text := c.misread(v); text != "" {
		return fault(invalidArguments, "%s", text).Next("It takes %s", c.schema)
	}
	return nil
}

// misread decodes the arguments and says what is wrong with them, "" for nothing.
func (c *call) misread(v any) string {
	data := bytes.TrimSpace(c.arguments)
	if len(data) == 0 || string(data) == "null" {
		data = []byte("{}")
	}
	var given map[string]json.RawMessage
	if json.Unmarshal(data, &given) != nil {
		return "the arguments are no object"
	}
	var takes struct {
		Properties map[string]struct{ Type string }
		Required   []string
	}
	if err := json.Unmarshal([]byte(c.schema), &takes); err != nil {
		return err.Error()
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, ok := takes.Properties[name]; !ok {
			return fmt.Sprintf("there is no argument %q", name)
		}
	}
	for _, name := range takes.Required {
		if raw, ok := given[name]; !ok || string(raw) == "null" {
			return name + " is missing"
		}
	}
	err := json.Unmarshal(data, v)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		name, _, _ := strings.Cut(wrong.Field, ".")
		return fmt.Sprintf("%s: got %s where it takes another type", name, wrong.Value)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
