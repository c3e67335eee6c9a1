package line

import (
	"path"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// environment judges the variables that a command is given: those that hold
// commands, those that load code, and a PATH that leads elsewhere.
func (r *run) environment(c *command) {
	words := c.assigns
	lasting := len(c.words) == 0
	if len(c.words) > 0 {
		switch {
		case names(c.words[0].Text, "export", "declare", "typeset", "set"):
			words, lasting = append(words[:len(words):len(words)], c.words[1:]...), true
		case names(c.words[0].Text, "env", "sudo", "doas"):
			words = append(words[:len(words):len(words)], c.words[1:]...)
		}
	}
	if r.text.dialect == shline.Fish && len(c.words) > 2 && c.words[0].Text == "set" {
		w := c.words[len(c.words)-1]
		for _, n := range c.words[1 : len(c.words)-1] {
			r.variable(n.Text, w, lasting)
		}
	}
	for _, w := range words {
		name, value, ok := strings.Cut(w.Text, "=")
		if ok && name != "" && !strings.ContainsAny(name, "-/.") {
			w.Text = value
			if k := strings.IndexByte(w.Raw, '='); k >= 0 {
				w.Raw, w.Start = w.Raw[k+1:], w.Start+k+1
			}
			r.variable(strings.TrimSuffix(name, "+"), w, lasting)
		}
	}
}

// variable judges one variable; the text of w is its value. A lasting one is
// set for what comes after.
func (r *run) variable(name string, w shline.Word, lasting bool) {
	span := r.text.at(w.Start, w.End)
	switch name {
	case "PAGER", "GIT_PAGER", "MANPAGER", "EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_SSH_COMMAND", "GIT_SSH",
		"GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND", "GIT_ASKPASS", "SSH_ASKPASS", "SUDO_ASKPASS", "PROMPT_COMMAND", "BROWSER", "LESSOPEN", "LESSCLOSE", "RSYNC_RSH", "CVS_RSH":
		if !w.Live && w.Text != "" && !lasting || name == "PROMPT_COMMAND" && !w.Live {
			r.source(strings.TrimPrefix(w.Text, "|"), false, span, shellLanguage, len(r.text.s), []shline.Word{{Text: "sh"}})
		}
	case "PS0", "PS1", "PS2", "PS4":
		if !w.Live && strings.ContainsAny(w.Text, "(`") {
			r.source(": \""+w.Text+"\"", false, span, shellLanguage, len(r.text.s), []shline.Word{{Text: "sh"}})
		}
	case "BASH_ENV", "ENV":
		if strings.HasPrefix(w.Raw, "<(") {
			r.substituted(nil, []shline.Word{{}, w}, shellLanguage)
		}
		fallthrough
	case "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES":
		if w.Text != "" {
			r.add(Finding{Span: span, Level: tcpdb.Medium, Rule: "environment.loads", Reason: "loads code of the line's choice into what runs"})
		}
	case "NODE_OPTIONS", "PERL5OPT", "RUBYOPT", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS":
		if loads(w.Text) {
			r.add(Finding{Span: span, Level: tcpdb.Medium, Rule: "environment.loads", Reason: "loads code of the line's choice into what runs"})
		}
	case "GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_PARAMETERS", "GIT_TEMPLATE_DIR":
		if w.Text != "" && w.Text != "/dev/null" {
			r.add(Finding{Span: span, Level: tcpdb.High, Rule: "environment.git", Reason: "has git take programs or settings from where the line says"})
		}
	case "GIT_DIR", "GIT_COMMON_DIR", "HOME", "XDG_CONFIG_HOME":
		// A directory of this place whose settings name programs. A work tree's own
		// .git is read with the command.
		if !w.Live && w.Text != "" && !strings.ContainsRune("/~$", rune(w.Text[0])) && path.Base(w.Text) != ".git" {
			r.add(Finding{Span: span, Level: tcpdb.High, Rule: "environment.settings", Reason: "has programs take their settings from a directory of this place"})
		}
	case "PATH":
		if lasting && r.index == len(r.program.commands)-1 {
			return // nothing of this line runs under it
		}
		for dir := range strings.SplitSeq(w.Text, ":") {
			if !programDir(dir) {
				r.add(Finding{Span: span, Level: tcpdb.Medium, Rule: "environment.path", Reason: "programs may be others than their names say"})
				return
			}
		}
	}
}

// loads reports whether options for an interpreter have it load code.
func loads(options string) bool {
	for o := range strings.FieldsSeq(options) {
		for _, lead := range [...]string{"--require", "-r", "--import", "--loader", "--experimental-loader", "-M", "-I", "-javaagent", "-agentpath", "-agentlib"} {
			if strings.HasPrefix(o, lead) {
				return true
			}
		}
	}
	return false
}

// programDir reports whether a directory of PATH is one where programs are put for
// the machine or by its owner; what a variable says is not known here.
func programDir(dir string) bool {
	for _, lead := range [...]string{"/usr/", "/bin", "/sbin", "/opt/", "/snap/", "/nix/", "/run/current-system/", "/home/", "/root/", "/Users/", "/Applications/", "/Library/", "~", "$"} {
		if strings.HasPrefix(dir, lead) {
			return true
		}
	}
	return false
}
