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
func (c *ForeignCall) plan(dir string) *invoke.Plan {
	return &invoke.Plan{Argv: []string{c.ID, c.Arguments}, Dir: dir, MapDigest: "agent " + c.Agent + ", definition " + c.Pin}
}

// Digest is what an approval of the call names.
func (c *ForeignCall) Digest() string {
	sum := sha256.Sum256(c.plan("").Canonical())
	return hex.EncodeToString(sum[:])
}

// RequestForeign leaves the call for a person to approve.
func (s *Session) RequestForeign(c ForeignCall) error {
	state, err := s.state()
	if err != nil {
		return err
	}
	err = runlog.Request(state, runlog.Pending{
		Digest: c.Digest(), Plan: string(c.plan("").Canonical()), OperationID: c.ID,
		Level: c.Level.String(), Reason: "a tool of another server", Agent: c.Agent,
	}, s.Now())
	if err != nil {
		return Fail("the request for approval cannot be kept: %s", err)
	}
	return nil
}

// UseForeign uses up a person's approval of the call; false if there is none.
func (s *Session) UseForeign(c ForeignCall) bool {
	return s.believed() && runlog.UseApproval(s.Paths.State, c.Digest(), s.Now())
}
