package te

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// event is what is recorded of a call: no pattern, no path, no content.
type event struct {
	cmd, of   string
	mode      string // enriched, raw, error
	input     int64  // bytes that te read
	output    int64  // bytes that te wrote
	truncated bool
	handle    bool
	err       string
	strategy  string
	written   bool
}

// maxTelemetry is how long the file gets before it is set aside, in bytes.
const maxTelemetry = 8 << 20

// line is an event as it is written.
type telemetryLine struct {
	V         int     `json:"v"`
	Timestamp string  `json:"timestamp"`
	Agent     string  `json:"agent_id"`
	Session   string  `json:"session_id"`
	Cmd       string  `json:"cmd"`
	Of        string  `json:"of,omitempty"`
	Mode      string  `json:"mode"`
	Input     *int64  `json:"input_size"`
	Output    *int64  `json:"output_size"`
	Truncated bool    `json:"truncated"`
	Handle    bool    `json:"handle_created"`
	Latency   int64   `json:"latency_ms"`
	Error     *string `json:"error"`
	Status    *int    `json:"status"`
	Strategy  string  `json:"strategy"`
	Query     string  `json:"query"`
	Kin       string  `json:"kin,omitempty"` // the same for calls that ask for the same words
}

// record writes the line of this call when it ends.
func (c *call) record(status *int) { c.recordStatus(status) }

// recordRaw writes it before the tool takes our place: how it ends is not known.
func (c *call) recordRaw() { c.recordStatus(nil) }

func (c *call) recordStatus(status *int) {
	if c.event.written || !c.settings.Telemetry || c.settings.Budgets == nil {
		return
	}
	c.event.written = true
	file := c.telemetryFile()
	if file == "" {
		return
	}
	e := &c.event
	l := telemetryLine{
		V: 1, Timestamp: c.began.UTC().Format(time.RFC3339Nano), Agent: c.agent, Cmd: known(e.cmd), Of: e.of, Mode: e.mode,
		Truncated: e.truncated, Handle: e.handle, Latency: c.Now().Sub(c.began).Milliseconds(), Status: status, Strategy: e.strategy,
	}
	if e.mode == "" {
		l.Mode = "error"
	}
	if e.mode != "raw" {
		l.Input, l.Output = &e.input, &e.output
	}
	if e.err != "" {
		l.Error = &e.err
	}
	salt := c.salt()
	l.Session = salted(salt, c.session())
	l.Query = salted(salt, strings.Join(append([]string{c.options.command, c.options.handle, c.Dir}, c.options.args...), "\x00"))
	if k := kin(c.options.args); k != "" {
		l.Kin = salted(salt, c.options.command+"\x00"+k)
	}
	text, err := json.Marshal(l)
	if err != nil {
		return
	}
	appendLine(file, append(text, '\n'))
}

// kin is what near duplicates have in common: their longest word that is no option, in
// small letters.
func kin(args []string) string {
	longest := ""
	for _, a := range args {
		if !strings.HasPrefix(a, "-") && len(a) > len(longest) {
			longest = a
		}
	}
	return strings.ToLower(longest)
}

// otherNames are the commands of te that are no tools.
var otherNames = []string{"run", "handles", "coach", "rag", "handle"}

// known is the name of a command, or nothing: what somebody typed in its place is not
// recorded.
func known(cmd string) string {
	if enveloped[cmd] != nil || slices.Contains(otherNames, cmd) {
		return cmd
	}
	return "te"
}

func (c *call) telemetryFile() string {
	if p := c.settings.TelemetryPath; p != "" {
		if rest, ok := strings.CutPrefix(p, "~"); ok {
			return filepath.Join(c.paths.Home, rest)
		}
		return p
	}
	if c.paths.State == "" {
		return ""
	}
	return filepath.Join(c.paths.State, "te", "telemetry.jsonl")
}

// appendLine adds a line with one write, so that lines of several calls stay whole.
func appendLine(file string, line []byte) {
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	f, err := openAppend(file)
	if err != nil {
		if os.MkdirAll(filepath.Dir(file), 0o700) != nil {
			return
		}
		if f, err = openAppend(file); err != nil {
			return
		}
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() {
		return
	}
	if st.Size() > maxTelemetry {
		_ = os.Rename(file, file+".1")
		g, err := openAppend(file)
		if err != nil {
			return
		}
		defer g.Close()
		f = g
	}
	_, _ = f.Write(line)
}

func openAppend(file string) (*os.File, error) {
	return os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
}

// salt makes the hashes of this machine unlike those of others.
func (c *call) salt() string {
	if c.paths.State == "" {
		return bootID()
	}
	file := filepath.Join(c.paths.State, "te", "salt")
	if b, err := os.ReadFile(file); err == nil && len(b) >= 26 {
		return string(b)
	}
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	if os.MkdirAll(filepath.Dir(file), 0o700) != nil {
		return bootID()
	}
	fresh := newHandle(c.Now())
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		if b, err := os.ReadFile(file); err == nil && len(b) >= 26 {
			return string(b)
		}
		return bootID()
	}
	_, _ = f.WriteString(fresh)
	_ = f.Close()
	return fresh
}

func salted(salt, s string) string { return hashed(salt + "\x00" + s)[:16] }
