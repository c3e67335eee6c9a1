package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tool-mapping-protocol/tmp/internal/agent/conf"
	"github.com/tool-mapping-protocol/tmp/internal/agent/definition"
)

// World is what a server is started in.
type World struct {
	Getenv  func(string) string
	Dir     string   // the project
	Self    string   // our program, which keeps the server
	Keeper  []string // the words by which it does
	Version string
	LogFile func(server string) string // where its standard error goes
	// Changed hears that a server says that its tools are others now; it must not block.
	Changed func(server string)
}

// Server is one MCP server of the user's. Its methods may be called at once.
type Server struct {
	conf  conf.Server
	world *World
	slots chan struct{} // concurrency

	mu      sync.Mutex
	live    *live
	crashes []time.Time
}

// live is a server that runs.
type live struct {
	session  *mcp.ClientSession
	stdio    *stdio // nil over HTTP
	secrets  []secret
	tools    []definition.Tool
	stale    atomic.Bool // it said that its tools changed
	progress sync.Map    // token to func(*mcp.ProgressNotificationParams)
	gone     chan struct{}
}

// New is a server that has not been started.
func New(c conf.Server, world *World) *Server {
	return &Server{conf: c, world: world, slots: make(chan struct{}, c.Concurrency)}
}

// Origin is what the pin of a definition holds of where it comes from.
func Origin(c *conf.Server) []string {
	if c.URL != "" {
		return []string{c.URL}
	}
	return c.Command
}

// The bounds of restarts: five deaths in five minutes, and it stays down for as
// long as they are that near.
const (
	maxCrashes = 5
	crashSpan  = 5 * time.Minute
)

// get returns the running server; one that does not run is started.
func (s *Server) get(ctx context.Context) (*live, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live != nil {
		select {
		case <-s.live.gone:
			s.live = nil
		default:
			return s.live, nil
		}
	}
	s.crashes = slices.DeleteFunc(s.crashes, func(t time.Time) bool { return time.Since(t) > crashSpan })
	if len(s.crashes) >= maxCrashes {
		return nil, &Error{Down, fmt.Sprintf("%s died %d times in five minutes; its log is %s", s.conf.Name, len(s.crashes), s.world.LogFile(s.conf.Name))}
	}
	l, err := s.start(ctx)
	if err != nil {
		s.crashes = append(s.crashes, time.Now())
		return nil, err
	}
	s.live = l
	return l, nil
}

// start starts the server, greets it and asks for its tools.
func (s *Server) start(ctx context.Context) (*live, error) {
	ctx, cancel := context.WithTimeout(ctx, s.conf.StartTimeout)
	defer cancel()
	table := s.conf.Env
	if s.conf.URL != "" {
		table = s.conf.Headers
	}
	secrets, err := s.world.values(table)
	if err != nil {
		return nil, err
	}
	l := &live{secrets: secrets, gone: make(chan struct{})}
	client := mcp.NewClient(&mcp.Implementation{Name: "tmp-agent", Version: s.world.Version}, &mcp.ClientOptions{
		Capabilities:   &mcp.ClientCapabilities{}, // no sampling, no elicitation, no roots
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			l.stale.Store(true)
			if s.world.Changed != nil {
				s.world.Changed(s.conf.Name)
			}
		},
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			if f, ok := l.progress.Load(fmt.Sprint(r.Params.ProgressToken)); ok {
				f.(func(*mcp.ProgressNotificationParams))(r.Params)
			}
		},
	})
	var transport mcp.Transport
	// The newest version that every server of the installed base is greeted by.
	options := &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"}
	if s.conf.URL != "" {
		transport, options = s.http(secrets), nil
	} else {
		if l.stdio, err = s.spawn(secrets); err != nil {
			return nil, err
		}
		transport = l.stdio
	}
	if l.session, err = client.Connect(ctx, transport, options); err != nil {
		if l.stdio != nil {
			_ = l.stdio.Close()
		}
		return nil, s.fault(ctx, l, err, "it does not answer initialize")
	}
	go func() {
		_ = l.session.Wait()
		close(l.gone)
	}()
	if err := s.list(ctx, l); err != nil {
		_ = l.session.Close()
		return nil, err
	}
	return l, nil
}

// list asks for the tools, at most definition.MaxTools.
func (s *Server) list(ctx context.Context, l *live) error {
	l.stale.Store(false)
	l.tools = nil
	var cursor string
	for len(l.tools) < definition.MaxTools {
		page, err := l.session.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		if err != nil {
			return s.fault(ctx, l, err, "it does not list its tools")
		}
		for _, t := range page.Tools {
			if len(l.tools) < definition.MaxTools {
				l.tools = append(l.tools, toDefinition(t))
			}
		}
		if page.NextCursor == "" || page.NextCursor == cursor || len(page.Tools) == 0 {
			return nil
		}
		cursor = page.NextCursor
	}
	return nil
}

func toDefinition(t *mcp.Tool) definition.Tool {
	d := definition.Tool{Name: t.Name, Title: t.Title, Description: t.Description}
	raw := func(v any) json.RawMessage {
		if v == nil {
			return nil
		}
		data, err := json.Marshal(v)
		if err != nil || string(data) == "null" {
			return nil
		}
		return definition.Canonical(data)
	}
	d.InputSchema, d.OutputSchema = raw(t.InputSchema), raw(t.OutputSchema)
	if t.Annotations != nil {
		d.Annotations = raw(t.Annotations)
	}
	return d
}

