package shells

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/completion"
)

// WordShells are the shells whose hooks send words and are sent values: they read a
// line, and quote what they insert, themselves. Their records on standard input are the
// words of the command up to the cursor, the last one being completed, and the switch
// for them is --words.
var WordShells = []string{"elvish", "nushell", "powershell", "tcsh", "xonsh"}

func isWordShell(shell string) bool { return slices.Contains(WordShells, shell) }

// readWords reads the form of a word shell.
func (c *Call) readWords(data string) error {
	c.Words = strings.Split(strings.TrimSuffix(data, "\x00"), "\x00")
	if len(c.Words) < 2 {
		return usage("%d words: want the command and what is typed behind it", len(c.Words))
	}
	return nil
}

// replyWords writes an answer for a word shell: each line is a value that stands in
// place of the last word, what a list shows, a note, and "more" if the word goes on,
// parted by tabs. Where nothing is to be inserted without a look, the head is "hold".
func (c *Call) replyWords(a completion.Answer) string {
	if !a.Handled {
		return "own\n"
	}
	last := c.Words[len(c.Words)-1]
	kept := last[:min(max(a.Replace.Start, 0), len(last))]
	var b strings.Builder
	for _, cand := range a.Candidates {
		value := kept + cand.Value
		if hasControl(value) {
			continue
		}
		display := cand.Display
		if display == "" {
			display = value
		}
		more := ""
		if cand.NoSpace {
			more = "more"
		}
		note := strings.TrimSpace(mark(cand) + " " + cand.Description)
		b.WriteString(value + "\t" + oneLine(display) + "\t" + oneLine(note) + "\t" + more + "\n")
	}
	switch {
	case b.Len() == 0 && a.Message != "":
		return "say " + oneLine(a.Message) + "\n"
	case b.Len() == 0:
		return "none\n"
	case a.Hold:
		return "hold " + oneLine(a.Message) + "\n" + b.String()
	}
	return "ok\n" + b.String()
}

// mark is how bad a line would be with a candidate, or "".
func mark(cand completion.Candidate) string {
	if !cand.Raises {
		return ""
	}
	return "[" + strings.TrimSuffix(cand.Level.String(), "_RISK") + "]"
}
