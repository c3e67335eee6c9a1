package registry

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/tool-mapping-protocol/tmp/internal/registry/archive"
	"github.com/tool-mapping-protocol/tmp/internal/registry/ledger"
	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
)

// victim is a machine that has one pack of a registry installed and trusts its key, and
// the publisher's.
func victim(t *testing.T) (ann, bob *world, reg string) {
	t.Helper()
	ann = newWorld(t)
	key := ann.key("acme")
	reg = ann.registry()
	ann.ok("registry", "publish", ann.pack("acme/frob", "1.0.0"), "--to", reg)
	bob = ann.other()
	bob.trust(key)
	bob.ok("registry", "install", "acme/frob", "--from", reg, "--yes")
	return ann, bob, reg
}

// everything are the commands that read a registry.
func everything(reg string) [][]string {
	return [][]string{
		{"registry", "search", "frob", "--from", reg},
		{"registry", "show", "acme/frob", "--from", reg},
		{"registry", "install", "acme/frob", "--from", reg, "--yes"},
		{"registry", "update", "--from", reg, "--yes"},
		{"registry", "outdated", "--from", reg},
		{"registry", "verify", "--from", reg},
	}
}

// refusesAll holds every command to refusing a registry by a name, and to changing
// nothing: what is installed, the head that was seen, the cached catalogue.
func (w *world) refusesAll(code, reg string) {
	w.t.Helper()
	before := snapshot(w.t, w.home)
	for _, args := range everything(reg) {
		w.refused(1, code, args...)
	}
	if after := snapshot(w.t, w.home); after != before {
		w.t.Errorf("%s: a refused registry changed what is kept", code)
	}
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
}

// TestReplayedIndex: an index that was right once is refused when a later one was seen,
// by every command.
func TestReplayedIndex(t *testing.T) {
	ann, bob, reg := victim(t)
	old := filepath.Join(ann.dir, "old")
	copyTree(t, ann.dirOf(reg), old)
	ann.ok("registry", "publish", ann.pack("acme/frob", "1.1.0"), "--to", reg)
	bob.ok("registry", "update", "--from", reg, "--yes")
	copyTree(t, old, ann.dirOf(reg))
	bob.refusesAll("rollback", reg)
	// However old what was seen is.
	bob.now = bob.now.AddDate(1, 0, 0)
	bob.refused(1, "rollback", "registry", "install", "acme/frob", "--from", reg, "--yes")
	// Nor is an empty place one to begin anew with.
	bob.now = bob.now.AddDate(-1, 0, 0)
	if err := os.RemoveAll(ann.dirOf(reg)); err != nil {
		t.Fatal(err)
	}
	bob.refusesAll("rollback", reg)
}

// TestSplitView: two logs of one length.
func TestSplitView(t *testing.T) {
	ann, bob, reg := victim(t)
	old := filepath.Join(ann.dir, "old")
	copyTree(t, ann.dirOf(reg), old)
	ann.ok("registry", "publish", ann.pack("acme/frob", "1.1.0"), "--to", reg)
	bob.ok("registry", "update", "--from", reg, "--yes")
	copyTree(t, old, ann.dirOf(reg))
	carl := ann.other()
	carl.key("carl")
	carl.ok("registry", "publish", carl.pack("carl/other", "1.0.0"), "--to", reg)
	bob.refusesAll("split_view", reg)
	// The same a leaf later is a log that was rewritten.
	carl.ok("registry", "publish", carl.pack("carl/grob", "1.0.0"), "--to", reg)
	bob.refusesAll("rewritten_log", reg)
}

// TestAnotherLogKey: a registry whose log another key signs is refused.
func TestAnotherLogKey(t *testing.T) {
	ann, bob, reg := victim(t)
	for _, file := range []string{ann.dirOf(reg), ann.dirOf(reg) + ".key"} {
		if err := os.RemoveAll(file); err != nil {
			t.Fatal(err)
		}
	}
	eve := ann.other()
	eve.key("acme")
	eve.ok("registry", "publish", eve.pack("acme/frob", "1.0.0"), eve.pack("acme/frob", "1.1.0"), "--to", reg)
	bob.refusesAll("log_key_changed", reg)
	// Who published before does not go on there either.
	ann.refused(1, "log_key_changed", "registry", "publish", ann.pack("acme/frob", "1.2.0"), "--to", reg)
}

