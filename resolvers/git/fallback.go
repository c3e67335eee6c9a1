package git

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// gitTime bounds a question to git, whatever the context allows.
const gitTime = 5 * time.Second

// askGit lists refs by running "git for-each-ref", for repositories whose refs
// are kept in a form that we do not read. It runs as far from the project as
// it can: outside the work tree, with the git directory named, without hooks,
// fsmonitor, pager or terminal, and in a group that dies with the deadline.
func askGit(ctx context.Context, r resolvers.Request, repo *gitRepo, spaces []string) resolvers.Answer {
	if spaces == nil {
		return resolvers.Answer{State: resolvers.Failed, Message: "git: cannot read this repository (" + repo.foreign + ")"}
	}
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	args := append(safeGitArgs(repo), "for-each-ref", "--format=%(refname)")
	narrow := r.Filter.Mode == resolvers.Prefix && refPrefixPossible(r.Filter.Text) && !strings.ContainsAny(r.Filter.Text, "*?[\\")
	if r.Limit > 0 && narrow {
		args = append(args, "--count="+strconv.Itoa(r.Limit+1))
	}
	args = append(args, "--")
	for _, space := range spaces {
		args = append(args, strings.TrimSuffix(space, "/"))
		if narrow && r.Filter.Text != "" {
			// One pattern for the names in the typed directory, one for those below.
			args[len(args)-1] = space + r.Filter.Text + "*"
			args = append(args, space+r.Filter.Text+"*/**")
		}
	}
	out, err := runGit(ctx, repo, args)
	if err != nil {
		if ctx.Err() != nil {
			return resolvers.Answer{State: resolvers.Timeout, Message: "git for-each-ref: out of time"}
		}
		return resolvers.Answer{State: resolvers.Failed, Message: "git: " + repo.foreign + ": " + err.Error()}
	}
	return foreignAnswer(r, spaces, out)
}

func foreignAnswer(r resolvers.Request, spaces []string, out []byte) resolvers.Answer {
	l := &listing{r: r, answer: resolvers.Answer{State: resolvers.Fresh}}
	for line := range bytes.Lines(out) {
		ref := strings.TrimSuffix(string(line), "\n")
		for _, space := range spaces {
			if name, ok := strings.CutPrefix(ref, space); ok && r.Filter.Keep(name) {
				l.add(resolvers.Value{Value: name, Kind: kindOfSpace(space)})
			}
		}
	}
	return l.answer
}

func kindOfSpace(space string) string {
	switch space {
	case "refs/heads/":
		return "branch"
	case "refs/tags/":
		return "tag"
	case "refs/remotes/":
		return "remote branch"
	}
	return "ref"
}

// safeGitArgs turns off all that a repository's configuration could make git
// run for a command that only reads refs.
func safeGitArgs(repo *gitRepo) []string {
	return []string{
		"--no-pager", "--no-optional-locks", "--git-dir=" + repo.gitDir,
		"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.untrackedCache=false",
		"-c", "credential.helper=", "-c", "core.sshCommand=false", "-c", "core.askPass=", "-c", "protocol.allow=never",
		"-c", "maintenance.auto=false", "-c", "gc.auto=0",
	}
}

// runGit runs git from "/" and gives what it prints. Its whole process group
// is killed at the deadline.
func runGit(ctx context.Context, repo *gitRepo, args []string) ([]byte, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(program); err != nil || repo.workTree != "" && strings.HasPrefix(real, repo.workTree+"/") {
		return nil, errors.New("the git of PATH lies in the work tree")
	}
	cmd := exec.CommandContext(ctx, program, args...)
	for _, name := range [...]string{"HOME", "XDG_CONFIG_HOME", "PATH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"} {
		if value := repo.getenv(name); value != "" {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1")
	if repo.commonDir != repo.gitDir {
		cmd.Env = append(cmd.Env, "GIT_COMMON_DIR="+repo.commonDir)
	}
	return resolvers.GroupOutput(cmd)
}
