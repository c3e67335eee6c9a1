package man

import (
	"slices"
	"testing"
)

// TestCommandsOfAPage: lists of commands as programs that make manuals write
// them, each with its options.
func TestCommandsOfAPage(t *testing.T) {
	n := Parse([]byte(`.TH FROB 1
.SH SYNOPSIS
\fBfrob\fR [\fIOPTION\fR]... \fICOMMAND\fR
.SH COMMANDS
.PP
Some of them:
.PP
\fBmount\fR
.RS 4
Mount it\&.
.PP
\-t, \-\-type
.RS 4
The type\&.
.RE
.RE
.PP
\fBfrob-install\fR(1)
.RS 4
Install it\&.
.RE
.PP
\fBlist\fR [\-\-long] [\-n \fIcount\fR]
.RS 4
List them\&.
.RE
`), []string{"frob"}, nil)
	var subs []string
	for _, s := range n.Subs {
		subs = append(subs, s.Name)
	}
	if !slices.Equal(subs, []string{"mount", "install", "list"}) {
		t.Fatalf("sub-commands %q", subs)
	}
	for sub, name := range map[string]string{"mount": "--type", "list": "-n"} {
		if n.Sub(sub).Flag(name) == nil || n.Flag(name) != nil {
			t.Errorf("%s is not of %s alone: %+v", name, sub, n.Sub(sub))
		}
	}
}

// TestTitlesOfCommands: sub-sections that a command names.
func TestTitlesOfCommands(t *testing.T) {
	n := Parse([]byte(`.TH FROB 1
.SH SYNOPSIS
\fBfrob\fR \fICOMMAND\fR
.SH GENERIC COMMANDS
.PP
These are generic.
.SS quit, exit
Leave.
.SS list
.TP
\-\-all
All of them.
.SH NETWORK COMMANDS
.PP
\fBfrob net\fR {\fBon\fR | \fBoff\fR}
.PP
\fBon\fR
.RS 4
Turn it on\&.
.RE
.PP
\fBoff\fR
.RS 4
Turn it off\&.
.RE
`), []string{"frob"}, nil)
	if s := n.Sub("list"); s == nil || s.Flag("--all") == nil || n.Sub("quit") == nil {
		t.Errorf("sub-commands %+v", n.Subs)
	}
	if s := n.Sub("net"); s == nil || s.Sub("on") == nil || s.Sub("off") == nil || n.Sub("on") != nil {
		t.Errorf("net is %+v", s)
	}
}
