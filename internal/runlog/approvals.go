package runlog

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/tool-mapping-protocol/tmp/internal/account"
)

// How long an approval and a request for one hold, and an approval for a while at
// most and where nobody says how long.
const (
	ApprovalTime = 10 * time.Minute
	MostTime     = time.Hour
	WhileTime    = 15 * time.Minute
)

// Pending is a plan that waits for a person: what `tmp approve` shows.
type Pending struct {
	V           int    `json:"v"`
	Digest      string `json:"digest"` // SHA-256 of Plan, in hex
	Plan        string `json:"plan"`   // canonical JSON, as text so that no byte of it changes
	Key         string `json:"key"`    // stands for the words and the place
	OperationID string `json:"operation_id"`
	Level       string `json:"level"`
	Reason      string `json:"reason"`
	Agent       string `json:"agent"`
	// Unbound is what the approval says nothing about.
	Unbound []Unbound `json:"unbound,omitempty"`
	// Changed is what is different from what was approved before, Diff how.
	Changed []string `json:"changed,omitempty"`
	Diff    []string `json:"diff,omitempty"`
	// Told is what was found out that it would do, Touches how many rows it would change.
	Told    []string `json:"told,omitempty"`
	Touches *int64   `json:"touches,omitempty"`
	// Inputs are what may change while the line is allowed for a while.
	Inputs []string `json:"inputs,omitempty"`
	State  []byte   `json:"-"` // of the place, as bytes
	stamp
}

// Unbound is something that a plan depends on and that nothing stands for.
type Unbound struct {
	What string `json:"what"`
	Why  string `json:"why"`
	Code bool   `json:"code,omitempty"`
}

// Approval is a person's yes to a plan: for one use, or for a while.
type Approval struct {
	V           int      `json:"v"`
	Digest      string   `json:"digest"`
	Plan        string   `json:"plan"`
	Key         string   `json:"key"`
	OperationID string   `json:"operation_id"`
	Level       string   `json:"level"`
	Agent       string   `json:"agent"`
	While       bool     `json:"while,omitempty"`   // not used up by a run
	Except      []string `json:"except,omitempty"`  // what may change meanwhile
	Touches     *int64   `json:"touches,omitempty"` // rows that the person was told of
	Nonce       string   `json:"nonce"`
	// The file that holds the record: a copy is another one.
	Inode uint64 `json:"inode"`
	Birth int64  `json:"birth"`
	stamp

	name string // of the file
}

// stamp is when a record was made, how long it holds, and that it is ours.
type stamp struct {
	Time   time.Time     `json:"time"`
	Boot   time.Duration `json:"boot_ns"`
	BootID string        `json:"boot_id"`
	Lasts  time.Duration `json:"lasts_ns"`
	// StateSum is SHA-256 of the record of the place's state.
	StateSum string `json:"state"`
	MAC      string `json:"mac"` // over the record without it, by the account's key
}

// Expires is when the record ends, by the clock on the wall.
func (s *stamp) Expires() time.Time { return s.Time.Add(s.Lasts) }

// errExpired says that the time of a record is over.
var errExpired = errors.New("has expired")

// holds reports why a record does not hold now: whichever clock ends it first.
func (s *stamp) holds(now account.Clock) error {
	wall, boot := now.Wall.Sub(s.Time), now.Boot-s.Boot
	switch {
	case now.BootID != s.BootID:
		return errExpired // the machine was started again since
	case wall < 0 || boot < 0:
		return errors.New("is from the future")
	case s.Lasts > MostTime || wall >= s.Lasts || boot >= s.Lasts:
		return errExpired
	}
	return nil
}

func newStamp(now account.Clock, lasts time.Duration, state []byte) stamp {
	sum := sha256.Sum256(state)
	return stamp{Time: now.Wall.UTC(), Boot: now.Boot, BootID: now.BootID, Lasts: lasts, StateSum: hex.EncodeToString(sum[:])}
}

// Approvals are the requests and approvals of an account.
type Approvals struct {
	state string // the state directory
	now   account.Clock
}

// OpenApprovals are those in a state directory, as they hold at a moment.
func OpenApprovals(state string, now account.Clock) *Approvals { return &Approvals{state, now} }

// Request records that the plan waits for an approval.
func (a *Approvals) Request(p Pending) error {
	d, err := stateDir(a.state, "pending", true)
	if err != nil {
		return err
	}
	defer d.Close()
	a.expire(d)
	p.V, p.stamp = 2, newStamp(a.now, ApprovalTime, p.State)
	key, err := a.key(true)
	if err != nil {
		return err
	}
	if p.MAC, err = seal(key, p); err != nil {
		return err
	}
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	if err := a.saveState(p.StateSum, p.State); err != nil {
		return err
	}
	return d.write(p.Digest, data)
}

const (
	maxPending = 8 << 20
	maxState   = 256 << 20
)

