package opmap

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/surface"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// The examples of seed 000 as they are printed there.
const (
	seedTemplate = `-- operation: sql.recent_failed_jobs
SELECT id, status, created_at
FROM jobs
WHERE status = ?
ORDER BY created_at DESC
LIMIT ?;`
	seedRequest = `intent: create staging deployment
surface: api
operation: deployments.create
method: POST
path: /deployments
parameters:
environment: staging
ref: current_git_branch
effect: deployment
risk: high
approval: required`
)

func TestSeedTemplateLoadsAsPrinted(t *testing.T) {
	s, problems := Parse("jobs.sql", []byte(seedTemplate), KnownResolvers())
	if err := problems.Strict(); err != nil {
		t.Fatal(err)
	}
	op := s.Compiled(s.Operations[0])
	if op.ID != "sql.recent_failed_jobs" || op.Surface != "sql" || op.Tool != "sql" || op.Effect != "read-only" || op.Risk != tcpdb.Low || !slices.Equal(op.Intents, []string{"recent failed jobs"}) {
		t.Errorf("%+v", op)
	}
	if len(op.Params) != 2 || op.Params[0].Name != "status" || op.Params[1].Name != "limit" || op.Params[1].Type != "integer" || !op.Params[0].Required || !op.Params[1].Required {
		t.Errorf("%+v", op.Params)
	}
	var r surface.SQLRecord
	if err := json.Unmarshal(s.Record(s.Operations[0]), &r); err != nil || r.Line != 2 || r.File != "jobs.sql" || !strings.HasPrefix(r.Query, "SELECT id") {
		t.Errorf("%v %+v", err, r)
	}
}

