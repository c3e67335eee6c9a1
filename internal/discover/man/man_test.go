package man

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// pages are manual pages in the macros that people and programs write.
var pages = []struct {
	name, source string
	path         []string
	want         string // "-o/--output=", "--color[=]"; as in package help
	subs         string
}{
	{"man", `.TH FROB 1
.SH NAME
frob \- change things
.SH SYNOPSIS
.B frob
[\fIOPTION\fR]... \fIFILE\fR
.SH DESCRIPTION
.PP
The option \fB\-\-not\-here\fR is prose.
.TP
\fB\-a\fR, \fB\-\-all\fR
all of it
.TP
.BR \-o , " \-\-output" =\fIFILE\fR
write there
.TP
.BI \-w " cols"
.PD 0
.TP
.BI \-\-width= cols
.PD
that wide
.TP
\fB\-\-color\fR[=\fIWHEN\fR]
WHEN is \fBalways\fR or \fBnever\fR
.SH EXAMPLES
.TP
.B \-\-example
no option
`, []string{"frob"}, "-a --all -o= --output= -w= --width= --color[=]", ""},
	{"Asciidoctor", `.TH "FROB" "1"
.if \n[.g] \{\
.  mso www.tmac
.  am URL
.    ad l
.  .
.  am MTO
.    ad l
.  .
.  LINKSTYLE blue R < >
.\}
.SH "OPTIONS"
.sp
\fB\-d, \-\-dry\-run\fP
.RS 4
Just show.
.RE
.sp
\fB\-o, \-\-output\fP \fIlist\fP
.RS 4
The columns to show.
.RE
`, []string{"frob"}, "-d --dry-run -o= --output=", ""},
	{"a forgotten .RE", `.TH FROB 8
.SH OPTIONS
.TP
.B \-\-info
Show these fields:
.RS
.P
.TP
.B \-k, \-\-kill
Close them.
.TP
.B \-f FAMILY, \-\-family=FAMILY
Of this family.
.SH BUGS
None.
`, []string{"frob"}, "--info -k --kill -f= --family=", ""},
	{"a value in its own words", `.TH FROB 1
.SH OPTIONS
.PP
\fB\-\-pcrs=\fR [PCR\&...]
.RS 4
The registers\&.
.RE
`, []string{"frob"}, "--pcrs=", ""},
	{"docbook", `.TH "FROB" "1"
.SH "OPTIONS"
.PP
\-n, \-\-dry\-run
.RS 4
Just show\&.
.RE
.PP
\-S[<key\-id>], \-\-gpg\-sign[=<key\-id>]
.RS 4
Sign\&. See
.PP
not an option
.RE
`, []string{"frob"}, "-n --dry-run -S[=] --gpg-sign[=]", ""},
	{"pod2man", `.ie n .ds Aq \(aq
.el .ds Aq '
.de Sp
.if n .sp
..
.TH FROB 1
.SH "OPTIONS"
.IX Header "OPTIONS"
.IP "\fB\-x\fR \fIfile\fR" 4
.IX Item "-x file"
Read it.
.IP "\fB\-\-mode\fR=\fImode\fR" 4
One of:
.RS 4
.IP "\(bu" 4
fast
.RE
`, []string{"frob"}, "-x= --mode=", ""},
	{"mdoc", `.Dd January 1, 2020
.Dt FROB 1
.Os
.Sh NAME
.Nm frob
.Nd change things
.Sh SYNOPSIS
.Nm
.Op Fl 46aC
.Op Fl b Ar addr
.Op Fl -long Ns = Ns Ar value
.Ar file ...
.Sh DESCRIPTION
.Bl -tag -width Ds
.It Fl a
All.
.It Fl b Ar addr
Bind.
.It Xo
.Fl -long Ns = Ns Ar value
.Xc
Long.
.It Fl Fl double
Two.
.El
`, []string{"frob"}, "-a -b= --long= --double -4 -6 -C", ""},
	{"table", `.TH FROB 1
.SH OPTIONS
.TS
tab(;);
l l.
\-q;T{
be quiet
T}
\-\-out FILE;write there
.TE
`, []string{"frob"}, "-q --out=", ""},
	{"options that may be inverted, names in quotes, one text for many", `.TH FROB 8
.SH SYNOPSIS
\fBfrob\fR [\-at \fItime\fR] [\-check] [\-once] [\-strict]
.SH OPTIONS
.TP
[\fB!\fR] \fB\-p\fR, \fB\-\-proto\fR \fIname\fR
The protocol.
.IP "\f(CW\(dq\-b\(dq\fR" 4
Brief.
.TP
\fB\-at\fR, \fB\-check\fR, \fB\-once\fR, \fB\-strict\fR
How to verify.
`, []string{"frob"}, "-p= --proto= -b -at= -check -once -strict", ""},
	{"hanging paragraphs", `.TH FROB 8
.SH OPTIONS
.HP
\fB-a\fP|\fB--activate\fP \fBy\fP|\fBn\fP|\fBay\fP
.br
Whether it is active.
.HP
\fB-q\fP|\fB--quiet\fP
.br
Say less.
`, []string{"frob"}, "-a= --activate= -q --quiet", ""},
	{"commands", `.TH FROB 1
.SH SYNOPSIS
\fBfrob\fR [\fIoptions\fR] \fIcommand\fR
.SH COMMANDS
.TP
\fBadd\fR [\fB\-f\fR] \fIname\fR
Add it.
.RS
.TP
\fB\-f\fR
an option of add
.RE
.TP
\fBremove\fR
Remove it.
.SH OPTIONS
.TP
\fB\-v\fR
say more
`, []string{"frob"}, "-v", "add remove"},
	{"sections of sub-commands", `.TH FROB 1
.SH OPTIONS
.TP
\fB\-v\fR
say more
.SH OPTIONS 'frob add'
.TP
\fB\-\-force\fR
of add
`, []string{"frob"}, "-v", "add"},
}

