package run

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-sourcemap/sourcemap"

	"github.com/tool-mapping-protocol/tmp/internal/account"
	"github.com/tool-mapping-protocol/tmp/internal/audit"
	"github.com/tool-mapping-protocol/tmp/internal/forge/bridge"
	"github.com/tool-mapping-protocol/tmp/internal/forge/worker"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Order is a run that was asked for.
type Order struct {
	Tool    string // a tool, or the file of a draft
	Args    Arguments
	Timeout time.Duration // 0: limits.wallSeconds; it may only shorten that
	DryRun  bool
	Env     map[string]string // in the place of the caller's, for serve; nil: the caller's
	// Output hears what the tool prints, as it comes.
	Output func(err bool, text []byte)
}

// Report is how a run ended.
type Report struct {
	V         int             `json:"v"`
	RunID     string          `json:"run_id,omitempty"`
	Tool      string          `json:"tool"`
	Success   bool            `json:"success"`
	Draft     bool            `json:"draft"`
	Mode      string          `json:"mode"`
	Level     string          `json:"level"`
	Effect    string          `json:"effect"`
	Started   bool            `json:"started"`
	ElapsedMS int64           `json:"elapsed_ms"`
	Result    json.RawMessage `json:"result"` // null without one
	Logs      string          `json:"logs"`
	Exit      int             `json:"exit_status"`
	Error     *Error          `json:"error"`
	// Printed says that the result is what the tool printed.
	Printed bool  `json:"-"`
	Plan    *Plan `json:"plan,omitempty"` // of --dry-run
}

// Plan is what would run.
type Plan struct {
	Source string         `json:"source"`
	Args   map[string]any `json:"args"`
	Net    []string       `json:"net"`
	Env    []string       `json:"env"`
	Dirs   []string       `json:"dirs"`
	WallMS int64          `json:"wall_ms"`
	Digest string         `json:"plan_digest"`
}

// target is a tool that was found, with its bytes.
type target struct {
	name   string // CATEGORY/NAME, or the file of a draft
	file   string
	shown  string
	source []byte
	tool   bool
	signed []byte
}

// locate finds what is to run: a tool of main as it lies in the working tree, or a
// file outside as a draft.
func (f *Runner) locate(word string) (*target, error) {
	if err := f.leavesTool(word); err != nil {
		return nil, err
	}
	if category, name, ok := f.direct(word); ok {
		return f.load(category, name)
	}
	if ext := filepath.Ext(word); ext == ".ts" || ext == ".tsx" {
		file := f.Abs(word)
		if st, err := os.Stat(file); err == nil && st.Mode().IsRegular() && !strings.HasPrefix(file, filepath.Join(f.Root, "tools")+"/") {
			data, err := ReadSource(file)
			if err != nil {
				return nil, err
			}
			return &target{name: file, file: file, shown: word, source: data}, nil
		}
	}
	if f.Workshop == nil {
		return nil, ErrWorkshop
	}
	category, name, err := f.Workshop.Named(word)
	if err != nil {
		return nil, err
	}
	return f.load(category, name)
}

// direct reads CATEGORY/NAME and its longer forms, which need no index.
func (f *Runner) direct(word string) (category, name string, ok bool) {
	w := strings.TrimPrefix(word, "./")
	if filepath.IsAbs(w) {
		w = strings.TrimPrefix(w, f.Root+"/")
	}
	if rest, is := strings.CutPrefix(w, "tgp."); is && strings.Count(rest, ".") == 1 {
		w = strings.ReplaceAll(rest, ".", "/")
	}
	category, name, err := Split(w)
	if err != nil {
		return "", "", false
	}
	for _, ext := range []string{".ts", ".tsx"} {
		if _, err := os.Lstat(filepath.Join(f.Root, "tools", category, name+ext)); err == nil {
			return category, name, true
		}
	}
	return "", "", false
}

func (f *Runner) leavesTool(word string) error {
	if strings.ContainsRune(word, 0) {
		return Fail(SecurityViolation, "NUL in the name of a tool")
	}
	return nil
}

func (f *Runner) load(category, name string) (*target, error) {
	for _, ext := range []string{".ts", ".tsx"} {
		file := filepath.Join(f.Root, "tools", category, name+ext)
		st, err := os.Lstat(file)
		if err != nil {
			continue
		}
		if !st.Mode().IsRegular() {
			return nil, Fail(SecurityViolation, "tools/%s/%s%s is no regular file", category, name, ext)
		}
		data, err := ReadSource(file)
		if err != nil {
			return nil, err
		}
		t := &target{name: category + "/" + name, file: file, shown: "tools/" + category + "/" + name + ext, source: data, tool: true}
		if st, err := os.Lstat(filepath.Join(f.Root, NotePath(category, name))); err == nil && st.Mode().IsRegular() && st.Size() <= MaxNote {
			t.signed, _ = os.ReadFile(filepath.Join(f.Root, NotePath(category, name)))
		}
		return t, nil
	}
	return nil, Fail(NotFound, "there is no tool %s/%s", category, name)
}

