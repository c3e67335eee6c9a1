package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/account"
	"github.com/tool-mapping-protocol/tmp/internal/binding"
	"github.com/tool-mapping-protocol/tmp/internal/hook"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
)

// words are how the line runs, as tmp approve shows them.
func (c *call) words() []string { return []string{"bash", "-c", c.event.Line} }

// approvalKey stands for the line, the place and who asked.
func (c *call) approvalKey() string {
	h := sha256.New()
	for _, s := range []string{"hook", c.agent(), c.dir, c.event.Line} {
		fmt.Fprintf(h, "%d:%s,", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// asAgent is the environment with the id of who asks: two agents that ask for the
// same line have two digests, and the yes to one is not the other's.
func (c *call) asAgent() []string {
	env := slices.DeleteFunc(slices.Clone(c.env.Environ), func(e string) bool { return strings.HasPrefix(e, "TMP_AGENT_ID=") })
	return append(env, "TMP_AGENT_ID="+c.agent())
}

// approval returns the digest that a person may approve, and whether that was
// done and is now used up. "" if nothing can be kept. It binds the place as the
// approval of a plan does: a line whose place has changed since the yes is asked
// about again.
func (c *call) approval(r *hook.Ruling) (digest string, passed bool) {
	state := account.State(c.env.Account())
	if c.event.Line == "" || state == "" {
		return "", false
	}
	store := runlog.OpenApprovals(state, account.At(c.env.Now()))
	options := binding.Options{Cache: c.paths.Cache, Skip: []string{state}}
	key := c.approvalKey()
	found, _ := store.Find(key)
	for i := range found {
		if c.holds(store, &found[i], options) && store.Use(&found[i]) {
			return found[i].Digest, true
		}
		store.Strike(&found[i])
	}
	program, _, _ := invoke.Look("bash", c.dir, c.env.Environ)
	place, err := binding.Take(binding.Subject{
		Dir: c.dir, Home: c.paths.Home, Commands: [][]string{c.words()}, Programs: []string{program}, Env: c.env.Environ,
	}, options)
	if err != nil || place.Cut != "" {
		return "", false
	}
	plan := &invoke.Plan{Argv: c.words(), Dir: c.dir, Env: invoke.Settle(c.asAgent(), c.dir), Place: binding.Hex(place.Digest)}
	text := plan.Canonical()
	sum := sha256.Sum256(text)
	p := runlog.Pending{
		Digest: hex.EncodeToString(sum[:]), Plan: string(text), Key: key, Level: r.Found.Level.String(), Reason: r.Found.Why,
		Agent: c.agent(), State: place.Encode(),
	}
	for _, u := range place.Unbound {
		p.Unbound = append(p.Unbound, runlog.Unbound(u))
	}
	if store.Request(p) != nil {
		return "", false
	}
	return p.Digest, false
}

// holds reports whether the place is as it was when a person said yes.
func (c *call) holds(store *runlog.Approvals, a *runlog.Approval, o binding.Options) bool {
	data, err := store.State(a)
	if err != nil {
		return false
	}
	old, err := binding.Decode(data)
	if err != nil {
		return false
	}
	now, err := binding.Again(old, o)
	return err == nil && len(binding.Changes(old, now)) == 0
}
