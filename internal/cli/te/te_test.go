package te

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// program is the built te.
var program string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "te-test-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		program = filepath.Join(dir, "te")
		cmd := exec.Command("go", "build", "-o", program, "../../../cmd/te")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			panic(string(out))
		}
		return m.Run()
	}())
}

// bench is a directory to work in, with a home of its own.
type bench struct {
	t     testing.TB
	dir   string
	home  string
	env   []string
	stdin []byte
}

func newBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir(), home: t.TempDir()}
	b.env = []string{"HOME=" + b.home, "PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "TE_SESSION_ID=test"}
	return b
}

// write makes files: name, content, name, content.
func (b *bench) write(pairs ...string) *bench {
	b.t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		path := filepath.Join(b.dir, pairs[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(pairs[i+1]), 0o644); err != nil {
			b.t.Fatal(err)
		}
	}
	return b
}

// result is what a program printed.
type result struct {
	out, err string
	status   int
}

func (b *bench) run(name string, args ...string) result {
	b.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = b.dir, b.env
	if b.stdin != nil {
		cmd.Stdin = bytes.NewReader(b.stdin)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	status := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		status = exit.ExitCode()
	} else if err != nil {
		b.t.Fatalf("%s: %v", name, err)
	}
	return result{out.String(), errs.String(), status}
}

func (b *bench) te(args ...string) result {
	b.t.Helper()
	return b.run(program, args...)
}

// meta reads the header; body is what follows it.
func (r result) meta(t testing.TB) (meta map[string]any, body string) {
	t.Helper()
	rest, ok := strings.CutPrefix(r.out, "# TE_BEGIN_META\n")
	line, rest, ok2 := strings.Cut(rest, "\n")
	rest, ok3 := strings.CutPrefix(rest, "# TE_END_META\n")
	if !ok || !ok2 || !ok3 {
		t.Fatalf("no header: %q (stderr %q)", r.out, r.err)
	}
	if err := json.Unmarshal([]byte(line), &meta); err != nil {
		t.Fatalf("header %s: %v", line, err)
	}
	if rest == "" {
		return meta, ""
	}
	body, ok = strings.CutPrefix(rest, "\n")
	if !ok {
		t.Fatalf("no empty line after the header: %q", r.out)
	}
	return meta, body
}

func number(meta map[string]any, key string) int {
	f, _ := meta[key].(float64)
	return int(f)
}

var notePart = regexp.MustCompile(`(?:^|, )(\d+) `)

// omitted adds up the notes of a body.
func omitted(body string) int {
	n := 0
	for line := range strings.Lines(body) {
		if note, ok := strings.CutPrefix(line, "# TE: "); ok {
			for _, m := range notePart.FindAllStringSubmatch(note, -1) {
				k, _ := strconv.Atoi(m[1])
				n += k
			}
		}
	}
	return n
}

// content lists the lines of a body that are not te's own.
func content(body string) []string {
	var out []string
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(line, "# TE") && !strings.HasPrefix(line, "[TE]") {
			out = append(out, line)
		}
	}
	return out
}

// entry is a line of an answer in JSON.
type entry struct {
	Path    *string
	PathB64 string `json:"path_b64"`
	Line    int
	Text    *string
	TextB64 string `json:"text_b64"`
	Kind    string
	Class   string
	Count   int
}

func (e entry) path() string { return textOf(e.Path, e.PathB64) }
func (e entry) text() string { return textOf(e.Text, e.TextB64) }

func textOf(s *string, b64 string) string {
	if s != nil {
		return *s
	}
	b, _ := base64.StdEncoding.DecodeString(b64)
	return string(b)
}

// object is an answer in JSON.
type object struct {
	V         int
	Cmd       string
	Matches   *int
	Lines     *int
	Truncated bool
	Handle    string
	Chunks    int
	Chunk     int
	From, To  int
	Error     string
	Stored    *bool
	Message   string
	Notes     []string
	Entries   []entry
	Omitted   []struct {
		N    int
		What string
	}
}

func (r result) object(t testing.TB) object {
	t.Helper()
	var o object
	if err := json.Unmarshal([]byte(r.out), &o); err != nil {
		t.Fatalf("%v: %.500s (stderr %s)", err, r.out, r.err)
	}
	return o
}

// shown counts the matches of an answer.
func (o *object) shown() int {
	n := 0
	for _, e := range o.Entries {
		if e.Kind != "context" {
			n++
		}
	}
	return n
}

func (o *object) left() int {
	n := 0
	for _, p := range o.Omitted {
		n += p.N
	}
	return n
}
