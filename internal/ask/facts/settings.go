package facts

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/place"
)

// Problem is a part of the configuration that does not count.
type Problem struct {
	File string // "" where Err names it
	Line int    // from 1; 0 where it is not known
	Err  error
	// Moved: it counts, and has another name by now.
	Moved bool
}

func (p Problem) Error() string {
	if p.File == "" {
		return p.Err.Error()
	}
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s", p.File, p.Err)
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Err)
}

func (p Problem) Unwrap() error { return p.Err }

// maxConfig bounds a configuration file, in bytes.
const maxConfig = 1 << 20

// Sections reads the text of a config.toml: its values by section and key, as
// TOML decodes them, or what is wrong with the file. It is handed in because a
// reader of TOML costs a program its start, and few lines need one.
type Sections func(file, text string) (map[string]any, []Problem)

// Settings reads the user's settings, and those of the project that a directory
// is in if it is trusted as it stands.
func Settings(paths place.Paths, dir string, sections Sections) (ask.Settings, []Problem) {
	s := ask.Default()
	problems := userSettings(&s, paths.Settings(), sections)
	if project := mapset.TrustedProject(paths, dir); project != "" {
		problems = append(problems, projectSettings(&s, filepath.Join(project, ".tmp", "config.json"))...)
	}
	return s, problems
}

// Kept says what is kept of each line: recency, whether used words are for Tab,
// unless the user's settings speak of recency and do not plainly say "recency =
// true", or cannot be read; all, whether the audit log has every line, where they
// plainly say so. Every Enter asks, so no TOML is decoded for it.
func Kept(paths place.Paths) (recency, all bool) {
	text, problems := read(paths.Settings())
	if len(problems) > 0 {
		return false, false
	}
	recency = true
	section := ""
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		line = strings.Join(strings.Fields(line), "")
		switch {
		case strings.HasPrefix(line, "["):
			section = line
		case strings.Contains(line, "recency"):
			recency = line == "recency=true" || line == "tab.recency=true"
		case section == "[audit]" && strings.HasPrefix(line, "all="), section == "" && strings.HasPrefix(line, "audit.all="):
			all = strings.HasSuffix(line, "=true")
		}
	}
	return recency, all
}

// userSettings applies the sections of the policy of a TOML file.
func userSettings(s *ask.Settings, file string, sections Sections) []Problem {
	text, problems := read(file)
	if strings.TrimSpace(text) == "" {
		return problems
	}
	all, problems := sections(file, text)
	if len(problems) > 0 {
		return problems
	}
	for _, f := range s.Apply(all, false) {
		problems = append(problems, Problem{file, Line(text, f.Key), f, f.Moved})
	}
	return problems
}

// projectSettings applies the objects of a JSON file that are the policy's.
func projectSettings(s *ask.Settings, file string) []Problem {
	text, problems := read(file)
	if text == "" {
		return problems
	}
	var all map[string]any
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return []Problem{{File: file, Err: err}}
	}
	for _, f := range s.Apply(all, true) {
		problems = append(problems, Problem{file, 0, f, f.Moved})
	}
	return problems
}

// read returns the text of a file, "" if there is none.
func read(file string) (string, []Problem) {
	if file == "" {
		return "", nil
	}
	st, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err == nil && (!st.Mode().IsRegular() || st.Size() > maxConfig) {
		err = errors.New("is not a file of settings")
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(file)
	}
	if err != nil {
		return "", []Problem{{File: file, Err: err}}
	}
	return string(data), nil
}

// Line returns the line, from 1, of a setting such as "enter.word" in a TOML
// file, or of a whole section; 0 where it is not found.
func Line(text, setting string) int {
	n, section := 0, ""
	for l := range strings.Lines(text) {
		n++
		l = strings.TrimSpace(l)
		name := ""
		if rest, ok := strings.CutPrefix(l, "["); ok {
			name, _, _ = strings.Cut(strings.TrimPrefix(rest, "["), "]")
			name = strings.TrimSpace(name)
			section = name + "."
		} else {
			name, _, _ = strings.Cut(l, "=")
			name = strings.TrimPrefix(section+strings.Trim(strings.TrimSpace(name), `"'`), ".")
		}
		if name == setting || strings.HasPrefix(name, setting+".") {
			return n
		}
	}
	return 0
}
