package te

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// runs is how many calls the differential tests make: TE_RUNS, or a few.
func runs(t *testing.T, few int) int {
	if n, err := strconv.Atoi(os.Getenv("TE_RUNS")); err == nil {
		return n
	}
	if testing.Short() {
		return few / 4
	}
	return few
}

// generator makes trees and calls from a seed.
type generator struct{ *rand.Rand }

func (g generator) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g generator) line() string {
	switch g.IntN(14) {
	case 0:
		return ""
	case 1:
		return strings.Repeat(g.pick("x", "é", "ab "), 200+g.IntN(900)) + g.pick("foo", "bar", "") + strings.Repeat("y", g.IntN(900))
	case 2:
		return "caf\xe9 foo \xff"
	case 3:
		return g.pick("# TE: 12 more", "[TE] error", `\# TE_BEGIN_META`, "# TE| x", "--", "# TE_END_META")
	case 4:
		return "def " + g.pick("foo", "bar", "baz") + "(x):"
	case 5:
		return "func " + g.pick("foo", "Bar", "baz") + "() {"
	case 6:
		return g.pick("foo foo foo", "foobar", "a-1-b:2:c", "3:foo", "FOO", "foo\x00bar", "foo\r", "\tfoo")
	}
	return g.pick("alpha", "beta", "foo", "bar", "qux", "a.b", "x*y") + " " + g.pick("one", "two", "foo", "[z]", "(q)") + g.pick("", " end", "\r", "  ")
}

func (g generator) file() string {
	var b strings.Builder
	for range g.IntN(40) {
		b.WriteString(g.line())
		b.WriteString(g.pick("\n", "\n", "\n", "\n", "\r\n"))
	}
	if g.IntN(3) == 0 {
		b.WriteString("foo without an end")
	}
	return b.String()
}

func (g generator) name() string {
	return g.pick("a.py", "b.go", "c.js", "d e.txt", "new\nline.py", "quo\"te.c", "--x.go", "tab\t.h", "é.py", "lat\xe9.txt", "x:1:y", "f-2-g", "\"q", "plain", "z_test.go", "1", "te-group")
}

func (g generator) tree(b *bench) {
	for range 1 + g.IntN(8) {
		dir := g.pick("", "src/", "src/rag/", "tests/", "vendor/x/", "a b/", "build/", "new\ndir/", "src/é/")
		b.write(dir+g.name(), g.file())
	}
	if g.IntN(4) == 0 {
		b.write(".gitignore", g.pick("*.go\n", "src/rag/\n", "build/\n!a.py\n", "/src/*\n"))
		if err := os.MkdirAll(filepath.Join(b.dir, ".git/refs"), 0o755); err != nil {
			b.t.Fatal(err)
		}
		b.write(".git/HEAD", "ref: refs/heads/main\n", ".git/config", "[core]\n\trepositoryformatversion = 0\n")
		_ = os.MkdirAll(filepath.Join(b.dir, ".git/objects"), 0o755)
	}
}

func (g generator) grepArgs(b *bench) []string {
	var args []string
	add := func(list ...string) { args = append(args, list...) }
	for _, f := range []string{"-i", "-v", "-w", "-x", "-E", "-F", "-P", "-o", "-c", "-l", "-L", "-h", "-H", "-n", "-b", "-a", "-s", "-I", "-ni", "-nH", "-hn", "--color=always", "--no-group-separator", "--group-separator=##", "-y"} {
		if g.IntN(11) == 0 {
			add(f)
		}
	}
	if slices.Contains(args, "-E") && slices.Contains(args, "-P") && g.IntN(4) > 0 {
		args = slices.DeleteFunc(args, func(a string) bool { return a == "-P" || a == "-E" })
	}
	n := strconv.Itoa(g.IntN(4))
	for _, f := range [][]string{{"-A", n}, {"-B" + n}, {"-C", n}, {"-" + n}, {"-m", strconv.Itoa(1 + g.IntN(5))}, {"--include=*.py"}, {"--include", "*.go"}, {"--exclude=a*"}, {"--exclude-dir=src"}, {"--exclude-dir", "rag"}} {
		if g.IntN(9) == 0 {
			add(f...)
		}
	}
	recursive := g.IntN(2) == 0
	if recursive {
		add(g.pick("-r", "-R", "--recursive", "-rn"))
	}
	pattern := g.pick("foo", "bar", "o", "^", "$", "a.b", "x*", "[a-f]oo", `fo\{2\}`, "(q)", `\(foo\)\1`, "foo|bar", `foo\|bar`, ".", "", "é", "TE", "^foo", "end$", `\bfoo`, "[", "(", "zzz", "alpha one", "foo\nbar")
	switch g.IntN(5) {
	case 0:
		add("-e", pattern)
		if g.IntN(2) == 0 {
			add("--regexp=" + g.pick("bar", "qux"))
		}
	case 1:
		if strings.HasPrefix(pattern, "-") {
			add("-e")
		}
		add(pattern)
	default:
		add(pattern)
	}
	if recursive && g.IntN(3) > 0 {
		if g.IntN(2) == 0 {
			add(g.pick(".", "./", "src", b.dir))
		}
		return args
	}
	files, _ := filepath.Glob(filepath.Join(b.dir, "*"))
	more, _ := filepath.Glob(filepath.Join(b.dir, "*/*"))
	files = append(files, more...)
	add("--")
	for _, f := range files {
		if st, err := os.Stat(f); err == nil && (!st.IsDir() || recursive) && g.IntN(2) == 0 {
			rel, _ := filepath.Rel(b.dir, f)
			add(rel)
		}
	}
	if g.IntN(12) == 0 {
		add("missing.txt")
	}
	if args[len(args)-1] == "--" {
		add("src")
		if !recursive {
			args[len(args)-1] = "missing.txt"
		}
	}
	return args
}

