package schema

import (
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/mapdiff"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// NewShow is tmp schema show.
func NewShow(env *term.Env, f *command.Flags) command.Run {
	var asJSON bool
	f.Bool("json", &asJSON)
	return func(in command.Input) error {
		found, err := newMaps(env).pick(in.Args[0])
		if err != nil {
			return err
		}
		if asJSON {
			_, err := env.Stdout.Write(found.source.Encode())
			return err
		}
		(&mapPrinter{env: env, st: env.StyleOf(1)}).print(found)
		return nil
	}
}

// mapPrinter prints a map for a person.
type mapPrinter struct {
	env *term.Env
	st  term.Style
}

func (p *mapPrinter) line(format string, args ...any) {
	fmt.Fprintf(p.env.Stdout, format+"\n", args...)
}

// field prints what a map says of itself, if it does.
func (p *mapPrinter) field(name, text string) {
	if text != "" {
		p.line("%-12s %s", name, term.OneLine(text))
	}
}

func (p *mapPrinter) print(f *foundMap) {
	s := f.source
	r := f.row()
	p.line("%s", p.st.Bold(term.OneLine(s.Tool)))
	p.field("layer", f.layer)
	p.field("file", f.file)
	p.field("version", s.Version)
	p.field("versions", s.VersionRange)
	p.field("source", r.Source)
	p.field("licence", r.Licence)
	if s.Origin != nil {
		p.field("digest", s.Origin.Digest)
		p.field("imported", s.Origin.Date)
	}
	p.field("verified", map[bool]string{true: "yes", false: "no"}[r.Verified]+" ("+f.standing+")")
	p.field("date", r.Date)
	p.field("holds", fmt.Sprintf("%s, %s, %s", screen.Count(r.Commands, "command"), screen.Count(r.Options, "option"), screen.Count(r.Operations, "operation")))
	if s.Node != nil {
		p.line("")
		p.node(s.Node, s.Tool)
	}
	p.operations(s.Operations)
	p.evidence(s)
	if len(s.Gaps) > 0 {
		p.line("\n%s", p.st.Bold("gaps"))
		for _, g := range s.Gaps {
			p.line("  %s: %s", term.OneLine(g.Node), term.OneLine(g.Text))
		}
	}
}

// node prints a command and what is below it, each with its whole path.
func (p *mapPrinter) node(n *opmap.Node, path string) {
	title := p.st.Bold(term.OneLine(path))
	if len(n.Aliases) > 0 {
		title += " (" + term.OneLine(strings.Join(n.Aliases, ", ")) + ")"
	}
	p.line("%s", title+notes(n.Description, mark{"hidden", n.Hidden}, mark{"deprecated", n.Deprecated}, mark{"carries another command", n.Wrapper != nil}))
	for _, a := range n.Args {
		name := "<" + a.Name + ">"
		if a.Repeatable {
			name += "…"
		}
		if a.AfterDash {
			name = "-- " + name
		}
		if !a.Required {
			name = "[" + name + "]"
		}
		specs := []string{mapdiff.Spec(a.Spec)}
		for _, alt := range a.Alt {
			specs = append(specs, mapdiff.Spec(alt))
		}
		p.line("  %s%s", term.OneLine(name), p.value(strings.Join(specs, " or "))+notes(a.Description))
	}
	for _, f := range n.Flags {
		names := strings.Join(f.Names, ", ")
		switch f.Value {
		case "required":
			names += " <value>"
		case "optional":
			names += "[=value]"
		}
		p.line("  %s%s", term.OneLine(names), p.value(mapdiff.Spec(f.Spec))+notes(f.Description,
			mark{"repeatable", f.Repeatable}, mark{"--no- too", f.Negatable}, mark{"hidden", f.Hidden}, mark{"deprecated", f.Deprecated},
			mark{"default " + f.Default, f.Default != ""}, mark{"from " + strings.Join(f.From, " "), len(f.From) > 0}))
	}
	for _, sub := range n.Subcommands {
		p.node(sub, path+" "+sub.Name)
	}
}

// value is a kind of value to stand after a name.
func (p *mapPrinter) value(spec string) string {
	if spec == "" {
		return ""
	}
	if r := []rune(spec); len(r) > 120 {
		spec = string(r[:120]) + "…"
	}
	return "  " + p.st.Dim("{"+term.OneLine(spec)+"}")
}

// mark is a note that is shown if it holds.
type mark struct {
	text string
	on   bool
}

// notes is a description with the marks that hold.
func notes(description string, marks ...mark) string {
	var on []string
	for _, m := range marks {
		if m.on {
			on = append(on, m.text)
		}
	}
	text := description
	if len(on) > 0 {
		text = strings.TrimSpace(text + " (" + strings.Join(on, "; ") + ")")
	}
	if text == "" {
		return ""
	}
	return "  " + term.OneLine(text)
}

func (p *mapPrinter) operations(ops []*opmap.Operation) {
	if len(ops) == 0 {
		return
	}
	p.line("\n%s", p.st.Bold("operations"))
	for _, op := range ops {
		level, _ := tcpdb.ParseLevel(op.Risk)
		p.line("  %s  %s  %s", term.OneLine(op.ID), p.st.Level(level), term.OneLine(op.Template))
		for _, intent := range op.Intents {
			p.line("    “%s”", term.OneLine(intent))
		}
	}
}

func (p *mapPrinter) evidence(s *opmap.Source) {
	type piece struct {
		of string
		e  opmap.Evidence
	}
	var all []piece
	for _, e := range s.Evidence {
		all = append(all, piece{s.Tool, e})
	}
	for _, op := range s.Operations {
		for _, e := range op.Evidence {
			all = append(all, piece{op.ID, e})
		}
	}
	if len(all) == 0 {
		return
	}
	p.line("\n%s", p.st.Bold("evidence"))
	for _, x := range all {
		p.line("  %s: %s", term.OneLine(x.of), term.OneLine(strings.Join(strings.Fields(strings.Join([]string{x.e.Kind, x.e.Date, x.e.ToolVersion, x.e.By}, " ")), " ")))
	}
}
