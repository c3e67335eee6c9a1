package fig

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
	"golang.org/x/sys/unix"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/sandbox"
)

// Bounds of the evaluation of one spec.
const (
	maxTime   = 5 * time.Second
	maxMemory = 768 << 20 // bytes, of the process that evaluates
	maxOutput = 32 << 20  // bytes, of what comes out
	maxCalls  = 2000      // calls below calls
)

// childArgument is the only argument of a process of ours that evaluates. It is
// none that anybody types.
const childArgument = "\x01evaluate"

// verdict is what the evaluating process answers.
type verdict struct {
	Value json.RawMessage `json:"value,omitempty"`
	Line  int             `json:"line,omitempty"`
	Fault string          `json:"fault,omitempty"`
}

// Child evaluates the spec on standard input in a process that Read started, and
// does not return then. In every other process it does nothing. A program that
// calls Read calls it first of all, after sandbox.Child.
func Child() {
	if len(os.Args) != 2 || os.Args[1] != childArgument {
		return
	}
	limit()
	source, err := io.ReadAll(io.LimitReader(os.Stdin, maxOutput))
	var v verdict
	if err != nil {
		v.Fault = err.Error()
	} else {
		v = read(string(source))
	}
	_ = json.NewEncoder(os.Stdout).Encode(v)
	os.Exit(0)
}

// limit bounds this process by what the system has for that, and ends it when
// its heap grows too far.
func limit() {
	for resource, most := range map[int]uint64{unix.RLIMIT_CPU: 2 * uint64(maxTime/time.Second), unix.RLIMIT_DATA: 2 * maxMemory, unix.RLIMIT_FSIZE: 0, unix.RLIMIT_CORE: 0} {
		_ = unix.Setrlimit(resource, &unix.Rlimit{Cur: most, Max: most})
	}
	go func() {
		var m runtime.MemStats
		for ; ; time.Sleep(20 * time.Millisecond) {
			if runtime.ReadMemStats(&m); m.HeapAlloc > maxMemory {
				_ = json.NewEncoder(os.Stdout).Encode(verdict{Fault: errMemory})
				os.Exit(0)
			}
		}
	}()
}

const (
	errMemory = "needs too much memory to be evaluated"
	errTime   = "takes too long to be evaluated"
)

// read makes a script of a module and evaluates it. Lines are those of the module.
func read(source string) (v verdict) {
	defer func() {
		if r := recover(); r != nil {
			v = verdict{Fault: fmt.Sprintf("cannot be read: %v", r)}
		}
	}()
	text, err := script(source)
	var fault *draft.Fault
	switch {
	case errors.As(err, &fault):
		return verdict{Line: fault.Line, Fault: fault.Reason}
	case err != nil:
		return verdict{Fault: err.Error()}
	}
	v = evaluate(text)
	v.Line = min(max(v.Line-1, 0), 1+strings.Count(source, "\n"))
	return v
}

// evaluate runs a script in an engine that has nothing of the host: no files, no
// network, no processes, no clock and no chance.
func evaluate(source string) verdict {
	vm := goja.New()
	vm.SetMaxCallStackSize(maxCalls)
	vm.SetTimeSource(func() time.Time { return time.Unix(0, 0).UTC() })
	vm.SetRandSource(func() float64 { return 0 })
	stop := time.AfterFunc(maxTime, func() { vm.Interrupt(errTime) })
	defer stop.Stop()
	tree, err := parser.ParseFile(nil, "", source, 0, parser.WithDisableSourceMaps)
	if err != nil {
		return failed(err)
	}
	program, err := goja.CompileAST(tree, true)
	if err != nil {
		return failed(err)
	}
	v, err := vm.RunProgram(program)
	if err != nil {
		return failed(err)
	}
	var b bytes.Buffer
	w := &writer{vm: vm, out: &b}
	if thrown := vm.Try(func() { w.value(v, 0) }); thrown != nil {
		return failed(thrown)
	}
	if w.err != nil {
		return verdict{Fault: w.err.Error()}
	}
	return verdict{Value: b.Bytes()}
}

// failed says why a script did not run to its end.
func failed(err error) verdict {
	var parsed parser.ErrorList
	var interrupted *goja.InterruptedError
	var syntax *goja.CompilerSyntaxError
	var overflow *goja.StackOverflowError
	var thrown *goja.Exception
	switch {
	case errors.As(err, &interrupted):
		return verdict{Fault: fmt.Sprint(interrupted.Value())}
	case errors.As(err, &parsed) && len(parsed) > 0:
		return verdict{Fault: "not JavaScript: " + parsed[0].Message, Line: parsed[0].Position.Line}
	case errors.As(err, &syntax):
		v := verdict{Fault: "not JavaScript: " + syntax.Message}
		if syntax.File != nil {
			v.Line = syntax.File.Position(syntax.Offset).Line
		}
		return v
	case errors.As(err, &overflow):
		return verdict{Fault: "fails: its calls are nested too deep"}
	case errors.As(err, &thrown):
		v := verdict{Fault: "fails: " + thrown.Value().String()}
		if stack := thrown.Stack(); len(stack) > 0 {
			v.Line = stack[0].Position().Line
		}
		return v
	}
	return verdict{Fault: err.Error()}
}

// run evaluates a script in a process of its own: in a jail where one can be
// made, else under limits.
func run(ctx context.Context, source string) (json.RawMessage, error) {
	r, err := sandbox.Run(ctx, sandbox.Spec{
		Argv: []string{"/proc/self/exe", childArgument}, Stdin: []byte(source), Timeout: maxTime + 2*time.Second,
		Output: maxOutput, Memory: 2 * maxMemory, Processes: 64, Disk: 1 << 20,
	})
	if errors.Is(err, sandbox.ErrUnavailable) {
		r, err = limited(ctx, source)
	}
	switch {
	case err != nil:
		return nil, err
	case r.TimedOut:
		return nil, draft.Faultf(0, errTime)
	case r.Cut:
		return nil, draft.Faultf(0, "comes to more than %d MiB", maxOutput>>20)
	}
	line, _, _ := bytes.Cut(r.Stdout, []byte("\n"))
	var v verdict
	if json.Unmarshal(line, &v) != nil {
		if strings.Contains(string(r.Stderr), "out of memory") || strings.Contains(string(r.Stderr), "cannot allocate") {
			return nil, draft.Faultf(0, errMemory)
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
func limited(ctx context.Context, source string) (r sandbox.Result, err error) {
	exe, err := os.Executable()
	if err != nil {
		return r, err
	}
	ctx, cancel := context.WithTimeout(ctx, maxTime+2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, childArgument)
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
