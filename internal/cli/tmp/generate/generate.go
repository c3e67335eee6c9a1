// Package generate holds the commands that draft: tmp generate, the maps of
// programs from what is written about them; tmp rtk draft and verify, filters of
// RTK from outputs.
package generate

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/layers"
	"github.com/tool-mapping-protocol/tmp/internal/discover"
	"github.com/tool-mapping-protocol/tmp/internal/discover/drafts"
	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/wanted"
)

type options struct {
	fromHelp   string
	all        bool
	force      bool
	filesOnly  bool
	unconfined bool
	json       bool
	background bool
	forTab     bool // what a Tab has started: see package wanted
}

// New is tmp generate.
func New(env *term.Env, f *command.Flags) command.Run {
	var o options
	f.String("from-help", &o.fromHelp)
	f.Bool("all", &o.all)
	f.Bool("force", &o.force)
	f.Bool("files-only", &o.filesOnly)
	f.Bool("allow-unconfined", &o.unconfined)
	f.Bool("json", &o.json)
	f.Bool("background", &o.background)
	f.Bool(strings.TrimPrefix(wanted.Flag, "--"), &o.forTab)
	return func(in command.Input) error {
		switch {
		case o.fromHelp != "" && o.all:
			return term.Usagef("--from-help and --all do not go together")
		case o.fromHelp != "":
			return o.fromTexts(env, in.Args)
		case o.all && len(in.Args) > 0:
			return term.Usagef("--all drafts every tool: give no names with it")
		case !o.all && len(in.Args) == 0:
			return term.Usagef("which tools?").Hint("give their names, or --all for every program in PATH")
		case o.forTab:
			return o.ofTab(env, in.Args)
		case o.background:
			return o.detach(env, in.Args)
		}
		return o.run(env, in.Args)
	}
}

// fromTexts drafts a tool's map from a directory of texts and prints it: the
// source map, or with --json the tree laid out flat.
func (o *options) fromTexts(env *term.Env, args []string) error {
	dir := o.fromHelp
	if !filepath.IsAbs(dir) && env.Dir != "" {
		dir = filepath.Join(env.Dir, dir)
	}
	tool := filepath.Base(dir)
	if len(args) > 1 {
		return term.Usagef("--from-help drafts one tool")
	}
	if len(args) > 0 {
		tool = args[0]
	}
	m := machine.New(machine.Options{Getenv: env.Getenv, NoRun: o.filesOnly})
	texts, err := discover.ReadDir(os.DirFS(dir), tool, func(program string, page []byte) ([]byte, error) {
		return m.Unpack(env.Context, program, page)
	})
	if err != nil {
		return err
	}
	root, gaps := discover.Parse(texts)
	if o.json {
		return env.PrintJSON(struct {
			V     int                 `json:"v"`
			Tool  string              `json:"tool"`
			Nodes []discover.TreeNode `json:"nodes"`
			Gaps  []discover.TreeGap  `json:"gaps"`
		}{1, tool, discover.Tree(root), discover.TreeGaps(gaps)})
	}
	_, err = env.Stdout.Write(discover.Source(root, gaps).Encode())
	return err
}

// generated is what became of one tool.
type generated struct {
	Tool      string            `json:"tool"`
	Status    string            `json:"status"` // "drafted", "current", "none", "failed"
	File      string            `json:"file,omitempty"`
	Version   string            `json:"version,omitempty"`
	From      map[string]int    `json:"from,omitempty"` // texts by kind
	Commands  int               `json:"commands,omitempty"`
	Flags     int               `json:"flags,omitempty"`
	Gaps      int               `json:"gaps,omitempty"`
	Edited    bool              `json:"edited,omitempty"` // a person's edits were carried over
	Conflicts []drafts.Conflict `json:"conflicts,omitempty"`
	Why       string            `json:"why,omitempty"`
	told      bool              // that it failed was said already
}

// run drafts tools of this machine into the drafts' directory and builds the
// system map anew.
func (o *options) run(env *term.Env, names []string) error {
	layers.GiveWay(env)
	begin := env.Now()
	paths := env.Places()
	dir := drafts.Dir(paths.Drafts())
	if dir == "" {
		return term.Failf("there is no place for drafts").Hint("set HOME, XDG_DATA_HOME or TMP_DATA_DIR")
	}
	if o.unconfined && env.Who() != gate.Person {
		return term.Failf("--allow-unconfined runs programs without a jail: only a person at a terminal can say so")
	}
	m := machine.New(machine.Options{Getenv: env.Getenv, NoRun: o.filesOnly, Unconfined: o.unconfined})
	programs, missing, err := o.programs(env, names)
	if err != nil {
		return err
	}
	lock, err := dir.Lock()
	if err != nil {
		return term.Locked(err)
	}
	defer lock.Unlock()
	o.tellJail(env, m)
	layers.SweepDrafts(env, dir)
	rows := append(o.each(env, m, dir, programs), missing...)
	if err := env.Context.Err(); err != nil {
		return err
	}
	// What was found out about git before stays; git itself is asked only if it is
	// one of those that are to be drafted.
	git := slices.ContainsFunc(programs, func(p machine.Program) bool { return p.Name == "git" })
	built, err := layers.BuildSystem(env, paths, m, o.filesOnly || !git, nil)
	if err != nil {
		return err
	}
	s := summarize(programs, rows, built)
	s.MS = env.Now().Sub(begin).Milliseconds()
	if o.json {
		err = env.PrintJSON(struct {
			V       int         `json:"v"`
			Drafts  []generated `json:"drafts"`
			Summary *summary    `json:"summary"`
		}{1, rows, s})
	} else {
		o.print(env, rows, s, built)
	}
	if err == nil && (s.Failed > 0 || !o.all && s.None > 0) {
		return term.ExitStatus(1)
	}
	return err
}

