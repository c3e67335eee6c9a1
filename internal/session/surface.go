package session

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/beside"
	"github.com/tool-mapping-protocol/tmp/internal/binding"
	"github.com/tool-mapping-protocol/tmp/internal/config"
	"github.com/tool-mapping-protocol/tmp/internal/intent"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/internal/surface"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Operations of the surfaces "api" and "sql" are no commands: a program beside tmp
// sends what their record says. A plan of one holds the call, which its digest binds;
// the gate, the approval, the record of the run and the envelope are those of any
// plan.

// maxReport bounds what is read of a report, maxData a JSON output in an envelope, in
// bytes.
const (
	maxReport = 16 << 20
	maxData   = 16 << 20
)

// callGrace is how long a call may still take when its time is over.
const callGrace = 8 * time.Second

// previewTime is how long a preview may take.
const previewTime = 60 * time.Second

// planCall makes the plan of an operation that is no command.
func (s *Session) planCall(op *tcpdb.Operation, params map[string]string, d workflow.Detail) (*invoke.Plan, error) {
	call := surface.Call{
		V: 1, Operation: op.ID, Surface: op.Surface, Effect: op.Effect, Record: d.Record, Params: callParams(op), Values: params,
		Dir: s.Dir, Root: s.Project, Config: s.Paths.Settings(),
	}
	if len(d.Record) == 0 {
		return nil, Fail("operation %s: the map does not say what it sends", op.ID).Hint("compile it again: tmp compile")
	}
	sections, err := s.sections(call.Config)
	if err != nil {
		return nil, err
	}
	if call.Record = s.ofProjectDatabase(op.Surface, call.Record, sections); call.Record == nil {
		return nil, Fail("operation %s: what it sends cannot be read", op.ID)
	}
	call.Section, err = surface.Section(op.Surface, call.Record, sections)
	if err != nil {
		return nil, Refuse(Denied, "%s: %s", op.ID, err).Hint("docs/surfaces.md shows the table to write into %s", call.Config)
	}
	call.Definition = surface.Digest(op.Surface, call.Section, sections)
	if err := s.takeBody(&call); err != nil {
		return nil, err
	}
	data, err := json.Marshal(call)
	if err != nil {
		return nil, err
	}
	program, err := beside.Find(surface.Program, s.Getenv("PATH"))
	if err != nil {
		return nil, notFound(invoke.StatusNotFound, "%s, which runs operations of surface %s, is not installed", surface.Program, op.Surface)
	}
	environ, withheld := invoke.Environment(s.Environ, op.Surface, s.Agent != "", d)
	p := &invoke.Plan{
		Operation: op, Parameters: params, Argv: []string{"tmp", "run", op.ID}, Dir: s.Dir, Env: invoke.Settle(environ, s.Dir),
		MapDigest: s.View.Digest(), Timeout: d.Limit(), Call: data, Program: program, Withheld: withheld,
	}
	for i := range op.Params {
		name := op.Params[i].Name
		if value, ok := params[name]; ok {
			p.Argv = append(p.Argv, "--set", name+"="+value)
		}
	}
	if call.Body != "" {
		p.Argv = append(p.Argv, "--body", call.Body)
	}
	return p, nil
}

// ofProjectDatabase puts the file of a database in the place of its name, where the
// project names it and the user's config.toml does not.
func (s *Session) ofProjectDatabase(kind string, record json.RawMessage, sections map[string]any) json.RawMessage {
	if kind != surface.SQL || s.Project == "" {
		return record
	}
	var r surface.SQLRecord
	if json.Unmarshal(record, &r) != nil {
		return nil
	}
	tables, _ := sections[surface.SQL].(map[string]any)
	if _, own := tables[r.Connection]; own || r.Connection == "" && len(tables) > 0 || strings.HasPrefix(r.Connection, "file:") {
		return record
	}
	named := opmap.ProjectDatabases(s.Project)
	from := named[r.Connection]
	if r.Connection == "" && len(named) == 1 {
		for _, from = range named {
		}
	}
	if from == "" {
		return record
	}
	r.Connection = from
	data, err := json.Marshal(r)
	if err != nil {
		return nil
	}
	return data
}

