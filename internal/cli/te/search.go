package te

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/envelope"
)

// unlikely is a line that separates groups of grep's output and that no file name can
// be made to hold: nobody knows it before.
func unlikely() string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails, see crypto/rand
	return "te-group-" + hex.EncodeToString(b[:])
}

func execve(path string, argv, env []string) error { return syscall.Exec(path, argv, env) }

// limits are those of this call.
func (c *call) limits(k *envelope.Call) envelope.Limits {
	return envelope.Limits{Budget: c.budget(k.Cmd), Preview: c.strategy(k.Cmd, c.settings.Of(k.Cmd).Preview), PerFile: 3, JSON: c.options.json}
}

func (c *call) timeout(k *envelope.Call) time.Duration {
	if c.options.timed {
		return c.options.timeout
	}
	return c.settings.Of(k.Cmd).Timeout
}

// tee gives a tool's output to two takers.
type tee struct {
	a, b interface{ Write([]byte) (int, error) }
}

func (t tee) Write(p []byte) (int, error) {
	_, _ = t.a.Write(p)
	return t.b.Write(p)
}

// search runs grep, rg or find and answers with what it finds.
func (c *call) search(k *envelope.Call, path string) int {
	cl := c.newClassifier(k)
	x := envelope.NewIndex(k, c.limits(k), cl.class)
	sp := c.newSpool()
	defer sp.close()
	if x.Limits.Budget == 0 { // all of it is printed, in another order
		sp.limit = math.MaxInt64
	}
	e, err := c.run(path, k.Cmd, k.Argv, c.Stdin, c.timeout(k), tee{x, sp})
	if err != nil {
		panic(err)
	}
	if e.stopped != 0 {
		return 128 + int(e.stopped)
	}
	if e.status == statusMissing && e.signal == 0 { // a script that found no tool behind it
		return c.missing(k.Cmd)
	}
	x.Close()
	c.event.input = sp.size
	m := x.Meta()
	status := c.judge(&m, &x.Message, k, e, x.Total())
	locate := func(recs []*envelope.Record) { c.locate(k, path, recs) }
	src := sp.reader()
	if x.Limits.Budget == 0 && src != nil && x.Chars() > 1<<20 {
		if x.Cuts() { // the whole of its lines is for the handle
			c.keep(&m, sp, c.found(x, k, path, sp))
			src = sp.reader()
		}
		return c.stream(x, m, src, e, status)
	}
	a := x.Whole(m, src, locate)
	if a == nil || a.Meta.Truncated {
		c.keep(&m, sp, c.found(x, k, path, sp))
		if a != nil {
			a = x.Whole(m, sp.reader(), locate)
		}
		if a == nil {
			a = x.Preview(m, locate)
		}
	}
	c.print(a)
	c.complain(e)
	return status
}

// found is a result as it is stored.
func (c *call) found(x *envelope.Index, k *envelope.Call, path string, sp *spool) *stored {
	budget := x.Limits.Budget
	if budget == 0 { // a part is no place for everything
		budget = c.usualBudget(k.Cmd)
	}
	return &stored{Call: k, Path: path, Budget: budget, Meta: x.Meta(), Total: x.Total(), Size: sp.size, Chunks: x.Chunks(budget)}
}

// keep stores a result and puts its handle into the header.
func (c *call) keep(m *envelope.Meta, sp *spool, s *stored) {
	id, err := "", errNotStored
	if sp.size <= c.settings.Handles.MaxSize {
		id, err = sp.keep(c.settings.Handles)
	}
	if err == nil {
		s.Run = id
		m.Handle, err = c.save(s)
	}
	if err != nil {
		m.Handle, m.NotStored = "", true
		return
	}
	c.event.handle = true
	m.Chunks = int64(len(s.Chunks))
}

// stream answers with everything where no limit holds.
func (c *call) stream(x *envelope.Index, m envelope.Meta, src interface {
	ReadAt([]byte, int64) (int, error)
}, e ended, status int,
) int {
	w := &counting{f: c.Stdout}
	m, err := x.Stream(m, src, w)
	if err == nil {
		err = w.flush()
	}
	c.event.output, c.event.truncated = w.n, m.Truncated
	if err != nil {
		panic(writeError{err})
	}
	c.complain(e)
	return status
}

// counting writes in large parts and counts.
type counting struct {
	f   *os.File
	buf []byte
	n   int64
}

func (w *counting) Write(p []byte) (int, error) {
	w.buf = append(w.buf, p...)
	if len(w.buf) >= 64<<10 {
		return len(p), w.flush()
	}
	return len(p), nil
}

func (w *counting) flush() error {
	n, err := w.f.Write(w.buf)
	w.n += int64(n)
	w.buf = w.buf[:0]
	return err
}

// complain passes on what the tool said on standard error.
func (c *call) complain(e ended) { _, _ = c.Stderr.Write(e.stderr) }

