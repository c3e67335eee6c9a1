package benchmark

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/shape"
)

// Limits of a step.
const (
	stepTime   = 3 * time.Minute
	maxCapture = 64 << 20 // bytes of output that are kept; more is a fault
)

// Runner does tasks under a directory of its own. Nothing of the caller's home
// is read or written but the caches of compilers.
type Runner struct {
	Self   string                   // the program that "tmp" is in the steps
	Getenv func(name string) string // the caller's environment
	Now    func() time.Time
	root   string
}

// Missing names a program that a task needs and PATH does not have, "" if none.
func (t *Task) Missing(getenv func(string) string) string {
	for _, name := range t.Needs {
		found := false
		for _, dir := range filepath.SplitList(getenv("PATH")) {
			info, err := os.Stat(filepath.Join(dir, name))
			found = found || err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
		}
		if !found {
			return name
		}
	}
	return ""
}

// Open makes the runner's directory; Close removes it.
func (r *Runner) Open() error {
	root, err := os.MkdirTemp("", "tmp-benchmark-")
	if err != nil {
		return err
	}
	r.root = root
	for _, dir := range []string{"bin", "tmp"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o700); err != nil {
			return errors.Join(err, r.Close())
		}
	}
	if err := os.Symlink(r.Self, filepath.Join(root, "bin", "tmp")); err != nil {
		return errors.Join(err, r.Close())
	}
	for _, name := range []string{"te", "tmp-agent"} {
		if file := filepath.Join(filepath.Dir(r.Self), name); isFile(file) {
			if err := os.Symlink(file, filepath.Join(root, "bin", name)); err != nil {
				return errors.Join(err, r.Close())
			}
		}
	}
	return nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Close removes what Open and the tasks made. Compilers write directories that