// tellJail says once that programs will not be run, or be run without a jail.
func (o *options) tellJail(env *term.Env, m *machine.Machine) {
	if o.filesOnly {
		return
	}
	err := m.Confined()
	switch {
	case err == nil:
	case o.unconfined:
		env.Notice("programs are run without a jail: %v", err)
	default:
		env.Notice("no program is run, drafts come from files alone: %v", err)
	}
}

// programs are those to draft, each once. Names that are none are rows of their
// own: they keep no other from being drafted. The error is that all are such.
func (o *options) programs(env *term.Env, names []string) (found []machine.Program, missing []generated, err error) {
	path := env.Getenv("PATH")
	if o.all {
		return machine.Programs(path), nil, nil
	}
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] {
			continue
		}
		seen[name] = true
		p, why := machine.Find(path, name)
		if why == nil {
			found = append(found, p)
			continue
		}
		env.Notice("%v", why)
		missing = append(missing, generated{Tool: name, Status: "failed", Why: why.Error(), told: true})
	}
	if len(found) == 0 {
		return nil, nil, term.ExitStatus(1)
	}
	return found, missing, nil
}

// workers is how many tools are drafted at a time. More than there are
// processors: a program that hangs costs time and no work.
const workers = 6

// each drafts the programs side by side; the rows are in their order.
func (o *options) each(env *term.Env, m *machine.Machine, dir drafts.Dir, programs []machine.Program) []generated {
	rows := make([]generated, len(programs))
	bar := term.NewProgress(env, len(programs))
	defer bar.Close()
	meanwhile := meanwhile{env: env, m: m, last: env.Now()}
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(workers, len(programs)) {
		wg.Go(func() {
			for i := range next {
				rows[i] = o.one(env, m, dir, programs[i])
				bar.Step(programs[i].Name)
				meanwhile.build()
			}
		})
	}
	for i := range programs {
		if env.Context.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	return rows
}

// filesOnly ends the identity of a draft that nothing was run for: with a jail there
// would be more to read.
const filesOnly = " files"

// one drafts a program unless its draft is still that of what is installed.
func (o *options) one(env *term.Env, m *machine.Machine, dir drafts.Dir, p machine.Program) generated {
	identity := m.Identity(p)
	if o.filesOnly || m.Confined() != nil && !o.unconfined {
		identity += filesOnly
	}
	before := dir.Base(p.Name)
	switch {
	case before == nil, o.force:
	case before.Identity == identity, o.forTab && settled(dir, before, identity):
		return currentRow(dir, before)
	}
	failed := func(err error) generated {
		return generated{Tool: p.Name, Status: "failed", Why: err.Error()}
	}
	d, err := m.Draft(env.Context, p)
	if err != nil {
		return failed(err)
	}
	b := drafts.Base{
		Tool: p.Name, Identity: identity, Program: p.Real, Version: d.Source.Version, From: d.From, Gaps: len(d.Source.Gaps), Words: d.Words, Described: d.Described,
	}
	source, some := d.Source, !d.Empty()
	if o.forTab {
		source, some = joined(dir, before, d)
	}
	b.Commands, b.Flags = opmap.Count(source.Node)
	if !some {
		b.Why = "nothing is written about it"
		if len(d.Source.Gaps) > 0 {
			b.Why = d.Source.Gaps[len(d.Source.Gaps)-1].Text
		}
		if err := dir.PutNone(b); err != nil {
			return failed(err)
		}
		return generated{Tool: p.Name, Status: "none", From: b.From, Why: b.Why}
	}
	done, err := dir.Put(b, source)
	if err != nil {
		return failed(err)
	}
	row := currentRow(dir, &b)
	row.Status, row.Edited, row.Conflicts = "drafted", done.Edited, done.Conflicts
	return row
}

// currentRow is the row of a tool that needs no new draft.
func currentRow(dir drafts.Dir, b *drafts.Base) generated {
	row := generated{
		Tool: b.Tool, Status: "current", File: dir.File(b.Tool), Version: b.Version, From: b.From,
		Commands: b.Commands, Flags: b.Flags, Gaps: b.Gaps,
	}
	if b.Why != "" {
		return generated{Tool: b.Tool, Status: "none", From: b.From, Why: b.Why}
	}
	text, err := os.ReadFile(row.File)
	if err != nil {
		row.Status, row.Why = "none", "its draft was removed; --force drafts it again"
	} else if !json.Valid(text) {
		row.Status, row.Why = "failed", row.File+" is damaged: mend it, or remove it and generate with --force"
	}
	return row
}
