package machine

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const frobPage = ".TH FROB 1\n.SH NAME\nfrob \\- show things\n.SH OPTIONS\n.TP\n\\fB\\-m\\fR, \\fB\\-\\-mode\\fR=\\fIMODE\\fR\nHow.\n"

func gz(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return b.String()
}

// TestPackedManuals: pages that were compressed by the real programs are read
// through them.
func TestPackedManuals(t *testing.T) {
	for _, x := range []struct{ program, ending string }{{"xz", ".xz"}, {"zstd", ".zst"}} {
		t.Run(x.program, func(t *testing.T) {
			file, err := exec.LookPath(x.program)
			if err != nil {
				t.Skipf("no %s here", x.program)
			}
			p := newPlace(t)
			pack := func(text string) string {
				cmd := exec.Command(file, "-c")
				cmd.Stdin = strings.NewReader(text)
				out, err := cmd.Output()
				if err != nil {
					t.Fatal(err)
				}
				return string(out)
			}
			p.write("man/man1/frob.1"+x.ending, pack(".so man1/other.1\n"), 0o644)
			p.write("man/man1/other.1"+x.ending, pack(frobPage), 0o644)
			p.write("man/man1/torn.1"+x.ending, pack(frobPage)[:24], 0o644)
			getenv := p.m.opts.Getenv
			p.m.opts.Getenv = func(name string) string {
				if name == "PATH" {
					return getenv(name) + string(filepath.ListSeparator) + filepath.Dir(file)
				}
				return getenv(name)
			}
			d := p.draft(p.tool("frob", "exit 1"))
			if diff := cmp.Diff([]string{"--mode", "-m"}, flagNames(d.Source.Node)); diff != "" {
				t.Errorf("flags (-want +got):\n%s\ngaps: %s", diff, gapsOf(d))
			}
			if d := p.draft(p.tool("torn", "exit 1")); !strings.Contains(gapsOf(d), "torn.1"+x.ending+" cannot be decompressed by "+x.program) {
				t.Errorf("gaps of a torn page: %s", gapsOf(d))
			}
		})
	}
}

func TestManuals(t *testing.T) {
	mode := []string{"--mode", "-m"}
	for _, test := range []struct {
		name  string
		files map[string]string
		want  []string
		gap   string
	}{
		{"plain", map[string]string{"man1/frob.1": frobPage}, mode, ""},
		{"gzip", map[string]string{"man1/frob.1.gz": gz(frobPage)}, mode, ""},
		{"compressed, whatever it is called", map[string]string{"man8/frob.8": gz(frobPage)}, mode, ""},
		{"torn", map[string]string{"man1/frob.1.gz": gz(frobPage)[:12]}, nil, "cannot be decompressed"},
		{"xz", map[string]string{"man1/frob.1.xz": "\xfd7zXZ\x00\x00\x04"}, nil, "compressed by xz"},
		{"zstd", map[string]string{"man1/frob.1.zst": "\x28\xb5\x2f\xfd\x00"}, nil, "compressed by zstd"},
		{"stands for another", map[string]string{"man1/frob.1": ".so man1/other.1\n", "man1/other.1.gz": gz(frobPage)}, mode, ""},
		{"outside", map[string]string{"man1/frob.1": ".so ../../secret\n", "../secret": frobPage}, nil, ""},
		{"itself", map[string]string{"man1/frob.1": ".so man1/frob.1\n"}, nil, ""},
		{"another language", map[string]string{"de/man1/frob.1": frobPage}, nil, ""},
		{"a library's", map[string]string{"man3/frob.3": frobPage}, nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPlace(t)
			for name, text := range test.files {
				p.write(filepath.Join("man", name), text, 0o644)
			}
			p.m.opts.NoRun = true
			d, err := p.m.Draft(t.Context(), p.tool("frob", "exit 1\n"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, flagNames(d.Source.Node)); diff != "" {
				t.Errorf("flags (-want +got):\n%s", diff)
			}
			if !strings.Contains(gapsOf(d), test.gap) {
				t.Errorf("gaps %q, want one with %q", gapsOf(d), test.gap)
			}
			if test.want != nil && d.Source.Provenance != "manual" {
				t.Errorf("provenance %q", d.Source.Provenance)
			}
		})
	}
}

// TestIdentity: it changes with the program and with its manual, and with nothing else.
func TestIdentity(t *testing.T) {
	p := newPlace(t)
	p.write("man/man1/frob.1", frobPage, 0o644)
	prog := p.tool("frob", frobHelp)
	first := p.m.Identity(prog)
	if again := p.m.Identity(p.find("frob")); again != first {
		t.Errorf("%q became %q", first, again)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(p.root, "man/man1/frob.1"), later, later); err != nil {
		t.Fatal(err)
	}
	manual := p.m.Identity(prog)
	if manual == first {
		t.Error("a new manual page does not tell")
	}
	if other := p.m.Identity(p.tool("frob", frobHelp+"exit 0\n")); other == manual {
		t.Error("a new program does not tell")
	}
}

func TestPrograms(t *testing.T) {
	p := newPlace(t)
	p.tool("frob", "")
	p.write("bin/data", "", 0o644)
	p.write("bin/dir/x", "", 0o755)
	p.write("bin/-x", "", 0o755)
	p.write("bin/a b", "", 0o755)
	p.write("bin2/frob", "", 0o755)
	p.write("bin2/grab", "", 0o755)
	bin := func(name string) string { return filepath.Join(p.root, name) }
	if err := os.Symlink("grab", bin("bin2/linked")); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, prog := range Programs(strings.Join([]string{bin("bin"), "relative", "", bin("bin2"), bin("none")}, ":")) {
		got = append(got, prog.Path+" "+prog.Real)
	}
	want := []string{
		bin("bin/frob") + " " + bin("bin/frob"), bin("bin2/grab") + " " + bin("bin2/grab"), bin("bin2/linked") + " " + bin("bin2/grab"),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCobraFlags(t *testing.T) {
	flags := cobraFlags("--all\tShow all\n-a\tShow all\n--file=\tx\n--name\n-n\tOther\nword\n:4\nCompletion ended\n")
	var got []string
	for _, f := range flags {
		got = append(got, strings.Join(f.Names, " ")+": "+f.Description)
	}
	if diff := cmp.Diff([]string{"--all -a: Show all", "--name: ", "-n: Other"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if cobraFlags("--all\tShow all\n") != nil {
		t.Error("an answer without its end is believed")
	}
}

func TestPackages(t *testing.T) {
	p := newPlace(t)
	prog := p.tool("frob", "")
	p.write("dpkg/info/frobber:amd64.list", "/.\n"+prog.Path+"\n", 0o644)
	p.write("dpkg/status", "Package: frobber\nVersion: 1.2-3\nSection: admin\nDescription: frob things\n more: text\n\nPackage: other\nVersion: 9\n", 0o644)
	want := Package{"frobber", "1.2-3", "admin", "frob things"}
	if got := p.m.Package(prog); got != want {
		t.Errorf("got %+v", got)
	}
}
