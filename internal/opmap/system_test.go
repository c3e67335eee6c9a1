package opmap

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tool-mapping-protocol/tmp/internal/opmap/core"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func TestParseGitAnswer(t *testing.T) {
	tests := []struct {
		name, out string
		want      gitAnswer
		ok        bool
	}{
		{"nothing", "\n", gitAnswer{}, true},
		{
			"flags and negations", " --quiet --message= --no-verify --edit --no-edit -- --no-quiet --no-message\n",
			gitAnswer{Flags: []string{"--quiet", "--message=", "--no-verify", "--edit"}, Negated: []string{"--no-edit", "--no-quiet", "--no-message"}},
			true,
		},
		{"the positive form of a no- flag", "--no-checkout -- --checkout\n", gitAnswer{Flags: []string{"--no-checkout"}, Negated: []string{"--checkout"}}, true},
		{"sub-commands", "add set-url --verbose\n", gitAnswer{Subs: []string{"add", "set-url"}, Flags: []string{"--verbose"}}, true},
		{"twice", "--color --color\n", gitAnswer{Flags: []string{"--color"}}, true},
		{"usage", "usage: git x [--a]\n", gitAnswer{}, false},
		{"two lines", "--a\n--b\n", gitAnswer{}, false},
		{"an error", "fatal: not a git repository\n", gitAnswer{}, false},
		{"a shell word", "--a $(x)\n", gitAnswer{}, false},
		{"three dashes", "---a\n", gitAnswer{}, false},
	}
	for _, tt := range tests {
		got, ok := parseGitAnswer(tt.out)
		if ok != tt.ok {
			t.Errorf("%s: ok %v, want %v", tt.name, ok, tt.ok)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestMergeGit(t *testing.T) {
	flag := func(names ...string) tcpdb.Flag { return tcpdb.Flag{ID: FlagID(names), Names: names, Description: "d"} }
	root := &tcpdb.Node{Path: "git", Name: "git", Subs: []*tcpdb.Node{
		{Path: "git tag", Name: "tag", Flags: []tcpdb.Flag{
			flag("-l", "--list"), flag("--old"), flag("--a"), flag("--b"), flag("-x"), flag("--help"),
		}},
		{Path: "git log", Name: "log", Flags: []tcpdb.Flag{flag("--author"), flag("--source")}},
		{Path: "git gone", Name: "gone"},
		{Path: "git am", Name: "am", Flags: []tcpdb.Flag{flag("--one"), flag("--two")}},
	}}
	mergeGit(root, &gitFacts{
		Commands: []string{"am", "log", "new", "plumbing", "tag"},
		Shown:    []string{"log", "new", "tag"},
		Answers: map[string]gitAnswer{
			"tag":     {Flags: []string{"--list", "--a", "--b", "--sort=", "--no-verify"}, Negated: []string{"--no-a"}, Subs: []string{"sub"}},
			"tag sub": {Flags: []string{"--deep"}},
			"log":     {Flags: []string{"--source", "--decorate"}},
			"am":      {Flags: []string{"--three"}},
		},
	})
	tag := root.Sub("tag")
	if f := tag.Flag("--old"); !f.Hidden {
		t.Error("a flag that this git lacks is offered")
	}
	for _, name := range []string{"--list", "--a", "--b", "-x", "--help"} {
		if tag.Flag(name).Hidden {
			t.Errorf("%s is hidden", name)
		}
	}
	if f := tag.Flag("--sort"); f == nil || f.Value != tcpdb.RequiredValue || f.ID != "sort" {
		t.Errorf("--sort= is added as %+v", f)
	}
	if f := tag.Flag("--no-verify"); f == nil || f.Value != tcpdb.NoValue {
		t.Errorf("--no-verify is added as %+v", f)
	}
	if !tag.Flag("--a").Negatable || tag.Flag("--b").Negatable {
		t.Error("--a is to be negatable, --b not")
	}
	if tag.Flag("--a").Description != "d" {
		t.Error("what people wrote of --a is lost")
	}
	if sub := tag.Sub("sub"); sub == nil || sub.Path != "git tag sub" || sub.Flag("--deep") == nil {
		t.Errorf("the sub-command is added as %+v", sub)
	}
	if root.Sub("log").Flag("--author").Hidden {
		t.Error("git log cannot name --author, yet it is hidden")
	}
	if root.Sub("log").Flag("--decorate") == nil {
		t.Error("--decorate is not added")
	}
	if root.Sub("am").Flag("--one").Hidden {
		t.Error("an answer that lacks every known flag is believed")
	}
	hidden := func(name string) bool { return root.Sub(name).Bits&tcpdb.HiddenNode != 0 }
	for name, want := range map[string]bool{"tag": false, "gone": true, "new": false, "plumbing": true} {
		if got := hidden(name); got != want {
			t.Errorf("git %s hidden %v, want %v", name, got, want)
		}
	}
}

// TestBuildSystem asks the git that is installed. Its flags of git commit are
// taken from the helper itself, in another way than the build does.
func TestBuildSystem(t *testing.T) {
	if testing.Short() {
		t.Skip("asks git about each of its commands")
	}
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	paths := place.Paths{Cache: dir}
	opts := SystemOptions{Paths: paths, PATH: os.Getenv("PATH")}
	image, report, err := BuildSystem(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Tools) != 1 || report.Tools[0].Err != nil || report.Tools[0].Version == "" {
		t.Fatalf("report %+v", report)
	}
	im, err := tcpdb.Parse(image)
	if err != nil {
		t.Fatal(err)
	}
	v := tcpdb.NewView(nil)
	v.Add(tcpdb.SystemLayer, im)
	commit := v.Open(v.Root("git").Sub("commit"))
	repository := t.TempDir()
	if err := exec.Command(git, "init", "-q", repository).Run(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(git, "commit", "--git-completion-helper")
	cmd.Dir = repository
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	want, ok := parseGitAnswer(string(out))
	if !ok || len(want.Flags) < 20 {
		t.Fatalf("git commit answers %q", out)
	}
	for _, w := range want.Flags {
		name, valued := w, false
		if w[len(w)-1] == '=' {
			name, valued = w[:len(w)-1], true
		}
		f := commit.Flag(name)
		if f == nil {
			t.Errorf("git commit %s is not mapped", name)
		} else if valued && f.Value != tcpdb.RequiredValue {
			t.Errorf("git commit %s takes a value, mapped as %v", name, f.Value)
		}
	}
	if n := v.Open(v.Open(v.Root("git").Sub("remote")).Sub("add")); n.Flag("--mirror") == nil {
		t.Error("the flags of git remote add are not known")
	}

	start := time.Now()
	again, _, err := BuildSystem(context.Background(), opts)
	if err != nil || !slices.Equal(again, image) {
		t.Errorf("a second build differs (%v)", err)
	}
	t.Logf("from the cache in %v", time.Since(start))
	if _, err := os.Stat(filepath.Join(dir, "system", "git.json")); err != nil {
		t.Error(err)
	}
}

func TestBuildSystemWithoutGit(t *testing.T) {
	image, report, err := BuildSystem(context.Background(), SystemOptions{PATH: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tcpdb.Parse(image); err != nil {
		t.Errorf("the image is not whole: %v", err)
	}
	if len(report.Tools) != 1 || report.Tools[0].Err == nil {
		t.Errorf("report %+v, want git left out with a reason", report)
	}
}

// TestAskGitStopsWithTheContext: a git that hangs ends with its children.
func TestAskGitStopsWithTheContext(t *testing.T) {
	dir := t.TempDir()
	git := filepath.Join(dir, "git")
	if err := os.WriteFile(git, []byte("#!/bin/sh\nsleep 60 & sleep 60\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := askGit(ctx, git, dir, "", false)
	if err == nil {
		t.Error("no error")
	}
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("took %v", d)
	}
}

// One tool read alone is what it is among all.
func TestCoreOfOneTool(t *testing.T) {
	tree := func(tool string) string {
		l, problems := loadCore(core.Files, tool, ParseOptions{})
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		trees, err := l.trees()
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range trees {
			if n.Name == "git" {
				b := tcpdb.NewBuilder()
				b.Tool(n)
				image, err := b.Build()
				if err != nil {
					t.Fatal(err)
				}
				return string(image)
			}
		}
		t.Fatal("no git")
		return ""
	}
	if tree("git") != tree("") {
		t.Error("git's tree read alone differs")
	}
}
