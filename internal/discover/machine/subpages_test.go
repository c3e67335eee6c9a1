package machine

import (
	"slices"
	"testing"
)

// Commands that only the names of manual pages tell, by the synopsis of each.
func TestPagesOfCommands(t *testing.T) {
	p := newPlace(t)
	page := func(name, synopsis string) {
		p.write("man/man1/"+name+".1", ".TH X 1\n.SH NAME\n"+name+" \\- do it\n.SH SYNOPSIS\n"+synopsis+"\n.SH OPTIONS\n.TP\n\\fB\\-\\-deep\\fR\nDeep.\n", 0o644)
	}
	p.write("man/man1/frob.1", frobPage, 0o644)
	page("frob-backup", `\fBfrob backup\fR [flags] [FILE]`)
	page("frob-self-update", `\fBfrob\fR self-update [flags]`)
	page("frob-key-export", `\fBfrob\fR [common options] key export [options] PATH`)
	page("frob-patterns", `Patterns are read so.`)
	page("frob-server", `\fBfrob-server\fR [options]`)
	d := p.draft(p.tool("frob", "exit 1"))
	var got []string
	for _, s := range d.Source.Node.Subcommands {
		got = append(got, s.Name)
	}
	slices.Sort(got)
	if want := []string{"backup", "key", "self-update"}; !slices.Equal(got, want) {
		t.Errorf("commands %q, want %q", got, want)
	}
}
