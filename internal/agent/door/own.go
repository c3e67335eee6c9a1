package door

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/internal/toolid"
)

// ownTool is a tool of the door: its ID, the schema of its arguments, and what a
// call of it does. The schemas are closed, and short: they are part of every
// conversation.
type ownTool struct {
	id     string
	schema string
	te     bool // only where te is installed
	call   func(c *call, ctx context.Context) (*mcp.CallToolResult, error)
}

func schema(properties, required string) string {
	s := `{"type":"object","properties":{` + properties + `},"additionalProperties":false`
	if required != "" {
		s += `,"required":[` + required + `]`
	}
	return s + "}"
}

const (
	aText   = `{"type":"string"}`
	aNumber = `{"type":"integer"}`
)

// own is the table of the door's tools.
func own() []ownTool {
	return []ownTool{
		{"tmp.resolve", schema(`"intent":`+aText, `"intent"`), false, (*call).resolve},
		{"tmp.run", schema(`"intent":`+aText+`,"operation":`+aText+`,"parameters":{"type":"object","additionalProperties":`+aText+`},"dry_run":{"type":"boolean"}`, ""), false, (*call).run},
		{"tmp.complete", schema(`"line":`+aText+`,"point":`+aNumber+`,"shell":`+aText+`,"limit":`+aNumber, `"line"`), false, (*call).complete},
		{"tmp.check", schema(`"line":`+aText+`,"shell":`+aText, `"line"`), false, (*call).check},
		{"tmp.tools", schema(`"query":`+aText+`,"id":`+aText+`,"limit":`+aNumber, ""), false, (*call).tools},
		{"tmp.call", schema(`"id":`+aText+`,"arguments":{"type":"object"}`, `"id"`), false, (*call).forward},
		{"tmp.output", schema(`"handle":`+aText+`,"offset":`+aNumber+`,"limit":`+aNumber, `"handle"`), false, (*call).output},
		{"read", schema(`"path":`+aText, `"path"`), true, (*call).readFile},
		{"grep", schema(`"pattern":`+aText+`,"path":`+aText, `"pattern"`), true, (*call).grep},
		{"glob", schema(`"pattern":`+aText, `"pattern"`), true, (*call).glob},
	}
}

// resolve answers as tmp resolve --json.
func (c *call) resolve(ctx context.Context) (*mcp.CallToolResult, error) {
	var in struct {
		Intent string `json:"intent"`
	}
	if err := c.read(&in); err != nil {
		return nil, err
	}
	if strings.TrimSpace(in.Intent) == "" {
		return nil, fault(invalidArguments, "intent is empty")
	}
	w, err := c.door.session()
	if err != nil {
		return nil, err
	}
	r, err := w.Resolve(ctx, in.Intent, nil)
	if err != nil {
		return nil, err
	}
	w.RefuseMissing(&r)
	a := w.Resolution(r)
	if r.Resolved() {
		_ = w.Save(in.Intent, r, a) // tmp run takes it up; without it nothing is lost here
	}
	return answer(a)
}

// run answers as tmp run --json: with the envelope of what ran, or what would.
func (c *call) run(ctx context.Context) (*mcp.CallToolResult, error) {
	var in struct {
		Intent     string            `json:"intent"`
		Operation  string            `json:"operation"`
		Parameters map[string]string `json:"parameters"`
		DryRun     bool              `json:"dry_run"`
	}
	if err := c.read(&in); err != nil {
		return nil, err
	}
	if (in.Intent == "") == (in.Operation == "") {
		return nil, fault(invalidArguments, "give intent or operation, one of them")
	}
	w, err := c.door.session()
	if err != nil {
		return nil, err
	}
	var r session.Resolved
	if in.Intent != "" {
		r, err = w.Resolve(ctx, in.Intent, in.Parameters)
	} else {
		r, err = c.operation(ctx, w, in.Operation, in.Parameters)
	}
	if err != nil {
		return nil, err
	}
	return c.carryOut(ctx, w, r, in.DryRun)
}

