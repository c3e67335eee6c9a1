package resolvers

import (
	"context"
	"path/filepath"
	"strings"
)

// justRecipes answers just:recipes: the recipes and aliases of the nearest
// justfile upwards (-f, --justfile, -d lead elsewhere) and of what it imports,
// each with the comment above it. Private ones ("_x", [private]) are left out.
func justRecipes(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	path, ok := option(r.Words, true, "-f", "--justfile")
	if ok {
		path = within(r.Dir, path)
	} else {
		dir := r.Dir
		if to, ok := option(r.Words, true, "-d", "--working-directory"); ok {
			dir = within(dir, to)
		}
		if path, ok = findJustfile(dir); !ok {
			return failed(nowhere("no justfile", dir))
		}
	}
	l := justLoader{c: c}
	if err := l.load(path, 0); err != nil {
		return failed(err)
	}
	return c.answer()
}

// findJustfile looks upwards; just takes the name in any case.
func findJustfile(dir string) (string, bool) {
	for filepath.IsAbs(dir) {
		found := ""
		_ = readDir(dir, func(name []byte, typ entryType) bool {
			if typ != entryDir && (strings.EqualFold(view(name), "justfile") || strings.EqualFold(view(name), ".justfile")) {
				found = filepath.Join(dir, string(name))
			}
			return found == ""
		})
		if found != "" {
			return found, true
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	return "", false
}

type justLoader struct {
	c     *collector
	files int
}

func (l *justLoader) load(path string, depth int) error {
	data, err := readRegular(path, maxMakeBytes)
	if err != nil {
		return err
	}
	if l.files++; l.files > maxMakeFiles || depth > 20 || l.c.late() {
		return nil
	}
	scanJust(string(data), func(v Value) { l.c.add(v) }, func(file string) {
		_ = l.load(within(filepath.Dir(path), file), depth+1) // an optional import may be absent
	})
	return nil
}

// scanJust reads a justfile as far as names go: recipes begin at the left
// margin, their bodies do not.
func scanJust(text string, emit func(Value), include func(path string)) {
	comment, private := "", false
	for text != "" {
		var line string
		line, text = logicalLine(text)
		switch {
		case strings.TrimSpace(line) == "":
			comment = ""
			continue
		case line[0] == ' ' || line[0] == '\t':
			continue
		case line[0] == '#':
			comment = strings.TrimSpace(strings.TrimLeft(line, "#"))
			continue
		case line[0] == '[':
			private = private || strings.Contains(line, "private")
			if doc, ok := strings.CutPrefix(line, "[doc("); ok {
				comment = strings.Trim(strings.TrimSuffix(strings.TrimSpace(doc), ")]"), `"'`)
			}
			continue
		}
		justLine(line, comment, private, emit, include)
		comment, private = "", false
	}
}

func justLine(line, comment string, private bool, emit func(Value), include func(path string)) {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "set", "export", "unexport", "mod", "mod?":
		return
	case "import", "import?":
		if path := strings.Trim(rest, `'"`); path != "" {
			include(path)
		}
		return
	case "alias":
		if name, to, ok := strings.Cut(rest, ":="); ok && !private {
			emitJust(strings.TrimSpace(name), "alias of "+strings.TrimSpace(to), "", emit)
		}
		return
	}
	head, ok := justHead(line)
	if !ok || private {
		return
	}
	name, parameters, _ := strings.Cut(head, " ")
	emitJust(strings.TrimPrefix(name, "@"), comment, strings.TrimSpace(parameters), emit)
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

func emitJust(name, comment, parameters string, emit func(Value)) {
	if name == "" || name[0] == '_' || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
		return
	}
	text := comment
	if text == "" {
		text = parameters
	}
	emit(Value{Value: name, Description: oneLine(text, 120), Kind: "recipe"})
}