// Pending returns the one request whose digest begins with prefix, after checking
// that it is ours, and that the digest is that of the plan it shows.
func (a *Approvals) Pending(prefix string) (p Pending, err error) {
	d, err := stateDir(a.state, "pending", false)
	if errors.Is(err, fs.ErrNotExist) {
		return p, errors.New("no plan waits for approval")
	}
	if err != nil {
		return p, err
	}
	defer d.Close()
	names, err := d.names()
	if err != nil {
		return p, err
	}
	found := ""
	for _, n := range names {
		if len(n) == 2*sha256.Size && strings.HasPrefix(n, prefix) {
			if found != "" {
				return p, fmt.Errorf("several waiting plans begin with %s: give more of the digest", prefix)
			}
			found = n
		}
	}
	if found == "" {
		return p, fmt.Errorf("no plan that waits for approval has the digest %s", prefix)
	}
	data, err := d.read(found, maxPending)
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return p, fmt.Errorf("the request %s: %w", found, err)
	}
	key, err := a.key(false)
	if err != nil || !sealed(key, p.MAC, func() (string, error) { q := p; q.MAC = ""; return seal(key, q) }) {
		return p, fmt.Errorf("the request %s was not written by tmp", short(found))
	}
	if sum := sha256.Sum256([]byte(p.Plan)); p.Digest != found || hex.EncodeToString(sum[:]) != found {
		return p, fmt.Errorf("the request %s does not match its plan", found)
	}
	if err := p.holds(a.now); err != nil {
		return p, fmt.Errorf("the request %s %w: run the command again", short(found), err)
	}
	p.State, err = a.loadState(p.StateSum)
	return p, err
}

// Approve records a person's yes to a plan for one use and strikes the request;
// with while above 0 for that long, whatever changes of except.
func (a *Approvals) Approve(p Pending, while time.Duration, except []string) error {
	d, err := stateDir(a.state, "approved", true)
	if err != nil {
		return err
	}
	defer d.Close()
	a.expire(d)
	key, err := a.key(true)
	if err != nil {
		return err
	}
	lasts := ApprovalTime
	if while > 0 {
		lasts = min(while, MostTime)
	}
	r := Approval{
		V: 2, Digest: p.Digest, Plan: p.Plan, Key: p.Key, OperationID: p.OperationID, Level: p.Level, Agent: p.Agent,
		While: while > 0, Except: except, Touches: p.Touches, Nonce: randomHex(16), stamp: newStamp(a.now, lasts, p.State),
	}
	if err := a.saveState(r.StateSum, p.State); err != nil {
		return err
	}
	if err := d.writeSealed(r.Nonce, func(inode uint64, birth int64) ([]byte, error) {
		r.Inode, r.Birth = inode, birth
		if r.MAC, err = seal(key, r); err != nil {
			return nil, err
		}
		return json.Marshal(r)
	}); err != nil {
		return err
	}
	if p, err := stateDir(a.state, "pending", false); err == nil {
		_ = p.remove(r.Digest, false)
		p.Close()
	}
	return nil
}

// Find returns the approvals that hold for a key, the newest first. wrong names
// the records that are none of ours or were put back; they are struck.
func (a *Approvals) Find(key string) (found []Approval, wrong []string) {
	all, wrong := a.List()
	return slices.DeleteFunc(all, func(r Approval) bool { return r.Key != key }), wrong
}

// List returns all approvals that hold, the newest first, and what is wrong with
// others.
func (a *Approvals) List() (all []Approval, wrong []string) {
	d, err := stateDir(a.state, "approved", false)
	if err != nil {
		return nil, nil
	}
	defer d.Close()
	names, _ := d.names()
	for _, n := range names {
		r, err := a.open(d, n)
		switch {
		case err == nil:
			all = append(all, r)
		case errors.Is(err, errExpired):
			_ = d.remove(n, false)
		default:
			wrong = append(wrong, fmt.Sprintf("the record %s of an approval %v", short(n), err))
			_ = d.remove(n, false)
		}
	}
	slices.SortFunc(all, func(x, y Approval) int { return y.Time.Compare(x.Time) })
	return all, wrong
}

// open reads a record and says what is wrong with it.
func (a *Approvals) open(d *dir, name string) (r Approval, err error) {
	f, err := d.open(name, os.O_RDONLY|unix.O_NONBLOCK)
	if err != nil {
		return r, err
	}
	defer f.Close()
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return r, err
	}
	if int(st.Uid) != os.Getuid() || st.Mode&unix.S_IFMT != unix.S_IFREG || st.Mode&0o077 != 0 || st.Nlink != 1 {
		return r, errors.New("is not a file of ours")
	}
	data, err := io.ReadAll(io.LimitReader(f, maxPending))
	if err != nil {
		return r, err
	}
	if json.Unmarshal(data, &r) != nil || r.V != 2 || r.Nonce != name {
		return r, errors.New("was not written by tmp")
	}
	key, err := a.key(false)
	if err != nil || !sealed(key, r.MAC, func() (string, error) { q := r; q.MAC = ""; return seal(key, q) }) {
		return r, errors.New("was not written by tmp")
	}
	inode, birth := born(f)
	if inode != r.Inode || birth != r.Birth || a.used(r.Nonce) {
		return r, errors.New("was put back: it is not the file that was written")
	}
	if err := r.holds(a.now); err != nil {
		return r, err
	}
	r.name = name
	return r, nil
}

