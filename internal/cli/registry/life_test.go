package registry

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

type listed struct {
	V     int       `json:"v"`
	Packs []packRow `json:"packs"`
}

// TestFromOneMachineToAnother: a pack is published on one machine, and found, shown,
// installed and verified on another. It is a draft until a person there trusts the key.
func TestFromOneMachineToAnother(t *testing.T) {
	ann := newWorld(t)
	key := ann.key("acme")
	reg := ann.registry()
	out := ann.ok("registry", "publish", ann.pack("acme/frob", "1.0.0"), "--to", reg)
	if !strings.Contains(out, "acme/frob@1.0.0  h1:") || !strings.Contains(out, "HIGH_RISK") || !strings.Contains(out, "published") {
		t.Errorf("publish: %s", out)
	}

	bob := ann.other()
	found := bob.ok("registry", "search", "frob", "--from", reg)
	for _, want := range []string{"acme/frob", "1.0.0", "HIGH_RISK", "unknown", "reviewed", "2026-06-03"} {
		if !strings.Contains(found, want) {
			t.Errorf("search lacks %q:\n%s", want, found)
		}
	}
	shown := bob.ok("registry", "show", "acme/frob", "--from", reg)
	for _, want := range []string{"frob.list", "LOW_RISK", "read-only", "h1:", "SHA256:", "draft"} {
		if !strings.Contains(shown, want) {
			t.Errorf("show lacks %q:\n%s", want, shown)
		}
	}
	if r := bob.run("registry", "install", "acme/frob", "--from", reg); r.status != 1 || !strings.Contains(r.err, "--yes") || !strings.Contains(r.err, "added operation frob.list") {
		t.Errorf("install without a terminal: %d\n%s", r.status, r.err)
	}
	bob.ok("registry", "install", "acme/frob", "--from", reg, "--yes", "--project")
	list := decode[listed](t, bob.ok("registry", "list", "--json"))
	if len(list.Packs) != 1 || list.Packs[0].State != "draft" || list.Packs[0].Key != key || !strings.HasPrefix(list.Packs[0].Digest, "h1:") {
		t.Errorf("list: %+v", list)
	}
	lock, err := os.ReadFile(filepath.Join(bob.dir, ".tmp", "packs.lock"))
	if want := "acme/frob 1.0.0 " + list.Packs[0].Digest + "\n"; err != nil || string(lock) != want {
		t.Errorf("lock %q, want %q: %v", lock, want, err)
	}
	bob.ok("registry", "verify", "--from", reg)

	bob.refused(125, "needs_a_person", "key", "trust", key, "--for", "verified")
	bob.as("n", func() { bob.refused(125, "needs_a_person", "key", "trust", key, "--for", "verified") })
	bob.as("y", func() { bob.ok("key", "trust", key) })
	if s := decode[listed](t, bob.ok("registry", "list", "--json")).Packs[0]; s.State != "draft" || s.KeyState != "trusted" {
		t.Errorf("trusted, and not for verified: %+v", s)
	}
	bob.trust("acme")
	if s := decode[listed](t, bob.ok("registry", "list", "--json")).Packs[0]; s.State != "verified" {
		t.Errorf("trusted for verified: %+v", s)
	}
	bob.ok("registry", "verify", "--from", reg)
	bob.ok("key", "revoke", "acme", "--reason", "stolen")
	r := bob.run("registry", "list")
	if !strings.Contains(r.out, "draft") || !strings.Contains(r.err, "revoked") {
		t.Errorf("after the key was revoked: %s%s", r.out, r.err)
	}
	if r := bob.run("registry", "verify", "--from", reg); r.status != 1 || !strings.Contains(r.out, "revoked_key") {
		t.Errorf("verify: %d %s", r.status, r.out)
	}
	bob.refused(1, "revoked_key", "registry", "install", "acme/frob", "--from", reg, "--yes")
	bob.ok("registry", "remove", "acme/frob")
	if left, _ := filepath.Glob(filepath.Join(bob.home, ".local/share/tmp/packs/*/*")); len(left) != 0 {
		t.Errorf("left after remove: %q", left)
	}
}

