package tools

import (
	"fmt"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/agent/definition"
	"github.com/tool-mapping-protocol/tmp/internal/agent/inventory"
	"github.com/tool-mapping-protocol/tmp/internal/agent/store"
	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/textdiff"
)

// refused is the status where a person is wanted and none is there.
const refused = 125

// person fails unless a person sits at the terminal: what they trust is what they
// have seen.
func person(env *term.Env, what string) error {
	if env.Who() == gate.Person {
		return nil
	}
	f := term.Failf("only a person at a terminal can %s", what)
	if env.Agent() != "" {
		f = f.Hint("TMP_AGENT_ID is set: a person does this in a terminal of their own")
	}
	f.Status = refused
	return f
}

// accountState is where trust is kept: what an agent's environment says has no
// part in it.
func accountState(env *term.Env) (string, error) {
	if state := env.AccountState(); state != "" {
		return state, nil
	}
	return "", term.Failf("nothing can be trusted: the account has no entry in the passwd database, and so no place for it")
}

type trustAnswer struct {
	V       int      `json:"v"`
	Trusted []string `json:"trusted"`
}

type untrustAnswer struct {
	V       int      `json:"v"`
	Removed []string `json:"removed"`
}

// NewTrust is tmp tools trust: each definition is shown with what stands out in
// it, and one answer takes them all.
func NewTrust(env *term.Env, f *command.Flags) command.Run {
	var o asked
	f.String("config", &o.config)
	f.Bool("json", &o.json)
	return func(in command.Input) error {
		if err := person(env, "trust a tool"); err != nil {
			return err
		}
		o.agent = "default"
		list, _, _, err := o.inventory(env)
		if err != nil {
			return err
		}
		var ask []inventory.Tool
		for _, selector := range in.Args {
			found := chosen(list, selector)
			if len(found) == 0 {
				return unknown(selector)
			}
			ask = append(ask, found...)
		}
		pins := show(env, ask)
		if len(pins) == 0 {
			env.Notice("nothing to trust: the definitions are as they were trusted, or cannot be used")
			if o.json {
				return env.PrintJSON(trustAnswer{1, []string{}})
			}
			return nil
		}
		yes, err := term.Confirm(env, fmt.Sprintf("Trust %s as shown? [y/N] ", count(len(pins), "definition")))
		if err != nil {
			return err
		}
		if !yes {
			return term.ExitStatus(1)
		}
		state, err := accountState(env)
		if err != nil {
			return err
		}
		if err := store.In(state).Pin(pins...); err != nil {
			return term.Failf("%s", err)
		}
		a := trustAnswer{V: 1}
		for _, p := range pins {
			a.Trusted = append(a.Trusted, p.ID)
		}
		if o.json {
			return env.PrintJSON(a)
		}
		return nil
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// show prints the definitions that are not trusted as they are now, and returns
// the pins that a yes would record.
func show(env *term.Env, ask []inventory.Tool) []inventory.Pinned {
	var pins []inventory.Pinned
	for _, t := range ask {
		if t.Pin == "" || t.Trusted != nil && t.Trusted.Pin == t.Pin {
			continue
		}
		if reason := unusable(&t); reason != "" {
			env.Notice("%s cannot be trusted: %s", t.Row.CanonicalID, reason)
			continue
		}
		fmt.Fprintf(env.Stderr, "%s\n%s", env.StyleOf(2).Bold(t.Row.CanonicalID), difference(&t))
		for _, f := range t.Findings {
			fmt.Fprintf(env.Stderr, "  ! %s\n", term.OneLine(findingText(f)))
		}
		pins = append(pins, inventory.Pinned{ID: t.Row.CanonicalID, Pin: t.Pin, At: env.Now().UTC().Format(time.RFC3339), Tool: *t.Definition})
	}
	return pins
}

// unusable is why trust would not help: a name, a schema or a double.
func unusable(t *inventory.Tool) string {
	for _, c := range t.Subject.Schema {
		if c.Code != "untrusted" && c.Code != "definition_changed" {
			return c.Code + ": " + c.Detail
		}
	}
	return ""
}

// difference shows a definition beside the one that was trusted, a line for each
// field; hidden characters are shown escaped.
func difference(t *inventory.Tool) string {
	var old string
	if t.Trusted != nil {
		old = fields(&t.Trusted.Tool)
	}
	var b strings.Builder
	for line := range strings.Lines(textdiff.Unified(old, fields(t.Definition))) {
		b.WriteString("  " + line)
	}
	return b.String()
}

// fields is a definition as text, one field a line.
func fields(d *definition.Tool) string {
	var b strings.Builder
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, escaped(text))
		}
	}
	line("name", d.Name)
	line("title", d.Title)
	line("description", d.Description)
	line("input", string(definition.Canonical(d.InputSchema)))
	if len(d.OutputSchema) > 0 {
		line("output", string(definition.Canonical(d.OutputSchema)))
	}
	if len(d.Annotations) > 0 {
		line("annotations", string(definition.Canonical(d.Annotations)))
	}
	return b.String()
}

