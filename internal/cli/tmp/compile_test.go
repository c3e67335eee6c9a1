package tmp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCompileWritesAllOrNothing: what fails in one place leaves what is in use
// everywhere as it is.
func TestCompileWritesAllOrNothing(t *testing.T) {
	const good, bad = `{"schema": 1, "tool": "kit", "node": {"name": "kit"}}`, `{"schema": 1, "tool": "kit", "node": {"name": "other"}}`
	for _, c := range []struct {
		name, user, project string
		trusted             bool
		status              int
	}{
		{"all is well", good, good, true, 0},
		{"no project's map", good, "", false, 0},
		{"a fault in the user's map", bad, good, true, 1},
		{"a fault in the project's", good, bad, false, 1},
		{"a project that is not trusted", good, good, false, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			home, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			put := func(name, text string) {
				t.Helper()
				if text == "" {
					return
				}
				file := filepath.Join(home, name)
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			put("proj/.tmp/config.json", "{}")
			put("proj/.tmp/schemas/kit.json", c.project)
			put(".config/tmp/schemas/kit.json", c.user)
			env, _, _ := testEnv(t, filepath.Join(home, "proj"), "HOME="+home, "PATH="+os.Getenv("PATH"))
			env.IsTerminal = func(int) bool { return true }
			project := filepath.Join(home, ".cache/tmp/projects")
			if c.trusted {
				if status, _, errs := tmpRun(t, env, "trust"); status != 0 {
					t.Fatalf("trust: %s", errs)
				}
				// What trust has written is not of interest here.
				for _, name := range []string{project, filepath.Join(home, "proj/.tmp/context.json"), filepath.Join(home, "proj/.tmp/context.md")} {
					if err := os.RemoveAll(name); err != nil {
						t.Fatal(err)
					}
				}
			}
			status, out, errs := tmpRun(t, env, "compile")
			if status != c.status {
				t.Fatalf("status %d: %s%s", status, out, errs)
			}
			written := []string{filepath.Join(home, ".local/share/tmp/user.tcpdb"), filepath.Join(home, "proj/.tmp/context.json"), filepath.Join(home, "proj/.tmp/context.md")}
			if c.trusted {
				written = append(written, project)
			}
			for _, file := range written {
				if _, err := os.Stat(file); (err == nil) != (c.status == 0) {
					t.Errorf("%s: %v after status %d", file, err, status)
				}
			}
			if told := strings.Contains(errs, "nothing is written"); told != (c.status != 0) {
				t.Errorf("said %q", errs)
			}
		})
	}
}
