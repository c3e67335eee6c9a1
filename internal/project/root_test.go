package project

import (
	"os"
	"path/filepath"
	"testing"
)

// tree writes files below a new directory; a name that ends in "/" is a directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if name[len(name)-1] == '/' {
			err = os.MkdirAll(path, 0o755)
		} else {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		name      string
		files     map[string]string
		home      string
		at        string
		root, pkg string
		none      bool
	}{
		{name: "a package alone", files: map[string]string{"p/go.mod": "", "p/a/b/": ""}, at: "p/a/b", root: "p", pkg: "p"},
		{name: "nothing at all", files: map[string]string{"p/a/": ""}, at: "p/a", none: true},
		{name: "the repository's top", files: map[string]string{"r/.git/": "", "r/Makefile": "", "r/web/package.json": "{}"}, at: "r/web", root: "r", pkg: "r/web"},
		{name: "a repository without a file at its top", files: map[string]string{"r/.git/": "", "r/x/": ""}, at: "r/x", root: "r", pkg: "r"},
		{name: "never above the repository", files: map[string]string{"package.json": "{}", "r/.git/": "", "r/x/": ""}, at: "r/x", root: "r", pkg: "r"},
		{name: "never above home", files: map[string]string{"package.json": "{}", "h/x/": ""}, home: "h", at: "h/x", none: true},
		{name: "home from within", files: map[string]string{"h/package.json": "{}"}, home: "h", at: "h", root: "h", pkg: "h"},
		{name: "never above home from home itself", files: map[string]string{"package.json": "{}", "h/x": ""}, home: "h", at: "h", none: true},
		{name: "a workspace's member", files: map[string]string{
			"w/package.json": `{"workspaces":["packages/*"]}`, "w/packages/a/package.json": "{}",
		}, at: "w/packages/a", root: "w", pkg: "w/packages/a"},
		{name: "not a member", files: map[string]string{
			"w/package.json": `{"workspaces":["packages/*"]}`, "w/other/a/package.json": "{}",
		}, at: "w/other/a", root: "w/other/a", pkg: "w/other/a"},
		{name: "taken back", files: map[string]string{
			"w/pnpm-workspace.yaml": "packages:\n  - '**'\n  - '!**/test/**'\n", "w/a/test/f/package.json": "{}",
		}, at: "w/a/test/f", root: "w/a/test/f", pkg: "w/a/test/f"},
		{name: "cargo", files: map[string]string{
			"w/Cargo.toml": "[workspace]\nmembers = [\"crates/*\"]\n", "w/crates/lexer/Cargo.toml": "", "w/crates/lexer/src/": "",
		}, at: "w/crates/lexer/src", root: "w", pkg: "w/crates/lexer"},
		{name: "go.work", files: map[string]string{"w/go.work": "go 1.22\nuse (\n\t./a // first\n)\n", "w/a/go.mod": ""}, at: "w/a", root: "w", pkg: "w/a"},
		{name: "gradle", files: map[string]string{
			"w/settings.gradle.kts": "include(\":lib\", \":apps:web\")\n", "w/apps/web/build.gradle.kts": "",
		}, at: "w/apps/web", root: "w", pkg: "w/apps/web"},
		{name: "maven", files: map[string]string{"w/pom.xml": "<modules><module>core</module></modules>", "w/core/pom.xml": ""}, at: "w/core", root: "w", pkg: "w/core"},
	} {
		dir := tree(t, c.files)
		home := ""
		if c.home != "" {
			home = filepath.Join(dir, c.home)
		}
		p, ok := Find(Disk{}, filepath.Join(dir, c.at), Who{UID: uint32(os.Getuid()), Home: home})
		if ok == c.none {
			t.Errorf("%s: found %v %+v", c.name, ok, p)
			continue
		}
		if ok && (p.Root != filepath.Join(dir, c.root) || p.Package != filepath.Join(dir, c.pkg)) {
			t.Errorf("%s: got %+v, want root %s, package %s", c.name, p, c.root, c.pkg)
		}
	}
}

// TestFindStopsAtAnotherOwner: what lies above in the directory of somebody else
// says nothing about one's own.
func TestFindStopsAtAnotherOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files away")
	}
	dir := tree(t, map[string]string{"w/package.json": `{"workspaces":["*"]}`, "w/mine/package.json": "{}"})
	if err := os.Chown(filepath.Join(dir, "w"), 12345, 12345); err != nil {
		t.Fatal(err)
	}
	p, ok := Find(Disk{}, filepath.Join(dir, "w/mine"), Who{})
	if !ok || p.Root != filepath.Join(dir, "w/mine") || p.Foreign {
		t.Errorf("got %v %+v", ok, p)
	}
	p, ok = Find(Disk{}, filepath.Join(dir, "w"), Who{})
	if !ok || !p.Foreign {
		t.Errorf("a stranger's project: got %v %+v", ok, p)
	}
}
