package tasks

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// JustRecipes answers just:recipes: the recipes and aliases of the nearest
// justfile upwards (-f, --justfile, -d lead elsewhere), of what it imports and of
// its modules ("module::recipe"), each with the comment above it. Private ones
// ("_x", [private]) are left out.
func JustRecipes(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	path, _, err := justfile(r)
	if err != nil {
		return resolvers.Failure(err)
	}
	l := justLoader{c: c, modules: true}
	l.emit = func(r justRecipe) {
		if r.offered() {
			v := r.value()
			v.Value = l.prefix + v.Value
			c.Add(v)
		}
	}
	if err := l.load(path, 0); err != nil {
		return resolvers.Failure(err)
	}
	return c.Answer()
}

// justfile is the one that just would read by its words, and the directory that
// its recipes run in.
func justfile(r resolvers.Request) (path, dir string, err error) {
	path, named := resolvers.Option(r.Words, true, "-f", "--justfile")
	to, moved := resolvers.Option(r.Words, true, "-d", "--working-directory")
	if moved {
		dir = disk.Within(r.Dir, to)
	}
	if named {
		path = disk.Within(r.Dir, path)
	} else {
		from := r.Dir
		if moved {
			from = dir
		}
		if path, named = findJustfile(from); !named {
			return "", "", resolvers.Nowhere("no justfile", from)
		}
	}
	if !moved {
		dir = filepath.Dir(path)
	}
	return path, dir, nil
}

