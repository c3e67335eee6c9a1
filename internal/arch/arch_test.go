// Package arch holds the tests of the project's shape: which package may
// import which, what the programs started on every key may link, and what the
// public packages may show in their signatures.
package arch

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/tool-mapping-protocol/tmp"

// rooms says for each package which of ours it may import. The direction is
// data ← decisions ← effects ← commands ← main: a package stands below those
// that it imports are listed in, and nothing calls back up.
var rooms = map[string]string{
	// data
	"tcpdb":             "",
	"tcpdb/exchange":    "tcpdb",
	"internal/shline":   "",
	"internal/sandbox":  "",
	"internal/place":    "",
	"internal/stack":    "",
	"internal/toolid":   "internal/toml",
	"internal/disk":     "",
	"internal/inflate":  "",
	"internal/jsonscan": "",
	"internal/yaml":     "",
	"internal/toml":     "",
	"internal/phrase":   "",
	"internal/project":  "internal/disk internal/jsonscan internal/toml internal/yaml resolvers/tasks",
	"internal/screen":   "",
	"internal/audit":    "internal/shline tcpdb",

	"internal/sqlitefile": "",
	"internal/sqltext":    "",

	"internal/discover/draft":  "",
	"internal/discover/help":   "internal/discover/draft",
	"internal/discover/code":   "internal/discover/draft internal/discover/help",
	"internal/discover/man":    "internal/discover/draft internal/discover/help",
	"internal/discover/script": "internal/discover/draft",

	"internal/discover/spec/carapace":      "internal/discover/draft internal/discover/spec/known",
	"internal/discover/spec/fig":           "internal/discover/draft internal/discover/spec/known internal/sandbox",
	"internal/discover/spec/fig/evaluator": "internal/discover/draft internal/discover/spec/fig",
	"internal/discover/spec/kdl":           "internal/discover/draft",
	"internal/discover/spec/known":         "",
	"internal/discover/spec/usage":         "internal/discover/draft internal/discover/spec/kdl internal/discover/spec/known",
	// decisions
	"resolvers":          "internal/disk internal/sqltext",
	"internal/argv":      "tcpdb",
	"internal/risk":      "internal/argv internal/risk/code internal/risk/syspath internal/risk/wordlist tcpdb",
	"internal/recent":    "internal/argv internal/shline tcpdb",
	"internal/risk/line": "internal/argv internal/risk internal/risk/syspath internal/risk/wordlist internal/shline tcpdb",
	"internal/gate":      "tcpdb",
	"internal/ask":       "internal/risk/line internal/risk/syspath internal/risk/wordlist internal/shline tcpdb",
	"internal/shape":     "",
	"internal/textdiff":  "",
	"internal/workflow":  "",
	"internal/rtk":       "internal/shape",
	"completion":         "internal/argv internal/disk internal/risk internal/shline internal/sqltext internal/tasks internal/when resolvers tcpdb",
	"completion/posener": "completion shells tcpdb",
	"shells":             "completion internal/screen internal/shline resolvers tcpdb",
	"shells/shelltest":   "",
	"internal/intent":    "internal/phrase internal/when resolvers tcpdb",
	// families of values, and the table of all
	"resolvers/alias":        "resolvers/cargo resolvers/git",
	"resolvers/build":        "internal/disk internal/jsonscan resolvers",
	"resolvers/cargo":        "internal/disk internal/toml resolvers",
	"resolvers/cloud":        "internal/disk resolvers",
	"resolvers/container":    "internal/disk internal/jsonscan internal/yaml resolvers resolvers/files",
	"resolvers/files":        "internal/disk internal/inflate resolvers",
	"resolvers/git":          "internal/disk internal/inflate resolvers resolvers/files",
	"resolvers/golang":       "internal/disk resolvers",
	"resolvers/npm":          "internal/disk internal/jsonscan internal/yaml resolvers",
	"resolvers/own":          "internal/disk internal/jsonscan internal/place resolvers",
	"resolvers/packages":     "internal/disk resolvers",
	"resolvers/python":       "internal/disk internal/toml resolvers",
	"resolvers/resolvertest": "resolvers",
	"resolvers/settings":     "internal/disk internal/toml resolvers/git",
	"resolvers/sql":          "internal/disk internal/sqlitefile internal/sqltext resolvers",
	"resolvers/system":       "internal/disk resolvers resolvers/files",
	"resolvers/tasks":        "internal/disk internal/jsonscan internal/toml internal/yaml resolvers resolvers/npm",
	"resolvers/all":          "resolvers resolvers/alias resolvers/build resolvers/cargo resolvers/cloud resolvers/container resolvers/files resolvers/git resolvers/golang resolvers/npm resolvers/own resolvers/packages resolvers/python resolvers/sql resolvers/surface resolvers/system resolvers/tasks",
	// effects
	"internal/mapset":     "internal/place tcpdb",
	"internal/ask/facts":  "internal/ask internal/mapset internal/place internal/risk/line internal/risk/syspath resolvers/cloud resolvers/container resolvers/git tcpdb",
	"internal/opmap":      "internal/ask internal/mapset internal/opmap/core internal/phrase internal/place internal/risk/code internal/sqltext internal/surface internal/surface/statement internal/toolid internal/when internal/workflow resolvers/all tcpdb",
	"internal/runlog":     "internal/account",
	"internal/discover":   "internal/discover/code internal/discover/draft internal/discover/help internal/discover/man internal/discover/script internal/opmap",
	"internal/quarantine": "",

	"internal/discover/spec":      "internal/discover internal/discover/draft internal/discover/spec/carapace internal/discover/spec/fig internal/discover/spec/usage internal/opmap tcpdb",
	"internal/mapdiff":            "internal/opmap",
	"internal/discover/assess":    "tcpdb",
	"internal/discover/drafts":    "internal/opmap tcpdb",
	"internal/discover/machine":   "internal/discover internal/discover/draft internal/discover/help internal/discover/man internal/discover/question internal/opmap internal/place internal/sandbox",
	"internal/discover/systemmap": "internal/discover/assess internal/discover/drafts internal/discover/machine internal/mapset internal/opmap internal/place tcpdb",

	"internal/evidence": "internal/discover internal/discover/draft internal/discover/help internal/discover/machine internal/discover/man internal/intent internal/invoke internal/opmap internal/sandbox resolvers tcpdb",
	"internal/recipe":   "internal/discover internal/discover/draft internal/discover/help internal/opmap internal/phrase internal/toolid internal/workflow resolvers/tasks tcpdb",

	"internal/invoke":    "internal/workflow tcpdb",
	"internal/benchmark": "internal/shape",
	"internal/envelope":  "internal/shape",
	// commands
	"internal/cli/tab":             "completion internal/mapset internal/place internal/project internal/recent internal/risk/facts internal/wanted resolvers resolvers/all shells",
	"internal/cli/enter":           "internal/ask internal/ask/facts internal/audit internal/mapset internal/place internal/recent internal/risk internal/risk/facts internal/risk/line internal/screen internal/shline tcpdb",
	"internal/cli/te":              "internal/envelope internal/envelope/settings internal/place internal/runlog internal/toml internal/version resolvers/git",
	"internal/cli/review":          "internal/evidence internal/opmap internal/screen",
	"internal/cli/tmp":             "completion/posener internal/cli/command internal/cli/term internal/cli/tmp/benchmark internal/cli/tmp/check internal/cli/tmp/db internal/cli/tmp/generate internal/cli/tmp/handed internal/cli/tmp/layers internal/cli/tmp/operation internal/cli/tmp/policy internal/cli/tmp/project internal/cli/tmp/quarantine internal/cli/tmp/run internal/cli/tmp/runs internal/cli/tmp/schema internal/cli/tmp/script internal/cli/tmp/shell internal/cli/tmp/sql internal/cli/tmp/tools internal/cli/tmp/verify internal/cli/tmp/workflow internal/session internal/version tcpdb",
	"internal/cli/command":         "internal/cli/term internal/opmap tcpdb",
	"internal/cli/term":            "internal/account internal/beside internal/gate internal/invoke internal/place internal/screen internal/session tcpdb",
	"internal/cli/tmp/benchmark":   "internal/benchmark internal/cli/command internal/cli/term tcpdb",
	"internal/cli/tmp/check":       "internal/ask internal/cli/command internal/cli/term internal/gitloss internal/risk/line internal/screen internal/session resolvers/git tcpdb",
	"internal/cli/tmp/db":          "internal/cli/command internal/cli/term internal/cli/tmp/layers internal/discover/drafts internal/discover/machine internal/discover/systemmap internal/opmap internal/place internal/risk internal/screen internal/shline tcpdb tcpdb/exchange",
	"internal/cli/tmp/generate":    "internal/cli/command internal/cli/term internal/cli/tmp/layers internal/cli/tmp/runs internal/discover internal/discover/drafts internal/discover/machine internal/gate internal/opmap internal/printed internal/rtk internal/runlog internal/screen internal/session internal/textdiff internal/wanted tcpdb",
	"internal/cli/tmp/layers":      "internal/cli/command internal/cli/term internal/discover/drafts internal/discover/machine internal/discover/systemmap internal/gate internal/invoke internal/mapset internal/opmap internal/place internal/screen internal/session internal/surface internal/wanted resolvers resolvers/all shells tcpdb",
	"internal/cli/tmp/operation":   "internal/cli/command internal/cli/term internal/screen internal/session tcpdb",
	"internal/cli/tmp/policy":      "internal/ask internal/ask/facts internal/audit internal/cli/command internal/cli/term internal/config internal/envelope/settings internal/hook internal/invoke internal/place internal/registry/settings internal/runlog internal/screen internal/surface internal/wanted tcpdb",
	"internal/cli/tmp/quarantine":  "internal/cli/command internal/cli/term internal/quarantine internal/screen",
	"internal/cli/tmp/run":         "internal/cli/command internal/cli/term internal/disk internal/intent internal/invoke internal/session",
	"internal/cli/tmp/runs":        "internal/cli/command internal/cli/term internal/printed internal/runlog internal/screen internal/session internal/shape internal/textdiff tcpdb",
	"internal/cli/tmp/schema":      "internal/benchmark internal/cli/command internal/cli/term internal/cli/tmp/layers internal/discover/drafts internal/discover/machine internal/discover/spec internal/mapcases internal/mapdiff internal/mapset internal/opmap internal/place internal/screen internal/surface internal/version resolvers/all tcpdb",
	"internal/cli/tmp/script":      "internal/cli/command internal/cli/term internal/cli/tmp/layers internal/opmap internal/phrase internal/printed internal/recipe internal/sandbox internal/screen internal/session internal/toolid internal/workflow resolvers/tasks tcpdb",
	"internal/cli/tmp/shell":       "completion internal/cli/command internal/cli/term internal/cli/tmp/policy internal/mapset internal/screen internal/session internal/version shells tcpdb",
	"internal/cli/tmp/verify":      "internal/cli/command internal/cli/review internal/cli/term internal/cli/tmp/layers internal/discover/drafts internal/discover/machine internal/evidence internal/gate internal/mapset internal/opmap internal/place internal/sandbox internal/screen internal/session internal/surface internal/when resolvers/all tcpdb",
	"internal/cli/tmp/workflow":    "internal/cli/command internal/cli/term internal/cli/tmp/operation internal/cli/tmp/run internal/cli/tmp/script internal/gate internal/invoke internal/opmap internal/session internal/workflow tcpdb",
	"internal/discover/question":   "internal/discover/help",
	"internal/risk/facts":          "internal/mapset internal/place internal/risk internal/tasks resolvers/alias resolvers/git resolvers/settings tcpdb",
	"internal/session":             "completion internal/account internal/argv internal/ask internal/ask/facts internal/audit internal/beside internal/binding internal/config internal/discover/drafts internal/discover/machine internal/disk internal/gate internal/intent internal/invoke internal/mapset internal/opmap internal/place internal/printed internal/project internal/recent internal/risk internal/risk/facts internal/risk/line internal/rtk internal/runlog internal/screen internal/shape internal/shline internal/surface internal/toml internal/when internal/workflow resolvers resolvers/all tcpdb",
	"internal/tasks":               "internal/risk resolvers/tasks",
	"internal/when":                "resolvers tcpdb",
	"internal/mapcases":            "completion internal/risk internal/risk/line internal/shline resolvers/all tcpdb",
	"internal/opmap/core":          "",
	"examples/completed":           "completion completion/posener resolvers/all tcpdb",
	"internal/docs":                "",
	"internal/gitloss":             "",
	"internal/printed":             "internal/argv internal/shape internal/shline tcpdb",
	"internal/risk/code":           "internal/risk/syspath internal/risk/wordlist internal/sqltext tcpdb",
	"internal/risk/syspath":        "",
	"internal/risk/wordlist":       "",
	"scripts/genpacks":             "internal/opmap",
	"scripts/pictures":             "shells/shelltest",
	"internal/config":              "internal/ask/facts",
	"cmd/tmp-agent":                "internal/cli/agent",
	"cmd/tmp-hook":                 "internal/cli/hook",
	"internal/account":             "",
	"internal/agent/conf":          "internal/audit internal/toolid",
	"internal/agent/definition":    "",
	"internal/agent/door":          "completion internal/agent/conf internal/agent/definition internal/agent/inventory internal/agent/store internal/agent/upstream internal/audit internal/session internal/shline internal/toolid tcpdb",
	"internal/agent/inventory":     "internal/agent/conf internal/agent/definition internal/toolid tcpdb",
	"internal/agent/keeper":        "",
	"internal/agent/store":         "internal/agent/inventory internal/disk internal/toolid",
	"internal/agent/upstream":      "internal/agent/conf internal/agent/definition internal/agent/keeper",
	"internal/binding":             "internal/disk internal/project internal/textdiff resolvers/git",
	"internal/cli/agent":           "internal/account internal/agent/conf internal/agent/cost internal/agent/door internal/agent/keeper internal/cli/term internal/config internal/gate internal/hook internal/hook/entry internal/mapset internal/place internal/session internal/splice internal/toml internal/version",
	"internal/cli/hook":            "internal/account internal/ask internal/ask/facts internal/audit internal/binding internal/config internal/hook internal/invoke internal/mapset internal/place internal/printed internal/risk/facts internal/risk/line internal/runlog internal/shline tcpdb",
	"internal/cli/tmp/project":     "internal/cli/command internal/cli/term internal/invoke internal/session",
	"internal/cli/tmp/tools":       "internal/agent/conf internal/agent/definition internal/agent/inventory internal/agent/store internal/cli/command internal/cli/term internal/gate internal/session internal/textdiff internal/toolid tcpdb",
	"internal/forge/engine":        "",
	"internal/forge/isolate":       "internal/forge/jail internal/forge/worker",
	"internal/forge/jail":          "",
	"internal/forge/law":           "internal/forge/pattern",
	"internal/forge/worker":        "internal/forge/engine internal/forge/jail",
	"internal/hook":                "internal/argv internal/ask internal/jsonscan internal/printed internal/risk internal/risk/line internal/risk/syspath internal/shline internal/splice internal/toml tcpdb",
	"internal/hook/entry":          "internal/hook internal/shline internal/splice internal/toml",
	"internal/project/rolesource":  "internal/project",
	"internal/splice":              "internal/jsonscan internal/toml",
	"scripts/genroles":             "internal/opmap/core internal/project/rolesource",
	"cmd/tgp":                      "internal/cli/tgp internal/forge/worker",
	"internal/cli/tgp":             "internal/account internal/forge/run internal/gate internal/screen internal/version",
	"internal/envelope/settings":   "internal/runlog",
	"internal/forge":               "internal/audit internal/forge/bridge internal/forge/bridge/remote internal/forge/bundle internal/forge/config internal/forge/isolate internal/forge/law internal/forge/pattern internal/forge/repo internal/forge/run internal/forge/worker internal/mapset internal/phrase internal/textdiff tcpdb",
	"internal/forge/bridge":        "internal/forge/isolate",
	"internal/forge/bundle":        "internal/forge/law",
	"internal/forge/config":        "",
	"internal/forge/repo":          "internal/forge/pattern",
	"internal/forge/pattern":       "",
	"internal/version":             "",
	"scripts/release":              "",
	"internal/agent/cost":          "internal/agent/conf internal/agent/definition internal/agent/door internal/agent/inventory internal/gate internal/session",
	"cmd/tgp-forge":                "internal/cli/tgp internal/cli/tgp/forging internal/forge/worker",
	"cmd/tmp-registry":             "internal/cli/registry internal/cli/term",
	"cmd/tmp-surface":              "internal/cli/surface",
	"internal/beside":              "",
	"internal/cli/registry":        "internal/cli/command internal/cli/term internal/cli/tmp/layers internal/config internal/gate internal/mapdiff internal/mapset internal/opmap internal/registry internal/registry/fault internal/registry/keys internal/registry/settings internal/registry/statement tcpdb",
	"internal/cli/surface":         "internal/config internal/mapset internal/place internal/screen internal/surface internal/surface/api internal/surface/api/openapi internal/surface/sql internal/workflow tcpdb",
	"internal/cli/tgp/forging":     "internal/cli/tgp internal/forge internal/forge/law internal/forge/run internal/gate internal/screen",
	"internal/cli/tmp/handed":      "internal/cli/command internal/cli/term",
	"internal/cli/tmp/sql":         "internal/cli/command internal/cli/term internal/opmap internal/session internal/surface",
	"internal/forge/bridge/remote": "internal/forge/bridge",
	"internal/forge/run":           "internal/account internal/audit internal/forge/bridge internal/forge/config internal/forge/isolate internal/forge/law internal/forge/pattern internal/forge/worker internal/gate internal/mapset internal/place internal/runlog tcpdb",
	"internal/opmap/packs":         "",
	"internal/registry":            "internal/gate internal/mapdiff internal/mapset internal/opmap internal/opmap/packs internal/place internal/registry/archive internal/registry/depot internal/registry/fault internal/registry/keys internal/registry/ledger internal/registry/statement internal/shape internal/toolid tcpdb",
	"internal/registry/archive":    "internal/registry/fault",
	"internal/registry/depot":      "internal/registry/fault tcpdb",
	"internal/registry/fault":      "",
	"internal/registry/keys":       "internal/registry/fault internal/registry/statement tcpdb",
	"internal/registry/ledger":     "internal/opmap internal/registry/depot internal/registry/fault internal/registry/statement tcpdb",
	"internal/registry/settings":   "",
	"internal/registry/statement":  "internal/registry/fault tcpdb",
	"internal/surface":             "",
	"internal/surface/api":         "internal/screen internal/surface",
	"internal/surface/api/openapi": "internal/phrase internal/surface internal/surface/api",
	"internal/surface/sql":         "internal/screen internal/sqltext internal/surface internal/surface/statement",
	"internal/surface/statement":   "internal/sqltext",
	"resolvers/surface":            "internal/beside internal/place internal/toml resolvers",
	"internal/wanted":              "internal/mapset internal/place tcpdb",
	// programs
	"cmd/tmp":         "internal/cli/term internal/cli/tmp internal/sandbox",
	"cmd/te":          "internal/cli/te",
	"cmd/tmp-fig":     "internal/discover/spec/fig/evaluator",
	"cmd/tmp-tab":     "internal/cli/tab internal/stack",
	"cmd/tmp-enter":   "internal/cli/enter internal/stack",
	"scripts/gencore": "internal/opmap",
	"scripts/score":   "internal/discover",
	"scripts/replay":  "completion resolvers/all tcpdb",
	"scripts/bench":   "internal/printed internal/risk internal/risk/line internal/shape internal/shline tcpdb",
}

