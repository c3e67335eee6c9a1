package schema

import (
	"fmt"
	"os"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/layers"
	"github.com/tool-mapping-protocol/tmp/internal/discover/drafts"
	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/discover/spec"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/resolvers/all"
)

type importOptions struct {
	format, name, licence string
	server                string // of an API whose document names none
	dryRun, json          bool
}

// NewImport is tmp schema import.
func NewImport(env *term.Env, f *command.Flags) command.Run {
	var o importOptions
	f.String("format", &o.format)
	f.String("name", &o.name)
	f.String("licence", &o.licence)
	f.String("server", &o.server)
	f.Bool("dry-run", &o.dryRun)
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args[0]) }
}

// gapJSON is something that could not be carried over.
type gapJSON struct {
	Node string `json:"node"`
	Text string `json:"text"`
}

func gapsJSON(gaps []opmap.Gap) []gapJSON {
	out := []gapJSON{}
	for _, g := range gaps {
		out = append(out, gapJSON{g.Node, g.Text})
	}
	return out
}

// importedMap tells what became of an import.
type importedMap struct {
	V          int               `json:"v"`
	Tool       string            `json:"tool"`
	Format     string            `json:"format"`
	From       string            `json:"from"`
	Digest     string            `json:"digest,omitempty"`
	Licence    string            `json:"licence"`
	File       string            `json:"file"` // the draft
	Written    bool              `json:"written"`
	Verified   bool              `json:"verified"`
	Commands   int               `json:"commands"`
	Options    int               `json:"options"`
	Operations int               `json:"operations"`
	Gaps       []gapJSON         `json:"gaps"`
	Conflicts  []drafts.Conflict `json:"conflicts"`
	// Unused says why the draft does not complete, "" if it does.
	Unused string `json:"unused,omitempty"`
}

func (o *importOptions) run(env *term.Env, word string) error {
	m := newMaps(env)
	if is, data := o.isOpenAPI(env, word); is {
		return o.runAPI(env, m, word, data)
	}
	dir := drafts.Dir(m.paths.Drafts())
	if dir == "" {
		return term.Failf("there is no place for drafts").Hint("set HOME, XDG_DATA_HOME or TMP_DATA_DIR")
	}
	source, err := o.read(env, m, word)
	if err != nil {
		return err
	}
	done := importedMap{
		V: 1, Tool: source.Tool, Format: source.Origin.Format, From: source.Origin.From, Digest: source.Origin.Digest, Licence: source.Origin.Licence,
		File: dir.File(source.Tool), Operations: len(source.Operations), Gaps: gapsJSON(source.Gaps), Conflicts: []drafts.Conflict{},
		Unused: m.unused(source.Tool),
	}
	done.Commands, done.Options = opmap.Count(source.Node)
	if !o.dryRun {
		out, err := o.keep(env, m, dir, source)
		if err != nil {
			return err
		}
		done.Written = true
		done.Conflicts = append(done.Conflicts, out.Conflicts...)
	}
	if o.json {
		return env.PrintJSON(done)
	}
	done.print(env)
	return nil
}

// read reads what is to be imported.
func (o *importOptions) read(env *term.Env, m *mapFinder, word string) (*opmap.Source, error) {
	opts := spec.Options{
		Format: spec.Format(o.format), Name: o.name, Licence: o.licence, Now: env.Now(), KnownResolver: all.Table().Known, Core: m.judging(),
		Evaluator: figEvaluator(env),
	}
	if opts.Format == spec.Cobra || opts.Format == spec.Clap || opts.Format == "" && !isFile(word) && !isPlain(env, word) {
		return o.ask(env, word, opts)
	}
	data, err := readSpec(env, word)
	if err != nil {
		return nil, err
	}
	if word == "-" {
		word = "standard input"
	}
	return spec.Read(env.Context, word, data, opts)
}

// figEvaluator is the command that evaluates specs of Fig, nil where it is not installed.
func figEvaluator(env *term.Env) []string {
	if file := term.BesideOrPath(env, "tmp-fig"); file != "" {
		return []string{file}
	}
	return nil
}

// isPlain reports whether a name that no program in PATH has is that of a file here.
func isPlain(e *term.Env, name string) bool {
	if _, err := machine.Find(e.Getenv("PATH"), name); err == nil {
		return false
	}
	path, err := e.Path(name)
	if err != nil {
		return false
	}
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}

// ask asks a program of PATH, in the jail.
func (o *importOptions) ask(env *term.Env, name string, opts spec.Options) (*opmap.Source, error) {
	p, err := machine.Find(env.Getenv("PATH"), name)
	if err != nil {
		return nil, term.Failf("%v", err).Hint("a file is meant by its ending or by ./%s", name)
	}
	m := machine.New(machine.Options{Getenv: env.Getenv})
	d, kind, err := m.Asked(env.Context, p, machine.Asker(o.format))
	if err != nil {
		return nil, err
	}
	s := d.Source
	s.Provenance, s.Origin = "import", &opmap.Origin{Format: string(kind), From: p.Name}
	if o.name != "" {
		s.Tool, s.Node.Name = o.name, o.name
	}
	return spec.Finish(s, opts)
}

// keep makes the import a draft and builds the system map with it.
func (o *importOptions) keep(env *term.Env, m *mapFinder, dir drafts.Dir, source *opmap.Source) (drafts.Outcome, error) {
	lock, err := dir.Lock()
	if err != nil {
		return drafts.Outcome{}, term.Locked(err)
	}
	defer lock.Unlock()
	out, err := dir.Import(source)
	if err != nil {
		return out, err
	}
	_, err = layers.BuildSystem(env, m.paths, machine.New(machine.Options{Getenv: env.Getenv, NoRun: true}), true, nil)
	return out, err
}

// unused says why a draft of a tool is kept and completes nothing.
func (m *mapFinder) unused(tool string) string {
	if tool == "git" {
		return "git is asked for its commands and options itself"
	}
	if root := m.judging().Root(tool); root != nil && root.Path != tool {
		return "it is another name of " + root.Path
	}
	return ""
}

func (d *importedMap) print(env *term.Env) {
	verb := "imported from"
	if !d.Written {
		verb = "would be imported from"
	}
	licence := d.Licence
	if licence == "" {
		licence = "no licence noted"
	}
	fmt.Fprintf(env.Stdout, "%s: %s %s (%s, %s), %s, %s", term.OneLine(d.Tool), verb, term.OneLine(d.From), d.Format, term.OneLine(licence), screen.Count(d.Commands, "command"), screen.Count(d.Options, "option"))
	if d.Operations > 0 {
		fmt.Fprintf(env.Stdout, ", %s", screen.Count(d.Operations, "operation"))
	}
	fmt.Fprintf(env.Stdout, ", %s\n", screen.Count(len(d.Gaps), "gap"))
	for _, g := range d.Gaps {
		fmt.Fprintf(env.Stdout, "  gap: %s: %s\n", term.OneLine(g.Node), term.OneLine(g.Text))
	}
	for _, c := range d.Conflicts {
		fmt.Fprintf(env.Stdout, "  conflict: %s\n", term.OneLine(c.String()))
	}
	if d.Written {
		fmt.Fprintf(env.Stdout, "draft, not verified: %s\n", term.OneLine(d.File))
	}
	if d.Unused != "" {
		env.Notice("the draft of %s is kept and not used: %s", d.Tool, d.Unused)
	}
}
