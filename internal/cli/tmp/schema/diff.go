package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/mapdiff"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// NewDiff is tmp schema diff.
func NewDiff(env *term.Env, f *command.Flags) command.Run {
	var asJSON bool
	f.Bool("json", &asJSON)
	return func(in command.Input) error {
		m := newMaps(env)
		old, next, err := m.pair(in.Args)
		if err != nil {
			return err
		}
		changes := mapdiff.Maps(old.source, next.source)
		if asJSON {
			err = env.PrintJSON(struct {
				V       int              `json:"v"`
				Old     mapRow           `json:"old"`
				New     mapRow           `json:"new"`
				Same    bool             `json:"same"`
				Changes []mapdiff.Change `json:"changes"`
			}{1, old.row(), next.row(), len(changes) == 0, append([]mapdiff.Change{}, changes...)})
		} else {
			printChanges(env, old, next, changes)
		}
		if err == nil && len(changes) > 0 {
			return term.ExitStatus(1)
		}
		return err
	}
}

// pair finds the two maps to compare. One word is the new map; the old one is
// then that of the highest other layer.
func (m *mapFinder) pair(words []string) (old, next *foundMap, err error) {
	next, err = m.pick(words[len(words)-1])
	if err != nil {
		return nil, nil, err
	}
	if len(words) == 2 {
		old, err = m.pick(words[0])
		return old, next, err
	}
	layers := layerNames()
	if i := slices.Index(layers, next.layer); i >= 0 {
		layers = layers[:i]
	}
	for _, layer := range slices.Backward(layers) {
		if found := m.of(layer, []string{next.source.Tool}); len(found) > 0 {
			return &found[0], next, nil
		}
	}
	none := &foundMap{source: &opmap.Source{Tool: next.source.Tool}, layer: "none", standing: "none"}
	return none, next, nil
}

func (f *foundMap) label() string {
	switch f.layer {
	case "file":
		return f.file
	case "none":
		return "no map"
	}
	return f.layer + ":" + f.source.Tool
}

func printChanges(env *term.Env, old, next *foundMap, changes []mapdiff.Change) {
	st := env.StyleOf(1)
	fmt.Fprintf(env.Stdout, "--- %s\n+++ %s\n", term.OneLine(old.label()), term.OneLine(next.label()))
	count := map[mapdiff.Kind]int{}
	for _, c := range changes {
		count[c.Kind]++
		switch c.Kind {
		case mapdiff.Added:
			fmt.Fprintln(env.Stdout, st.Wrap("32", "+ "+c.What+" "+term.OneLine(c.Where)))
		case mapdiff.Removed:
			fmt.Fprintln(env.Stdout, st.Wrap("31", "- "+c.What+" "+term.OneLine(c.Where)))
		default:
			fmt.Fprintf(env.Stdout, "~ %s %s: %s: %s → %s\n", c.What, term.OneLine(c.Where), c.Field, quotedText(c.Old), quotedText(c.New))
		}
	}
	if len(changes) == 0 {
		fmt.Fprintln(env.Stdout, "no difference")
		return
	}
	var parts []string
	for _, k := range []mapdiff.Kind{mapdiff.Added, mapdiff.Removed, mapdiff.Changed} {
		if count[k] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[k], k))
		}
	}
	fmt.Fprintln(env.Stdout, strings.Join(parts, ", "))
}

func quotedText(s string) string {
	if s == "" {
		return "nothing"
	}
	return "“" + term.OneLine(s) + "”"
}
