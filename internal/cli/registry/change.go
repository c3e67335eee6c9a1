package registry

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/layers"
	"github.com/tool-mapping-protocol/tmp/internal/mapdiff"
	"github.com/tool-mapping-protocol/tmp/internal/registry"
	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// stepInJSON is what an installation does about one pack.
type stepInJSON struct {
	Name     string           `json:"name"`
	Version  string           `json:"version"`
	Was      string           `json:"was,omitempty"`
	Digest   string           `json:"digest"`
	Registry string           `json:"registry"`
	Key      string           `json:"key"`
	KeyState string           `json:"key_state"`
	For      string           `json:"trusted_for,omitempty"`
	Standing string           `json:"standing"`
	Level    string           `json:"level"`
	Flags    []string         `json:"flags"`
	Files    []string         `json:"files"`
	Lower    []string         `json:"lower"` // levels that are lower than they were
	Changes  []mapdiff.Change `json:"changes"`
	Warnings []string         `json:"warnings"`
}

type installAnswer struct {
	V         int          `json:"v"`
	Packs     []stepInJSON `json:"packs"`
	Lock      string       `json:"lock,omitempty"`
	Installed bool         `json:"installed"`
}

func newInstall(c *call, f *command.Flags) command.Run {
	var project, dry bool
	f.Bool("project", &project)
	f.Bool("dry-run", &dry)
	c.flagFrom(f)
	c.flagStale(f)
	c.flagYes(f)
	c.flagJSON(f)
	return func(in command.Input) error {
		h, err := c.home()
		if err != nil {
			return err
		}
		wanted, err := c.wanted(in.Args, project)
		if err != nil {
			return err
		}
		steps, err := h.Plan(c.Context, wanted)
		if err != nil {
			return err
		}
		return c.install(h, steps, project, dry)
	}
}

// wanted are the packs on the line, or those that the project's lock names.
func (c *call) wanted(args []string, project bool) ([]registry.Wanted, error) {
	var out []registry.Wanted
	for _, a := range args {
		w, err := registry.ParseWanted(a)
		if err != nil {
			return nil, err
		}
		out = append(out, w)
	}
	if len(args) > 0 {
		return out, nil
	}
	if !project {
		return nil, term.Usagef("which pack? want publisher/name").Hint("with --project: those that .tmp/packs.lock names")
	}
	dir, err := c.project()
	if err != nil {
		return nil, err
	}
	locked, problems, err := registry.ReadLock(registry.LockFile(dir))
	if err != nil {
		return nil, err
	}
	for _, p := range problems {
		return nil, &fault.Fault{Code: p.Code, File: p.File, Line: p.Line, Reason: p.Reason}
	}
	if len(locked) == 0 {
		return nil, fault.In(fault.NotFound, registry.LockFile(dir), "names no pack")
	}
	for _, l := range locked {
		out = append(out, l.Wanted)
	}
	return out, nil
}

// install shows a plan, asks, and does it.
func (c *call) install(h *registry.Home, steps []*registry.Step, project, dry bool) error {
	a := installAnswer{V: 1, Packs: []stepInJSON{}}
	same := true
	for _, s := range steps {
		if c.Agent() != "" && s.Standing() == "verified" && !dry {
			return fault.New(fault.NotPerson, "%s@%s would let operations run: an agent does not install it", s.Entry.Name, s.Entry.Version).Hint("a person does: tmp registry install %s@%s", s.Entry.Name, s.Entry.Version)
		}
		same = same && s.Same()
		a.Packs = append(a.Packs, stepOf(h, s))
	}
	if !c.json || !c.yes && !dry {
		c.plan(a.Packs)
	}
	if dry {
		return c.done(&a)
	}
	if !same {
		yes, err := c.confirm("Install? [y/N] ")
		if err != nil {
			return err
		}
		if !yes {
			return term.ExitStatus(1)
		}
	}
	if err := h.Install(steps); err != nil {
		return err
	}
	a.Installed = true
	layers.RefreshFish(c.Env, c.Places())
	if project {
		dir, err := c.project()
		if err != nil {
			return err
		}
		if a.Lock, err = registry.Lock(dir, steps); err != nil {
			return err
		}
	}
	return c.done(&a)
}

func stepOf(h *registry.Home, s *registry.Step) stepInJSON {
	out := stepInJSON{
		Name: s.Entry.Name, Version: s.Entry.Version, Digest: s.Entry.Digest, Registry: s.Registry, Key: s.Key, KeyState: string(s.State.Word()), For: s.State.For(),
		Standing: s.Standing(), Level: s.Level.String(), Flags: append([]string{}, s.Flags...), Files: s.Files.Names(),
		Lower: append([]string{}, s.Lower()...), Changes: append([]mapdiff.Change{}, s.Changes...), Warnings: append([]string{}, h.Warnings(s.Candidate)...),
	}
	if s.Was != nil {
		out.Was = s.Was.Version
	}
	return out
}

// maxShown bounds how many changes of a map are shown.
const maxShown = 40

