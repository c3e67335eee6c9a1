package system

import (
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func TestUdevNames(t *testing.T) {
	for name, want := range map[string]string{`My\x20Disk`: "My Disk", `a\x2fb\x`: `a/b\x`, `\xzz`: `\xzz`, "plain": "plain"} {
		if got := udevName(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestJournal(t *testing.T) {
	bin, home := resolvertest.FakeTool(t, "journalctl", `
case "$*" in
*--list-boots*) printf -- ' -1 aaaa Mon 2026-01-05 10:00:00 UTC—Mon 2026-01-05 11:00:00 UTC\n  0 bbbb Tue 2026-01-06 10:00:00 UTC—Tue 2026-01-06 11:00:00 UTC\nIDX BOOT ID\n' ;;
*--field=SYSLOG_IDENTIFIER*) printf 'sshd\nkernel\n' ;;
*) exit 1 ;;
esac
`)
	ask := func(name string) resolvers.Answer {
		return resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: name, Dir: "/", CacheDir: t.TempDir(), Getenv: resolvertest.Env("HOME", home, "PATH", bin+":/usr/bin:/bin")})
	}
	a := ask("journalctl:boots")
	if resolvertest.Equal(t, "boots", resolvertest.Texts(a), resolvertest.Words("0 -1")); resolvertest.Described(a)["-1"] != "Mon 2026-01-05 10:00:00" {
		t.Errorf("%+v", a.Values)
	}
	resolvertest.Equal(t, "identifiers", resolvertest.Texts(ask("journalctl:identifiers")), resolvertest.Words("sshd kernel"))
}
