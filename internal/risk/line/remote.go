package line

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
)

// opens returns the language of the program that a command, which is none itself,
// starts to read from standard input: ssh host, ssh host 'bash -s', sudo -s, su,
// ssh host psql. It is "" if it starts none.
func (r *run) opens(words []shline.Word) string {
	if names(words[0].Text, "newgrp", "run0") {
		return shellLanguage
	}
	if names(words[0].Text, "parallel", "rush") {
		if slices.ContainsFunc(words[1:], func(w shline.Word) bool { return !strings.HasPrefix(w.Text, "-") || strings.HasPrefix(w.Text, ":::") }) {
			return ""
		}
		return shellLanguage
	}
	if !names(words[0].Text, "ssh", "sudo", "doas", "su") {
		return ""
	}
	b := argv.Bind(r.view, shline.Texts(words))
	if b == nil {
		return ""
	}
	switch b.Chain[0].Name {
	case "ssh":
		if b.Has("n") || b.Has("N") || len(b.Args) == 0 && len(b.Inner) == 0 {
			return ""
		}
		line := ""
		for _, in := range b.Inner {
			line = strings.Join(b.Words[in.Start:max(in.Start, in.End)], " ")
		}
		if line == "" {
			return shellLanguage
		}
		return r.firstReader(line)
	case "su":
		for _, u := range b.Flags {
			if u.Flag != nil && (u.Flag.ID == "command" || u.Flag.ID == "session-command") {
				return r.firstReader(u.Value)
			}
		}
		if b.Has("help") || b.Has("version") {
			return ""
		}
		return shellLanguage
	}
	carries := slices.ContainsFunc(b.Inner, func(in argv.Inner) bool { return in.Start < in.End })
	if !carries && (b.Has("shell") || b.Has("login") || b.Has("s")) {
		return shellLanguage
	}
	return ""
}

// given returns the words of a command that parallel makes with what stands behind
// its ":::", nil for any other: parallel sh -c ::: 'rm x' runs sh -c 'rm x'.
func given(words []shline.Word) []shline.Word {
	if !names(words[0].Text, "parallel", "rush") {
		return nil
	}
	marks := func(w shline.Word) bool { return w.Text == ":::" || w.Text == ":::+" }
	at := slices.IndexFunc(words, marks)
	if at < 2 {
		return nil
	}
	return append(words[:at:at], slices.DeleteFunc(slices.Clone(words[at:]), marks)...)
}

// firstReader returns the language of the first command of a line that reads a
// program from standard input, itself or what it carries.
func (r *run) firstReader(line string) string {
	if !r.binds(len(line) / 4) {
		return shellLanguage
	}
	for _, c := range shline.Split(shline.Bash, line).Commands {
		if len(c.Words) == 0 {
			continue
		}
		for _, inner := range r.innermost(c.Words, nil) {
			if lang := r.language(inner[0].Text); lang != "" && r.readsInput(inner) {
				return lang
			}
		}
	}
	return ""
}

// typed judges what a pipe or a here-document types at the prompt of redis-cli
// or mongosh, as if each line of it were an argument.
func (r *run) typed(c *command, words []shline.Word) {
	var room [1][]shline.Word
	if inner := r.innermost(words, room[:0]); len(inner) > 1 {
		words = inner[len(inner)-1]
	}
	option := ""
	switch {
	case names(words[0].Text, "redis-cli", "valkey-cli"):
	case names(words[0].Text, "mongosh", "mongo"):
		option = " --eval "
	default:
		return
	}
	in, ok := literalInput(c)
	if !ok && c.from < c.to {
		in, ok = r.output(r.program.commands[c.from:c.to])
	}
	if !ok {
		return
	}
	for line := range strings.Lines(in) {
		line = strings.TrimSpace(line)
		if option != "" {
			line = shline.QuoteWord(shline.Bash, line)
		}
		t := text{s: words[0].Text + " " + option + line, span: r.text.at(c.start, c.end), dialect: shline.Bash, literal: true, from: r, index: r.index}
		r.line(t, r.depth+1)
	}
}

// fetch remembers the files that a command may fetch, and reports what runs
// one: wget -O f https://x && sh f.
func (r *run) fetch(c *command, words []shline.Word) {
	if r.fetched != nil {
		runs := r.language(words[0].Text) != "" || names(words[0].Text, "source", ".", "sudo", "chmod")
		for i, w := range words {
			if r.fetched[strings.TrimPrefix(w.Text, "./")] && (i == 0 || runs && !names(words[0].Text, "chmod")) {
				r.remote(r.text.at(c.start, c.end))
				return
			}
		}
	}
	if !names(words[0].Text, "curl", "wget", "aria2c", "fetch") {
		return
	}
	if r.fetched == nil {
		r.fetched = map[string]bool{}
	}
	for _, w := range words[1:] {
		switch name := strings.TrimPrefix(w.Text, "./"); {
		case strings.Contains(name, "://"):
			r.fetched[name[strings.LastIndexByte(name, '/')+1:]] = true
		case strings.HasPrefix(name, "--output") && strings.Contains(name, "="):
			r.fetched[name[strings.IndexByte(name, '=')+1:]] = true
		case !strings.HasPrefix(name, "-"):
			r.fetched[name] = true
		}
	}
	for _, d := range c.redirs {
		if strings.HasPrefix(d.op, ">") {
			r.fetched[d.target.Text] = true
		}
	}
	delete(r.fetched, "")
}
