package hook

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/hook"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/printed"
	riskfacts "github.com/tool-mapping-protocol/tmp/internal/risk/facts"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// plain reports whether a line may run without a permission: all of it is known
// and at most LOW, it shows nothing secret, opens nothing to type into, and no
// rule of the person names a part of it.
func (c *call) plain() bool {
	if c.event.Kind != hook.Shell || c.v.Level > tcpdb.Low || !c.v.Known || !c.v.Complete || c.event.Apart {
		return false
	}
	for _, cmd := range shline.Split(shline.Bash, c.event.Line).Commands {
		if len(cmd.Words) > 0 && printed.Of(c.view, shline.Texts(cmd.Words)).Interactive {
			return false
		}
	}
	return !c.namesSecret() && !c.ruled()
}

// namesSecret reports whether a word of the line may be the path of something
// secret: it is one, or only the shell knows what it is.
func (c *call) namesSecret() bool {
	p := c.places()
	words, live := hook.Words(c.event.Line)
	return live || slices.ContainsFunc(words, func(w string) bool {
		return slices.ContainsFunc(c.resolve(w), func(file string) bool {
			_, ok := p.Secret(file, w)
			return ok
		})
	})
}

// ruled reports whether a rule of the person names a part of the line, or cannot
// be read.
func (c *call) ruled() bool {
	if c.rules == nil {
		r, err := c.readRules()
		if err != nil {
			return true
		}
		c.rules = r
	}
	return c.rules.Name(c.event.Line)
}

// readRules reads the rules of the harness's person.
func (c *call) readRules() (*hook.Rules, error) {
	r := &hook.Rules{}
	project := mapset.WorkTree(c.paths, c.dir)
	if project == "" {
		project = c.dir
	}
	for i := range c.o.harness.Rules {
		f := &c.o.harness.Rules[i]
		for _, file := range c.ruleFiles(f.Path, project) {
			text, err := small(file)
			if err != nil {
				return nil, err
			}
			if strings.TrimSpace(text) == "" {
				continue
			}
			if err := r.Read(f, []byte(text)); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// ruleFiles are the files of a place, in the project's root and where the call
// would run.
func (c *call) ruleFiles(at, project string) (files []string) {
	var names []string
	switch {
	case filepath.IsAbs(at):
		names = []string{at}
	case strings.HasPrefix(at, "~/"):
		for _, home := range []string{c.paths.Home, c.env.Account()} {
			if home != "" {
				names = append(names, home+at[1:])
			}
		}
	case strings.HasPrefix(at, "$"):
		name, rest, _ := strings.Cut(at[1:], "/")
		if dir := c.env.Getenv(name); filepath.IsAbs(dir) {
			names = []string{dir + "/" + rest}
		}
	default:
		names = []string{project + "/" + at, c.dir + "/" + at}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if strings.Contains(name, "*") {
			found, err := filepath.Glob(name)
			if err == nil {
				files = append(files, found...)
			}
			continue
		}
		files = append(files, name)
	}
	return files
}

// rewritten is the input of the call with the line put behind tmp run or te, nil
// where it stays as it is.
func (c *call) rewritten(k *hook.Call) []byte {
	h, e := c.o.harness, &c.event
	switch {
	case c.o.noRewrite || len(c.settings.Rewrite) == 0 || len(k.Found) > 0 || c.view == nil:
		return nil
	case h.Rewrite == hook.Never || e.Kind != hook.Shell || e.Apart || e.Input == nil:
		return nil
	case h.Rewrite == hook.UpdatedAtTool && !e.AtTool, h.Rewrite == hook.WithAllow && !k.Plain:
		return nil
	case c.v.Level > tcpdb.Medium || !c.v.Known || !c.v.Complete:
		return nil
	case c.v.Level == tcpdb.Medium && (c.env.Getenv("TMP_AGENT_ID") != "" || c.env.Getenv("TE_AGENT_ID") != ""):
		return nil
	}
	ground := riskfacts.Place{Paths: c.paths, Dir: c.dir, Getenv: c.env.Getenv}
	w := hook.Rewriter{
		Map: c.view,
		Run: slices.Contains(c.settings.Rewrite, "run") && ground.Installed("tmp"),
		TE:  slices.Contains(c.settings.Rewrite, "te") && ground.Installed("te"),
	}
	at, insert := w.Insertion(e.Line)
	if insert == "" || c.ruled() {
		return nil
	}
	return hook.Changed(e, at, insert)
}
