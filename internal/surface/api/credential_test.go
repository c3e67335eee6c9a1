package api

import (
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCredentialsOfAConfiguration(t *testing.T) {
	table := func(pairs ...any) map[string]any {
		out := map[string]any{}
		for i := 0; i < len(pairs); i += 2 {
			out[pairs[i].(string)] = pairs[i+1]
		}
		return out
	}
	hosts := []any{"api.example.org"}
	all, faults := ReadCredentials(map[string]any{"api": map[string]any{
		"good":    table("type", "bearer", "from", "env:T", "hosts", hosts),
		"head":    table("type", "header", "from", "file:/x", "name", "X-Key", "hosts", hosts),
		"nohost":  table("type", "bearer", "from", "env:T"),
		"noname":  table("type", "query", "from", "env:T", "hosts", hosts),
		"literal": table("type", "bearer", "from", "hunter2", "hosts", hosts),
		"odd":     table("type", "digest", "from", "env:T", "hosts", hosts),
		"star":    table("type", "bearer", "from", "env:T", "hosts", []any{"*.example.org"}),
		"key":     table("type", "bearer", "from", "env:T", "hosts", hosts, "secret", "hunter2"),
	}})
	if len(all) != 2 || all["good"] == nil || all["head"] == nil || len(faults) != 6 {
		t.Errorf("%v %v", all, faults)
	}
	for _, f := range faults {
		if strings.Contains(f.Error(), "hunter2") {
			t.Errorf("%v tells what may be a secret", f)
		}
	}
}

func TestWhereASecretGoes(t *testing.T) {
	c := &Credential{Name: "x", Type: "bearer", From: "env:T", Hosts: []string{"api.example.org", "only.example.org:8443", "127.0.0.1"}}
	for target, goes := range map[string]bool{
		"https://api.example.org/":               true,
		"https://API.example.org:444/":           true,
		"https://only.example.org:8443/":         true,
		"https://only.example.org/":              false,
		"https://evil.org/":                      false,
		"https://api.example.org.evil.org/":      false,
		"https://evil.org/api.example.org":       false,
		"https://api.example.org@evil.org/":      false,
		"http://api.example.org/":                false,
		"http://127.0.0.1:8080/":                 true,
		"http://localhost:8080/":                 false,
		"https://sub.api.example.org/":           false,
		"https://api.example.org\\@evil.example": false,
	} {
		u, err := url.Parse(target)
		if err != nil {
			continue
		}
		if got := c.For(u) == nil; got != goes {
			t.Errorf("%s: goes %v, want %v", target, got, goes)
		}
	}
}

func TestSecretsOf(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "token")
	if err := os.WriteFile(file, []byte("from-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	getenv := func(name string) string { return map[string]string{"T": "from-env", "HOME": dir, "TWO": "a\nb"}[name] }
	for from, want := range map[string]string{
		"env:T": "from-env", "file:" + file: "from-file", "file:~/token": "from-file", "command:printf from-command": "from-command", "command:pwd": dir,
	} {
		got, err := (&Credential{Name: "x", From: from}).Secret(t.Context(), getenv)
		if err != nil || got != want {
			t.Errorf("%s: %q %v, want %q", from, got, err, want)
		}
	}
	for _, from := range []string{"env:NONE", "env:TWO", "file:/nowhere", "file:token", "command:exit 1", "command:true", "file:" + dir} {
		if got, err := (&Credential{Name: "x", From: from}).Secret(t.Context(), getenv); err == nil {
			t.Errorf("%s: %q", from, got)
		}
	}
}

func TestAddresses(t *testing.T) {
	for addr, kind := range map[string]string{
		"8.8.8.8": "", "2606:4700::1": "", "127.0.0.1": "loopback", "127.8.0.1": "loopback", "::1": "loopback", "10.1.2.3": "private",
		"172.16.0.1": "private", "172.32.0.1": "", "192.168.1.1": "private", "169.254.169.254": "link-local", "fe80::1": "link-local",
		"fd00:ec2::254": "private", "100.100.100.200": "private", "0.0.0.0": "unspecified", "0.1.2.3": "unspecified", "::": "unspecified",
		"::ffff:169.254.169.254": "link-local", "::ffff:127.0.0.1": "loopback", "64:ff9b::a9fe:a9fe": "link-local", "2002:7f00:1::": "loopback",
		"::127.0.0.1": "loopback", "224.0.0.1": "link-local", "239.1.1.1": "multicast", "255.255.255.255": "reserved", "192.0.2.1": "reserved", "198.18.0.1": "private",
	} {
		if got := kindOf(netip.MustParseAddr(addr)); got != kind {
			t.Errorf("%s is %q, want %q", addr, got, kind)
		}
	}
}

func TestReach(t *testing.T) {
	at := netip.MustParseAddr
	for _, c := range []struct {
		r    reach
		host string
		addr string
		ok   bool
	}{
		{reach{server: "api.example.org"}, "api.example.org", "8.8.8.8", true},
		{reach{server: "api.example.org"}, "api.example.org", "10.0.0.1", false}, // a name that was turned inwards
		{reach{server: "api.example.org"}, "api.example.org", "127.0.0.1", false},
		{reach{server: "api.example.org"}, "api.example.org", "169.254.169.254", false},
		{reach{server: "api.corp", inside: true}, "api.corp", "10.0.0.1", true},
		{reach{server: "api.corp", inside: true}, "api.corp", "169.254.169.254", false},
		{reach{server: "api.corp", inside: true}, "api.corp", "127.0.0.1", false},
		{reach{server: "api.corp", inside: true}, "other.corp", "10.0.0.1", false},
		{reach{server: "10.0.0.1"}, "10.0.0.1", "10.0.0.1", true},
		{reach{server: "10.0.0.1"}, "10.0.0.2", "10.0.0.2", false},
		{reach{server: "127.0.0.1"}, "127.0.0.1", "127.0.0.1", true},
		{reach{server: "localhost"}, "localhost", "::1", true},
		{reach{server: "localhost"}, "localhost", "10.0.0.1", false},
		{reach{server: "127.0.0.1"}, "localhost", "127.0.0.1", false},
	} {
		if err := c.r.allows(c.host, at(c.addr)); (err == nil) != c.ok {
			t.Errorf("%+v: %s at %s: %v", c.r, c.host, c.addr, err)
		}
	}
}
