package line

import (
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/risk/syspath"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// sends judges a command that talks to another machine where a secret flows into
// it: from a file, through a pipe, in its words. What its words name as a file to
// send is the map's to say.
func (r *run) sends(c *command, words []shline.Word) {
	if len(c.redirs) == 0 && c.from == c.to && !strings.Contains(r.text.s, "$") && !strings.Contains(r.text.s, "`") {
		return
	}
	n := r.view.Root(path.Base(words[0].Text))
	if n == nil || !n.HasClass(tcpdb.NetworkClientClass) && !n.HasClass(tcpdb.SenderClass) && !n.HasClass(tcpdb.DownloaderClass) {
		return
	}
	if b := argv.Outline(r.view, shline.Texts(words)); b != nil && b.Is(tcpdb.SecretStoreClass) {
		return // where they belong
	}
	secret := ""
	for i := range c.redirs {
		if d := &c.redirs[i]; d.op == "<" && syspath.IsSecret(d.target.Text) {
			secret = d.target.Text
		}
	}
	for i := c.from; i < c.to && i < len(r.program.commands) && secret == ""; i++ {
		secret = r.printsSecret(&r.program.commands[i])
	}
	for i := 1; i < len(words) && secret == ""; i++ {
		w := &words[i]
		if option, _, _ := strings.Cut(w.Text, "="); w.Live && (strings.Contains(w.Text, "://") || sendsText(words[i-1].Text) || sendsText(option) || n.HasClass(tcpdb.SenderClass)) {
			secret = r.putsIn(w, c)
		}
	}
	if secret == "" {
		return
	}
	r.add(Finding{
		Span: r.text.at(c.start, c.end), Level: tcpdb.High, Flags: tcpdb.NetworkAccess, Rule: "sends-secret", Scope: tcpdb.Remote,
		Reason: "sends " + secret + ", which is a secret, to another machine: " + words[0].Text,
		Stake:  tcpdb.Stake{Loss: tcpdb.Exposure, Reach: tcpdb.SharedReach},
	})
}

// putsIn returns what secret the commands print that are substituted in a word of c,
// or in the value of a variable that it names; "" for none.
func (r *run) putsIn(w *shline.Word, c *command) string {
	var within []command
	if strings.ContainsAny(w.Raw, "(`") {
		within = r.within(*w, c)
	}
	for _, in := range within {
		if secret := r.printsSecret(&in); secret != "" {
			return secret
		}
	}
	for name, secret := range r.secretVariables() {
		if strings.Contains(w.Raw, "$"+name) || strings.Contains(w.Raw, "${"+name) {
			return secret
		}
	}
	return ""
}

// secretVariables are the variables of the text that are given a secret which a
// command prints, and what that is. It looks once.
func (r *run) secretVariables() map[string]string {
	if r.secrets != nil {
		return r.secrets
	}
	r.secrets = map[string]string{}
	for i := range r.program.commands {
		for k := range r.program.commands[i].assigns {
			a := &r.program.commands[i].assigns[k]
			name, value, _ := strings.Cut(a.Raw, "=")
			if !strings.ContainsAny(value, "(`") || len(r.secrets) >= maxWrites || !r.spend(r.text, commandWork) {
				continue
			}
			for _, in := range r.within(*a, nil) {
				if secret := r.printsSecret(&in); secret != "" {
					r.secrets[name] = secret
				}
			}
		}
	}
	return r.secrets
}

// sendsText reports whether an option is one whose value is sent, by the names that
// such options have.
func sendsText(option string) bool {
	for _, s := range [...]string{"-d", "-F", "--data", "--form", "--json", "--post-data", "--body-data", "--raw"} {
		if option == s || len(s) > 3 && strings.HasPrefix(option, s+"-") {
			return true
		}
	}
	return false
}

// printsSecret returns what secret a command prints: a file that it names, or what
// it is known for; "" for none.
func (r *run) printsSecret(c *command) string {
	if len(c.words) == 0 {
		return ""
	}
	n := r.view.Root(path.Base(c.words[0].Text))
	if n != nil && (n.HasClass(tcpdb.ShellBuiltinClass) || n.HasClass(tcpdb.QuietClass)) || names(c.words[0].Text, "echo", "printf", "ls", "stat", "file", "find", "du", "test") {
		return "" // says a name, and not what is in it
	}
	for _, w := range c.words[1:] {
		if !strings.HasPrefix(w.Text, "-") && syspath.IsSecret(w.Text) {
			return w.Text
		}
	}
	for i := range c.redirs {
		if d := &c.redirs[i]; d.op == "<" && syspath.IsSecret(d.target.Text) {
			return d.target.Text
		}
	}
	if b := argv.Bind(r.view, shline.Texts(c.words)); b != nil && (b.Is(tcpdb.PrintsSecretClass) || wholeSecret(b)) && (len(b.Inner) == 0 || b.Inner[0].Start >= b.Inner[0].End) {
		return "what " + strings.Join(shline.Texts(c.words[:min(len(c.words), 3)]), " ") + " prints"
	}
	return ""
}

// wholeSecret reports whether a command prints a resource of the kind "secret" with
// what it holds, and not only its name: in a form that is for programs.
func wholeSecret(b *argv.Bound) bool {
	kind := func(a argv.ArgUse) bool {
		word, _, _ := strings.Cut(a.Text, "/")
		return word == "secret" || word == "secrets"
	}
	return slices.ContainsFunc(b.Args, kind) && slices.ContainsFunc(b.Flags, func(u argv.FlagUse) bool {
		form, _, _ := strings.Cut(u.Value, "=")
		return u.Flag != nil && u.Flag.ID == "output" && wordlist.Has("yaml json jsonpath jsonpath-as-json jsonpath-file go-template go-template-file", form)
	})
}

// marks notes what a command shows that is a secret, and what it writes or takes away
// of the guard: what keeps watch over the line.
func (r *run) marks(c *command, words []shline.Word) {
	shown := *c
	shown.words = words
	if s := r.printsSecret(&shown); s != "" && r.out.Shows == "" && r.reachesTerminal(c) {
		r.out.Shows = s
	}
	if r.out.Guard != "" {
		return
	}
	for i := range c.redirs {
		if d := &c.redirs[i]; strings.Contains(d.op, ">") && syspath.IsGuard(d.target.Text) {
			r.out.Guard = d.target.Text
		}
	}
	b := argv.Outline(r.view, shline.Texts(words))
	for _, w := range words[1:] {
		if syspath.IsGuard(w.Text) && (b == nil || !b.Is(tcpdb.ViewerClass) && !b.Is(tcpdb.LineFilterClass)) && r.changesFiles(words) {
			r.out.Guard = w.Text
		}
	}
}

// changesFiles reports whether a command changes files, as far as is known.
func (r *run) changesFiles(words []shline.Word) bool {
	v := risk.Judge(r.view, shline.Texts(words), risk.Facts{Trusted: r.facts.Trusted, Within: r.facts.Within})
	return !v.Known || v.Flags&(tcpdb.FileModification|tcpdb.Destructive) != 0
}

// reachesTerminal reports whether what a command prints is seen: it goes to no file,
// and into no command that takes it as its own input.
func (r *run) reachesTerminal(c *command) bool {
	for i := range c.redirs {
		if d := &c.redirs[i]; strings.HasPrefix(strings.TrimLeft(d.op, "1"), ">") && !strings.HasPrefix(d.op, "2") && d.target.Text != "/dev/stdout" && d.target.Text != "/dev/tty" {
			return false
		}
	}
	return true
}
