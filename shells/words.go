package shells

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
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

// TcshCall is a Tab in tcsh, which has the line up to the cursor in COMMAND_LINE and
// reads, from what it starts, words parted by blanks (tcsh(1), "complete").
func TcshCall(line string) *Call {
	return &Call{Shell: "tcsh", Left: line, Kind: KindTab, Columns: 80}
}

// Typed is the word at the cursor without its quotes.
func (c *Call) Typed() string {
	return shline.At(c.dialect(), c.Left, len(c.Left)).Cursor.Text
}

// replyTcsh writes the values that stand in place of the word at the cursor, one a line.
// tcsh quotes what it inserts, but parts what it reads at blanks: values with blanks are
// left out. It inserts what all values begin with; where that is not to be, what is typed
// is there once more.
func (c *Call) replyTcsh(a completion.Answer) string {
	at := shline.At(c.dialect(), c.Left, len(c.Left)).Cursor
	kept := ""
	if a.Replace.Start > at.Start && a.Replace.Start <= len(c.Left) {
		kept, _ = shline.Unquote(c.dialect(), c.Left[at.Start:a.Replace.Start])
	}
	var b strings.Builder
	for _, cand := range a.Candidates {
		if value := kept + cand.Value; !hasControl(value) && !strings.ContainsAny(value, " \u00a0") {
			b.WriteString(value + "\n")
		}
	}
	if a.Hold && b.Len() > 0 {
		b.WriteString(at.Text + "\n")
	}
	return b.String()
}