// fact is a line of a result: where, what kind, what text.
type fact struct {
	path, line, kind, text string
}

// grepFacts reads what grep itself finds, with names that end in a zero byte.
func grepFacts(b *bench, args []string) (facts []fact, status int, errs string) {
	mode := ""
	clean := []string{"-nH", "--null", "--color=never"}
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			clean = append(clean, args[i:]...)
			i = len(args)
			continue
		case a == "-l" || a == "-L":
			mode = "l"
		case a == "-c" && mode == "":
			mode = "c"
		case a == "-h" || a == "-H" || a == "-b" || strings.HasPrefix(a, "--color") || strings.HasPrefix(a, "--group-sep") || a == "--no-group-separator":
			continue
		case a == "-hn" || a == "-nH":
			a = "-n"
		}
		clean = append(clean, a)
	}
	r := b.run("grep", append([]string{"--no-group-separator"}, clean...)...)
	out := r.out
	for out != "" {
		path, rest, ok := strings.Cut(out, "\x00")
		if !ok {
			break
		}
		if mode == "l" {
			facts = append(facts, fact{path: path, kind: "path"})
			out = rest
			continue
		}
		line, next, _ := strings.Cut(rest, "\n")
		out = next
		if mode == "c" {
			facts = append(facts, fact{path: path, kind: "path", text: line})
			continue
		}
		i := strings.IndexAny(line, ":-")
		kind := "match"
		if line[i] == '-' {
			kind = "context"
		}
		facts = append(facts, fact{path, line[:i], kind, line[i+1:]})
	}
	return facts, r.status, r.err
}

var cutText = regexp.MustCompile(`…\[TE: (\d+) bytes cut\]…`)

// same reports whether a line that te shows is a line of the tool, whole or cut.
func same(shown, real string) bool {
	if shown == real {
		return true
	}
	m := cutText.FindAllStringSubmatch(shown, -1)
	if m == nil {
		return false
	}
	n := 0
	for _, s := range m {
		k, _ := strconv.Atoi(s[1])
		n += k
	}
	part := cutText.Split(shown, -1)
	kept := strings.Join(part, "")
	return len(kept)+n == len(real) && strings.Contains(real, kept)
}

// collect gathers the entries of all chunks of an answer, or its own if it has none.
func collect(b *bench, o object, limit int) []entry {
	if o.Handle == "" {
		return o.Entries
	}
	var all []entry
	matches := 0
	for k := 1; k <= o.Chunks; k++ {
		r := b.te("--json", "--handle", o.Handle, "--chunk", strconv.Itoa(k))
		c := r.object(b.t)
		if n := len([]rune(r.out)); n > max(limit, 1200) {
			b.t.Fatalf("chunk %d has %d characters, at most %d", k, n, limit)
		}
		n := c.shown()
		if c.From != matches+1 || c.To != matches+n {
			b.t.Fatalf("chunk %d is from %d to %d, shows %d after %d", k, c.From, c.To, n, matches)
		}
		matches += n
		if total := matches + c.left(); total != magnitude(o) {
			b.t.Fatalf("chunk %d: %d so far and %d left out are not %d", k, matches, c.left(), magnitude(o))
		}
		all = append(all, c.Entries...)
	}
	return all
}

func magnitude(o object) int {
	switch {
	case o.Matches != nil:
		return *o.Matches
	case o.Lines != nil:
		return *o.Lines
	}
	return 0
}

// compareFacts compares the entries with what the tool found, in whatever order.
func compareFacts(want []fact, have []entry) error {
	if len(want) != len(have) {
		return fmt.Errorf("%d lines, want %d", len(have), len(want))
	}
	left := map[[3]string][]string{}
	for _, f := range want {
		key := [3]string{f.path, f.line, f.kind}
		left[key] = append(left[key], f.text)
	}
	for _, e := range have {
		line := ""
		if e.Line > 0 {
			line = strconv.Itoa(e.Line)
		}
		text := e.text()
		key := [3]string{e.path(), line, e.kind()}
		i := slices.IndexFunc(left[key], func(real string) bool { return same(text, real) })
		if i < 0 {
			return fmt.Errorf("%q is not among the tool's: %q", []string{e.path(), line, e.kind(), text}, left[key])
		}
		left[key] = slices.Delete(left[key], i, i+1)
	}
	return nil
}

func (e entry) kind() string { return e.Kind }

