// Package evaluator evaluates a Fig spec: it makes a plain script of a JavaScript
// or TypeScript module and runs that in an engine that has nothing of the host.
// It is a program of its own, so that no other command carries the engine.
package evaluator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
	"golang.org/x/sys/unix"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/discover/spec/fig"
)

// maxCalls bounds calls below calls.
const maxCalls = 2000

// Main evaluates the spec that it reads and writes the fig.Verdict.
func Main(in io.Reader, out io.Writer) int {
	limit(out)
	source, err := io.ReadAll(io.LimitReader(in, fig.MaxOutput))
	var v fig.Verdict
	if err != nil {
		v.Fault = err.Error()
	} else {
		v = read(string(source))
	}
	if json.NewEncoder(out).Encode(v) != nil {
		return 1
	}
	return 0
}

// limit bounds this process by what the system has for that, and ends it when
// its heap grows too far.
func limit(out io.Writer) {
	for resource, most := range map[int]uint64{unix.RLIMIT_CPU: 2 * uint64(fig.MaxTime/time.Second), unix.RLIMIT_DATA: 2 * fig.MaxMemory, unix.RLIMIT_FSIZE: 2 * fig.MaxOutput, unix.RLIMIT_CORE: 0} {
		_ = unix.Setrlimit(resource, &unix.Rlimit{Cur: most, Max: most})
	}
	go func() {
		var m runtime.MemStats
		for ; ; time.Sleep(20 * time.Millisecond) {
			if runtime.ReadMemStats(&m); m.HeapAlloc > fig.MaxMemory {
				_ = json.NewEncoder(out).Encode(fig.Verdict{Fault: fig.ErrMemory})
				os.Exit(0)
			}
		}
	}()
}

// read makes a script of a module and evaluates it. Lines are those of the module.
func read(source string) (v fig.Verdict) {
	defer func() {
		if r := recover(); r != nil {
			v = fig.Verdict{Fault: fmt.Sprintf("cannot be read: %v", r)}
		}
	}()
	text, err := script(source)
	var fault *draft.Fault
	switch {
	case errors.As(err, &fault):
		return fig.Verdict{Line: fault.Line, Fault: fault.Reason}
	case err != nil:
		return fig.Verdict{Fault: err.Error()}
	}
	v = evaluate(text)
	v.Line = min(max(v.Line-1, 0), 1+strings.Count(source, "\n"))
	return v
}

// evaluate runs a script in an engine that has nothing of the host: no files, no
// network, no processes, no clock and no chance.
func evaluate(source string) fig.Verdict {
	vm := goja.New()
	vm.SetMaxCallStackSize(maxCalls)
	vm.SetTimeSource(func() time.Time { return time.Unix(0, 0).UTC() })
	vm.SetRandSource(func() float64 { return 0 })
	stop := time.AfterFunc(fig.MaxTime, func() { vm.Interrupt(fig.ErrTime) })
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
		return fig.Verdict{Fault: w.err.Error()}
	}
	return fig.Verdict{Value: b.Bytes()}
}

// failed says why a script did not run to its end.
func failed(err error) fig.Verdict {
	var parsed parser.ErrorList
	var interrupted *goja.InterruptedError
	var syntax *goja.CompilerSyntaxError
	var overflow *goja.StackOverflowError
	var thrown *goja.Exception
	switch {
	case errors.As(err, &interrupted):
		return fig.Verdict{Fault: fmt.Sprint(interrupted.Value())}
	case errors.As(err, &parsed) && len(parsed) > 0:
		return fig.Verdict{Fault: "not JavaScript: " + parsed[0].Message, Line: parsed[0].Position.Line}
	case errors.As(err, &syntax):
		v := fig.Verdict{Fault: "not JavaScript: " + syntax.Message}
		if syntax.File != nil {
			v.Line = syntax.File.Position(syntax.Offset).Line
		}
		return v
	case errors.As(err, &overflow):
		return fig.Verdict{Fault: "fails: its calls are nested too deep"}
	case errors.As(err, &thrown):
		v := fig.Verdict{Fault: "fails: " + thrown.Value().String()}
		if stack := thrown.Stack(); len(stack) > 0 {
			v.Line = stack[0].Position().Line
		}
		return v
	}
	return fig.Verdict{Fault: err.Error()}
}
