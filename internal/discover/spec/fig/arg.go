package fig

import (
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/discover/spec/known"
)

// args reads the arguments of a command.
func (r *reader) args(n *draft.Node, args []any) {
	used := map[string]bool{}
	for i, item := range args {
		o, ok := item.(object)
		if !ok {
			gapf(n, "an argument that another file or a program of the spec gives")
			continue
		}
		a := &draft.Arg{
			Name: strings.Join(strings.Fields(text(o["name"])), " "), Description: text(o["description"]), Required: !yes(o["isOptional"]),
			Repeatable: yes(o["isVariadic"]), At: at(),
		}
		if a.Name == "" || used[a.Name] {
			a.Name = fmt.Sprintf("arg%d", i+1)
		}
		used[a.Name] = true
		for i, c := range r.choices(n, o, a.Name) {
			if i == 0 {
				a.Kind, a.Values, a.Resolver, a.List = c.Kind, c.Values, c.Resolver, c.List
			} else {
				a.Also = append(a.Also, c)
			}
		}
		n.Args = append(n.Args, a)
	}
}

// choices reads where the values of an argument come from.
func (r *reader) choices(n *draft.Node, o object, of string) []draft.Choice {
	var out []draft.Choice
	values, foreign := suggestions(o["suggestions"])
	if len(values) > 0 {
		out = append(out, draft.Choice{Values: values})
	}
	if foreign {
		gapf(n, "%s: values that another file or a program of the spec gives", of)
	}
	for _, t := range names(o["template"]) {
		out = template(n, out, of, t)
	}
	for _, g := range list(o["generators"]) {
		out = r.generator(n, out, of, g)
	}
	switch {
	case yes(o["isCommand"]):
		out = append(out, draft.Choice{Kind: "command"})
		gapf(n, "%s: the words of another command follow", of)
	case yes(o["isScript"]) && len(out) == 0:
		out = append(out, draft.Choice{Kind: "file"})
	case yes(o["isModule"]):
		gapf(n, "%s: a module of %s", of, text(o["isModule"]))
	}
	if yes(o["loadSpec"]) {
		gapf(n, "%s: another spec holds from here", of)
	}
	return joined(out)
}

// joined leaves out what is there twice; "folders" beside "filepaths" is.
func joined(list []draft.Choice) []draft.Choice {
	var out []draft.Choice
	files := false
	for _, c := range list {
		files = files || c.Kind == "file"
	}
	seen := map[string]bool{}
	for _, c := range list {
		key := c.Kind + " " + c.Resolver
		if len(c.Values) == 0 && (seen[key] || c.Kind == "dir" && files) {
			continue
		}
		seen[key] = len(c.Values) == 0
		out = append(out, c)
	}
	return out
}

// suggestions are the words of a list, and whether some of it is not known.
func suggestions(v any) (out []draft.Value, foreign bool) {
	for _, item := range list(v) {
		switch item := item.(type) {
		case string:
			out = append(out, draft.Value{Text: item})
		case object:
			all := names(item["name"])
			foreign = foreign || len(all) == 0
			if yes(item["hidden"]) {
				continue
			}
			for _, name := range all {
				out = append(out, draft.Value{Text: name, Description: text(item["description"])})
			}
		}
	}
	return out, foreign
}

func template(n *draft.Node, out []draft.Choice, of, name string) []draft.Choice {
	switch name {
	case "filepaths":
		return append(out, draft.Choice{Kind: "file"})
	case "folders":
		return append(out, draft.Choice{Kind: "dir"})
	}
	gapf(n, "%s: the template %q", of, name)
	return out
}

// generator reads one generator.
func (r *reader) generator(n *draft.Node, out []draft.Choice, of string, v any) []draft.Choice {
	g, ok := v.(object)
	if !ok {
		return out
	}
	if stands, ok := g["$stands"].(object); ok {
		return imported(n, out, of, stands)
	}
	before := len(out)
	for _, t := range names(g["template"]) {
		if yes(g["filterTemplateSuggestions"]) {
			gapf(n, "%s: a program of the spec picks among files", of)
		}
		out = template(n, out, of, t)
	}
	switch script := g["script"].(type) {
	case string:
		out = command(n, out, of, known.Command(script), script)
	case []any:
		out = command(n, out, of, known.Words(names(script)), strings.Join(names(script), " "))
	case object:
		gapf(n, "%s: a command that a program of the spec makes is run for its values", of)
	case nil:
		if len(out) == before {
			gapf(n, "%s: a program of the spec gives its values", of)
		}
	}
	return out
}

func command(n *draft.Node, out []draft.Choice, of, resolver, line string) []draft.Choice {
	if resolver != "" {
		return append(out, draft.Choice{Resolver: resolver})
	}
	gapf(n, "%s: a command is run for its values: %s", of, line)
	return out
}

// imported reads a call of what Fig's own library makes generators of.
func imported(n *draft.Node, out []draft.Choice, of string, call object) []draft.Choice {
	name := text(call["name"])
	var options object
	if args := list(call["args"]); len(args) > 0 {
		options, _ = args[0].(object)
	}
	switch name {
	case "filepaths", "default.filepaths":
		endings := names(options["extensions"])
		for member := range options {
			if member != "extensions" && member != "editFileSuggestions" && member != "editFolderSuggestions" && member != "suggestFolders" {
				gapf(n, "%s: only certain files (%s)", of, member)
				break
			}
		}
		if len(endings) == 1 && !strings.ContainsAny(endings[0], "/*?[\\ ") {
			return append(out, draft.Choice{Resolver: "files:*." + strings.TrimPrefix(endings[0], ".")})
		}
		if len(endings) > 1 {
			gapf(n, "%s: only files that end in %s", of, strings.Join(endings, ", "))
		}
		return append(out, draft.Choice{Kind: "file"})
	case "folders", "default.folders":
		return append(out, draft.Choice{Kind: "dir"})
	case "valueList":
		separator := text(options["delimiter"])
		if separator == "" {
			separator = ","
		}
		if values, _ := suggestions(options["values"]); len(values) > 0 {
			return append(out, draft.Choice{Values: values, List: separator})
		}
	}
	gapf(n, "%s: what %s of %s gives", of, name, text(call["file"]))
	return out
}
