// Package fig reads specs of Fig (https://fig.io/docs), JavaScript or TypeScript
// modules such as those of @withfig/autocomplete. A module is evaluated in an
// engine that has nothing of the host, by a program of its own (tmp-fig, package
// evaluator), under limits of time and memory. Functions of a spec are not called: what they would do is a
// gap, and so is a command that would be run, unless one of our resolvers lists
// the same.
package fig

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// Bounds of a spec.
const (
	maxCommands = 40     // commands below commands
	maxNames    = 40_000 // commands and options
)

// Read reads a spec. The evaluator is the command that runs evaluator.Main; its
// program is an absolute path. A *draft.Fault says what is wrong with the spec.
func Read(ctx context.Context, evaluator []string, data []byte) (*draft.Node, error) {
	value, err := run(ctx, evaluator, string(data))
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	top, ok := v.(map[string]any)
	if !ok || top["$function"] != nil {
		return nil, draft.Faultf(0, "exports no spec: want an object by default, or completionSpec")
	}
	if from, ok := top["$stands"].(object); ok {
		return nil, draft.Faultf(0, "its spec is what another file, %v, gives: import that, or the bundled build", from["file"])
	}
	r := &reader{}
	n := r.command(top, 0)
	if r.fault != nil {
		return nil, r.fault
	}
	return n, nil
}

type reader struct {
	names int // commands and options
	fault *draft.Fault
}

// object is an object of a spec.
type object = map[string]any

// list is what a member holds, one or several.
func list(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}

// names are the texts that a member holds.
func names(v any) []string {
	var out []string
	for _, item := range list(v) {
		if s, ok := item.(string); ok && s != "" {
			out = append(out, s)
		}
	}
	return out
}

func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// yes reports whether a member is set: true, a reason, or a number of times.
func yes(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case nil:
		return false
	case json.Number:
		return v.String() != "0" && v.String() != "1"
	}
	return true
}

func at() draft.Place { return draft.Place{Source: draft.Spec} }

func gapf(n *draft.Node, format string, args ...any) {
	n.Gaps = append(n.Gaps, draft.Gap{At: at(), Text: fmt.Sprintf(format, args...)})
}

func (r *reader) command(o object, depth int) *draft.Node {
	n := &draft.Node{Description: text(o["description"]), Hidden: yes(o["hidden"]), Deprecated: yes(o["deprecated"]), At: at()}
	if depth > maxCommands {
		r.fault = draft.Faultf(0, "commands are nested more than %d deep", maxCommands)
		return n
	}
	if all := names(o["name"]); len(all) > 0 {
		n.Name, n.Aliases = all[0], all[1:]
	}
	if d, ok := o["parserDirectives"].(object); ok {
		n.SingleDashLong = yes(d["flagsArePosixNoncompliant"])
		n.OptionsFirst = yes(d["optionsMustPrecedeArguments"])
		if s := names(d["optionArgSeparators"]); len(s) > 0 {
			gapf(n, "values are attached to its options by %s", strings.Join(s, " "))
		}
		if d["alias"] != nil {
			gapf(n, "a program of the spec tells what it is another name of")
		}
	}
	for member, says := range map[string]string{
		"loadSpec": "another spec holds from here", "generateSpec": "a program of the spec tells more of it", "additionalSuggestions": "suggestions beside its commands and options",
		"isDangerous": "it is said to be dangerous: an import states no risk",
	} {
		if v := o[member]; yes(v) {
			if name := text(v); name != "" {
				says += ": " + name
			}
			gapf(n, "%s", says)
		}
	}
	sortGaps(n)
	r.options(n, o)
	r.args(n, list(o["args"]))
	for _, item := range list(o["subcommands"]) {
		r.sub(n, item, depth)
	}
	return n
}

// sortGaps puts gaps that came from a map of members into one order.
func sortGaps(n *draft.Node) {
	for i := range n.Gaps {
		for j := i; j > 0 && n.Gaps[j].Text < n.Gaps[j-1].Text; j-- {
			n.Gaps[j], n.Gaps[j-1] = n.Gaps[j-1], n.Gaps[j]
		}
	}
}

func (r *reader) sub(n *draft.Node, item any, depth int) {
	if r.names++; r.names > maxNames && r.fault == nil {
		r.fault = draft.Faultf(0, "there are more than %d commands and options", maxNames)
	}
	if r.fault != nil {
		return
	}
	o, ok := item.(object)
	if ok && o["$cycle"] != nil {
		gapf(n, "its commands hold each other without end")
		return
	}
	if !ok || len(names(o["name"])) == 0 {
		gapf(n, "a command that another file or a program of the spec gives")
		return
	}
	sub := r.command(o, depth+1)
	for _, name := range append([]string{sub.Name}, sub.Aliases...) {
		if have := n.Sub(name); have != nil {
			gapf(n, "the command %q a second time", name)
			if name == sub.Name {
				return
			}
		}
	}
	n.Subs = append(n.Subs, sub)
}
