package hook

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/jsonscan"
)

// Keys are the keys of the harnesses, sorted.
func Keys() string {
	var list []string
	for i := range harnesses {
		list = append(list, harnesses[i].Key)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// ValidAgent reports whether a text can be the name of an agent.
func ValidAgent(s string) bool {
	return s != "" && len(s) <= 64 && s[0] != '-' && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}

// canned are events with rm -rf / as each harness hands them over.
var canned = map[string]string{
	"claude":   `{"session_id":"tmp-doctor","cwd":"/","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf /"}}`,
	"vscode":   `{"sessionId":"tmp-doctor","cwd":"/","hookEventName":"PreToolUse","tool_name":"run_in_terminal","tool_input":{"command":"rm -rf /"}}`,
	"qwen":     `{"session_id":"tmp-doctor","cwd":"/","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"run_shell_command","tool_input":{"command":"rm -rf /"}}`,
	"droid":    `{"session_id":"tmp-doctor","cwd":"/","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Execute","tool_input":{"command":"rm -rf /"}}`,
	"codex":    `{"session_id":"tmp-doctor","cwd":"/","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf /"}}`,
	"kimi":     `{"session_id":"tmp-doctor","cwd":"/","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf /"}}`,
	"gemini":   `{"session_id":"tmp-doctor","cwd":"/","hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"rm -rf /"}}`,
	"copilot":  `{"sessionId":"tmp-doctor","cwd":"/","toolName":"bash","toolArgs":"{\"command\":\"rm -rf /\"}"}`,
	"cursor":   `{"conversation_id":"tmp-doctor","hook_event_name":"beforeShellExecution","command":"rm -rf /","cwd":"/","workspace_roots":["/"]}`,
	"cline":    `{"taskId":"tmp-doctor","hookName":"PreToolUse","workspaceRoots":["/"],"preToolUse":{"toolName":"execute_command","parameters":{"command":"rm -rf /"}}}`,
	"windsurf": `{"trajectory_id":"tmp-doctor","agent_action_name":"pre_run_command","tool_info":{"command_line":"rm -rf /","cwd":"/"}}`,
	"kiro":     `{"session_id":"tmp-doctor","hook_event_name":"PreToolUse","cwd":"/","tool_name":"execute_bash","tool_input":{"command":"rm -rf /"}}`,
	"opencode": `{"tool":"bash","args":{"command":"rm -rf /"},"cwd":"/","sessionID":"tmp-doctor"}`,
}

// Canned is an event with rm -rf / as a harness hands it over.
func Canned(h *Harness) string { return canned[h.Key] }

// Refuses reports whether an answer says to a harness that the call is not to run.
func Refuses(h *Harness, stdout []byte, stderr string, status int) bool {
	if h.Form == Status {
		return status == 2 && strings.TrimSpace(stderr) != "" && len(stdout) == 0
	}
	if status != 0 || stderr != "" {
		return false
	}
	var denied, told bool
	var read func(j *jsonscan.Reader) error
	read = func(j *jsonscan.Reader) error {
		return j.Object(func(key string) error {
			if key == "hookSpecificOutput" && h.Form == Specific {
				return read(j)
			}
			raw, err := j.Raw()
			switch key {
			case "permissionDecision", "decision", "permission":
				denied = text(raw) == "deny"
			case "cancel":
				denied = string(raw) == "true"
			case "permissionDecisionReason", "reason", "user_message", "errorMessage":
				told = text(raw) != ""
			}
			return err
		})
	}
	return jsonscan.Read(stdout, read) == nil && denied && told
}
