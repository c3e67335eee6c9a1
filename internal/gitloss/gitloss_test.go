package gitloss

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// repository is a throwaway one, with git as the oracle.
type repository struct {
	t   *testing.T
	dir string
	now int
}

func newRepository(t *testing.T, args ...string) *repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	r := &repository{t: t, dir: t.TempDir(), now: 1_700_000_000}
	r.git(append([]string{"init", "-q", "-b", "trunk"}, args...)...)
	return r
}

func (r *repository) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	date := fmt.Sprintf("%d +0000", r.now)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.com",
		"GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.com", "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit makes a commit of the empty tree.
func (r *repository) commit(message string, parents ...string) string {
	r.t.Helper()
	r.now++
	args := []string{"commit-tree", "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "-m", message}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	return r.git(args...)
}

// open opens the repository; it is read anew.
func (r *repository) open() *Repo {
	r.t.Helper()
	x, err := Open(r.dir)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(x.Close)
	return x
}

func (r *repository) count(args ...string) int {
	r.t.Helper()
	n, err := strconv.Atoi(r.git(append([]string{"rev-list", "--count"}, args...)...))
	if err != nil {
		r.t.Fatal(err)
	}
	return n
}

// TestAgainstGit: random histories, with merges and clocks that jump, packed and
// loose, count as git counts them.
func TestAgainstGit(t *testing.T) {
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 1))
		r := newRepository(t)
		r.git("hash-object", "-t", "tree", "-w", "--stdin")
		var all []string
		for n := range 24 {
			parents := []string{}
			for len(all) > 0 && len(parents) < 1+random.IntN(2) {
				parents = append(parents, all[max(0, len(all)-1-random.IntN(6))])
			}
			if len(parents) == 2 && parents[0] == parents[1] {
				parents = parents[:1]
			}
			r.now += random.IntN(40) - 15
			all = append(all, r.commit(fmt.Sprintf("commit %d", n), parents...))
		}
		branches := []string{"trunk", "a", "b/c", "d"}
		for _, b := range branches {
			r.git("update-ref", "refs/heads/"+b, all[random.IntN(len(all))])
		}
		r.now++
		r.git("tag", "-a", "-m", "a tag", "v1", all[random.IntN(len(all))])
		if seed%2 == 0 {
			r.git("pack-refs", "--all")
			r.git("repack", "-adq")
		}
		x := r.open()
		for _, b := range branches[1:] {
			l, err := x.Deleted("refs/heads/", []string{b})
			want := r.count("refs/heads/"+b, "HEAD", "--not", "--exclude=refs/heads/"+b, "--all", "HEAD")
			if err != nil || l.Commits != want {
				t.Errorf("seed %d: delete %s: %d commits, %v; git says %d", seed, b, l.Commits, err, want)
			}
			if l.Commits > 0 && !strings.HasPrefix(l.Newest.Subject, "commit ") {
				t.Errorf("seed %d: the newest is %+v", seed, l.Newest)
			}
		}
		if l, err := x.Deleted("refs/tags/", []string{"v1"}); err != nil || l.Commits != r.count("v1", "--not", "--branches") {
			t.Errorf("seed %d: delete the tag: %d commits, %v", seed, l.Commits, err)
		}
		for _, to := range []string{"HEAD", "a", "HEAD~1", "HEAD^", "v1", "refs/heads/d", all[0], "trunk^2", "HEAD~2^1"} {
			check := exec.Command("git", "rev-parse", "-q", "--verify", to+"^{commit}")
			check.Dir = r.dir
			out, failed := check.Output()
			l, err := x.Reset(to)
			if failed != nil {
				if !errors.Is(err, ErrUnknown) {
					t.Errorf("seed %d: reset to %s, which git does not know: %v", seed, to, err)
				}
				continue
			}
			want := r.count("HEAD", "--not", strings.TrimSpace(string(out)), "--exclude=refs/heads/trunk", "--all")
			if err != nil || l.Commits != want {
				t.Errorf("seed %d: reset to %s: %d commits, %v; git says %d", seed, to, l.Commits, err, want)
			}
		}
	}
}

func TestNewestAndWorkTrees(t *testing.T) {
	r := newRepository(t)
	r.git("commit", "-q", "--allow-empty", "-m", "first")
	r.git("checkout", "-q", "-b", "topic")
	r.now++
	r.git("commit", "-q", "--allow-empty", "-m", "one")
	r.git("commit", "-q", "--allow-empty", "-m", "two\n\nmore") // in the same second
	tip := r.git("rev-parse", "HEAD")
	r.git("checkout", "-q", "trunk")
	l, err := r.open().Deleted("refs/heads/", []string{"topic"})
	if err != nil || l.Commits != 2 || l.Newest.Hash != tip || l.Newest.Subject != "two" {
		t.Errorf("%+v, %v", l, err)
	}
	// What another work tree has checked out is held by it.
	other := filepath.Join(t.TempDir(), "other")
	r.git("worktree", "add", "-q", "--detach", other, tip)
	if l, err := r.open().Deleted("refs/heads/", []string{"topic"}); err != nil || l.Commits != 0 {
		t.Errorf("with a work tree: %+v, %v", l, err)
	}
	x, err := Open(other)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if l, err := x.Reset("HEAD~1"); err != nil || l.Commits != 0 { // topic has it
		t.Errorf("in the work tree: %+v, %v", l, err)
	}
}

func TestWhatIsNotKnown(t *testing.T) {
	r := newRepository(t)
	r.git("commit", "-q", "--allow-empty", "-m", "first")
	for _, rev := range []string{"nothing", "HEAD@{1}", "HEAD^{/x}", ":/first", "HEAD~99", "", "-1"} {
		if _, err := r.open().Reset(rev); !errors.Is(err, ErrUnknown) {
			t.Errorf("reset to %q: %v", rev, err)
		}
	}
	if _, err := r.open().Deleted("refs/heads/", []string{"nothing"}); !errors.Is(err, ErrUnknown) {
		t.Errorf("a branch that is not there: %v", err)
	}
	r.git("commit", "-q", "--allow-empty", "-m", "second")
	r.git("replace", "--graft", "HEAD")
	if _, err := Open(r.dir); !errors.Is(err, ErrUnknown) {
		t.Errorf("a history that is replaced: %v", err)
	}
	r.git("replace", "-d", "HEAD")
	r.git("config", "core.repositoryFormatVersion", "1")
	r.git("config", "extensions.refStorage", "files")
	if _, err := Open(r.dir); !errors.Is(err, ErrUnknown) {
		t.Errorf("an extension: %v", err)
	}
	if _, err := Open(t.TempDir()); err == nil {
		t.Error("no repository")
	}
}
