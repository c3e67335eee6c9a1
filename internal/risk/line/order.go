package line

import (
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/risk/syspath"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Written is what commands of the line may have written by the time that a later
// one runs. What the disk and git say before the line runs holds for the rest.
type Written struct {
	// All: it is not known what, so that it may be anything.
	All bool
	// Paths are what is written, and all below it.
	Paths []Target
}

// Any reports whether there is any of it.
func (w *Written) Any() bool { return w != nil && (w.All || len(w.Paths) > 0) }

// maxWritten bounds the paths that are kept.
const maxWritten = 64

func (w *Written) add(targets ...Target) {
	for _, t := range targets {
		if w.All = w.All || !t.Known || len(w.Paths) == maxWritten; w.All {
			w.Paths = nil
			return
		}
		w.Paths = append(w.Paths, t)
	}
}

// earlier is what the commands that may run before that of the run may write, in
// this text and those around it; nil for nothing.
func (r *run) earlier() *Written {
	w := &Written{}
	for at, index := r, r.index; at != nil && !w.All; at, index = at.text.from, at.text.index {
		at.writtenBefore(index, w)
	}
	if !w.Any() {
		return nil
	}
	return w
}

// writtenBefore adds what the commands before that at an index may write. Those in
// its own words and redirections run before it, and in a loop or a function all.
func (r *run) writtenBefore(index int, w *Written) {
	cmds := r.program.commands
	if index >= len(cmds) {
		return
	}
	own := &cmds[index]
	again := own.function != "" || r.repeats()
	end := own.end
	for i := range own.redirs {
		end = max(end, own.redirs[i].target.End)
	}
	for i := range cmds {
		if i == index || i > index && !again && cmds[i].start >= end {
			continue
		}
		if r.writers == nil {
			r.writers = make([]*Written, len(cmds))
		}
		if r.writers[i] == nil {
			r.writers[i] = &Written{}
			r.writesOf(&cmds[i], r.writers[i])
		}
		if r.writers[i].All {
			w.add(Target{})
		}
		if w.add(r.writers[i].Paths...); w.All {
			return
		}
	}
}

// repeats reports whether a word of the text begins a loop.
func (r *run) repeats() bool {
	if r.again != 0 || !r.mayLoop() {
		return r.again > 0
	}
	r.again = -1
	for word := range strings.FieldsFuncSeq(r.text.s, func(c rune) bool { return strings.ContainsRune(" \t\n;|&(){}'\"`$<>", c) }) {
		if slices.Contains(loopWords[:], word) {
			r.again = 1
			return true
		}
	}
	return false
}

var loopWords = [...]string{"while", "until", "for", "foreach", "repeat"}

// writesOf adds what one command may write.
func (r *run) writesOf(c *command, w *Written) {
	here := movement{r.unsettled(c.index, false), r.unsettled(c.index, true)}
	for i := range c.redirs {
		d := &c.redirs[i]
		op := strings.TrimLeft(d.op, "0123456789")
		if !strings.Contains(op, ">") || strings.HasPrefix(d.target.Raw, ">(") || (op == ">&" || op == "<&") && isFD(d.target.Text) || syspath.IsHarmless(path.Clean(d.target.Text)) {
			continue
		}
		w.add(r.target(&d.target, here, false))
	}
	if len(c.words) == 0 || r.body(c.words[0].Text) {
		return
	}
	name := c.words[0]
	if _, alias := r.aliases[name.Text]; alias || name.Live || name.Glob || r.text.options.Aliases[name.Text] != "" || r.text.options.Functions[name.Text] != "" {
		w.add(Target{})
		return
	}
	texts := shline.Texts(c.words)
	v := risk.Judge(r.view, texts, risk.Facts{Trusted: r.facts.Trusted, Alias: r.facts.Alias, Within: r.facts.Within})
	const changes = tcpdb.FileModification | tcpdb.Destructive | tcpdb.SystemModification | tcpdb.PrivilegeEscalation
	switch {
	case !v.Known || len(v.Lines) > 0 || len(v.Tasks) > 0 || len(v.Files) > 0:
	case v.Flags&changes == 0 && (v.Level <= tcpdb.Low || v.Level == tcpdb.Medium && v.Flags == tcpdb.NetworkAccess):
		return
	default:
		if targets, ok := r.namedTargets(c.words, texts, here); ok {
			w.add(targets...)
			return
		}
	}
	w.add(Target{})
}

// writesNamed are programs that write to nothing but what their arguments name,
// and besideTree are commands of git that leave the files of the work tree.
var (
	writesNamed = []string{
		"touch", "mkdir", "rmdir", "cp", "ln", "install", "tee", "truncate", "mktemp", "chmod", "chown", "chgrp", "sed", "gsed", "rm", "unlink", "shred",
		"vi", "vim", "nvim", "nano", "pico", "emacs", "ed", "code", "kill", "pkill", "killall", "git restore", "gzip", "gunzip", "xz", "unxz", "zip",
	}
	besideTree = []string{"git fetch", "git tag", "git branch", "git add", "git remote", "git notes", "git stash", "git stash push"}
)

// namedTargets returns what a command that writes may write to; ok is false if
// that is not told by its words.
func (r *run) namedTargets(words []shline.Word, texts []string, m movement) (targets []Target, ok bool) {
	b := argv.Outline(r.view, texts)
	if b == nil || len(b.Inner) > 0 {
		return nil, false
	}
	key := b.Node().Path
	if slices.Contains(besideTree, key) {
		return nil, true
	}
	outputs := append(b.Uses(tcpdb.OutputFileRole), b.Uses(tcpdb.OutputDirRole)...)
	if !slices.Contains(writesNamed, key) {
		return nil, false
	}
	for _, u := range outputs {
		if u.Flag != nil && u.Word >= 0 { // the arguments follow
			w := shline.Word{Raw: u.Value, Text: u.Value, Live: words[u.Word].Live}
			targets = append(targets, r.target(&w, m, false))
		}
	}
	for _, a := range b.Args {
		for _, t := range r.targets(&words[a.Word], m, a.AfterDash) {
			if t.Glob { // of which nobody knows here what it matches
				t.Path, t.Glob = t.Path[:strings.LastIndexByte(t.Path[:strings.IndexAny(t.Path+"*", "*?[")], '/')+1], false
			}
			targets = append(targets, t)
		}
	}
	return targets, true
}
