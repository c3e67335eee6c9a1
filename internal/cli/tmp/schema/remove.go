package schema

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/layers"
	"github.com/tool-mapping-protocol/tmp/internal/discover/drafts"
	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
)

type removeOptions struct{ yes, json bool }

// NewRemove is tmp schema remove.
func NewRemove(env *term.Env, f *command.Flags) command.Run {
	var o removeOptions
	f.Bool("yes", &o.yes)
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

func (o *removeOptions) run(env *term.Env, words []string) error {
	m := newMaps(env)
	var chosen []*foundMap
	for _, word := range words {
		f, err := m.own(word)
		if err != nil {
			return err
		}
		chosen = append(chosen, f)
	}
	if err := o.consent(env, chosen); err != nil {
		return err
	}
	rows := []mapRow{}
	for _, f := range chosen {
		if err := m.remove(f); err != nil {
			return err
		}
		rows = append(rows, f.row())
		if !o.json {
			fmt.Fprintf(env.Stdout, "removed %s (%s)\n", term.OneLine(f.label()), term.OneLine(f.file))
		}
	}
	if err := m.rebuild(chosen); err != nil {
		return err
	}
	if o.json {
		return env.PrintJSON(struct {
			V       int      `json:"v"`
			Removed []mapRow `json:"removed"`
		}{1, rows})
	}
	return nil
}

// own finds a map that belongs to the user: a draft or one in the configuration.
func (m *mapFinder) own(word string) (*foundMap, error) {
	layer, tool, ok := strings.Cut(word, ":")
	if !ok {
		layer, tool = "", word
	}
	switch layer {
	case "core":
		return nil, term.Failf("the map of %s ships with tmp and cannot be removed", tool).Hint("a map of your own in %s goes over it", m.paths.Schemas())
	case "packs":
		return nil, term.Failf("the map of %s is part of a pack that was installed", tool).Hint("a map of your own in %s goes over it", m.paths.Schemas())
	case "project":
		return nil, term.Failf("the map of %s belongs to the project", tool).Hint("tmp untrust stops using the maps of a project")
	case "", "system", "user":
	default:
		return nil, term.Usagef("%q is no layer: want system or user", layer)
	}
	var found []foundMap
	for _, l := range []string{"system", "user"} {
		if layer == "" || layer == l {
			found = append(found, m.of(l, []string{tool})...)
		}
	}
	switch {
	case len(found) == 1:
		return &found[0], nil
	case len(found) > 1:
		return nil, term.Failf("there are two maps of %s of your own", tool).Hint("say which: %s or %s", found[0].label(), found[1].label())
	case len(m.problems) > 0:
		return nil, m.problems[0]
	}
	f := term.Failf("there is no map of %s of your own", tool)
	if other := slices.Concat(m.of("core", []string{tool}), m.of("packs", []string{tool}), m.of("project", []string{tool})); len(other) > 0 {
		f.Hint("that of the %s layer is not yours to remove here", other[0].layer)
	}
	return nil, f
}

// consent asks the person. An agent cannot say --yes for a person: with a map
// goes what it says of risk.
func (o *removeOptions) consent(env *term.Env, chosen []*foundMap) error {
	if env.Agent() != "" {
		return term.Failf("an agent cannot remove maps").Hint("TMP_AGENT_ID is set: a person does this in a terminal of their own")
	}
	if o.yes {
		return nil
	}
	var files []string
	for _, f := range chosen {
		files = append(files, "  "+term.OneLine(f.file))
	}
	answer, err := term.Ask(env, strings.Join(files, "\n")+"\nRemove? [y/N] ")
	if err != nil {
		return term.Failf("the terminal cannot be asked: %s", err).Hint("--yes removes without asking")
	}
	if !term.IsYes(answer) {
		return term.Failf("nothing was removed")
	}
	return nil
}

func (m *mapFinder) remove(f *foundMap) error {
	if f.layer == "user" {
		return os.Remove(f.file)
	}
	dir := drafts.Dir(m.paths.Drafts())
	lock, err := dir.Lock()
	if err != nil {
		return term.Locked(err)
	}
	defer lock.Unlock()
	return dir.Remove(f.source.Tool)
}

// rebuild compiles the layers that something was taken from.
func (m *mapFinder) rebuild(removed []*foundMap) error {
	system, user := false, false
	for _, f := range removed {
		system = system || f.layer == "system"
		user = user || f.layer == "user"
	}
	if system {
		if _, err := layers.BuildSystem(m.env, m.paths, machine.New(machine.Options{Getenv: m.env.Getenv, NoRun: true}), true, nil); err != nil {
			return err
		}
	}
	if user {
		c := layers.NewCompiler(m.env, false)
		c.UserLayer()
		for _, r := range c.Results {
			if r.State == layers.Failed {
				return term.Failf("the user's layer cannot be compiled: %s", r.Message)
			}
		}
	}
	return nil
}
