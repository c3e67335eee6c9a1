package opmap

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// home is a user with a project that has one map.
func home(t *testing.T) (place.Paths, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	paths := place.Find(func(name string) string {
		if name == "HOME" {
			return dir
		}
		return ""
	})
	paths.Shared = nil
	project := filepath.Join(dir, "project")
	write(t, filepath.Join(project, ".tmp", "schemas", "x.json"), operationWith("verified", "true"))
	return paths, project
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readProject(t *testing.T, dir string) *Project {
	t.Helper()
	p, problems, err := ReadProject(dir, ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return p
}

var now = time.Date(2026, 6, 3, 10, 30, 0, 0, time.UTC)

// trustProject does what tmp trust does.
func trustProject(t *testing.T, paths place.Paths, p *Project, store *EvidenceStore) {
	t.Helper()
	if err := p.Trust(paths, now); err != nil {
		t.Fatal(err)
	}
	image, err := p.Build(store)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Install(paths.ProjectMap(p.Dir), image); err != nil {
		t.Fatal(err)
	}
}

func TestTrustedProjectIsRead(t *testing.T) {
	paths, dir := home(t)
	p := readProject(t, dir)
	if p.Trusted(paths) {
		t.Error("trusted before it was")
	}
	trustProject(t, paths, p, nil)
	if !readProject(t, dir).Trusted(paths) {
		t.Error("not trusted after it was")
	}
	op, ok := mapset.OpenView(paths, dir).Operation("x.do")
	if !ok || op.Layer != tcpdb.ProjectLayer || op.Standing != tcpdb.Claimed {
		t.Errorf("x.do is %+v, %v; want a claim of the project", op, ok)
	}
	st, err := os.Stat(paths.Trust(dir))
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the record has mode %v, %v; want 0600", st.Mode(), err)
	}
	if st, err := os.Stat(filepath.Dir(paths.Trust(dir))); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("its directory has mode %v, %v; want 0700", st.Mode(), err)
	}

	write(t, filepath.Join(dir, ".tmp/schemas/x.json"), operationWith("risk", `"safe"`))
	if readProject(t, dir).Trusted(paths) {
		t.Error("trusted with other content")
	}
	if was, err := Untrust(paths, dir); !was || err != nil {
		t.Errorf("Untrust: %v, %v", was, err)
	}
	if was, err := Untrust(paths, dir); was || err != nil {
		t.Errorf("a second Untrust: %v, %v", was, err)
	}
	if _, err := os.Stat(paths.ProjectMap(dir)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the compiled map is still there: %v", err)
	}
}

// TestHashIsOfPathsAndContents: no two sets of files have one hash.
func TestHashIsOfPathsAndContents(t *testing.T) {
	sets := [][]file{
		{},
		{{name: "a", data: []byte("bc")}},
		{{name: "ab", data: []byte("c")}},
		{{name: "a", data: []byte("b")}, {name: "c"}},
		{{name: "a"}, {name: "c", data: []byte("b")}},
	}
	seen := map[string]int{}
	for i, s := range sets {
		h := hashFiles(s)
		if j, twice := seen[h]; twice {
			t.Errorf("sets %d and %d have one hash", i, j)
		}
		seen[h] = i
	}
	x, y := file{name: "x", data: []byte("1")}, file{name: "y", data: []byte("2")}
	if hashFiles([]file{x, y}) != hashFiles([]file{y, x}) {
		t.Error("the order of reading changes the hash")
	}
}