// Run runs a tool. The report is there in any case; its error says why nothing ran, or
// how the tool failed.
//
// Without a workshop ErrWorkshop says that nothing was done, because one is needed.
func (f *Runner) Run(ctx context.Context, o Order) (*Report, error) {
	r := &Report{V: 1, Tool: o.Tool, Mode: f.Mode, Result: json.RawMessage("null")}
	err := f.run(ctx, &o, r)
	if errors.Is(err, ErrWorkshop) {
		return nil, err
	}
	if err != nil {
		r.Error = asError(err)
		r.Exit = r.Error.ExitStatus()
		r.Success = false
	}
	return r, nil
}

func asError(err error) *Error {
	switch e := err.(type) { //nolint:errorlint // both are ours, unwrapped
	case *Error:
		return e
	case *LintError:
		return e.Fault
	}
	return Fail(Internal, "%s", err)
}

func (f *Runner) run(ctx context.Context, o *Order, r *Report) error {
	t, err := f.locate(o.Tool)
	if err != nil {
		return err
	}
	r.Tool = t.name
	c, err := f.Compile(t.source, t.file, t.shown)
	if err != nil {
		return err
	}
	r.Level, r.Effect = c.Manifest.Level(), c.Manifest.Effect()
	g, err := f.allowed(t, c)
	if err != nil {
		return err
	}
	r.Draft = g == nil
	args, err := o.Args.bind(c.Manifest.Params, t.name)
	if err != nil {
		return err
	}
	if err := f.leaves(args); err != nil {
		return err
	}
	for _, w := range o.Args.Words {
		if err := f.leaves(w); err != nil {
			return err
		}
	}
	wall := time.Duration(f.Config.Limits.WallSeconds * float64(time.Second))
	if o.Timeout > 0 {
		wall = min(wall, o.Timeout)
	}
	getenv := f.Getenv
	if o.Env != nil {
		getenv = func(k string) string { return o.Env[k] }
	}
	job := &worker.Job{
		Code: c.Code, Name: "tool.js", Args: args, Env: f.environment(c, g, getenv), Dirs: f.Config.FS.AllowedDirs,
		Argv: append([]string{"tgp", t.shown}, o.Args.Words...), WallMS: wall.Milliseconds(),
		Memory: f.Config.Limits.MemoryMB << 20, Output: int(f.Config.Limits.OutputMB * (1 << 20)),
	}
	digest, pending := f.plan(t, c, args)
	if o.DryRun {
		r.Plan = &Plan{Source: "sha256:" + c.SHA256, Args: args, Net: OrEmpty(c.Manifest.Net), Env: OrEmpty(c.Manifest.Env), Dirs: OrEmpty(f.Config.FS.AllowedDirs), WallMS: job.WallMS, Digest: digest}
		r.Success = true
		return nil
	}
	grants := f.grants(c, g, getenv)
	if f.Workshop == nil && f.remote(c, &grants) {
		return ErrWorkshop
	}
	if err := f.pass(t, c, g, digest, pending); err != nil {
		return err
	}
	return f.execute(ctx, o, r, t, c, grants, job)
}

// allowed is the grant of a tool; nil in god mode without one, which makes it a draft.
func (f *Runner) allowed(t *target, c *Compiled) (*Grant, error) {
	refuse := func(format string, args ...any) (*Grant, error) {
		if !f.Strict() {
			return nil, nil //nolint:nilnil // a draft
		}
		return nil, Fail(NotApproved, format, args...).Hint("a person approves it: tgp review %s, then tgp approve %s", filepath.Base(t.name), filepath.Base(t.name))
	}
	if !t.tool {
		return refuse("%s is a draft, and drafts do not run here", t.shown)
	}
	if len(t.signed) == 0 {
		return refuse("%s is not approved", t.name)
	}
	if err := f.Signed(t.signed, t.name, c.SHA256); err != nil {
		return refuse("%s is not approved: %s", t.name, err)
	}
	g, _, err := f.ReadGrant(t.signed)
	if err != nil {
		return refuse("%s is not approved: %s", t.name, err)
	}
	if g.Libs != c.Libs {
		return refuse("%s was approved with other packages", t.name)
	}
	return g, nil
}

