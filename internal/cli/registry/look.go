package registry

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/registry"
	"github.com/tool-mapping-protocol/tmp/internal/registry/keys"
	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func newSearch(c *call, f *command.Flags) command.Run {
	c.flagFrom(f)
	c.flagJSON(f)
	return func(in command.Input) error {
		h, err := c.home()
		if err != nil {
			return err
		}
		limit := maxFound
		if c.json {
			limit = 0
		}
		found, err := h.Find(c.Context, in.Args, limit)
		if err != nil {
			return err
		}
		if c.json {
			return c.PrintJSON(found)
		}
		for _, n := range found.Notices {
			c.Notice("%s", n)
		}
		if len(found.Packs) == 0 {
			c.Notice("nothing fits")
			return nil
		}
		table := [][]string{{"PACK", "VERSION", "TOOLS", "LEVEL", "KEY", "STATE", "REVIEW", "DATE", "DESCRIPTION"}}
		for _, p := range found.Packs {
			table = append(table, []string{p.Name, p.Version, some(p.Tools, 4), p.Level, statement.Short(p.Key), string(p.KeyState), p.Review, day(p.Date), p.Description})
		}
		c.PrintTable(table)
		if more := found.Total - len(found.Packs); more > 0 {
			c.Notice("%d packs more fit: another word leaves fewer, --json tells all", more)
		}
		return nil
	}
}

func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

// maxFound bounds what is shown of a search.
const maxFound = 100

// some are the first of a list, and how many more there are.
func some(list []string, n int) string {
	if len(list) <= n {
		return strings.Join(list, " ")
	}
	return fmt.Sprintf("%s +%d", strings.Join(list[:n], " "), len(list)-n)
}

// operationRow is an operation of a pack that is shown.
type operationRow struct {
	ID       string   `json:"id"`
	Tool     string   `json:"tool"`
	Level    string   `json:"level"`
	Effect   string   `json:"effect"`
	Intents  []string `json:"intents"`
	Template string   `json:"template"`
}

type showAnswer struct {
	V int `json:"v"`
	registry.Shown
	Operations []operationRow `json:"operations"`
}

func newShow(c *call, f *command.Flags) command.Run {
	c.flagFrom(f)
	c.flagStale(f)
	c.flagJSON(f)
	return func(in command.Input) error {
		w, err := registry.ParseWanted(in.Args[0])
		if err != nil {
			return err
		}
		h, err := c.home()
		if err != nil {
			return err
		}
		found, err := h.Look(c.Context, w)
		if err != nil {
			return err
		}
		a := showAnswer{1, h.Show(found), operations(found.Pack)}
		if c.json {
			return c.PrintJSON(a)
		}
		c.show(&a)
		return nil
	}
}

func operations(p *opmap.Pack) []operationRow {
	out := []operationRow{}
	for _, s := range p.Sources {
		for _, op := range s.Operations {
			out = append(out, operationRow{op.ID, s.ToolOf(op), registry.LevelOf(op).String(), op.Effect, op.Intents, op.Template})
		}
	}
	slices.SortFunc(out, func(a, b operationRow) int { return strings.Compare(a.ID, b.ID) })
	return out
}

func (c *call) show(a *showAnswer) {
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(c.Stdout, "%-12s %s\n", name, term.OneLine(text))
		}
	}
	st := c.StyleOf(1)
	fmt.Fprintf(c.Stdout, "%s %s\n", st.Bold(term.OneLine(a.Name)), term.OneLine(a.Version))
	line("description", a.Description)
	line("license", a.License)
	line("homepage", a.Homepage)
	for _, t := range a.Tools {
		line("tool", strings.TrimSpace(t.Tool+" "+t.VersionRange))
	}
	line("platforms", strings.Join(a.Platforms, " "))
	line("requires", strings.Join(a.Requires, " "))
	line("review", a.Review)
	line("level", strings.TrimSpace(a.Level+" "+strings.Join(a.Flags, ",")))
	line("digest", a.Digest)
	line("signed by", signedBy(a))
	if !a.Date.IsZero() {
		line("date", a.Date.Format(time.RFC3339))
	}
	line("registry", a.Registry)
	line("standing", a.Standing)
	line("taken back", a.Yanked)
	for _, w := range a.Warnings {
		line("!", w)
	}
	for _, op := range a.Operations {
		level, _ := tcpdb.ParseLevel(op.Level)
		fmt.Fprintf(c.Stdout, "  %s  %s  %s  %s\n", term.OneLine(op.ID), st.Level(level), term.OneLine(op.Effect), term.OneLine(op.Template))
	}
}

