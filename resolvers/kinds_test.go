package resolvers

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
	"testing/quick"
)

func TestFileKinds(t *testing.T) {
	root := tree(t, map[string]string{
		"a.go": "", "b.go": "", "sub/c.go": "", "sub/x.tar.gz": "", "Makefile": "", ".hidden": "", "v1.2": "", "README.md": "",
		"node_modules/d.js": "", ".git/e.pack": "", "1/2/3/deep.c": "", "1/2/3/4/deeper.h": "", "link.py": "-> a.go", "od d.b-c": "",
	})
	a := expect(t, Fresh, Request{Name: "extensions", Dir: root})
	if got := texts(a); got[0] != "go" || described(a)["go"] != "3 files" {
		t.Errorf("the most frequent is not first: %q, %+v", got, described(a))
	}
	got := texts(a)
	slices.Sort(got)
	equal(t, "extensions", got, words("c go gz md"))
	a = expect(t, Fresh, Request{Name: "globs", Dir: root, Filter: Filter{Text: "*.m"}})
	equal(t, "globs", texts(a), words("*.md"))
	a = expect(t, Fresh, Request{Name: "globs", Dir: root, Words: words("find sub -name")})
	equal(t, "below find's directory", texts(a), words("*.go *.gz"))
	expect(t, Failed, Request{Name: "globs", Dir: root + "/none"})
}

func TestGoTags(t *testing.T) {
	root := tree(t, map[string]string{
		"go.mod":          "module x\n",
		"a.go":            "//go:build integration && !windows\n\npackage x\n",
		"sub/b.go":        "// text\n//go:build (e2e || integration) && go1.21\npackage x\n",
		"sub/c_test.go":   "package x\n\n//go:build late\n",
		"vendor/v/v.go":   "//go:build vendored\npackage v\n",
		"other/go.mod":    "module y\n",
		"other/o.go":      "//go:build others\npackage y\n",
		"sub/old.txt":     "//go:build text\n",
		"sub/ignored.go":  "//go:build ignore\npackage main\n",
		"sub/deep/pkg.go": "package deep\n",
	})
	a := expect(t, Fresh, Request{Name: "go:tags", Dir: root + "/sub", CacheDir: t.TempDir()})
	got := texts(a)
	if len(got) < 2 || got[0] != "integration" || described(a)["integration"] != "2 files" {
		t.Errorf("%q %+v", got, described(a))
	}
	slices.Sort(got)
	equal(t, "tags", got, words("e2e integration"))
}

func TestMesonObjects(t *testing.T) {
	root := tree(t, map[string]string{
		"build/meson-info/intro-targets.json":      `[{"name":"app","id":"app@exe","type":"executable","filename":["/x/app"]},{"name":"core","type":"static library"}]`,
		"build/meson-info/intro-tests.json":        `[{"cmd":["/x/t"],"suite":["unit","fast"],"name":"parse"},{"suite":["slow"],"name":"big"}]`,
		"build/meson-info/intro-buildoptions.json": `[{"name":"buildtype","type":"combo","choices":["plain","debug"],"value":"debug","description":"Build type"},{"name":"prefix","type":"string","value":"/usr"}]`,
		"broken/meson-info/intro-tests.json":       `[{"name":`,
		"src/meson.options": "# option('not')\noption('docs', type : 'feature', value : 'auto',\n  description : 'Build ' + 'it''s docs')\n" +
			"option('backend', type: 'combo', choices: ['gtk', 'qt'], value: 'gtk')\noption('tests', type: 'boolean')\nfoo('x')\noption('cut",
	})
	ask := func(name, dir, filter string, line ...string) Answer {
		return Resolve(t.Context(), Request{Name: name, Dir: root + "/" + dir, Words: line, Filter: Filter{Text: filter}})
	}
	equal(t, "targets", texts(ask("meson:targets", "build", "")), words("app core"))
	equal(t, "tests with -C", texts(ask("meson:tests", "", "", "meson", "test", "-C", "build")), words("big parse"))
	equal(t, "suites", texts(ask("meson:suites", "build", "")), words("fast slow unit"))
	equal(t, "options", texts(ask("meson:options", "build", "")), words("buildtype= prefix="))
	equal(t, "choices", texts(ask("meson:options", "build", "buildtype=")), words("buildtype=plain buildtype=debug"))
	equal(t, "of the project", texts(ask("meson:options", "src", "")), words("backend= docs= tests="))
	equal(t, "its choices", texts(ask("meson:options", "src", "backend=")), words("backend=gtk backend=qt"))
	equal(t, "a feature", texts(ask("meson:options", "src", "docs=")), words("docs=enabled docs=disabled docs=auto"))
	for _, dir := range []string{"broken", "none"} {
		if a := ask("meson:tests", dir, ""); a.State != Failed || a.Message == "" || len(a.Values) > 0 {
			t.Errorf("%s: %+v", dir, a)
		}
	}
}

// Whatever the text, its options are read without an end of patience.
func TestMesonOptionsOfAnyText(t *testing.T) {
	pieces := []string{"option(", "'", "'''", "a", ":", "[", "]", ")", "\\", "#", "\n", "type", "choices", ","}
	err := quick.Check(func(picks []uint8) bool {
		var b strings.Builder
		for _, p := range picks {
			b.WriteString(pieces[int(p)%len(pieces)])
		}
		parseMesonOptions(b.String())
		return true
	}, &quick.Config{MaxCount: 2000})
	if err != nil {
		t.Error(err)
	}
}

func TestUdevNames(t *testing.T) {
	for name, want := range map[string]string{`My\x20Disk`: "My Disk", `a\x2fb\x`: `a/b\x`, `\xzz`: `\xzz`, "plain": "plain"} {
		if got := udevName(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestCmakeHelp(t *testing.T) {
	if _, err := exec.LookPath("cmake"); err != nil {
		t.Skip("cmake is not installed")
	}
	a := expect(t, Fresh, Request{Name: "cmake:commands", Dir: t.TempDir(), CacheDir: t.TempDir(), Getenv: env("HOME", t.TempDir(), "PATH", "/usr/local/bin:/usr/bin:/bin"), Filter: Filter{Text: "target_link_l"}})
	equal(t, "commands", texts(a), words("target_link_libraries"))
}

func TestJournal(t *testing.T) {
	bin, home := fakeTool(t, "journalctl", `
case "$*" in
*--list-boots*) printf -- ' -1 aaaa Mon 2026-01-05 10:00:00 UTC—Mon 2026-01-05 11:00:00 UTC\n  0 bbbb Tue 2026-01-06 10:00:00 UTC—Tue 2026-01-06 11:00:00 UTC\nIDX BOOT ID\n' ;;
*--field=SYSLOG_IDENTIFIER*) printf 'sshd\nkernel\n' ;;
*) exit 1 ;;
esac
`)
	ask := func(name string) Answer {
		return expect(t, Fresh, Request{Name: name, Dir: "/", CacheDir: t.TempDir(), Getenv: env("HOME", home, "PATH", bin+":/usr/bin:/bin")})
	}
	a := ask("journalctl:boots")
	if equal(t, "boots", texts(a), words("0 -1")); described(a)["-1"] != "Mon 2026-01-05 10:00:00" {
		t.Errorf("%+v", a.Values)
	}
	equal(t, "identifiers", texts(ask("journalctl:identifiers")), words("sshd kernel"))
}
