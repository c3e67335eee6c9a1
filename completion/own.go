package completion

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/when"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// own answers the resolvers of tmp's own objects (tmp:operations …) from the
// map that is in use.
func (e *Engine) own(r resolvers.Request) []resolvers.Value {
	switch r.Name {
	case "tmp:maps":
		return e.tools(r, "map")
	case "tmp:commands":
		return e.commands(r)
	case "tmp:intents":
		return e.intents(r)
	case "tmp:parameters":
		return e.parameters(r)
	}
	var values []resolvers.Value
	here := e.here(r)
	for _, op := range e.Map.Operations() {
		if r.Name == "tmp:workflows" && op.Surface != "workflow" {
			continue
		}
		description := op.Description
		if description == "" {
			description = strings.Join(op.Template, " ")
		}
		values = append(values, resolvers.Value{Value: op.ID, Description: description, Kind: "operation", Weight: here(&op)})
	}
	return values
}

// tools are those that have a map, the installed ones first.
func (e *Engine) tools(r resolvers.Request, kind string) []resolvers.Value {
	var values []resolvers.Value
	for _, name := range e.Map.Tools() {
		if !r.Filter.Keep(name) {
			continue
		}
		v := resolvers.Value{Value: name, Kind: kind}
		if e.Installed != nil && e.Installed(name) {
			v.Weight = 1
		}
		values = append(values, v)
	}
	return values
}

// here ranks operations: those of the project first, then those that need a
// file which is here or above, then those that apply everywhere; what does not
// apply here is last.
func (e *Engine) here(r resolvers.Request) func(*tcpdb.Operation) int {
	here := &when.Place{Dir: r.Dir, Getenv: r.Getenv, CacheDir: r.CacheDir, Values: e.Resolvers.Resolve}
	return func(op *tcpdb.Operation) int {
		switch {
		case !here.Applies(*op):
			return 0
		case op.Layer == tcpdb.ProjectLayer:
			return 3
		case len(op.When) > 0:
			return 2
		}
		return 1
	}
}

// intents are the words that go on from those that are typed, in what an
// operation that would be resolved here can be asked for by; a place for a value
// is none.
func (e *Engine) intents(r resolvers.Request) []resolvers.Value {
	typed := operands(r.Words)
	here := e.here(r)
	at := map[string]int{}
	values := e.phrases(r.Dir, typed, at)
	for _, op := range e.Map.Operations() {
		weight := here(&op)
		if weight == 0 || op.Standing == tcpdb.Draft || op.Standing == tcpdb.Claimed {
			continue
		}
		if id, whole := nextOfID(&op, r.Filter.Text); id != "" && len(typed) == 0 {
			if _, there := at[id]; !there {
				at[id] = len(values)
				v := resolvers.Value{Value: id, Kind: "operation", Weight: weight, Partial: !whole}
				if whole {
					v.Description = op.Description
				}
				values = append(values, v)
			}
		}
		for _, text := range op.Intents {
			words := strings.Fields(text)
			if len(words) <= len(typed) || !slices.Equal(words[:len(typed)], typed) {
				continue
			}
			next := words[len(typed)]
			if _, slot := placeholder(next); slot {
				continue
			}
			i, ok := at[next]
			if !ok {
				i = len(values)
				at[next] = i
				values = append(values, resolvers.Value{Value: next, Description: op.ID, Kind: "word", Weight: weight})
			}
			v := &values[i]
			v.Weight = max(v.Weight, weight)
			if v.Description != op.ID {
				v.Description = "" // of several operations none is named
			}
		}
	}
	return values
}

// nextOfID is how the ID of an operation goes on from what is typed of it: to its last
// point, then whole. "" where something else is typed, or nothing: intents come first.
func nextOfID(op *tcpdb.Operation, text string) (id string, whole bool) {
	dot := strings.IndexByte(op.ID, '.') + 1
	switch {
	case text == "" || !strings.HasPrefix(op.ID, text):
		return "", false
	case len(text) >= dot && dot > 0:
		return op.ID, true
	case op.Surface == "sql" || op.Surface == "api":
		return op.ID[:dot], dot == 0
	}
	return "", false
}

// phrases are what the project can be asked to do: whole where nothing is typed
// yet, else the words that go on from those that are. at has the place of each.
func (e *Engine) phrases(dir string, typed []string, at map[string]int) []resolvers.Value {
	if e.Phrases == nil {
		return nil
	}
	var values []resolvers.Value
	list := e.Phrases(dir)
	for i, v := range list {
		if words := strings.Fields(v.Value); len(typed) > 0 {
			if len(words) <= len(typed) || !slices.Equal(words[:len(typed)], typed) {
				continue
			}
			v.Value = words[len(typed)]
		}
		if k, ok := at[v.Value]; ok {
			values[k].Description = ""
			continue
		}
		v.Weight = 100 + len(list) - i // before what maps know
		at[v.Value] = len(values)
		values = append(values, v)
	}
	return values
}

// operands are the words after the sub-command that are no options: the
// sub-commands of tmp that take such words have options without values, or
// with "=".
func operands(words []string) []string {
	var found []string
	for _, w := range words[min(len(words), 2):] {
		if !strings.HasPrefix(w, "-") {
			found = append(found, strings.ToLower(w))
		}
	}
	return found
}

// commands are the names that go on from the words after tmp's sub-command:
// those of tmp itself behind "tmp help" and "tmp man", of any tool else.
func (e *Engine) commands(r resolvers.Request) []resolvers.Value {
	words := r.Words
	path := operands(words)
	var n *tcpdb.Node
	if len(words) > 1 && (words[1] == "help" || words[1] == "man") {
		n = e.Map.Root("tmp")
	} else if len(path) > 0 { // "tmp db explain git …": db's own sub-command comes first
		if path = path[1:]; len(path) == 0 {
			return e.tools(r, "command")
		}
		n, path = e.Map.Root(path[0]), path[1:]
	}
	for _, name := range path {
		if n == nil {
			return nil
		}
		n = e.Map.Open(n).Sub(name)
	}
	if n == nil {
		return nil
	}
	var values []resolvers.Value
	subs := e.Map.Open(n).AllSubs()
	for i, sub := range subs {
		if sub.Bits&tcpdb.HiddenNode == 0 {
			values = append(values, resolvers.Value{Value: sub.Name, Description: sub.Description, Kind: "subcommand", Weight: len(subs) - i})
		}
	}
	return values
}
