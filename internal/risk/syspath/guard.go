package syspath

import (
	"path"
	"strings"
)

// guards are what keeps watch over lines and agents: the ends of paths below a home
// or a project.
var guards = [...]string{
	"/.claude/settings.json", "/.claude/settings.local.json", "/.qwen/settings.json", "/.factory/hooks.json", "/.codex/hooks.json", "/.codex/config.toml",
	"/.kimi-code/config.toml", "/.kimi/config.toml", "/.gemini/settings.json", "/.copilot/hooks/tmp.json", "/.github/hooks/tmp.json", "/.cursor/hooks.json",
	"/Cline/Hooks/PreToolUse", "/.clinerules/hooks/PreToolUse", "/.codeium/windsurf/hooks.json", "/.windsurf/hooks.json", "/.kiro/hooks/tmp.json",
	"/.config/opencode/plugin/tmp.js", "/.opencode/plugin/tmp.js",
}

// IsGuard reports whether a path is a part of what keeps watch: the hooks of
// harnesses, the settings, state and maps of tmp. It goes by names alone.
func IsGuard(p string) bool {
	p = "/" + path.Clean(p)
	for _, g := range guards {
		if strings.HasSuffix(p, g) {
			return true
		}
	}
	for _, dir := range [...]string{"/.config/tmp", "/.local/state/tmp", "/.local/share/tmp", "/.tmp"} {
		if strings.HasSuffix(p, dir) || strings.Contains(p, dir+"/") {
			return true
		}
	}
	return false
}