// blobs are the manifests of a layout's index, and the blobs that they name, by what
// they are.
func blobs(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	file := func(d ocispec.Descriptor) string {
		return filepath.Join(dir, "blobs", "sha256", d.Digest.Encoded())
	}
	var index ocispec.Index
	readJSON(t, filepath.Join(dir, "index.json"), &index)
	for _, m := range index.Manifests {
		if m.MediaType != ocispec.MediaTypeImageManifest {
			out["referrers"] = file(m)
			continue
		}
		var manifest ocispec.Manifest
		readJSON(t, file(m), &manifest)
		out[manifest.ArtifactType+" manifest"] = file(m)
		out[manifest.Config.MediaType] = file(manifest.Config)
		for _, l := range manifest.Layers {
			out[l.MediaType] = file(l)
		}
	}
	return out
}

func readJSON(t *testing.T, file string, v any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// TestAlteredBlobs: every byte of a registry is held against its digest: of the
// archive, the configuration, the note, the catalogue, the head, a tile, the manifests.
func TestAlteredBlobs(t *testing.T) {
	ann := newWorld(t)
	ann.key("acme")
	reg := ann.registry()
	ann.ok("registry", "publish", ann.pack("acme/frob", "1.0.0"), "--to", reg)
	good := filepath.Join(ann.dir, "good")
	copyTree(t, ann.dirOf(reg), good)
	parts := blobs(t, ann.dirOf(reg))
	for _, part := range []string{
		ledger.PackLayer, ledger.PackConfig, ledger.NoteType, ledger.IndexType, ledger.HeadType, ledger.TileType,
		ledger.PackType + " manifest", ledger.NoteType + " manifest", ledger.IndexType + " manifest", "referrers",
	} {
		file, ok := parts[part]
		if !ok {
			t.Errorf("the registry has no %s", part)
			continue
		}
		for how, change := range map[string]func([]byte) []byte{
			"a bit":  func(b []byte) []byte { b = bytes.Clone(b); b[len(b)/2] ^= 1; return b },
			"cut":    func(b []byte) []byte { return b[:len(b)/2] },
			"longer": func(b []byte) []byte { return append(bytes.Clone(b), '\n') },
			"empty":  func([]byte) []byte { return nil },
		} {
			copyTree(t, good, ann.dirOf(reg))
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			os.Remove(file)
			if err := os.WriteFile(file, change(data), 0o644); err != nil {
				t.Fatal(err)
			}
			bob := ann.other()
			r := bob.run("registry", "install", "acme/frob", "--from", reg, "--yes")
			if r.status != 1 || !strings.Contains(r.err, "tmp: altered:") {
				t.Errorf("%s, %s: status %d %s", part, how, r.status, r.err)
			}
			if left, _ := filepath.Glob(filepath.Join(bob.home, ".local/share/tmp/packs*")); len(left) != 0 {
				t.Errorf("%s, %s: %q", part, how, left)
			}
		}
	}
	// What is damaged is put right by the next publication of the same content.
	copyTree(t, good, ann.dirOf(reg))
	if err := os.WriteFile(filepath.Join(ann.dirOf(reg), "index.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	ann.other().refused(1, "altered", "registry", "search", "--from", reg)
}

// TestCatalogueIsHeldAgainstTheLog: an index whose parts all have their digests, and
// whose catalogue is not what the log has.
func TestCatalogueIsHeldAgainstTheLog(t *testing.T) {
	ann, bob, reg := victim(t)
	var index ocispec.Index
	readJSON(t, filepath.Join(ann.dirOf(reg), "index.json"), &index)
	for name, x := range map[string]struct {
		old, new, code string
	}{
		"another level":  {`"HIGH_RISK"`, `"SAFE"`, "not_in_log"},
		"another digest": {`"digest":"h1:`, `"digest":"h1:A`, "not_in_log"},
		"one more":       {`"entries":[`, `"entries":[{"kind":"pack","name":"evil/frob","version":"1.0.0"},`, "not_in_log"},
		"not JSON":       {`{`, `[`, "bad_answer"},
	} {
		copyTree(t, ann.dirOf(reg), ann.dirOf(reg)+"-good")
		swapBlob(t, ann.dirOf(reg), ledger.IndexTag, ledger.IndexType, func(data []byte) []byte {
			return bytes.Replace(data, []byte(x.old), []byte(x.new), 1)
		})
		bob.refused(1, x.code, "registry", "install", "acme/frob", "--from", reg, "--yes")
		ann.other().refused(1, x.code, "registry", "search", "--from", reg)
		copyTree(t, ann.dirOf(reg)+"-good", ann.dirOf(reg))
		if name == "" {
			t.Fatal()
		}
	}
	// Tiles that are missing, or another's.
	ann.ok("registry", "publish", ann.pack("acme/frob", "1.1.0"), "--to", reg)
	swapBlob(t, ann.dirOf(reg), ledger.IndexTag, ledger.TileType, func(data []byte) []byte {
		data[0] ^= 1
		return data
	})
	bob.refusesAll("rewritten_log", reg)
}

// swapBlob changes a layer of a tagged artifact, and all digests above it with it.
func swapBlob(t *testing.T, dir, tag, mediaType string, change func([]byte) []byte) {
	t.Helper()
	var index ocispec.Index
	name := filepath.Join(dir, "index.json")
	readJSON(t, name, &index)
	put := func(old ocispec.Descriptor, data []byte) ocispec.Descriptor {
		d := old
		d.Digest, d.Size = digestOf(data), int64(len(data))
		file := filepath.Join(dir, "blobs", "sha256", d.Digest.Encoded())
		os.Remove(file)
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return d
	}
	for i, m := range index.Manifests {
		if m.Annotations[ocispec.AnnotationRefName] != tag {
			continue
		}
		var manifest ocispec.Manifest
		readJSON(t, filepath.Join(dir, "blobs", "sha256", m.Digest.Encoded()), &manifest)
		for j, l := range manifest.Layers {
			if l.MediaType != mediaType {
				continue
			}
			data, err := os.ReadFile(filepath.Join(dir, "blobs", "sha256", l.Digest.Encoded()))
			if err != nil {
				t.Fatal(err)
			}
			manifest.Layers[j] = put(l, change(data))
		}
		data, err := json.Marshal(manifest)
		if err != nil {
			t.Fatal(err)
		}
		index.Manifests[i] = put(m, data)
	}
	data, err := json.Marshal(index)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestForgedPacks: what a registry's operator, or a publisher, can put into the log and
// a client refuses.
func TestForgedPacks(t *testing.T) {
	for name, x := range map[string]struct {
		code  string
		forge func(w *world, f *forgery)
	}{
		"note of another pack": {"other_pack", func(w *world, f *forgery) {
			f.note = w.signer("acme")(strings.Replace(noteText(f), "acme/grob 1.0.0", "acme/frob 1.0.0", 1))
		}},
		"note of another version": {"other_pack", func(w *world, f *forgery) {
			f.note = w.signer("acme")(strings.Replace(noteText(f), "1.0.0", "1.0.1", 1))
		}},
		"note of another digest": {"other_pack", func(w *world, f *forgery) {
			f.note = w.signer("acme")(strings.Replace(noteText(f), f.entry.Digest, "h1:"+strings.Repeat("A", 43)+"=", 1))
		}},
		"note that says a lower level": {"low_note", func(w *world, f *forgery) {
			f.note = w.signer("acme")(strings.Replace(noteText(f), "HIGH_RISK", "LOW_RISK", 1))
		}},
		"note that leaves a capability out": {"low_note", func(w *world, f *forgery) {
			f.note = w.signer("acme")(strings.Replace(noteText(f), "DESTRUCTIVE", "-", 1))
		}},
		"note that leaves a tool out": {"low_note", func(w *world, f *forgery) {
			f.note = w.signer("acme")(strings.Replace(noteText(f), "tools grob", "tools other", 1))
		}},
		"note with lines more": {"bad_note", func(w *world, f *forgery) {
			f.note = w.signer("acme")(noteText(f) + "pack acme/frob 1.0.0 h1:x\n")
		}},
		"note that is no note": {"bad_note", func(_ *world, f *forgery) { f.note = []byte("trust me\n") }},
		"note of a key of another name": {"bad_note", func(w *world, f *forgery) {
			f.entry.Key = w.key("other")
			f.note = w.signer("other")(noteText(f))
		}},
		"note that another key signs than the log says": {"bad_note", func(w *world, f *forgery) {
			f.entry.Key = w.other().key("acme")
		}},
		"files of another digest": {"altered", func(w *world, f *forgery) {
			f.files["README.md"] = []byte("other")
		}},
		"configuration of another pack": {"altered", func(_ *world, f *forgery) {
			other := archive.Files{}
			for n, d := range f.files {
				other[n] = d
			}
			other["pack.json"] = bytes.Replace(other["pack.json"], []byte("Maps"), []byte("Has"), 1)
			f.packed, f.entry.Digest = other.Archive(), other.Digest()
		}},
		"another name in the log": {"other_pack", func(_ *world, f *forgery) { f.entry.Name = "acme/hrob"; f.tag = "acme.hrob.1.0.0" }},
		"a moved version":         {"moved_version", func(_ *world, f *forgery) { f.entry.Manifest = "sha256:" + strings.Repeat("0", 64) }},
		"a doubled version": {"doubled_version", func(_ *world, f *forgery) {
			e := f.entry
			e.Digest = "h1:" + strings.Repeat("B", 43) + "="
			f.entries = append(f.entries, e)
		}},
		"a publisher that looks like another": {"bad_name", func(_ *world, f *forgery) { f.entry.Name = "асme/grob" }},
		"a publisher that ends in a dash":     {"bad_name", func(_ *world, f *forgery) { f.entry.Name = "acme-/grob" }},
		"a name that leads elsewhere":         {"bad_name", func(_ *world, f *forgery) { f.entry.Name = "../../grob" }},
		"a version that leads elsewhere":      {"bad_name", func(_ *world, f *forgery) { f.entry.Version = "1.0.0/../../x" }},
		"escape sequences in a name":          {"bad_name", func(_ *world, f *forgery) { f.entry.Name = "acme/\x1b[2Jgrob" }},
	} {
		t.Run(name, func(t *testing.T) {
			ann, bob, reg := victim(t)
			dir := ann.pack("acme/grob", "1.0.0")
			key := strings.TrimSpace(ann.ok("key", "show", "acme"))
			f := ann.forge(dir, key, ann.signer("acme"))
			x.forge(ann, f)
			publishForged(t, ann, reg, f)
			before := installedOf(t, bob)
			want := f.entry.Name
			if statement.CheckName(want) != nil || x.code == "doubled_version" || statement.CheckVersion(f.entry.Version) != nil {
				want = "acme/grob"
			}
			r := bob.refused(1, x.code, "registry", "install", want, "--from", reg, "--yes")
			if strings.ContainsRune(r.err, '\x1b') {
				t.Errorf("an escape sequence reaches the terminal: %q", r.err)
			}
			bob.refused(1, x.code, "registry", "show", want, "--from", reg)
			if after := installedOf(t, bob); after != before {
				t.Errorf("installed before:\n%s\nafter:\n%s", before, after)
			}
		})
	}
}

// installedOf is all that is installed in a world.
func installedOf(t *testing.T, w *world) string {
	t.Helper()
	return snapshot(t, filepath.Join(w.home, ".local/share/tmp"))
}

// noteText is the text of the note of a forgery.
func noteText(f *forgery) string {
	text, _, _ := strings.Cut(string(f.note), "\n\n")
	return text + "\n"
}

// TestStrippedNote: who takes a pack's note away gets a draft installed, and no more.
func TestStrippedNote(t *testing.T) {
	ann, bob, reg := victim(t)
	f := ann.forge(ann.pack("acme/grob", "1.0.0"), strings.TrimSpace(ann.ok("key", "show", "acme")), nil)
	publishForged(t, ann, reg, f)
	if out := bob.ok("registry", "install", "acme/grob", "--from", reg, "--yes"); !strings.Contains(out, "draft") {
		t.Error(out)
	}
}

// TestConfusablePublisher: a publisher whose name is near that of a trusted one is told.
func TestConfusablePublisher(t *testing.T) {
	_, bob, _ := victim(t)
	for _, name := range []string{"acme-x", "acne", "acm3e", "ac-me", "amce", "acrne"} {
		eve := bob.other()
		eve.key(name)
		reg := eve.registry()
		eve.ok("registry", "publish", eve.pack(name+"/frob", "2.0.0"), "--to", reg)
		r := bob.run("registry", "show", name+"/frob", "--from", reg)
		near := name != "acme-x"
		if r.status != 0 || strings.Contains(r.out, "is not acme, which is trusted here") != near {
			t.Errorf("%s: %d\n%s", name, r.status, r.out)
		}
		if out := bob.ok("registry", "search", "frob", "--from", reg); !strings.Contains(out, name+"+") || !strings.Contains(out, "unknown") {
			t.Errorf("%s: %s", name, out)
		}
	}
	for _, name := range []string{"асme", "acme-", "Acme", "acme_x", "a" + strings.Repeat("b", 39), "acme.x", ""} {
		if r := bob.run("key", "generate", name, "--ssh-agent", "x"); r.status == 0 || !strings.Contains(r.err, "bad_name") {
			t.Errorf("%q: %d %s", name, r.status, r.err)
		}
		if r := bob.run("registry", "install", name+"/frob", "--yes"); r.status != 1 || !strings.Contains(r.err, "bad_name") {
			t.Errorf("%q: %d %s", name, r.status, r.err)
		}
	}
}

// TestConflicts: a pack that has an operation, an intent or a tool of the core or of
// another pack is refused by file and line.
func TestConflicts(t *testing.T) {
	ann, bob, reg := victim(t)
	one := func(id, intent string) string {
		return fmt.Sprintf("{\"schema\":1,\"tool\":\"grob\",\"provenance\":\"curated\",\"node\":{\"name\":\"grob\"},\n\"operations\":[\n{\"id\":%q,\"surface\":\"cli\",\"intent\":[%q],\"template\":\"grob x\",\"parameters\":[],\"effect\":\"read-only\",\"risk\":\"low\",\"evidence\":[\"human_review\"]}]}", id, intent)
	}
	for name, x := range map[string]struct{ code, id, intent, want string }{
		"id of the core":           {"lint", "go.version", "tell the grob version", "maps/grob.json:3"},
		"intent of the core":       {"lint", "grob.version", "go version", "go.version"},
		"reserved":                 {"lint", "artifact.grob", "tell the grob version", "reserved"},
		"vague":                    {"lint", "grob.do", "do it", "maps/grob.json:3"},
		"operation of another one": {"", "frob.list", "list other frob things", ""},
	} {
		dir := ann.pack("acme/grob", "1.0.0", "maps/grob.json", one(x.id, x.intent), "risk.toml", "")
		if x.code != "" {
			r := ann.refused(1, x.code, "registry", "publish", dir, "--to", reg)
			if !strings.Contains(r.err, x.want) {
				t.Errorf("%s: %s", name, r.err)
			}
			continue
		}
		ann.ok("registry", "publish", dir, "--to", reg)
		bob.refused(1, "conflict", "registry", "install", "acme/grob", "--from", reg, "--yes")
	}
	ann.key("zeta")
	ann.ok("registry", "publish", ann.pack("zeta/frob", "1.0.0"), "--to", reg)
	r := bob.refused(1, "conflict", "registry", "install", "zeta/frob", "--from", reg, "--yes")
	if !strings.Contains(r.err, "acme/frob and zeta/frob both map frob") {
		t.Error(r.err)
	}
}

// TestAgentsInstallNoTrust: an agent installs a draft, and nothing whose operations
// would run.
func TestAgentsInstallNoTrust(t *testing.T) {
	ann, bob, reg := victim(t)
	bob.vars["TMP_AGENT_ID"] = "robot"
	ann.ok("registry", "publish", ann.pack("acme/grob", "1.0.0"), "--to", reg)
	bob.refused(125, "needs_a_person", "registry", "install", "acme/grob", "--from", reg, "--yes")
	bob.refused(125, "needs_a_person", "key", "revoke", "acme")
	bob.as("y", func() { bob.refused(125, "needs_a_person", "key", "trust", "acme") })
	ann.key("zeta")
	ann.ok("registry", "publish", ann.pack("zeta/hrob", "1.0.0"), "--to", reg)
	bob.ok("registry", "install", "zeta/hrob", "--from", reg, "--yes")
}
