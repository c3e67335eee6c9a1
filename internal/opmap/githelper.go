package opmap

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// gitAnswer is what an installed git says of one of its commands when asked
// with --git-completion-helper-all.
type gitAnswer struct {
	Flags   []string `json:"flags,omitempty"`   // "--x", or "--x=" if it must have a value
	Negated []string `json:"negated,omitempty"` // "--no-x" of those
	Subs    []string `json:"subs,omitempty"`
}

// gitFacts are the answers of one git, by the words after "git".
type gitFacts struct {
	Version  string               `json:"version"`
	Commands []string             `json:"commands"` // every command it has
	Shown    []string             `json:"shown"`    // those that people use
	Answers  map[string]gitAnswer `json:"answers"`
}

// parseGitAnswer reads the helper's one line: long options, then after "--"
// further negations, and the names of sub-commands in between. It is not ok for
// anything else: a usage message, an error.
func parseGitAnswer(out string) (a gitAnswer, ok bool) {
	out = strings.TrimSpace(out)
	if strings.Contains(out, "\n") {
		return a, false
	}
	words := strings.Fields(out)
	rest := len(words)
	if i := slices.Index(words, "--"); i >= 0 {
		rest = i
	}
	seen := map[string]bool{}
	for i, w := range words {
		name, isFlag := strings.CutPrefix(w, "--")
		switch {
		case i == rest || seen[w]:
		case !plainWord(strings.TrimSuffix(name, "=")):
			return gitAnswer{}, false
		case !isFlag:
			a.Subs = append(a.Subs, w)
		case i > rest || strings.HasPrefix(name, "no-") && negates(words[:rest], name):
			a.Negated = append(a.Negated, w)
		default:
			a.Flags = append(a.Flags, w)
		}
		seen[w] = true
	}
	return a, true
}

// negates reports whether "no-x" stands beside a flag "--x".
func negates(words []string, name string) bool {
	positive := "--" + strings.TrimPrefix(name, "no-")
	return slices.Contains(words, positive) || slices.Contains(words, positive+"=")
}

// plainWord reports whether a word has the letters of git's own names only.
func plainWord(s string) bool {
	return s != "" && s[0] != '-' && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-'
	})
}

// partialAnswer reports whether a command reads options that its answer cannot
// name, because other code than git's option table parses them: those that walk
// history or compare trees, and those that pass options on.
func partialAnswer(path string) bool {
	command, _, _ := strings.Cut(path, " ")
	switch command {
	case "annotate", "archive", "bisect", "blame", "bundle", "cherry", "commit-tree", "diff", "diff-files",
		"diff-index", "diff-tree", "difftool", "fast-export", "format-patch", "log", "merge-tree",
		"pack-objects", "range-diff", "reflog", "request-pull", "rev-list", "rev-parse", "shortlog",
		"show", "show-branch", "stash", "submodule", "whatchanged":
		return true
	}
	return false
}

// mergeGit puts the facts into the tree that people wrote: what git has and the
// tree lacks is added; what the tree has and this git lacks is hidden, where
// git's answer can be taken as whole.
func mergeGit(root *tcpdb.Node, f *gitFacts) {
	for _, name := range f.Commands {
		if root.Sub(name) == nil {
			n := &tcpdb.Node{Path: root.Path + " " + name, Name: name, Bits: tcpdb.Interspersed}
			if !slices.Contains(f.Shown, name) {
				n.Bits |= tcpdb.HiddenNode
			}
			root.Subs = append(root.Subs, n)
		}
	}
	for _, n := range root.Subs {
		if !slices.Contains(f.Commands, n.Name) {
			n.Bits |= tcpdb.HiddenNode
		}
		mergeGitCommand(n, n.Name, f)
	}
}

func mergeGitCommand(n *tcpdb.Node, path string, f *gitFacts) {
	a, ok := f.Answers[path]
	if !ok {
		return
	}
	hideMissing(n, path, a)
	for _, flag := range a.Flags {
		addGitFlag(n, flag)
	}
	for _, no := range a.Negated {
		if flag := n.Flag("--" + strings.TrimPrefix(no, "--no-")); flag != nil && strings.HasPrefix(no, "--no-") {
			flag.Negatable = true
		}
	}
	for _, name := range a.Subs {
		if n.Sub(name) == nil {
			n.Subs = append(n.Subs, &tcpdb.Node{Path: n.Path + " " + name, Name: name, Bits: tcpdb.Interspersed})
		}
	}
	for _, sub := range n.Subs {
		mergeGitCommand(sub, path+" "+sub.Name, f)
	}
}

// addGitFlag adds one flag of an answer that the tree does not have. Without
// "=" it takes no value or an optional one, which the answer does not tell.
func addGitFlag(n *tcpdb.Node, word string) {
	name, valued := strings.CutSuffix(word, "=")
	if n.Flag(name) != nil {
		return
	}
	if bare, no := strings.CutPrefix(name, "--no-"); no {
		if positive := n.Flag("--" + bare); positive != nil && positive.Negatable {
			return
		}
	}
	flag := tcpdb.Flag{ID: name[2:], Names: []string{name}}
	if valued {
		flag.Value = tcpdb.RequiredValue
	}
	n.Flags = append(n.Flags, flag)
}

// hideMissing hides the long flags that the answer does not name. An answer
// that lacks more than a quarter of them is not believed to be whole.
func hideMissing(n *tcpdb.Node, path string, a gitAnswer) {
	if partialAnswer(path) || len(a.Flags) == 0 {
		return
	}
	var missing []int
	long := 0
	for i, flag := range n.Flags {
		known := false
		isLong := false
		for _, name := range flag.Names {
			if strings.HasPrefix(name, "--") {
				isLong = true
				known = known || slices.Contains(a.Flags, name) || slices.Contains(a.Flags, name+"=") || slices.Contains(a.Negated, name)
			}
		}
		if flag.ID == "help" {
			continue // git answers it before the command is asked
		}
		if isLong {
			long++
			if !known {
				missing = append(missing, i)
			}
		}
	}
	if 4*len(missing) > long {
		return
	}
	for _, i := range missing {
		n.Flags[i].Hidden = true
	}
}
