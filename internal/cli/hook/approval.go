package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/tool-mapping-protocol/tmp/internal/hook"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
)

// plan is what an approval of a call binds, in the form that tmp approve reads:
// the words that run the line, the directory, and who asked.
type plan struct {
	V    int               `json:"v"`
	Argv []string          `json:"argv"`
	Dir  string            `json:"cwd"`
	Env  map[string]string `json:"env"`
	Key  string            `json:"key"`
	Tool string            `json:"tool,omitempty"`
}

// approval returns the digest that a person may approve, and whether that was
// done and is now used up. "" if nothing can be kept.
func (c *call) approval(r *hook.Ruling) (digest string, passed bool) {
	if c.event.Line == "" || c.paths.State == "" {
		return "", false
	}
	text, err := json.Marshal(plan{V: 1, Argv: []string{"bash", "-c", c.event.Line}, Dir: c.dir, Env: map[string]string{}, Key: c.agent()})
	if err != nil {
		return "", false
	}
	sum := sha256.Sum256(text)
	digest = hex.EncodeToString(sum[:])
	now := c.env.Now()
	if runlog.UseApproval(c.paths.State, digest, now) {
		return digest, true
	}
	err = runlog.Request(c.paths.State, runlog.Pending{
		Digest: digest, Plan: string(text), Level: r.Found.Level.String(), Reason: r.Found.Why, Agent: c.agent(),
	}, now)
	if err != nil {
		return "", false
	}
	return digest, false
}