// TestPublishTwice: the same content is no publication, another content is refused with
// both digests, and the way out is named.
func TestPublishTwice(t *testing.T) {
	w := newWorld(t)
	w.key("acme")
	reg := w.registry()
	dir := w.pack("acme/frob", "1.0.0")
	w.ok("registry", "publish", dir, "--to", reg)
	before := snapshot(t, filepath.Join(w.dir, "reg"))
	if out := w.ok("registry", "publish", dir, "--to", reg); !strings.Contains(out, "unchanged") {
		t.Error(out)
	}
	if after := snapshot(t, filepath.Join(w.dir, "reg")); after != before {
		t.Errorf("the same content twice changed the registry:\n%s\n%s", before, after)
	}
	w.write(filepath.Join(dir, "README.md"), "other")
	r := w.refused(1, "version_exists", "registry", "publish", dir, "--to", reg)
	if strings.Count(r.err, "h1:") != 2 || !strings.Contains(r.err, "yank") || !strings.Contains(r.err, "next one") {
		t.Error(r.err)
	}
	// Many in one go, some of them there already.
	w.write(filepath.Join(dir, "README.md"), "# acme/frob\n")
	out := w.ok("registry", "publish", dir, w.pack("acme/grob", "1.0.0"), w.pack("acme/frob", "1.1.0"), "--to", reg)
	if strings.Count(out, "published") != 2 || strings.Count(out, "unchanged") != 1 {
		t.Error(out)
	}
	if out := w.ok("registry", "search", "--from", reg); !strings.Contains(out, "1.1.0") || !strings.Contains(out, "acme/grob") {
		t.Error(out)
	}
}

