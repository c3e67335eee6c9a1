package registry

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// commandsOf are the lines of the blocks of a document up to a heading.
func commandsOf(t *testing.T, file, until string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(string(data), until)
	var out []string
	for line := range strings.Lines(text) {
		if code, ok := strings.CutPrefix(line, "    "); ok {
			out = append(out, strings.TrimSpace(code))
		}
	}
	return out
}

const help = `#!/bin/sh
cat <<'H'
Usage: frob [OPTIONS] COMMAND

Commands:
  list     List things
  purge    Purge things

Options:
  -a, --all      All of it
  -h, --help     Show help
H
`

// TestSharingInFiveCommands runs the commands of docs/sharing.md as they stand there:
// four on one machine, the last on another, at a terminal.
func TestSharingInFiveCommands(t *testing.T) {
	lines := commandsOf(t, "../../../docs/sharing.md", "\n## ")
	if len(lines) != 5 {
		t.Fatalf("%d commands: %q", len(lines), lines)
	}
	bin := memoryDir(t)
	build := exec.Command("go", "build", "-o", bin+"/", "github.com/tool-mapping-protocol/tmp/cmd/tmp", "github.com/tool-mapping-protocol/tmp/cmd/tmp-registry")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if err := os.WriteFile(filepath.Join(bin, "frob"), []byte(help), 0o755); err != nil {
		t.Fatal(err)
	}
	ann := newWorld(t)
	bob := ann.other()
	packs := filepath.Join(ann.dir, "packs")
	at := func(w *world, line string) string {
		t.Helper()
		c := exec.Command("sh", "-c", strings.ReplaceAll(line, "/srv/packs", packs))
		c.Dir = w.dir
		c.Env = []string{"HOME=" + w.home, "PATH=" + bin + ":" + os.Getenv("PATH"), "TERM=dumb"}
		prompt, answer := "passphrase", "open sesame\n"
		if w == bob {
			prompt, answer = "[y/N]", "y\n"
		}
		out, err := typed(t, c, prompt, answer)
		if err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
		return out
	}
	if out := at(ann, lines[0]); strings.Contains(out, "cannot be run in a jail") || strings.Contains(out, "no jail") || strings.Contains(out, "0 commands") {
		t.Skipf("no jail can be made here, and the help of frob is not read: %s", out)
	}
	for _, line := range lines[1:4] {
		at(ann, line)
	}
	if out := at(bob, lines[4]); !strings.Contains(out, "acme/frob@1.0.0") || !strings.Contains(out, "draft") {
		t.Errorf("%s", out)
	}
	c := exec.Command(filepath.Join(bin, "tmp"), "complete", "--", "frob", "p")
	c.Env, c.Dir = []string{"HOME=" + bob.home, "PATH=" + bin + ":" + os.Getenv("PATH")}, bob.dir
	if out, err := c.Output(); err != nil || !strings.HasPrefix(string(out), "purge\tPurge things") {
		t.Errorf("Tab on the other machine: %q %v", out, err)
	}
}

// TestCodesAreDocumented: the document names the refusals.
func TestCodesAreDocumented(t *testing.T) {
	data, err := os.ReadFile("../../../docs/registry.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range []string{
		"rollback", "split_view", "rewritten_log", "stale_head", "log_key_changed", "bad_head", "not_in_log", "doubled_version", "moved_version",
		"altered", "bad_archive", "bad_pack", "bad_note", "other_pack", "low_note", "revoked_key", "conflict",
	} {
		if !strings.Contains(string(data), "`"+code+"`") {
			t.Errorf("docs/registry.md does not name %s", code)
		}
	}
}
