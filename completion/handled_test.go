package completion

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// layered is an engine over the core, as it would be with these descriptors in
// it, and drafts in the system map.
func layered(t *testing.T, risks string, drafts ...string) *Engine {
	t.Helper()
	v := tcpdb.NewView(nil)
	add := func(layer tcpdb.Layer, b *tcpdb.Builder) {
		data, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		im, err := tcpdb.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		v.Add(layer, im)
	}
	r, problems := opmap.ParseRisks("risk.toml", []byte(risks))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	b := tcpdb.NewBuilder()
	if err := (&opmap.Layering{Layer: tcpdb.CoreLayer, Risks: []*opmap.Risks{r}}).Compile(b); err != nil {
		t.Fatal(err)
	}
	add(tcpdb.CoreLayer, b)
	b = tcpdb.NewBuilder()
	for _, text := range drafts {
		s, problems := opmap.Parse("draft.json", []byte(text), opmap.ParseOptions{})
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		b.Tool(opmap.DraftTree(s))
	}
	add(tcpdb.SystemLayer, b)
	return &Engine{Map: v, Resolvers: all.Table()}
}

const (
	keeperRisks = `
[[command]]
key = "keeper"
level = "MEDIUM_RISK"
reason = "keeps"
[[command]]
keys = ["keeper forget", "keeper key remove"]
level = "CRITICAL"
reason = "removes"
[[command.variant]]
any = ["dry-run"]
level = "SAFE"
reason = "shows"
effect = "harmless"
`
	keeperDraft = `{"schema": 1, "tool": "keeper", "provenance": "help", "verified": false,
		"gaps": [{"node": "keeper mount", "text": "not told"}, {"node": "keeper find", "text": "not told"}, {"node": "keeper", "text": "no licence", "note": true}],
		"node": {"name": "keeper", "interspersed": true, "flags": [{"names": ["--repo"], "value": "required"}],
			"subcommands": [
				{"name": "backup", "interspersed": true, "args": [{"name": "path", "value_spec": {"file": true}, "repeatable": true}]},
				{"name": "forget", "interspersed": true, "flags": [{"names": ["--dry-run"], "value": "none"}, {"names": ["--tag"], "value": "required"}], "args": [{"name": "id"}]},
				{"name": "key", "interspersed": true, "subcommands": [{"name": "add"}, {"name": "remove"}]},
				{"name": "mount", "interspersed": true, "flags": [{"names": ["--allow-other"], "value": "none"}]},
				{"name": "find", "interspersed": true},
				{"name": "old", "hidden": true}]}}`
)

// TestHandled holds the rule of handled.go: for each way in which a map may know
// a place, what is offered and whose Tab it is.
func TestHandled(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "file.txt", "")
	empty := t.TempDir()
	rows, draft := layered(t, keeperRisks), layered(t, keeperRisks, keeperDraft)
	for _, c := range []struct {
		name, line, want string
		engine           *Engine
		dir              string
		handled, partial bool
	}{
		{"no map", "nothing |", "", draft, dir, false, false},
		{"risk rows alone", "keeper |", "", rows, dir, false, false},
		{"risk rows alone, below", "keeper forget |", "", rows, dir, false, false},
		{"a draft shows what risk rows hide", "keeper |", "backup find key mount forget", draft, dir, true, false},
		{"and below", "keeper key |", "add remove", draft, dir, true, false},
		{"options too", "keeper forget --|", "--dry-run --repo --tag", draft, dir, true, false},
		{"a draft without a fitting name", "keeper zzz|", "", draft, dir, false, false},
		{"a draft without a fitting option", "keeper backup --zzz|", "", draft, dir, false, false},
		{"a draft's file", "keeper backup |", "file.txt", draft, dir, true, false},
		{"none of them", "keeper backup |", "", draft, empty, false, false},
		{"a draft's free text", "keeper forget |", "", draft, dir, false, false},
		{"the value of a draft's option", "keeper forget --tag |", "", draft, dir, false, false},
		{"a draft with a gap", "keeper mount -|", "--allow-other --repo", draft, dir, true, true},
		{"a draft with a gap and arguments that no text tells", "keeper find |", "", draft, dir, false, false},
		{"a note is no gap", "keeper f|", "find forget", draft, dir, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, shell := range []string{"bash", "zsh", "fish"} {
				a := ask(t, c.engine, shell, c.line, func(r *Request) { r.Dir, r.Getenv = c.dir, noGitConfig })
				if got := sorted(a); got != sortedText(c.want) || a.Handled != c.handled || a.Partial != c.partial {
					t.Errorf("%s: %s: %q, handled %v, partial %v; want %q, %v, %v", shell, c.line, got, a.Handled, a.Partial, c.want, c.handled, c.partial)
				}
			}
		})
	}
}