func TestSeedRequestLoadsAsPrinted(t *testing.T) {
	for name, text := range map[string]string{
		"as printed": seedRequest,
		"indented":   strings.Replace(seedRequest, "environment: staging\nref:", "  environment: staging\n  ref:", 1),
	} {
		s, problems := Parse("deploy.yaml", []byte(text), KnownResolvers())
		if err := problems.Strict(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		op := s.Compiled(s.Operations[0])
		if op.ID != "deployments.create" || op.Surface != "api" || op.Effect != "deployment" || op.Risk != tcpdb.High || op.Approval != "required" || !slices.Equal(op.Intents, []string{"create staging deployment"}) {
			t.Errorf("%s: %+v", name, op)
		}
		if len(op.Params) != 2 || op.Params[0].Name != "environment" || op.Params[0].Default != "staging" || op.Params[1].Name != "ref" || op.Params[1].Default != "<git:current_branch>" {
			t.Errorf("%s: %+v", name, op.Params)
		}
		var r struct{ Method, Path string }
		if err := json.Unmarshal(s.Record(s.Operations[0]), &r); err != nil || r.Method != "POST" || r.Path != "/deployments" {
			t.Errorf("%s: %v %+v", name, err, r)
		}
	}
}

const templates = `-- What there is to know of jobs.

-- operation: sql.failed
-- intent: show failed jobs; failed jobs of <queue>
-- connection: jobs
-- param: queue resolver:sql:jobs.queues.name
-- param: status enum:failed,dead = failed
-- param: limit integer 1..500 = 50
-- param: since format:date optional
-- timeout: 5s
-- a comment that says nothing to us
SELECT id FROM jobs -- of all queues
WHERE queue = :queue AND status = :status AND (:since IS NULL OR made > :since)
LIMIT :limit;

-- operation: sql.retry
-- connection: jobs
-- risk: medium
UPDATE jobs SET status = 'new' WHERE id = $1;

-- operation: sql.purge
-- risk: low
DELETE FROM jobs
-- operation: sql.drop_it
-- effect: read
-- risk: low
DROP TABLE jobs;
-- operation: sql.local
-- connection: file:data/jobs.db
INSERT INTO jobs(id) VALUES (?);
`

func TestTemplates(t *testing.T) {
	s, problems := Parse("a/jobs.sql", []byte(templates), KnownResolvers())
	if err := problems.Strict(); err != nil {
		t.Fatal(err)
	}
	type want struct {
		effect string
		level  tcpdb.Level
		params string
		line   int
	}
	wants := map[string]want{
		"sql.failed":  {"read-only", tcpdb.Low, "queue! status limit since", 12},
		"sql.retry":   {"network-write", tcpdb.Medium, "id!", 19},
		"sql.purge":   {"network-write", tcpdb.Critical, "", 23},
		"sql.drop_it": {"read-only", tcpdb.Critical, "", 27},
		"sql.local":   {"local-write", tcpdb.High, "p1!", 30},
	}
	if len(s.Operations) != len(wants) {
		t.Fatalf("%d operations", len(s.Operations))
	}
	for _, own := range s.Operations {
		op, w := s.Compiled(own), wants[own.ID]
		var names []string
		for _, p := range op.Params {
			name := p.Name
			if p.Required {
				name += "!"
			}
			names = append(names, name)
		}
		var r surface.SQLRecord
		_ = json.Unmarshal(s.Record(own), &r)
		if op.Effect != w.effect || op.Risk != w.level || strings.Join(names, " ") != w.params || r.Line != w.line {
			t.Errorf("%s: %s %s %q line %d, want %+v", op.ID, op.Effect, op.Risk, names, r.Line, w)
		}
	}
	p := s.Compiled(s.Operations[0]).Params
	if got := tcpdb.TypeOf(p[2].Type); got.Name != "integer" || got.Minimum != "1" || got.Maximum != "500" || p[2].Default != "50" {
		t.Errorf("limit: %+v", got)
	}
	if got := tcpdb.TypeOf(p[1].Type); !slices.Equal(got.Enum, []string{"failed", "dead"}) {
		t.Errorf("status: %+v", got)
	}
	if p[0].Resolver != "sql:jobs.queues.name" || tcpdb.TypeOf(p[3].Type).Format != "date" {
		t.Errorf("%+v", p)
	}
	// Written as JSON it is the same.
	again, problems := Parse("jobs.json", s.Encode(), KnownResolvers())
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for i, op := range again.Operations {
		if again.Hash(op) != s.Hash(s.Operations[i]) {
			t.Errorf("%s is another one as JSON", op.ID)
		}
	}
}

// TestSurfaceFaults: what is wrong with an operation is said with its line.
func TestSurfaceFaults(t *testing.T) {
	for text, want := range map[string]string{
		"-- operation: sql.a\nSELECT :b;\n-- operation: sql.a\nSELECT 1": "is given twice|is defined twice|sql.a",
		"SELECT 1":               "before the first",
		"-- nothing":             "holds no template",
		"-- operation: Sql.A\n1": "id",
		"-- operation: sql.a\n-- param: b\nSELECT :c":                  ":c is not among the parameters",
		"-- operation: sql.a\n-- param: b\n-- param: c\nSELECT :b":     `"c" does not stand in the query`,
		"-- operation: sql.a\n-- param: b\nSELECT ?, ?":                "place 2",
		"-- operation: sql.a\n-- param: b odd odd\nSELECT :b":          "two types",
		"-- operation: sql.a\n-- params: b\nSELECT :b":                 `is "param" meant`,
		"-- operation: sql.a\n-- intent: x\n-- intent: y\nSELECT 1":    "twice",
		"-- operation: sql.a\nSELECT 1; DELETE FROM b":                 "more than one statement",
		"-- operation: sql.a\n":                                        "query",
		"-- operation: sql.a\n-- param: B\nSELECT :B":                  "lower-case",
		"-- operation: sql.a\n-- param: b integer x..y = 1\nSELECT :b": "want a number",
		"-- operation: sql.a\n-- param: b resolver:sql:x\nSELECT :b":   "no resolver",
		"-- operation: sql.a\n-- effect: nothing\nSELECT 1":            "nothing",
		"-- operation: sql.a\n-- timeout: soon\nSELECT 1":              "timeout",
	} {
		_, problems := Parse("a.sql", []byte(text), KnownResolvers())
		err := problems.Err()
		found := false
		for w := range strings.SplitSeq(want, "|") {
			found = found || err != nil && strings.Contains(err.Error(), w)
		}
		if !found || !strings.HasPrefix(err.Error(), "a.sql:") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		`{"id": "a.b", "surface": "sql", "connection": "x"}`:                                                              "query",
		`{"id": "a.b", "surface": "sql", "query": 7}`:                                                                     "want a string",
		`{"id": "a.b", "surface": "sql", "query": "SELECT 1", "sql": {"query": "SELECT 2"}}`:                              "twice",
		`{"id": "a.b", "surface": "sql", "query": "SELECT 1", "template": "x"}`:                                           "has none",
		`{"id": "a.b", "surface": "api", "path": "/x"}`:                                                                   "method",
		`{"id": "a.b", "surface": "api", "api": {"method": "GET"}}`:                                                       "path",
		`{"id": "a.b", "surface": "sql", "query": "SELECT :c", "parameters": [{"name": "c", "enum": [{}]}]}`:              "want a word",
		`{"id": "a.b", "surface": "cli", "template": "a <body.c>", "parameters": [{"name": "body.c"}], "effect": "read"}`: "lower-case",
	} {
		_, problems := Parse("a.json", []byte(text), KnownResolvers())
		if err := problems.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"a: [": "a.yaml:1: not YAML", "": "no YAML document", "a: 1\na: 2": "given twice", "? [x]\n: y": "no text", "id: a.b\nsurface: odd": "surface",
		"a: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c]\ne: &e [*d, *d, *d, *d, *d, *d, *d, *d]\nf: [*e, *e, *e, *e, *e, *e, *e, *e]": "too much",
	} {
		_, problems := Parse("a.yaml", []byte(text), KnownResolvers())
		if err := problems.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestRecordOfAPI holds the contract's own form of a record.
func TestRecordOfAPI(t *testing.T) {
	const text = `{"id": "deploy.create", "intent": "create a deployment", "surface": "api", "api": {"server": "https://api.example.org/v1", "method": "POST", "path": "/deployments", "auth": "deploy",
 "headers": {"X-A": "<ref>"}, "body": {"env": "<body.env>", "n": 9007199254740993}}, "parameters": [{"name": "ref"}, {"name": "body.env", "enum": ["a", "b"]}],
 "effect": "deployment", "risk": "high", "approval": "required", "output_policy": {"mode": "json", "select": ["id", "state"]}}`
	s, problems := Parse("a.json", []byte(text), KnownResolvers())
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	got := string(s.Record(s.Operations[0]))
	for _, want := range []string{`"server":"https://api.example.org/v1"`, `"n":9007199254740993`, `"env":"<body.env>"`, `"select":["id","state"]`, `"auth":"deploy"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
	if again, _ := Parse("a.json", s.Encode(), KnownResolvers()); again.Hash(again.Operations[0]) != s.Hash(s.Operations[0]) {
		t.Error("it is another one when it is written")
	}
	for method, level := range map[string]tcpdb.Level{"GET": tcpdb.Low, "POST": tcpdb.High, "DELETE": tcpdb.High} {
		s, problems := Parse("a.json", []byte(`{"id": "a.b", "surface": "api", "api": {"server": "https://x", "method": "`+method+`", "path": "/x"}}`), KnownResolvers())
		if err := problems.Err(); err != nil || s.Compiled(s.Operations[0]).Risk != level {
			t.Errorf("%s: %v %v", method, err, s.Compiled(s.Operations[0]).Risk)
		}
	}
}

// TestOneFaultIsSaidOnce: of a statement or a request that cannot be read nothing more is
// said to be missing.
func TestOneFaultIsSaidOnce(t *testing.T) {
	for name, text := range map[string]string{
		"x.sql":  "-- operation: sql.two\nSELECT 1; DELETE FROM jobs;\n",
		"y.sql":  "-- operation: sql.none\n",
		"x.json": `{"operations":[{"id":"x.y","surface":"api","intent":["ask the server"],"api":{"server":"https://x.example","path":"/"}}]}`,
	} {
		_, problems := Parse(name, []byte(text), KnownResolvers())
		if len(problems) != 1 || problems.Err() == nil {
			t.Errorf("%s: %v", text, problems)
		}
	}
	if _, problems := Parse("z.json", []byte(`{"operations":[{"id":"x.y","intent":["ask the server"],"template":"ls"}]}`), KnownResolvers()); len(problems) < 2 {
		t.Errorf("a command without effect and level: %v", problems)
	}
}