// environment is what a tool sees of the variables: those that the configuration and
// the tool both name, and secrets only if they are signed.
func (f *Runner) environment(c *Compiled, g *Grant, getenv func(string) string) map[string]string {
	out := map[string]string{}
	for _, k := range c.Manifest.Env {
		if !contains(f.Config.Env, k) || k == f.Config.DB.EnvVar && f.Config.DB.Dialect != "" {
			continue
		}
		if sensitive(k) && (g == nil || !contains(g.Env, k)) {
			continue
		}
		if v := getenv(k); v != "" {
			out[k] = v
		}
	}
	return out
}

func contains(l []string, s string) bool {
	for _, x := range l {
		if x == s {
			return true
		}
	}
	return false
}

// pass asks the gate: HIGH needs an approval of each run, unless the signature says
// otherwise.
func (f *Runner) pass(t *target, c *Compiled, g *Grant, digest string, p runlog.Pending) error {
	level, _ := tcpdb.ParseLevel(c.Manifest.Level())
	facts := gate.Facts{Mapped: true, Standing: tcpdb.Signed, Effect: readOnly, Level: level, Who: f.Who}
	facts.Approved = g != nil && g.Unattended && level < tcpdb.Critical
	store := runlog.OpenApprovals(f.Account, account.At(f.Now()))
	if !facts.Approved && level == tcpdb.High && f.Account != "" {
		found, _ := store.Find(digest)
		facts.Approved = slices.ContainsFunc(found, func(a runlog.Approval) bool { return a.Digest == digest && store.Use(&a) })
	}
	v := gate.Decide(facts)
	switch {
	case v.Decision == gate.Allow:
		return nil
	case v.Decision == gate.Deny && f.Who == gate.Agent:
		return Fail(AgentRefused, "%s: %s", t.name, v.Reason)
	case v.Decision == gate.Deny:
		return Fail(ApprovalRequired, "%s: %s", t.name, v.Reason)
	case f.Who == gate.Person && f.Ask != nil:
		if f.Ask(t.name+" is "+level.String()+": run it?", v.Word) {
			return nil
		}
		return Fail(ApprovalRequired, "%s was not approved", t.name)
	}
	if f.Account != "" {
		// What runs is bound by the hash in the digest; there is no place beside it.
		p.Key, p.Level, p.Reason, p.Agent = digest, level.String(), v.Reason, f.Agent
		_ = store.Request(p)
	}
	return Fail(ApprovalRequired, "%s: %s", t.name, v.Reason).Hint("a person approves this run: tmp approve %s", digest[:12])
}

// execute runs a job and records it.
func (f *Runner) execute(ctx context.Context, o *Order, r *Report, t *target, c *Compiled, grants bridge.Grants, job *worker.Job) error {
	w, err := f.pool.take(ctx, f, job.Memory)
	if err != nil {
		return Fail(Internal, "%s", err)
	}
	if f.remote(c, &grants) {
		grants.Remote = f.Workshop.Remote()
	}
	b := bridge.New(grants)
	defer b.Close()
	run, err := f.newRun(c.Manifest.Effect() != readOnly)
	if err != nil {
		return err
	}
	r.RunID, r.Started = run.id(), true
	if level, _ := tcpdb.ParseLevel(c.Manifest.Level()); level >= tcpdb.High {
		f.audit(t, c, run.id())
	}
	var out, logs strings.Builder
	begin := time.Now()
	outcome := w.Run(ctx, job, nil, b, func(err bool, text []byte) {
		run.write(text)
		if err {
			logs.Write(text)
		} else {
			out.Write(text)
		}
		if o.Output != nil {
			o.Output(err, text)
		}
	})
	r.ElapsedMS = time.Since(begin).Milliseconds()
	f.pool.give(w, outcome.Kind)
	err = f.outcome(r, t, c, outcome, out.String())
	r.Logs = logs.String()
	if outcome.Kind == worker.Returned && outcome.Result != "" {
		r.Logs = out.String() + r.Logs
	}
	if err != nil {
		r.Error = asError(err)
		r.Error.Running = true
		r.Exit = r.Error.ExitStatus()
	}
	r.Success = err == nil && r.Exit == 0
	f.record(run, r, t)
	return err
}

