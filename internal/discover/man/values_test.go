package man

import (
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// TestGivenValues: a page that leaves a value out of an option's tag gives one
// to it elsewhere.
func TestGivenValues(t *testing.T) {
	n := Parse([]byte(`.TH FROB 1
.SH OPTIONS
.TP
\fB\-d\fP, \fB\-\-keep\-daily\fP
Keep some of each day.
.TP
\fB\-\-verify\fP
Look twice.
.TP
\fB\-\-tls\fP=\fIbool\fP
Go through TLS.
.TP
\fB\-\-no\-check\fP
Do not look.
.SH EXAMPLES
.nf
frob \-\-keep\-daily=7 \-\-verify=false \-\-no\-check=quiet
.fi
`), []string{"frob"}, nil)
	for name, arity := range map[string]draft.Arity{"-d": draft.Required, "--keep-daily": draft.Required, "--verify": draft.None, "--tls": draft.None, "--no-check": draft.None} {
		if f := n.Flag(name); f == nil || f.Arity != arity {
			t.Errorf("%s is %+v, want %v", name, f, arity)
		}
	}
}

// TestAsides: what begins with a dash in a part of the examples is no option,
// and a section about a command is that command's.
func TestAsides(t *testing.T) {
	n := Parse([]byte(`.TH FROB 1
.SH OPTIONS
.TP
\fB\-v\fP
Say more.
.SH The polish command
.SS options:
.TP
\-\-shine
Make it shine.
.SH EXAMPLES
.SS Levels
.TS
l l.
\-5e	8 MiB
.TE
`), []string{"frob"}, nil)
	if n.Flag("-v") == nil || len(n.Flags) != 1 {
		t.Errorf("flags %+v", n.Flags)
	}
	if s := n.Sub("polish"); s == nil || s.Flag("--shine") == nil {
		t.Errorf("polish is %+v", s)
	}
}