// formats are what a family of resolvers may stand on beside the root of them all
// and internal/place: readers that know of no resolver.
var formats = []string{
	"internal/beside", "internal/disk", "internal/inflate", "internal/jsonscan", "internal/sqlitefile", "internal/sqltext", "internal/toml", "internal/yaml",
}

// neighbours are the families that another one stands on; all others stand alone.
var neighbours = map[string]string{
	"resolvers/alias":     "resolvers/cargo resolvers/git",
	"resolvers/container": "resolvers/files", // what is mounted
	"resolvers/git":       "resolvers/files", // what git add --force takes
	"resolvers/settings":  "resolvers/git",
	"resolvers/system":    "resolvers/files", // programs by their paths
	"resolvers/tasks":     "resolvers/npm",   // scripts of package.json are tasks
}

// TestFamiliesStandAlone holds the table of rooms to the rule for the resolvers,
// and everything in public to being there.
func TestFamiliesStandAlone(t *testing.T) {
	for room, imports := range rooms {
		family, ok := strings.CutPrefix(room, "resolvers/")
		if !ok || family == "all" || family == "resolvertest" {
			continue
		}
		if !slices.Contains(public, room) {
			t.Errorf("%s is not among the public packages", room)
		}
		for _, im := range strings.Fields(imports) {
			if im != "resolvers" && im != "internal/place" && !slices.Contains(formats, im) && !slices.Contains(strings.Fields(neighbours[room]), im) {
				t.Errorf("%s may not import %s: a family stands on resolvers, formats and internal/place", room, im)
			}
		}
	}
	if got := strings.Fields(rooms["completion"]); slices.ContainsFunc(got, func(im string) bool { return strings.HasPrefix(im, "resolvers/") }) {
		t.Error("completion imports a family: it is handed the table")
	}
}

