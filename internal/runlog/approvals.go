package runlog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// ApprovalTime is how long an approval and a request for one hold.
const ApprovalTime = 10 * time.Minute

// Pending is a plan that waits for a person: what `tmp approve` shows.
type Pending struct {
	V           int       `json:"v"`
	Digest      string    `json:"digest"` // SHA-256 of Plan, in hex
	Plan        string    `json:"plan"`   // canonical JSON, as text so that no byte of it changes
	OperationID string    `json:"operation_id"`
	Level       string    `json:"level"`
	Reason      string    `json:"reason"`
	Agent       string    `json:"agent"`
	Expires     time.Time `json:"expires"`
}

const maxPending = 8 << 20

// Request records that the plan waits for an approval.
func Request(state string, p Pending, now time.Time) error {
	d, err := stateDir(state, "pending", true)
	if err != nil {
		return err
	}
	defer d.Close()
	expire(d, now)
	p.V, p.Expires = 1, now.Add(ApprovalTime).UTC()
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return d.write(p.Digest, data)
}

// FindPending returns the one request whose digest begins with prefix, after
// checking that the digest is that of the plan it shows.
func FindPending(state, prefix string, now time.Time) (Pending, error) {
	d, err := stateDir(state, "pending", false)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return Pending{}, fmt.Errorf("no plan waits for approval")
		}
		return Pending{}, err
	}
	defer d.Close()
	names, err := d.names()
	if err != nil {
		return Pending{}, err
	}
	found := ""
	for _, n := range names {
		if len(n) == 2*sha256.Size && strings.HasPrefix(n, prefix) {
			if found != "" {
				return Pending{}, fmt.Errorf("several waiting plans begin with %s: give more of the digest", prefix)
			}
			found = n
		}
	}
	if found == "" {
		return Pending{}, fmt.Errorf("no plan that waits for approval has the digest %s", prefix)
	}
	data, err := d.read(found, maxPending)
	if err != nil {
		return Pending{}, err
	}
	var p Pending
	if err := json.Unmarshal(data, &p); err != nil {
		return Pending{}, fmt.Errorf("the request %s: %w", found, err)
	}
	if sum := sha256.Sum256([]byte(p.Plan)); p.Digest != found || hex.EncodeToString(sum[:]) != found {
		return Pending{}, fmt.Errorf("the request %s does not match its plan", found)
	}
	if !now.Before(p.Expires) {
		return Pending{}, fmt.Errorf("the request %s has expired: run the command again", short(found))
	}
	return p, nil
}

// approval is a person's yes to one plan.
type approval struct {
	V       int       `json:"v"`
	Digest  string    `json:"digest"`
	Expires time.Time `json:"expires"`
}

// Approve records one use of the plan with that digest and strikes the request.
func Approve(state, digest string, now time.Time) error {
	d, err := stateDir(state, "approved", true)
	if err != nil {
		return err
	}
	defer d.Close()
	expire(d, now)
	data, err := json.Marshal(approval{1, digest, now.Add(ApprovalTime).UTC()})
	if err != nil {
		return err
	}
	if err := d.write(digest, data); err != nil {
		return err
	}
	if p, err := stateDir(state, "pending", false); err == nil {
		_ = p.remove(digest, false)
		p.Close()
	}
	return nil
}

// Approved reports whether an unused approval of the plan holds, without using it.
func Approved(state, digest string, now time.Time) bool {
	d, err := stateDir(state, "approved", false)
	if err != nil {
		return false
	}
	defer d.Close()
	return holds(d, digest, now)
}

// UseApproval uses up the approval of the plan. Of several callers at once one
// gets true: the one whose removal of the file succeeds.
func UseApproval(state, digest string, now time.Time) bool {
	d, err := stateDir(state, "approved", false)
	if err != nil {
		return false
	}
	defer d.Close()
	return holds(d, digest, now) && d.remove(digest, false) == nil
}

// holds reports whether the record is ours, for this digest, and in time.
func holds(d *dir, digest string, now time.Time) bool {
	f, err := d.open(digest, os.O_RDONLY|unix.O_NONBLOCK)
	if err != nil {
		return false
	}
	defer f.Close()
	var st unix.Stat_t
	if unix.Fstat(int(f.Fd()), &st) != nil || int(st.Uid) != os.Getuid() || st.Mode&unix.S_IFMT != unix.S_IFREG || st.Mode&0o077 != 0 {
		return false
	}
	var a approval
	if json.NewDecoder(f).Decode(&a) != nil || a.V != 1 || a.Digest != digest {
		return false
	}
	// Also not from the future, which a clock set back would make of an old one.
	return now.Before(a.Expires) && !a.Expires.After(now.Add(ApprovalTime))
}

// expire removes records whose time is over.
func expire(d *dir, now time.Time) {
	names, _ := d.names()
	for _, n := range names {
		data, err := d.read(n, maxPending)
		var a approval
		if err == nil && json.Unmarshal(data, &a) == nil && now.After(a.Expires) {
			_ = d.remove(n, false)
		}
	}
}

func short(digest string) string { return digest[:min(12, len(digest))] }
