package ask

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
)

// edit puts text in the place of a part of the line.
type edit struct {
	start, end int
	text       string
}

// Safer returns the line with each command that is asked about put the safer
// way, where that does the same but can be taken back, or shows what would be
// done. ok is false if it is not known for all of them. installed reports
// whether a program is there.
func Safer(text string, v *line.Verdict, dec *Decision, installed func(string) bool) (safer string, ok bool) {
	var edits []edit
	for _, it := range dec.Items {
		if it.Action <= Note {
			continue
		}
		g := &v.Findings[it.Finding]
		if e, ok := apart(text, g, installed); ok {
			if !slices.Contains(edits, e) {
				edits = append(edits, e)
			}
			continue
		}
		if g.Verb == 0 || g.Verb > g.Command.End || g.Command.End > len(text) || text[g.Command.Start:g.Verb] != g.Key {
			return "", false // not written out, or with options between
		}
		e, ok := rewrite(text, g, installed)
		if !ok {
			return "", false
		}
		if !slices.Contains(edits, e) {
			edits = append(edits, e)
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return b.start - a.start })
	before := text
	for i, e := range edits {
		if i > 0 && e.end > edits[i-1].start {
			return "", false
		}
		text = text[:e.start] + e.text + text[e.end:]
	}
	return text, text != before
}

// rewrite returns the edit for one finding.
func rewrite(text string, g *line.Finding, installed func(string) bool) (edit, bool) {
	options := strings.Fields(strings.TrimPrefix(g.Form, g.Key))
	whole := strings.TrimSpace(text) == text[g.Command.Start:g.Command.End]
	rest := text[g.Verb:g.Command.End]
	command := func(s string) (edit, bool) { return edit{g.Command.Start, g.Command.End, s}, true }
	insert := func(s string) (edit, bool) { return edit{g.Verb, g.Verb, s}, true }
	word := func(s string) (edit, bool) { return edit{g.Start, g.End, s}, true }
	flag := ""
	if g.Start >= g.Verb && g.End <= g.Command.End {
		flag = text[g.Start:g.End]
	}
	switch g.Key {
	case "rm", "unlink":
		put := putAway(installed)
		if put == "" || g.Form == "" || !strings.HasPrefix(g.Form, g.Key) || !only(options, "--recursive", "--force", "-r", "-R", "-f", "-d", "-v", "-i", "-I", "--dir", "--verbose", "--interactive") || !holds(g.Targets) {
			return edit{}, false
		}
		files, ok := files(rest)
		if !ok {
			return edit{}, false
		}
		return command(put + files)
	case "git push":
		if flag == "-f" || flag == "--force" {
			return word("--force-with-lease")
		}
		if i := strings.Index(rest, " +"); i >= 0 { // of the branch that is forced
			if strings.Count(rest, " +") > 1 {
				return edit{}, false
			}
			return edit{g.Verb + i + 1, g.Verb + i + 2, "--force-with-lease "}, true
		}
	case "find":
		if flag == "-delete" {
			return word("-print")
		}
	case "git branch":
		if flag == "-D" {
			return word("-d")
		}
	case "git reset":
		if whole && slices.Contains(options, "--hard") {
			return edit{g.Command.Start, g.Command.Start, "git stash && "}, true
		}
	case "git checkout", "git restore":
		if whole && len(options) == 0 && len(g.Targets) > 0 && (g.Key == "git restore" || g.Targets[0].Dash || g.Targets[0].Path == ".") {
			return command("git stash push -- " + strings.TrimPrefix(strings.TrimSpace(rest), "-- "))
		}
	case "git clean":
		return insert(" -n")
	case "rsync":
		if slices.ContainsFunc(options, func(o string) bool { return o == "--verbose" || o == "--itemize-changes" || o == "-v" || o == "-i" }) {
			return insert(" --dry-run")
		}
		return insert(" --dry-run -i") // else it says nothing of what it would do
	case "kubectl delete", "kubectl apply", "kubectl replace", "kubectl scale", "kubectl drain":
		if !strings.Contains(g.Form, "--dry-run") {
			return insert(" --dry-run=server")
		}
	case "helm uninstall", "helm upgrade", "helm rollback", "helm delete":
		return insert(" --dry-run")
	case "apt-get install", "apt-get remove", "apt-get purge", "apt-get autoremove", "apt-get upgrade", "apt-get dist-upgrade",
		"apt install", "apt remove", "apt purge", "apt autoremove", "apt upgrade", "apt full-upgrade":
		return insert(" --simulate")
	case "terraform apply", "tofu apply":
		if only(options, "--auto-approve") && len(g.Targets) == 0 {
			return command(strings.TrimSuffix(g.Key, "apply") + "plan")
		}
	case "terraform destroy", "tofu destroy":
		if only(options, "--auto-approve") && len(g.Targets) == 0 {
			return command(strings.TrimSuffix(g.Key, "destroy") + "plan -destroy")
		}
	}
	return tried(g, options, insert)
}

