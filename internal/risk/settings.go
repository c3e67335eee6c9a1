package risk

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
)

// settingsTable says by which settings of a project's own files the programs of
// the map start others. The file says what its columns mean.
//
//go:embed settings.tsv
var settingsTable string

// Source names files of the project that a command reads by itself.
type Source struct {
	// File is "git" for the configuration of the repository that the command works
	// in, "hooks" for its hooks, else a file's name as the table of settings has it.
	File  string
	Words []string // of the command
	Hooks []string // the names of those that are asked for
	// In is where the command runs: "" for the directory of the line, else a
	// directory as the line names it.
	In string
}

// Setting is what a file of the project gives a key.
type Setting struct {
	Key, Value string
	File       string // as a person would name it
}

// Use is a setting by which a command starts a program without being told to.
type Use struct {
	Setting
	// Reads is what the value is and Usual which values are ordinary, as the table
	// of settings writes both.
	Reads, Usual string
}

// settingRow is one row of the table.
type settingRow struct{ commands, unless, file, keys, reads, usual string }

// settingRows calls visit for each row of a tool.
func settingRows(tool string, visit func(settingRow)) {
	for at := 0; ; {
		k := strings.Index(settingsTable[at:], "\n"+tool+"\t")
		if k < 0 {
			return
		}
		at += k + len(tool) + 2
		line, _, _ := strings.Cut(settingsTable[at:], "\n")
		at += len(line)
		var r settingRow
		for _, column := range [...]*string{&r.commands, &r.unless, &r.file, &r.keys, &r.reads, &r.usual} {
			*column, line, _ = strings.Cut(line, "\t")
		}
		visit(r)
	}
}

// each calls visit for the words of a column, and for those of the lists that it
// names, until one call returns true, which it then returns.
func each(column, between string, visit func(string) bool) bool {
	for word := range strings.SplitSeq(column, between) {
		if len(word) > 1 && word[0] == '+' && word[1] != '-' {
			if k := strings.Index(settingsTable, "\n"+word+"\t"); k >= 0 {
				list, _, _ := strings.Cut(settingsTable[k+len(word)+2:], "\n")
				if each(list, " ", visit) {
					return true
				}
				continue
			}
		}
		if visit(word) {
			return true
		}
	}
	return false
}

// settings returns the lines that settings of the project make a command run.
func (j *judge) settings(b *argv.Bound, at int) (lines []Line) {
	tool := b.Chain[0].Name
	if j.facts.Settings == nil || !strings.Contains(settingsTable, "\n"+tool+"\t") {
		return nil
	}
	places := j.facts.In
	if len(places) == 0 {
		places = []string{""}
	}
	for _, in := range places {
		s := Source{Words: b.Words, In: in}
		var found []Setting
		settingRows(tool, func(r settingRow) {
			switch {
			case r.file == "hooks":
				if s.Hooks == nil {
					s.Hooks = hooksOf(b)
				}
				if !slices.Contains(s.Hooks, r.keys) {
					return
				}
				fallthrough
			case r.file == "git", r.serves(b):
				if r.file != s.File {
					s.File = r.file
					found = j.facts.Settings(s)
				}
				lines = j.used(lines, b, at, &r, found)
			}
		})
	}
	return lines
}

// hooksOf are the names of the hooks that a command of git may run.
func hooksOf(b *argv.Bound) []string {
	names := []string{}
	settingRows("git", func(r settingRow) {
		if r.file == "hooks" && r.serves(b) {
			names = append(names, r.keys)
		}
	})
	return names
}

// used adds the lines that one row makes of the settings of its file.
func (j *judge) used(lines []Line, b *argv.Bound, at int, r *settingRow, found []Setting) []Line {
	for i := range found {
		s := &found[i]
		if !r.names(b, s.Key) || r.file == "git" && (!r.serves(b) || overridden(b, s.Key)) || !r.needed(b, found) {
			continue
		}
		text, ok := r.line(*s)
		if !ok {
			continue
		}
		lines = append(lines, Line{
			Text: text, Dialect: "posix", Word: at + b.Subs[min(1, len(b.Subs)-1)],
			Outer: &Command{Bound: b, At: at, Outer: j.outer},
			Use:   &Use{Setting: *s, Reads: r.reads, Usual: r.usual},
		})
	}
	return lines
}

// aliased returns the line of an alias once more as a setting, if it is the
// project's: a person knows what the own ones run.
func (j *judge) aliased(b *argv.Bound, name string, l Line) []Line {
	if j.facts.Settings == nil || b.Chain[0].Name != "git" {
		return nil
	}
	for _, s := range j.facts.Settings(Source{File: "git", Words: b.Words}) {
		if _, alias, ok := strings.Cut(s.Key, "alias."); ok && strings.EqualFold(strings.TrimSuffix(alias, ".command"), name) && s.Value == "!"+l.Text {
			l.Use = &Use{Setting: s, Reads: "aliased"}
			return []Line{l}
		}
	}
	return nil
}

