package project

import (
	"path/filepath"
	"regexp"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/jsonscan"
	"github.com/tool-mapping-protocol/tmp/internal/toml"
	"github.com/tool-mapping-protocol/tmp/internal/yaml"
)

// maxManifest bounds a file of a project, in bytes. Lock files are not read.
const maxManifest = 4 << 20

// claims reports whether the workspace of a directory has the package below it
// as a member.
func claims(files Files, dir, pkg string) bool {
	rel, err := filepath.Rel(dir, pkg)
	if err != nil || strings.HasPrefix(rel, "..") {
		return false
	}
	for name, members := range workspaceFiles {
		in, ok := files.Stat(filepath.Join(dir, name))
		if !ok || !in.Regular {
			continue
		}
		data, err := files.Open(filepath.Join(dir, name), maxManifest)
		if err != nil {
			continue
		}
		if inMembers(members(data), filepath.ToSlash(rel)) {
			return true
		}
	}
	return false
}

// inMembers matches a directory with the patterns of a workspace, of which the
// last that fits counts: "!x" takes back.
func inMembers(patterns []string, rel string) bool {
	in := false
	for _, p := range patterns {
		out, neg := strings.CutPrefix(p, "!")
		if matchPath(cleanPattern(out), rel) {
			in = !neg
		}
	}
	return in
}

func cleanPattern(p string) string {
	return strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(p), "./"), "/")
}

// matchPath matches a path with a pattern of components, "**" being any number.
func matchPath(pattern, path string) bool {
	return matchParts(strings.Split(pattern, "/"), strings.Split(path, "/"), 0)
}

func matchParts(pattern, path []string, stars int) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			if stars++; stars > 4 { // more say nothing that fewer do not
				return false
			}
			for i := range len(path) + 1 {
				if matchParts(pattern[1:], path[i:], stars) {
					return true
				}
			}
			return false
		}
		if len(path) == 0 || !disk.Match(pattern[0], path[0]) {
			return false
		}
		pattern, path = pattern[1:], path[1:]
	}
	return len(path) == 0
}

// workspaceFiles read what a file names as members: patterns of directories.
var workspaceFiles = map[string]func(data []byte) []string{
	"package.json": npmMembers, "lerna.json": npmMembers, "deno.json": npmMembers, "deno.jsonc": npmMembers,
	"pnpm-workspace.yaml": yamlMembers("packages"), "pubspec.yaml": yamlMembers("workspace"), "melos.yaml": yamlMembers("packages"),
	"Cargo.toml": cargoMembers, "pyproject.toml": uvMembers, "go.work": goMembers,
	"settings.gradle": gradleMembers, "settings.gradle.kts": gradleMembers, "pom.xml": mavenMembers, "mix.exs": mixMembers,
	"nx.json": everything, "rush.json": everything,
}

func everything([]byte) []string { return []string{"**"} }

// npmMembers are the workspaces of a package.json: a list, or {"packages": list}.
func npmMembers(data []byte) []string {
	var out []string
	list := func(j *jsonscan.Reader) error {
		if j.Peek() != '[' {
			return j.Skip()
		}
		return j.Array(func() error {
			s, err := j.MaybeText()
			out = append(out, s)
			return err
		})
	}
	_ = jsonscan.Read(data, func(j *jsonscan.Reader) error {
		if j.Peek() != '{' {
			return j.Skip()
		}
		return j.Object(func(key string) error {
			switch {
			case key != "workspaces" && key != "packages" && key != "workspace":
				return j.Skip()
			case j.Peek() == '{':
				return j.Object(func(key string) error {
					if key != "packages" {
						return j.Skip()
					}
					return list(j)
				})
			}
			return list(j)
		})
	})
	return out
}

func yamlMembers(key string) func([]byte) []string {
	return func(data []byte) []string {
		doc, err := yaml.Parse(string(data))
		if err != nil {
			return nil
		}
		return yamlTexts(doc.At(key))
	}
}

func yamlTexts(n *yaml.Node) []string {
	var out []string
	for _, item := range n.List() {
		if s := item.Str(); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func cargoMembers(data []byte) []string {
	doc, err := toml.Parse(string(data))
	if err != nil {
		return nil
	}
	out := texts(toml.In(doc, "workspace", "members"))
	for _, x := range texts(toml.In(doc, "workspace", "exclude")) {
		out = append(out, "!"+x)
	}
	return out
}

func uvMembers(data []byte) []string {
	doc, err := toml.Parse(string(data))
	if err != nil {
		return nil
	}
	out := texts(toml.In(doc, "tool", "uv", "workspace", "members"))
	for _, x := range texts(toml.In(doc, "tool", "uv", "workspace", "exclude")) {
		out = append(out, "!"+x)
	}
	return out
}

// texts are the strings of a list; a string alone is a list of one.
func texts(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, item := range v {
			if s, ok := item.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// goMembers are the directories that a go.work uses.
func goMembers(data []byte) []string {
	var out []string
	block := false
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "//")
		line = strings.TrimSpace(line)
		switch {
		case block && line == ")":
			block = false
		case block && line != "":
			out = append(out, strings.Trim(line, `"`))
		case line == "use (":
			block = true
		case strings.HasPrefix(line, "use "):
			out = append(out, strings.Trim(strings.TrimSpace(line[4:]), `"`))
		}
	}
	return out
}

var (
	gradleInclude = regexp.MustCompile(`(?m)^\s*include\b\s*\(?([^)\n]*(?:,\s*\n[^)\n]*)*)`)
	quotedWord    = regexp.MustCompile(`["']([^"'\n]+)["']`)
	mavenModule   = regexp.MustCompile(`<module>\s*([^<\s]+)\s*</module>`)
	mixApps       = regexp.MustCompile(`apps_path:\s*"([^"]+)"`)
)

// gradleMembers are the projects that a settings.gradle includes, as directories.
func gradleMembers(data []byte) []string {
	var out []string
	for _, m := range gradleInclude.FindAllSubmatch(data, -1) {
		for _, q := range quotedWord.FindAllSubmatch(m[1], -1) {
			out = append(out, strings.ReplaceAll(strings.TrimPrefix(string(q[1]), ":"), ":", "/"))
		}
	}
	return out
}

func mavenMembers(data []byte) []string {
	var out []string
	for _, m := range mavenModule.FindAllSubmatch(data, -1) {
		out = append(out, string(m[1]))
	}
	return out
}

func mixMembers(data []byte) []string {
	if m := mixApps.FindSubmatch(data); m != nil {
		return []string{string(m[1]) + "/*"}
	}
	return nil
}
