package opmap

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	gitTimeout   = 5 * time.Second // for one question
	gitMaxOutput = 256 << 10
)

// gitAsker asks one installed git about itself, in an empty repository made for
// that and without anybody's configuration.
type gitAsker struct {
	git string // absolute
	dir string
	env []string
}

// newGitAsker makes the repository; done removes it. searched is the PATH in
// which git finds commands of other origin, which it lists and which are not run.
func newGitAsker(ctx context.Context, git, searched string) (a *gitAsker, done func(), err error) {
	dir, err := os.MkdirTemp("", "tmp-git-")
	if err != nil {
		return nil, nil, err
	}
	done = func() { os.RemoveAll(dir) }
	a = &gitAsker{git: git, dir: dir, env: []string{
		"PATH=" + absoluteOnly(searched) + ":/usr/bin:/bin", "HOME=" + dir, "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir),
		"GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat", "GIT_EDITOR=false", "GIT_OPTIONAL_LOCKS=0",
	}}
	// Some commands answer only inside a repository. Templates could bring hooks.
	if _, err := a.ask(ctx, "init", "-q", "--template=", "."); err != nil {
		done()
		return nil, nil, err
	}
	return a, done, nil
}

// absoluteOnly drops the directories of a PATH that depend on where one stands.
func absoluteOnly(path string) string {
	dirs := slices.DeleteFunc(filepath.SplitList(path), func(d string) bool { return !filepath.IsAbs(d) })
	return strings.Join(dirs, string(filepath.ListSeparator))
}

// ask runs git with the arguments and returns its standard output. The whole
// process group ends with the timeout.
func (a *gitAsker) ask(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, a.git, args...)
	cmd.Dir, cmd.Env = a.dir, a.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	out := &limitedBuffer{left: gitMaxOutput}
	cmd.Stdout = out
	err := cmd.Run()
	if ctx.Err() != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), ctx.Err())
	}
	return out.String(), err
}

// limitedBuffer keeps the first bytes of an output and drops the rest.
type limitedBuffer struct {
	bytes.Buffer
	left int
}

func (b *limitedBuffer) Write(p []byte) (int, error) {
	keep := p[:min(len(p), b.left)]
	b.left -= len(keep)
	b.Buffer.Write(keep)
	return len(p), nil
}

// list asks for commands by category.
func (a *gitAsker) list(ctx context.Context, categories string) ([]string, error) {
	out, err := a.ask(ctx, "--list-cmds="+categories)
	if err != nil {
		return nil, fmt.Errorf("git --list-cmds=%s: %w", categories, err)
	}
	names := slices.DeleteFunc(strings.Fields(out), func(s string) bool { return !plainWord(s) })
	slices.Sort(names)
	return slices.Compact(names), nil
}

// facts asks every builtin command, and the sub-commands they name, one process
// for each processor at a time. Commands that are scripts or other programs are
// not run: what they would make of the question is not known.
func (a *gitAsker) facts(ctx context.Context) (*gitFacts, error) {
	out, err := a.ask(ctx, "version")
	if err != nil {
		return nil, fmt.Errorf("git version: %w", err)
	}
	f := &gitFacts{Version: strings.TrimPrefix(strings.TrimSpace(out), "git version "), Answers: map[string]gitAnswer{}}
	if f.Commands, err = a.list(ctx, "main,others,nohelpers"); err != nil {
		return nil, err
	}
	if f.Shown, err = a.list(ctx, "list-mainporcelain,list-complete"); err != nil {
		return nil, err
	}
	builtins, err := a.list(ctx, "builtins")
	if err != nil {
		return nil, err
	}
	ask := slices.DeleteFunc(builtins, func(s string) bool { return !slices.Contains(f.Commands, s) })
	for level := 0; level < 2 && len(ask) > 0; level++ {
		var next []string
		for path, answer := range a.each(ctx, ask) {
			f.Answers[path] = answer
			for _, sub := range answer.Subs {
				next = append(next, path+" "+sub)
			}
		}
		ask = next
	}
	return f, ctx.Err()
}

// each asks the commands side by side; those without a usable answer are left out.
func (a *gitAsker) each(ctx context.Context, paths []string) map[string]gitAnswer {
	answers := make(map[string]gitAnswer, len(paths))
	var mu sync.Mutex
	var wg sync.WaitGroup
	work := make(chan string)
	for range runtime.NumCPU() {
		wg.Go(func() {
			for path := range work {
				if answer, ok := a.command(ctx, path); ok {
					mu.Lock()
					answers[path] = answer
					mu.Unlock()
				}
			}
		})
	}
	for _, path := range paths {
		work <- path
	}
	close(work)
	wg.Wait()
	return answers
}

// command asks one command. Versions before 2.26 know the shorter question only.
func (a *gitAsker) command(ctx context.Context, path string) (gitAnswer, bool) {
	for _, question := range []string{"--git-completion-helper-all", "--git-completion-helper"} {
		out, err := a.ask(ctx, append(strings.Fields(path), question)...)
		if err != nil {
			continue
		}
		if answer, ok := parseGitAnswer(out); ok {
			return answer, true
		}
	}
	return gitAnswer{}, false
}

// cachedFacts are facts with the identity of the program that gave them.
type cachedFacts struct {
	Program string   `json:"program"`
	Git     gitFacts `json:"git"`
}

// askGit returns the facts of the git at that path, from the cache file if they
// are of this very program. Without a cache ("") or one that can be written it
// asks each time; with keptOnly never.
func askGit(ctx context.Context, git, searched, cache string, keptOnly bool) (*gitFacts, error) {
	identity, err := programIdentity(git)
	if err != nil {
		return nil, err
	}
	identity += " " + absoluteOnly(searched)
	var kept cachedFacts
	if data, err := readRegular(cache); cache != "" && err == nil &&
		json.Unmarshal(data, &kept) == nil && kept.Program == identity {
		return &kept.Git, nil
	}
	if keptOnly {
		return nil, errors.New("was not asked: programs are not to be run")
	}
	a, done, err := newGitAsker(ctx, git, searched)
	if err != nil {
		return nil, err
	}
	defer done()
	f, err := a.facts(ctx)
	if err != nil {
		return nil, err
	}
	if cache != "" {
		if data, err := json.Marshal(cachedFacts{identity, *f}); err == nil && os.MkdirAll(filepath.Dir(cache), 0o755) == nil {
			_ = os.WriteFile(cache, data, 0o644) // a torn cache does not parse and is asked for again
		}
	}
	return f, nil
}

// programIdentity names one installed program: where its links end, device,
// inode, size and time of change.
func programIdentity(name string) (string, error) {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", err
	}
	st, err := os.Stat(real)
	if err != nil {
		return "", err
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok || !st.Mode().IsRegular() {
		return "", &os.PathError{Op: "stat", Path: real, Err: errors.New("is not a program")}
	}
	return fmt.Sprintf("%s %d:%d %d %d", real, sys.Dev, sys.Ino, st.Size(), st.ModTime().UnixNano()), nil
}
