package hook

import (
	"bytes"
	"errors"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/jsonscan"
)

// MaxEvent is the longest event that is read, in bytes.
const MaxEvent = 16 << 20

// Kind is what a call does, as far as its event tells.
type Kind uint8

// The kinds.
const (
	Other   Kind = iota // nothing to judge
	Shell               // runs Line
	Typed               // types Line into a shell that runs
	Foreign             // a tool of an MCP server
)

// Event is a tool call before it runs.
type Event struct {
	Kind    Kind
	Tool    string
	Line    string // UTF-8, without NUL
	Writes  []string
	Reads   []string
	Puts    []string // what is written into files, for what it would start
	Dir     string   // "" where the event names none
	Session string
	Mode    string // permission mode
	// Form is how this event is answered, which may be another harness's: VS Code and
	// Copilot read the file of Claude.
	Form Form
	// AtTool: the event is that of any tool, not of the shell alone.
	AtTool bool
	// Apart: the call does not wait for its end, or talks to a person.
	Apart bool
	// Input is the call's input as it came, an object, and line the place of the raw
	// text of the line in it; start is 0 where there is none to change.
	Input      []byte
	start, end int
}

// ErrBroken is wrapped by every error about an event that cannot be read.
var ErrBroken = errors.New("the event cannot be read")

type brokenError struct{ why string }

func (e *brokenError) Error() string { return "the event " + e.why }
func (e *brokenError) Unwrap() error { return ErrBroken }

func broken(why string) error { return &brokenError{why} }

// top are the members of an event that count, whatever the harness.
type top struct {
	event, tool, dir, session, mode string
	input, root                     []byte
	line                            []byte // "command" beside the others
	path                            []byte
	action                          string
}

// Parse reads an event for a harness. Without an error and with the kind Other
// and no paths there is nothing to judge. An error means that a call may run of
// which nobody knows what it does.
func Parse(h *Harness, data []byte) (Event, error) {
	e := Event{Form: h.Form}
	if len(data) > MaxEvent {
		return e, broken("is longer than 16 MiB")
	}
	if bytes.IndexByte(data, 0) >= 0 {
		data = bytes.ReplaceAll(data, []byte{0}, []byte("\uFFFD"))
	}
	var t top
	if err := jsonscan.Read(data, t.read); err != nil {
		return e, broken("is no JSON object: " + err.Error())
	}
	e.Dir, e.Session, e.Mode = t.dir, t.session, t.mode
	if e.Dir == "" && t.root != nil {
		e.Dir = firstText(t.root)
	}
	if !before(t.event) {
		return e, nil
	}
	if h.Form == Specific && t.event == "" && t.action == "toolArgs" {
		e.Form = Flat
	}
	e.Tool = t.tool
	name := plainName(t.event)
	switch {
	case t.input == nil && t.line != nil: // Cursor's event of the shell
		e.Kind, e.Input = Shell, nil
		return e, e.take(t.line)
	case t.input == nil && (name == "beforeshellexecution" || name == "preruncommand"):
		e.Kind = Shell
		return e, broken("has no command")
	case t.input == nil && t.path != nil:
		e.Reads = texts(t.path)
		return e, nil
	case t.input == nil && t.tool != "" && isShell(t.tool):
		e.Kind = Shell
		return e, broken("has no command")
	case t.input == nil:
		return e, nil
	}
	e.AtTool = true
	return e, e.call(t.input, name)
}

// read reads the members of the event.
func (t *top) read(j *jsonscan.Reader) error {
	if j.Peek() != '{' {
		return errors.New("want an object")
	}
	return j.Object(func(key string) error {
		raw, err := j.Raw()
		if err != nil {
			return err
		}
		switch key {
		case "hook_event_name", "hookEventName", "hookName", "agent_action_name", "event":
			if t.event = text(raw); t.event == "" && string(raw) != `""` {
				t.event = "PreToolUse" // no name: it is judged
			}
		case "tool_name", "toolName", "tool":
			t.tool = text(raw)
		case "tool_input", "toolInput", "toolArgs", "tool_info", "args", "input":
			t.input, t.action = raw, key
		case "preToolUse": // Cline's
			t.event = "PreToolUse"
			return jsonscan.Read(raw, t.cline)
		case "command":
			t.line = raw
		case "file_path":
			t.path = raw
		case "cwd":
			t.dir = text(raw)
		case "workspace_roots", "workspaceRoots":
			t.root = raw
		case "session_id", "sessionId", "sessionID", "conversation_id", "taskId", "trajectory_id":
			t.session = text(raw)
		case "permission_mode", "permissionMode":
			t.mode = text(raw)
		}
		return nil
	})
}

// cline reads what Cline puts into a member of the event's name.
func (t *top) cline(j *jsonscan.Reader) error {
	if j.Peek() != '{' {
		return j.Skip()
	}
	return j.Object(func(key string) error {
		raw, err := j.Raw()
		switch key {
		case "toolName", "tool":
			t.tool = text(raw)
		case "parameters", "input":
			t.input, t.action = raw, key
		}
		return err
	})
}

// before reports whether an event is one before a tool runs. Some harnesses
// name none.
func before(event string) bool {
	switch plainName(event) {
	case "", "pretooluse", "beforetool", "beforeshellexecution", "beforereadfile", "beforemcpexecution", "preruncommand",
		"prewritecode", "prereadcode", "premcptooluse", "toolcall":
		return true
	}
	return false
}

// plainName is a name without what parts its words.
func plainName(s string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(s))
}

// take makes the raw text of a line the event's.
func (e *Event) take(raw []byte) error {
	if len(raw) == 0 || raw[0] != '"' {
		return broken("has a command that is no text")
	}
	e.Line = clean(text(begin(raw)))
	return nil
}

// maxRaw is more than the longest line that is analysed can have in JSON, 64 KiB
// of six bytes each: of a longer one only the beginning is looked at.
const maxRaw = 400 << 10

// begin cuts a raw string that is longer than any that is analysed.
func begin(raw []byte) []byte {
	if len(raw) <= maxRaw {
		return raw
	}
	end := maxRaw - 16
	for raw[end-1] == '\\' || bytes.IndexByte(raw[end-6:end], '\\') >= 0 || raw[end]&0xc0 == 0x80 {
		if end--; end < maxRaw/2 { // nothing but escapes
			end = maxRaw/12*12 + 1
			break
		}
	}
	return append(bytes.Clone(raw[:end]), '"')
}

// clean puts U+FFFD in the place of what no shell and no terminal takes.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// text decodes a raw JSON string; any other value is "".
func text(raw []byte) (s string) {
	_ = jsonscan.Read(raw, func(j *jsonscan.Reader) (err error) {
		s, err = j.MaybeText()
		return err
	})
	return s
}

// firstText is the first string of a raw list, or the string itself.
func firstText(raw []byte) string {
	for _, s := range texts(raw) {
		if s != "" {
			return s
		}
	}
	return ""
}

// texts are the strings of a raw list, or the one that raw is.
func texts(raw []byte) (list []string) {
	if len(raw) == 0 || raw[0] != '[' {
		if s := text(raw); s != "" {
			return []string{s}
		}
		return nil
	}
	_ = jsonscan.Read(raw, func(j *jsonscan.Reader) error {
		return j.Array(func() error {
			if j.Peek() == '{' { // an edit with a path of its own
				return j.Object(func(key string) error {
					item, err := j.Raw()
					if isPath(key) {
						list = append(list, texts(item)...)
					}
					return err
				})
			}
			s, err := j.MaybeText()
			list = append(list, s)
			return err
		})
	})
	return list
}
