package risk

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// handedLines returns the shell lines, and the commands read as such, that
// options of a command hand on.
func handedLines(b *argv.Bound, at int) []Line {
	var ids string
	switch b.Chain[0].Name {
	case "rsync":
		ids = "rsh rsync-path"
	case "tar", "gtar", "bsdtar":
		ids = "to-command use-compress-program info-script new-volume-script rsh-command checkpoint-action"
	case "split":
		ids = "filter"
	case "sort":
		ids = "compress-program"
	case "man":
		ids = "pager"
	case "zip":
		ids = "unzip-command"
	case "nano", "pico":
		ids = "s speller"
	case "nc", "ncat", "netcat":
		ids = "exec sh-exec"
	case "ssh", "scp", "sftp":
		ids = "o option"
	case "tmux", "screen", "capsh", "bwrap", "podman":
		return startedLine(b, at)
	}
	if ids == "" {
		return nil
	}
	var lines []Line
	for _, u := range b.Flags {
		if u.Flag == nil || u.ValueWord < 0 || !wordlist.Has(ids, u.Flag.ID) {
			continue
		}
		text := u.Value
		switch u.Flag.ID {
		case "checkpoint-action":
			var ok bool
			if text, ok = strings.CutPrefix(text, "exec="); !ok {
				continue
			}
		case "o", "option":
			k := strings.IndexAny(text, "= ")
			if k < 0 {
				continue
			}
			key := text[:k]
			text = text[k+1:]
			if !wordlist.Has("proxycommand localcommand knownhostscommand", strings.ToLower(key)) {
				continue
			}
		}
		lines = append(lines, Line{Text: text, Dialect: "posix", Word: at + u.ValueWord})
	}
	return lines
}

// elisp judges the Lisp that emacs evaluates; ok is false for any other program.
func elisp(b *argv.Bound, at int) (v Verdict, ok bool) {
	if b.Chain[0].Name != "emacs" {
		return Verdict{}, false
	}
	v = Verdict{Level: tcpdb.Low, Known: true}
	for i, w := range b.Words {
		if o := Code("elisp", w); len(o.Findings) > 0 || len(o.Lines) > 0 {
			o.place(at + i)
			v.merge(o)
			ok = true
		}
	}
	return v, ok
}

// startedLine is the command that a program starts whose options do not follow
// the common forms, or that keeps the command after a sub-command.
func startedLine(b *argv.Bound, at int) []Line {
	first, prefix := -1, ""
	switch b.Chain[0].Name {
	case "screen":
		for i, w := range b.Words {
			if w == "stuff" && i+1 < len(b.Words) {
				line := strings.NewReplacer(`\n`, "\n", `\r`, "\n", "^M", "\n", `\015`, "\n", `\012`, "\n").Replace(b.Words[i+1])
				return []Line{{Text: line, Dialect: "posix", Word: at + i + 1}}
			}
		}
		if len(b.Args) > 0 && !b.Has("X") && !wordlist.Has("-X", b.Words[1]) {
			first = b.Args[0].Word
		}
	case "podman":
		if b.Node().Path == "podman unshare" && len(b.Args) > 0 {
			first = b.Args[0].Word
		}
	case "tmux":
		if wordlist.Has("new new-session neww new-window splitw split-window respawn-pane respawnp respawn-window respawnw run run-shell popup display-popup send send-keys pipe-pane pipep", b.Node().Name) && len(b.Args) > 0 {
			if len(b.Args) == 1 || strings.ContainsRune(b.Args[0].Text, ' ') {
				return []Line{{Text: b.Args[0].Text, Dialect: "posix", Word: at + b.Args[0].Word}}
			}
			first = b.Args[0].Word
		}
	case "capsh":
		for i, w := range b.Words {
			if (w == "--" || w == "==") && i+1 < len(b.Words) {
				first, prefix = i+1, "bash "
				break
			}
		}
	case "bwrap":
		first = boxed(b.Words)
	}
	if first < 0 || first >= len(b.Words) {
		return nil
	}
	var text strings.Builder
	text.WriteString(prefix)
	for _, w := range b.Words[first:] {
		text.WriteString("'" + strings.ReplaceAll(w, "'", `'\''`) + "' ")
	}
	return []Line{{Text: text.String(), Dialect: "bash", Word: at + first}}
}

// boxed returns where the command of bwrap begins, after options of none, one
// or two values.
func boxed(words []string) int {
	for i := 1; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--":
			return i + 1
		case !strings.HasPrefix(w, "--"):
			return i
		case strings.Contains(w, "bind"), wordlist.Has("--symlink --setenv --file --chmod", w):
			i += 2
		case strings.HasPrefix(w, "--unshare"), wordlist.Has("--share-net --die-with-parent --new-session --clearenv --as-pid-1 --disable-userns", w):
		default:
			i++
		}
	}
	return -1
}
