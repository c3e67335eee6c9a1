// Package evidence looks for the evidence that makes a map worth trusting: it
// holds the map against the tool's own texts, and tries its operations in a jail
// in forms that change nothing and on samples. It records nothing.
package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
)

// Kinds of evidence.
const (
	KindHelp   = "parsed_help"
	KindDry    = "dry_run"
	KindSample = "sample_test"
	KindReview = "human_review"
)

// Status says how a check ended.
type Status string

// The ways in which a check ends. A check that could not be made earns nothing
// and shows nothing wrong.
const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Skipped Status = "skipped"
)

// Result is what one check found.
type Result struct {
	Check  string `json:"check"`
	Status Status `json:"status"`
	// Why it failed or could not be made, a clause for a person; how it passed.
	Why     string    `json:"why,omitempty"`
	Missing []Missing `json:"missing,omitempty"`
	// Faults of single samples.
	Faults []string `json:"faults,omitempty"`
	// Hash is the hex SHA-256 of what was looked at: the texts, the output.
	Hash string `json:"hash,omitempty"`
}

// Missing is a name of the map that no text of the tool has.
type Missing struct {
	Kind  string `json:"kind"`  // "option", "command"
	Node  string `json:"node"`  // the command, "git remote add"
	Name  string `json:"name"`  // "--frobnicate"
	Field string `json:"field"` // where the map has it, "node.subcommands[3].flags[2]"
}

func skipped(check, why string) Result { return Result{Check: check, Status: Skipped, Why: why} }

// hashOf hashes parts with their lengths.
func hashOf(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(strconv.Itoa(len(p)) + ":"))
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil))
}
