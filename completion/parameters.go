package completion

import (
	"context"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// valueTime is how long the values of a parameter are awaited on a key; what takes
// longer comes from the background with the next one.
const valueTime = 400 * time.Millisecond

// parameters are those of the operation that the words name, as --set of tmp run takes
// them: NAME= first, behind the sign the values.
func (e *Engine) parameters(r resolvers.Request) []resolvers.Value {
	var op tcpdb.Operation
	ok := false
	for _, word := range operands(r.Words) {
		if op, ok = e.Map.Operation(word); ok {
			break
		}
	}
	if !ok {
		return nil
	}
	name, text, behind := strings.Cut(r.Filter.Text, "=")
	var values []resolvers.Value
	for i := range op.Params {
		p := &op.Params[i]
		if behind && p.Name == name {
			return e.parameterValues(r, &op, p, text)
		}
		if behind || given(r.Words, p.Name) {
			continue
		}
		v := resolvers.Value{Value: p.Name + "=", Description: describeParam(p), Kind: "parameter", Partial: true, Weight: len(op.Params) - i}
		if p.Required {
			v.Weight += len(op.Params)
		}
		values = append(values, v)
	}
	return values
}

// given reports whether --set has a parameter already.
func given(words []string, name string) bool {
	for _, w := range words {
		if strings.HasPrefix(w, name+"=") || strings.HasPrefix(w, "--set="+name+"=") {
			return true
		}
	}
	return false
}

// settings are the values that --set gives already, NAME=VALUE each: what a request
// that is asked for values needs too.
func settings(words []string) []string {
	var out []string
	for i, w := range words {
		set, ok := strings.CutPrefix(w, "--set=")
		if !ok && i > 0 && words[i-1] == "--set" {
			set, ok = w, true
		}
		if name, value, _ := strings.Cut(set, "="); ok && name != "" && value != "" {
			out = append(out, set)
		}
	}
	return out
}

func describeParam(p *tcpdb.Param) string {
	if p.Description != "" {
		return resolvers.OneLine(p.Description, 80)
	}
	t := tcpdb.TypeOf(p.Type)
	parts := []string{t.Name}
	if len(t.Enum) > 0 {
		parts[0] = resolvers.OneLine(strings.Join(t.Enum, "|"), 60)
	}
	if p.Required {
		parts = append(parts, "required")
	}
	if p.Default != "" {
		parts = append(parts, "default "+resolvers.OneLine(p.Default, 40))
	}
	return strings.TrimSpace(strings.Join(parts, " "))
}

// parameterValues are the values of a parameter, each behind its name.
func (e *Engine) parameterValues(r resolvers.Request, op *tcpdb.Operation, p *tcpdb.Param, text string) []resolvers.Value {
	head := p.Name + "="
	var values []resolvers.Value
	add := func(words ...string) {
		for i, word := range words {
			v := resolvers.Value{Value: head + word, Kind: "value", Weight: len(words) - i}
			if word == p.Default {
				v.Description, v.Weight = "default", len(words)+1
			}
			values = append(values, v)
		}
	}
	switch t := tcpdb.TypeOf(p.Type); {
	case len(t.Enum) > 0:
		add(t.Enum...)
	case t.Name == "boolean" || t.Name == "bool" || t.Name == "flag":
		add("true", "false")
	case p.Resolver == "":
		if p.Default != "" && !strings.HasPrefix(p.Default, "<") {
			add(p.Default)
		}
	default:
		ctx, cancel := context.WithTimeout(context.Background(), valueTime)
		defer cancel()
		ask := r
		ask.Name, ask.Words = p.Resolver, append([]string{op.Tool}, settings(r.Words)...)
		ask.Filter.Text = text
		for _, v := range e.Resolvers.Resolve(ctx, ask).Values {
			v.Value = head + v.Value
			values = append(values, v)
		}
	}
	return values
}
