package fig

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/sandbox"
)

// Bounds of the evaluation of one spec.
const (
	MaxTime   = 5 * time.Second
	MaxMemory = 768 << 20 // bytes, of the process that evaluates
	MaxOutput = 32 << 20  // bytes, of what comes out
)

// Reasons that a process gives, or that are given for it once it is dead.
const (
	ErrMemory = "needs too much memory to be evaluated"
	ErrTime   = "takes too long to be evaluated"
)

// Verdict is what the evaluating process answers, as one line of JSON.
type Verdict struct {
	Value json.RawMessage `json:"value,omitempty"`
	Line  int             `json:"line,omitempty"`
	Fault string          `json:"fault,omitempty"`
}

// run evaluates a script in a process of its own: in a jail where one can be
// made, else under limits.
func run(ctx context.Context, evaluator []string, source string) (json.RawMessage, error) {
	if len(evaluator) == 0 {
		return nil, draft.Faultf(0, "is a spec of Fig, and tmp-fig, which evaluates those, is not beside tmp: install it too")
	}
	r, err := sandbox.Run(ctx, sandbox.Spec{
		Argv: evaluator, Stdin: []byte(source), Timeout: MaxTime + 2*time.Second,
		Output: MaxOutput, Memory: 2 * MaxMemory, Processes: 64, Disk: 1 << 20,
	})
	if errors.Is(err, sandbox.ErrUnavailable) {
		r, err = limited(ctx, evaluator, source)
	}
	switch {
	case err != nil:
		return nil, err
	case r.TimedOut:
		return nil, draft.Faultf(0, ErrTime)
	case r.Cut:
		return nil, draft.Faultf(0, "comes to more than %d MiB", MaxOutput>>20)
	}
	line, _, _ := bytes.Cut(r.Stdout, []byte("\n"))
	var v Verdict
	if json.Unmarshal(line, &v) != nil {
		if strings.Contains(string(r.Stderr), "out of memory") || strings.Contains(string(r.Stderr), "cannot allocate") {
			return nil, draft.Faultf(0, ErrMemory)
		}
		return nil, draft.Faultf(0, "its evaluation ended with status %d", r.Status)
	}
	if v.Fault != "" {
		return nil, draft.Faultf(v.Line, "%s", v.Fault)
	}
	return v.Value, nil
}

// limited evaluates without a jail, with an empty environment and under the
// limits that the process sets itself.
func limited(ctx context.Context, evaluator []string, source string) (r sandbox.Result, err error) {
	ctx, cancel := context.WithTimeout(ctx, MaxTime+2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, evaluator[0], evaluator[1:]...)
	cmd.Dir, cmd.Env = "/", []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Stdin = strings.NewReader(source)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if cmd.ProcessState == nil {
		return r, err
	}
	r = sandbox.Result{Stdout: out.Bytes(), Stderr: errs.Bytes(), Status: cmd.ProcessState.ExitCode()}
	r.TimedOut = errors.Is(ctx.Err(), context.DeadlineExceeded)
	return r, nil
}
