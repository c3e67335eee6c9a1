package session

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// ForeignCall is a call of a tool that is not ours, as far as an approval binds
// it: who asks, which tool, as which definition, with what. What its server does
// with it is bound by nothing.
type ForeignCall struct {
	ID        string // canonical ID, "mcp.github.delete_repo"
	Agent     string
	Pin       string // of the definition
	Arguments string // canonical JSON
	Level     tcpdb.Level
}

// plan is the call in the form of a plan, which tmp approve shows.
func (c *ForeignCall) plan() *invoke.Plan {
	return &invoke.Plan{Argv: []string{c.ID, c.Arguments}, MapDigest: "agent " + c.Agent + ", definition " + c.Pin}
}

// Digest is what an approval of the call names.
func (c *ForeignCall) Digest() string {
	sum := sha256.Sum256(c.plan().Canonical())
	return hex.EncodeToString(sum[:])
}

// Pending is the call as it waits for a person. It has no place: its key is its
// digest, and there is no state beside it.
func (c *ForeignCall) Pending() runlog.Pending {
	return runlog.Pending{
		Digest: c.Digest(), Plan: string(c.plan().Canonical()), Key: c.Digest(), OperationID: c.ID,
		Level: c.Level.String(), Reason: "a tool of another server", Agent: c.Agent,
		Unbound: []runlog.Unbound{{What: c.ID, Why: "what its server does with the call is not bound", Code: true}},
	}
}

// RequestForeign leaves the call for a person to approve.
func (s *Session) RequestForeign(c ForeignCall) error {
	store := s.approvals()
	if store == nil {
		return Fail("nothing can be approved: the account has no entry in the passwd database, and so no place for it")
	}
	if err := store.Request(c.Pending()); err != nil {
		return Fail("the request for approval cannot be kept: %s", err)
	}
	return nil
}

// UseForeign uses up a person's approval of the call; false if there is none.
func (s *Session) UseForeign(c ForeignCall) bool {
	store := s.approvals()
	if store == nil {
		return false
	}
	found, _ := store.Find(c.Digest())
	for i := range found {
		if found[i].Digest == c.Digest() && store.Use(&found[i]) {
			return true
		}
	}
	return false
}
