package risk

import (
	_ "embed"
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/code"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// filesTable says which programs read commands from files that their words name,
// and in which language. The file says what its columns mean.
//
//go:embed files.tsv
var filesTable string

// File is a file that a command reads commands from.
type File struct {
	Name     string
	Language string // as Code knows it, or "shell"
	Word     int    // the word that names it; -1 where a program does
}

// FilesOf returns the files that a command reads commands from, as its words say:
// psql -f FILE. Standard input is none of them.
func FilesOf(v *tcpdb.View, words []string) (files []File) {
	name := words[0]
	if strings.IndexByte(name, '/') >= 0 {
		name = path.Base(name)
	}
	if len(words) < 2 || !strings.Contains(filesTable, name) {
		return nil
	}
	for row := range strings.Lines(filesTable) {
		tools, rest, ok := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		if !ok || row[0] == '#' || !wordlist.Has(tools, name) {
			continue
		}
		options, language, _ := strings.Cut(rest, "\t")
		files = named(v, files, words, options, language)
	}
	for i := range files {
		switch f := &files[i]; {
		case f.Language == "ex" && strings.HasSuffix(f.Name, ".lua"):
			f.Language = "lua"
		case f.Language == "gdb" && strings.HasSuffix(f.Name, ".py"):
			f.Language = "python"
		}
	}
	return slices.DeleteFunc(files, func(f File) bool {
		return wordlist.Has("- NONE NORC DEFAULTS /dev/null /dev/stdin /dev/fd/0 /proc/self/fd/0", f.Name) || f.Name == "" || strings.HasPrefix(f.Name, "<(")
	})
}

// named adds the files that the options, or the first argument, name.
func named(v *tcpdb.View, files []File, words []string, options, language string) []File {
	var code, values string // options with values of another kind
	if n := v.Root(path.Base(words[0])); n != nil && !placed(n) {
		lang := Language(v, words[0])
		code, values = codeFlags(lang, path.Base(words[0]))
	}
	for i := 1; i < len(words) && words[i] != "--"; i++ {
		w := words[i]
		option, value, attached := strings.Cut(w, "=")
		switch {
		case wordlist.Has(options, w):
			if i+1 < len(words) {
				i++
				files = append(files, File{words[i], language, i})
			}
		case wordlist.Has(code, w), wordlist.Has(values, w):
			i++
		case attached && strings.HasPrefix(w, "--") && wordlist.Has(options, option):
			files = append(files, File{value, language, i})
		case len(w) > 2 && w[0] == '-' && w[1] != '-' && wordlist.Has(options, w[:2]) && !wordlist.Has("gdb ex", language):
			files = append(files, File{w[2:], language, i}) // -ffile
		case len(w) > 2 && w[0] == '-' && w[1] != '-' && language == "sql" && wordlist.Has(options, "-"+w[len(w)-1:]) && strings.Trim(w[1:len(w)-1], "aAbeEHlnqsSt1wWxXz0") == "" && i+1 < len(words):
			i++
			files = append(files, File{words[i], language, i}) // -Xqf file
		case !strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "+"):
			if strings.HasSuffix(options, "argument") && len(files) == 0 {
				files = append(files, File{w, language, i})
			}
			if strings.HasSuffix(options, "argument") {
				return files // what follows are its arguments
			}
		}
	}
	return files
}

// inFiles judges the files that a command reads commands from; ok is false if there
// are none. One that is not read makes the command MEDIUM, or HIGH if it holds
// statements for a database, as what flows into its input does.
func (j *judge) inFiles(words []string, at int) (v Verdict, ok bool) {
	files := FilesOf(j.view, words)
	if len(files) == 0 {
		return Verdict{}, false
	}
	v = Verdict{Level: tcpdb.Safe, Known: true}
	for _, f := range files {
		o := j.facts.file(f)
		o.place(at + f.Word)
		v.merge(o)
	}
	return v, true
}

// file judges one file.
func (f *Facts) file(file File) Verdict {
	v := Verdict{Level: tcpdb.Safe, Known: true}
	texts := f.texts(file.Name)
	for _, text := range texts {
		if file.Language == "shell" {
			v.Lines = append(v.Lines, Line{Text: text, Dialect: "bash"})
			continue
		}
		v.merge(f.Program(file.Language, text))
	}
	if len(texts) == 0 {
		level, flags := tcpdb.Medium, tcpdb.Flags(0)
		if file.Language == "sql" {
			level = tcpdb.High
		}
		v.merge(says(level, flags, tcpdb.NoScope, "flow.file", "reads commands from "+file.Name+", which is not looked into"))
	}
	return v
}

// texts returns what the files of a name hold, in each of the places that the
// command may run in.
func (f *Facts) texts(name string) (texts []string) {
	if f.Text == nil {
		return nil
	}
	for _, in := range append([]string{""}, f.In...) {
		file := name
		if in != "" && !strings.HasPrefix(name, "/") && !strings.HasPrefix(name, "~") {
			file = in + "/" + name
		}
		if text, ok := f.Text(file); ok && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// Program rates a program as Code does, with the files that it reads commands from
// in turn, as far as they can be read.
func (f *Facts) Program(lang, text string) Verdict {
	v := Code(lang, text)
	if f.Text == nil {
		return v
	}
	done := map[string]bool{}
	for waiting := v.Files; len(waiting) > 0 && len(done) < code.MaxFiles; waiting = waiting[1:] {
		file := waiting[0]
		if done[file.Name] {
			continue
		}
		done[file.Name] = true
		for _, text := range f.texts(file.Name) {
			o := Code(file.Language, text)
			waiting = append(waiting, o.Files...)
			v.merge(o)
		}
	}
	return v
}
