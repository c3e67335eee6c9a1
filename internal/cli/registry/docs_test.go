package registry

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
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

// programs builds tmp and tmp-registry into a directory.
func programs(t *testing.T) string {
	t.Helper()
	bin := memoryDir(t)
	build := exec.Command("go", "build", "-o", bin+"/", "github.com/tool-mapping-protocol/tmp/cmd/tmp", "github.com/tool-mapping-protocol/tmp/cmd/tmp-registry")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	return bin
}

// TestSignatureVerifies: an operation of a pack whose key is trusted for it resolves
// and runs, while the version of its program is in the pack's range; without the trust,
// with another version and after the key was revoked it does not.
func TestSignatureVerifies(t *testing.T) {
	bin := programs(t)
	frob := func(version string) {
		t.Helper()
		text := "#!/bin/sh\n[ \"$1\" = --version ] && echo frob " + version + " || echo did \"$@\"\n"
		file := filepath.Join(bin, "frob")
		os.Remove(file)
		if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	frob("1.4.2")
	ann := newWorld(t)
	ann.now = time.Now()
	key := ann.key("acme")
	dir, reg := ann.pack("acme/frob", "1.0.0"), ann.registry()
	meta, err := os.ReadFile(filepath.Join(dir, "pack.json"))
	if err != nil {
		t.Fatal(err)
	}
	ann.write(filepath.Join(dir, "pack.json"), strings.Replace(string(meta), `"version_range":""`, `"version_range":">=1 <2"`, 1))
	ann.ok("registry", "publish", dir, "--to", reg)
	bob := ann.other()
	bob.now = ann.now
	tmp := func(args ...string) string {
		c := exec.Command(filepath.Join(bin, "tmp"), args...)
		c.Env, c.Dir = []string{"HOME=" + bob.home, "PATH=" + bin + ":" + os.Getenv("PATH")}, bob.dir
		out, _ := c.CombinedOutput()
		return string(out)
	}
	bob.ok("registry", "install", "acme/frob", "--from", reg, "--yes")
	if out := tmp("resolve", "list the frob things"); !strings.Contains(out, "draft") {
		t.Errorf("without trust: %s", out)
	}
	bob.trust(key)
	out := tmp("run", "list the frob things")
	if strings.Contains(out, "does not tell its version") {
		t.Skipf("no jail can be made here, and the program is not asked: %s", out)
	}
	if !strings.Contains(out, "did list") {
		t.Errorf("with trust: %s", out)
	}
	if out := tmp("explain", "frob.list"); !strings.Contains(out, "signed") || !strings.Contains(out, "signature") {
		t.Errorf("explain: %s", out)
	}
	frob("2.0.0")
	if out := tmp("run", "list the frob things"); !strings.Contains(out, "is signed for frob >=1 <2, and 2.0.0 is installed") || strings.Contains(out, "did list") {
		t.Errorf("with another version: %s", out)
	}
	frob("1.9")
	if out := tmp("run", "frob.list"); !strings.Contains(out, "did list") {
		t.Errorf("with a version in the range: %s", out)
	}
	bob.ok("key", "revoke", "acme")
	if out := tmp("run", "frob.list"); strings.Contains(out, "did list") {
		t.Errorf("revoked: %s", out)
	}
}

// TestSharingInFiveCommands runs the commands of docs/sharing.md as they stand there:
// four on one machine, the last on another, at a terminal.
func TestSharingInFiveCommands(t *testing.T) {
	lines := commandsOf(t, "../../../docs/sharing.md", "\n## ")
	if len(lines) != 5 {
		t.Fatalf("%d commands: %q", len(lines), lines)
	}
	bin := programs(t)
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
