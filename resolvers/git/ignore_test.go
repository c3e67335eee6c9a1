package git

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
)

func TestWildMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"*", "a/b", false},
		{"**", "a/b", true},
		{"a/**", "a", false},
		{"a/**", "a/b/c", true},
		{"a/**/b", "a/b", true},
		{"a/**/b", "a/x/y/b", true},
		{"a/**/b", "ab", false},
		{"**/x", "x", true},
		{"**/x", "a/b/x", true},
		{"**x", "a/x", false},
		{"a?c", "a/c", false},
		{"[!a]", "/", false},
		{"[a-c]x", "bx", true},
		{"[]a]", "]", true},
		{"[a", "a", false},
		{`\*`, "*", true},
		{`\*`, "a", false},
		{"*a*b*c", "xaybzc", true},
		{"**/*/x", "x", false},
		{"**/*/x", "a/x", true},
		{"[[:digit:]]", "7", true},
		{"**/a*/**/b", "q/az/w/e/b", true},
		{"*/", "a/", true},
		{"", "", true},
		{"", "a", false},
	} {
		if got := wildMatch(c.pattern, c.text); got != c.want {
			t.Errorf("wildMatch(%q, %q) = %v", c.pattern, c.text, got)
		}
	}
	// A pattern made to run forever does not.
	if wildMatch(strings.Repeat("**/*a", 40)+"b", strings.Repeat("aa/", 300)) {
		t.Error("hostile pattern matches")
	}
}

// TestIgnoreAgainstGit holds random rules against git check-ignore.
func TestIgnoreAgainstGit(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	pieces := []string{"a", "b", "*", "**", "?", "/", "/", "/", "[ab]", "[!a]", "\\a", "!", " ", "c", ".", "a*", "\\ ", "[[:alpha:]]"}
	names := []string{"a", "b", "c", "ab", "a b", "b.c", "*"}
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 3))
		dir := newRepo(t)
		rules := func() string {
			var b strings.Builder
			for range 1 + r.IntN(6) {
				for range 1 + r.IntN(5) {
					b.WriteString(pieces[r.IntN(len(pieces))])
				}
				b.WriteByte('\n')
			}
			return b.String()
		}
		root, inner, exclude := rules(), rules(), rules()
		writeFile(t, dir+"/.gitignore", root)
		writeFile(t, dir+"/a/.gitignore", inner)
		writeFile(t, dir+"/.git/info/exclude", exclude)
		var paths []string
		for range 60 {
			parts := make([]string, 1+r.IntN(4))
			for i := range parts {
				parts[i] = names[r.IntN(len(names))]
			}
			path := strings.Join(parts, "/")
			if os.MkdirAll(dir+"/"+path[:max(0, strings.LastIndexByte(path, '/'))], 0o755) == nil {
				if _, err := os.Lstat(dir + "/" + path); err == nil {
					continue
				}
				writeFile(t, dir+"/"+path, "")
				paths = append(paths, path)
			}
		}
		cmd := exec.Command("git", "check-ignore", "-z", "--stdin", "--no-index")
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "GIT_CONFIG_NOSYSTEM=1"}
		cmd.Stdin = strings.NewReader(strings.Join(paths, "\x00") + "\x00")
		out, _ := cmd.Output() // status 1: none is ignored
		ignored := "\x00" + string(out)
		repo, err := openGit(resolvers.Request{Dir: dir, Getenv: gitEnv})
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			got := ignoredWithParents(repo, path)
			if want := strings.Contains(ignored, "\x00"+path+"\x00"); got != want {
				t.Errorf("seed %d: %q: ignored %v, git says %v\n%s", seed, path, got, want, fmt.Sprintf("root %q\na %q\nexclude %q", root, inner, exclude))
			}
		}
	}
}

// ignoredWithParents decides as a walk from the root would.
func ignoredWithParents(repo *gitRepo, path string) bool {
	ig := openIgnores(repo)
	dir := ""
	for {
		ig.enter(repo.workTree, dir)
		slash := strings.IndexByte(path[len(dir):], '/')
		if slash < 0 {
			return ig.ignored(path, false)
		}
		if ig.ignored(path[:len(dir)+slash], true) {
			return true
		}
		dir = path[:len(dir)+slash+1]
	}
}

// TestConfigAgainstGit holds the parser against git config --list.
func TestConfigAgainstGit(t *testing.T) {
	dir := newRepo(t)
	text := "[a]\nb=c\n  d = \"x # y\" ; z\n\te = a\\tb\\\\ \\\n  more  # c\n[S \"Su\\\"b\\\\x\"] Key\n[x.Y]\nk = \n[q]\r\nw = e r\r\n\tt=\" lead\" trail \n"
	writeFile(t, dir+"/cfg", text)
	var got strings.Builder
	if err := parseConfig(text, func(e configEntry) {
		got.WriteString(e.Section)
		if e.Sub != "" {
			got.WriteString("." + e.Sub)
		}
		got.WriteString("." + e.Key)
		if e.Set {
			got.WriteString("\n" + e.Value)
		}
		got.WriteByte(0)
	}); err != nil {
		t.Fatal(err)
	}
	if want := gitRun(t, dir, "config", "-z", "--list", "-f", "cfg"); got.String() != want {
		t.Errorf("got  %q\nwant %q", got.String(), want)
	}
	for _, bad := range []string{"x = 1\n", "[a\nb=c\n", "[a]\nb = \"open\n", "[a]\n\nb = \\q\n", "[a]\n=\n"} {
		if err := parseConfig(bad, func(configEntry) {}); err == nil {
			t.Errorf("%q parses", bad)
		}
	}
}