// serves reports whether a command is one of those that use the setting.
func (r *settingRow) serves(b *argv.Bound) bool {
	if r.commands == "*" {
		return r.allowed(b)
	}
	name := ""
	if len(b.Chain) > 1 {
		name = strings.ReplaceAll(strings.TrimPrefix(b.Node().Path, b.Chain[0].Path+" "), " ", "/")
	} else if len(b.Args) > 0 {
		name = b.Args[0].Text // not in the map
	}
	return each(r.commands, " ", func(c string) bool {
		rest, ok := strings.CutPrefix(name, c)
		return ok && (rest == "" || rest[0] == '/')
	}) && r.allowed(b)
}

// allowed reports whether no option makes the command do without the setting.
func (r *settingRow) allowed(b *argv.Bound) bool {
	for option := range strings.SplitSeq(r.unless, " ") {
		if option[0] == '-' && len(option) > 1 && usesOption(b, option) {
			return false
		}
	}
	return true
}

// needed reports whether what the command must be given, if anything, is there: an
// option, or a setting that is true.
func (r *settingRow) needed(b *argv.Bound, found []Setting) bool {
	needs := false
	for word := range strings.SplitSeq(r.unless, " ") {
		word, ok := strings.CutPrefix(word, "+")
		if !ok {
			continue
		}
		needs = true
		if word[0] == '-' && usesOption(b, word) || word[0] != '-' && slices.ContainsFunc(found, func(s Setting) bool {
			return s.Key == word && !wordlist.Has("false no off 0", s.Value)
		}) {
			return true
		}
	}
	return !needs
}

func usesOption(b *argv.Bound, name string) bool {
	for i := range b.Flags {
		u := &b.Flags[i]
		if u.Name == name || u.Flag != nil && !u.Negated && slices.Contains(u.Flag.Names, name) {
			return true
		}
	}
	return false
}

// names reports whether the row is about a key.
func (r *settingRow) names(b *argv.Bound, key string) bool {
	if before, own := strings.CutSuffix(r.keys, "@"); own {
		name, ok := strings.CutPrefix(key, before)
		return ok && len(b.Chain) > 1 && name == b.Chain[1].Name
	}
	return keyIs(r.keys, key)
}

// keyIs reports whether a key is of a pattern, in which "*" stands for any text.
func keyIs(pattern, key string) bool {
	before, after, any := strings.Cut(pattern, "*")
	if !any {
		return pattern == key
	}
	return len(key) >= len(before)+len(after) && strings.HasPrefix(key, before) && strings.HasSuffix(key, after)
}

// overridden reports whether git is given a key on the line, in the place of which
// no file counts. Helpers for credentials are all asked.
func overridden(b *argv.Bound, key string) bool {
	if strings.HasPrefix(key, "credential.") {
		return false
	}
	for i := range b.Flags {
		u := &b.Flags[i]
		if u.Flag == nil || u.Node != 0 || u.Flag.ID != "c" && u.Flag.ID != "config-env" {
			continue
		}
		if given, _, ok := strings.Cut(u.Value, "="); ok && strings.EqualFold(given, key) {
			return true
		}
	}
	return false
}

// line returns the text that runs; ok is false if none does.
func (r *settingRow) line(s Setting) (text string, ok bool) {
	value := strings.TrimSpace(s.Value)
	if r.file == "git" && wordlist.Has("true false yes no on off 1 0", value) {
		return "", false
	}
	switch r.reads {
	case "bang":
		return strings.CutPrefix(value, "!")
	case "helper":
		if line, own := strings.CutPrefix(value, "!"); own || strings.HasPrefix(value, "/") {
			return line, line != ""
		}
		return "git-credential-" + value, value != ""
	case "ext":
		if strings.HasPrefix(s.Key, "url.") {
			value = strings.TrimSuffix(strings.TrimPrefix(s.Key, "url."), ".insteadof")
		}
		return strings.CutPrefix(value, "ext::")
	}
	return value, value != ""
}

// Ordinary reports whether a command of the value is among what is usual for the
// setting: as a whole, its words parted by blanks, or by the name of its program,
// which is "" where that is not found through PATH. Marked says that the table has
// the command MEDIUM for it.
func (u *Use) Ordinary(whole, program string) (asWhole, byName, marked bool) {
	asWhole = each(u.Usual, "|", func(usual string) bool {
		usual, mark := strings.CutPrefix(usual, "~")
		pattern, all := strings.CutPrefix(usual, "=")
		if all || strings.ContainsAny(usual, " /") {
			if globs(pattern, whole) {
				marked = mark
				return true
			}
		} else if program != "" && globs(pattern, program) {
			byName, marked = true, mark
		}
		return false
	})
	return asWhole, byName, marked
}

// gitSetting returns the row about a key of git, whichever command uses it.
func gitSetting(key string) (r settingRow, ok bool) {
	section, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
	if section < 0 {
		return r, false
	}
	key = strings.ToLower(key[:section]) + key[section:last] + strings.ToLower(key[last:])
	settingRows("git", func(row settingRow) {
		if !ok && row.file == "git" && keyIs(strings.ReplaceAll(row.keys, "@", "*"), key) {
			r, ok = row, true
		}
	})
	return r, ok
}