// may not be written to; they are removed too.
func (r *Runner) Close() error {
	if r.root == "" {
		return nil
	}
	if os.RemoveAll(r.root) == nil {
		return nil
	}
	_ = filepath.WalkDir(r.root, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(r.root)
}

// steps are those of a mode.
func (t *Task) steps(m Mode) []Step {
	return map[Mode][]Step{Baseline: t.Baseline, Head: t.Head, Assisted: t.Assisted}[m]
}

// Do does a task in each mode that it has. A task without a baseline has the assisted
// record alone.
func (r *Runner) Do(ctx context.Context, t *Task) ([]Record, error) {
	var out []Record
	for _, m := range []Mode{Baseline, Head, Assisted} {
		if m != Assisted && len(t.steps(m)) == 0 {
			continue
		}
		rec, err := r.mode(ctx, t, m)
		if err != nil {
			return out, fmt.Errorf("%s: %s: %w", t.ID, m, err)
		}
		out = append(out, rec)
	}
	return out, nil
}

func (r *Runner) mode(ctx context.Context, t *Task, m Mode) (Record, error) {
	dir, err := r.project()
	if err != nil {
		return Record{}, err
	}
	steps := t.steps(m)
	rec := Record{
		RunID:  r.Now().UTC().Format("2006-01-02T15-04-05Z") + "-" + strings.ReplaceAll(t.ID, ".", "-"),
		TaskID: t.ID, Mode: m, Surface: t.Surface, Counts: t.Counts,
	}
	if res := r.bash(ctx, dir, "set -e\n"+t.Setup, m); res.status != 0 {
		return rec, fmt.Errorf("setup: exit status %d: %s", res.status, lastLine(res.out))
	}
	var returned strings.Builder
	for i, s := range steps {
		res := r.bash(ctx, dir, s.Run, m)
		if err := ctx.Err(); err != nil {
			return rec, err
		}
		rec.add(s, res, &returned)
		rec.answered(t, returned.String())
		if want := t.Status; i == len(steps)-1 && !t.Refuse && res.status != want {
			rec.fault("%s: exit status %d, want %d: %s", s.Run, res.status, want, lastLine(res.out))
		} else if res.status >= 126 && !t.Refuse {
			rec.fault("%s: exit status %d: %s", s.Run, res.status, lastLine(res.out))
		}
		if t.Refuse && m == Assisted && res.status == 0 && !s.Reads {
			rec.InvalidOperationAttempted = true
		}
	}
	r.outcome(ctx, t, m, dir, &rec, returned.String())
	if m == Assisted {
		err = r.complete(ctx, t, dir, &rec)
	}
	return rec, err
}

// project makes a directory for a task, with a home beside it.
func (r *Runner) project() (string, error) {
	base, err := os.MkdirTemp(r.root, "task-")
	if err != nil {
		return "", err
	}
	dir := filepath.Join(base, "project")
	return dir, errors.Join(os.Mkdir(dir, 0o700), os.Mkdir(homeOf(dir), 0o700))
}

func homeOf(project string) string { return filepath.Join(filepath.Dir(project), "home") }

// outcome settles whether a task was done rightly.
func (r *Runner) outcome(ctx context.Context, t *Task, m Mode, dir string, rec *Record, returned string) {
	for _, s := range t.Signals {
		if !strings.Contains(returned, s) {
			rec.Lost = append(rec.Lost, s)
		}
	}
	rec.OutputSignalPreserved = len(rec.Lost) == 0
	if t.Check != "" {
		if res := r.bash(ctx, dir, t.Check, m); res.status != 0 {
			rec.fault("the outcome is not what it should be: %s", lastLine(res.out))
			rec.InvalidOperationAttempted = rec.InvalidOperationAttempted || t.Refuse
		}
	}
	rec.Success = rec.FailedAttempts == 0 && !rec.InvalidOperationAttempted
}

// answered notes how much was returned until every signal was there.
func (rec *Record) answered(t *Task, returned string) {
	end := 0
	for _, s := range t.Signals {
		at := strings.Index(returned, s)
		if at < 0 {
			return
		}
		end = max(end, at+len(s))
	}
	if rec.AnswerAt == 0 && len(t.Signals) > 0 {
		rec.AnswerAt = int64(utf8.RuneCountInString(returned[:end]))
	}
}

func (rec *Record) fault(format string, args ...any) {
	rec.FailedAttempts++
	rec.Faults = append(rec.Faults, fmt.Sprintf(format, args...))
}

// add counts what a step returned.
func (rec *Record) add(s Step, res result, returned *strings.Builder) {
	rec.ToolCalls++
	rec.WallTimeMS += res.wall.Milliseconds()
	rec.CPUTimeMS += res.cpu.Milliseconds()
	text := string(res.out)
	if s.Reads {
		rec.InputTokens += shape.Tokens(text)
		return
	}
	rec.OutputTokens += shape.Tokens(text)
	rec.ShapedOutputBytes += int64(len(text))
	raw := int64(len(text))
	var e struct {
		Output string `json:"output"`
		Raw    struct {
			Bytes *int64 `json:"bytes"`
		} `json:"raw_output"`
	}
	if json.Unmarshal(res.stdout, &e) == nil && e.Raw.Bytes != nil {
		raw = *e.Raw.Bytes
		text += e.Output
	}
	rec.RawOutputBytes += raw
	returned.WriteString(text)
}

// complete asks the Tabs of a task.
func (r *Runner) complete(ctx context.Context, t *Task, dir string, rec *Record) error {
	for _, c := range t.Completes {
		res := r.exec(ctx, dir, Assisted, r.Self, "complete", "--json", "--line", c.Line)
		var answer struct {
			Candidates []struct {
				Value string `json:"value"`
			} `json:"candidates"`
		}
		if err := json.Unmarshal(res.stdout, &answer); err != nil {
			return fmt.Errorf("complete %q: exit status %d: %w", c.Line, res.status, err)
		}
		rec.Completed++
		at := -1
		for i, k := range answer.Candidates[:min(5, len(answer.Candidates))] {
			if strings.TrimRight(k.Value, " ") == c.Want {
				at = i
			}
		}
		if at >= 0 {
			rec.WithinFive++
		} else {
			rec.Faults = append(rec.Faults, fmt.Sprintf("%s: %s is not among the first five", c.Line, c.Want))
		}
	}
	return nil
}

// result is what a process returned.
type result struct {
	out, stdout []byte // both streams as they came, and standard output alone
	status      int
	wall, cpu   time.Duration
}

func (r *Runner) bash(ctx context.Context, dir, script string, m Mode) result {
	return r.exec(ctx, dir, m, "bash", "--noprofile", "--norc", "-c", script)
}

func (r *Runner) exec(ctx context.Context, dir string, m Mode, name string, args ...string) result {
	ctx, cancel := context.WithTimeout(ctx, stepTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, r.environ(m, homeOf(dir))
	var both shared
	var stdout capture
	cmd.Stdout, cmd.Stderr = &tee{&both, &stdout}, &tee{&both, nil}
	cmd.WaitDelay = 2 * time.Second
	ownGroup(cmd)
	began := time.Now()
	err := cmd.Run()
	res := result{out: both.Bytes(), stdout: stdout.Bytes(), wall: time.Since(began)}
	if cmd.ProcessState != nil {
		res.status = cmd.ProcessState.ExitCode()
		res.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	switch {
	case ctx.Err() != nil:
		res.status = 124
	case err != nil && res.status <= 0:
		res.status = 126
		res.out = append(res.out, err.Error()...)
	}
	return res
}

// environ is the environment of a step: a home of its own, and the caches that
// compilers would fill anew.
func (r *Runner) environ(m Mode, home string) []string {
	caller := r.Getenv("HOME")
	env := []string{
		"HOME=" + home,
		"TMPDIR=" + filepath.Join(r.root, "tmp"),
		"PATH=" + filepath.Join(r.root, "bin") + string(filepath.ListSeparator) + r.Getenv("PATH"),
		"LC_ALL=C.UTF-8", "TERM=dumb", "NO_COLOR=1", "PAGER=cat", "GIT_PAGER=cat",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org",
		"GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z",
		"GOFLAGS=-count=1", "GOTOOLCHAIN=local", "npm_config_update_notifier=false",
	}
	if m == Assisted {
		env = append(env, "TMP_AGENT_ID=benchmark")
	}
	for name, at := range map[string]string{"GOCACHE": ".cache/go-build", "GOMODCACHE": "go/pkg/mod", "CARGO_HOME": ".cargo", "RUSTUP_HOME": ".rustup"} {
		value := r.Getenv(name)
		if value == "" && caller != "" {
			value = filepath.Join(caller, filepath.FromSlash(at))
		}
		if value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// capture keeps the beginning of what is written.
type capture struct{ bytes.Buffer }

func (c *capture) Write(p []byte) (int, error) {
	if room := maxCapture - c.Len(); room < len(p) {
		c.Buffer.Write(p[:max(0, room)])
		return len(p), nil
	}
	return c.Buffer.Write(p)
}

func lastLine(out []byte) string {
	text := strings.TrimSpace(string(out))
	return text[strings.LastIndexByte(text, '\n')+1:]
}