// snapshot is the names and sizes of a directory's files, locks aside.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(file string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(file, ".lock") {
			return err
		}
		data, err := os.ReadFile(file)
		b.WriteString(file + " " + string(data) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestYank: what is taken back is not chosen for a new installation, is told first, and
// nobody's files vanish.
func TestYank(t *testing.T) {
	w := newWorld(t)
	key := w.key("acme")
	reg := w.registry()
	w.ok("registry", "publish", w.pack("acme/frob", "1.0.0"), w.pack("acme/frob", "1.1.0"), "--to", reg)
	bob := w.other()
	bob.trust(key)
	bob.ok("registry", "install", "acme/frob", "--from", reg, "--yes")
	w.ok("registry", "yank", "acme/frob@1.1.0", "--reason", "rates purge wrongly", "--to", reg)
	if r := bob.run("registry", "update", "--from", reg, "--yes"); r.status != 0 || !strings.Contains(r.err, "acme/frob@1.1.0 was taken back: rates purge wrongly") {
		t.Errorf("update: %d %s", r.status, r.err)
	}
	if r := bob.run("registry", "list"); !strings.Contains(r.err, "rates purge wrongly") || !strings.Contains(r.out, "1.1.0") {
		t.Errorf("list: %s%s", r.out, r.err)
	}
	if r := bob.run("registry", "outdated", "--from", reg); !strings.Contains(r.err, "rates purge wrongly") {
		t.Errorf("outdated: %s%s", r.out, r.err)
	}
	if r := bob.run("registry", "verify", "--from", reg); r.status != 1 || !strings.Contains(r.out, "yanked: acme/frob@1.1.0") {
		t.Errorf("verify: %d %s", r.status, r.out)
	}
	carl := w.other()
	if out := carl.ok("registry", "install", "acme/frob", "--from", reg, "--yes"); !strings.Contains(out, "acme/frob@1.0.0") {
		t.Errorf("a new installation: %s", out)
	}
	// Who has no key of the publisher takes nothing back.
	w.refused(1, "not_found", "registry", "yank", "other/frob@1.0.0", "--reason", "x", "--to", reg)
	if r := w.run("registry", "yank", "acme/frob", "--reason", "x", "--to", reg); r.status != 2 {
		t.Errorf("without a version: %d", r.status)
	}
}

// TestUpdateShowsWhatIsLower: a newer version may rate something lower, and a person
// sees it before it counts.
func TestUpdateShowsWhatIsLower(t *testing.T) {
	w := newWorld(t)
	key := w.key("acme")
	reg := w.registry()
	w.ok("registry", "publish", w.pack("acme/frob", "1.0.0"), "--to", reg)
	bob := w.other()
	bob.trust(key)
	bob.ok("registry", "install", "acme/frob", "--from", reg, "--yes")
	w.ok("registry", "publish", w.pack("acme/frob", "1.1.0", "risk.toml", "[[command]]\nkey = \"frob purge\"\nlevel = \"low\"\nreason = \"x\"\n"), "--to", reg)
	if out := bob.ok("registry", "outdated", "--from", reg); !strings.Contains(out, "1.1.0") {
		t.Error(out)
	}
	r := bob.run("registry", "update", "--from", reg, "--dry-run")
	if r.status != 0 || !strings.Contains(r.err, "lower: the command frob purge is LOW_RISK and was HIGH_RISK") {
		t.Errorf("%d %s", r.status, r.err)
	}
	bob.ok("registry", "update", "--from", reg, "--yes")
	if s := decode[listed](t, bob.ok("registry", "list", "--json")).Packs[0]; s.Version != "1.1.0" || s.State != "verified" {
		t.Errorf("%+v", s)
	}
}

// TestAnotherKeySigns: a version that another key signs is no update; named by a person
// it is a draft, and that another key signs it is told first.
func TestAnotherKeySigns(t *testing.T) {
	w := newWorld(t)
	key := w.key("acme")
	reg := w.registry()
	w.ok("registry", "publish", w.pack("acme/frob", "1.0.0"), "--to", reg)
	bob := w.other()
	bob.trust(key)
	bob.ok("registry", "install", "acme/frob", "--from", reg, "--yes")

	thief := w.other()
	thief.key("acme")
	copyLogKey(t, w, thief)
	evil := thief.pack("acme/frob", "1.1.0")
	thief.refused(1, "denied", "registry", "publish", evil, "--to", reg)
	publishUnchecked(t, thief, evil, reg)
	r := bob.run("registry", "update", "--from", reg, "--yes")
	if r.status != 0 || !strings.Contains(r.err, "acme/frob@1.1.0 is left: another key signs it") {
		t.Errorf("update: %d %s", r.status, r.err)
	}
	r = bob.run("registry", "install", "acme/frob@1.1.0", "--from", reg, "--yes")
	if r.status != 0 || !strings.Contains(r.err, "signed the version 1.0.0 that is installed") || !strings.Contains(r.out, "draft") {
		t.Errorf("install: %d %s%s", r.status, r.err, r.out)
	}
}

// TestRotation: a key that the old one names stands as the old one does, for those who
// trust that one.
func TestRotation(t *testing.T) {
	w := newWorld(t)
	old := w.key("acme")
	reg := w.registry()
	w.ok("registry", "publish", w.pack("acme/frob", "1.0.0"), "--to", reg)
	bob := w.other()
	bob.trust(old)
	bob.ok("registry", "install", "acme/frob", "--from", reg, "--yes")
	w.refused(1, "version_exists", "key", "generate", "acme", "--ssh-agent", "x")
	next := w.key("acme", "--rotate")
	if next == old {
		t.Fatal("the key is the same")
	}
	w.ok("registry", "publish", w.pack("acme/frob", "1.1.0"), "--to", reg)
	bob.ok("registry", "update", "--from", reg, "--yes")
	if s := decode[listed](t, bob.ok("registry", "list", "--json")).Packs[0]; s.Key != next || s.State != "verified" {
		t.Errorf("%+v", s)
	}
	third := w.key("acme", "--rotate")
	w.ok("registry", "publish", w.pack("acme/frob", "1.2.0"), "--to", reg)
	bob.ok("registry", "update", "--from", reg, "--yes")
	if s := decode[listed](t, bob.ok("registry", "list", "--json")).Packs[0]; s.Key != third || s.State != "verified" {
		t.Errorf("after two rotations: %+v", s)
	}
	bob.ok("key", "revoke", old)
	if s := decode[listed](t, bob.ok("registry", "list", "--json")).Packs[0]; s.State != "draft" {
		t.Errorf("the first key was revoked: %+v", s)
	}
}

// TestStaleHead: a log that is older than max_age is refused, until who publishes signs
// it again or a person at the terminal takes it as it is.
func TestStaleHead(t *testing.T) {
	w := newWorld(t)
	w.key("acme")
	reg := w.registry()
	dir := w.pack("acme/frob", "1.0.0")
	w.ok("registry", "publish", dir, "--to", reg)
	bob := w.other()
	bob.now = bob.now.Add(31 * 24 * time.Hour)
	r := bob.refused(1, "stale_head", "registry", "install", "acme/frob", "--from", reg, "--yes")
	if !strings.Contains(r.err, "31 days") || !strings.Contains(r.err, "--accept-stale") {
		t.Error(r.err)
	}
	bob.refused(1, "stale_head", "registry", "update", "--from", reg, "--yes")
	if r := bob.run("registry", "search", "frob", "--from", reg); r.status != 0 || !strings.Contains(r.err, "31 days") {
		t.Errorf("search: %d %s", r.status, r.err)
	}
	bob.refused(125, "needs_a_person", "registry", "install", "acme/frob", "--from", reg, "--yes", "--accept-stale")
	bob.vars["TMP_AGENT_ID"] = "x"
	bob.as("y", func() {
		bob.refused(125, "needs_a_person", "registry", "install", "acme/frob", "--from", reg, "--accept-stale")
	})
	delete(bob.vars, "TMP_AGENT_ID")
	bob.as("y", func() { bob.ok("registry", "install", "acme/frob", "--from", reg, "--accept-stale") })
	bob.refused(1, "stale_head", "registry", "verify", "--from", reg)
	w.now = bob.now
	w.ok("registry", "publish", dir, "--to", reg)
	bob.ok("registry", "verify", "--from", reg)
	bob.now = bob.now.Add(-32 * 24 * time.Hour)
	bob.refused(1, "future_head", "registry", "verify", "--from", reg)
}

// TestSettings: config.toml says where packs are looked for, and how old a log may be.
func TestSettings(t *testing.T) {
	w := newWorld(t)
	w.key("acme")
	w.ok("registry", "publish", w.pack("acme/frob", "1.0.0"), "--to", w.registry())
	file := filepath.Join(w.home, ".config/tmp/config.toml")
	for _, text := range []string{
		"registries = [\"" + w.registry() + "\"]\nmax_age = \"2d\"\n",
		"[registries]\nteam = \"" + w.registry() + "\"\nmax_age = \"48h\"\n",
		"[registries]\nuse = [\"" + w.registry() + "\"]\nmax_age = \"2d\"\n",
	} {
		w.write(file, text)
		if out := w.ok("registry", "search", "frob"); !strings.Contains(out, "acme/frob") {
			t.Errorf("%s: %s", text, out)
		}
		w.now = w.now.Add(3 * 24 * time.Hour)
		w.refused(1, "stale_head", "registry", "install", "acme/frob", "--yes")
		w.now = w.now.Add(-3 * 24 * time.Hour)
	}
	w.write(file, "registries = [\"http://x\"]\n")
	if r := w.run("registry", "search"); r.status != 1 || !strings.Contains(r.err, "registries") {
		t.Errorf("%d %s", r.status, r.err)
	}
}

// TestRequires: what a pack requires comes with it, and cannot be removed before it.
func TestRequires(t *testing.T) {
	w := newWorld(t)
	w.key("acme")
	reg := w.registry()
	needs := w.pack("acme/frob", "1.0.0")
	meta, err := os.ReadFile(filepath.Join(needs, "pack.json"))
	if err != nil {
		t.Fatal(err)
	}
	w.write(filepath.Join(needs, "pack.json"), strings.Replace(string(meta), `"requires":[]`, `"requires":["acme/base"]`, 1))
	w.ok("registry", "publish", needs, w.pack("acme/base", "1.0.0"), "--to", reg)
	w.ok("registry", "install", "acme/frob", "--from", reg, "--yes")
	if n := len(decode[listed](t, w.ok("registry", "list", "--json")).Packs); n != 2 {
		t.Errorf("%d packs", n)
	}
	w.refused(1, "conflict", "registry", "remove", "acme/base")
	w.ok("registry", "remove", "acme/base", "acme/frob")
}

// TestInstallWhatIsLocked: --project alone installs what the lock names, at its digest.
func TestInstallWhatIsLocked(t *testing.T) {
	w := newWorld(t)
	w.key("acme")
	reg := w.registry()
	w.ok("registry", "publish", w.pack("acme/frob", "1.0.0"), w.pack("acme/frob", "1.1.0"), "--to", reg)
	w.ok("registry", "install", "acme/frob@1.0.0", "--project", "--yes", "--from", reg)
	bob := w.other()
	bob.dir = w.dir
	if r := bob.run("registry", "verify", "--from", reg); r.status != 1 || !strings.Contains(r.out, "packs.lock:1: acme/frob@1.0.0 is locked and not installed") {
		t.Errorf("%d %s", r.status, r.out)
	}
	bob.ok("registry", "install", "--project", "--yes", "--from", reg)
	if s := decode[listed](t, bob.ok("registry", "list", "--json")).Packs[0]; s.Version != "1.0.0" {
		t.Errorf("%+v", s)
	}
	bob.ok("registry", "verify", "--from", reg)
	lock := filepath.Join(w.dir, ".tmp/packs.lock")
	w.write(lock, "acme/frob 1.0.0 h1:"+strings.Repeat("A", 43)+"=\n")
	bob.refused(1, "differs", "registry", "install", "--project", "--yes", "--from", reg)
	if r := bob.run("registry", "verify", "--from", reg); r.status != 1 || !strings.Contains(r.out, "differs: "+lock+":1:") {
		t.Errorf("%d %s", r.status, r.out)
	}
	w.write(lock, "acme/frob\n")
	bob.refused(1, "bad_name", "registry", "install", "--project", "--yes", "--from", reg)
}
