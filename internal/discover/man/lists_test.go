package man

import (
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// item is an entry of a list as the stylesheets of DocBook write it.
func item(tag, text string) string {
	return ".sp\n.RS 4\n.ie n \\{\\\n\\h'-04'\\(bu\\h'+03'\\c\n.\\}\n.el \\{\\\n.sp -1\n.IP \\(bu 2.3\n.\\}\n" + tag + "\n.sp\n" + text + "\n.RE\n"
}

// The manual pages of MariaDB list options and commands with a bullet before each.
func TestBulletedItems(t *testing.T) {
	page := ".TH FROB 1\n.SH SYNOPSIS\n\\fBfrob\\fR [\\fIoptions\\fR] \\fIcommand\\fR\n.SH DESCRIPTION\n\\fBfrob\\fR supports the following commands\\&. Some take an argument\\&.\n" +
		item(`drop \fIdb_name\fR`, "Drop it\\&.") + item("status", "Show it\\&.") +
		".PP\nfrob supports these options\\&.\n" + item(`\fB\-\-help\fR, \fB\-?\fR`, "Display help\\&.") + item(`\fB\-\-count=\fR\fIN\fR`, "How often\\&.") +
		item("-HOST is what is not taken", "Text\\&.")
	n := Parse([]byte(page), []string{"frob"}, nil)
	for name, arity := range map[string]draft.Arity{"--help": draft.None, "-?": draft.None, "--count": draft.Required} {
		if f := n.Flag(name); f == nil || f.Arity != arity {
			t.Errorf("%s is %+v, want %v", name, f, arity)
		}
	}
	for _, name := range []string{"drop", "status"} {
		if n.Sub(name) == nil {
			t.Errorf("no command %s", name)
		}
	}
	if n.Flag("-HOST") != nil {
		t.Error("-HOST is taken for an option")
	}
}

// Values that stand in paragraphs of their own.
func TestListedValues(t *testing.T) {
	n := Parse([]byte(`.TH FROB 1
.SH SYNOPSIS
\fBfrob\fR [\fIoptions\fR] \fIdatabase\fR \fIaction\fR
.PP
where \fIaction\fR = \fBstart\fR|\fBstop\fR
.SH DESCRIPTION
The \fIdatabase\fR may be any of those listed below:
.RS
.TP
passwd
The users.
.TP
group
The groups.
.RE
.SH OPTIONS
.PP
\fB\-m\fR, \fB\-\-mode\fR \fImode\fR
.RS 4
Valid values for \fImode\fR are:
.PP
\fBstandby\fR
.RS 4
Light.
.RE
.PP
\fBmem\fR
.RS 4
Deep.
.RE
.RE
.PP
\fB\-\-to\fR=\fIUNIT\fR
.RS 4
See UNIT below.
.RE
.PP
\fB\-\-date\fR \fIwhen\fR
.RS 4
Some text.
.RE
.SS "UNIT options:"
.TP
none
No scaling.
.TP
iec
Powers of two.
`), []string{"frob"}, nil)
	words := func(vs []draft.Value) string {
		var out []string
		for _, v := range vs {
			out = append(out, v.Text)
		}
		return strings.Join(out, " ")
	}
	for name, want := range map[string]string{"--mode": "standby mem", "-m": "standby mem", "--to": "none iec", "--date": ""} {
		if f := n.Flag(name); f == nil || words(f.Values) != want {
			t.Errorf("%s is %+v, want %q", name, f, want)
		}
	}
	got := map[string]string{}
	for _, a := range n.Args {
		got[a.Name] = words(a.Values)
	}
	if got["database"] != "passwd group" || got["action"] != "start stop" {
		t.Errorf("arguments: %v", got)
	}
}

// A list of commands below a sentence, as in the manual pages of apt.
func TestAnnouncedCommands(t *testing.T) {
	n := Parse([]byte(`.TH FROB 8
.SH SYNOPSIS
\fBfrob\fR [\fIoptions\fR] \fIcommand\fR
.SH DESCRIPTION
.PP
One of the commands below must be present\&.
.PP
\fBshell\fR
.RS 4
For scripts\&.
.RE
.PP
\fBdump\fR
.RS 4
Show all\&.
.RE
`), []string{"frob"}, nil)
	for _, name := range []string{"shell", "dump"} {
		if n.Sub(name) == nil {
			t.Errorf("no command %s", name)
		}
	}
}