// callParams are the parameters of an operation as a call has them.
func callParams(op *tcpdb.Operation) []surface.Param {
	out := []surface.Param{}
	for i := range op.Params {
		p := &op.Params[i]
		t := tcpdb.TypeOf(p.Type)
		out = append(out, surface.Param{
			Name: p.Name, Type: t.Name, Enum: t.Enum, Format: t.Format, Minimum: t.Minimum, Maximum: t.Maximum,
			Required: p.Required, Resolver: p.Resolver,
		})
	}
	return out
}

// named are values by the names of the operation's parameters.
func named(op *tcpdb.Operation, given map[string]string) map[string]string {
	if op.Surface != surface.API || len(given) == 0 {
		return given
	}
	names := make([]string, 0, len(op.Params))
	for i := range op.Params {
		names = append(names, op.Params[i].Name)
	}
	return surface.Named(names, given)
}

// asCalled is an operation as it has to be filled: of a request whose body is given
// whole no parameter of the body is needed.
func (s *Session) asCalled(op tcpdb.Operation) tcpdb.Operation {
	if op.Surface != surface.API || s.Body == "" {
		return op
	}
	d, err := workflow.Parse(s.View.Detail(op.ID))
	if err != nil {
		return op
	}
	op.Params = slices.Clone(op.Params)
	for i := range op.Params {
		if p := &op.Params[i]; p.Required && surface.Place(d.Record, p.Name) == "body" {
			p.Required = false
		}
	}
	return op
}

// placed says what is wrong with a value, of a request with its place.
func (s *Session) placed(op *tcpdb.Operation, fe *intent.FillError) string {
	if op.Surface == surface.API {
		if d, err := workflow.Parse(s.View.Detail(op.ID)); err == nil {
			if place := surface.Place(d.Record, fe.Parameter); place != "" {
				return fmt.Sprintf("%s: %s %s: %s", op.ID, place, fe.Parameter, fe.Detail)
			}
		}
	}
	return fe.Error()
}

// takeBody puts the file that a request's body comes from into the call: what is
// approved is what the file holds now.
func (s *Session) takeBody(call *surface.Call) error {
	if s.Body == "" {
		return nil
	}
	if call.Surface != surface.API {
		return Refuse(Usage, "--body is for operations of an API")
	}
	if call.Body = s.Body; s.Body == "-" {
		sum := sha256.Sum256(s.Piped)
		call.BodySHA256 = hex.EncodeToString(sum[:])
		return nil
	}
	if !filepath.IsAbs(call.Body) {
		call.Body = filepath.Join(s.Dir, call.Body)
	}
	sum, err := opmap.HashFile(call.Body)
	if err != nil {
		return Refuse(Usage, "--body: %s", err)
	}
	call.BodySHA256 = sum
	return nil
}

// piped is a body that came on standard input, read once for every time that it is
// asked for; nil: none came. A plan holds its hash.
func (s *Session) piped() io.Reader {
	if s.Body != "-" {
		return nil
	}
	return bytes.NewReader(s.Piped)
}

// sections are those of the user's config.toml.
func (s *Session) sections(file string) (map[string]any, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, Fail("%s", err)
	}
	all, problems := config.Sections(file, string(text))
	if len(problems) > 0 {
		return nil, Fail("%s:%d: %s", file, problems[0].Line, problems[0].Err)
	}
	return all, nil
}

// judgeCall rates an operation that is no command: as its map does, which its
// statement or method raises when the map is compiled.
func judgeCall(op *tcpdb.Operation) Judgement {
	j := Judgement{Level: op.Risk, Known: true, Reasons: []string{"the map rates " + op.ID + " so"}}
	if op.Surface == surface.API || strings.Contains(op.Effect, "network") {
		j.Flags |= tcpdb.NetworkAccess
	}
	if op.Effect != "read-only" && op.Effect != "network" {
		j.Flags |= tcpdb.SystemModification
	}
	return j
}

// judgeHanded rates a call as it was planned: by its operation, HIGH where that is no
// longer in the map.
func (s *Session) judgeHanded(data []byte) Judgement {
	var call surface.Call
	if json.Unmarshal(data, &call) == nil {
		if op, ok := s.Lookup(call.Operation); ok && op.Surface == call.Surface {
			return judgeCall(&op)
		}
	}
	return Judgement{Level: tcpdb.High, Reasons: []string{"its operation is not in the map any more"}}
}

