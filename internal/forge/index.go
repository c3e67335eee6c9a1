package forge

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/forge/law"
	"github.com/tool-mapping-protocol/tmp/internal/forge/repo"
	"github.com/tool-mapping-protocol/tmp/internal/forge/run"

	"github.com/tool-mapping-protocol/tmp/internal/forge/pattern"
)

// States of a tool.
const (
	Approved = "approved"
	Pending  = "pending" // on a branch, waiting for an approval
	Draft    = "draft"   // on main without an approval
	Broken   = "broken"  // it breaks a law
)

// Tool is what is known of a tool.
type Tool struct {
	ID          string      `json:"id"`   // tgp.CATEGORY.NAME
	Path        string      `json:"path"` // tools/CATEGORY/NAME.ts
	Category    string      `json:"category"`
	Name        string      `json:"name"`
	Version     string      `json:"version"` // 0.N, N commits of it
	Description string      `json:"description"`
	State       string      `json:"state"`
	Effect      string      `json:"effect"`
	Level       string      `json:"level"`
	Exposure    string      `json:"exposure"`
	Params      []law.Param `json:"params"`
	Runs        int         `json:"runs"`
	Branch      string      `json:"branch,omitempty"` // where it, or a change of it, waits

	Net     []string `json:"net,omitempty"`
	Env     []string `json:"env,omitempty"`
	Intents []string `json:"intents,omitempty"`
	SHA256  string   `json:"sha256"`
	Subject []string `json:"subjects,omitempty"`
}

// Index is all tools of a root, as they were at Heads.
type Index struct {
	V     int     `json:"v"`
	Heads string  `json:"heads"` // the branches and the keys that it was made of
	Tools []*Tool `json:"tools"`
}

var (
	toolPath = pattern.New(`^tools/([a-z][a-z0-9-]{0,63})/([a-z][a-z0-9-]{0,63})\.tsx?$`)
	notePath = pattern.New(`^approvals/([a-z][a-z0-9-]{0,63})/([a-z][a-z0-9-]{0,63})\.note$`)
)

// Tools is the index: the one that was kept, if nothing has moved since.
func (f *Forge) Tools() (*Index, error) {
	if f.index != nil {
		return f.index, nil
	}
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	branches, err := r.Branches()
	if err != nil {
		return nil, Fail(Failed, "%s", err)
	}
	heads := f.heads(branches)
	state, err := f.State()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(state, "index.json")
	if data, err := os.ReadFile(file); err == nil {
		var ix Index
		if json.Unmarshal(data, &ix) == nil && ix.Heads == heads {
			f.index = &ix
			if _, err := os.Stat(f.Paths.ForgeMap(f.Root)); err != nil {
				f.publish(&ix)
			}
			return f.index, nil
		}
	}
	ix, err := f.build(r, branches)
	if err != nil {
		return nil, Fail(Failed, "%s", err)
	}
	ix.Heads = heads
	if data, err := json.Marshal(ix); err == nil {
		_ = run.WriteFile(file, data, 0o600)
	}
	f.index = ix
	f.publish(ix)
	return ix, nil
}

// heads names all that an index depends on.
func (f *Forge) heads(branches map[string]repo.Hash) string {
	var lines []string
	for name, h := range branches {
		lines = append(lines, name+" "+h.String())
	}
	slices.Sort(lines)
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%q\n%q\n%q\n%s\n%d\n%s\n%q", run.Version, lines, f.Verifiers(), f.Config.AllowedImports, f.Config.App.Root, f.Config.Gatekeeper.Threshold, f.Config.DB.SchemaPath, f.Config.DB.Write))
	return hex.EncodeToString(sum[:])
}

// build reads every tool of main and of the branches that wait.
func (f *Forge) build(r *repo.Repo, branches map[string]repo.Hash) (*Index, error) {
	ix := &Index{V: 1, Tools: []*Tool{}}
	main := branches[repo.Main]
	files, err := r.Files(main, "")
	if err != nil {
		return nil, err
	}
	count, subjects, err := f.history(r, main)
	if err != nil {
		return nil, err
	}
	for p, file := range files {
		if m := toolPath.FindStringSubmatch(p); m != nil && file.Regular() {
			t, err := f.describe(r, files, p, m[1], m[2])
			if err != nil {
				return nil, err
			}
			t.Version, t.Subject = fmt.Sprintf("0.%d", count[p]), subjects[p]
			ix.Tools = append(ix.Tools, t)
		}
	}
	for branch, h := range branches {
		if strings.HasPrefix(branch, "feat/") || strings.HasPrefix(branch, "fix/") {
			if err := f.waiting(r, ix, branch, main, h); err != nil {
				f.Say("the branch %s cannot be read: %s", branch, err)
			}
		}
	}
	slices.SortFunc(ix.Tools, func(a, b *Tool) int { return cmp.Compare(a.Path, b.Path) })
	return ix, nil
}

