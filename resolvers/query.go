package resolvers

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/tool-mapping-protocol/tmp/internal/disk"
)

// Query is a question to a tool whose objects are in no file: containers,
// pods. The tool runs from "/", in a session and process group of its own,
// without a terminal, with an environment of the few variables that it needs.
type Query struct {
	Tool string
	Path string // of the tool, where it is known; "" looks on PATH
	Args []string
	Env  []string // names of the variables that the tool reads beside HOME, USER and PATH
	// fresh is how long an answer is taken as it is; an older one is given as
	// stale while a new one is asked for.
	Fresh time.Duration
	// set are further variables with their values, and depends is what the answer
	// depends on beside all this: the stamps of files.
	Set     []string
	Depends string
	// quiet is a question to another machine: nothing waits for its answer, it is
	// not asked where no answer can be kept, and not again for a minute after it
	// failed.
	Quiet bool
}

const (
	// toolTime is when a tool that does not end is killed with its group, in seconds.
	toolTime = "15"
	// toolWait is how long a question is waited for, whatever the context allows.
	// One that is waited for to its end (Request.Wait) ends with the tool's time.
	toolWait, wholeWait = 5 * time.Second, 16 * time.Second
	// Abandoned is when a question that nobody has ended is asked again.
	Abandoned = 20 * time.Second
	// toolRetry is how long a failure is believed, quietRetry how long that of a
	// quiet question is.
	toolRetry  = 3 * time.Second
	quietRetry = time.Minute
	// ToolGrace is what is waited for a new answer when an old one is there.
	ToolGrace = 40 * time.Millisecond
	// maxToolAnswer bounds an answer, in bytes; toolBlocks is the same in
	// blocks of 512 bytes.
	maxToolAnswer = 4 << 20
	toolBlocks    = "8192"
)

// toolScript runs "$@" and leaves its output in $0 or, if it fails or does not
// end in time, what it said in $0.failed; then $0.asked goes, by which those who
// wait see that it is over, and last the group with whatever the tool left behind.
// What the script itself runs need not be in the tool's PATH. The empty line at
// the end of what was said dates it: a tool may have spoken long before it failed.
const toolScript = `umask 077; ulimit -f ` + toolBlocks + `; p=/usr/bin:/bin:$PATH
said() { echo >>"$0.said.$$"; PATH=$p mv -f "$0.said.$$" "$0.failed"; }
over() { PATH=$p rm -f "$0.new.$$" "$0.said.$$" "$0.asked"; kill -KILL 0; }
( PATH=$p sleep ` + toolTime + `; echo "no answer within ` + toolTime + ` seconds" >>"$0.said.$$"; said; over ) &
if "$@" >"$0.new.$$" 2>"$0.said.$$" </dev/null; then PATH=$p mv -f "$0.new.$$" "$0"
else status=$?; [ -s "$0.said.$$" ] || echo "failed with status $status" >"$0.said.$$"; said; fi
over`