// TestHandledCore: what people wrote stands where it was looked up, and nowhere
// else, whether or not anything is found.
func TestHandledCore(t *testing.T) {
	repo := t.TempDir() // no commit, so no branch
	for _, d := range []string{"objects", "refs/heads"} {
		if err := os.MkdirAll(filepath.Join(repo, ".git", d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, repo, ".git/HEAD", "ref: refs/heads/main\n")
	write(t, repo, ".git/config", "[core]\n\trepositoryformatversion = 0\n")
	broken := t.TempDir()
	write(t, broken, "package.json", "{ broken")
	for _, c := range []struct {
		name, dir, line string
		handled, says   bool
	}{
		{"a resolver that finds nothing", repo, "git checkout |", true, false},
		{"and nothing that fits", repo, "git branch -d zzz|", true, false},
		{"a resolver that fails", broken, "npm run |", true, true},
		{"a number", repo, "git log -n |", true, false},
		{"free text", repo, "git commit -m |", false, false},
		{"no file that fits", repo, "cat zzz|", false, false},
		{"a sub-command of another version", repo, "git zzz|", false, false},
		{"an option of another version", repo, "git commit --zzz|", false, false},
		{"an option that is given", repo, "git clone --depth=1 --dept|", true, false},
		{"what stands behind an unknown sub-command", repo, "git zzz |", false, false},
		{"what only the shell can expand", repo, "cat $UNKNOWN_HERE/|", false, false},
		{"in a container", repo, "docker exec c cat zzz|", true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := ask(t, coreEngine(), "zsh", c.line, func(r *Request) { r.Dir, r.Getenv = c.dir, noGitConfig })
			if len(a.Candidates) > 0 || a.Handled != c.handled || (a.Message != "") != c.says || !a.Mapped {
				t.Errorf("%s: %q, %q, handled %v; want %v", c.line, rawValues(a), a.Message, a.Handled, c.handled)
			}
			// Where no shell asks nobody else would answer.
			if a := ask(t, coreEngine(), "", c.line, func(r *Request) { r.Dir, r.Getenv = c.dir, noGitConfig }); !a.Handled {
				t.Error("not handled where no shell asks")
			}
		})
	}
}

// TestProvenDraft: a draft that evidence was found for stands as what people wrote.
func TestProvenDraft(t *testing.T) {
	e := layered(t, keeperRisks, keeperDraft)
	e.Proven = func(tool string) bool { return tool == "keeper" }
	a := e.Complete(context.Background(), Request{Shell: "bash", Line: "keeper mount -", Point: 14, Getenv: noGitConfig, Limit: -1})
	if a.Draft || a.Partial || !a.Handled || len(a.Candidates) == 0 {
		t.Errorf("%+v", a)
	}
}

func sorted(a Answer) string { return sortedText(values(a)) }

func sortedText(s string) string {
	words := strings.Fields(strings.ReplaceAll(s, "!", ""))
	slices.Sort(words)
	return strings.Join(words, " ")
}
