package surface_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/all"
)

// TestValuesComeFromTheBackground: the first Tab has nothing, a later one the values of
// the column; only what the user's own config.toml declares is asked.
func TestValuesComeFromTheBackground(t *testing.T) {
	home := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		t.Helper()
		file := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write(".config/tmp/config.toml", "[sql.jobs]\ndriver = \"postgres\"\nfrom = \"env:JOBS_URL\"\n", 0o600)
	write("bin/tmp-surface", "#!/bin/sh\n[ \"$1 $4 $JOBS_URL\" = 'values sql:jobs.queues.name there' ] || exit 1\necho mail\necho media\necho other\n", 0o755)
	env := map[string]string{"HOME": home, "PATH": filepath.Join(home, "bin") + ":" + os.Getenv("PATH"), "JOBS_URL": "there", "SECRET": "x"}
	ask := func(name, text string) resolvers.Answer {
		return all.Table().Resolve(context.Background(), resolvers.Request{
			Name: name, Dir: t.TempDir(), Getenv: func(n string) string { return env[n] }, CacheDir: filepath.Join(home, "cache"),
			Filter: resolvers.Filter{Text: text, Mode: resolvers.Prefix},
		})
	}
	if a := ask("sql:jobs.queues.name", "m"); a.State != resolvers.Timeout || len(a.Values) != 0 {
		t.Errorf("the first: %+v", a)
	}
	var a resolvers.Answer
	for range 100 {
		if a = ask("sql:jobs.queues.name", "m"); a.State == resolvers.Fresh {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if len(a.Values) != 2 || a.Values[0].Value != "mail" || a.Values[1].Value != "media" {
		t.Errorf("%+v", a)
	}
	for _, name := range []string{"sql:none.queues.name", "sql:jobs.name", "sql:x"} {
		if a := ask(name, ""); a.State != resolvers.Failed {
			t.Errorf("%s: %+v", name, a)
		}
	}
}