func TestHostileProjects(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(t *testing.T, dir string)
		want    string
	}{
		{"a linked file", func(t *testing.T, dir string) {
			write(t, dir+"/secret.json", "{}")
			os.Symlink(dir+"/secret.json", dir+"/.tmp/schemas/y.json")
		}, "y.json: is a symbolic link"},
		{"a linked directory", func(t *testing.T, dir string) { os.Symlink("/etc", dir+"/.tmp/schemas/etc") }, "etc: is a symbolic link"},
		{"linked schemas", func(t *testing.T, dir string) {
			os.Rename(dir+"/.tmp/schemas", dir+"/other")
			os.Symlink(dir+"/other", dir+"/.tmp/schemas")
		}, "schemas: is a symbolic link"},
		{"a linked configuration", func(t *testing.T, dir string) { os.Symlink("/etc/passwd", dir+"/.tmp/config.json") }, "config.json: is a symbolic link"},
		{"a linked .tmp", func(t *testing.T, dir string) {
			os.Rename(dir+"/.tmp", dir+"/other")
			os.Symlink(dir+"/other", dir+"/.tmp")
		}, ".tmp: is a symbolic link"},
		{"a file too large", func(t *testing.T, dir string) {
			write(t, dir+"/.tmp/schemas/y.json", strings.Repeat(" ", maxFileSize+1))
		}, "y.json: is larger than 4 MiB"},
		{"too many files", func(t *testing.T, dir string) {
			for i := range maxFiles {
				write(t, fmt.Sprintf("%s/.tmp/schemas/%d.json", dir, i), "{}")
			}
		}, "more than 512 source files"},
		{"too deep", func(t *testing.T, dir string) {
			write(t, dir+"/.tmp/schemas/a/b/c/d/e/f/g/h/i/j/y.json", "{}")
		}, "too many directories"},
		{".tmp is a file", func(t *testing.T, dir string) {
			os.RemoveAll(dir + "/.tmp")
			write(t, dir+"/.tmp", "")
		}, "not a directory"},
	}
	for _, tt := range tests {
		_, dir := home(t)
		tt.prepare(t, dir)
		_, _, err := ReadProject(dir, ParseOptions{})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestProjectProblems(t *testing.T) {
	_, dir := home(t)
	write(t, dir+"/.tmp/schemas/deep/y.json", operationWith("risk", `"safe"`))
	write(t, dir+"/.tmp/config.json", "{\n\"v\": 2,\n\"colour\": 1,\n\"enter\": {\"word\": \"please\",\n\"wide\": \"pass\"}}")
	_, problems, err := ReadProject(dir, ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range problems {
		got = append(got, p.Error())
	}
	want := []string{
		".tmp/config.json:2: v: is 2: this program reads version 1",
		".tmp/config.json:5: enter.wide: is \"pass\": want one of \"ask\", \"word\"",
		".tmp/config.json:3: colour: is not a known field",
		`.tmp/schemas/x.json:2: operations[0].id: "x.do" is in .tmp/schemas/deep/y.json too`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestNoProjectLowers: a project's record takes the place of another one of
// that ID, with no less risk and no less approval, and does not run.
func TestNoProjectLowers(t *testing.T) {
	paths, dir := home(t)
	risky := strings.Replace(operationWith("approval", `"required"`), `"risk": "low"`, `"risk": "high"`, 1)
	write(t, paths.Schemas()+"/x.json", risky)
	u, problems, err := ReadUser(paths, ParseOptions{})
	if err != nil || problems.Err() != nil {
		t.Fatal(err, problems.Err())
	}
	image, err := u.Build(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Install(paths.UserMap(), image); err != nil {
		t.Fatal(err)
	}
	trustProject(t, paths, readProject(t, dir), nil)
	op, _ := mapset.OpenView(paths, dir).Operation("x.do")
	if op.Layer != tcpdb.ProjectLayer || op.Risk != tcpdb.High || op.Approval != "required" || op.Standing.Verified() {
		t.Errorf("x.do is %+v", op)
	}
}

func TestReviewMakesEvidence(t *testing.T) {
	paths, dir := home(t)
	version := "1"
	store := &EvidenceStore{Paths: paths, Program: func(*Source, *Operation) string { return version }}
	p := readProject(t, dir)
	s, op := p.Sources[0], p.Sources[0].Operations[0]
	standing := func() tcpdb.Standing { return store.Standing(s, op) }
	if got := standing(); got != tcpdb.Claimed {
		t.Errorf("before a review it stands as %v, want claimed", got)
	}
	for _, kind := range []string{"parsed_help", "dry_run", "sample_test"} {
		if err := store.Add(s, op, Proof{Kind: kind, Date: now}); err != nil {
			t.Fatal(err)
		}
	}
	if got := standing(); got.Verified() {
		t.Errorf("what a machine found makes it stand as %v", got)
	}
	if err := store.Add(s, op, Proof{Kind: "human_review", By: "me", Date: now}); err != nil {
		t.Fatal(err)
	}
	if got := standing(); got != tcpdb.Evidence {
		t.Errorf("after a review it stands as %v, want evidence", got)
	}
	version = "2"
	if got := standing(); got.Verified() {
		t.Errorf("with another program it stands as %v", got)
	}
	version = "1"
	op.Template = "x destroy <p>"
	if got := standing(); got.Verified() {
		t.Errorf("with another template it stands as %v", got)
	}
	op.Template = "x do <p>"
	file := paths.Evidence(s.Hash(op))
	if st, err := os.Stat(file); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the record: %v, %v; want mode 0600", st, err)
	}
	write(t, file, "torn{")
	if got := standing(); got.Verified() {
		t.Errorf("with a torn record it stands as %v", got)
	}
}

func TestProgramVersion(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/bin/x", "one")
	os.Chmod(dir+"/bin/x", 0o755)
	op := &Operation{Template: "x do"}
	first := ProgramVersion("relative:"+dir+"/bin", "", op)
	if first == "" {
		t.Fatal("the program is not found")
	}
	write(t, dir+"/bin/x", "another")
	if second := ProgramVersion(dir+"/bin", "", op); second == first || second == "" {
		t.Errorf("another program has the version %q too", second)
	}
	script := &Operation{Template: "./bin/x"}
	if ProgramVersion("", dir, script) == "" {
		t.Error("a script of the project is not found")
	}
	if got := ProgramVersion("bin", dir, op); got != "" {
		t.Errorf("a relative PATH finds %q", got)
	}
}

func TestInitProject(t *testing.T) {
	dir := t.TempDir()
	made, err := InitProject(dir)
	if err != nil || len(made) != 4 {
		t.Fatalf("%v, %v", made, err)
	}
	for _, m := range made {
		if m.Existed {
			t.Errorf("%s existed before", m.Path)
		}
	}
	write(t, dir+"/.tmp/config.json", `{"v": 1, "mine": true}`)
	made, err = InitProject(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range made {
		if !m.Existed {
			t.Errorf("%s is made a second time", m.Path)
		}
	}
	if data, _ := os.ReadFile(dir + "/.tmp/config.json"); !strings.Contains(string(data), "mine") {
		t.Error("an existing configuration is overwritten")
	}
	ignore, _ := os.ReadFile(dir + "/.tmp/.gitignore")
	for _, name := range []string{"/runs/", "/context.json", "/context.md", "/last-resolve.json"} {
		if !strings.Contains(string(ignore), name+"\n") {
			t.Errorf(".gitignore lacks %s", name)
		}
	}
	p := readProject(t, dir)
	if len(p.Sources) != 0 {
		t.Errorf("a fresh project has sources: %v", p.Sources)
	}
}

func TestInitProjectFollowsNoLink(t *testing.T) {
	for _, name := range []string{".tmp", ".tmp/schemas", ".tmp/config.json", ".tmp/.gitignore"} {
		dir, target := t.TempDir(), t.TempDir()
		if name != ".tmp" {
			os.Mkdir(dir+"/.tmp", 0o755)
		}
		if err := os.Symlink(filepath.Join(target, "x"), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if _, err := InitProject(dir); !errors.Is(err, mapset.ErrSymlink) {
			t.Errorf("%s: %v, want ErrSymlink", name, err)
		}
		if entries, _ := os.ReadDir(target); len(entries) > 0 {
			t.Errorf("%s: %v is written behind the link", name, entries)
		}
	}
}

func TestReadOnlyPlaces(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root writes everywhere")
	}
	dir := t.TempDir()
	os.Chmod(dir, 0o500)
	defer os.Chmod(dir, 0o700)
	if _, err := InitProject(dir); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("InitProject: %v", err)
	}
	if _, err := Install(dir+"/sub/x.tcpdb", []byte("x")); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("Install: %v", err)
	}
}

func TestWithoutState(t *testing.T) {
	_, dir := home(t)
	p := readProject(t, dir)
	if err := p.Trust(place.Paths{}, now); !errors.Is(err, ErrNoState) {
		t.Errorf("Trust: %v, want ErrNoState", err)
	}
	store := &EvidenceStore{}
	if got := store.Standing(p.Sources[0], p.Sources[0].Operations[0]); got != tcpdb.Claimed {
		t.Errorf("stands as %v, want claimed", got)
	}
	if u, _, err := ReadUser(place.Paths{}, ParseOptions{}); err != nil || !u.Empty() {
		t.Errorf("ReadUser: %+v, %v", u, err)
	}
}

func TestContext(t *testing.T) {
	paths, dir := home(t)
	record := `{"operations": [` + strings.Replace(operationWith("parameters", `[{"name": "p", "required": true, "resolver": "x:values"}]`), `"x.do"`, `"x.one"`, 1) + `,` +
		strings.Replace(operationWith("parameters", `[{"name": "p", "resolver": "x:broken", "match": "filter"}]`), `"x.do"`, `"x.two"`, 1) + `,` +
		strings.Replace(operationWith("when", `{"files": ["not-here"]}`), `"x.do"`, `"x.elsewhere"`, 1) + `]}`
	write(t, dir+"/.tmp/schemas/x.json", record)
	trustProject(t, paths, readProject(t, dir), nil)
	asked := map[string]int{}
	values := func(name string, limit int) ([]string, int, error) {
		asked[name]++
		if name == "x:broken" {
			return nil, 0, errors.New("no\x1b[31m luck")
		}
		if name != "x:values" {
			return nil, 0, nil
		}
		return []string{"plain", "a`b", "new\nline", strings.Repeat("l", 200)}, 7, nil
	}
	levels := func(op *tcpdb.Operation) tcpdb.Level {
		if op.ID == "x.two" {
			return tcpdb.Critical // what its template would do
		}
		return tcpdb.Safe // less than the map says
	}
	c := NewContext(mapset.OpenView(paths, dir), dir, ContextFacts{Values: values, Level: levels})
	json, md := string(c.JSON()), string(c.Markdown())
	if again := NewContext(mapset.OpenView(paths, dir), dir, ContextFacts{Values: values, Level: levels}); string(again.JSON()) != json {
		t.Error("a second context differs")
	}
	if asked["x:values"] != 2 {
		t.Errorf("x:values is asked %d times for two contexts", asked["x:values"])
	}
	for _, want := range []string{`"x.one"`, `"x.two"`, `"plain"`, `"omitted": 9`, `"match": "filter"`, `"reason": "no?[31m luck"`, `"runs": false`} {
		if !strings.Contains(json, want) {
			t.Errorf("context.json lacks %s", want)
		}
	}
	for _, want := range []string{"- `x.one`: `x do <p>`; LOW_RISK, read-only, draft (does not run)", "- `x.two`: `x do <p>`; CRITICAL, read-only", "``a`b``", "… 9 more", "x:broken: not resolved (no?[31m luck)"} {
		if !strings.Contains(md, want) {
			t.Errorf("context.md lacks %q in\n%s", want, md)
		}
	}
	for _, text := range []string{json, md} {
		if strings.Contains(text, "x.elsewhere") || strings.Contains(text, "\x1b") || strings.Contains(text, "new\nline") {
			t.Errorf("the context holds what it must not:\n%s", text)
		}
	}
}

// TestContextFits: context.md is for a context window; what is the project's own
// comes before what is there everywhere.
func TestContextFits(t *testing.T) {
	paths, dir := home(t)
	one := strings.Replace(operationWith("when", `{"files": ["here"]}`), `"x.do"`, `"x.mine"`, 1)
	write(t, dir+"/.tmp/schemas/x.json", `{"operations": [`+one+`]}`)
	write(t, dir+"/here", "")
	trustProject(t, paths, readProject(t, dir), nil)
	none := func(string, int) ([]string, int, error) { return nil, 0, nil }
	c := NewContext(mapset.OpenView(paths, dir), dir, ContextFacts{
		Values: none, Level: func(op *tcpdb.Operation) tcpdb.Level { return op.Risk }, Installed: func(name string) bool { return name != "brew" },
	})
	md := string(c.Markdown())
	if strings.Contains(md, "brew") {
		t.Error("what is not installed is offered")
	}
	for i := range c.Tools { // as if there were many more
		ops := c.Tools[i].Operations
		for range 10 {
			c.Tools[i].Operations = append(c.Tools[i].Operations, ops...)
		}
	}
	md = string(c.Markdown())
	if len(md) > 6<<10 {
		t.Errorf("%d bytes", len(md))
	}
	if mine, other := strings.Index(md, "`x.mine`"), strings.Index(md, "`git."); mine < 0 || other >= 0 && other < mine {
		t.Errorf("the project's own operation is at %d, git's at %d", mine, other)
	}
	if !strings.Contains(md, "more: `tmp list` shows them.") || strings.Contains(md, "``;") {
		t.Errorf("the end of\n%s", md)
	}
}
