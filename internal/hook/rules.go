package hook

// RuleFile is a file in which the person of a harness says what it may not do
// or must ask about.
type RuleFile struct {
	// Path is absolute, or below the home directory ("~/…") or the project.
	Path string
	// Lists are the paths of members that hold rules.
	Lists []string
	Kind  RuleKind
}

// RuleKind is how rules are written.
type RuleKind uint8

// The kinds.
const (
	// Wrapped is "Bash(git push:*)", and a bare name for all of a tool.
	Wrapped RuleKind = iota
)

var claudeRules, vscodeRules, qwenRules, droidRules, codexRules, geminiRules, copilotRules, cursorRules, opencodeRules []RuleFile
