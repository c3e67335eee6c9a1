// Package settings reads what the files of a project set that tools take commands
// and programs from.
package settings

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/toml"
	"github.com/tool-mapping-protocol/tmp/resolvers/git"
)

const (
	// maxAbove bounds how many directories are gone up for a file of settings.
	maxAbove = 64
	// maxFile bounds a file, in bytes, and maxSettings what is read of one.
	maxFile     = 1 << 20
	maxSettings = 4096
)

// Find returns what the files of a name set in dir and the directories
// above it, the nearest first, but for the home directory, whose files are the
// user's own, and what lies above that. A name that begins with "./" is looked for
// in dir alone. All of a file stands under the key "whole" before the keys that
// can be read of it; File is its path. A file of more than a megabyte, and one
// that is no regular file, is passed over.
func Find(dir, home, name string) (found []git.Setting) {
	name, here := strings.CutPrefix(name, "./")
	for range maxAbove {
		if dir == home || !filepath.IsAbs(dir) {
			break
		}
		for _, file := range settingsNames(name) {
			path := filepath.Join(dir, file)
			if !disk.IsFile(path) {
				continue
			}
			if data, err := disk.ReadRegular(path, maxFile); err == nil {
				found = append(found, fileSettings(path, disk.View(data))...)
			}
		}
		if up := filepath.Dir(dir); here || up == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	return found
}

// settingsNames are the names that a file may go by.
func settingsNames(name string) []string {
	if name == ".cargo/config.toml" {
		return []string{name, ".cargo/config"}
	}
	return []string{name}
}

// fileSettings reads one file in the form that its name stands for.
func fileSettings(path, text string) []git.Setting {
	found := []git.Setting{{Key: "whole", Value: text, File: path}}
	set := func(key, value string) {
		if len(found) < maxSettings {
			found = append(found, git.Setting{Key: key, Value: value, File: path})
		}
	}
	switch base := filepath.Base(path); {
	case strings.HasSuffix(base, ".toml"), base == "config" && filepath.Base(filepath.Dir(path)) == ".cargo":
		// Cargo refuses what does not parse.
		if root, err := toml.Parse(text); err == nil {
			flatten("", root, set)
		}
	case strings.HasSuffix(base, ".yml"), strings.HasSuffix(base, ".yaml"):
		lineSettings(text, ":", set)
	case base == ".yarnrc":
		lineSettings(text, " ", set)
	case base == "jvm.config":
		for word := range strings.FieldsSeq(text) {
			key, value, _ := strings.Cut(word, "=")
			if k := strings.IndexByte(key, ':'); k > 0 && !strings.HasPrefix(key, "-XX:") {
				key, value = word[:k], word[k+1:]
			}
			set(key, strings.Trim(value, `"'`))
		}
	case strings.EqualFold(base, "makefile"), base == "GNUmakefile":
		makeSettings(text, set)
	default:
		lineSettings(text, "=", set)
	}
	return found
}

// flatten gives the strings of a TOML table by their dotted keys; a list of
// strings is a command with its arguments.
func flatten(prefix string, table map[string]any, set func(key, value string)) {
	for _, key := range slices.Sorted(maps.Keys(table)) {
		switch v := table[key].(type) {
		case string:
			set(prefix+key, v)
		case map[string]any:
			if path, ok := v["path"].(string); ok { // cargo takes {path = …} for a program
				set(prefix+key, path)
			}
			flatten(prefix+key+".", v, set)
		case []any:
			var words []string
			for _, e := range v {
				if s, ok := e.(string); ok {
					words = append(words, "'"+strings.ReplaceAll(s, "'", `'\''`)+"'")
				}
			}
			set(prefix+key, strings.Join(words, " "))
		}
	}
}

// lineSettings reads "key SEPARATOR value" lines below [section] heads, as .npmrc,
// .properties and Mercurial's files have them. Quotes around a value are dropped.
func lineSettings(text, separator string, set func(key, value string)) {
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if head, ok := strings.CutPrefix(line, "["); ok && strings.HasSuffix(head, "]") {
			section = strings.TrimSuffix(head, "]") + "."
			continue
		}
		key, value, _ := strings.Cut(line, separator)
		set(section+strings.Trim(strings.TrimRight(key, " \t"), `"'`), strings.Trim(strings.TrimSpace(value), `"'`))
	}
}

// makeSettings reads the variables that a makefile assigns at the beginning of a
// line, with one line going on where the last ends in a backslash.
func makeSettings(text string, set func(key, value string)) {
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		name, value, ok := strings.Cut(line, "=")
		if !ok || line[0] == '\t' || strings.ContainsAny(name, "#$(") {
			continue
		}
		fields := strings.Fields(strings.TrimRight(name, ":?+!= "))
		for len(fields) > 1 && (fields[0] == "override" || fields[0] == "export") {
			fields = fields[1:]
		}
		if len(fields) == 1 {
			value, _, _ = strings.Cut(value, " #")
			set(fields[0], strings.TrimSpace(value))
		}
	}
}