// plan shows what an installation would do: on standard error, since the answer is
// what was done.
func (c *call) plan(steps []stepInJSON) {
	st := c.StyleOf(2)
	for _, s := range steps {
		for _, w := range s.Warnings {
			c.Notice("%s", w)
		}
		was := ""
		if s.Was != "" {
			was = " (was " + s.Was + ")"
		}
		level, _ := tcpdb.ParseLevel(s.Level)
		fmt.Fprintf(c.Stderr, "%s %s%s\n", st.Bold(term.OneLine(s.Name)), term.OneLine(s.Version), term.OneLine(was))
		fmt.Fprintf(c.Stderr, "  %s\n  signed by %s (%s): %s\n  at most %s %s\n  %d files from %s\n", s.Digest, cmp.Or(statement.Short(s.Key), "nobody"), trusted(s.KeyState, s.For), standing(s.Standing), st.Level(level), strings.Join(s.Flags, ","), len(s.Files), term.OneLine(s.Registry))
		for _, l := range s.Lower {
			fmt.Fprintf(c.Stderr, "  ! lower: %s\n", term.OneLine(l))
		}
		for i, ch := range s.Changes {
			if i == maxShown {
				fmt.Fprintf(c.Stderr, "  … %d changes more\n", len(s.Changes)-i)
				break
			}
			fmt.Fprintf(c.Stderr, "  %s %s %s%s\n", ch.Kind, ch.What, term.OneLine(ch.Where), changed(ch))
		}
	}
}

func changed(ch mapdiff.Change) string {
	if ch.Field == "" {
		return ""
	}
	return term.OneLine(fmt.Sprintf(" %s: %s → %s", ch.Field, cmp.Or(ch.Old, "-"), cmp.Or(ch.New, "-")))
}

func standing(s string) string {
	if s == "verified" {
		return "its operations run, each at its level"
	}
	return "a draft: it completes and runs nothing"
}

func (c *call) done(a *installAnswer) error {
	if c.json {
		return c.PrintJSON(a)
	}
	if !a.Installed {
		return nil
	}
	for _, s := range a.Packs {
		fmt.Fprintf(c.Stdout, "%s@%s  %s  %s\n", s.Name, s.Version, s.Digest, s.Standing)
	}
	if a.Lock != "" {
		fmt.Fprintf(c.Stdout, "%s\n", term.OneLine(a.Lock))
	}
	return nil
}

func newUpdate(c *call, f *command.Flags) command.Run {
	var dry bool
	f.Bool("dry-run", &dry)
	c.flagFrom(f)
	c.flagStale(f)
	c.flagYes(f)
	c.flagJSON(f)
	return func(in command.Input) error {
		h, err := c.home()
		if err != nil {
			return err
		}
		for _, name := range in.Args {
			if err := statement.CheckName(name); err != nil {
				return err
			}
		}
		if err := h.Fresh(c.Context); err != nil {
			return err
		}
		list, err := h.Outdated(c.Context, in.Args)
		if err != nil {
			return err
		}
		return c.update(h, list, len(in.Args) > 0, dry)
	}
}

// update installs what is newer. What another key signs is left to a person who names
// it.
func (c *call) update(h *registry.Home, list []registry.Outdated, named, dry bool) error {
	var wanted []registry.Wanted
	for _, o := range list {
		if o.Yanked != "" {
			c.Notice("%s@%s was taken back: %s", o.Name, o.Version, o.Yanked)
		}
		if o.KeyNote != "" && !named {
			c.Notice("%s@%s is left: %s; tmp registry install %s@%s takes it", o.Name, o.Newest, o.KeyNote, o.Name, o.Newest)
			continue
		}
		if o.Newest != "" {
			wanted = append(wanted, registry.Wanted{Name: o.Name, Version: o.Newest})
		}
	}
	if len(wanted) == 0 {
		if !c.json {
			c.Notice("nothing is newer")
		}
		return c.done(&installAnswer{V: 1, Packs: []stepInJSON{}})
	}
	steps, err := h.Plan(c.Context, wanted)
	if err != nil {
		return err
	}
	return c.install(h, steps, false, dry || !c.yes && !c.IsTerminal(0))
}

func newRemove(c *call, f *command.Flags) command.Run {
	c.flagJSON(f)
	return func(in command.Input) error {
		h, err := c.home()
		if err != nil {
			return err
		}
		if err := h.Remove(in.Args); err != nil {
			return err
		}
		layers.RefreshFish(c.Env, c.Places())
		if c.json {
			return c.PrintJSON(struct {
				V       int      `json:"v"`
				Removed []string `json:"removed"`
			}{1, in.Args})
		}
		for _, name := range in.Args {
			fmt.Fprintf(c.Stdout, "%s is removed\n", name)
		}
		return nil
	}
}

func newVerify(c *call, f *command.Flags) command.Run {
	c.flagFrom(f)
	c.flagStale(f)
	c.flagJSON(f)
	return func(command.Input) error {
		h, err := c.home()
		if err != nil {
			return err
		}
		dir, err := c.project()
		if err != nil {
			return err
		}
		list, err := h.Verify(c.Context, registry.LockFile(dir))
		if err != nil {
			return err
		}
		if c.json {
			err = c.PrintJSON(struct {
				V        int                `json:"v"`
				OK       bool               `json:"ok"`
				Findings []registry.Finding `json:"findings"`
			}{1, len(list) == 0, append([]registry.Finding{}, list...)})
		} else {
			for _, x := range list {
				at := x.File
				if x.Line > 0 {
					at = fmt.Sprintf("%s:%d", at, x.Line)
				}
				fmt.Fprintf(c.Stdout, "%s: %s\n", x.Code, term.OneLine(strings.TrimSpace(cmp.Or(at, x.Pack)+": "+x.Reason)))
			}
		}
		if err == nil && len(list) > 0 {
			return term.ExitStatus(1)
		}
		return err
	}
}
