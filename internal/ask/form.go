package ask

import (
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// form names what an "a" would allow: the command with those that carry it, its
// options with their values, its arguments, what it reads, what runs before it
// and may change its meaning, and the surroundings that it acts in. All words
// count as they are, but for those that are known to decide nothing: which file
// of this directory, which of one's own processes or containers, which package
// of the index, and free text. ok is false where a word is known only when the
// line runs.
func (f *Facts) form(g *line.Finding) (form Form, ok bool) {
	c := g.Call
	if c == nil || len(c.Parts) == 0 || g.Form == "" {
		return Form{}, false
	}
	var b strings.Builder
	for _, s := range c.Before {
		b.WriteString(s + "; ")
	}
	for _, s := range c.Input {
		if strings.HasSuffix(s, "|") {
			b.WriteString(s + " ")
		}
	}
	for i := range c.Parts {
		if i > 0 {
			b.WriteByte(' ')
		}
		f.part(&b, g, &c.Parts[i], len(c.Parts) == 1)
	}
	for _, s := range c.Input {
		if !strings.HasSuffix(s, "|") {
			b.WriteString(" " + s)
		}
	}
	around, ok := f.surroundings(c)
	if !ok {
		return Form{}, false
	}
	for _, s := range around {
		b.WriteString(", " + s)
	}
	return Form{g.Rule, b.String(), extent(g, b.String())}, true
}

// extent is where an allowance of a form holds: for packages, one's own processes and
// what has a place of its own everywhere; in the whole work tree for what names no
// file and reads none of the directory; else in the directory alone.
func extent(g *line.Finding, form string) Extent {
	if len(g.Call.Parts) > 1 || len(g.Call.Before)+len(g.Call.Input) > 0 {
		return InDirectory
	}
	p := &g.Call.Parts[0]
	local, everywhere := strings.ContainsAny(form, "/."), g.Stake.Fact == tcpdb.ProcessFact || p.Installs && strings.HasSuffix(form, "<packages by name>")
	dependsOn(program(p), func(d dependence) {
		local = local || slices.Contains(d.around, WorkingDirectory)
		everywhere = everywhere || d.everywhere
	})
	if everywhere {
		return Everywhere
	}
	if !local && (g.Stake.Loss == tcpdb.Outage || g.Stake.Fact == tcpdb.PlaceFact || g.Stake.Fact == tcpdb.DropsFact) {
		return InTree
	}
	return InDirectory
}

// part writes one command. Only of one that nothing carries arguments are left out.
func (f *Facts) part(b *strings.Builder, g *line.Finding, p *line.Part, alone bool) {
	b.WriteString(p.Path)
	last := ""
	write := func(s string) {
		if s == last && strings.HasPrefix(s, "<") {
			return // two files are files as one is
		}
		last = s
		b.WriteString(" " + s)
	}
	for i := range p.Options {
		o := &p.Options[i]
		switch {
		case !o.Has:
			write(quote(o.Name))
		case alone && freeText(o.ID):
			write(o.Name + "=<text>")
		default:
			write(quote(o.Name) + "=" + quote(o.Value))
		}
	}
	for i := range p.Operands {
		o := &p.Operands[i]
		if o.Dash && (i == 0 || !p.Operands[i-1].Dash) {
			write("--")
		}
		kind := ""
		if alone {
			kind = f.class(g, p, o)
		}
		switch {
		case kind != "":
			write("<" + kind + ">")
		case o.Glob || o.Home:
			write(o.Raw)
		default:
			write(quote(o.Path))
		}
	}
}

func quote(s string) string { return shline.QuoteWord(shline.Bash, s) }

// class names the kind of an argument of which it does not count which one it
// is; "" where it counts.
func (f *Facts) class(g *line.Finding, p *line.Part, o *line.Operand) string {
	source := ""
	if o.Spec != nil && o.Spec.Kind == tcpdb.ResolverSpec {
		source = o.Spec.Name
	}
	switch {
	case o.Glob || o.Home:
		return ""
	case source == "processes" && !f.Root && ordinaryProcess(o.Path):
		return "processes of yours"
	case source == "kubectl:objects" && o != &p.Operands[0] && plainName(o.Path) && isPod(p.Operands[0].Path):
		return "pods"
	case source == "docker:running" || source == "docker:containers":
		if plainName(o.Path) {
			return "containers"
		}
	case p.Installs && plainName(o.Path):
		return "packages by name"
	case o.Spec != nil && (o.Spec.Kind == tcpdb.FileSpec || source == "files"):
		// Only of what changes files the files are what it is about: others run
		// them, send them, or do what they say.
		if g.Flags.Capabilities()&^tcpdb.Destructive == tcpdb.FileModification && o.Known && plainFile(o.Path) && f.Inside != nil && f.Inside(o.Target) {
			return "files in this directory"
		}
	}
	return ""
}

// ordinaryProcess reports whether a word is the number of one process, and of
// none that the system hangs on.
func ordinaryProcess(s string) bool {
	return len(s) > 1 && strings.Trim(s, "0123456789") == "" && s[0] != '0'
}

// plainName reports whether a word is a name: no path, URL, version or option.
func plainName(s string) bool {
	for i := range len(s) {
		b := s[i]
		if letter := b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9'; !letter && (i == 0 || b != '-' && b != '_') {
			return false
		}
	}
	return s != ""
}

// plainFile reports whether a path is that of a file here like any other: not
// hidden, not above, and by its name no secret.
func plainFile(p string) bool {
	if path.IsAbs(p) || p == "" || strings.ContainsAny(p, "\x00\n") {
		return false
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(strings.ToLower(p), "./"), "/") {
		if strings.HasPrefix(part, ".") || strings.HasPrefix(part, "id_") {
			return false
		}
		for _, s := range [...]string{"secret", "credential", "password", "passwd", "private", "token", "shadow", "sudoers", "authorized_keys"} {
			if strings.Contains(part, s) {
				return false
			}
		}
		switch path.Ext(part) {
		case ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".gpg", ".asc", ".env", ".tfstate":
			return false
		}
	}
	return true
}

// freeText reports whether an option's value is a text for people to read.
func freeText(id string) bool {
	switch id {
	case "message", "m", "title", "body", "notes", "description", "comment", "subject":
		return true
	}
	return false
}

// isPod reports whether a type of objects is that of those that a controller makes
// again.
func isPod(kind string) bool { return kind == "pod" || kind == "pods" || kind == "po" }