// judge says in the header how the tool ended, and returns the status of te.
func (c *call) judge(m *envelope.Meta, message *string, k *envelope.Call, e ended, found int64) int {
	first := ""
	for line := range bytes.Lines(e.stderr) {
		line = bytes.TrimRight(line, "\n")
		if k.Cmd == "grep" && bytes.HasSuffix(line, []byte(": binary file matches")) {
			m.Binary++
			continue
		}
		m.Errors++
		if first == "" {
			first = envelope.Complaint(line)
		}
	}
	code := ""
	switch {
	case e.timedOut:
		code = envelope.Timeout
		*message = "timed out after " + c.timeout(k).String()
		e.status = statusTimeout
	case e.signal != 0:
		code = envelope.ToolError
		*message = k.Cmd + " was ended by signal " + strconv.Itoa(int(e.signal))
	case !failed(k.Cmd, e.status):
	default:
		code = c.reason(k, e, found, first)
	}
	if code != "" {
		m.Error, c.event.err = code, code
		if *message == "" {
			*message = envelope.Message(code)
		}
		if code == envelope.InvalidPattern || code == envelope.Usage {
			b := m.Errors
			*m = envelope.NewMeta(m.Cmd)
			m.Error, m.Errors = code, b
		}
	}
	return e.status
}

// failed reports whether a status of a tool is a failure.
func failed(command string, status int) bool {
	if command == "grep" || command == "rg" {
		return status > 1
	}
	return status != 0
}

// reason finds out why a tool failed.
func (c *call) reason(k *envelope.Call, e ended, found int64, first string) string {
	if k.Wrong && found == 0 {
		return envelope.Usage
	}
	usage := [...]string{"Usage: ", "usage: ", "--help' for more", "unknown predicate", "missing argument to", "paths must precede", "unknown argument to", "invalid argument", "invalid option", "unrecognized option", "conflicting matchers", "invalid mode", "Invalid argument `", "is not a valid", "USAGE:", "Found argument", "conflicting", "expected an expression", "invalid expression", "you have too many", "Unknown argument", "Arguments to", "Expected a positive", "is not the name of"}
	pattern := (k.Cmd == "grep" || k.Cmd == "rg" || k.Cmd == "find") && envelope.PatternComplaint(e.stderr)
	if found == 0 && first == "" && !pattern {
		for _, u := range usage {
			if bytes.Contains(e.stderr, []byte(u)) {
				return envelope.Usage
			}
		}
	}
	if pattern && found == 0 && first == "" {
		return envelope.InvalidPattern
	}
	if first != "" {
		return first
	}
	for _, o := range k.Operands {
		if o == "-" {
			continue
		}
		st, err := os.Stat(o)
		switch {
		case os.IsNotExist(err):
			return envelope.NotFound
		case os.IsPermission(err):
			return envelope.PermissionDenied
		case err == nil && st.IsDir() && k.Cmd == "cat":
			return envelope.IsDirectory
		case err == nil && syscall.Access(o, 4) != nil:
			return envelope.PermissionDenied
		}
	}
	return envelope.ToolError
}

// locate asks grep where in long lines the pattern matches.
func (c *call) locate(k *envelope.Call, path string, recs []*envelope.Record) {
	if k.Cmd != "grep" || k.Inverted || len(k.PatternArgs) == 0 {
		return
	}
	in, err := os.CreateTemp("", "te-")
	if err != nil {
		return
	}
	defer in.Close()
	_ = os.Remove(in.Name())
	starts := make([]int64, len(recs))
	var text []byte
	for i, r := range recs {
		starts[i] = int64(len(text))
		text = append(append(text, r.Text...), '\n')
	}
	if _, err := in.WriteAt(text, 0); err != nil {
		return
	}
	var out bytes.Buffer
	args := append([]string{"-anbo", "--color=never"}, k.PatternArgs...)
	_, err = c.run(path, "grep", append(args, "-"), in, 2*time.Second, &limited{w: &out, left: 4 << 20})
	if err != nil {
		return
	}
	for line := range bytes.Lines(out.Bytes()) {
		n, rest, _ := bytes.Cut(line, []byte{':'})
		at, _, ok := bytes.Cut(rest, []byte{':'})
		i, err1 := strconv.Atoi(string(n))
		off, err2 := strconv.ParseInt(string(at), 10, 64)
		if !ok || err1 != nil || err2 != nil || i < 1 || i > len(recs) || recs[i-1].At >= 0 || off < starts[i-1] {
			continue
		}
		recs[i-1].At = off - starts[i-1]
	}
}

// outside reports whether a call reads outside of the root, where that is not allowed.
func (c *call) outside(k *envelope.Call) bool {
	if c.settings.AllowOutside {
		return false
	}
	root := c.root()
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	for _, o := range append([]string{"."}, k.Operands...) {
		if o == "-" || o == "." && len(k.Operands) > 0 && k.Operands[0] != "." {
			continue
		}
		path := o
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.Dir, path)
		}
		real := resolve(path)
		if real != root && !strings.HasPrefix(real, strings.TrimRight(root, "/")+"/") {
			return true
		}
	}
	return false
}

// resolve follows the links of a path as far as it exists.
func resolve(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		return real
	}
	dir, base := filepath.Split(strings.TrimRight(path, "/"))
	if dir == "" || dir == path {
		return path
	}
	return filepath.Join(resolve(strings.TrimRight(dir, "/")+"/."), base)
}

// root is the directory that is worked in: of the settings, the nearest with .git or
// .tmp, else the current one.
func (c *call) root() string {
	if r := c.settings.Root; r != "" {
		if rest, ok := strings.CutPrefix(r, "~"); ok {
			return filepath.Join(c.paths.Home, rest)
		}
		return r
	}
	for dir := c.Dir; dir != ""; dir = filepath.Dir(dir) {
		for _, name := range [...]string{".git", ".tmp"} {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				return dir
			}
		}
		if dir == "/" {
			break
		}
	}
	return c.Dir
}