func signedBy(a *showAnswer) string {
	if a.Key == "" {
		return string(a.KeyState)
	}
	return statement.Short(a.Key) + " " + keys.Fingerprint(a.Key) + " (" + trusted(string(a.KeyState), a.TrustedFor) + ")"
}

// trusted is a state of a key with what it is trusted for.
func trusted(state, what string) string {
	if what == "" {
		return state
	}
	return state + " for " + what
}

// packRow is an installed pack in a list.
type packRow struct {
	Name     string     `json:"name"`
	Version  string     `json:"version"`
	Digest   string     `json:"digest"`
	Key      string     `json:"key"`
	State    string     `json:"state"` // "verified": its operations run; "draft": they do not; "shipped"
	KeyState keys.State `json:"key_state"`
	For      string     `json:"trusted_for,omitempty"`
	Registry string     `json:"registry"`
	Yanked   string     `json:"yanked,omitempty"`
}

func rowsOf(h *registry.Home, list []opmap.InstalledPack) []packRow {
	out := []packRow{}
	for _, i := range list {
		r := packRow{Name: i.Name, Version: i.Version, Digest: i.Digest, Key: i.Key, State: "draft", KeyState: keys.State(i.State).Word(), For: keys.State(i.State).For(), Registry: i.Registry, Yanked: h.Yanked(&i)}
		if i.Trusted() && (i.State == opmap.ShippedState || h.Reviewed(&i)) {
			r.State = i.State
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b packRow) int { return rank(a) - rank(b) })
	return out
}

// rank puts first what has to be told first.
func rank(r packRow) int {
	if r.Yanked != "" || r.KeyState == keys.Revoked {
		return 0
	}
	return 1
}

func newList(c *call, f *command.Flags) command.Run {
	c.flagJSON(f)
	return func(command.Input) error {
		h, err := c.home()
		if err != nil {
			return err
		}
		list, err := h.Installed()
		if err != nil {
			return err
		}
		packs := rowsOf(h, list)
		if c.json {
			return c.PrintJSON(struct {
				V     int       `json:"v"`
				Packs []packRow `json:"packs"`
			}{1, packs})
		}
		if len(packs) == 0 {
			c.Notice("no pack is installed: tmp registry search finds some")
			return nil
		}
		table := [][]string{{"PACK", "VERSION", "STATE", "KEY", "DIGEST"}}
		for _, p := range packs {
			c.warn(p)
			table = append(table, []string{p.Name, p.Version, p.State, statement.Short(p.Key), p.Digest})
		}
		c.PrintTable(table)
		return nil
	}
}

// warn says what was taken back or revoked.
func (c *call) warn(p packRow) {
	if p.Yanked != "" {
		c.Notice("%s@%s was taken back: %s", p.Name, p.Version, p.Yanked)
	}
	if p.KeyState == keys.Revoked {
		c.Notice("%s@%s is signed by %s, which was revoked here", p.Name, p.Version, statement.Short(p.Key))
	}
}

func newOutdated(c *call, f *command.Flags) command.Run {
	c.flagFrom(f)
	c.flagJSON(f)
	return func(command.Input) error {
		h, err := c.home()
		if err != nil {
			return err
		}
		list, err := h.Outdated(c.Context, nil)
		if err != nil {
			return err
		}
		if c.json {
			return c.PrintJSON(struct {
				V     int                 `json:"v"`
				Packs []registry.Outdated `json:"packs"`
			}{1, append([]registry.Outdated{}, list...)})
		}
		c.outdated(list)
		return nil
	}
}

func (c *call) outdated(list []registry.Outdated) {
	if len(list) == 0 {
		c.Notice("every installed pack is the newest")
		return
	}
	for _, o := range list {
		if o.Yanked != "" {
			c.Notice("%s@%s was taken back: %s", o.Name, o.Version, o.Yanked)
		}
	}
	table := [][]string{{"PACK", "INSTALLED", "NEWEST", "KEY"}}
	for _, o := range list {
		table = append(table, []string{o.Name, o.Version, o.Newest, o.KeyNote})
	}
	c.PrintTable(table)
}