// operation fills in an operation by its ID, or by its public one.
func (c *call) operation(ctx context.Context, w *session.Session, id string, parameters map[string]string) (session.Resolved, error) {
	op, ok := w.Lookup(id)
	if !ok {
		for _, o := range w.Operations() {
			if toolid.Public(o.ID) == id {
				op, ok = o, true
				break
			}
		}
	}
	if !ok {
		return session.Resolved{}, fault("not_mapped", "no operation %q is mapped here", id).Next("tmp_tools finds tools and operations by words")
	}
	if parameters == nil {
		parameters = map[string]string{}
	}
	return w.Refill(ctx, &op, parameters)
}

func (c *call) carryOut(ctx context.Context, w *session.Session, r session.Resolved, dry bool) (*mcp.CallToolResult, error) {
	if !r.Resolved() {
		return nil, session.Unresolved(r.Resolution)
	}
	id := toolid.Public(r.Operation.ID)
	e := toolid.Expose(toolid.Subject{ID: id, Operation: !strings.HasPrefix(id, "tgp."), Changes: true}, c.door.o.Agent.Agent, c.door.o.Config.StateMode)
	if !e.Enabled {
		return nil, hidden(id, e)
	}
	p := w.Prepare(r)
	if dry {
		return answer(w.DryRun(ctx, p))
	}
	envelope, err := w.Run(ctx, p, session.How{Stdin: strings.NewReader(""), Silent: true})
	if err != nil {
		return nil, c.refused(err, envelope)
	}
	result, err := answer(envelope)
	if err == nil {
		result.IsError = !envelope.Success
	}
	return result, err
}

// refused is a refusal of a plan, with its digest.
func (c *call) refused(err error, e *session.Envelope) error {
	f := faultOf(err)
	if e != nil && e.PlanDigest != nil {
		f.Digest = *e.PlanDigest
	}
	return f
}

// complete answers as tmp complete --json.
func (c *call) complete(ctx context.Context) (*mcp.CallToolResult, error) {
	var in struct {
		Line  string `json:"line"`
		Point *int   `json:"point"`
		Shell string `json:"shell"`
		Limit *int   `json:"limit"`
	}
	if err := c.read(&in); err != nil {
		return nil, err
	}
	shell, err := shellOf(in.Shell)
	if err != nil {
		return nil, err
	}
	w, err := c.door.session()
	if err != nil {
		return nil, err
	}
	point, limit := len(in.Line), -1
	if in.Point != nil {
		point = max(*in.Point, 0)
	}
	if in.Limit != nil {
		if limit = *in.Limit; limit < 0 {
			return nil, fault(invalidArguments, "limit is not negative")
		}
	}
	a := w.Engine().Complete(ctx, completion.Request{
		Shell: shell, Line: in.Line, Point: point, Dir: w.Dir, Getenv: w.Getenv, Limit: limit, Explain: true,
	})
	return answer(session.NewCompletion(a))
}

// check answers as tmp check --json.
func (c *call) check(context.Context) (*mcp.CallToolResult, error) {
	var in struct {
		Line  string `json:"line"`
		Shell string `json:"shell"`
	}
	if err := c.read(&in); err != nil {
		return nil, err
	}
	shell, err := shellOf(in.Shell)
	if err != nil {
		return nil, err
	}
	w, err := c.door.session()
	if err != nil {
		return nil, err
	}
	return answer(w.Check(in.Line, w.Judge(in.Line, shell)))
}

func shellOf(name string) (string, error) {
	if name == "" {
		return "bash", nil
	}
	if _, ok := shline.ParseDialect(name); ok {
		return name, nil
	}
	return "", fault(invalidArguments, "shell: want bash, zsh, fish or sh")
}

