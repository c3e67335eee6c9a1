package recipe

import (
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover"
	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
)

// Script is a script as its text describes it.
type Script struct {
	Name     string // of the file
	Language string
	Summary  string // what its header says, in one line
	Node     *draft.Node
	text     string
	styles   map[string]style // how options take their values; equals where nothing is said
}

// style is how an option is joined with its value.
type style uint8

const (
	equals   style = iota // --env=x
	attached              // -bx, as getopts takes it
	separate              // --env x
	joined                // -env=x, as Go's flag takes it
)

// Read reads a script: the usage in its comments, here-documents and strings,
// what it hands to getopts, the options that its own loop takes, and what it
// declares to argparse, click, commander, yargs, cobra and Go's flag. Help is
// what it printed for --help in a jail, "" for none.
func Read(name, text, help string) *Script {
	s := &Script{Name: path.Base(name), Language: language(name, text), text: text, styles: map[string]style{}}
	s.Node = &draft.Node{Name: s.Name}
	for _, t := range append(s.texts(), help) {
		if t != "" {
			read, _ := discover.Parse(discover.Texts{Tool: s.Name, Nodes: []discover.Text{{Help: t}}})
			s.Node.Merge(read)
		}
	}
	s.Node.Subs = nil // a line of prose that looks like one
	if slices.Contains(shellLanguages, s.Language) {
		s.getopts()
		s.loop()
		s.said()
		s.numbered()
	} else {
		s.declared()
	}
	return s
}

// said notes the options of which no loop is known but the usage writes the value
// as a word of its own. A shell takes no "=" unless somebody wrote that.
func (s *Script) said() {
	for _, f := range s.Node.Flags {
		for _, n := range f.Names {
			if _, known := s.styles[n]; !known && !strings.Contains(s.text, n+"=") && !strings.Contains(s.text, n+"[=") {
				s.styles[n] = separate
			}
		}
	}
}

// interpreters are programs of first lines that are named otherwise than their
// language.
var interpreters = map[string]string{
	"dash": "sh", "ash": "sh", "ksh": "sh", "mksh": "sh", "nodejs": "node", "tsx": "node", "deno": "node", "bun": "node", "ts-node": "node",
}

// shellLanguages are those whose options are read from the script's own loops.
var shellLanguages = []string{"sh", "bash", "zsh", "fish", ""}

// language follows the first line, or the name's ending.
func language(name, text string) string {
	first, _, _ := strings.Cut(text, "\n")
	if rest, ok := strings.CutPrefix(first, "#!"); ok {
		for _, w := range strings.Fields(rest) {
			w = strings.TrimRight(path.Base(w), "0123456789.")
			if w == "env" || w == "" {
				continue
			}
			if lang, ok := interpreters[w]; ok {
				return lang
			}
			if strings.HasPrefix(w, "-") || strings.Contains(w, "=") {
				continue
			}
			return w
		}
	}
	return endings[path.Ext(name)]
}

// endings of names that tell the language.
var endings = map[string]string{
	".sh": "sh", ".bash": "bash", ".zsh": "zsh", ".fish": "fish", ".py": "python", ".js": "node", ".mjs": "node", ".cjs": "node", ".ts": "node",
	".rb": "ruby", ".pl": "perl", ".go": "go",
}

// Runner is the program that runs a script which is not executable itself.
func (s *Script) Runner() []string {
	if words := runners[s.Language]; words != nil {
		return words
	}
	return []string{s.Language}
}

// runners are the programs of languages that are named otherwise.
var runners = map[string][]string{"python": {"python3"}, "go": {"go", "run"}, "": {"sh"}}