// findJustfile looks upwards; just takes the name in any case.
func findJustfile(dir string) (string, bool) {
	for filepath.IsAbs(dir) {
		if found, ok := justfileIn(dir); ok {
			return found, true
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	return "", false
}

// justfileIn looks in one directory.
func justfileIn(dir string) (found string, ok bool) {
	_ = disk.ReadDir(dir, func(name []byte, typ disk.Type) bool {
		if typ != disk.Directory && (strings.EqualFold(disk.View(name), "justfile") || strings.EqualFold(disk.View(name), ".justfile")) {
			found = filepath.Join(dir, string(name))
		}
		return found == ""
	})
	return found, found != ""
}

type justLoader struct {
	c     *resolvers.Collector // nil for no deadline
	emit  func(justRecipe)
	files []string // those that were read
	bytes int      // of them
	// modules says that their recipes count too; prefix is the path of the one
	// that is being read ("a::b::").
	modules bool
	prefix  string
	// assign is told of assignments and settings; nil if nobody asks.
	assign func(name, value string)
}

func (l *justLoader) load(path string, depth int) error {
	if len(l.files) >= maxMakeFiles || l.bytes > maxMakeBytes || depth > 20 || l.c != nil && l.c.Late() {
		return nil
	}
	data, err := disk.ReadRegular(path, maxMakeBytes)
	if err != nil {
		return err
	}
	l.files, l.bytes = append(l.files, path), l.bytes+len(data)
	scanJust(string(data), l.emit, l.assign, func(file string) {
		_ = l.load(disk.Within(filepath.Dir(path), file), depth+1) // an optional import may be absent
	}, func(name, file string) {
		if file = moduleFile(filepath.Dir(path), name, file); l.modules && file != "" {
			outer := l.prefix
			l.prefix += name + "::"
			_ = l.load(file, depth+1)
			l.prefix = outer
		}
	})
	return nil
}

// moduleFile is the justfile of a module: the file or directory that its line
// names, else one of the places where just looks; "" if there is none.
func moduleFile(dir, name, path string) string {
	if path != "" {
		if path = disk.Within(dir, path); disk.IsFile(path) {
			return path
		}
		file, _ := justfileIn(path)
		return file
	}
	for _, at := range [...]string{name + ".just", name + "/mod.just"} {
		if at = filepath.Join(dir, at); disk.IsFile(at) {
			return at
		}
	}
	file, _ := justfileIn(filepath.Join(dir, name))
	return file
}

// justRecipe is a recipe as the file has it.
type justRecipe struct {
	name, comment, parameters string
	needs                     string // the text after the colon
	private, confirm, stays   bool   // stays: [no-cd]
	lines                     []string
}

// scanJust reads a justfile: recipes begin at the left margin, their bodies do
// not. assign may be nil; a setting is "set NAME".
func scanJust(text string, emit func(justRecipe), assign func(name, value string), include func(path string), module func(name, path string)) {
	above := justRecipe{}
	var current *justRecipe
	flush := func() {
		if current != nil {
			emit(*current)
		}
		current = nil
	}
	for text != "" {
		var line string
		line, text = logicalLine(text)
		switch {
		case strings.TrimSpace(line) == "":
			above = justRecipe{}
			continue
		case line[0] == ' ' || line[0] == '\t':
			if current != nil {
				current.lines = append(current.lines, strings.TrimSpace(line))
			}
			continue
		case line[0] == '#':
			above.comment = strings.TrimSpace(strings.TrimLeft(line, "#"))
			continue
		case line[0] == '[':
			above.private = above.private || strings.Contains(line, "private")
			above.confirm = above.confirm || strings.Contains(line, "confirm")
			above.stays = above.stays || strings.Contains(line, "no-cd")
			if doc, ok := strings.CutPrefix(line, "[doc("); ok {
				above.comment = strings.Trim(strings.TrimSuffix(strings.TrimSpace(doc), ")]"), `"'`)
			}
			continue
		}
		flush()
		if name, value, ok := strings.Cut(line, ":="); ok && assign != nil && !strings.HasPrefix(line, "alias ") {
			assign(strings.TrimPrefix(strings.TrimSpace(name), "export "), strings.TrimSpace(value))
		}
		if name, path, ok := justModule(line); ok {
			if !above.private && name != "" && name[0] != '_' {
				module(name, path)
			}
		} else if r, ok := justLine(line, above, include); ok {
			current = &r
		}
		above = justRecipe{}
	}
	flush()
}

// justModule reads "mod NAME" and "mod? NAME 'PATH'".
func justModule(line string) (name, path string, ok bool) {
	word, rest, _ := strings.Cut(line, " ")
	if word != "mod" && word != "mod?" {
		return "", "", false
	}
	rest, _, _ = strings.Cut(rest, "#")
	name, path, _ = strings.Cut(strings.TrimSpace(rest), " ")
	return name, strings.Trim(strings.TrimSpace(path), `'"`), !strings.Contains(name, ":")
}

// justLine reads a line at the left margin; above holds what stands before it.
func justLine(line string, above justRecipe, include func(path string)) (justRecipe, bool) {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "set", "export", "unexport":
		return above, false
	case "import", "import?":
		if path := strings.Trim(rest, `'"`); path != "" {
			include(path)
		}
		return above, false
	case "alias":
		name, to, ok := strings.Cut(rest, ":=")
		above.name, above.needs = strings.TrimSpace(name), strings.TrimSpace(to)
		above.comment = "alias of " + above.needs
		return above, ok
	}
	head, ok := justHead(line)
	if !ok {
		return above, false
	}
	name, parameters, _ := strings.Cut(head, " ")
	above.name, above.parameters = strings.TrimPrefix(name, "@"), strings.TrimSpace(parameters)
	above.needs = strings.TrimSpace(line[strings.Index(line, head)+len(head):])
	above.needs = strings.TrimPrefix(strings.TrimSpace(above.needs), ":")
	return above, true
}

// justHead is a recipe's name and parameters, up to the colon outside of
// quotes; false for an assignment.
func justHead(line string) (string, bool) {
	var quote byte
	for i := 0; i < len(line); i++ {
		switch b := line[i]; {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == '"' || b == '\'' || b == '`':
			quote = b
		case b == '#':
			return "", false
		case b == ':':
			return strings.TrimSpace(line[:i]), i > 0 && !strings.HasPrefix(line[i:], ":=")
		}
	}
	return "", false
}

// offered reports whether a recipe is one to call by name.
func (r *justRecipe) offered() bool {
	return !r.private && r.name != "" && r.name[0] != '_' &&
		strings.Trim(r.name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}

func (r *justRecipe) value() resolvers.Value {
	text := r.comment
	if text == "" {
		text = r.parameters
	}
	return resolvers.Value{Value: r.name, Description: resolvers.OneLine(text, 120), Kind: "recipe"}
}