// Use uses up an approval; of several callers at once one gets true. One for a
// while stays.
func (a *Approvals) Use(r *Approval) bool {
	if r.While {
		return true
	}
	u, err := stateDir(a.state, "used", true)
	if err != nil {
		return false
	}
	defer u.Close()
	f, err := u.open(r.Nonce, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return false
	}
	f.Close()
	a.Strike(r)
	return true
}

// Strike takes an approval back.
func (a *Approvals) Strike(r *Approval) {
	d, err := stateDir(a.state, "approved", false)
	if err != nil {
		return
	}
	defer d.Close()
	// Emptied first: another link to the file must not keep it.
	if f, err := d.open(r.name, os.O_WRONLY|unix.O_NONBLOCK); err == nil {
		_ = f.Truncate(0)
		f.Close()
	}
	_ = d.remove(r.name, false)
}

func (a *Approvals) used(nonce string) bool {
	d, err := stateDir(a.state, "used", false)
	if err != nil {
		return false
	}
	defer d.Close()
	var st unix.Stat_t
	return unix.Fstatat(d.fd(), nonce, &st, unix.AT_SYMLINK_NOFOLLOW) == nil
}

// State is the state of the place that an approval is for.
func (a *Approvals) State(r *Approval) ([]byte, error) { return a.loadState(r.StateSum) }

func (a *Approvals) saveState(sum string, state []byte) error {
	d, err := stateDir(a.state, "states", true)
	if err != nil {
		return err
	}
	defer d.Close()
	var st unix.Stat_t
	if unix.Fstatat(d.fd(), sum, &st, unix.AT_SYMLINK_NOFOLLOW) == nil && st.Size == int64(len(state)) {
		_ = unix.UtimesNanoAt(d.fd(), sum, nil, unix.AT_SYMLINK_NOFOLLOW) // it is used again
		return nil
	}
	a.forgetStates(d)
	return d.writeLater(sum, state)
}

// forgetStates removes the states that no record can need any more.
func (a *Approvals) forgetStates(d *dir) {
	names, _ := d.names()
	for _, n := range names {
		var st unix.Stat_t
		if unix.Fstatat(d.fd(), n, &st, unix.AT_SYMLINK_NOFOLLOW) == nil && time.Since(time.Unix(st.Mtim.Unix())) > MostTime+ApprovalTime {
			_ = d.remove(n, false)
		}
	}
	if u, err := stateDir(a.state, "used", false); err == nil {
		defer u.Close()
		names, _ := u.names()
		for _, n := range names {
			var st unix.Stat_t
			if unix.Fstatat(u.fd(), n, &st, unix.AT_SYMLINK_NOFOLLOW) == nil && time.Since(time.Unix(st.Mtim.Unix())) > MostTime+ApprovalTime {
				_ = u.remove(n, false)
			}
		}
	}
}

func (a *Approvals) loadState(sum string) ([]byte, error) {
	d, err := stateDir(a.state, "states", false)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	data, err := d.read(sum, maxState)
	if err != nil {
		return nil, err
	}
	if got := sha256.Sum256(data); hex.EncodeToString(got[:]) != sum {
		return nil, errors.New("the record of the place is not what was written")
	}
	return data, nil
}

// expire removes requests and approvals whose time is over.
func (a *Approvals) expire(d *dir) {
	names, _ := d.names()
	for _, n := range names {
		data, err := d.read(n, maxPending)
		var r struct{ stamp }
		if err == nil && json.Unmarshal(data, &r) == nil && errors.Is(r.holds(a.now), errExpired) {
			_ = d.remove(n, false)
		}
	}
}

// keyName is the file of the account's key, which says that a record is tmp's.
const keyName = "approval.key"

// key is the account's key; with create it is made if there is none.
func (a *Approvals) key(create bool) ([]byte, error) {
	if create {
		if err := os.MkdirAll(a.state, 0o700); err != nil {
			return nil, err
		}
	}
	d, err := openDir(a.state)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	key, err := d.read(keyName, 1<<10)
	if err == nil && len(key) == 2*sha256.Size {
		return key, nil
	}
	if !create {
		return nil, errors.New("there is no key")
	}
	if err := d.write(keyName, []byte(randomHex(sha256.Size))); err != nil {
		return nil, err
	}
	return d.read(keyName, 1<<10)
}

// seal is the MAC of a record whose own is empty.
func seal(key []byte, record any) (string, error) {
	data, err := json.Marshal(record)
	if err != nil {
		return "", err
	}
	m := hmac.New(sha256.New, key)
	m.Write(data)
	return hex.EncodeToString(m.Sum(nil)), nil
}

func sealed(key []byte, mac string, again func() (string, error)) bool {
	want, err := again()
	return err == nil && len(key) > 0 && hmac.Equal([]byte(want), []byte(mac))
}

func short(digest string) string { return digest[:min(12, len(digest))] }