// waiting adds what a branch brings.
func (f *Forge) waiting(r *repo.Repo, ix *Index, branch string, main, h repo.Hash) error {
	changed, err := r.Changed(main, h, "tools")
	if err != nil {
		return err
	}
	files, err := r.Files(h, "")
	if err != nil {
		return err
	}
	for _, p := range changed {
		m := toolPath.FindStringSubmatch(p)
		if m == nil || !files[p].Regular() || m[2] != branchName(branch) {
			continue
		}
		if t := ix.at(p); t != nil {
			t.Branch = branch
			continue
		}
		t, err := f.describe(r, files, p, m[1], m[2])
		if err != nil {
			return err
		}
		if t.State != Broken {
			t.State = Pending
		}
		c, err := r.Commit(h)
		if err != nil {
			return err
		}
		t.Version, t.Subject, t.Branch, t.Exposure = "0.1", []string{c.Subject()}, branch, exposure(t.State)
		ix.Tools = append(ix.Tools, t)
	}
	return nil
}

// branchName is the tool of a branch feat/NAME or fix/NAME.
func branchName(branch string) string { _, name, _ := strings.Cut(branch, "/"); return name }

func (ix *Index) at(path string) *Tool {
	for _, t := range ix.Tools {
		if t.Path == path {
			return t
		}
	}
	return nil
}

// history counts the commits of each tool that main holds, those of branches that were
// merged too, and gathers their subjects: they are the index by which tools are found.
func (f *Forge) history(r *repo.Repo, main repo.Hash) (map[string]int, map[string][]string, error) {
	count, subjects := map[string]int{}, map[string][]string{}
	err := r.Walk([]repo.Hash{main}, func(c *repo.Commit) bool {
		touched, err := r.Touched(c)
		if err != nil {
			return false
		}
		for _, p := range touched {
			if !toolPath.MatchString(p) {
				continue
			}
			count[p]++
			if len(subjects[p]) < 20 {
				subjects[p] = append(subjects[p], c.Subject())
			}
		}
		return true
	})
	return count, subjects, err
}

// describe reads a tool of a tree.
func (f *Forge) describe(r *repo.Repo, files map[string]repo.File, p, category, name string) (*Tool, error) {
	data, err := r.Blob(files[p].Hash, law.MaxSource+1)
	if err != nil {
		return nil, err
	}
	var signed []byte
	if n, ok := files[run.NotePath(category, name)]; ok && n.Regular() {
		if signed, err = r.Blob(n.Hash, run.MaxNote); err != nil {
			signed = nil
		}
	}
	return f.describeBytes(data, signed, p, category, name), nil
}

func (f *Forge) describeBytes(data, signed []byte, p, category, name string) *Tool {
	t := &Tool{
		ID: "tgp." + category + "." + name, Path: p, Category: category, Name: name, State: Draft, Params: []law.Param{},
	}
	sum := sha256.Sum256(data)
	t.SHA256 = hex.EncodeToString(sum[:])
	res := law.Check(string(data), f.lawOptions(filepath.Join(f.Root, p), p))
	t.fill(res.Manifest)
	switch {
	case len(res.Findings) > 0:
		t.State = Broken
	case len(signed) > 0 && f.Signed(signed, category+"/"+name, t.SHA256) == nil:
		t.State = Approved
	}
	t.Exposure = exposure(t.State)
	return t
}

// exposure is how the taxonomy shows a tool in that state.
func exposure(state string) string {
	switch state {
	case Approved:
		return "enabled"
	case Broken:
		return "disabled_invalid_schema"
	}
	return "disabled_by_state_mode"
}

func (t *Tool) fill(m *law.Manifest) {
	t.Description, t.Effect, t.Level = m.Description, m.Effect(), m.Level()
	t.Net, t.Env, t.Intents = m.Net, m.Env, m.Intents
	if m.Params != nil {
		t.Params = m.Params
	}
}

