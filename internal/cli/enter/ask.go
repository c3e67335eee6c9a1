package enter

import (
	"fmt"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// consent is the word that a person types for what cannot be had back.
const consent = "run"

// maxFindings is how many reasons a question shows.
const maxFindings = 5

// ask puts the line before the person at the terminal.
func (w *world) ask(text string, v line.Verdict) int {
	tty, err := w.env.OpenTTY()
	if err != nil {
		fmt.Fprintf(w.env.Stderr, "tmp: not run: %s%s; there is no terminal to ask\n", v.Level, reason(v))
		return StatusKeep
	}
	defer tty.Close()
	old, err := term.MakeRaw(int(tty.Fd())) // Ctrl-C is an answer too
	if err != nil {
		fmt.Fprintf(w.env.Stderr, "tmp: not run: %s%s; the terminal cannot be asked: %v\n", v.Level, reason(v), err)
		return StatusKeep
	}
	defer func() { _ = term.Restore(int(tty.Fd()), old) }()
	// What was typed before the question does not answer it.
	_ = flush(int(tty.Fd()))

	fmt.Fprint(tty, "\r\n", w.question(text, v))
	yes := false
	if byWord(v) {
		fmt.Fprintf(tty, "Type %q and Enter to run it, anything else keeps it: ", consent)
		yes = readWord(tty) == consent
	} else {
		fmt.Fprint(tty, "Run it? [y/N] ")
		yes = readKey(tty)
	}
	fmt.Fprint(tty, "\r\n")
	if yes {
		return StatusRun
	}
	return StatusKeep
}

// byWord reports whether one key is too little: CRITICAL, and not a few files
// written out.
func byWord(v line.Verdict) bool {
	return v.Level == tcpdb.Critical && v.Scope != tcpdb.NamedFiles
}

// question lists what a line would do, the worst first.
func (w *world) question(text string, v line.Verdict) string {
	var b strings.Builder
	for i, f := range v.Findings {
		if i == maxFindings || f.Level < tcpdb.High {
			break
		}
		fmt.Fprintf(&b, "%s  %s: %s\r\n", f.Level, printable(text[f.Start:f.End]), printable(f.Reason))
		if name, _, _ := strings.Cut(f.Safer, " "); name != "" && w.installed(name) {
			fmt.Fprintf(&b, "  safer: %s\r\n", printable(f.Safer))
		}
	}
	return b.String()
}

// readKey reads one key; only y is a yes.
func readKey(tty *os.File) bool {
	var b [1]byte
	if n, err := tty.Read(b[:]); n == 0 || err != nil {
		return false
	}
	if b[0] == 'y' || b[0] == 'Y' {
		fmt.Fprint(tty, "y")
		return true
	}
	return false
}

// readWord reads a line and echoes it; Ctrl-C, Ctrl-D and Escape end it as a no.
func readWord(tty *os.File) string {
	var word []byte
	var b [1]byte
	for len(word) < 64 {
		if n, err := tty.Read(b[:]); n == 0 || err != nil {
			return ""
		}
		switch c := b[0]; {
		case c == '\r' || c == '\n':
			return string(word)
		case c == 3 || c == 4 || c == 27:
			return ""
		case c == 8 || c == 127:
			if len(word) > 0 {
				word = word[:len(word)-1]
				fmt.Fprint(tty, "\b \b")
			}
		case c >= ' ' && c < 127:
			word = append(word, c)
			_, _ = tty.Write(b[:])
		}
	}
	return ""
}

// printable makes text safe for a terminal: what is no printable character is
// shown as an escape. A long one is cut.
func printable(s string) string {
	const most = 200
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case b.Len() > most:
			return b.String() + "…"
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += n
	}
	return b.String()
}
