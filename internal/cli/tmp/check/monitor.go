package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

type monitorOptions struct {
	check checkOptions
	level string
}

// NewMonitor is tmp monitor.
func NewMonitor(env *term.Env, f *command.Flags) command.Run {
	o := monitorOptions{check: checkOptions{shell: "bash", stdin: true}, level: "critical"}
	f.String("shell", &o.check.shell)
	f.Bool("null", &o.check.null)
	f.String("level", &o.level)
	return func(in command.Input) error {
		if len(in.Args) > 0 {
			return term.Usagef("the commands come on standard input").Hint("tmp monitor < commands, or tmp monitor -- COMMAND to run for each alarm")
		}
		if in.Dashed && len(in.Rest) == 0 {
			return term.Usagef("give the command after --")
		}
		return o.run(env, in.Rest)
	}
}

// monitorRecord is one answer of tmp monitor, a line of JSON.
type monitorRecord struct {
	Time  string `json:"time"` // RFC 3339, UTC
	N     int    `json:"n"`    // number of the record, from 1
	Line  string `json:"line"`
	Alarm bool   `json:"alarm"` // at or above --level
	session.Check
}

// run answers each record as soon as it has come, and starts the alarm's
// command for those that call for it (seed 001 §6, real-time monitoring). A
// command that fails is said and stops nothing.
func (o *monitorOptions) run(env *term.Env, alarm []string) error {
	w, err := env.Session()
	if err != nil {
		return err
	}
	limit, err := tcpdb.ParseLevel(levelNames[o.level])
	if err != nil {
		return term.Usagef("--level: %s", err)
	}
	worst := tcpdb.Safe
	n := 0
	err = o.check.records(env.Stdin, func(text string) error {
		n++
		v := w.Judge(text, o.check.shell)
		worst = max(worst, v.Level)
		rec := monitorRecord{
			Time: env.Now().UTC().Format(time.RFC3339Nano), N: n, Line: text, Alarm: v.Level >= limit, Check: w.Check(text, v),
		}
		line, err := jsonLine(rec)
		if err != nil {
			return err
		}
		if _, err := env.Stdout.Write(line); err != nil {
			return err
		}
		if rec.Alarm && len(alarm) > 0 {
			raise(env, alarm, line)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return checkStatus(worst)
}

// levelNames are the words of --level.
var levelNames = map[string]string{"medium": "MEDIUM_RISK", "high": "HIGH_RISK", "critical": "CRITICAL"}

func jsonLine(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// raise runs the alarm's command with the record on its standard input. Its
// words are never put together with the judged line.
func raise(env *term.Env, argv []string, record []byte) {
	cmd := exec.CommandContext(env.Context, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = env.Dir, env.Environ
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(record), env.Stderr, env.Stderr
	if err := cmd.Run(); err != nil && !errors.Is(err, env.Context.Err()) {
		env.Notice("%s: %s", argv[0], err)
	}
}
