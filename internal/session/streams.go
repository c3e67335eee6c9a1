package session

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/internal/surface"
)

// How says how a plan is run, and what the program has of the caller's streams.
type How struct {
	Stdin          io.Reader // nil: nothing
	Stdout, Stderr io.Writer
	// Terminal reports whether the stream 0, 1 or 2 is a terminal; nil: none is.
	Terminal func(stream int) bool
	// Asker is asked where a person has to say yes; nil leaves the plan for Approve.
	Asker Asker
	// Silent: the envelope is all that is wanted, nothing is shown as it comes.
	Silent   bool
	Raw      bool // the output as it is, not shaped
	Separate bool // standard error is kept apart
	// Of an operation that is no command: the form of its output ("json", "csv",
	// "ndjson", "" for people), all pages of it, and at most so many items.
	Format     string
	All        bool
	MaxItems   int
	Width      int // of the terminal, 0 for any
	Compressor string
	Timeout    time.Duration // 0 for the operation's own
	// Of a workflow: steps at once (0: as many as there are processors), and who
	// hears how each comes on; nil: nobody.
	Jobs     int
	Progress func(step, text string)
}

// Limit is the time that was asked for, or the plan's own; 0 is none.
func (h *How) Limit(p *invoke.Plan) time.Duration {
	if h.Timeout > 0 {
		return h.Timeout
	}
	return p.Timeout
}

// Streams reports whether the output is shown as it comes: whole if that was
// asked for, to a person who watches, and of a command that goes on until it is
// stopped.
func (h *How) Streams(p *Prepared) bool {
	if p.Plan.Call != nil { // rows come as they are; an answer of an API is shaped first
		return !h.Silent && (h.Raw || p.Plan.Operation.Surface == surface.SQL)
	}
	watched := h.Compressor == "" && h.terminal(1)
	return !h.Silent && (h.Raw || watched || p.Output.Follows) && len(p.Plan.Steps) == 0
}

func (h *How) terminal(stream int) bool { return h.Terminal != nil && h.Terminal(stream) }

// jobs is how many steps run at once.
func (h *How) jobs() int {
	if h.Jobs > 0 {
		return h.Jobs
	}
	return min(8, runtime.GOMAXPROCS(0))
}

// Fed reports whether something comes on standard input: a pipe or a file.
func Fed(stdin io.Reader) bool {
	f, ok := stdin.(*os.File)
	if !ok {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice == 0 && (st.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0 || st.Size() > 0)
}

// newRun makes the place for the output: in the project, or where that cannot be
// written in the state directory.
func (e *execution) newRun() (*runlog.Run, error) {
	where, all, err := e.Runs()
	if err != nil {
		return nil, err
	}
	run, err := runlog.New(where, e.Now())
	if err != nil && len(all) > 1 && !errors.Is(err, runlog.ErrLink) {
		if other, e2 := runlog.New(all[1], e.Now()); e2 == nil {
			e.notice("the output is kept in %s: %s", all[1].Dir, err)
			_ = other.SetDir(e.Dir) // the summary tells it too
			return other, nil
		}
	}
	if err != nil {
		return nil, Fail("cannot keep the output: %s", err).Hint("set TMP_STATE_DIR to a directory that can be written")
	}
	if e.Project == "" {
		_ = run.SetDir(e.Dir) // the summary tells it too
	}
	return run, nil
}

// options say where the streams of the program go.
func (e *execution) options(run *runlog.Run) invoke.Options {
	h := &e.how
	o := invoke.Options{Stdin: e.input(), Log: run.Raw, Timeout: h.Limit(e.Plan)}
	if e.Plan.Call != nil && o.Timeout > 0 {
		o.Timeout += callGrace // its program ends it by itself, on the server too
	}
	switch {
	case h.terminal(0) && h.terminal(1):
		o.Job = invoke.Foreground
	case h.terminal(0):
		o.Job = invoke.OurGroup
	}
	switch out, isFile := h.Stdout.(*os.File); {
	case isFile && o.Job == invoke.Foreground && h.terminal(2) && !h.Silent && e.Prepared.Output.Interactive:
		o.Terminal, o.TerminalErr = out, out
		if errs, ok := h.Stderr.(*os.File); ok {
			o.TerminalErr = errs
		}
		e.onTerminal = true
	case h.Streams(e.Prepared):
		o.Stream = h.Stdout
	case run.Scarce():
		// The program is not to fail because its output finds no room: it writes
		// to a pipe, and what the log cannot take is told, and shown out of memory.
		e.spill = &spill{}
		o.Stream = e.spill
	}
	return o
}

// input is what the program reads. What came on standard input when a plan was
// approved elsewhere is nothing that the approval could bind.
func (e *execution) input() io.Reader {
	if e.Plan.Call != nil && e.Body == "-" {
		return e.piped() // bound by its hash
	}
	if !e.elsewhere {
		return e.how.Stdin
	}
	if Fed(e.how.Stdin) {
		e.notice("what comes on standard input is not handed on: an approval given elsewhere does not cover it")
	}
	return nil
}

// sayWithheld names the variables that the program does not get, and how it would.
func (e *execution) sayWithheld() {
	if len(e.Plan.Withheld) == 0 || e.how.Silent {
		return
	}
	names := strings.Join(e.Plan.Withheld, ", ")
	if e.Plan.Operation != nil && e.Plan.Operation.Surface != "script" || e.Agent != "" {
		e.notice("withheld from %s: %s", e.Plan.Argv[0], names)
		return
	}
	quoted, _ := json.Marshal(e.Plan.Withheld)
	e.notice("withheld from the script: %s; %q in the operation %s lets it have them", names, `"env": `+string(quoted), e.Plan.Operation.ID)
}