// output reads on in a result that was too long, or in the output of a run.
func (c *call) output(context.Context) (*mcp.CallToolResult, error) {
	var in struct {
		Handle string `json:"handle"`
		Offset int64  `json:"offset"`
		Limit  int64  `json:"limit"`
	}
	if err := c.read(&in); err != nil {
		return nil, err
	}
	if in.Offset < 0 || in.Limit < 0 {
		return nil, fault(invalidArguments, "offset and limit are not negative")
	}
	if in.Limit == 0 {
		in.Limit = int64(c.door.o.Config.ResultLimit)
	}
	f, ok := c.door.results.Open(in.Handle)
	if !ok {
		w, err := c.door.session()
		if err != nil {
			return nil, err
		}
		if f, err = runOutput(w, in.Handle); err != nil {
			return nil, fault(unknownHandle, "no output %q of this session or of a run here", in.Handle).Next("A handle stands in the result that was cut, a run's in run_id.")
		}
	}
	defer f.Close()
	page, err := readPage(f, in.Handle, in.Offset, min(in.Limit, 1<<20))
	if err != nil {
		return nil, err
	}
	return answer(page)
}

// tools finds tools by words, or shows one with its schema.
func (c *call) tools(context.Context) (*mcp.CallToolResult, error) {
	var in struct {
		Query string `json:"query"`
		ID    string `json:"id"`
		Limit int    `json:"limit"`
	}
	if err := c.read(&in); err != nil {
		return nil, err
	}
	if (in.Query == "") == (in.ID == "") {
		return nil, fault(invalidArguments, "give query or id, one of them")
	}
	if in.Limit < 0 {
		return nil, fault(invalidArguments, "limit is not negative")
	}
	w, err := c.door.session()
	if err != nil {
		return nil, err
	}
	if in.ID != "" {
		return c.one(w, in.ID)
	}
	return answer(search(c.door.Inventory(w), in.Query, in.Limit))
}

// forward calls a tool of another server, or runs an operation, by its ID.
func (c *call) forward(ctx context.Context) (*mcp.CallToolResult, error) {
	var in struct {
		ID        string         `json:"id"`
		Arguments map[string]any `json:"arguments"`
	}
	if err := c.read(&in); err != nil {
		return nil, err
	}
	w, err := c.door.session()
	if err != nil {
		return nil, err
	}
	for _, t := range c.door.Inventory(w) {
		if t.Row.CanonicalID != in.ID && t.Row.WireName != in.ID && !slices.Contains(t.Row.Aliases, in.ID) {
			continue
		}
		switch {
		case t.Server != "":
			return c.proxied(ctx, &t, rawArguments(c.arguments))
		case !t.Row.Exposure.Enabled:
			return nil, hidden(t.Row.CanonicalID, t.Row.Exposure)
		case t.Subject.Operation || strings.HasPrefix(in.ID, "tgp."):
			parameters, err := texts(in.Arguments)
			if err != nil {
				return nil, err
			}
			r, err := c.operation(ctx, w, in.ID, parameters)
			if err != nil {
				return nil, err
			}
			return c.carryOut(ctx, w, r, false)
		}
		return nil, fault(invalidArguments, "%s is called by its own name %s", t.Row.CanonicalID, t.Row.WireName)
	}
	return nil, fault(unknownTool, "no tool %q is known", in.ID).Next("tmp_tools finds tools by words")
}

// texts are the arguments of an operation, which are texts.
func texts(arguments map[string]any) (map[string]string, error) {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		text, ok := arguments[name].(string)
		if !ok {
			return nil, fault(invalidArguments, "%s: want a text", name)
		}
		out[name] = text
	}
	return out, nil
}

// inside returns a path of the project, links resolved, or a fault.
func (c *call) inside(path string) (string, error) {
	root, err := filepath.EvalSymlinks(c.door.o.Caller.Dir)
	if err != nil {
		return "", fault(failed, "the project cannot be read: %s", err)
	}
	if path == "" {
		path = "."
	}
	full := path
	if !filepath.IsAbs(full) {
		full = filepath.Join(root, path)
	}
	real, err := filepath.EvalSymlinks(full)
	if err != nil {
		return "", fault(invalidArguments, "%s: no such file", path)
	}
	rel, err := filepath.Rel(root, real)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fault(invalidArguments, "%s lies outside of the project", path)
	}
	return rel, nil
}