// tried is the command with the options behind it that the map names as its safer
// form: those of a trial run.
func tried(g *line.Finding, options []string, insert func(string) (edit, bool)) (edit, bool) {
	rest, ok := strings.CutPrefix(g.Safer, g.Key+" ")
	if !ok || !strings.HasPrefix(rest, "-") {
		return edit{}, false
	}
	for w := range strings.FieldsSeq(rest) {
		if !strings.HasPrefix(w, "-") || slices.Contains(options, w) {
			return edit{}, false
		}
	}
	return insert(" " + rest)
}

// apart keeps a command from emptying the file that it reads: what it writes is held
// until it has read, or goes to another file first.
func apart(text string, g *line.Finding, installed func(string) bool) (edit, bool) {
	if g.Rule != "redirect.own-input" || g.End > len(text) || strings.TrimSpace(text[g.End:]) != "" {
		return edit{}, false
	}
	file := strings.TrimSpace(strings.TrimLeft(text[g.Start:g.End], "01>|"))
	switch {
	case file == "" || strings.ContainsAny(file, "&"):
		return edit{}, false
	case installed("sponge"):
		return edit{g.Start, g.End, "| sponge " + file}, true
	}
	return edit{g.Start, g.End, "> " + file + ".new && mv " + file + ".new " + file}, true
}

// putAway returns the command that puts files where they can be had back from.
func putAway(installed func(string) bool) string {
	switch {
	case installed("tmp"):
		return "tmp quarantine put -- "
	case installed("trash-put"):
		return "trash-put -- "
	case installed("gio"):
		return "gio trash -- "
	}
	return ""
}

func only(options []string, known ...string) bool {
	for _, o := range options {
		if !slices.Contains(known, o) {
			return false
		}
	}
	return true
}

// holds reports whether a trash can take the targets: nothing at the root, and
// not the home directory.
func holds(targets []line.Target) bool {
	for i := range targets {
		t := &targets[i]
		if t.Glob && !t.Home && !strings.HasPrefix(t.Path, "/") {
			continue
		}
		p := strings.TrimRight(t.Path, "/*.")
		switch {
		case t.Home && p == "", !t.Home && p == "":
			return false
		case !t.Home && strings.HasPrefix(p, "/") && strings.Count(p, "/") < 2:
			return false
		}
	}
	return len(targets) > 0
}

// files returns the words of an rm that are not options, as typed. It is false
// if one cannot be told from the other.
func files(rest string) (string, bool) {
	var out []string
	dashed := false
	for rest = strings.TrimLeft(rest, " \t"); rest != ""; rest = strings.TrimLeft(rest, " \t") {
		n := shline.WordLen(rest, " \t")
		w := rest[:n]
		rest = rest[n:]
		switch {
		case strings.ContainsAny(w, "<>&|;\n"):
			return "", false
		case w == "--" && !dashed:
			dashed = true
		case strings.HasPrefix(w, "-") && len(w) > 1 && !dashed:
		default:
			out = append(out, w)
		}
	}
	return strings.Join(out, " "), len(out) > 0
}
