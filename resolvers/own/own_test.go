package own

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func TestOwnDirectories(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{
		"state/runs/2026-01-02T10-00-00Z-aaaa/summary.json":        `{"v":1,"invocation":"make\tall","success":false,"summary":{"lines":3}}`,
		"state/runs/2026-01-02T10-00-01Z-bbbb/raw.log":             "cut short: no summary",
		"project/.tmp/runs/2026-01-02T10-00-02Z-cccc/summary.json": `{"invocation":"go test ./...","success":true}`,
		"project/.tmp/runs/2026-01-01T10-00-02Z-dddd/summary.json": `{"invocation":`,
		"project/sub/x":                         "",
		"state/pending/0a1b2c":                  `{"v":1,"operation_id":"git.clean","reason":"deletes untracked files"}`,
		"state/trust/1.json":                    `{"v":1,"project":"/srv/app","date":"2026-05-06T07:08:09Z"}`,
		"state/trust/2.json":                    `{"v":1`,
		"config/schemas/frob.json":              "{}",
		"config/schemas/notes.txt":              "",
		"data/drafts/wget.json":                 "{}",
		"xdg/Trash/info/a.txt.trashinfo":        "[Trash Info]\nPath=/srv/app/a%20b.txt\nDeletionDate=2026-01-01T00:00:00\n",
		"xdg/Trash/info/b.txt.trashinfo":        "[Trash Info]\nPath=/other/c\nDeletionDate=2026-01-02T00:00:00\n",
		"xdg/Trash/info/relative.txt.trashinfo": "[Trash Info]\nPath=c\n",
	})
	env := resolvertest.Env("TMP_STATE_DIR", filepath.Join(root, "state"), "TMP_CONFIG_DIR", filepath.Join(root, "config"),
		"TMP_DATA_DIR", filepath.Join(root, "data"), "XDG_DATA_HOME", filepath.Join(root, "xdg"))
	ask := func(name, dir string) resolvers.Answer {
		t.Helper()
		return resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: name, Dir: dir, Getenv: env})
	}

	a := ask("tmp:runs", filepath.Join(root, "project/sub"))
	resolvertest.Equal(t, "runs, the newest first", resolvertest.Texts(a), resolvertest.Words("2026-01-02T10-00-02Z-cccc 2026-01-02T10-00-01Z-bbbb 2026-01-02T10-00-00Z-aaaa 2026-01-01T10-00-02Z-dddd"))
	for id, want := range map[string]string{
		"2026-01-02T10-00-02Z-cccc": "go test ./...", "2026-01-02T10-00-00Z-aaaa": "failed: make all", "2026-01-02T10-00-01Z-bbbb": "",
	} {
		if got := resolvertest.Described(a)[id]; got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}

	a = ask("tmp:approvals", "/")
	if resolvertest.Equal(t, "approvals", resolvertest.Texts(a), resolvertest.Words("0a1b2c")); resolvertest.Described(a)["0a1b2c"] != "git.clean deletes untracked files" {
		t.Errorf("%+v", a.Values)
	}
	a = ask("tmp:trusted", "/")
	if resolvertest.Equal(t, "trusted", resolvertest.Texts(a), resolvertest.Words("/srv/app")); resolvertest.Described(a)["/srv/app"] != "trusted since 2026-05-06" {
		t.Errorf("%+v", a.Values)
	}
	resolvertest.Equal(t, "drafts", resolvertest.Texts(ask("tmp:drafts", "/")), resolvertest.Words("system:wget user:frob"))
	resolvertest.Equal(t, "quarantine", resolvertest.Texts(ask("tmp:quarantine", "/srv/app")), []string{"/other/c", "a b.txt"})
}

// Without directories there is nothing to offer, and nothing is read from the
// working directory in their place.
func TestOwnWithoutHome(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("runs/2026-01-02T10-00-00Z-aaaa", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tmp:runs", "tmp:drafts"} {
		resolvertest.Equal(t, name, resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: name, Dir: "/", Getenv: resolvertest.Env()})), nil)
	}
	for _, name := range []string{"tmp:approvals", "tmp:trusted", "tmp:quarantine", "tmp:operations"} {
		if a := resolvertest.Expect(t, resolvers.Failed, resolvers.Request{Name: name, Dir: "/", Getenv: resolvertest.Env()}); a.Message == "" {
			t.Errorf("%s fails without a word", name)
		}
	}
}
