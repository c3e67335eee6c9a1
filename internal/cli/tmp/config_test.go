package tmp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
)

// TestConfigIsAFile: what tmp config prints is a config.toml that says the same.
func TestConfigIsAFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "config.toml")
	show := func() string {
		var out strings.Builder
		env := term.Env{Args: []string{"config"}, Stdout: &out, Stderr: &out, Dir: dir, Context: t.Context(), Getenv: func(name string) string {
			return map[string]string{"TMP_CONFIG_DIR": dir, "HOME": dir}[name]
		}}
		if status := Main(env); status != 0 {
			t.Fatalf("status %d: %s", status, out.String())
		}
		return out.String()
	}
	for _, text := range []string{"", "[enter]\nword = 'please'\n[places]\nproduction = ['*eu*', 'x']\n[policy]\ncontent_wide.own = 'key'\n[runs]\nkeep = 3\nmax_age = '36h'\nmax_size = '2MB'\n[tab]\nrecency = false\n"} {
		if text != "" {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, first, _ := strings.Cut(show(), "\n")
		if err := os.WriteFile(file, []byte(first), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, second, _ := strings.Cut(show(), "\n"); second != first {
			t.Errorf("printed\n%s\nand read again\n%s", first, second)
		}
	}
}

// TestConfigHoldsAnyFile: what TOML has and JSON has not is no reason to say
// nothing of the rest.
func TestConfigHoldsAnyFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte("[enter]\nword = 'please'\nhigh = nan\nlist = [1.5, -inf, {x = inf}]\n[[tables]]\ny = nan\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env, _, _ := testEnv(t, dir, "TMP_CONFIG_DIR="+dir, "HOME="+dir)
	status, out, errs := tmpRun(t, env, "config", "--json")
	if status != 0 || !strings.Contains(out, `"word": "please"`) || !strings.Contains(out, `"high": "NaN"`) {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}