// Find finds a tool by its path, CATEGORY/NAME, a NAME that is unique, or its ID.
func (f *Forge) Find(word string) (*Tool, error) {
	ix, err := f.Tools()
	if err != nil {
		return nil, err
	}
	word = strings.TrimPrefix(word, "./")
	if rel, err := filepath.Rel(f.Root, word); filepath.IsAbs(word) && err == nil {
		word = rel
	}
	if i := strings.Index(word, ".tgp/tools/"); i >= 0 {
		word = word[i+len(".tgp/"):]
	}
	bare := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(word, "tools/"), ".ts"), ".tsx")
	var found []*Tool
	for _, t := range ix.Tools {
		if t.ID == word || t.Category+"/"+t.Name == bare || t.Name == bare {
			found = append(found, t)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		e := Fail(NotFound, "there is no tool %s", run.OneLine(word))
		if near := f.near(ix, bare); near != "" {
			e.Hint("the nearest is %s", near)
		}
		return nil, e.Hint("tgp list shows all")
	}
	var names []string
	for _, t := range found {
		names = append(names, t.Category+"/"+t.Name)
	}
	return nil, Fail(NotFound, "%s is ambiguous: %s", word, strings.Join(names, ", "))
}

func (f *Forge) near(ix *Index, word string) string {
	for _, t := range ix.Tools {
		if strings.Contains(t.Name, path.Base(word)) || strings.Contains(path.Base(word), t.Name) {
			return t.Category + "/" + t.Name
		}
	}
	return ""
}

// List ranks the tools by a query; all of them by path where there is none.
func (f *Forge) List(query string) ([]*Tool, error) {
	ix, err := f.Tools()
	if err != nil {
		return nil, err
	}
	runs := f.runs()
	words := terms(query)
	type ranked struct {
		tool  *Tool
		score int
	}
	var out []ranked
	for _, t := range ix.Tools {
		t.Runs = runs[t.Category+"/"+t.Name].ok
		s := t.score(words)
		if len(words) == 0 || s > 0 {
			out = append(out, ranked{t, s})
		}
	}
	slices.SortStableFunc(out, func(a, b ranked) int { return cmp.Or(b.score-a.score, b.tool.Runs-a.tool.Runs) })
	tools := make([]*Tool, len(out))
	for i, r := range out {
		tools[i] = r.tool
	}
	return tools, nil
}

func terms(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r < 0x80
	})
}

// stop are words that say nothing of a tool.
var stop = []string{"a", "an", "the", "of", "for", "to", "in", "on", "by", "and", "with", "from", "all", "me", "my"}

// score is how well a tool fits the words: every one of them must be found, the name
// counting most.
func (t *Tool) score(words []string) int {
	fields := []struct {
		words  []string
		weight int
	}{{terms(t.Name), 8}, {terms(t.Category), 4}, {terms(t.Description), 3}, {terms(strings.Join(t.Intents, " ")), 3}, {terms(strings.Join(t.Subject, " ")), 2}}
	for _, p := range t.Params {
		fields[4].words = append(fields[4].words, terms(p.Name+" "+p.Text)...)
	}
	total, need, hit := 0, 0, 0
	for _, w := range words {
		if slices.Contains(stop, w) {
			continue
		}
		need++
		best := 0
		for _, f := range fields {
			for _, have := range f.words {
				switch {
				case have == w:
					best = max(best, 3*f.weight)
				case strings.HasPrefix(have, w) && len(w) > 2, strings.HasPrefix(w, have) && len(have) > 3:
					best = max(best, 2*f.weight)
				}
			}
		}
		if best > 0 {
			hit++
		}
		total += best
	}
	if need == 0 || 2*hit < need {
		return 0
	}
	return total
}

// meta is meta.json: the index for people and agents to read. Nothing reads it back.
func (ix *Index) meta() []byte {
	type entry struct {
		Description string   `json:"description"`
		State       string   `json:"state"`
		Effect      string   `json:"effect"`
		Net         []string `json:"net,omitempty"`
		SHA256      string   `json:"sha256"`
	}
	m := struct {
		V     int              `json:"v"`
		Note  string           `json:"note"`
		Tools map[string]entry `json:"tools"`
	}{1, "derived from tools/ and approvals/ by tgp; what is written here grants nothing", map[string]entry{}}
	for _, t := range ix.Tools {
		if t.State != Pending {
			m.Tools[t.Path] = entry{t.Description, t.State, t.Effect, t.Net, t.SHA256}
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(m)
	return b.Bytes()
}
