package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

type monitorOptions struct {
	check checkOptions
	level string
	stop  int
}

// NewMonitor is tmp monitor.
func NewMonitor(env *term.Env, f *command.Flags) command.Run {
	o := monitorOptions{check: checkOptions{shell: "bash", stdin: true}, level: "critical"}
	f.String("shell", &o.check.shell)
	f.Bool("null", &o.check.null)
	f.String("level", &o.level)
	f.Int("stop", &o.stop)
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
	// Stopped: the process of --stop was ended for it.
	Stopped bool `json:"stopped,omitempty"`
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
	var watched *os.Process
	if o.stop != 0 {
		if watched, err = watch(o.stop); err != nil {
			return err
		}
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
		if rec.Alarm && watched != nil {
			rec.Stopped = emergencyStop(watched)
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

// watch finds the process that the stream tells of. It must be the caller's to end,
// and none that everything hangs on.
func watch(pid int) (*os.Process, error) {
	if pid <= 1 || pid == os.Getpid() || pid == os.Getppid() {
		return nil, term.Usagef("--stop %d: want the number of the process whose commands these are", pid)
	}
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Signal(syscall.Signal(0))
	}
	if err != nil {
		return nil, term.Failf("--stop %d: %s", pid, err)
	}
	return p, nil
}

// emergencyStop ends a process at once, and with it those that it has started where
// it leads a group of its own (seed 001 §5.3). It is false where there was none any
// more: a number that another process has by now is left alone.
func emergencyStop(p *os.Process) bool {
	if p.Signal(syscall.Signal(0)) != nil {
		return false
	}
	if group, err := syscall.Getpgid(p.Pid); err == nil && group == p.Pid {
		_ = syscall.Kill(-group, syscall.SIGKILL)
	}
	_ = p.Kill()
	return true
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