func TestPages(t *testing.T) {
	for _, x := range pages {
		t.Run(x.name, func(t *testing.T) {
			n := Parse([]byte(x.source), x.path, nil)
			var got []string
			for _, f := range n.Flags {
				for _, name := range f.Names {
					switch f.Arity {
					case draft.Required:
						name += "="
					case draft.Optional:
						name += "[=]"
					}
					got = append(got, name)
				}
			}
			want := strings.Fields(x.want)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("flags %q, want %q", got, want)
			}
			var subs []string
			for _, s := range n.Subs {
				subs = append(subs, s.Name)
			}
			if strings.Join(subs, " ") != x.subs {
				t.Errorf("sub-commands %q, want %q", subs, x.subs)
			}
		})
	}
}

func TestSubSectionBelongsToItsCommand(t *testing.T) {
	n := Parse([]byte(pages[len(pages)-1].source), []string{"frob"}, nil)
	add := n.Sub("add")
	if add == nil || add.Flag("--force") == nil || n.Flag("--force") != nil {
		t.Errorf("add is %+v", add)
	}
}

func TestInclude(t *testing.T) {
	n := Parse([]byte(".so man1/other.1\n"), []string{"frob"}, func(name string) []byte {
		if name != "man1/other.1" {
			t.Errorf("includes %q", name)
		}
		return []byte(".TH X 1\n.SH OPTIONS\n.TP\n\\-a\ntext\n.so man1/other.1\n")
	})
	if n.Flag("-a") == nil {
		t.Error("the included page's option is missing")
	}
}

func TestHostile(t *testing.T) {
	for name, text := range map[string]string{
		"strings in strings": bomb(),
		"conditions":         strings.Repeat(`.if n \{`+"\n", 100_000),
		"tags":               ".SH OPTIONS\n" + strings.Repeat(".TP\n\\-a\n", 50_000),
		"nested":             ".SH OPTIONS\n" + strings.Repeat(".RS\n.TP\n\\-a\ntext\n", 20_000),
		"long line":          ".SH A\n.TP\n\\-a " + strings.Repeat(`\fBx\fR `, 200_000),
		"lists":              ".Sh A\n" + strings.Repeat(".Bl -tag\n.It Fl a Ar b\n", 20_000),
		"brackets":           ".Sh SYNOPSIS\n.Nm frob\n" + strings.Repeat(".Oo Fl a\n", 50_000),
		"open quote":         `.B "` + strings.Repeat("x ", 500_000),
		"table":              ".TS\nl l.\n" + strings.Repeat("a\tb\n", 100_000),
	} {
		start := time.Now()
		Parse([]byte(text), []string{"frob"}, nil)
		if d := time.Since(start); d > 30*time.Second {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// bomb is a page whose strings grow by being put into each other.
func bomb() string {
	var b strings.Builder
	b.WriteString(".ds a xxxxxxxxxx\n")
	for c := 'b'; c < 'k'; c++ {
		b.WriteString(".ds " + string(c) + " " + strings.Repeat(`\*`+string(c-1), 100) + "\n")
	}
	return b.String() + strings.Repeat(`\*j`, 100) + "\n"
}

func FuzzParse(f *testing.F) {
	for _, x := range pages {
		f.Add([]byte(x.source))
	}
	f.Add([]byte(".ie \\n(.g \\{\\\n.ds a \\*a\n.\\}\n.el .It\n.TS\nT{\n\\*a\\f[B]\\s-2\\N'\\\\"))
	f.Fuzz(func(t *testing.T, source []byte) {
		for _, flag := range Parse(source, []string{"frob"}, nil).Flags {
			for _, name := range flag.Names {
				if len(name) < 2 || name[0] != '-' {
					t.Errorf("a flag is named %q", name)
				}
			}
		}
	})
}

// TestOptionTitles: pages made from Markdown may have a title for each option.
func TestOptionTitles(t *testing.T) {
	n := Parse([]byte(`.TH frob 1
.SH NAME
.PP
frob - keep gizmos
.SH OPTIONS
.SS \fB--all\fP, \fB-a\fP
.PP
All of them.

.SS \fB--arch\fP=\fIARCH\fP
.PP
The machine to make it for. See \fB--all\fP\&.
.SS Notes
.PP
None.
`), []string{"frob"}, nil)
	all, arch := n.Flag("-a"), n.Flag("--arch")
	if len(n.Flags) != 2 || all == nil || arch == nil {
		t.Fatalf("flags %+v", n.Flags)
	}
	if all.Arity != draft.None || !all.Has("--all") || all.Description != "All of them" {
		t.Errorf("--all: %+v", all)
	}
	if arch.Arity != draft.Required || arch.Description != "The machine to make it for" {
		t.Errorf("--arch: %+v", arch)
	}
}
