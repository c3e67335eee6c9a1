package intent

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/phrase"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// FillError says which parameter of an operation could not be filled and why.
type FillError struct {
	OperationID string
	Parameter   string
	Reason      Reason // MissingParameter or ResolverFailed
	Detail      string
}

func (e *FillError) Error() string {
	return fmt.Sprintf("%s <%s>: %s", e.OperationID, e.Parameter, e.Detail)
}

// Fill completes given parameters with their defaults and holds every value
// against its resolver, as it is now. The error is a *FillError.
func (r Request) Fill(ctx context.Context, op *tcpdb.Operation, given map[string]string) (map[string]string, error) {
	params, err := r.withDefaults().fill(ctx, op, given, map[string]resolvers.State{})
	if err != nil {
		return nil, err
	}
	return params, nil
}

// readAsOption reports whether a value of the parameter that begins with a dash
// would be an option to the program: it stands as a word of its own before "--".
func readAsOption(op *tcpdb.Operation, name string) bool {
	for _, w := range op.Template {
		switch w {
		case "--":
			return false
		case "<" + name + ">":
			return true
		}
	}
	return false
}

func (r Request) fill(ctx context.Context, op *tcpdb.Operation, given map[string]string, states map[string]resolvers.State) (map[string]string, *FillError) {
	fail := func(name string, reason Reason, format string, args ...any) *FillError {
		return &FillError{op.ID, name, reason, fmt.Sprintf(format, args...)}
	}
	out := map[string]string{}
	for name := range given {
		if !hasParam(op, name) {
			return nil, fail(name, MissingParameter, "the operation has no such parameter")
		}
	}
	for i := range op.Params {
		p := &op.Params[i]
		value, said := given[p.Name]
		if said && value == "" && op.Surface == "api" && !p.Required && readsAsText(p.Type) {
			out[p.Name] = "" // a request can say that a text is empty
			continue
		}
		if value == "" {
			var err error
			if value, err = r.standard(ctx, p, states); err != nil {
				return nil, fail(p.Name, ResolverFailed, "%s", err)
			}
		}
		if value == "" {
			if p.Required {
				return nil, fail(p.Name, MissingParameter, "a value is needed")
			}
			continue
		}
		if value[0] == '-' && readAsOption(op, p.Name) {
			return nil, fail(p.Name, MissingParameter, "%q would be read as an option", value)
		}
		if err := checkType(p.Type, value); err != nil {
			return nil, fail(p.Name, MissingParameter, "%s", err)
		}
		if p.Resolver == "" || asksServer(p.Resolver) {
			out[p.Name] = value
			continue
		}
		found, err := r.find(ctx, op, p, value, out, states)
		if err != nil {
			return nil, fail(p.Name, ResolverFailed, "%s", err)
		}
		if found == "" {
			what := "is not one of"
			if p.Filter {
				what = "matches none of"
			}
			return nil, fail(p.Name, MissingParameter, "%q %s %s", value, what, p.Resolver)
		}
		out[p.Name] = found
	}
	return out, nil
}

// readsAsText reports whether any text is a value of a type, the empty one too.
func readsAsText(text string) bool {
	t := tcpdb.TypeOf(text)
	return (t.Name == "" || t.Name == "string") && len(t.Enum) == 0 && t.Format == ""
}

// standard is the value that a parameter has without one: its default, or what a
// resolver gives that the default names, "<git:current_branch>"; "" for none.
func (r Request) standard(ctx context.Context, p *tcpdb.Param, states map[string]resolvers.State) (string, error) {
	inner, opened := strings.CutPrefix(p.Default, "<")
	name, closed := strings.CutSuffix(inner, ">")
	if !opened || !closed || !strings.Contains(name, ":") {
		return p.Default, nil
	}
	a := r.Values(ctx, resolvers.Request{Name: name, Dir: r.Dir, Getenv: r.Getenv, CacheDir: r.CacheDir, Wait: true})
	states[name] = a.State
	if a.State != resolvers.Fresh && a.State != resolvers.Stale {
		return "", fmt.Errorf("the resolver %s failed: %s", name, orElse(a.Message, string(a.State)))
	}
	if len(a.Values) != 1 {
		return "", fmt.Errorf("the resolver %s has not one value but %d", name, len(a.Values))
	}
	return a.Values[0].Value, nil
}

// asksServer reports whether a resolver offers what a server holds now. Its values are
// a help for typing; the server itself decides about one that is sent.
func asksServer(name string) bool {
	return strings.HasPrefix(name, "sql:") && strings.Contains(name, ".") || strings.HasPrefix(name, "api:")
}

