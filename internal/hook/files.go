package hook

import (
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/risk/syspath"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Places are the directories that decide what a path means. Each is absolute,
// links followed, or "".
type Places struct {
	Homes []string
	// Own are tmp's directories: configuration, data, state.
	Own []string
}

// Written says what it means that a tool writes to a path, which is absolute. ok
// is false for a file like any other.
func (p *Places) Written(file, shown string) (f Found, ok bool) {
	file = path.Clean(file)
	f = Found{Level: tcpdb.High, Part: shown}
	switch {
	case p.guard(file):
		f.Rule, f.Why = "write.guard", "changes what guards this session"
	case p.startup(file):
		f.Rule, f.Why = "write.startup", "runs at each start of a shell"
	case below(file, ".git/hooks"):
		f.Rule, f.Why = "write.githook", "git runs it by itself"
	case strings.HasSuffix(file, "/.git/config") || p.atHome(file, ".gitconfig", ".config/git/config") || file == "/etc/gitconfig":
		f.Rule, f.Why = "write.gitconfig", "says which programs git starts"
	case p.belowHome(file, ".ssh"):
		f.Rule, f.Why = "write.ssh", "says who may log in and where to"
	case pipeline(file):
		f.Rule, f.Why = "write.ci", "runs on the machines that build and deliver"
	case unit(file):
		f.Rule, f.Why = "write.unit", "the system runs it by itself"
	default:
		w, special := risk.Written(file)
		if !special {
			return Found{}, false
		}
		f.Level, f.Rule, f.Why = w.Level, "write."+w.Rule, w.Reason
		f.Refused = w.Level >= tcpdb.Critical
	}
	return f, true
}

// guard reports whether a path is one by which the guard is configured or
// started: the hook files of the harnesses, and what is tmp's.
func (p *Places) guard(file string) bool {
	for _, dir := range p.Own {
		if dir != "" && (file == dir || strings.HasPrefix(file, dir+"/")) {
			return true
		}
	}
	if below(file, ".tmp") {
		return true
	}
	for i := range harnesses {
		h := &harnesses[i]
		for _, places := range [][]string{h.User, h.Project} {
			for _, place := range places {
				if strings.HasSuffix(file, "/"+place) {
					return true
				}
			}
		}
	}
	for _, end := range []string{
		".claude/settings.local.json", ".claude/settings.jsonc", ".qwen/settings.local.json", ".factory/settings.json", ".factory/settings.local.json",
		".factory/hooks/hooks.json", ".codex/config.toml", ".gemini/settings.local.json", ".cursor/cli-config.json", ".cursor/cli.json",
		".config/opencode/opencode.json", ".config/opencode/opencode.jsonc", "opencode.json", "opencode.jsonc", ".copilot/config.json",
		".copilot/settings.json", ".github/copilot/settings.json", ".github/copilot/settings.local.json",
		"claude-code/managed-settings.json", "ClaudeCode/managed-settings.json", "/etc/codex/requirements.toml", "/etc/cursor/hooks.json", "/etc/windsurf/hooks.json",
	} {
		if strings.HasSuffix(file, "/"+strings.TrimPrefix(end, "/")) {
			return true
		}
	}
	for _, dir := range []string{
		".claude/hooks", ".github/hooks", ".copilot/hooks", ".clinerules/hooks", "Cline/Hooks", ".kiro/hooks", ".kiro/agents", ".opencode/plugin", ".opencode/plugins",
		".config/opencode/plugin", ".config/opencode/plugins", ".cursor/hooks", ".gemini/hooks", ".gemini/policies", ".codex/hooks", ".codex/rules", ".factory/hooks", ".windsurf/hooks", ".qwen/hooks", ".kimi/hooks", ".kimi-code/hooks",
	} {
		if below(file, dir) {
			return true
		}
	}
	return false
}

// below reports whether a path lies below a directory of that name anywhere.
func below(file, dir string) bool {
	return strings.Contains(file+"/", "/"+dir+"/")
}

func (p *Places) atHome(file string, names ...string) bool {
	for _, home := range p.Homes {
		if rest, ok := strings.CutPrefix(file, home+"/"); ok && home != "" && slices.Contains(names, rest) {
			return true
		}
	}
	return false
}

func (p *Places) belowHome(file, dir string) bool {
	for _, home := range p.Homes {
		if home != "" && (file == home+"/"+dir || strings.HasPrefix(file, home+"/"+dir+"/")) {
			return true
		}
	}
	return false
}

// startup reports whether a shell or a session reads a path at its start: at
// the home directory or the system's. A file of that name elsewhere, as in a
// repository of dot-files, starts nothing.
func (p *Places) startup(file string) bool {
	if !syspath.IsStartup(file) {
		return p.atHome(file, ".bash_aliases", ".zsh_aliases", ".envrc", ".tmux.conf", ".config/nushell/config.nu", ".config/nushell/env.nu", ".profile.d") ||
			p.belowHome(file, ".config/fish") || p.belowHome(file, ".bashrc.d") || p.belowHome(file, ".zshrc.d")
	}
	if strings.HasPrefix(file, "/etc/") {
		return true
	}
	for _, home := range p.Homes {
		if home == "" {
			continue
		}
		if dir := path.Dir(file); dir == home || strings.HasPrefix(dir, home+"/.config") || dir == home+"/.zsh" {
			return true
		}
	}
	// Another user's.
	dir := path.Dir(file)
	return dir == "/root" || strings.HasPrefix(dir, "/home/") && strings.Count(dir, "/") == 2 || strings.HasPrefix(dir, "/Users/") && strings.Count(dir, "/") == 2
}

// pipeline reports whether a path says what machines that build run.
func pipeline(file string) bool {
	if below(file, ".github/workflows") || below(file, ".github/actions") || below(file, ".circleci") || below(file, ".buildkite") || below(file, ".woodpecker") ||
		below(file, ".gitlab/ci") || below(file, ".tekton") || below(file, ".forgejo/workflows") || below(file, ".gitea/workflows") {
		return true
	}
	switch base := path.Base(file); base {
	case ".gitlab-ci.yml", ".gitlab-ci.yaml", "Jenkinsfile", ".travis.yml", "azure-pipelines.yml", "azure-pipelines.yaml", "bitbucket-pipelines.yml", ".drone.yml",
		"appveyor.yml", ".appveyor.yml", "cloudbuild.yaml", "cloudbuild.yml", ".cirrus.yml", "buildspec.yml", ".woodpecker.yml", ".build.yml", "codemagic.yaml":
		return true
	}
	return false
}

// unit reports whether the system starts what a path holds by itself.
func unit(file string) bool {
	if below(file, "systemd/user") || below(file, ".config/autostart") || strings.HasPrefix(file, "/var/spool/cron/") || file == "/etc/crontab" {
		return true
	}
	return below(file, "LaunchAgents") || below(file, "LaunchDaemons")
}

// LifeCycle says what it means that a text with scripts that a package manager
// runs by itself is put into a file.
func LifeCycle(file, shown string, puts []string) (f Found, ok bool) {
	if path.Base(file) != "package.json" {
		return f, false
	}
	for _, text := range puts {
		for _, name := range []string{"preinstall", "install", "postinstall", "prepare", "prepublish", "prepublishOnly", "preprepare", "postprepare", "prepack", "postpack", "dependencies"} {
			if script(text, name) {
				return Found{Level: tcpdb.High, Part: shown + " " + name, Why: "a package manager runs it by itself", Rule: "write.lifecycle"}, true
			}
		}
	}
	return f, false
}

// script reports whether a text gives a name of JSON a text for its value.
func script(text, name string) bool {
	text = strings.ReplaceAll(text, `\"`, `"`) // edits come as JSON
	for {
		_, rest, ok := strings.Cut(text, `"`+name+`"`)
		if !ok {
			return false
		}
		value := strings.TrimLeft(rest, " \t\r\n")
		if v, ok := strings.CutPrefix(value, ":"); ok && strings.HasPrefix(strings.TrimLeft(v, " \t\r\n"), `"`) {
			return true
		}
		text = rest
	}
}

// Secret says what it means that a tool shows what is at a path. ok is false
// for a file that holds nothing secret.
func (p *Places) Secret(file, shown string) (f Found, ok bool) {
	file = path.Clean(file)
	f = Found{Level: tcpdb.High, Part: shown, Why: "shows a secret to the model", Rule: "secret.read", Secret: true}
	base := path.Base(file)
	switch {
	case keyFile(base), envFile(base), p.credentials(file, base):
		return f, true
	}
	return Found{}, false
}

// keyFile reports whether a name is that of a private key.
func keyFile(base string) bool {
	lower := strings.ToLower(base)
	if strings.HasPrefix(lower, "id_") && !strings.HasSuffix(lower, ".pub") {
		switch name, _, _ := strings.Cut(lower[3:], "."); name {
		case "rsa", "dsa", "ecdsa", "ed25519", "ecdsa_sk", "ed25519_sk", "xmss":
			return true
		}
		return false
	}
	for _, end := range []string{".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".ppk", ".kdbx", ".p8", ".asc"} {
		if rest, ok := strings.CutSuffix(lower, end); ok && rest != "" {
			return !public(rest)
		}
	}
	return false
}

// public reports whether the name of a key or certificate says that it is for all.
func public(name string) bool {
	for _, w := range words(name) {
		switch w {
		case "pub", "public", "cert", "certs", "certificate", "ca", "chain", "fullchain", "bundle", "cacert", "root", "example", "sample", "csr", "crt", "signature", "release", "release_notes":
			return true
		}
	}
	return false
}

// envFile reports whether a name is that of variables with secrets: .env and its
// kinds, but no example.
func envFile(base string) bool {
	lower := strings.ToLower(base)
	name, ok := strings.CutPrefix(lower, ".env")
	if !ok {
		name, ok = strings.CutSuffix(lower, ".env")
		if !ok || name == "" {
			return lower == ".envrc" || lower == ".dev.vars"
		}
	}
	if ok && name != "" && strings.HasPrefix(lower, ".env") && !strings.ContainsAny(name[:1], ".-_") {
		return lower == ".envrc"
	}
	for _, w := range words(name) {
		switch w {
		case "example", "examples", "sample", "template", "tmpl", "dist", "default", "defaults", "schema", "tpl", "md", "ts", "js", "py", "go", "txt", "vault", "test":
			return false
		}
	}
	return true
}

// credentials reports whether a path holds what a cloud, a registry or a
// service knows its user by.
func (p *Places) credentials(file, base string) bool {
	switch base {
	case ".netrc", "_netrc", ".pgpass", ".npmrc", ".pypirc", ".git-credentials", ".my.cnf", ".mylogin.cnf", ".dockercfg", ".s3cfg", ".boto", ".vault-token", ".htpasswd", ".terraformrc",
		"credentials.tfrc.json", "application_default_credentials.json", "service-account.json", "serviceAccountKey.json", "service_account.json", "client_secret.json", "secrets.yml", "secrets.yaml", "secrets.json", "secrets.toml", "terraform.tfstate", "master.key", "kubeconfig", "shadow", "gshadow":
		if base == "shadow" || base == "gshadow" {
			return strings.HasPrefix(file, "/etc/")
		}
		return true
	}
	for _, end := range []string{
		".aws/credentials", ".aws/config", ".docker/config.json", ".kube/config", ".config/gh/hosts.yml", ".cargo/credentials.toml", ".cargo/credentials", ".gem/credentials",
		".config/hub", ".azure/accessTokens.json", ".azure/msal_token_cache.json", ".config/gcloud/credentials.db", ".config/gcloud/access_tokens.db", ".m2/settings.xml", ".gradle/gradle.properties",
		".config/op/config", ".config/doctl/config.yaml", ".fly/config.yml", ".config/glab-cli/config.yml", ".composer/auth.json", ".nuget/NuGet/NuGet.Config", ".yarnrc.yml", ".bundle/config",
		".codex/auth.json", ".claude/.credentials.json", ".gemini/oauth_creds.json", ".config/rclone/rclone.conf", ".password-store", ".config/containers/auth.json", ".terraform.d/credentials.tfrc.json",
	} {
		if strings.HasSuffix(file, "/"+end) {
			return true
		}
	}
	if p.belowHome(file, ".ssh") {
		switch {
		case strings.HasSuffix(base, ".pub"), strings.HasPrefix(base, "known_hosts"), strings.HasPrefix(base, "authorized_keys"), base == "config", base == ".ssh", base == "environment":
			return false
		}
		return true
	}
	return p.belowHome(file, ".gnupg") && base != ".gnupg" || below(file, "private-keys-v1.d") || below(file, ".password-store")
}

// OfTool says what it means to call a tool of another server.
func OfTool(tool string) (f Found, ok bool) {
	if isOwn(tool) {
		return f, false
	}
	if !fatal(tool) {
		return f, false
	}
	return Found{Level: tcpdb.High, Part: tool, Why: "its name says that it destroys, delivers or pays", Rule: "mcp.name"}, true
}
