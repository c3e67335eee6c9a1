package hook

// RuleKind is how a file writes the rules of a harness's person.
type RuleKind uint8

// The kinds.
const (
	// Wrapped are lists of "Bash(git push:*)"; a bare name is all of a tool.
	Wrapped RuleKind = iota
	// Bare are lists of commands: "git push".
	Bare
	// Approve is an object of commands and /patterns/, false for those that are asked about.
	Approve
	// Patterns is an object of patterns of lines with "allow", "ask", "deny", or one of these for all.
	Patterns
	// Starlark is a file of prefix_rule(pattern = […], decision = "…").
	Starlark
	// Policies is a TOML file of [[rule]] with commandPrefix or commandRegex.
	Policies
)

// RuleFile is a file in which the person of a harness says what it may not do
// or must ask about.
type RuleFile struct {
	// Path is absolute, below the home directory ("~/…"), below a directory that a
	// variable names ("$X/…"), or below the project. A last part with "*" is all
	// files that it matches.
	Path string
	Kind RuleKind
	// Lists are the paths of the members with rules, parted by dots; a part "*" is
	// any. A name with dots in it follows a slash.
	Lists []string
}

var (
	lists = []string{"permissions.deny", "permissions.ask"}

	claudeRules = []RuleFile{
		{"/etc/claude-code/managed-settings.json", Wrapped, lists},
		{"/Library/Application Support/ClaudeCode/managed-settings.json", Wrapped, lists},
		{"~/.claude/settings.json", Wrapped, lists},
		{"$CLAUDE_CONFIG_DIR/settings.json", Wrapped, lists},
		{".claude/settings.json", Wrapped, lists},
		{".claude/settings.local.json", Wrapped, lists},
	}
	approvals   = []string{"/chat.tools.terminal.autoApprove", "chat.tools.terminal.autoApprove"}
	vscodeRules = append([]RuleFile{
		{"~/.config/Code/User/settings.json", Approve, approvals},
		{"~/.config/Code - Insiders/User/settings.json", Approve, approvals},
		{"~/Library/Application Support/Code/User/settings.json", Approve, approvals},
		{".vscode/settings.json", Approve, approvals},
	}, claudeRules...)
	qwenLists = append([]string{"tools.exclude", "excludeTools"}, lists...)
	qwenRules = []RuleFile{
		{"/etc/qwen-code/settings.json", Wrapped, qwenLists},
		{"~/.qwen/settings.json", Wrapped, qwenLists},
		{".qwen/settings.json", Wrapped, qwenLists},
	}
	droidLists = []string{"commandDenylist", "commandBlocklist", "permissionRules.deny", "permissionRules.ask", "permissions.deny", "permissions.ask"}
	droidRules = []RuleFile{
		{"~/.factory/settings.json", Bare, droidLists},
		{".factory/settings.json", Bare, droidLists},
		{".factory/settings.local.json", Bare, droidLists},
	}
	codexRules = []RuleFile{
		{"/etc/codex/rules/*.rules", Starlark, nil},
		{"~/.codex/rules/*.rules", Starlark, nil},
		{"$CODEX_HOME/rules/*.rules", Starlark, nil},
		{".codex/rules/*.rules", Starlark, nil},
	}
	geminiLists = []string{"tools.exclude", "excludeTools"}
	geminiRules = []RuleFile{
		{"/etc/gemini-cli/settings.json", Wrapped, geminiLists},
		{"~/.gemini/settings.json", Wrapped, geminiLists},
		{".gemini/settings.json", Wrapped, geminiLists},
		{"/etc/gemini-cli/policies/*.toml", Policies, nil},
		{"~/.gemini/policies/*.toml", Policies, nil},
		{".gemini/policies/*.toml", Policies, nil},
	}
	copilotLists = []string{"deniedTools", "denied_tools", "denyTools", "permissions.deny", "permissions.ask"}
	copilotRules = []RuleFile{
		{"~/.copilot/config.json", Wrapped, copilotLists},
		{"~/.copilot/settings.json", Wrapped, copilotLists},
		{".github/copilot/settings.json", Wrapped, copilotLists},
		{".github/copilot/settings.local.json", Wrapped, copilotLists},
	}
	cursorRules = []RuleFile{
		{"~/.cursor/cli-config.json", Wrapped, lists},
		{".cursor/cli.json", Wrapped, lists},
	}
	opencodeLists = []string{"permission.bash", "permission", "agent.*.permission.bash", "mode.*.permission.bash"}
	opencodeRules = []RuleFile{
		{"~/.config/opencode/opencode.json", Patterns, opencodeLists},
		{"~/.config/opencode/opencode.jsonc", Patterns, opencodeLists},
		{"$OPENCODE_CONFIG_DIR/opencode.json", Patterns, opencodeLists},
		{"opencode.json", Patterns, opencodeLists},
		{"opencode.jsonc", Patterns, opencodeLists},
		{".opencode/opencode.json", Patterns, opencodeLists},
	}
)
