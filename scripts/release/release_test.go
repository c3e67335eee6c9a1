package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A release of this system installs with what people install with and works from there;
// made again from a copy elsewhere it is the same bytes.
func TestRelease(t *testing.T) {
	if testing.Short() {
		t.Skip("builds every program")
	}
	if runtime.GOOS != "linux" {
		t.Skip("dpkg is Linux's")
	}
	ctx := context.Background()
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	out := filepath.Join(t.TempDir(), "dist")
	args := []string{"--version", "9.8.7", "--targets", "linux/" + runtime.GOARCH, "--out", out}
	if err := run(ctx, append(args, "--packages", "deb")); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(out, "tmp-9.8.7-linux-"+runtime.GOARCH+".tar.gz")

	t.Run("archive", func(t *testing.T) {
		dir := t.TempDir()
		command(t, dir, "tar", "xzf", archive)
		source := strings.TrimSuffix(filepath.Base(archive), ".tar.gz")
		prefix := filepath.Join(dir, "prefix")
		install := exec.Command("bash", filepath.Join(source, "scripts/install.sh"), "--prefix", prefix)
		install.Dir = dir
		// There is no Go here.
		install.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + dir}
		if text, err := install.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		works(t, filepath.Join(prefix, "bin"))
	})

	t.Run("dpkg", func(t *testing.T) {
		if os.Getuid() != 0 {
			t.Skip("dpkg --root is root's")
		}
		if _, err := exec.LookPath("dpkg"); err != nil {
			t.Skip("dpkg is not installed")
		}
		root := t.TempDir()
		for _, dir := range []string{"var/lib/dpkg/info", "var/lib/dpkg/updates"} {
			if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		for _, file := range []string{"status", "available"} {
			if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg", file), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		debs, _ := filepath.Glob(filepath.Join(out, "*.deb"))
		if len(debs) != 1 {
			t.Fatalf("packages: %v", debs)
		}
		command(t, root, "dpkg", "--root="+root, "--log=/dev/null", "-i", debs[0])
		works(t, filepath.Join(root, "usr/bin"))
		page := filepath.Join(root, "usr/share/man/man1/te.1")
		if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), ".SH NAME\nte ") {
			t.Errorf("te.1: %v", err)
		}
		command(t, root, "dpkg", "--root="+root, "--log=/dev/null", "-P", name)
		if _, err := os.Stat(filepath.Join(root, "usr/bin/tmp")); err == nil {
			t.Error("dpkg -P left tmp")
		}
	})

	t.Run("npm", func(t *testing.T) {
		if _, err := exec.LookPath("npm"); err != nil {
			t.Skip("npm is not installed")
		}
		dir := t.TempDir()
		t.Setenv("npm_config_cache", filepath.Join(dir, "cache"))
		main := filepath.Join(out, "npm", name+"-9.8.7.tgz")
		own := filepath.Join(out, "npm", name+"-linux-"+npmArch(runtime.GOARCH)+"-9.8.7.tgz")
		command(t, dir, "npm", "install", "--offline", "--no-audit", "--no-fund", "--prefix", dir, own, main)
		bin := filepath.Join(dir, "node_modules", ".bin")
		works(t, bin)
		refused := exec.Command(filepath.Join(bin, "tmp"), "resolve", "turn back time")
		refused.Dir, refused.Env = t.TempDir(), append(os.Environ(), "HOME="+dir)
		if _ = refused.Run(); refused.ProcessState.ExitCode() != 1 {
			t.Errorf("tmp resolve of what nothing does ended with %d, not 1", refused.ProcessState.ExitCode())
		}
	})

	t.Run("again", func(t *testing.T) {
		if os.Getenv("TMP_TEST_RELEASE") == "" {
			t.Skip("builds every program again: TMP_TEST_RELEASE=1")
		}
		copied := filepath.Join(t.TempDir(), "elsewhere")
		source, err := filepath.Abs("../..")
		if err != nil {
			t.Fatal(err)
		}
		files := exec.Command("git", "-C", source, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
		list, err := files.Output()
		if err != nil {
			t.Skip("no repository to copy from: ", err)
		}
		for file := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
			if info, err := os.Lstat(filepath.Join(source, file)); err != nil || !info.Mode().IsRegular() {
				continue // removed and not committed, or a link
			}
			if err := copyFile(filepath.Join(copied, file), filepath.Join(source, file)); err != nil {
				t.Fatal(err)
			}
		}
		t.Chdir(copied)
		second := filepath.Join(t.TempDir(), "dist")
		args[len(args)-1] = second
		if err := run(ctx, append(args, "--packages", "deb")); err != nil {
			t.Fatal(err)
		}
		a, _ := os.ReadFile(filepath.Join(out, "SHA256SUMS"))
		b, _ := os.ReadFile(filepath.Join(second, "SHA256SUMS"))
		if len(a) == 0 || string(a) != string(b) {
			t.Errorf("made twice:\n%s\n%s", a, b)
		}
	})
}

// An archive depends on names and contents alone.
func TestPack(t *testing.T) {
	made := map[string]string{}
	for i, mask := range []os.FileMode{0o644, 0o600} {
		dir := t.TempDir()
		for _, file := range []string{"b/c", "a"} {
			if err := write(filepath.Join(dir, file), []byte(file), mask); err != nil {
				t.Fatal(err)
			}
		}
		if err := write(filepath.Join(dir, "run"), nil, mask|0o100); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(dir, "a"), time.Time{}, time.Unix(int64(i), 0)); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "x.tar.gz")
		if err := (&release{date: time.Unix(1700000000, 0)}).pack(file, dir, "x"); err != nil {
			t.Fatal(err)
		}
		sum, err := digest(file)
		if err != nil {
			t.Fatal(err)
		}
		made[sum] = file
		list := exec.Command("tar", "tzvf", file)
		list.Env = []string{"TZ=UTC", "LC_ALL=C", "PATH=" + os.Getenv("PATH")}
		text, err := list.Output()
		if err != nil || !strings.Contains(string(text), "-rwxr-xr-x 0/0") || strings.Count(string(text), "2023-11-14 22:13") != 5 {
			t.Errorf("%v\n%s", err, text)
		}
	}
	if len(made) != 1 {
		t.Errorf("two archives of the same: %v", made)
	}
}

// works tries programs in a directory for what their place decides: the version of the
// build, the packs beside them, and each other.
func works(t *testing.T, bin string) {
	t.Helper()
	home := t.TempDir()
	env := []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + home}
	for _, c := range []struct{ line, want string }{
		{"tmp version", "tmp 9.8.7"},
		{"te --version", "te 9.8.7"},
		{"tgp --version", "tgp 9.8.7"},
		{"tmp complete --line 'aws s3api get-obj'", "get-object"},
	} {
		cmd := exec.Command("sh", "-c", c.line)
		cmd.Env, cmd.Dir = env, home
		text, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(text), c.want) {
			t.Errorf("%s: %v\n%s", c.line, err, text)
		}
	}
}

func command(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, text)
	}
}

// A request of roff in a help text is text.
func TestRoff(t *testing.T) {
	for in, want := range map[string]string{".de x": `\&.de x`, `a\b -c`: `a\eb \-c`, "x\n'so y": "x\n\\&'so y"} {
		if got := roff(in); got != want {
			t.Errorf("roff(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, args := range [][]string{
		{"--version", "next"}, {"--version", "1.2"}, {"--targets", "plan9/amd64", "--out", t.TempDir()}, {"--out", ".", "--version", "1.2.3"},
	} {
		if err := run(context.Background(), args); err == nil {
			t.Errorf("%q was taken", args)
		}
	}
}
