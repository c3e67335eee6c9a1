package man

import (
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// TestOwnMacros: pages define macros for their options.
func TestOwnMacros(t *testing.T) {
	n := Parse([]byte(`.de opt
.TP
\fB\\$1\fP \fI\\$2\fP
..
.de1 long END
.  opt "\\$1" \\$2
.END
.als choice opt
.de BR
.ft R
..
.TH FROB 1
.SH OPTIONS
.opt \-o file
Write there.
.long \-\-level n
As many.
.choice \-x
Say nothing.
.TP
.BR \-q , " \-\-quiet"
Be quiet.
`), []string{"frob"}, nil)
	for name, arity := range map[string]draft.Arity{"-o": draft.Required, "--level": draft.Required, "-x": draft.None, "-q": draft.None, "--quiet": draft.None} {
		if f := n.Flag(name); f == nil || f.Arity != arity {
			t.Errorf("%s is %+v, want %v", name, f, arity)
		}
	}
}

// TestDocutils: what stands in an INDENT is the tag's own, and what follows it
// goes on as deep as the text around.
func TestDocutils(t *testing.T) {
	n := Parse([]byte(`.de1 INDENT
.RS \\$1
..
.de UNINDENT
.RE
..
.TH FROB 1
.SH OPTIONS
.INDENT 0.0
.TP
.B \-\-format FORMAT
one of these fields:
.INDENT 7.0
.TP
.B title
The title
.TP
.B \-\-nested
not an option
.UNINDENT
.TP
.B \-q
be quiet
.UNINDENT
`), []string{"frob"}, nil)
	if n.Flag("--format") == nil || n.Flag("-q") == nil || n.Flag("--nested") != nil {
		t.Errorf("flags %+v", n.Flags)
	}
}

// TestHostileMacros: macros that call themselves or each other are bounded.
func TestHostileMacros(t *testing.T) {
	wide := ".de a0\n\\-x\n..\n"
	for c := '1'; c <= '9'; c++ {
		wide += ".de a" + string(c) + "\n" + strings.Repeat(".a"+string(c-1)+"\n", 100) + "..\n"
	}
	for name, text := range map[string]string{
		"itself":      ".de x\n.x\n.x\n..\n" + strings.Repeat(".x\n", 20_000),
		"each other":  wide + strings.Repeat(".a9\n", 2000),
		"arguments":   ".de x\n" + strings.Repeat(`\\$1`, 2000) + "\n..\n" + strings.Repeat(".x "+strings.Repeat("y", 5000)+"\n", 5000),
		"definitions": strings.Repeat(".de x\n.de y\n..\n", 100_000),
		"while":       ".nr i 0 1\n" + strings.Repeat(".while \\n+i<1000000 \\{\\\n\\-x\n.\\}\n", 20_000),
		"aliases":     strings.Repeat(".als x y\n.als y x\n.x\n", 50_000),
		"includes":    strings.Repeat(".so man1/x.1\n", 100_000),
	} {
		start := time.Now()
		Parse([]byte(text), []string{"frob"}, func(string) []byte { return []byte(".so man1/x.1\n.x\n") })
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("%s: %s", name, d)
		}
	}
}