func hasParam(op *tcpdb.Operation, name string) bool {
	for i := range op.Params {
		if op.Params[i].Name == name {
			return true
		}
	}
	return false
}

// checkType holds a value against a parameter's type; unknown types accept any text.
func checkType(text, value string) error {
	t := tcpdb.TypeOf(text)
	typ := t.Name
	var err error
	switch typ {
	case "int", "integer":
		if _, whole := new(big.Int).SetString(value, 10); !whole {
			err = strconv.ErrSyntax
		}
	case "number":
		if !isNumber(value) {
			err = strconv.ErrSyntax
		}
	case "bool", "boolean", "flag":
		_, err = strconv.ParseBool(value)
	case "duration":
		_, err = time.ParseDuration(value)
	}
	if err != nil {
		return fmt.Errorf("%q is not of type %s", value, typ)
	}
	if len(t.Enum) > 0 && !slices.Contains(t.Enum, value) {
		return fmt.Errorf("%q is not one of %s", value, strings.Join(t.Enum, ", "))
	}
	if err := checkRange(t, value); err != nil {
		return err
	}
	if isForm := forms[t.Format]; isForm != nil && !isForm(value) {
		return fmt.Errorf("%q is not of the format %s", value, t.Format)
	}
	return nil
}

// find returns the value as the resolver has it, "" if it has none such, or an
// error if the resolver cannot say. Punctuation that ends a sentence is not
// taken for part of a value unless a value has it. known are the parameters before
// it: the table of a database that another one names.
func (r Request) find(ctx context.Context, op *tcpdb.Operation, p *tcpdb.Param, value string, known map[string]string, states map[string]resolvers.State) (string, error) {
	tries := []string{value}
	if t := strings.TrimRight(value, phrase.Trailing); t != "" && t != value {
		tries = append(tries, t)
	}
	for _, v := range tries {
		mode := resolvers.Prefix
		if p.Filter {
			mode = resolvers.Substring
		}
		a := r.Values(ctx, resolvers.Request{
			Name: p.Resolver, Dir: r.Dir, Getenv: r.Getenv, CacheDir: r.CacheDir,
			Words: substituted(before(op.Template, p.Name), known), Filter: resolvers.Filter{Text: v, Mode: mode}, Wait: true,
		})
		states[p.Resolver] = a.State
		if a.State != resolvers.Fresh && a.State != resolvers.Stale {
			return "", fmt.Errorf("the resolver %s failed: %s", p.Resolver, orElse(a.Message, string(a.State)))
		}
		for _, c := range a.Values {
			if p.Filter && strings.Contains(c.Value, v) || !p.Filter && same(c, v) {
				return v, nil
			}
		}
		if p.Filter && a.Omitted == 0 {
			if spelt, ok := spelling(a.Values, v); ok {
				return spelt, nil
			}
		}
		if a.Omitted > 0 {
			return "", fmt.Errorf("the resolver %s left %d values out", p.Resolver, a.Omitted)
		}
	}
	return "", nil
}

// spelling returns how the values write a filter that is in none of them as it
// stands, its small letters standing for capitals too; ok is false if none does,
// or not all in one way: "run parser tests" means the tests TestParser… of Go.
func spelling(values []resolvers.Value, v string) (spelt string, ok bool) {
	filter := resolvers.Filter{Text: v, Mode: resolvers.SmartCase}
	for _, c := range values {
		for i := 0; i+len(v) <= len(c.Value); i++ {
			part := c.Value[i : i+len(v)]
			if !filter.Keep(part) {
				continue
			}
			if spelt != "" && spelt != part {
				return "", false
			}
			spelt = part
		}
	}
	return spelt, spelt != ""
}

// same compares a closed value; a directory may be given without its slash.
func same(c resolvers.Value, v string) bool {
	return c.Value == v || c.Partial && strings.TrimSuffix(c.Value, "/") == v
}

// before returns the words of the template up to the parameter.
func before(template []string, param string) []string {
	for i, w := range template {
		if strings.Contains(w, "<"+param+">") {
			return template[:i]
		}
	}
	return template
}

// substituted returns the words with the parameters that are known in place.
func substituted(words []string, known map[string]string) []string {
	if len(known) == 0 {
		return words
	}
	out := slices.Clone(words)
	for i, w := range out {
		if k := strings.IndexByte(w, '<'); k >= 0 && strings.HasSuffix(w, ">") {
			if value, ok := known[w[k+1:len(w)-1]]; ok {
				out[i] = w[:k] + value
			}
		}
	}
	return out
}

func orElse(s, or string) string {
	if s == "" {
		return or
	}
	return s
}