// outcome turns how the worker ended into a result or an error.
func (f *Runner) outcome(r *Report, t *target, c *Compiled, o worker.Outcome, printed string) error {
	fail := func(code, format string, args ...any) *Error {
		e := Fail(code, format, args...)
		e.Running = true
		return e
	}
	switch o.Kind {
	case worker.Returned:
		if o.Result != "" {
			r.Result = json.RawMessage(o.Result)
			return nil
		}
		return r.fromOutput(printed)
	case worker.Exited:
		if o.Status == 0 {
			return r.fromOutput(printed)
		}
		e := fail(Failed, "the tool ended with %d", o.Status)
		e.Status = 1
		if o.Status <= 63 {
			e.Status = o.Status
		}
		_ = r.fromOutput(printed)
		return e
	case worker.Threw:
		code := o.Code
		switch code {
		case EPerm, OutputInvalid, "NEVER_SETTLES":
		default:
			code = Failed
		}
		// What the bridge answers once the time is over may reach the guest before its end does.
		if o.Code == "ABORTED" {
			return fail(TimeoutExceeded, "the tool did not end within %s", durationOf(r))
		}
		if o.Name == "InternalError" && strings.Contains(o.Message, "out of memory") {
			return fail(OOM, "the tool needs more than limits.memoryMB (%d MB)", f.Config.Limits.MemoryMB)
		}
		message := o.Name + ": " + o.Message
		if o.Code != "" && o.Code != code {
			message += " (" + o.Code + ")"
		}
		e := fail(code, "%s", OneLine(message))
		e.File, e.Line, e.Col = c.trace(o.Stack, t.shown)
		return e
	case worker.Memory:
		return fail(OOM, "the tool needs more than limits.memoryMB (%d MB)", f.Config.Limits.MemoryMB)
	case worker.Stopped:
		return fail(TimeoutExceeded, "the tool did not end within %s", durationOf(r))
	case worker.Quota:
		return fail(QuotaExceeded, "%s", o.Message)
	case worker.Refused:
		return fail(o.Code, "%s", o.Message)
	}
	return fail(Internal, "%s", o.Message)
}

func durationOf(r *Report) time.Duration {
	return (time.Duration(r.ElapsedMS) * time.Millisecond).Round(100 * time.Millisecond)
}

// fromOutput takes what was printed as the result: one JSON value, or nothing.
func (r *Report) fromOutput(printed string) error {
	text := strings.TrimSpace(printed)
	if text == "" {
		return nil
	}
	if !json.Valid([]byte(text)) {
		return Fail(OutputInvalid, "what the tool printed is not one JSON value").Hint("console.error is for messages; console.log(JSON.stringify(x)) for the result")
	}
	r.Result, r.Printed = json.RawMessage(text), true
	return nil
}

// trace finds the line of the source that a stack of the module names.
func (c *Compiled) trace(stack, shown string) (file string, line, col int) {
	if c.Map == "" {
		return "", 0, 0
	}
	m, err := sourcemap.Parse("", []byte(c.Map))
	if err != nil {
		return "", 0, 0
	}
	for l := range strings.SplitSeq(stack, "\n") {
		i := strings.Index(l, "tool.js:")
		if i < 0 {
			continue
		}
		parts := strings.FieldsFunc(l[i+len("tool.js:"):], func(r rune) bool { return r < '0' || r > '9' })
		if len(parts) < 2 {
			continue
		}
		source, _, line, col, ok := m.Source(atoi(parts[0]), atoi(parts[1])-1)
		if ok && strings.HasSuffix(source, "tgp:tool") {
			return shown, line, col + 1
		}
	}
	return "", 0, 0
}

func atoi(s string) (n int) {
	for _, c := range s {
		n = n*10 + int(c-'0')
	}
	return n
}

// grants are what the bridge of a run gives.
func (f *Runner) grants(c *Compiled, g *Grant, getenv func(string) string) bridge.Grants {
	out := bridge.Grants{
		Project: f.Config.App.Root, Dirs: f.Config.FS.AllowedDirs, DenyRead: f.Config.FS.DenyRead,
		MaxWrite: int64(f.Config.FS.MaxWriteSizeMB * (1 << 20)), MaxFiles: f.Config.FS.MaxFiles,
		Write: c.Manifest.Declares("local-write"), Network: c.Manifest.Declares("network"), DBWrite: c.Manifest.Declares("db-write"),
		MaxAnswer: f.Config.Limits.MemoryMB << 20 / 4,
	}
	if g != nil {
		out.Net = g.Net
	}
	out.DB = f.database(getenv)
	return out
}

// remote reports whether a run may ask a database or a host.
func (f *Runner) remote(c *Compiled, g *bridge.Grants) bool {
	return g.DB != nil && c.Remote || g.Network && len(g.Net) > 0
}

// readOnly is the effect of a tool that changes nothing.
const readOnly = "read-only"

func (f *Runner) audit(t *target, c *Compiled, id string) {
	if f.Paths.State == "" {
		return
	}
	_ = audit.Append(f.Paths.State, audit.Record{
		Time: f.Now(), Via: "tgp", Answer: audit.Ran, Level: c.Manifest.Level(), Dir: f.Dir, Line: "tgp run " + t.name, Agent: f.Agent,
		Operation: "tgp." + strings.ReplaceAll(t.name, "/", "."), RunID: id,
	})
}