// databaseFiles are the files that a call changes itself: those of a SQLite database
// in its place.
func databaseFiles(p *invoke.Plan) []string {
	if p.Call == nil {
		return nil
	}
	var call surface.Call
	var record surface.SQLRecord
	if json.Unmarshal(p.Call, &call) != nil || call.Surface != surface.SQL || json.Unmarshal(call.Record, &record) != nil {
		return nil
	}
	var out []string
	for _, ext := range []string{"*.db", "*.sqlite", "*.sqlite3"} {
		out = append(out, ext, "**/"+ext)
	}
	if file, ok := strings.CutPrefix(record.Connection, "file:"); ok {
		out = append(out, file)
	}
	for _, file := range out {
		for _, more := range []string{"-wal", "-shm", "-journal"} {
			out = append(out, file+more)
		}
	}
	return out
}

// unboundCall is what an approval of a call says nothing about.
func unboundCall(p *invoke.Plan) binding.Unbound {
	if p.Operation.Surface == surface.SQL {
		return binding.Unbound{What: p.Operation.ID, Why: "what the database holds is not bound"}
	}
	return binding.Unbound{What: p.Operation.ID, Why: "the state of the server is not bound"}
}

// handed is what was handed to the program of a call, and where it reports.
type handed struct{ file *os.File }

// hand hands a call to its program.
func (e *execution) hand(p *invoke.Plan) (*handed, *invoke.Start, error) {
	r := surface.Request{
		Mode: surface.Run, Format: e.how.Format, Terminal: e.how.terminal(1), Width: e.how.Width,
		Timeout: e.how.Limit(p).Milliseconds(), All: e.how.All, MaxItems: e.how.MaxItems, Expect: e.expect,
	}
	if e.how.Silent && r.Format == "" {
		r.Format = "json"
	}
	return handOver(p, &r)
}

func handOver(p *invoke.Plan, r *surface.Request) (*handed, *invoke.Start, error) {
	if err := json.Unmarshal(p.Call, &r.Call); err != nil {
		return nil, nil, err
	}
	data, err := json.Marshal(r)
	if err != nil {
		return nil, nil, err
	}
	request, err := invoke.Private("tmp-request", data)
	if err != nil {
		return nil, nil, err
	}
	report, err := invoke.Private("tmp-report", nil)
	if err != nil {
		request.Close()
		return nil, nil, err
	}
	path, _, err := p.Look()
	if err != nil {
		return nil, nil, err
	}
	return &handed{report}, &invoke.Start{Path: path, Args: []string{surface.Program, p.Operation.ID}, File: request, Report: report}, nil
}

// report is what the program said, nil if it said nothing.
func (h *handed) report() *surface.Report {
	if h == nil || h.file == nil {
		return nil
	}
	defer h.file.Close()
	data, err := io.ReadAll(io.NewSectionReader(h.file, 0, maxReport))
	var r surface.Report
	if err != nil || json.Unmarshal(data, &r) != nil {
		return nil
	}
	return &r
}

// reported puts what a call's program said into the envelope.
func (e *execution) reported(run *runlog.Run, r *surface.Report) {
	out := e.result
	if r == nil || e.Plan.Call == nil || e.onTerminal {
		return
	}
	out.HTTPStatus = r.HTTPStatus
	out.TimedOut = out.TimedOut || r.Status == surface.StatusTimeout
	for name, value := range r.Fields {
		out.Summary[name] = value
	}
	if r.Touches != nil {
		out.Summary["touched"] = *r.Touches
	}
	out.Started = out.Started && r.Started
	if r.Message != "" && !out.Success && !out.TimedOut {
		code := Code(r.Code)
		if code == "" {
			code = Failed
		}
		out.Error = &Fault{Code: code, Message: r.Message}
	}
	if out.TimedOut {
		out.Error = &Fault{Code: Timeout, Message: "its time was over"}
	}
	if !e.how.Silent || e.Plan.Operation.Surface != surface.API { // whose envelope says it
		for _, line := range r.Lines {
			e.notice("%s", line)
		}
	}
	for _, hint := range r.Hints {
		e.notice("%s", hint)
	}
	out.Output = r.Text
	switch {
	case e.how.Format != "" && e.how.Format != "json":
	case len(r.Output) > 0:
		out.Data = r.Output
	case e.how.Silent && e.Plan.Operation.Surface == surface.SQL:
		out.Data = rawJSON(run)
	}
	if out.Data == nil && out.Output == "" && !e.how.Streams(e.Prepared) {
		if out.Output = rawText(run); out.Output == "" && out.RawOutput.Bytes > maxData {
			out.Omitted["bytes"] = out.RawOutput.Bytes
			e.notice("the output is too large to repeat it: it is in %s", out.RawOutput.Path)
		}
	}
}

