// Package forging is every command of tgp but run: what makes, checks, approves and
// shares tools, and what only shows them.
package forging

import (
	"github.com/tool-mapping-protocol/tmp/internal/cli/tgp"
	"github.com/tool-mapping-protocol/tmp/internal/forge"
	"github.com/tool-mapping-protocol/tmp/internal/forge/run"
)

// call is one command that is run.
type call struct{ *tgp.Call }

// Commands are the commands by their names.
func Commands() map[string]func(*tgp.Call) error {
	out := map[string]func(*tgp.Call) error{}
	for name, f := range map[string]func(*call) error{
		"init": runInit, "list": runList, "check": runCheck, "add": runAdd, "fix": runFix, "review": runReview, "approve": runApprove, "revoke": runRevoke,
		"sync": runSync, "harvest": runHarvest, "janitor": runJanitor, "trust": runTrust, "show": runShow, "log": runLog, "config": runConfig,
		"doctor": runDoctor, "key": runKey, "serve": runServe,
	} {
		out[name] = func(c *tgp.Call) error { return f(&call{c}) }
	}
	out["run"] = func(c *tgp.Call) error { return c.Run(open) }
	return out
}

// open opens the forge for a run.
func open(c run.Caller) (*run.Runner, error) {
	f, err := forge.Open(c)
	return f.Runner, err
}

func (c *call) open() (*forge.Forge, error) { return forge.Open(c.Caller()) }

// lenient opens the forge for a command that goes on without a trusted configuration.
func (c *call) lenient() (*forge.Forge, error) {
	caller := c.Caller()
	caller.Lenient = true
	return forge.Open(caller)
}