// TestGrepFindsWhatGrepFinds: for generated trees and calls the set of file, line and
// text over all chunks is that of the installed grep, the counts add up, and status
// and complaints are the same. TE_RUNS sets how many.
func TestGrepFindsWhatGrepFinds(t *testing.T) {
	if _, err := exec.LookPath("grep"); err != nil {
		t.Skip("no grep")
	}
	seed := uint64(1)
	if s, err := strconv.ParseUint(os.Getenv("TE_SEED"), 10, 64); err == nil {
		seed = s
	}
	total := runs(t, 120)
	var b *bench
	var g generator
	first, _ := strconv.Atoi(os.Getenv("TE_FROM")) // a multiple of ten
	for i := first; i < total; i++ {
		if i%10 == 0 {
			if b != nil {
				os.RemoveAll(b.dir)
				os.RemoveAll(b.home)
			}
			g = generator{rand.New(rand.NewPCG(seed, uint64(i)))}
			b = newBench(t)
			g.tree(b)
		}
		args := g.grepArgs(b)
		if err := differ(b, g, args); err != nil {
			t.Fatalf("seed %d, run %d: te grep %q: %v", seed, i, args, err)
		}
	}
	t.Logf("%d runs without a difference", total)
}

func differ(b *bench, g generator, args []string) error {
	want, status, errs := grepFacts(b, args)
	limit := strconv.Itoa([]int{300, 600, 1500, 5000, 100_000}[g.IntN(5)])
	r := b.te(append([]string{"--timeout", "300", "--json", "--max-chars", limit, "grep"}, args...)...)
	if strings.HasPrefix(r.out, "{") == false {
		// passed on as it is: a count of one file
		plain := b.run("grep", args...)
		if r != plain {
			return fmt.Errorf("raw: %+v, want %+v", r, plain)
		}
		return nil
	}
	o := r.object(b.t)
	if r.status != status || r.err != errs {
		return fmt.Errorf("status %d and %q, want %d and %q", r.status, r.err, status, errs)
	}
	if (o.Error != "") != (status > 1) {
		return fmt.Errorf("error %q at status %d", o.Error, status)
	}
	n := 0
	for _, f := range want {
		if f.kind != "context" {
			n++
		}
	}
	if magnitude(o) != n {
		return fmt.Errorf("%d matches, want %d", magnitude(o), n)
	}
	if o.shown()+o.left() != n {
		return fmt.Errorf("%d shown and %d left out are not %d", o.shown(), o.left(), n)
	}
	nameless := slices.ContainsFunc(args, func(a string) bool { return a == "-h" || a == "-hn" })
	most, _ := strconv.Atoi(limit)
	have := collect(b, o, most)
	counts := len(have) > 0 && have[0].Kind == "path"
	for i, e := range have {
		if counts && slices.Contains(args, "-c") && !slices.Contains(args, "-l") && !slices.Contains(args, "-L") {
			text := strconv.Itoa(e.Count)
			have[i].Text = &text
		}
		_ = e
	}
	if nameless && !counts {
		nameless = false
		for i := range want {
			if len(have) > 0 && have[0].Path == nil && have[0].PathB64 == "" {
				want[i].path = ""
			}
		}
	}
	if err := compareFacts(want, have); err != nil {
		return err
	}
	return differText(b, args, limit, n)
}

// differText looks at the same call as text: the law of counts, the budget, and the
// whole as lines.
func differText(b *bench, args []string, limit string, n int) error {
	r := b.te(append([]string{"--timeout", "300", "--max-chars", limit, "grep"}, args...)...)
	m, body := r.meta(b.t)
	if max(number(m, "matches"), number(m, "lines")) != n {
		return fmt.Errorf("the text says %v, want %d", m, n)
	}
	if budget, _ := strconv.Atoi(limit); len([]rune(r.out)) > max(budget, 700) {
		return fmt.Errorf("%d characters, at most %s", len([]rune(r.out)), limit)
	}
	if again := b.te(append([]string{"--timeout", "300", "--max-chars", limit, "grep"}, args...)...); handleless(again.out) != handleless(r.out) {
		return fmt.Errorf("the same call gives other bytes")
	}
	if id, ok := m["handle"].(string); ok {
		for k := 1; k <= min(3, number(m, "chunks")); k++ {
			c := b.te("--handle", id, "--chunk", strconv.Itoa(k))
			if budget, _ := strconv.Atoi(limit); len([]rune(c.out)) > max(budget, 700) {
				return fmt.Errorf("chunk %d has %d characters, at most %s", k, len([]rune(c.out)), limit)
			}
		}
	}
	if left := omitted(body); left > n {
		return fmt.Errorf("%d left out of %d", left, n)
	}
	for _, line := range content(body) {
		if strings.HasPrefix(line, "# TE") || strings.HasPrefix(line, "[TE]") {
			return fmt.Errorf("content as a line of te's: %q", line)
		}
	}
	return nil
}

var handleText = regexp.MustCompile(`res_[0-9A-Z]{26}`)

func handleless(s string) string { return handleText.ReplaceAllString(s, "res_") }
