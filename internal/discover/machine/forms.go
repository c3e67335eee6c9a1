package machine

import (
	"context"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/help"
	"github.com/tool-mapping-protocol/tmp/internal/discover/question"
)

// forms are the ways to ask for help, other than with an option, that a
// program's own text names: by the word "help", as the line has it that says so.
type forms struct {
	verb   *question.Verb      // "frob help COMMAND"
	behind *question.Verb      // "frob COMMAND help"
	lists  []question.Question // "frob help -a", which prints more of its commands
}

// formsOf finds the forms that the help of a program names.
func formsOf(name, text string) forms {
	var f forms
	lines := help.Lines(text)
	t := question.NewText("the help of "+name, lines)
	for _, l := range lines {
		verb, ok := t.Verb("help", l.No)
		if !ok {
			continue
		}
		if f.verb == nil && (helpRow(l.Text) || strings.Contains(l.Text, name+" help ")) {
			f.verb = &verb
		}
		if f.behind == nil && (strings.Contains(l.Text, "| help }") || strings.Contains(l.Text, "|help}")) {
			f.behind = &verb
		}
		f.list(name, l.Text, verb)
	}
	return f
}

// list notes the lists of commands that a line refers to.
func (f *forms) list(name, line string, verb question.Verb) {
	_, rest, ok := strings.Cut(line, name+" help -")
	if !ok {
		return
	}
	for _, option := range []string{"-all", "a"} {
		q := question.List(verb, "-"+option)
		if after, ok := strings.CutPrefix(rest, option); ok && (after == "" || !letter(after[0]) && after[0] != '-') &&
			!slices.ContainsFunc(f.lists, func(have question.Question) bool { return sameArgs(have, q) }) {
			f.lists = append(f.lists, q)
		}
	}
}

func sameArgs(a, b question.Question) bool {
	x, _ := a.Args()
	y, _ := b.Args()
	return slices.Equal(x, y)
}

// helpRow reports whether a line is the row of a command "help" that is followed
// by an argument or by its text.
func helpRow(line string) bool {
	rest, ok := strings.CutPrefix(line, "help")
	if !ok {
		return false
	}
	body := strings.TrimLeft(rest, " ")
	return body == "" || len(rest)-len(body) > 1 || len(body) < len(rest) && strings.IndexByte("[<({-", body[0]) >= 0 || strings.HasPrefix(body, ", ") || strings.HasPrefix(body, "COMMAND")
}

// questions ask for the help of a command in these forms.
func (f forms) questions(command []question.Verb) []question.Question {
	var out []question.Question
	if len(command) == 0 {
		return nil
	}
	if f.verb != nil {
		out = append(out, question.Behind(*f.verb, command))
	}
	if f.behind != nil {
		out = append(out, question.Before(command, *f.behind))
	}
	return out
}

// helpOf asks a command for its help with options, and where these do not get
// it in the other forms. What a short answer refers to for the rest, as in
// "Run 'go help build' for details", is asked for too.
func (m *Machine) helpOf(ctx context.Context, p Program, command []question.Verb, f forms) (string, error) {
	text, why := m.help(ctx, p, command)
	if ctx.Err() != nil {
		return text, why
	}
	if why == nil {
		if f.verb != nil && len(command) > 0 && strings.Contains(text, p.Name+" help "+wordsOf(command)) {
			if r, err := m.run(ctx, p, question.Behind(*f.verb, command)); err == nil && !r.Cut && !r.TimedOut && r.Status == 0 {
				text += "\n\n" + textOf(r)
			}
		}
		return text, nil
	}
	for _, q := range f.questions(command) {
		r, err := m.run(ctx, p, q)
		if err != nil {
			break
		}
		if more := textOf(r); !r.Cut && !r.TimedOut && looksLikeHelp(more) {
			return more, nil
		}
	}
	return "", why
}

// wordsOf are the words of a command as they are typed.
func wordsOf(command []question.Verb) string {
	words := make([]string, len(command))
	for i, v := range command {
		words[i] = v.Word()
	}
	return strings.Join(words, " ")
}

// lists asks for the lists of commands that a program's help refers to.
func (m *Machine) lists(ctx context.Context, p Program, f forms) string {
	var b strings.Builder
	for _, q := range f.lists {
		if r, err := m.run(ctx, p, q); err == nil && !r.Cut && !r.TimedOut && r.Status == 0 {
			b.WriteString("\n\n" + textOf(r))
		}
	}
	return b.String()
}
