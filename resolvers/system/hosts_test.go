package system

import (
	"slices"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func TestHosts(t *testing.T) {
	home := resolvertest.Tree(t, map[string]string{
		".ssh/config":      "# x\nHost web db1 *.lan !no\n  HostName web.example.com\n  User root\nInclude conf.d/*\nHost=\"quoted name\"\nMatch host x\n  HostName y\nInclude ~/.ssh/config\n",
		".ssh/conf.d/a":    "Host from-include\n",
		".ssh/known_hosts": "git.example.com,10.0.0.1 ssh-ed25519 AAA\n|1|abc=|def= ssh-rsa AAA\n[gate.example.com]:2222 ssh-rsa AAA\n@revoked bad.example.com ssh-rsa AAA\n@cert-authority *.corp ssh-rsa AAA\nbroken\n",
	})
	a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "hosts", Getenv: resolvertest.Env("HOME", home)})
	got := resolvertest.Texts(a)
	resolvertest.Equal(t, "first", got[:4], []string{"db1", "from-include", "quoted name", "web"})
	for _, name := range resolvertest.Words("git.example.com 10.0.0.1 gate.example.com") {
		if !slices.Contains(got, name) {
			t.Errorf("no %s in %q", name, got)
		}
	}
	for _, name := range []string{"*.lan", "!no", "bad.example.com", "*.corp", "broken", "y"} {
		if slices.Contains(got, name) {
			t.Errorf("%s in %q", name, got)
		}
	}
	if d := resolvertest.Described(a); d["web"] != "root@web.example.com" || d["gate.example.com"] != "port 2222" {
		t.Errorf("descriptions %q", d)
	}
	a = resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "hosts", Getenv: resolvertest.Env("HOME", home), Filter: resolvers.Filter{Text: "me@we"}})
	resolvertest.Equal(t, "me@we", resolvertest.Texts(a), resolvertest.Words("me@web"))
	resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "hosts", Getenv: resolvertest.Env()})
}