// maxKept bounds the output of a call that its summary repeats, in bytes: all of it is
// beside.
const maxKept = 256 << 10

// kept is the envelope as its run keeps it: the output is text there, whatever form it
// was asked for in.
func (e *execution) kept(run *runlog.Run) *Envelope {
	if e.Plan.Call == nil {
		return e.result
	}
	c := *e.result
	c.Data = nil
	if c.Output == "" && c.RawOutput.Bytes <= maxKept {
		c.Output = rawText(run)
	}
	return &c
}

// rawJSON is the raw output of a run where it is JSON; nil else.
func rawJSON(run *runlog.Run) json.RawMessage {
	data := []byte(rawText(run))
	if !json.Valid(data) {
		return nil
	}
	return data
}

func rawText(run *runlog.Run) string {
	st, err := run.Raw.Stat()
	if err != nil || st.Size() > maxData {
		return ""
	}
	data, err := io.ReadAll(io.NewSectionReader(run.Raw, 0, st.Size()))
	if err != nil {
		return ""
	}
	return string(data)
}

// askCall asks the program of a call something that changes nothing: what it would do,
// what it is.
func (s *Session) askCall(ctx context.Context, p *invoke.Plan, mode surface.Mode) (*surface.Report, error) {
	h, start, err := handOver(p, &surface.Request{Mode: mode, Timeout: previewTime.Milliseconds()})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, previewTime)
	defer cancel()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	out := invoke.Run(ctx, p, invoke.Options{Stdin: s.piped(), Log: null, Before: func() (*invoke.Start, error) { return start, nil }})
	r := h.report()
	switch {
	case out.Err != nil:
		return nil, out.Err
	case r == nil:
		return nil, fmt.Errorf("%s ended with %d and said nothing", surface.Program, out.Status)
	}
	return r, nil
}

// preview adds what the program of a call says that it would do.
func (s *Session) preview(ctx context.Context, p *Prepared, a *DryRun) {
	if p.Plan.Call == nil {
		return
	}
	r, err := s.askCall(ctx, p.Plan, surface.DryRun)
	if err != nil {
		a.Error = &Fault{Code: Failed, Message: err.Error()}
		return
	}
	a.Preview, a.Touches = r.Lines, r.Touches
	if p.Plan.Operation.Surface == surface.SQL {
		a.SQL = r.Facts
	} else {
		a.Request = r.Facts
	}
	if r.Message != "" {
		code := Code(r.Code)
		if code == "" {
			code = Failed
		}
		a.Error, a.Status = &Fault{Code: code, Message: r.Message}, r.Status
	}
}

// foretold is what the person is told before the answer that a plan would do, as far as
// it is calls. One that would be refused is refused now, before anybody is asked.
func (e *execution) foretold(ctx context.Context) ([]string, error) {
	if e.Plan.Call != nil {
		lines, touches, err := e.foretell(ctx, e.Plan)
		e.touches = touches
		return lines, err
	}
	var all []string
	for _, step := range e.Plan.Steps {
		if step.Plan == nil || step.Plan.Call == nil || step.Plan.Operation.Effect == "read-only" || slices.Contains(e.Plan.Before, step.ID) {
			continue
		}
		lines, _, err := e.foretell(ctx, step.Plan)
		if err != nil {
			return nil, err
		}
		for _, line := range lines {
			all = append(all, "step "+step.ID+": "+line)
		}
	}
	return all, nil
}

func (e *execution) foretell(ctx context.Context, p *invoke.Plan) (lines []string, touches *int64, err error) {
	r, err := e.askCall(ctx, p, surface.DryRun)
	if err != nil {
		return []string{"what it would do cannot be found out: " + err.Error()}, nil, nil
	}
	if r.Code == string(Denied) {
		f := Refuse(Denied, "%s", r.Message)
		f.Hints = r.Hints
		return nil, nil, f
	}
	lines = r.Lines
	if r.Message != "" {
		lines = append(lines, "what it would do cannot be found out: "+r.Message)
	}
	return lines, r.Touches, nil
}