// Tools are the definitions as the server lists them now.
func (s *Server) Tools(ctx context.Context) ([]definition.Tool, error) {
	l, err := s.get(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.stale.Load() {
		ctx, cancel := context.WithTimeout(ctx, s.conf.StartTimeout)
		defer cancel()
		if err := s.list(ctx, l); err != nil {
			return nil, err
		}
	}
	return slices.Clone(l.tools), nil
}

// Result is what a call gave, with the server's secrets masked.
type Result struct {
	*mcp.CallToolResult
	mask func(string) string
}

// Mask puts names in the place of the server's secrets.
func (r *Result) Mask(text string) string { return r.mask(text) }

// Call calls a tool. A call is never repeated: it may have done something.
func (s *Server) Call(ctx context.Context, name string, arguments json.RawMessage, progress func(*mcp.ProgressNotificationParams)) (*Result, error) {
	ctx, cancel := context.WithTimeout(ctx, s.conf.CallTimeout)
	defer cancel()
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return nil, s.fault(ctx, nil, ctx.Err(), "")
	}
	l, err := s.get(ctx)
	if err != nil {
		return nil, err
	}
	params := &mcp.CallToolParams{Name: name, Arguments: arguments}
	if progress != nil {
		token := fmt.Sprintf("%p", params)
		params.Meta = mcp.Meta{"progressToken": token}
		l.progress.Store(token, progress)
		defer l.progress.Delete(token)
	}
	result, err := l.session.CallTool(ctx, params)
	if err != nil {
		fault := s.fault(ctx, l, err, "")
		if fault.Code == Crashed || fault.Code == TooLarge || l.ended() {
			s.died(l)
		}
		return nil, fault
	}
	if result.NeedsInput() {
		return nil, &Error{Invalid, "it asks for input, which is not handed on"}
	}
	return &Result{result, func(text string) string { return mask(text, l.secrets) }}, nil
}

// died notes the end of a server that ran, once.
func (s *Server) died(l *live) {
	_ = l.session.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live == l {
		s.live = nil
		s.crashes = append(s.crashes, time.Now())
	}
}

// fault says what went wrong in our own words; what the server said of it is
// text of a stranger's, masked.
func (s *Server) fault(ctx context.Context, l *live, err error, what string) *Error {
	var secrets []secret
	if l != nil {
		secrets = l.secrets
	}
	if what != "" {
		what += ": "
	}
	if known, ok := errors.AsType[*Error](err); ok {
		return known
	}
	switch {
	case l != nil && l.stdio != nil && l.stdio.fault.Load() != nil:
		return l.stdio.fault.Load()
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &Error{Timeout, what + s.conf.Name + " did not answer in time"}
	case errors.Is(ctx.Err(), context.Canceled):
		return &Error{Cancelled, "the call was cancelled"}
	case errors.Is(err, mcp.ErrConnectionClosed), errors.Is(err, io.EOF), l != nil && l.stdio != nil && closed(l):
		return &Error{Crashed, what + s.conf.Name + " ended; its log is " + s.world.LogFile(s.conf.Name)}
	}
	if refused, ok := errors.AsType[*jsonrpc.Error](err); ok {
		if refused.Message == "rejected by transport" { // the library's own, where nothing was sent
			return &Error{Down, what + s.conf.Name + " cannot be reached"}
		}
		code := Invalid
		if what == "" && refused.Code == jsonrpc.CodeInvalidParams {
			code = Arguments
		}
		return &Error{code, fmt.Sprintf("%s%s refuses it: %s", what, s.conf.Name, definition.Clean(mask(refused.Message, secrets)))}
	}
	if text := err.Error(); strings.Contains(text, "json: ") { // of our own types a reader knows nothing
		return &Error{Invalid, what + "what it sent is no message of the protocol"}
	}
	return &Error{Invalid, what + definition.Clean(mask(err.Error(), secrets))}
}

// ended reports whether we ended a server, for what it sent.
func (l *live) ended() bool { return l.stdio != nil && l.stdio.fault.Load() != nil }

func closed(l *live) bool {
	select {
	case <-l.gone:
		return true
	case <-time.After(20 * time.Millisecond): // its end and the error of the call come apart
		return false
	}
}

// Close ends the server.
func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live != nil {
		_ = s.live.session.Close()
		s.live = nil
	}
}

// http is a transport that sends the user's headers to the server's own host
// alone, wherever it redirects to.
func (s *Server) http(secrets []secret) mcp.Transport {
	home, err := url.Parse(s.conf.URL)
	if err != nil {
		home = &url.URL{}
	}
	return &mcp.StreamableClientTransport{Endpoint: s.conf.URL, MaxRetries: -1, HTTPClient: &http.Client{
		Transport: &headers{secrets: secrets, home: home, limit: s.conf.MaxResult},
	}}
}

// Running reports whether the server runs.
func (s *Server) Running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live == nil {
		return false
	}
	select {
	case <-s.live.gone:
		return false
	default:
		return true
	}
}
