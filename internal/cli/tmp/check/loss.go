package check

import (
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/gitloss"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/resolvers/git"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// leaving are the commands after which commits may be on no branch or tag any more:
// by the path of the command, which option makes it one, and what its arguments are.
var leaving = []struct {
	key     string
	options []string // one of them is given, by the name of the map
	others  string   // what else may be given
	loss    func(r *gitloss.Repo, names []string) (gitloss.Loss, error)
}{
	{"git branch", []string{"-D", "--delete"}, "--force --quiet", func(r *gitloss.Repo, names []string) (gitloss.Loss, error) {
		return r.Deleted("refs/heads/", names)
	}},
	{"git tag", []string{"--delete"}, "", func(r *gitloss.Repo, names []string) (gitloss.Loss, error) {
		return r.Deleted("refs/tags/", names)
	}},
	{"git reset", []string{"--hard", "--soft", "--keep", "--merge"}, "--quiet", func(r *gitloss.Repo, names []string) (gitloss.Loss, error) {
		if len(names) != 1 {
			return gitloss.Loss{}, gitloss.ErrUnknown
		}
		return r.Reset(names[0])
	}},
}

// left says which commits a finding's command would leave without a branch or tag,
// "" where that is not known: of another directory, after another command, with
// options that mean more, or in a repository that go-git does not read.
func left(env *term.Env, text string, f *line.Finding) string {
	if f.Level < tcpdb.High || f.Call == nil || len(f.Call.Before) > 0 || f.Elsewhere || len(f.Targets) == 0 {
		return ""
	}
	// With an option before the verb it may act elsewhere: git -C DIR. What runs before
	// it in the line may make other refs of these.
	if f.Command.End > len(text) || !strings.HasPrefix(text[f.Command.Start:f.Command.End], f.Key) || strings.TrimSpace(text[:f.Command.Start]) != "" {
		return ""
	}
	// Where the environment leads git to another repository than that of the directory.
	for _, name := range [...]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE"} {
		if env.Getenv(name) != "" {
			return ""
		}
	}
	names := make([]string, len(f.Targets))
	for i, t := range f.Targets {
		if !t.Known || t.Glob || t.Home || t.Dash {
			return ""
		}
		names[i] = t.Path
	}
	own := &f.Call.Parts[len(f.Call.Parts)-1]
	for _, l := range leaving {
		if l.key != f.Key || own.Away || !only(own.Options, l.options, l.others) {
			continue
		}
		work, err := git.OpenWork(env.Context, env.Dir, env.Getenv) // refuses what is another user's
		if err != nil {
			return ""
		}
		root := work.Root()
		work.Close()
		repo, err := gitloss.Open(root)
		if err != nil {
			return ""
		}
		defer repo.Close()
		loss, err := l.loss(repo, names)
		if err != nil {
			return ""
		}
		return sayLoss(loss)
	}
	return ""
}

// only reports whether one of some options is given, and nothing beside them and others.
func only(given []line.CallOption, some []string, others string) bool {
	found := false
	for _, o := range given {
		switch {
		case contains(some, o.Name):
			found = true
		case !contains(strings.Fields(others), o.Name):
			return false
		}
	}
	return found
}

func contains(list []string, name string) bool {
	for _, s := range list {
		if s == name || strings.TrimLeft(s, "-") == name {
			return true
		}
	}
	return false
}

func sayLoss(l gitloss.Loss) string {
	if l.Commits == 0 {
		return "every commit is on another branch or tag too"
	}
	commits := "1 commit would be"
	if l.Commits > 1 {
		commits = fmt.Sprintf("%d commits would be", l.Commits)
	}
	short := l.Newest.Hash[:min(10, len(l.Newest.Hash))]
	return fmt.Sprintf("%s on no branch or tag, the newest %s %q; git branch NAME %s keeps them", commits, short, term.OneLine(l.Newest.Subject), short)
}
