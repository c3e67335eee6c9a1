package git

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

// gitEnv is the environment of every git that the tests run, and of the
// resolvers: nothing of the machine's configuration.
func gitEnv(name string) string {
	switch name {
	case "GIT_CONFIG_NOSYSTEM":
		return "1"
	case "GIT_CONFIG_GLOBAL":
		return "/dev/null"
	case "PATH":
		return os.Getenv("PATH")
	}
	return ""
}

// gitRun runs git in dir and gives its output.
func gitRun(t testing.TB, dir string, args ...string) string {
	t.Helper()
	return gitInput(t, dir, "", args...)
}

func gitInput(t testing.TB, dir, input string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	cmd := exec.Command("git", append([]string{"-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", "-c", "core.autocrlf=false"}, args...)...)
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(input)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "LC_ALL=C",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.org",
	}
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, problems.String())
	}
	return string(out)
}

// newRepo makes a repository with one commit on main.
func newRepo(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	gitRun(t, dir, "init", "-q")
	gitRun(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	return dir
}

func lines(text string) []string {
	text = strings.TrimSuffix(text, "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func ask(t testing.TB, name, dir, text string, limit int) resolvers.Answer {
	t.Helper()
	return resolvertest.Resolve(context.Background(), resolvers.Request{Name: name, Dir: dir, Getenv: gitEnv, Filter: resolvers.Filter{Text: text}, Limit: limit})
}

func valuesOf(a resolvers.Answer) []string {
	var names []string
	for _, v := range a.Values {
		names = append(names, v.Value)
	}
	return names
}

func sortedValues(a resolvers.Answer) []string {
	names := valuesOf(a)
	slices.Sort(names)
	return names
}

func writeFile(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// conflictingMerge merges the branch side and expects git to fail.
func conflictingMerge(dir string) error {
	cmd := exec.Command("git", "-c", "user.name=A", "-c", "user.email=a@example.org", "merge", "-q", "side")
	cmd.Dir = dir
	return cmd.Run()
}
