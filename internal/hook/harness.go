// Package hook speaks with the harnesses of coding agents: it reads the event
// that a harness hands to a hook before a tool runs, says with the judgement of
// Enter what is to become of the call, and writes the answer in the form that
// this harness understands. It is pure: what the disk and the map know comes in
// as values.
package hook

// Form is how a harness takes an answer.
type Form uint8

// The forms. In all but Status the exit status is 0 and standard error empty.
const (
	// Specific is {"hookSpecificOutput":{"hookEventName","permissionDecision","permissionDecisionReason"}}.
	Specific Form = iota
	// Decision is {"decision","reason"}.
	Decision
	// Flat is {"permissionDecision","permissionDecisionReason"}.
	Flat
	// Permission is {"permission","user_message","agent_message"}.
	Permission
	// Cancel is {"cancel":true,"errorMessage"}.
	Cancel
	// Status is exit status 2 with the reason on standard error.
	Status
)

// Rewrite is where a harness takes changed input from.
type Rewrite uint8

const (
	Never         Rewrite = iota
	UpdatedInput          // updatedInput in hookSpecificOutput
	WithAllow             // the same, and only beside an allow
	ToolInput             // tool_input in hookSpecificOutput, beside nothing
	ModifiedArgs          // modifiedArgs
	UpdatedAtTool         // updated_input, in the event preToolUse alone
	Args                  // args
)

// Layout is how the file of a harness lists hooks.
type Layout uint8

const (
	// Groups is {"hooks":{EVENT:[{"matcher","hooks":[{"type","command","timeout"}]}]}}.
	Groups Layout = iota
	// Events is Groups without the outer object.
	Events
	// Tables is [[hooks]] of a TOML file.
	Tables
	// Bash is {"version":1,"hooks":{EVENT:[{"type","bash","timeoutSec"}]}}, a file of ours.
	Bash
	// Commands is {"version":1,"hooks":{EVENT:[{"command","timeout"}]}}.
	Commands
	// Plain is {"hooks":{EVENT:[{"command"}]}}.
	Plain
	// Flagged is {"hooks":{EVENT:[{"type","command","timeout"}]}}, a file of ours.
	Flagged
	// Triggers is {"version":"v1","hooks":[{"name","trigger","action","timeout"}]}, a file of ours.
	Triggers
	// Script is a program, a file of ours.
	Script
	// Module is a plug-in in JavaScript, a file of ours.
	Module
)

// Harness is what is known of one harness.
type Harness struct {
	Key, Name string
	// User and Project are the places of its file, below the home directory and
	// the project: the first that is there, else the first.
	User, Project []string
	Layout        Layout
	// Also are harnesses that read the same file of a person.
	Also []string
	// ProjectLayout is that of the project's file where it is another one.
	ProjectLayout Layout
	Event         string // before a tool, as its file names it
	Form          Form
	None          string // what says nothing: "" or "{}"
	// Asks: it can put a question to its person. Allows: it takes an allow.
	Asks, Allows bool
	Rewrite      Rewrite
	// Message: it shows "systemMessage" to its person.
	Message bool
	// Millis: its time-outs are in milliseconds.
	Millis bool
	// Fails is what it does where the hook fails: "open" runs the tool, "closed" does not.
	Fails string
	// Program answers --version; a harness before one of these versions cannot ask,
	// rewrite, or read Shut. "" is none.
	Program                        string
	AskFrom, RewriteFrom, ShutFrom string
	// Shut is a member of the entry that makes a failed hook stop the tool.
	Shut string
	// Note is what a person must know beside.
	Note string
	// Rules are the files of its person that deny or ask.
	Rules []RuleFile
}

