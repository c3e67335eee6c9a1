// Package audit keeps the log of what was dangerous and how it was answered:
// one line of JSON each in the state directory, for its owner alone. Secrets in
// command lines are masked before they are written. The program behind the
// Enter key links it, so it needs no encoder.
package audit

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

const (
	fileName = "audit.jsonl"
	// maxSize is the size in bytes at which the log is put aside; with maxKept
	// older ones that bounds the whole.
	maxSize = 1 << 20
	maxKept = 4
	// maxLine bounds the command line that is kept, in bytes.
	maxLine = 4 << 10
)

// Answer is how a line was answered.
type Answer string

// The answers.
const (
	Allowed  Answer = "allowed"  // asked, and the person said yes
	Refused  Answer = "refused"  // asked, and the person said no; or refused without asking
	Safer    Answer = "safer"    // asked, and the person took the safer way
	Waived   Answer = "waived"   // not asked: the policy lets it pass
	Bypassed Answer = "bypassed" // not asked: the person wrote so
	Ran      Answer = "ran"      // run by tmp run
	Approved Answer = "approved" // by tmp approve, for another
	Asked    Answer = "asked"    // a harness was told to ask its person; what the person said nobody knows
)

// Record is one entry. Empty fields are left out.
type Record struct {
	Time   time.Time
	Via    string // "enter", "run", "approve", "hook"
	Answer Answer
	Reason string // why it was waived or refused: "git has it unchanged", "agent", "no_terminal"
	Level  string
	Flags  []string
	Rules  []string
	// Loss and Reach are what was at stake and whose it was, of what decided.
	Loss, Reach string
	Shell       string
	Dir         string
	Line        string      // masked by Append
	Map         *tcpdb.View // tells which words of the line are secrets; nil: nothing is known of the tools
	Agent       string
	// Session is the harness's name of the conversation.
	Session string
	// Of an operation that tmp ran.
	Operation, PlanDigest, RunID string
	// Of a plan that was asked about: how many files the answer was for, and what it
	// was not for.
	Bound   int
	Unbound []string
}

// File is the log in a state directory.
func File(state string) string { return filepath.Join(state, fileName) }

// errNoState says that there is nowhere to write.
var errNoState = errors.New("there is no state directory")

// Append adds a record. It waits for no one for long: the line is written with
// one call, so that lines of several processes do not mix, and a log that
// another process is putting aside is left to it.
func Append(state string, r Record) error {
	if state == "" {
		return errNoState
	}
	if err := os.MkdirAll(state, 0o700); err != nil {
		return err
	}
	line := encode(&r)
	for range 3 {
		f, err := open(state)
		if err != nil {
			return err
		}
		done, err := write(state, f, line)
		if e := f.Close(); err == nil {
			err = e
		}
		if done || err != nil {
			return err
		}
	}
	return errors.New(fileName + " is being put aside again and again")
}

func open(state string) (*os.File, error) {
	return os.OpenFile(File(state), os.O_WRONLY|os.O_CREATE|os.O_APPEND|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
}

// write adds the line to an open log; done is false if that has been put aside
// meanwhile, or is by this call.
func write(state string, f *os.File, line []byte) (done bool, err error) {
	locked := false
	for range 20 {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if locked = err == nil; locked || !errors.Is(err, syscall.EWOULDBLOCK) {
			break
		}
		time.Sleep(2 * time.Millisecond)
	}
	st, err := f.Stat()
	switch {
	case err != nil:
		return false, err
	case !st.Mode().IsRegular():
		return false, &os.PathError{Op: "write", Path: f.Name(), Err: errors.New("is no regular file")}
	}
	if now, err := os.Lstat(File(state)); err != nil || !os.SameFile(st, now) {
		return false, nil
	}
	if locked && st.Size() > 0 && st.Size()+int64(len(line)) > maxSize {
		return false, rotate(state)
	}
	if locked && st.Size() > 0 {
		// A line that was cut by a full disk must not swallow this one.
		var last [1]byte
		if r, err := os.Open(File(state)); err == nil {
			if _, err := r.ReadAt(last[:], st.Size()-1); err == nil && last[0] != '\n' {
				line = append([]byte{'\n'}, line...)
			}
			_ = r.Close()
		}
	}
	_, err = f.Write(line)
	return true, err
}

// rotate puts the log aside as audit.jsonl.1, and each older one a place on.
func rotate(state string) error {
	for n := maxKept; n > 1; n-- {
		err := os.Rename(older(state, n-1), older(state, n))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return os.Rename(File(state), older(state, 1))
}

func older(state string, n int) string { return File(state) + "." + strconv.Itoa(n) }

// encode writes a record as one line of JSON.
func encode(r *Record) []byte {
	b := append(make([]byte, 0, 512), `{"v":1,"time":"`...)
	b = r.Time.UTC().AppendFormat(b, "2006-01-02T15:04:05.000Z")
	b = append(b, '"')
	text := func(key, value string) {
		if value != "" {
			b = append(append(append(b, ',', '"'), key...), '"', ':')
			b = quote(b, value)
		}
	}
	list := func(key string, values []string) {
		if len(values) == 0 {
			return
		}
		b = append(append(append(b, ',', '"'), key...), '"', ':', '[')
		for i, v := range values {
			if i > 0 {
				b = append(b, ',')
			}
			b = quote(b, v)
		}
		b = append(b, ']')
	}
	text("via", r.Via)
	text("answer", string(r.Answer))
	text("reason", r.Reason)
	text("level", r.Level)
	list("flags", r.Flags)
	list("rules", r.Rules)
	text("loss", r.Loss)
	text("reach", r.Reach)
	text("shell", r.Shell)
	text("cwd", r.Dir)
	text("line", Mask(cut(r.Line), r.Map))
	text("agent", r.Agent)
	text("session", cut(r.Session))
	text("operation_id", r.Operation)
	text("plan_digest", r.PlanDigest)
	text("run_id", r.RunID)
	if r.Bound > 0 {
		b = strconv.AppendInt(append(b, `,"bound":`...), int64(r.Bound), 10)
	}
	list("unbound", r.Unbound)
	return append(b, '}', '\n')
}

// cut shortens a long line at a rune.
func cut(s string) string {
	if len(s) <= maxLine {
		return s
	}
	end := maxLine
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// quote appends a JSON string (RFC 8259 §7). Bytes that are not UTF-8 become
// U+FFFD.
func quote(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\t':
			b = append(b, '\\', 't')
		case r < 0x20 || r == 0x7f:
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
