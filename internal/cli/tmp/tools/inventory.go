// Package tools holds the commands of tmp tools: which tools agents have, what
// their names mean, and which definitions of MCP servers a person trusts.
package tools

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/agent/conf"
	"github.com/tool-mapping-protocol/tmp/internal/agent/inventory"
	"github.com/tool-mapping-protocol/tmp/internal/agent/store"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// WantsJSON reports whether a line is one of tmp tools that asks for JSON: its
// failures are JSON too.
func WantsJSON(args []string) bool {
	if len(args) == 0 || args[0] != "tools" {
		return false
	}
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "--json") || slices.Contains(args, "--json=true")
}

// readConfig reads agent.toml, or the file that is named; warnings are told. A
// file of faults is a failure of status 2 that names each.
func readConfig(env *term.Env, w *session.Session, file string) (conf.Config, error) {
	named := file != ""
	if !named {
		if w.Paths.Config == "" {
			return conf.Default(), nil
		}
		file = filepath.Join(w.Paths.Config, "agent.toml")
	}
	data, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		return conf.Default(), nil
	case err != nil:
		return conf.Config{}, term.Usagef("%s", err)
	}
	c, warnings, problems := conf.Read(file, string(data))
	for _, p := range warnings {
		env.Notice("%s", p)
	}
	if len(problems) > 0 {
		for _, p := range problems[:len(problems)-1] {
			env.Notice("%s", p)
		}
		return conf.Config{}, term.Usagef("%s", problems[len(problems)-1])
	}
	return c, nil
}

// agentKey is the agent that is asked about: the flag's, the environment's, or "default".
func agentKey(env *term.Env, flag string) string {
	switch {
	case flag != "":
		return flag
	case env.Agent() != "":
		return env.Agent()
	}
	return "default"
}

// agentOf returns a declared agent; another is a failure of status 2.
func agentOf(c *conf.Config, key string) (conf.Agent, error) {
	a, ok := c.Agent(key)
	if !ok {
		return a, term.Usagef("no agent %q is declared in agent.toml", key).Hint("declare it: [agent.%s]", key).Coded("unknown_agent")
	}
	return a, nil
}

// parts reads what the inventory is made of.
func parts(env *term.Env, w *session.Session, c conf.Config) (inventory.Parts, error) {
	p := inventory.Parts{Look: true, Config: c, Own: inventory.Own(term.BesideOrPath(env, "te") != "")}
	if state := env.AccountState(); state != "" {
		s := store.In(state)
		var problems []error
		p.Listings, problems = s.Listings(slices.Sorted(maps.Keys(c.Servers)))
		for _, err := range problems {
			env.Notice("%s", err)
		}
		var err error
		if p.Pins, err = s.Pins(); err != nil {
			return p, term.Failf("%s", err)
		}
	}
	for _, op := range w.Operations() {
		o := inventory.Operation{ID: op.ID, Description: op.Description, Level: w.LeastLevel(&op).String(), ReadOnly: op.Effect == "read"}
		if op.Layer >= tcpdb.UserLayer {
			o.Plugin = op.Layer.String()
		}
		p.Operations = append(p.Operations, o)
	}
	return p, nil
}

// find returns the tool of an ID, of an alias of it, or of its name on the wire.
func find(list []inventory.Tool, id string) (inventory.Tool, bool) {
	for _, t := range list {
		if t.Row.CanonicalID == id || t.Row.WireName == id || slices.Contains(t.Row.Aliases, id) {
			return t, true
		}
	}
	return inventory.Tool{}, false
}

// chosen are the proxied tools that an ID or mcp.SERVER.* names.
func chosen(list []inventory.Tool, selector string) []inventory.Tool {
	server, all := strings.CutSuffix(selector, ".*")
	var out []inventory.Tool
	for _, t := range list {
		if t.Server != "" && (t.Row.CanonicalID == selector || all && "mcp."+t.Server == server) {
			out = append(out, t)
		}
	}
	return out
}
