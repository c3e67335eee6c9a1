package agent

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// clientWorld runs tmp-agent install in a scratch home.
type clientWorld struct {
	t    *testing.T
	home string
}

func (w *clientWorld) run(args ...string) (out string, status int) {
	var b bytes.Buffer
	env := Env{
		Args: append([]string{"install"}, args...), Stdin: strings.NewReader(""), Stdout: &b, Stderr: &b, Dir: w.home, Self: "/opt/tmp/bin/tmp-agent",
		Getenv: func(n string) string { return map[string]string{"HOME": w.home}[n] },
	}
	status = Main(env)
	return b.String(), status
}

func (w *clientWorld) write(name, text string, mode os.FileMode) string {
	w.t.Helper()
	file := filepath.Join(w.home, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		w.t.Fatal(err)
	}
	return file
}

func (w *clientWorld) read(file string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return "no file"
	}
	return string(data)
}

const (
	claudeEntry = `"tmp": {
      "command": "/opt/tmp/bin/tmp-agent",
      "args": ["serve", "--agent", "claude"]
    }`
	codexEntry = "[mcp_servers.tmp]\ncommand = \"/opt/tmp/bin/tmp-agent\"\nargs = [\"serve\", \"--agent\", \"codex\"]\n"
)

func TestInstallClient(t *testing.T) {
	tests := []struct{ name, client, file, before, after string }{
		{"no file", "claude", ".claude.json", "", "{\n  \"mcpServers\": {\n    " + claudeEntry + "\n  }\n}\n"},
		{
			"others", "claude", ".claude.json",
			"{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\"} // mine\n  },\n  \"z\": 1\n}",
			"{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\"}, // mine\n    " + claudeEntry + "\n  },\n  \"z\": 1\n}",
		},
		{
			"an older one of ours", "claude", ".claude.json",
			"{\n  \"mcpServers\": {\n    \"tmp\": {\"command\": \"/old/tmp-agent\"}\n  }\n}\n",
			"", // looked at below
		},
		{"toml", "codex", ".codex/config.toml", "model = \"x\"\r\n", "model = \"x\"\r\n\r\n" + strings.ReplaceAll(codexEntry, "\n", "\r\n")},
		{"toml, no file", "codex", ".codex/config.toml", "", codexEntry},
		{"toml, before another", "codex", ".codex/config.toml", "[mcp_servers.tmp]\ncommand = \"/old/tmp-agent\"\n\n[a]\nb = 1\n", codexEntry + "\n[a]\nb = 1\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := &clientWorld{t, t.TempDir()}
			file := filepath.Join(w.home, tt.file)
			if tt.before != "" {
				w.write(tt.file, tt.before, 0o640)
			}
			if out, status := w.run(tt.client); status != 0 {
				t.Fatalf("%d %s", status, out)
			}
			after := w.read(file)
			if tt.after != "" && after != tt.after {
				t.Errorf("is\n%s\nwant\n%s", after, tt.after)
			}
			if !strings.Contains(after, "/opt/tmp/bin/tmp-agent") || strings.Contains(after, "/old/") {
				t.Errorf("the entry is not ours:\n%s", after)
			}
			if !strings.Contains(w.read(filepath.Join(w.home, ".config/tmp/agent.toml")), "[agent."+tt.client+"]") {
				t.Error("the agent is not declared")
			}
			if tt.before != "" {
				if st, _ := os.Stat(file); st.Mode().Perm() != 0o640 {
					t.Errorf("mode %v", st.Mode())
				}
				if w.read(file+".bak") != tt.before {
					t.Error("there is no copy of what was")
				}
			}
			first, _ := os.Stat(file)
			if out, status := w.run(tt.client); status != 0 || w.read(file) != after {
				t.Errorf("again: %d %s", status, out)
			}
			if again, _ := os.Stat(file); !again.ModTime().Equal(first.ModTime()) {
				t.Error("again: the file was written")
			}
			if out, status := w.run(tt.client, "--remove"); status != 0 {
				t.Fatalf("%d %s", status, out)
			}
			want := tt.before
			if tt.before == "" {
				want = "no file"
			}
			if got := w.read(file); got != want {
				t.Errorf("taken out again:\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestRemoveLater(t *testing.T) {
	w := &clientWorld{t, t.TempDir()}
	file := w.write(".claude.json", "{\"z\": 1}", 0o600)
	w.run("claude")
	data := strings.Replace(w.read(file), `"z": 1`, `"z": 2`, 1)
	w.write(".claude.json", data, 0o600)
	if out, status := w.run("claude", "--remove"); status != 0 {
		t.Fatal(out)
	}
	if got := w.read(file); got != "{\"z\": 2}" {
		t.Errorf("%s", got)
	}
}

func TestInstallLeaves(t *testing.T) {
	for name, tt := range map[string]struct{ client, file, text string }{
		"broken":         {"claude", ".claude.json", "{\"a\": "},
		"another tmp":    {"claude", ".claude.json", "{\"mcpServers\": {\"tmp\": {\"command\": \"other\"}}}"},
		"a list":         {"claude", ".claude.json", "{\"mcpServers\": []}"},
		"broken toml":    {"codex", ".codex/config.toml", "a = \n"},
		"another, toml":  {"codex", ".codex/config.toml", "[mcp_servers.tmp]\ncommand = \"other\"\n"},
		"another inline": {"codex", ".codex/config.toml", "mcp_servers = {tmp = {command = \"other\"}}\n"},
	} {
		w := &clientWorld{t, t.TempDir()}
		file := w.write(tt.file, tt.text, 0o600)
		if out, status := w.run(tt.client); status != 1 || w.read(file) != tt.text || w.read(file+".bak") != "no file" {
			t.Errorf("%s: %d %s\n%s", name, status, out, w.read(file))
		}
	}
	w := &clientWorld{t, t.TempDir()}
	file := w.write(".claude.json", "{\"mcpServers\": {\"tmp\": {\"command\": \"other\"}}}", 0o600)
	if out, status := w.run("claude", "--replace"); status != 0 || !strings.Contains(w.read(file), "/opt/tmp/bin/tmp-agent") {
		t.Errorf("--replace: %d %s", status, out)
	}
	for _, args := range [][]string{{}, {"nobody"}, {"claude", "--scope", "x"}, {"claude", "codex"}, {"claude-desktop", "--scope", "project"}, {"claude", "--x"}, {"claude", "--agent", "a b"}, {"claude", "--agent="}, {"claude", "--agent", "a]"}} {
		if out, status := w.run(args...); status != 2 {
			t.Errorf("%v: %d %s", args, status, out)
		}
	}
	if text := w.read(filepath.Join(w.home, ".config/tmp/agent.toml")); text != "schema = 2\n\n[agent.claude]\n" {
		t.Errorf("agent.toml holds a key that nothing can read:\n%s", text)
	}
	if out, status := w.run("cursor", "--dry-run", "--json"); status != 0 || !strings.Contains(out, `"changed":true`) || w.read(filepath.Join(w.home, ".cursor/mcp.json")) != "no file" {
		t.Errorf("dry run: %d %s", status, out)
	}
}

func TestInstallThroughALink(t *testing.T) {
	w := &clientWorld{t, t.TempDir()}
	real := w.write("dotfiles/claude.json", "{}\n", 0o644)
	link := filepath.Join(w.home, ".claude.json")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	if out, status := w.run("claude"); status != 0 {
		t.Fatal(out)
	}
	if st, err := os.Lstat(link); err != nil || st.Mode()&os.ModeSymlink == 0 || !strings.Contains(w.read(real), "tmp-agent") {
		t.Errorf("the link is gone or the file is as it was: %v", err)
	}
}