// pkg is what go list tells of a package.
type pkg struct {
	ImportPath string
	Imports    []string
	Deps       []string
	Standard   bool
}

func list(t *testing.T, args ...string) []pkg {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports,Deps,Standard"}, args...)...)
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var pkgs []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p pkg
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
	return pkgs
}

func TestImportsFollowTheDirection(t *testing.T) {
	for _, p := range list(t, "./...") {
		name := strings.TrimPrefix(p.ImportPath, module+"/")
		if name == "internal/arch" {
			continue
		}
		allowed, ok := rooms[name]
		if !ok {
			t.Errorf("%s is not in the table of rooms: say what it may import", name)
			continue
		}
		for _, imp := range p.Imports {
			if room, ours := strings.CutPrefix(imp, module+"/"); ours && !slices.Contains(strings.Fields(allowed), room) {
				t.Errorf("%s imports %s", name, room)
			}
		}
	}
}

// linked are the modules' packages that a program started on every key may
// link beside the standard library and ours.
var linked = map[string]string{
	"cmd/tmp-tab": "github.com/cespare/xxhash/v2 " +
		"golang.org/x/mod/internal/lazyregexp golang.org/x/mod/modfile golang.org/x/mod/module golang.org/x/mod/semver golang.org/x/sys/unix",
	"cmd/tmp-enter": "github.com/cespare/xxhash/v2 golang.org/x/sys/unix " +
		"golang.org/x/term mvdan.cc/sh/v3/fileutil mvdan.cc/sh/v3/syntax",
}

