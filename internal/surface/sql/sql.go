// Package sql runs the statements of operations of surface "sql" on SQLite,
// PostgreSQL, MySQL and MariaDB. Every value is bound by the driver; whether a
// statement only reads is found out by the database and not believed.
//
//   - sql.go: a request becomes a report
//   - connection.go: a table of config.toml becomes a connection
//   - template.go: a record with its values becomes a statement
//   - sqlite.go, postgres.go, mysql.go: the databases
//   - render.go: rows become text
package sql

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/surface"
)

// database is a connection that carries templates out.
type database interface {
	// Check prepares a template and finds out what it does. Nothing is run. The error is
	// a *refusal where it can do more than read and reads is set.
	Check(ctx context.Context, t *template, reads bool) (*Facts, error)
	// Read runs a template that can only read.
	Read(ctx context.Context, t *template, out *rows) error
	// Write runs a template that changes something and keeps it, unless allow says no
	// to the number of rows.
	Write(ctx context.Context, t *template, out *rows, allow func(touched int64) error) (touched int64, err error)
	// Plan says how a template would be carried out, in lines.
	Plan(ctx context.Context, t *template) ([]string, error)
	// Try runs a template that changes something and takes it back; ok is false where
	// that cannot be done.
	Try(ctx context.Context, t *template) (touched int64, ok bool, err error)
	Close()
}

// Facts are what a template was found to do: the evidence.
type Facts struct {
	Driver     string `json:"driver"`
	Connection string `json:"connection"`
	Statement  string `json:"statement"` // its verb
	Effect     string `json:"effect"`    // "read-only" or "write"
	// Reads and Writes are tables with the columns, as far as the database tells.
	Reads      map[string][]string `json:"reads,omitempty"`
	Writes     []string            `json:"writes,omitempty"`
	Functions  []string            `json:"functions,omitempty"`
	Columns    []string            `json:"columns,omitempty"` // of the result
	Parameters int                 `json:"parameters"`
	By         string              `json:"by"` // who found it out: "authorizer", "prepare", "words"
	Refused    string              `json:"refused,omitempty"`
	Plan       []string            `json:"plan,omitempty"`
	Touches    *int64              `json:"touches,omitempty"`
}

// refusal is why a template is not run.
type refusal struct {
	message string
	hints   []string
	facts   *Facts
}

func (r *refusal) Error() string { return r.message }

func refuse(format string, args ...any) *refusal {
	return &refusal{message: fmt.Sprintf(format, args...)}
}

// Do carries a request out.
func Do(ctx context.Context, w surface.World, r *surface.Request) *surface.Report {
	c, err := connectionOf(w, r)
	if err != nil {
		return failed(ctx, nil, err, false)
	}
	if r.Timeout == 0 {
		limited, cancel := context.WithTimeoutCause(ctx, c.Timeout, surface.ErrTimeout)
		defer cancel()
		ctx = limited
	}
	if r.Mode == surface.Values {
		return values(ctx, w, r, c)
	}
	t, err := newTemplate(r, c)
	if err != nil {
		return failed(ctx, t, err, false)
	}
	reads := onlyReads(r.Effect)
	if !reads && !c.Write && r.Mode != surface.Check {
		no := refuse("the connection %s does not write, and %s does", c.Name, r.Operation)
		if strings.HasPrefix(c.Name, "file:") {
			no.hints = []string{"a database that a project names is only read: a table [sql.NAME] of your own config.toml with write = true lets statements change it"}
		} else {
			no.hints = []string{fmt.Sprintf("write = true under [sql.%s] in your config.toml lets statements of this connection change it", c.Name)}
		}
		return failed(ctx, t, no, false)
	}
	db, err := open(ctx, c, reads || r.Mode == surface.Check)
	if err != nil {
		return failed(ctx, t, err, false)
	}
	defer db.Close()
	return carryOut(ctx, w, db, t, reads)
}

// onlyReads reports whether an effect says that nothing is changed.
func onlyReads(effect string) bool {
	for kind := range strings.SplitSeq(effect, "+") {
		if kind = strings.TrimSpace(kind); kind != "read-only" && kind != "network" {
			return false
		}
	}
	return effect != ""
}

func carryOut(ctx context.Context, w surface.World, db database, t *template, reads bool) *surface.Report {
	switch t.r.Mode {
	case surface.Check:
		return check(ctx, db, t, reads)
	case surface.DryRun:
		return dryRun(ctx, db, t, reads)
	case surface.Run:
	default:
		return surface.Refuse(fmt.Sprintf("%q is nothing that a statement can be asked", t.r.Mode))
	}
	out := newRows(w.Stdout, t.r, t.c.MaxRows)
	report := &surface.Report{V: 1, Started: true}
	var err error
	if reads {
		err = db.Read(ctx, t, out)
	} else {
		var touched int64
		touched, err = db.Write(ctx, t, out, t.allow)
		if err == nil {
			report.Touches = &touched
		}
	}
	if e := out.end(err == nil); err == nil {
		err = e
	}
	if err != nil {
		no := failed(ctx, t, err, true)
		no.Fields = out.fields(t)
		return no
	}
	report.Fields, report.Lines = out.fields(t), out.lines()
	if report.Touches != nil && len(out.columns) == 0 {
		report.Lines = append(report.Lines, rowCount(*report.Touches)+" changed")
	}
	return report
}