// harnesses is the table. The forms are those of the harnesses' references and
// of their own code, as of November 2026.
var harnesses = []Harness{
	{
		Key: "claude", Name: "Claude Code", User: []string{".claude/settings.json"}, Project: []string{".claude/settings.json"},
		Also: []string{"vscode"}, Layout: Groups, Event: "PreToolUse", Form: Specific, Asks: true, Allows: true, Rewrite: UpdatedInput, Message: true,
		Fails: "open", Shut: `"onFailure": "block"`, Program: "claude", RewriteFrom: "2.0.10", ShutFrom: "2.1.295", Rules: claudeRules,
	},
	{
		Key: "vscode", Name: "VS Code", User: []string{".claude/settings.json"}, Project: []string{".github/hooks/tmp.json"},
		Also: []string{"claude"}, Layout: Groups, ProjectLayout: Flagged, Event: "PreToolUse", Form: Specific, Asks: true, Allows: true, Rewrite: UpdatedInput, Message: true,
		Fails: "open", Note: "VS Code ignores matchers: each tool call is seen", Rules: vscodeRules,
	},
	{
		Key: "qwen", Name: "Qwen Code", User: []string{".qwen/settings.json"}, Project: []string{".qwen/settings.json"},
		Layout: Groups, Event: "PreToolUse", Form: Specific, Asks: true, Allows: true, Rewrite: UpdatedInput, Message: true, Millis: true,
		Fails: "open", Rules: qwenRules,
	},
	{
		Key: "droid", Name: "Factory Droid", User: []string{".factory/hooks.json"}, Project: []string{".factory/hooks.json"},
		Layout: Events, Event: "PreToolUse", Form: Specific, Asks: true, Allows: true, Rewrite: UpdatedInput, Message: true,
		Fails: "open", Rules: droidRules,
	},
	{
		Key: "codex", Name: "Codex", User: []string{".codex/hooks.json"}, Project: []string{".codex/hooks.json"},
		Layout: Groups, Event: "PreToolUse", Form: Specific, Rewrite: WithAllow,
		Fails: "open", Note: "Codex runs no hook before it is trusted: type /hooks there and trust it", Rules: codexRules,
	},
	{
		Key: "kimi", Name: "Kimi Code", User: []string{".kimi-code/config.toml", ".kimi/config.toml"}, Project: []string{".kimi-code/config.toml", ".kimi/config.toml"},
		Layout: Tables, Event: "PreToolUse", Form: Specific, Message: true,
		Fails: "open",
	},
	{
		Key: "gemini", Name: "Gemini CLI", User: []string{".gemini/settings.json"}, Project: []string{".gemini/settings.json"},
		Layout: Groups, Event: "BeforeTool", Form: Decision, None: "{}", Asks: true, Rewrite: ToolInput, Message: true, Millis: true,
		Fails: "open", Rules: geminiRules,
	},
	{
		Key: "copilot", Name: "Copilot CLI", User: []string{".copilot/hooks/tmp.json"}, Project: []string{".github/hooks/tmp.json"},
		Layout: Bash, Event: "preToolUse", Form: Flat, Asks: true, Allows: true, Rewrite: ModifiedArgs,
		Fails: "closed", Note: "a hook that takes too long is passed over", Rules: copilotRules,
	},
	{
		Key: "cursor", Name: "Cursor", User: []string{".cursor/hooks.json"}, Project: []string{".cursor/hooks.json"},
		Layout: Commands, Event: "beforeShellExecution", Form: Permission, None: "{}", Asks: true, Rewrite: UpdatedAtTool,
		Fails: "open", Shut: `"failClosed": true`, Rules: cursorRules,
	},
	{
		Key: "cline", Name: "Cline", User: []string{"Documents/Cline/Hooks/PreToolUse"}, Project: []string{".clinerules/hooks/PreToolUse"},
		Layout: Script, Event: "PreToolUse", Form: Cancel, None: "{}",
		Fails: "open",
	},
	{
		Key: "windsurf", Name: "Windsurf", User: []string{".codeium/windsurf/hooks.json"}, Project: []string{".windsurf/hooks.json"},
		Layout: Plain, Event: "pre_run_command", Form: Status,
		Fails: "open",
	},
	{
		Key: "kiro", Name: "Kiro", User: []string{".kiro/hooks/tmp.json"}, Project: []string{".kiro/hooks/tmp.json"},
		Layout: Triggers, Event: "PreToolUse", Form: Status,
		Fails: "open",
	},
	{
		Key: "opencode", Name: "opencode", User: []string{".config/opencode/plugin/tmp.js"}, Project: []string{".opencode/plugin/tmp.js"},
		Layout: Module, Event: "tool.execute.before", Form: Decision, None: "{}", Rewrite: Args,
		Fails: "open", Rules: opencodeRules,
	},
}

// Harnesses lists the table.
func Harnesses() []Harness { return harnesses }

// Find returns the harness of a key.
func Find(key string) (*Harness, bool) {
	for i := range harnesses {
		if harnesses[i].Key == key {
			return &harnesses[i], true
		}
	}
	return nil, false
}