// heavy are packages of the standard library that cost too much at start.
var heavy = []string{"net/http", "net", "crypto/sha1", "crypto/sha256", "crypto/tls", "text/template", "html/template", "go/parser", "log/slog", "testing"}

func TestKeyProgramsLinkOnlyWhatTheyNeed(t *testing.T) {
	for program, allowed := range linked {
		for _, p := range list(t, "./"+program) {
			for _, dep := range p.Deps {
				first, _, _ := strings.Cut(dep, "/")
				switch {
				case slices.Contains(heavy, dep):
					t.Errorf("%s links %s", program, dep)
				case strings.HasPrefix(dep, module), strings.HasPrefix(dep, "vendor/"), !strings.Contains(first, "."):
				case !slices.Contains(strings.Fields(allowed), dep):
					t.Errorf("%s links %s", program, dep)
				}
			}
		}
	}
}

// TestHookLinksNoServer: a harness starts tmp-hook for each tool call, so it links
// nothing of what tmp-agent does for longer.
func TestHookLinksNoServer(t *testing.T) {
	for _, p := range list(t, "./cmd/tmp-hook") {
		for _, dep := range p.Deps {
			first, _, _ := strings.Cut(strings.TrimPrefix(dep, "github.com/"), "/")
			if slices.Contains([]string{"net/http", "net", "crypto/tls", "text/template", "html/template", "go/parser"}, dep) ||
				slices.Contains([]string{"spf13", "modelcontextprotocol", "go-git", "charmbracelet", "charm.land"}, first) {
				t.Errorf("%s links %s", p.ImportPath, dep)
			}
		}
	}
}

