package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

var (
	pyCall    = pattern(`(?:(\w+)\s*=\s*)?(?:(@?\w[\w.]*)\.)?\b(add_argument|add_option|add_parser|add_argument_group|add_mutually_exclusive_group|option|argument)\s*\(`)
	pyGetopt  = pattern(`\bgetopt\.(?:gnu_)?getopt\s*\(`)
	pyString  = pattern(`^\s*,?\s*[rub]?(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')`)
	pyStrings = pattern(`"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'`)
	pyList    = pattern(`(?s)\bchoices\s*=\s*(?:click\.Choice\()?[\[(]([^\])]*)[\])]`)
	pyChoice  = pattern(`(?s)\btype\s*=\s*click\.Choice\(\s*[\[(]([^\])]*)[\])]`)
	pyHelp    = pattern(`\bhelp\s*=\s*_?\(?\s*[rfu]?(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')`)
	pyNumber  = pattern(`\btype\s*=\s*(?:int|float|["']int["'])\b`)
	pyNone    = pattern(`\baction\s*=\s*["'](?:store_true|store_false|store_const|append_const|count|help|version|callback)["']|\bis_flag\s*=\s*True|\bcount\s*=\s*True|\bnargs\s*=\s*0\b|BooleanOptionalAction`)
	pyMaybe   = pattern(`\bnargs\s*=\s*(?:["'][?*]["']|argparse\.OPTIONAL)`)
	pyMany    = pattern(`\baction\s*=\s*["'](?:append|count|extend)["']|\bmultiple\s*=\s*True|\bcount\s*=\s*True`)
	pyHidden  = pattern(`\bhelp\s*=\s*(?:argparse\.|optparse\.)?SUPPRESS`)
)

// python adds what a Python script declares with argparse, optparse, click and
// getopt.
func python(n *draft.Node, src string) {
	nodes := map[string]*draft.Node{} // by the variable that holds the parser
	for _, m := range pyCall().FindAllStringSubmatchIndex(src, 2000) {
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return src[m[2*i]:m[2*i+1]]
		}
		into := n
		if known := nodes[group(2)]; known != nil {
			into = known
		}
		call, where := parens(src[m[1]-1:]), at(src, m[0])
		names := leading(call[1:])
		switch method := group(3); method {
		case "add_parser":
			if len(names) > 0 && longName().MatchString(names[0]) {
				sub := into.AddSub(names[0], where)
				sub.Description = describe(call)
				nodes[group(1)] = sub
			}
		case "add_argument_group", "add_mutually_exclusive_group":
			nodes[group(1)] = into
		default:
			if method == "option" || method == "argument" {
				if !strings.HasSuffix(group(2), "click") && !strings.HasPrefix(group(2), "@") {
					continue
				}
			}
			declare(into, names, call, where)
		}
		delete(nodes, "") // what no variable holds
	}
	for _, m := range pyGetopt().FindAllStringIndex(src, 10) {
		call, where := parens(src[m[1]-1:]), at(src, m[0])
		_, rest, _ := strings.Cut(call, ",") // after the arguments
		if short := leading(rest); len(short) > 0 {
			letters(n, short[0], where)
		}
		if _, list, ok := strings.Cut(rest, "["); ok {
			words(n, texts(list), where)
		}
	}
}

// declare adds an option or an argument as a call declares it.
func declare(n *draft.Node, names []string, call string, where draft.Place) {
	if len(names) == 0 {
		return
	}
	values := choices(call)
	if names[0] == "" || names[0][0] != '-' {
		if longName().MatchString(names[0]) {
			n.Args = append(n.Args, &draft.Arg{
				Name: names[0], Values: values, Description: describe(call), At: where,
				Required: !pyMaybe().MatchString(call), Repeatable: strings.Contains(call, "nargs"),
			})
		}
		return
	}
	f := flag(where, draft.Required)
	for _, name := range names {
		for _, one := range strings.Split(name, "/") { // click: "--shout/--no-shout"
			if oneName().MatchString(strings.TrimSpace(one)) {
				f.Names = append(f.Names, strings.TrimSpace(one))
			}
		}
		if strings.Contains(name, "/") {
			f.Arity = draft.None
		}
	}
	if len(f.Names) == 0 {
		return
	}
	switch {
	case pyNone().MatchString(call):
		f.Arity = draft.None
	case pyMaybe().MatchString(call):
		f.Arity = draft.Optional
	}
	f.Values, f.ValuesAt = values, where
	f.Description = describe(call)
	f.Repeatable, f.Hidden = pyMany().MatchString(call), pyHidden().MatchString(call)
	if pyNumber().MatchString(call) {
		f.Kind = "number"
	}
	n.AddFlag(f)
}

// leading are the texts that a call's arguments begin with.
func leading(args string) []string {
	var out []string
	for {
		m := pyString().FindStringSubmatch(args)
		if m == nil || len(out) > 8 {
			return out
		}
		out = append(out, m[1]+m[2])
		args = args[len(m[0]):]
	}
}

func texts(list string) []string {
	var out []string
	for _, m := range pyStrings().FindAllStringSubmatch(list, 200) {
		out = append(out, m[1]+m[2])
	}
	return out
}

func choices(call string) []draft.Value {
	m := pyList().FindStringSubmatch(call)
	if m == nil {
		m = pyChoice().FindStringSubmatch(call)
	}
	var out []draft.Value
	if m != nil {
		for _, word := range texts(m[1]) {
			out = append(out, draft.Value{Text: word})
		}
	}
	return out
}

func describe(call string) string {
	if m := pyHelp().FindStringSubmatch(call); m != nil {
		return strings.NewReplacer(`\n`, " ", `\"`, `"`, `\'`, `'`, "%%", "%").Replace(m[1] + m[2])
	}
	return ""
}