func rowCount(n int64) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}

// allow holds the number of rows that a statement touches to what a person was told.
func (t *template) allow(touched int64) error {
	if t.r.Expect == nil || *t.r.Expect == touched {
		return nil
	}
	return &stale{touched, *t.r.Expect}
}

// stale is a statement that touches other rows than it was approved for.
type stale struct{ is, was int64 }

func (s *stale) Error() string {
	return fmt.Sprintf("it would change %s, and what was approved is %s: nothing is changed", rowCount(s.is), rowCount(s.was))
}

// check finds out what a template does.
func check(ctx context.Context, db database, t *template, reads bool) *surface.Report {
	facts, err := db.Check(ctx, t, reads)
	var no *refusal
	if errors.As(err, &no) && no.facts != nil {
		report := failed(ctx, t, err, false)
		report.Lines = no.facts.lines()
		report.SetFacts(no.facts)
		return report
	}
	if err != nil {
		return failed(ctx, t, err, true)
	}
	report := &surface.Report{V: 1, Started: true, Lines: facts.lines()}
	report.SetFacts(facts)
	return report
}

// dryRun says what a template would do.
func dryRun(ctx context.Context, db database, t *template, reads bool) *surface.Report {
	facts, err := db.Check(ctx, t, reads)
	if err != nil {
		report := failed(ctx, t, err, !isRefusal(err))
		if facts != nil {
			report.SetFacts(facts)
		}
		return report
	}
	if facts.Plan, err = db.Plan(ctx, t); err != nil {
		return failed(ctx, t, err, true)
	}
	report := &surface.Report{V: 1, Started: true}
	if !reads {
		touched, ok, err := db.Try(ctx, t)
		if err != nil {
			return failed(ctx, t, err, true)
		}
		if ok {
			facts.Touches, report.Touches = &touched, &touched
		}
	}
	report.Lines = facts.lines()
	report.SetFacts(facts)
	return report
}

func isRefusal(err error) bool {
	var no *refusal
	return errors.As(err, &no)
}

// lines say the facts to a person.
func (f *Facts) lines() []string {
	var out []string
	add := func(name, text string) {
		if text != "" {
			out = append(out, name+" "+text)
		}
	}
	switch {
	case f.Touches != nil && *f.Touches == 1:
		out = append(out, "would change 1 row")
	case f.Touches != nil:
		out = append(out, fmt.Sprintf("would change %d rows", *f.Touches))
	}
	add("found", fmt.Sprintf("%s (%s), by %s", f.Effect, cmp.Or(f.Statement, "no statement"), f.By))
	add("on", fmt.Sprintf("%s (%s)", f.Connection, f.Driver))
	add("reads", tables(f.Reads))
	add("writes", strings.Join(f.Writes, ", "))
	add("calls", strings.Join(f.Functions, ", "))
	add("refused", f.Refused)
	for _, line := range f.Plan {
		add("plan", line)
	}
	return out
}

// tables are tables with their columns: "jobs(id, status)".
func tables(reads map[string][]string) string {
	var parts []string
	for _, name := range sortedKeys(reads) {
		if columns := reads[name]; len(columns) > 0 {
			name += "(" + strings.Join(columns, ", ") + ")"
		}
		parts = append(parts, name)
	}
	return strings.Join(parts, ", ")
}

// failed is the report of an error. started: something was asked of the database.
func failed(ctx context.Context, t *template, err error, started bool) *surface.Report {
	var no *refusal
	var changed *stale
	var fault *fault
	switch cause := context.Cause(ctx); {
	case errors.As(err, &no):
		return surface.Refuse(no.message, no.hints...)
	case errors.As(err, &changed):
		return &surface.Report{V: 1, Started: true, Status: surface.StatusRefused, Code: "approval_stale", Message: err.Error()}
	case errors.Is(cause, surface.ErrTimeout) && !errors.As(err, &fault):
		return &surface.Report{V: 1, Started: started, Status: surface.StatusTimeout, Code: "timeout", Message: "the statement was stopped: " + cause.Error()}
	case errors.Is(cause, surface.ErrInterrupted):
		return &surface.Report{V: 1, Started: started, Status: surface.StatusInterrupt, Code: "interrupted", Message: "interrupted"}
	case errors.As(err, &fault):
		return &surface.Report{V: 1, Started: started, Status: surface.StatusDatabase, Code: "database", Message: fault.text(t)}
	}
	return &surface.Report{V: 1, Started: started, Status: surface.StatusDatabase, Code: "database", Message: err.Error()}
}

// fault is an error of the database.
type fault struct {
	state   string // SQLSTATE, or the database's own code
	message string
	at      int // byte of the template, -1 if that is not known
}

func (f *fault) Error() string { return f.message }

// text is the error with its place in the template.
func (f *fault) text(t *template) string {
	text := f.message
	if f.state != "" {
		text = f.state + ": " + text
	}
	if t == nil || f.at < 0 {
		return text
	}
	return t.place(f.at) + ": " + text
}

// retryMargin is how long before the end of its time a locked database is given up, so
// that it is told as that.
const retryMargin = 150 * time.Millisecond