// TestRegistryIsAProgramOfItsOwn: what reads registries and keys costs a program a
// quarter more page faults at its start, so no other links it.
func TestRegistryIsAProgramOfItsOwn(t *testing.T) {
	for _, program := range []string{"tmp", "tmp-tab", "tmp-enter", "tmp-hook", "tmp-agent", "te", "tgp"} {
		for _, p := range list(t, "./cmd/"+program) {
			for _, dep := range p.Deps {
				if strings.HasPrefix(dep, "oras.land/") || strings.HasPrefix(dep, "filippo.io/age") || dep == module+"/internal/registry" {
					t.Errorf("%s links %s", p.ImportPath, dep)
				}
			}
		}
	}
}

// TestSessionHasNoCommandLine: every door stands on internal/session, so it links
// nothing of one.
func TestSessionHasNoCommandLine(t *testing.T) {
	for _, p := range list(t, "./internal/session") {
		for _, dep := range p.Deps {
			if strings.HasPrefix(dep, module+"/internal/cli") || strings.HasPrefix(dep, "github.com/spf13/") || dep == "golang.org/x/term" {
				t.Errorf("%s links %s", p.ImportPath, dep)
			}
		}
	}
}

// TestOnlySurfaceHoldsTheClients: what speaks to APIs and databases, and reads their
// documents, is in tmp-surface alone.
func TestOnlySurfaceHoldsTheClients(t *testing.T) {
	for _, p := range list(t, "./cmd/tmp", "./cmd/tmp-tab", "./cmd/tmp-enter", "./cmd/tmp-hook") {
		for _, dep := range p.Deps {
			room := strings.TrimPrefix(dep, module+"/")
			first, _, _ := strings.Cut(strings.TrimPrefix(dep, "github.com/"), "/")
			if dep == "net/http" || strings.HasPrefix(room, "internal/surface/api") || room == "internal/surface/sql" || slices.Contains([]string{"pb33f", "jackc", "go-sql-driver"}, first) {
				t.Errorf("%s links %s", p.ImportPath, dep)
			}
		}
	}
}

