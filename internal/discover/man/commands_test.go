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

// Commands that a page shows and sends to pages of their own, and options that
// share a row and nothing else.
func TestCommandsWithPages(t *testing.T) {
	n := Parse([]byte(`.TH FROB 8
.SH SYNOPSIS
\fBfrob <action> [<options>] <action args>\fP
.SH "DESCRIPTION"
For more information see \fBfrob\-<action>\fP(8).
.SH "BASIC ACTIONS"
.sp
The following are valid actions.
.SS "KILL SLOT"
.sp
\fBfrobKillSlot <device> <slot>\fP
.sp
Wipes a slot.
.br
See \fBfrob\-frobKillSlot\fP(8).
.SS "STATUS"
.sp
\fBstatus <name>\fP
.sp
Reports the status.
See \fBfrob\-other\fP(8).
.br
See \fBfrob\-status\fP(8).
.SH OPTIONS
.IP "\fB\-bugs\fR, \fB\-comp\fR, \fB\-groups\fR \fIgroups\fR, \fB\-strict\fR, \fB\-curves\fR \fIlist\fR, \fB\-old\fR" 4
See the other page.
.PP
\fB--add-host\fP []
   Add a host
`), []string{"frob"}, nil)
	var subs []string
	for _, s := range n.Subs {
		subs = append(subs, s.Name+": "+s.Description)
	}
	if want := []string{"frobKillSlot: Wipes a slot", "status: Reports the status"}; !slices.Equal(subs, want) {
		t.Errorf("commands %q, want %q", subs, want)
	}
	for name, want := range map[string]string{"-bugs": "none", "-comp": "none", "-groups": "required", "-strict": "none", "-curves": "required", "-old": "none", "--add-host": "required"} {
		if f := n.Flag(name); f == nil || f.Arity.String() != want {
			t.Errorf("%s: %+v, want %s", name, f, want)
		}
	}
	if f := n.Flag("-bugs"); f != nil && len(f.Names) != 1 {
		t.Errorf("names %v", f.Names)
	}
}

// What stands behind a name and is no value of it.
func TestNoValues(t *testing.T) {
	n := Parse([]byte(`.TH FROB 8
.SH OPTIONS
.TP
.BI \-M " show files map"
Shows it.
.TP
.BI \-d " debug level"
How much is said.
.TP
\fB\-\-convert\fP [ \fB\-\-informat\fP \fI<format>\fR ]
Converts.
.PP
Accepted for compatibility:
.br
\-B\fItype\fP, \-G, \-h\fIN\fP, \-i, \-L \fItag\fP, \-m,
\-n, \-O \fIoption=value\fP
`), []string{"frob"}, nil)
	for name, want := range map[string]string{"-M": "none", "-d": "required", "--convert": "none", "-B": "required", "-G": "none", "-i": "none", "-L": "required", "-n": "none", "-O": "required"} {
		f := n.Flag(name)
		if f == nil {
			t.Errorf("%s is missing", name)
			continue
		}
		if got := f.Arity.String(); got != want && !(want == "none" && got == "") {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
