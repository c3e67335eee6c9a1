package command

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/pflag"
)

// Flags binds the flags of a node to variables.
type Flags struct {
	set     *pflag.FlagSet
	node    *Node
	bound   map[string]bool
	unknown []string // bound but not in the map
}

// NewFlags binds the flags of a node to those of a command line.
func NewFlags(set *pflag.FlagSet, n *Node) *Flags {
	return &Flags{set: set, node: n, bound: map[string]bool{}}
}

// Given reports whether a flag stands on the command line.
func (f *Flags) Given(id string) bool { return f.set.Changed(id) }

// Faults tells what the command and its map disagree about: flags that are bound
// and not in the map, and flags of the map that are not bound.
func (f *Flags) Faults() []string {
	var out []string
	for _, id := range f.unknown {
		out = append(out, fmt.Sprintf("%s binds the flag %q, which its map does not have", f.node.Name, id))
	}
	for i := range f.node.Flags {
		if id := f.node.Flags[i].Key(); !f.bound[id] {
			out = append(out, fmt.Sprintf("%s does not bind the flag %q of its map", f.node.Name, id))
		}
	}
	return out
}

// find marks the flag as bound and returns it; nil if the map lacks it.
func (f *Flags) find(id string) *Flag {
	f.bound[id] = true
	for i := range f.node.Flags {
		if f.node.Flags[i].Key() == id {
			return &f.node.Flags[i]
		}
	}
	f.unknown = append(f.unknown, id)
	return nil
}

func (f *Flags) add(id string, v pflag.Value) {
	m := f.find(id)
	if m == nil {
		return
	}
	flag := f.set.VarPF(v, m.Long(), m.Short(), m.Description)
	if v.Type() == "bool" {
		flag.NoOptDefVal = "true"
	}
	flag.Hidden = m.Hidden
}

// Bool binds a flag without a value.
func (f *Flags) Bool(id string, p *bool) { f.add(id, (*boolValue)(p)) }

// String binds a flag with a value; one with an enum takes only its words.
func (f *Flags) String(id string, p *string) {
	var words []Word
	if m := f.find(id); m != nil {
		words = m.Spec.Closed()
	}
	f.add(id, &stringValue{p, words})
}

// Strings binds a flag that may be given several times.
func (f *Flags) Strings(id string, p *[]string) { f.add(id, (*listValue)(p)) }

// Int binds a flag whose value is a whole number; *p keeps its value when the
// flag is not given.
func (f *Flags) Int(id string, p *int) { f.add(id, (*intValue)(p)) }

// Duration binds a flag whose value is a time such as "90s"; it must not be negative.
func (f *Flags) Duration(id string, p *time.Duration) { f.add(id, (*durationValue)(p)) }

// Any binds every flag of the node to nothing: another program reads them. What a flag
// takes is checked all the same.
func (f *Flags) Any() {
	for i := range f.node.Flags {
		m := &f.node.Flags[i]
		switch {
		case m.Value == "none":
			f.Bool(m.Key(), new(bool))
		case m.Spec.Type == "int":
			f.Int(m.Key(), new(int))
		case m.Repeatable:
			f.Strings(m.Key(), new([]string))
		default:
			f.String(m.Key(), new(string))
		}
	}
}

type boolValue bool

func (v *boolValue) Set(s string) error {
	b, err := strconv.ParseBool(s)
	if err != nil {
		return fmt.Errorf("%q is not true or false", s)
	}
	*v = boolValue(b)
	return nil
}
func (v *boolValue) String() string   { return strconv.FormatBool(bool(*v)) }
func (v *boolValue) Type() string     { return "bool" }
func (v *boolValue) IsBoolFlag() bool { return true }

type stringValue struct {
	p     *string
	words []Word
}

func (v *stringValue) Set(s string) error {
	if len(v.words) > 0 {
		if err := oneOf(v.words, s); err != nil {
			return err
		}
	}
	*v.p = s
	return nil
}
func (v *stringValue) String() string { return "" }
func (v *stringValue) Type() string   { return "string" }

type listValue []string

func (v *listValue) Set(s string) error { *v = append(*v, s); return nil }
func (v *listValue) String() string     { return "" }
func (v *listValue) Type() string       { return "strings" }

type intValue int

func (v *intValue) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil && !errors.Is(err, strconv.ErrRange) { // beyond the range Atoi gives its end
		return fmt.Errorf("%q is not a whole number", s)
	}
	*v = intValue(n)
	return nil
}
func (v *intValue) String() string { return strconv.Itoa(int(*v)) }
func (v *intValue) Type() string   { return "int" }

type durationValue time.Duration

func (v *durationValue) Set(s string) error {
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return fmt.Errorf("%q is not a time such as 90s or 5m", s)
	}
	*v = durationValue(d)
	return nil
}
func (v *durationValue) String() string { return time.Duration(*v).String() }
func (v *durationValue) Type() string   { return "duration" }