// public packages show only their own, each other's and standard types.
var public = []string{
	"completion", "resolvers", "resolvers/alias", "resolvers/all", "resolvers/build", "resolvers/cargo", "resolvers/cloud", "resolvers/container",
	"resolvers/files", "resolvers/git", "resolvers/golang", "resolvers/npm", "resolvers/own", "resolvers/packages", "resolvers/python",
	"resolvers/settings", "resolvers/sql", "resolvers/surface", "resolvers/system", "resolvers/tasks", "shells", "tcpdb",
}

func TestPublicSignatures(t *testing.T) {
	for _, name := range public {
		files, err := filepath.Glob(filepath.Join("../..", name, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files: %v", name, err)
		}
		fset := token.NewFileSet()
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(fset, file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			checkFile(t, fset, f)
		}
	}
}

func checkFile(t *testing.T, fset *token.FileSet, f *ast.File) {
	imports := map[string]string{}
	for _, im := range f.Imports {
		path, _ := strconv.Unquote(im.Path.Value)
		name := path[strings.LastIndexByte(path, '/')+1:]
		if im.Name != nil {
			name = im.Name.Name
		}
		imports[name] = path
	}
	check := func(n ast.Node) {
		if n == nil {
			return
		}
		ast.Inspect(n, func(n ast.Node) bool {
			if field, ok := n.(*ast.Field); ok && len(field.Names) > 0 && !slices.ContainsFunc(field.Names, (*ast.Ident).IsExported) {
				return false
			}
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if id, ok := sel.X.(*ast.Ident); ok && !mayShow(imports[id.Name]) {
				t.Errorf("%s: an exported signature shows %s.%s", fset.Position(sel.Pos()), id.Name, sel.Sel.Name)
			}
			return true
		})
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && (d.Recv == nil || exportedReceiver(d.Recv)) {
				checkParams(check, d.Type)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						check(s.Type)
					}
				case *ast.ValueSpec:
					if slices.ContainsFunc(s.Names, (*ast.Ident).IsExported) {
						check(s.Type)
					}
				}
			}
		}
	}
}

