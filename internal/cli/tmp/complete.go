package tmp

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/internal/discover/drafts"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/recent"
	"github.com/tool-mapping-protocol/tmp/internal/risk/facts"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// noMap is the exit status of complete where there is no map for the command, or
// none that says what stands at the cursor of the shell that asks.
const noMap = 10

// complete exits with 0 when it answered, also with no values, and with 10
// where there is no map.
type completeOptions struct {
	shell, line, cwd string
	point, limit     int
	json             bool
}

func newComplete(env *Env, f *flags) runFunc {
	o := completeOptions{point: -1, limit: -1}
	f.String("shell", &o.shell)
	f.String("line", &o.line)
	f.String("cwd", &o.cwd)
	f.Int("point", &o.point)
	f.Int("limit", &o.limit)
	f.Bool("json", &o.json)
	return func(in input) error {
		if !in.Dashed && !f.set.Changed("line") {
			return usagef("give --line LINE, or the words after --").hint("tmp complete -- git checkout ''")
		}
		if in.Dashed && f.set.Changed("line") {
			return usagef("give --line or the words after --, not both")
		}
		if in.Dashed && len(in.Rest) == 0 {
			return usagef("no words after --").hint("the last word is the one to complete; it may be ''")
		}
		if f.set.Changed("point") {
			o.point = max(o.point, 0)
		}
		if in.Dashed && f.set.Changed("point") {
			return usagef("--point belongs to --line")
		}
		return o.run(env, in.Rest)
	}
}

// completeAnswer is the JSON of tmp complete.
type completeAnswer struct {
	V          int                 `json:"v"`
	Operation  *string             `json:"operation"`
	Parameter  *string             `json:"parameter"`
	Values     []string            `json:"values"`
	Candidates []completeCandidate `json:"candidates"`
	Message    string              `json:"message"`
	Omitted    int                 `json:"omitted"`
	Resolver   *completeResolver   `json:"resolver"` // null if none was asked
	Handled    bool                `json:"handled"`
	Draft      bool                `json:"draft"`   // the map is a draft: nobody has verified it
	Partial    bool                `json:"partial"` // a draft that is known to lack something here
	Hold       bool                `json:"hold"`    // what would be inserted is risky: show it first
	Replace    tcpdb.Span          `json:"replace"` // bytes of the line, or of the last word
}

type completeCandidate struct {
	Value       string   `json:"value"`
	Insert      string   `json:"insert"`
	Display     string   `json:"display"`
	Description string   `json:"description"`
	Kind        string   `json:"kind"`
	Level       string   `json:"level"`
	Flags       []string `json:"flags"`
	Raises      bool     `json:"raises"`
	NoSpace     bool     `json:"nospace"`
}

type completeResolver struct {
	Name  string          `json:"name"`
	State resolvers.State `json:"state"`
}

func (o *completeOptions) run(env *Env, words []string) error {
	dir := env.Dir
	if o.cwd != "" {
		if dir = o.cwd; !filepath.IsAbs(dir) {
			dir = filepath.Join(env.Dir, dir)
		}
	}
	p := place.Find(env.Getenv)
	ground := facts.Place{Paths: p, Dir: dir, Getenv: env.Getenv}
	engine := completion.Engine{
		Map: mapset.OpenView(p, dir), CacheDir: p.Resolvers(), Recent: recent.Ranker(p.Recent(), time.Now),
		Trusted: ground.Trusted, Installed: ground.Installed,
		Proven: func(tool string) bool { return draftProven(env, p, tool) },
	}
	point := o.point
	if point < 0 {
		point = len(o.line)
	}
	a := engine.Complete(env.Context, completion.Request{
		Shell: o.shell, Line: o.line, Point: point, Words: words, Dir: dir, Getenv: env.Getenv, Limit: o.limit, Explain: true,
	})
	if o.json {
		if err := env.printJSON(completeJSON(a)); err != nil {
			return err
		}
	} else {
		printAnswer(env, a)
	}
	if !a.Handled {
		return exitStatus(noMap)
	}
	return nil
}

// draftProven reports whether this machine has found the draft of a tool to be
// right.
func draftProven(env *Env, p place.Paths, tool string) bool {
	dir := drafts.Dir(p.Drafts())
	if dir == "" || tool == "" || strings.ContainsRune(tool, '/') {
		return false
	}
	s, err := dir.Read(tool)
	return err == nil && len(newCompiler(env, true).standing("").Missing(s, nil)) == 0
}

func completeJSON(a completion.Answer) completeAnswer {
	out := completeAnswer{
		V: 1, Values: []string{}, Candidates: []completeCandidate{}, Message: a.Message, Omitted: a.Omitted,
		Handled: a.Handled, Draft: a.Draft, Partial: a.Partial, Hold: a.Hold, Replace: a.Replace,
	}
	if a.Operation != "" {
		out.Operation = &a.Operation
	}
	if a.Parameter != "" {
		out.Parameter = &a.Parameter
	}
	if a.Resolver != "" {
		out.Resolver = &completeResolver{a.Resolver, a.State}
	}
	for _, c := range a.Candidates {
		out.Values = append(out.Values, c.Value)
		out.Candidates = append(out.Candidates, completeCandidate{
			c.Value, c.Insert, c.Display, c.Description, c.Kind, c.Level.String(), c.Flags.Names(), c.Raises, c.NoSpace,
		})
	}
	return out
}

// printAnswer prints a value a line, with its description and, where it raises
// the command to HIGH or above, its level, after tabs.
func printAnswer(env *Env, a completion.Answer) {
	st := env.styleOf(1)
	for _, c := range a.Candidates {
		line := oneLine(c.Value)
		if c.Description != "" || c.Raises {
			line += "\t" + st.dim(oneLine(c.Description))
		}
		if c.Raises {
			line += "\t" + st.level(c.Level)
		}
		fmt.Fprintln(env.Stdout, line)
	}
	if a.Omitted > 0 {
		env.notice("… %d more (--limit 0 shows all)", a.Omitted)
	}
	switch {
	case a.Message != "":
		env.notice("%s", a.Message)
	case !a.Handled && a.Mapped:
		env.notice("the map has nothing here: the shell's own completion runs")
	case !a.Handled:
		env.notice("there is no map for this command")
	}
}