// escaped shows what is hidden in a text as \u{…}.
func escaped(text string) string {
	var b strings.Builder
	for _, r := range text {
		if s := string(r); definition.Clean(s) == s && r != '\n' && r != '\t' {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
	}
	return b.String()
}

// NewUntrust is tmp tools untrust.
func NewUntrust(env *term.Env, f *command.Flags) command.Run {
	var asJSON bool
	f.Bool("json", &asJSON)
	return func(in command.Input) error {
		if err := person(env, "take trust from a tool"); err != nil {
			return err
		}
		state, err := accountState(env)
		if err != nil {
			return err
		}
		yes, err := term.Confirm(env, fmt.Sprintf("Take the trust from %s? [y/N] ", strings.Join(in.Args, ", ")))
		if err != nil {
			return err
		}
		if !yes {
			return term.ExitStatus(1)
		}
		gone, err := store.In(state).Unpin(func(id string) bool {
			for _, s := range in.Args {
				prefix, all := strings.CutSuffix(s, "*")
				if id == s || all && strings.HasPrefix(s, "mcp.") && strings.HasPrefix(id, prefix) {
					return true
				}
			}
			return false
		})
		switch {
		case err != nil:
			return term.Failf("%s", err)
		case len(gone) == 0:
			return term.Failf("none of them is trusted")
		case asJSON:
			return env.PrintJSON(untrustAnswer{1, gone})
		}
		return nil
	}
}

type diffAnswer struct {
	V        int                  `json:"v"`
	ID       string               `json:"id"`
	Changed  bool                 `json:"changed"`
	Trusted  *definition.Tool     `json:"trusted"`
	Now      *definition.Tool     `json:"now"`
	Diff     string               `json:"diff"`
	Findings []definition.Finding `json:"findings"`
}

// NewDiff is tmp tools diff: what was trusted beside what is listed now.
func NewDiff(env *term.Env, f *command.Flags) command.Run {
	var o asked
	f.String("config", &o.config)
	f.Bool("json", &o.json)
	return func(in command.Input) error {
		o.agent = "default"
		list, _, _, err := o.inventory(env)
		if err != nil {
			return err
		}
		t, ok := find(list, in.Args[0])
		if !ok || t.Definition == nil {
			return unknown(in.Args[0])
		}
		a := diffAnswer{V: 1, ID: t.Row.CanonicalID, Now: t.Definition, Findings: append([]definition.Finding{}, t.Findings...)}
		if t.Pin == "" { // listed no more
			a.Now = nil
		}
		if t.Trusted != nil {
			a.Trusted = &t.Trusted.Tool
		}
		a.Changed = t.Trusted == nil || t.Trusted.Pin != t.Pin
		if a.Diff = "unchanged\n"; a.Changed {
			a.Diff = difference(&t)
		}
		if o.json {
			return env.PrintJSON(a)
		}
		fmt.Fprint(env.Stdout, a.Diff)
		for _, f := range a.Findings {
			fmt.Fprintf(env.Stdout, "  ! %s\n", term.OneLine(findingText(f)))
		}
		return nil
	}
}