// checkParams looks at the types of parameters and results, whose names are
// never exported.
func checkParams(check func(ast.Node), ft *ast.FuncType) {
	for _, list := range []*ast.FieldList{ft.Params, ft.Results} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			check(f.Type)
		}
	}
}

func exportedReceiver(r *ast.FieldList) bool {
	e := r.List[0].Type
	if s, ok := e.(*ast.StarExpr); ok {
		e = s.X
	}
	id, ok := e.(*ast.Ident)
	return ok && id.IsExported()
}

func mayShow(path string) bool {
	if path == "" || !strings.Contains(strings.Split(path, "/")[0], ".") {
		return true
	}
	room, ours := strings.CutPrefix(path, module+"/")
	return ours && slices.Contains(public, room)
}

// TestNoProgramLinksAVocabulary: exact counts of tokens, with 16 MB of tables,
// are for the benchmark alone.
func TestNoProgramLinksAVocabulary(t *testing.T) {
	for _, p := range list(t, "./cmd/...") {
		for _, dep := range p.Deps {
			if strings.HasPrefix(dep, "github.com/tiktoken-go/") {
				t.Errorf("%s links %s", p.ImportPath, dep)
			}
		}
	}
}

// TestRunLinksNoWorkshop: tgp is started for each run of a tool, so it links nothing of
// what makes tools, nor what asks databases and hosts.
func TestRunLinksNoWorkshop(t *testing.T) {
	for _, p := range list(t, "./cmd/tgp") {
		for _, dep := range p.Deps {
			first, _, _ := strings.Cut(strings.TrimPrefix(dep, "github.com/"), "/")
			if slices.Contains([]string{"net/http", "crypto/tls", "database/sql", "text/template", "go/parser"}, dep) ||
				slices.Contains([]string{"evanw", "go-git", "jackc", "modernc.org", "spf13"}, first) {
				t.Errorf("%s links %s", p.ImportPath, dep)
			}
		}
	}
}
