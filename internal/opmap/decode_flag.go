package opmap

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func (d *decoder) flag(v *value, path string, of *Node) *Flag {
	o := d.object(v, path)
	if o == nil {
		return nil
	}
	f := &Flag{
		ID: o.text("id"), Names: o.texts("names"), Value: o.text("value"),
		Repeatable: o.flag("repeatable", false), Group: o.text("group"),
		Hidden: o.flag("hidden", false), Deprecated: o.flag("deprecated", false),
		Negatable: o.flag("negatable", false), Description: o.line1("description"),
		Default: o.line1("default"), From: o.texts("from"), Bundles: o.texts("bundles"),
		Role: o.role(), RoleWith: o.texts("role_with"),
	}
	if len(f.Names) == 0 {
		o.errorf("names", "is empty: want at least one")
	}
	for _, name := range f.Names {
		if reason := badFlagName(name, of.Plus, of.Keywords); reason != "" {
			o.errorf("names", "%s", reason)
		}
	}
	if f.ID != "" {
		if reason := badWord(f.ID); reason != "" {
			o.errorf("id", "%s", reason)
		}
	}
	if _, ok := valueMode(f.Value); !ok {
		o.errorf("value", "%q: want none, required or optional", f.Value)
	}
	if s := o.get("value_spec"); s != nil {
		f.Spec = d.spec(s, o.field("value_spec"))
		if mode, ok := valueMode(f.Value); ok && mode == tcpdb.NoValue {
			o.errorf("value_spec", `stands at a flag that takes no value: set "value" to required or optional`)
		}
	}
	for _, word := range f.Bundles {
		if reason := f.badBundle(word); reason != "" {
			o.errorf("bundles", "%s", reason)
		}
	}
	if f.Negatable && !strings.HasPrefix(longest(f.Names), "--") {
		o.errorf("negatable", "needs a name that begins with --")
	}
	f.Extra = o.rest()
	return f
}

// role reads what a flag or an argument, or its value, does.
func (o *object) role() string {
	role := o.text("role")
	if role != "" && !tcpdb.Role(role).Valid() {
		o.errorf("role", "%q is no role that this program knows: see \"role\" in tmp schema print", role)
	}
	return role
}

// badBundle says why a word cannot be a bundle that begins with the flag, or "".
func (f *Flag) badBundle(word string) string {
	if mode, ok := valueMode(f.Value); ok && mode != tcpdb.NoValue {
		return "stands at a flag that takes a value"
	}
	begins := func(name string) bool { return len(name) == 2 && strings.HasPrefix(word, name) }
	if len(word) < 3 || word[1] == '-' || !slices.ContainsFunc(f.Names, begins) {
		return quoted(word) + " does not begin with a short name of the flag"
	}
	return badWord(word)
}

// valueMode reads the arity of a flag; empty means none.
func valueMode(s string) (tcpdb.ValueMode, bool) {
	switch s {
	case "", "none":
		return tcpdb.NoValue, true
	case "required":
		return tcpdb.RequiredValue, true
	case "optional":
		return tcpdb.OptionalValue, true
	}
	return tcpdb.NoValue, false
}

// badFlagName says why a text cannot be the name of an option, or "". A bare
// "-" or "--" is none, and what comes after "=" is a value.
func badFlagName(name string, plus, keywords bool) string {
	switch {
	case name == "-", name == "--", name == "":
		return quoted(name) + " is no option"
	case strings.HasPrefix(name, "+") && plus, keywords && len(name) > 1:
	case !strings.HasPrefix(name, "-"):
		return quoted(name) + " does not begin with a dash"
	}
	if strings.Contains(name, "=") {
		return quoted(name) + ` holds "=": leave the value out and say "value": "required"`
	}
	return badWord(name)
}

func quoted(s string) string { return `"` + s + `"` }

// longest returns the first long name, or the first name, or "".
func longest(names []string) string {
	for _, n := range names {
		if strings.HasPrefix(n, "--") {
			return n
		}
	}
	if len(names) > 0 {
		return names[0]
	}
	return ""
}

// FlagID returns the stable name of an option: the first long name without
// dashes, else the first name without its dash.
func FlagID(names []string) string { return strings.TrimLeft(longest(names), "-") }

// ID of the compiled flag.
func (f *Flag) id() string {
	if f.ID != "" {
		return f.ID
	}
	return FlagID(f.Names)
}

// uniqueFlags reports names and IDs that two flags of a command share.
func (d *decoder) uniqueFlags(o *object, n *Node) {
	names, ids := map[string]bool{}, map[string]bool{}
	values := o.list("flags")
	for i, f := range n.Flags {
		line, path := o.line("flags"), o.field("flags")
		if i < len(values) {
			line = values[i].line
		}
		for _, name := range f.Names {
			if names[name] {
				d.errorf(line, path, "%q is the name of two flags", name)
			}
			names[name] = true
		}
		if id := f.id(); ids[id] {
			d.errorf(line, path, "%q is the id of two flags: give one an id of its own", id)
		} else {
			ids[id] = true
		}
	}
}
