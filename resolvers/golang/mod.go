package golang

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// mod is what is read of a go.mod or go.work.
type mod struct {
	module   string
	requires []require
	uses     []string // directories of go.work
	tools    []string // package paths
}

type require struct {
	path, version string
	indirect      bool
}

// parseGoMod reads the directives above; what it does not know it passes over.
// It is no check of the file: golang.org/x/mod/modfile is (and brings regexp
// into the process), this only lists.
func parseGoMod(text string) mod {
	var m mod
	block := ""
	for line := range strings.Lines(text) {
		code, comment := cutGoComment(line)
		words := modWords(code)
		switch {
		case len(words) == 0:
			continue
		case block != "" && words[0] == ")":
			block = ""
			continue
		case block != "":
			words = append([]string{block}, words...)
		case len(words) == 2 && words[1] == "(":
			block = words[0]
			continue
		}
		if len(words) < 2 {
			continue
		}
		switch words[0] {
		case "module":
			m.module = words[1]
		case "require":
			if len(words) >= 3 {
				comment = strings.TrimSpace(comment)
				indirect := comment == "indirect" || strings.HasPrefix(comment, "indirect;")
				m.requires = append(m.requires, require{words[1], words[2], indirect})
			}
		case "use":
			m.uses = append(m.uses, words[1])
		case "tool":
			m.tools = append(m.tools, words[1])
		}
	}
	return m
}

// cutGoComment cuts a line at "//" outside of quotes, where a word begins.
func cutGoComment(line string) (code, comment string) {
	var quote byte
	for i := 0; i < len(line); i++ {
		switch b := line[i]; {
		case quote != 0:
			if b == '\\' && quote == '"' {
				i++
			} else if b == quote {
				quote = 0
			}
		case b == '"' || b == '`':
			quote = b
		case b == '/' && strings.HasPrefix(line[i:], "//"):
			return line[:i], line[i+2:]
		}
	}
	return line, ""
}

// modWords splits at blanks; quoted words lose their quotes, parentheses are
// words where they end one.
func modWords(line string) []string {
	var list []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if q := line[0]; q == '"' || q == '`' {
			end := strings.IndexByte(line[1:], q)
			if end < 0 {
				return list
			}
			list = append(list, line[1:1+end])
			line = line[end+2:]
			continue
		}
		end := strings.IndexAny(line, " \t\r\n")
		if end < 0 {
			end = len(line)
		}
		word := line[:end]
		if head, ok := strings.CutSuffix(word, "("); ok && head != "" {
			list = append(list, head, "(")
		} else {
			list = append(list, word)
		}
		line = line[end:]
	}
	return list
}

// module is the module that a directory is in.
type module struct {
	mod
	dir  string
	path string // of go.mod
}

// dir is where the go command works: -C, else the directory.
func dir(r resolvers.Request) string {
	if to, ok := resolvers.Option(r.Words, false, "-C", "--C"); ok {
		return disk.Within(r.Dir, to)
	}
	for _, w := range r.Words {
		for _, flag := range [...]string{"-C=", "--C="} {
			if to, ok := strings.CutPrefix(w, flag); ok {
				return disk.Within(r.Dir, to)
			}
		}
	}
	return r.Dir
}

// openGoModule reads the nearest go.mod upwards.
func openGoModule(dir string) (*module, error) {
	path, ok := disk.FindUp(dir, "go.mod")
	if !ok {
		return nil, resolvers.Nowhere("no go.mod", dir)
	}
	m := &module{dir: filepath.Dir(path), path: path}
	data, err := disk.ReadRegular(path, disk.MaxManifest)
	if err != nil {
		return nil, err
	}
	if m.mod = parseGoMod(string(data)); m.module == "" {
		return nil, errors.New(path + ": no module directive")
	}
	return m, nil
}

// importPath is the path by which a directory of the module is imported.
func (m *module) importPath(dir string) string {
	rel, err := filepath.Rel(m.dir, dir)
	if err != nil || rel == "." {
		return m.module
	}
	return m.module + "/" + filepath.ToSlash(rel)
}

// workspaceDirs lists the directories that go.work (nearest upwards, or GOWORK) uses.
func workspaceDirs(dir string, getenv func(string) string) []string {
	path := getenv("GOWORK")
	if path == "off" {
		return nil
	}
	if path == "" {
		var ok bool
		if path, ok = disk.FindUp(dir, "go.work"); !ok {
			return nil
		}
	}
	data, err := disk.ReadRegular(path, disk.MaxManifest)
	if err != nil {
		return nil
	}
	var dirs []string
	for _, use := range parseGoMod(string(data)).uses {
		dirs = append(dirs, disk.Within(filepath.Dir(path), use))
	}
	return dirs
}
