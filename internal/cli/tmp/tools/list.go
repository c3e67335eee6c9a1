package tools

import (
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/agent/conf"
	"github.com/tool-mapping-protocol/tmp/internal/agent/definition"
	"github.com/tool-mapping-protocol/tmp/internal/agent/inventory"
	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/toolid"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// asked is for which agent, by which configuration.
type asked struct {
	agent, config string
	selects       []string
	json          bool
}

func (o *asked) bind(f *command.Flags) {
	f.String("agent", &o.agent)
	f.String("config", &o.config)
	f.Strings("select", &o.selects)
	f.Bool("json", &o.json)
}

// selected reads NAME=VALUE selectors: agent_key alone is one.
func (o *asked) selected() error {
	for _, s := range o.selects {
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return term.Usagef("--select wants NAME=VALUE, not %q", s)
		}
		if code := toolid.SelectorFault(name); code != "" {
			return term.Usagef("%s: %s", code, name).Hint("the one selector is agent_key").Coded(code)
		}
		o.agent = value
	}
	return nil
}

// inventory makes the inventory for the agent that is asked about.
func (o *asked) inventory(env *term.Env) ([]inventory.Tool, conf.Config, conf.Agent, error) {
	var none conf.Agent
	if err := o.selected(); err != nil {
		return nil, conf.Config{}, none, err
	}
	w, err := env.Session()
	if err != nil {
		return nil, conf.Config{}, none, err
	}
	c, err := readConfig(env, w, o.config)
	if err != nil {
		return nil, c, none, err
	}
	agent, err := agentOf(&c, agentKey(env, o.agent))
	if err != nil {
		return nil, c, none, err
	}
	p, err := parts(env, w, c)
	if err != nil {
		return nil, c, none, err
	}
	return inventory.Make(p, agent.Agent), c, agent, nil
}

type listAnswer struct {
	V         int              `json:"v"`
	AgentKey  string           `json:"agent_key"`
	StateMode toolid.StateMode `json:"state_mode"`
	Tools     []toolid.Row     `json:"tools"`
}

// NewList is tmp tools list.
func NewList(env *term.Env, f *command.Flags) command.Run {
	var o asked
	o.bind(f)
	return func(command.Input) error {
		list, c, agent, err := o.inventory(env)
		if err != nil {
			return err
		}
		if o.json {
			a := listAnswer{1, agent.Key, c.StateMode, []toolid.Row{}}
			for _, t := range list {
				a.Tools = append(a.Tools, t.Row)
			}
			return env.PrintJSON(a)
		}
		printList(env, list)
		return nil
	}
}

// printList shows a line for each tool, those that the agent has first.
func printList(env *term.Env, list []inventory.Tool) {
	st := env.StyleOf(1)
	width := 0
	for _, t := range list {
		width = max(width, len(t.Row.CanonicalID))
	}
	width = min(width, 48)
	for _, enabled := range [...]bool{true, false} {
		for _, t := range list {
			e := t.Row.Exposure
			if e.Enabled != enabled {
				continue
			}
			say := t.Row.Description
			if !e.Enabled {
				say = e.All[0].Code + ": " + e.All[0].Detail
			}
			level, _ := tcpdb.ParseLevel(t.Row.Level)
			pad := strings.Repeat(" ", max(0, len("MEDIUM_RISK")-len(t.Row.Level)))
			mark := map[bool]string{true: "+", false: "-"}[e.Enabled]
			fmt.Fprintf(env.Stdout, "%s %-*s  %s%s  %s\n", mark, width, t.Row.CanonicalID, st.Level(level), pad, term.OneLine(say))
		}
	}
}

type showAnswer struct {
	V        int                  `json:"v"`
	Tool     toolid.Row           `json:"tool"`
	Findings []definition.Finding `json:"findings"`
}

// NewShow is tmp tools show.
func NewShow(env *term.Env, f *command.Flags) command.Run {
	var o asked
	o.bind(f)
	return func(in command.Input) error {
		list, _, _, err := o.inventory(env)
		if err != nil {
			return err
		}
		t, ok := find(list, in.Args[0])
		if !ok {
			return unknown(in.Args[0])
		}
		if o.json {
			return env.PrintJSON(showAnswer{1, t.Row, append([]definition.Finding{}, t.Findings...)})
		}
		printTool(env, &t)
		return nil
	}
}

func unknown(id string) error {
	return term.Failf("no tool %q is known", id).Hint("tmp tools list shows them; tmp-agent refresh asks the servers again").Coded("unknown_tool")
}

// printTool shows all that is known of a tool.
func printTool(env *term.Env, t *inventory.Tool) {
	row := func(name, text string) {
		if text != "" {
			fmt.Fprintf(env.Stdout, "%-12s %s\n", name, term.OneLine(text))
		}
	}
	r := &t.Row
	row("id", r.CanonicalID)
	row("aliases", strings.Join(r.Aliases, ", "))
	row("on the wire", r.WireName)
	row("says", r.Description)
	row("level", r.Level)
	row("family", fmt.Sprintf("%s (%s, %s)", r.Family, r.Group, r.Tier))
	if r.Backing != nil {
		row("server", r.Backing.ID+" over "+r.Backing.Transport)
	}
	row("pin", t.Pin)
	if r.Exposure.Enabled {
		row(r.Exposure.AgentKey, "has it")
	}
	for _, c := range r.Exposure.All {
		row(r.Exposure.AgentKey, fmt.Sprintf("has it not: %s: %s", c.Code, c.Detail))
	}
	for _, f := range t.Findings {
		row("look at", findingText(f))
	}
}

func findingText(f definition.Finding) string { return f.Place + ": " + f.Code + ": " + f.Detail }