// Ask returns the tool's output. With an error there is no output.
func (q Query) Ask(ctx context.Context, r Request) (out string, state State, err error) {
	path := q.Path
	if path == "" {
		if path, err = ToolPath(r, q.Tool); err != nil {
			return "", Failed, err
		}
	}
	env, err := q.environment(r)
	if err != nil {
		return "", Failed, err
	}
	dir := r.CacheDir
	kept := dir != "" && os.MkdirAll(dir, 0o700) == nil // a home may be read-only
	if !kept && q.Quiet {
		return "", Failed, errors.New(q.Tool + " is not asked: there is no place to keep its answer")
	}
	if !kept {
		if dir, err = os.MkdirTemp("", "tmp-ask-"); err != nil {
			return "", Failed, err
		}
		defer os.RemoveAll(dir)
	}
	key := xxhash.Sum64String(path + "\x00" + strings.Join(q.Args, "\x00") + "\x00\x00" + strings.Join(env, "\x00") + "\x00\x00" + q.Depends)
	answer := filepath.Join(dir, "ask-"+q.Tool+"-"+strconv.FormatUint(key, 16))
	age, there := AgeOf(answer)
	if there && age < q.Fresh {
		out, err = readAnswer(answer)
		return out, Fresh, err
	}
	if failedAge, ok := AgeOf(answer + ".failed"); ok && failedAge < q.retry() && (!there || failedAge < age) {
		return q.stale(answer, there)
	}
	child, err := q.start(path, answer, env)
	if err != nil {
		return "", Failed, err
	}
	if !kept {
		defer child.kill()
	}
	if q.Quiet && !r.Wait {
		if there {
			return q.stale(answer, there)
		}
		return "", Timeout, errors.New(q.Tool + " is being asked in the background: the next Tab has its answer")
	}
	limit := toolWait
	if r.Wait {
		limit = wholeWait
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	out, state, err = q.await(ctx, child, answer, age, there)
	if state == Timeout {
		err = child.slow(q.Tool, answer, kept)
	}
	return out, state, err
}

// asked is the process that runs toolScript; nil where another one asks the same.
type asked struct {
	pid  int
	done chan struct{}
}

// over reports whether the process has ended.
func (a *asked) over() bool {
	if a == nil {
		return false
	}
	select {
	case <-a.done:
		return true
	default:
		return false
	}
}

// kill ends the process with its group.
func (a *asked) kill() {
	if a != nil && !a.over() {
		_ = syscall.Kill(-a.pid, syscall.SIGKILL)
	}
}

// slow says that the tool has not answered yet, and what it has said meanwhile.
func (a *asked) slow(tool, answer string, kept bool) error {
	text := tool + " does not answer"
	if kept {
		text = tool + " is slow to answer: it is being asked in the background"
	}
	if a != nil {
		if said, err := readAnswer(answer + ".said." + strconv.Itoa(a.pid)); err == nil && firstLine(said) != "" {
			text += " (" + firstLine(said) + ")"
		}
	}
	return errors.New(text)
}

func (q Query) retry() time.Duration {
	if q.Quiet {
		return quietRetry
	}
	return toolRetry
}

// start runs the question unless it is being asked already.
func (q Query) start(path, answer string, env []string) (*asked, error) {
	mark, err := os.OpenFile(answer+".asked", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		if age, ok := AgeOf(answer + ".asked"); ok && age < Abandoned {
			return nil, nil
		}
		now := time.Now()
		_ = os.Chtimes(answer+".asked", now, now)
	} else if err != nil {
		return nil, err
	} else {
		_ = mark.Close()
	}
	_ = os.Remove(answer + ".failed") // of an earlier question
	child, err := startScript(append([]string{"sh", "-c", toolScript, answer, path}, q.Args...), env)
	if err != nil {
		_ = os.Remove(answer + ".asked")
	}
	return child, err
}

func startScript(argv, env []string) (*asked, error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	child, err := os.StartProcess("/bin/sh", argv, &os.ProcAttr{
		Dir: "/", Env: env, Files: []*os.File{null, null, null}, Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return nil, err
	}
	a := &asked{pid: child.Pid, done: make(chan struct{})}
	go func() {
		_, _ = child.Wait()
		close(a.done)
	}()
	return a, nil
}

// resolvertest.Await waits for the new answer: to the deadline, or a moment if there is an
// old one. That the question is over without one, the mark tells that goes last;
// the times of files do not, since a file system's clock ticks in milliseconds.
func (q Query) await(ctx context.Context, child *asked, answer string, age time.Duration, there bool) (string, State, error) {
	started := time.Now()
	for pause := time.Millisecond; ; pause = min(2*pause, 10*time.Millisecond) {
		marked, asking := AgeOf(answer + ".asked")
		over := !asking || marked > Abandoned || child.over()
		if now, ok := AgeOf(answer); ok && (!there || now < age) {
			out, err := readAnswer(answer)
			return out, Fresh, err
		}
		if over || there && time.Since(started) > ToolGrace {
			return q.stale(answer, there)
		}
		if deadline, ok := ctx.Deadline(); ctx.Err() != nil || ok && time.Until(deadline) < 5*time.Millisecond {
			return "", Timeout, context.DeadlineExceeded
		}
		time.Sleep(pause)
	}
}

// stale gives the old answer, or else what the tool said when it failed.
func (q Query) stale(answer string, there bool) (string, State, error) {
	if there {
		out, err := readAnswer(answer)
		return out, Stale, err
	}
	said, err := readAnswer(answer + ".failed")
	line := firstLine(said)
	if err != nil || line == "" {
		line = "it ended without an answer"
	}
	return "", Failed, errors.New(q.Tool + ": " + line)
}

// firstLine is the first line of what a tool said, cut to what a message holds.
func firstLine(said string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	return OneLine(line, 200)
}

// AgeOf is how long ago a file was written.
func AgeOf(path string) (time.Duration, bool) {
	st, err := os.Lstat(path)
	if err != nil {
		return 0, false
	}
	return max(time.Since(st.ModTime()), 0), true
}

func readAnswer(path string) (string, error) {
	data, err := disk.ReadRegular(path, maxToolAnswer)
	return string(bytes.ToValidUTF8(data, nil)), err
}

// ToolPath finds the tool in PATH, but never in the project, in a relative
// directory or in one that everybody may write to.
func ToolPath(r Request, tool string) (string, error) {
	for _, dir := range programDirs(r) {
		if path := filepath.Join(dir, tool); disk.IsExecutable(path) {
			return path, nil
		}
	}
	return "", errors.New("no " + tool + " in PATH")
}

// programDirs are the directories of PATH of which programs may be run. What the
// tool starts itself, ssh or a helper for credentials, is looked for in them too.
func programDirs(r Request) []string {
	var dirs []string
	root := ProjectRoot(r)
	for dir := range strings.SplitSeq(r.Env("PATH"), ":") {
		if !filepath.IsAbs(dir) || InProject(root, dir) {
			continue
		}
		if st, ok := disk.Stat(dir); ok && st.Mode&0o002 == 0 {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// ProjectRoot is the directory of the project that the request is made in, "" if
// there is none; a home directory is no project.
func ProjectRoot(r Request) string {
	root := r.Dir
	if at, ok := disk.FindUpDir(r.Dir, ".git"); ok {
		root = filepath.Dir(at)
	}
	if root == "/" || root == r.Env("HOME") {
		return ""
	}
	return root
}

// InProject reports whether a path is of the project with a root; see ProjectRoot.
func InProject(root, path string) bool { return root != "" && disk.IsUnder(path, root) }

// environment is what the tool gets. A configuration of the project can name
// programs to run and files to send, and a relative path is one of the working
// directory: then nothing is run.
func (q Query) environment(r Request) ([]string, error) {
	root := ProjectRoot(r)
	env := []string{"PATH=" + strings.Join(programDirs(r), ":"), "LC_ALL=C", "NO_COLOR=1"}
	for _, name := range append([]string{"HOME", "USER"}, q.Env...) {
		value := r.Env(name)
		if value == "" {
			continue
		}
		if name == "KUBECONFIG" || strings.HasSuffix(name, "_PATH") || strings.HasSuffix(name, "_CONFIG") || strings.HasSuffix(name, "_DIR") {
			for p := range strings.SplitSeq(value, ":") {
				switch {
				case p == "":
				case !filepath.IsAbs(p):
					return nil, errors.New(q.Tool + " is not asked: " + name + " is a relative path")
				case InProject(root, p):
					return nil, errors.New(q.Tool + " is not asked: " + name + " lies in the project")
				}
			}
		}
		env = append(env, name+"="+value)
	}
	return append(env, q.Set...), nil
}

// Lines answers with a value for each line that parse takes.
func (q Query) Lines(ctx context.Context, r Request, parse func(line string) (Value, bool)) Answer {
	out, state, err := q.Ask(ctx, r)
	if err != nil {
		return Answer{State: state, Message: err.Error()}
	}
	c := NewCollector(ctx, r)
	n := strings.Count(out, "\n") + 1
	for line := range strings.Lines(out) {
		n--
		if v, ok := parse(strings.TrimRight(line, "\r\n")); ok && v.Value != "" {
			if v.Weight == 0 {
				v.Weight = n
			}
			c.Add(v)
		}
	}
	a := c.Answer()
	if a.State == Fresh && state == Stale {
		a.State, a.Message = Stale, "an earlier answer of "+q.Tool+": it is being asked again"
	}
	return a
}

// Fields splits a line at tabs into at least n fields.
func Fields(line string, n int) []string {
	f := strings.Split(line, "\t")
	for len(f) < n {
		f = append(f, "")
	}
	return f
}

// GroupOutput runs a command from "/" in a process group of its own and gives
// what it prints. At the context's end the whole group is killed, and what the
// command leaves behind when it ends is neither waited for nor left to run.
func GroupOutput(cmd *exec.Cmd) ([]byte, error) {
	kill := func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel, cmd.WaitDelay = kill, 100*time.Millisecond
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) { // it ended well; its children hold the pipe
		_ = kill()
		err = nil
	}
	if err == nil {
		return out.Bytes(), nil
	}
	if line := firstLine(problems.String()); line != "" {
		err = errors.New(strings.TrimPrefix(line, "fatal: "))
	}
	return nil, err
}