// Operation drafts the operation of a script. Command is what starts it, and
// source the file that it is.
func (s *Script) Operation(id, command string, source workflow.Source, judge Judge, taken Taken) (*opmap.Operation, bool) {
	risk := judge(s.text, s.Language)
	op := &opmap.Operation{
		ID: id, Surface: "script", Description: description(s.Summary), Effect: risk.effect(s.Name), Risk: risk.word(),
		OutputPolicy: output(), Sources: []workflow.Source{source}, When: &opmap.When{Files: []string{source.File}},
	}
	if path.IsAbs(source.File) {
		op.When = nil
	}
	stem := strings.Join(words(strings.TrimSuffix(s.Name, path.Ext(s.Name))), " ")
	if op.Description == "" {
		op.Description = description("Run " + s.Name)
	}
	line := []string{command}
	names := namer{}
	var needed, placed []string
	for _, f := range s.Node.Flags {
		w, p := s.option(f, names)
		if p == nil || len(op.Parameters) >= maxParameters {
			continue
		}
		line, op.Parameters = append(line, w), append(op.Parameters, p)
		if p.Required {
			needed = append(needed, "<"+p.Name+">")
		}
	}
	for _, a := range s.Node.Args {
		if a.AfterDash || len(op.Parameters) >= maxParameters {
			continue
		}
		p := &opmap.Parameter{Name: names.free(parameterName(a.Name), "argument"), Type: kindOf(a.Kind, a.Values), Required: a.Required, Description: description(a.Description)}
		line, op.Parameters = append(line, "<"+p.Name+">"), append(op.Parameters, p)
		placed = append(placed, "<"+p.Name+">")
		if p.Required {
			needed = append(needed, "<"+p.Name+">")
		}
	}
	op.Template = strings.Join(line, " ")
	op.Intents = intents(candidates(stem, s.Summary, needed, placed), taken, map[string]bool{})
	return op, !strings.ContainsAny(command, "<>\n\t")
}

const maxParameters = 40

// candidates are intents: the name and the description with what is needed, and
// with everything that has a place.
func candidates(name, say string, needed, placed []string) []string {
	tail := func(slots []string) string {
		if len(slots) == 0 {
			return ""
		}
		return " " + strings.Join(slots, " ")
	}
	out := []string{name + tail(needed)}
	if say = saying(say); say != "" {
		out = append(out, say+tail(needed))
	}
	out = append(out, "run "+name+tail(needed))
	if len(placed) > len(needed) && len(placed) <= 3 {
		out = append(out, name+tail(placed))
	}
	return out
}

// option is a word of the template and its parameter, nil for an option that is
// no input: help, the version.
func (s *Script) option(f *draft.Flag, names namer) (string, *opmap.Parameter) {
	if f.Hidden || !slices.ContainsFunc(f.Names, optionName) || slices.ContainsFunc(f.Names, func(n string) bool {
		return n == "--help" || n == "--version" || n == "-h" && f.Arity != draft.Required
	}) {
		return "", nil
	}
	long := ""
	for _, n := range f.Names {
		if long == "" && optionName(n) {
			long = n
		}
		if optionName(n) && strings.HasPrefix(n, "--") && !strings.HasPrefix(n, "--no-") {
			long = n
			break
		}
	}
	said := parameterName(strings.TrimLeft(long, "-"))
	if len(said) == 1 && f.Metavar != "" {
		said = parameterName(f.Metavar)
	}
	p := &opmap.Parameter{Name: names.free(said, "option"), Description: description(f.Description)}
	if f.Default != "" && !strings.Contains(p.Description, f.Default) {
		p.Description = description(strings.TrimSpace(p.Description + " (by default " + f.Default + ")"))
	}
	slot := "<" + p.Name + ">"
	if f.Arity == draft.None || f.Arity == draft.Unsaid {
		p.Type = "flag"
		return long + "=" + slot, p
	}
	p.Type, p.Required = kindOf(f.Kind, f.Values), f.Group == requiredGroup
	how := s.styles[long]
	switch {
	case how == joined:
		how = equals
	case !strings.HasPrefix(long, "--") && how == equals:
		how = separate
	}
	switch {
	case how == equals:
		return long + "=" + slot, p
	case how == attached:
		return long + slot, p
	case p.Required:
		return long + " " + slot, p
	}
	return "[" + long + " " + slot + "]", p
}

// requiredGroup marks a flag that must be given; a draft has no field for it.
const requiredGroup = "\x00required"

func kindOf(kind string, values []draft.Value) string {
	var texts []string
	for _, v := range values {
		if v.Text == "" || strings.ContainsAny(v.Text, ", \t\n<>") {
			return "string"
		}
		texts = append(texts, v.Text)
	}
	switch {
	case len(texts) > 0:
		return "enum:" + strings.Join(texts, ",")
	case kind == "number":
		return "number"
	case kind == "duration":
		return "string"
	}
	return "string"
}

// Tree is the source of the script's command tree, for completion.
func (s *Script) Tree() *opmap.Source {
	tree := *s.Node
	tree.Flags = nil
	for _, f := range s.Node.Flags {
		g := *f
		if g.Group == requiredGroup {
			g.Group = ""
		}
		tree.Flags = append(tree.Flags, &g)
	}
	src := discover.Source(&tree, nil)
	src.Provenance = "script"
	return src
}
