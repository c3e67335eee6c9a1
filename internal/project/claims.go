package project

import (
	"path/filepath"
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
	for _, name := range workspaceFiles {
		in, ok := files.Stat(filepath.Join(dir, name))
		if !ok || !in.Regular {
			continue
		}
		data, err := files.Open(filepath.Join(dir, name), maxManifest)
		if err != nil {
			continue
		}
		if inMembers(membersOf(name, data), filepath.ToSlash(rel)) {
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

// workspaceFiles are the files that name members.
var workspaceFiles = [...]string{
	"package.json", "lerna.json", "deno.json", "deno.jsonc", "pnpm-workspace.yaml", "pubspec.yaml", "melos.yaml", "Cargo.toml",
	"pyproject.toml", "go.work", "settings.gradle", "settings.gradle.kts", "pom.xml", "mix.exs", "nx.json", "rush.json",
}

// membersOf reads what such a file names: patterns of directories.
func membersOf(name string, data []byte) []string {
	switch name {
	case "package.json", "lerna.json", "deno.json", "deno.jsonc":
		return npmMembers(data)
	case "pnpm-workspace.yaml", "melos.yaml":
		return yamlMembers(data, "packages")
	case "pubspec.yaml":
		return yamlMembers(data, "workspace")
	case "Cargo.toml":
		return tomlMembers(data, "workspace")
	case "pyproject.toml":
		return tomlMembers(data, "tool", "uv", "workspace")
	case "go.work":
		return goMembers(data)
	case "settings.gradle", "settings.gradle.kts":
		return gradleMembers(data)
	case "pom.xml":
		return mavenMembers(data)
	case "mix.exs":
		return mixMembers(data)
	}
	return []string{"**"} // nx and rush: everything below
}

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

func yamlMembers(data []byte, key string) []string {
	doc, err := yaml.Parse(string(data))
	if err != nil {
		return nil
	}
	return yamlTexts(doc.At(key))
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

// tomlMembers are members without those that are excluded.
func tomlMembers(data []byte, path ...string) []string {
	doc, err := toml.Parse(string(data))
	if err != nil {
		return nil
	}
	table, _ := toml.In(doc, path...).(map[string]any)
	out := texts(table["members"])
	for _, x := range texts(table["exclude"]) {
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

// gradleMembers are the projects that a settings.gradle includes, as directories.
func gradleMembers(data []byte) []string {
	var out []string
	open := false
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "//")
		if rest, ok := strings.CutPrefix(line, "include"); ok && rest != "" && strings.IndexByte(" \t(\"'", rest[0]) >= 0 {
			open = true
		} else if !open {
			continue
		}
		for _, q := range quotedTexts(line) {
			out = append(out, strings.ReplaceAll(strings.TrimPrefix(q, ":"), ":", "/"))
		}
		end := strings.TrimSpace(line)
		open = strings.HasSuffix(end, ",") || strings.HasSuffix(end, "(") || strings.HasSuffix(end, "include")
	}
	return out
}

// quotedTexts are the texts in "…" and '…' of a line.
func quotedTexts(line string) []string {
	var out []string
	for {
		i := strings.IndexAny(line, `"'`)
		if i < 0 {
			return out
		}
		end := strings.IndexByte(line[i+1:], line[i])
		if end < 0 {
			return out
		}
		out = append(out, line[i+1:i+1+end])
		line = line[i+end+2:]
	}
}

// between are the texts that stand between two marks.
func between(text, open, end string) []string {
	var out []string
	for {
		_, rest, ok := strings.Cut(text, open)
		if !ok {
			return out
		}
		inner, after, ok := strings.Cut(rest, end)
		if !ok {
			return out
		}
		out = append(out, strings.TrimSpace(inner))
		text = after
	}
}

func mavenMembers(data []byte) []string {
	return between(string(data), "<module>", "</module>")
}

// mixMembers are the applications of an umbrella.
func mixMembers(data []byte) []string {
	for line := range strings.Lines(string(data)) {
		if _, rest, ok := strings.Cut(line, "apps_path:"); ok {
			if q := quotedTexts(rest); len(q) > 0 {
				return []string{q[0] + "/*"}
			}
		}
	}
	return nil
}
