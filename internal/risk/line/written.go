package line

import (
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk/syspath"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
)

// writes remembers the literal texts that a command puts into files, for the
// commands of the line that run them: echo 'ls' > a.sh; sh a.sh.
func (r *run) writes(c *command, words []shline.Word) {
	if names(words[0].Text, "cp", "mv", "ln", "install") && len(r.written) > 0 && len(words) > 2 {
		from, to := words[len(words)-2].Text, words[len(words)-1].Text
		if text, ok := r.written[path.Clean(from)]; ok {
			r.write(to, text)
		}
		return
	}
	if names(words[0].Text, "tee") {
		appends := slices.ContainsFunc(words, func(w shline.Word) bool { return w.Text == "-a" || w.Text == "--append" })
		var files []string
		for i := range words[1:] {
			if w := &words[i+1]; !w.Live && !strings.HasPrefix(w.Text, "-") {
				files = append(files, w.Text)
			}
		}
		r.copies(c, files, appends)
	}
	var files [2][]string // overwritten, appended to
	for i := range c.redirs {
		d := &c.redirs[i]
		if op := strings.TrimLeft(d.op, "012"); strings.HasPrefix(op, ">") && !strings.HasPrefix(op, ">&") && !d.target.Live {
			kind := 0
			if strings.HasPrefix(op, ">>") {
				kind = 1
			}
			files[kind] = append(files[kind], d.target.Text)
		}
	}
	r.copies(c, files[0], false)
	r.copies(c, files[1], true)
}

// copies takes what a command writes to be the text of files.
func (r *run) copies(c *command, files []string, appends bool) {
	text, ok, read := "", false, false
	for _, file := range files {
		file = path.Clean(file)
		if syspath.IsHarmless(file) {
			continue
		}
		if !r.spend(r.text, commandWork*(c.to-c.from)) {
			delete(r.written, file)
			continue
		}
		if !read {
			text, ok = r.output(append(slices.Clip(r.program.commands[c.from:c.to]), *c))
			read = true
		}
		switch {
		case !ok:
			delete(r.written, file)
		case appends:
			r.write(file, r.written[file]+text)
		default:
			r.write(file, text)
		}
	}
}

func (r *run) write(file, text string) {
	if r.written == nil {
		r.written = map[string]string{}
	}
	r.written[path.Clean(file)] = text
}

// runsWritten judges the text of a file that the line wrote before, where the
// command runs it: ./a.sh, sh a.sh, sudo python3 a.py, crontab jobs.
func (r *run) runsWritten(words []shline.Word) {
	if len(r.written) == 0 {
		return
	}
	for range maxLines {
		first := words[0]
		if text, ok := r.written[path.Clean(first.Text)]; ok && strings.Contains(first.Text, "/") {
			r.file(first, text, r.interpreter(text), words)
			return
		}
		lang := r.language(first.Text)
		switch {
		case names(first.Text, "source", ".", "crontab"):
			lang = shellLanguage
		case lang == "":
			lang = r.filterName(first.Text)
		}
		for _, name := range [...]string{"Makefile", "makefile", "GNUmakefile"} {
			if text, ok := r.written[name]; ok && lang == "make" {
				r.file(first, text, lang, words)
			}
		}
		for _, w := range words[1:] {
			name := w.Text
			if k := strings.LastIndexByte(name, '='); k >= 0 && strings.HasPrefix(name, "-") {
				name = name[k+1:] // --file=a.sql
			}
			if text, ok := r.written[path.Clean(name)]; ok && lang != "" && !w.Live {
				if names(first.Text, "crontab") {
					text = scheduled(text)
				}
				r.file(w, text, lang, words)
			}
		}
		b := argv.Bind(r.view, shline.Texts(words))
		if b == nil || len(b.Inner) == 0 || b.Inner[0].Start >= b.Inner[0].End || b.Inner[0].Start == 0 {
			return
		}
		words = words[b.Inner[0].Start:b.Inner[0].End]
	}
}

// file judges a file's text as a program of a language.
func (r *run) file(w shline.Word, text, lang string, words []shline.Word) {
	if lang != "" {
		r.source(text, false, r.text.at(w.Start, w.End), lang, len(r.text.s), words)
	}
}

// interpreter returns the language that the first line of a program names, a
// shell's if there is no such line.
func (r *run) interpreter(text string) string {
	head, _, _ := strings.Cut(text, "\n")
	head, ok := strings.CutPrefix(head, "#!")
	if !ok {
		return shellLanguage
	}
	for _, word := range strings.Fields(head) {
		switch lang := r.language(word); {
		case r.filterName(word) != "":
			return r.filterName(word)
		case lang != "":
			return lang
		}
	}
	return ""
}

// scheduled returns the commands of a crontab: what follows the five fields of a
// time, or a word such as @daily.
func scheduled(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		n := 5
		if len(f) > 0 && f[0][0] == '@' {
			n = 1
		}
		if len(f) > n && f[0][0] != '#' && (n == 1 || strings.Trim(f[0], "0123456789*/,-") == "") {
			rest := strings.TrimLeft(line, " \t")
			for range n {
				_, rest, _ = strings.Cut(rest, f[0])
				f = f[1:]
			}
			b.WriteString(strings.TrimSpace(rest) + "\n")
		}
	}
	return b.String()
}

// aliasOfGit remembers the aliases that the line gives git, for the commands that
// follow: git config alias.x '!rm y' && git x.
func (r *run) aliasOfGit(words []shline.Word) {
	if len(words) < 4 || !names(words[0].Text, "git") || words[1].Text != "config" {
		return
	}
	for i, w := range words[2 : len(words)-1] {
		name, ok := strings.CutPrefix(w.Text, "alias.")
		if !ok || words[i+3].Live {
			continue
		}
		text, known := words[i+3].Text, r.facts.Alias
		r.facts.Alias = func(tool, alias string) (string, bool) {
			if tool == "git" && alias == name {
				return text, true
			}
			if known == nil {
				return "", false
			}
			return known(tool, alias)
		}
	}
}

// schedules judges the commands of a crontab that is given in the line:
// echo '@daily rm x' | crontab -.
func (r *run) schedules(c *command, words []shline.Word) {
	inner := words
	for range maxLines {
		if names(inner[0].Text, "crontab") {
			break
		}
		if !slices.ContainsFunc(inner[1:], func(w shline.Word) bool { return w.Text == "crontab" }) {
			return
		}
		b := argv.Bind(r.view, shline.Texts(inner))
		if b == nil || len(b.Inner) == 0 || b.Inner[0].Start >= b.Inner[0].End || b.Inner[0].Start == 0 {
			return
		}
		inner = inner[b.Inner[0].Start:b.Inner[0].End]
	}
	text, ok := literalInput(c)
	if !ok && c.from < c.to {
		if text, ok = r.output(r.literal(r.program.commands[c.from:c.to])); !ok {
			for i := c.from; i < c.to; i++ { // (crontab -l; echo LINE)
				part, _ := r.output(r.literal(r.program.commands[i : i+1]))
				text, ok = text+part, true
			}
		}
	}
	if ok && len(inner) > 0 {
		r.source(scheduled(text), false, r.text.at(c.start, c.end), shellLanguage, len(r.text.s), []shline.Word{{Text: "sh"}})
	}
}
