package machine

import (
	"context"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/help"
)

// forms are the ways to ask for help, other than with an option, that a
// program's own text names.
type forms struct {
	verb   bool       // "frob help COMMAND"
	behind bool       // "frob COMMAND help"
	lists  [][]string // "frob help -a", which prints more of its commands
}

// formsOf finds the forms that the help of a program names.
func formsOf(name, text string) forms {
	var f forms
	for _, l := range help.Lines(text) {
		f.verb = f.verb || helpRow(l.Text) || strings.Contains(l.Text, name+" help ")
		f.behind = f.behind || strings.Contains(l.Text, "| help }") || strings.Contains(l.Text, "|help}")
		_, rest, ok := strings.Cut(l.Text, name+" help -")
		if !ok {
			continue
		}
		for _, option := range []string{"-all", "a"} {
			list := []string{"help", "-" + option}
			if after, ok := strings.CutPrefix(rest, option); ok && (after == "" || !letter(after[0]) && after[0] != '-') &&
				!slices.ContainsFunc(f.lists, func(have []string) bool { return slices.Equal(have, list) }) {
				f.lists = append(f.lists, list)
			}
		}
	}
	return f
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

// words are the arguments that ask for the help of a command.
func (f forms) words(command []string) [][]string {
	var out [][]string
	if len(command) == 0 {
		return nil
	}
	if f.verb {
		out = append(out, append([]string{"help"}, command...))
	}
	if f.behind {
		out = append(out, append(slices.Clone(command), "help"))
	}
	return out
}

// helpOf asks a command for its help with options, and where these do not get
// it in the other forms. What a short answer refers to for the rest, as in
// "Run 'go help build' for details", is asked for too.
func (m *Machine) helpOf(ctx context.Context, p Program, words []string, f forms) (string, error) {
	text, why := m.help(ctx, p, words)
	if ctx.Err() != nil {
		return text, why
	}
	if why == nil {
		if f.verb && len(words) > 0 && strings.Contains(text, p.Name+" help "+strings.Join(words, " ")) {
			if r, err := m.run(ctx, p, append([]string{"help"}, words...)...); err == nil && !r.Cut && !r.TimedOut && r.Status == 0 {
				text += "\n\n" + textOf(r)
			}
		}
		return text, nil
	}
	for _, args := range f.words(words) {
		r, err := m.run(ctx, p, args...)
		if err != nil {
			break
		}
		if more := textOf(r); !r.Cut && !r.TimedOut && looksLikeHelp(more) {
			return more, nil
		}
	}
	return "", why
}

// lists asks for the lists of commands that a program's help refers to.
func (m *Machine) lists(ctx context.Context, p Program, f forms) string {
	var b strings.Builder
	for _, args := range f.lists {
		if r, err := m.run(ctx, p, args...); err == nil && !r.Cut && !r.TimedOut && r.Status == 0 {
			b.WriteString("\n\n" + textOf(r))
		}
	}
	return b.String()
}
