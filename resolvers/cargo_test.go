package resolvers

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// cargoTree is a workspace with most ways to have a target.
func cargoTree(t testing.TB) string {
	return tree(t, map[string]string{
		"Cargo.toml": `
[package]
name = "demo"
version = "0.1.0"
edition = "2021"
default-run = "serve"

[[bin]]
name = "serve"
path = "src/serving.rs"

[[bin]]
name = "tool"

[[example]]
name = "declared"
path = "misc/declared.rs"

[features]
default = ["fast"]
fast = []
tls = ["dep:rustls", "fast"]

[dependencies]
rustls = { path = "vendored/rustls", optional = true }
log = { path = "vendored/log", optional = true }
inner = { path = "inner" }

[profile.quick]
inherits = "release"

[workspace]
members = ["crates/*", "tools/gen"]
exclude = ["crates/skipped", "vendored"]
`,
		"src/main.rs": "fn main() {}", "src/serving.rs": "fn main() {}",
		"src/lib.rs":      "",
		"src/bin/tool.rs": "fn main() {}", "src/bin/.hidden.rs": "fn main() {}",
		"src/bin/multi/main.rs": "fn main() {}", "src/bin/multi/part.rs": "", "src/bin/nomain/part.rs": "",
		"src/bin/notes.txt": "", "misc/declared.rs": "fn main() {}",
		"examples/hello.rs": "fn main() {}", "examples/big/main.rs": "fn main() {}", "examples/data/x.json": "",
		"tests/api.rs": "#[test] fn works() {}", "tests/cli/main.rs": "", "tests/common/mod.rs": "",
		"benches/speed.rs":                  "fn main() {}",
		"crates/alpha/Cargo.toml":           "[package]\nname = \"alpha\"\nversion = \"0.1.0\"\nedition = \"2021\"\nautobins = false\n[[bin]]\nname = \"a1\"\npath = \"src/a1.rs\"\n",
		"crates/alpha/src/a1.rs":            "fn main() {}",
		"crates/alpha/src/bin/lost.rs":      "fn main() {}",
		"crates/beta/Cargo.toml":            "[package]\nname = \"beta\"\nversion = \"0.1.0\"\n[[bin]]\nname = \"b1\"\npath = \"src/b1.rs\"\n",
		"crates/beta/src/b1.rs":             "fn main() {}",
		"crates/beta/src/bin/b2.rs":         "fn main() {}",
		"crates/skipped/Cargo.toml":         "[package]\nname = \"skipped\"\nversion = \"0.1.0\"\n",
		"crates/skipped/src/main.rs":        "fn main() {}",
		"crates/notes/README":               "",
		"tools/gen/Cargo.toml":              "[package]\nname = \"gen\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
		"tools/gen/src/main.rs":             "fn main() {}",
		"inner/Cargo.toml":                  "[package]\nname = \"inner\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
		"inner/src/lib.rs":                  "",
		"vendored/rustls/Cargo.toml":        "[package]\nname = \"rustls\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
		"vendored/rustls/src/lib.rs":        "",
		"vendored/log/Cargo.toml":           "[package]\nname = \"log\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
		"vendored/log/src/lib.rs":           "",
		"vendored/log/sub/deep/placeholder": "",
	})
}

func TestCargoTargets(t *testing.T) {
	root := cargoTree(t)
	for _, test := range []struct {
		name, dir, words string
		want             []string
	}{
		{"cargo:bins", "", "cargo run --bin", words("demo multi serve tool")},
		{"cargo:bins", "src/bin", "cargo run --bin", words("demo multi serve tool")},
		{"cargo:bins", "crates/alpha", "cargo run --bin", words("a1")},
		{"cargo:bins", "crates/beta", "cargo run --bin", words("b1")},
		{"cargo:bins", "crates/skipped", "cargo run --bin", words("skipped")},
		{"cargo:bins", "", "cargo run -p gen --bin", words("gen")},
		{"cargo:bins", "crates/beta", "cargo run -palpha --bin", words("a1")},
		{"cargo:bins", "", "cargo run --package=b* --bin", words("b1")},
		{"cargo:bins", "", "cargo build --workspace --bin", words("a1 b1 demo gen multi serve tool")},
		{"cargo:bins", "..", "cargo run --manifest-path ROOT/tools/gen/Cargo.toml --bin", words("gen")},
		{"cargo:examples", "", "cargo run --example", words("big declared hello")},
		{"cargo:test-targets", "", "cargo test --test", words("api cli")},
		{"cargo:benches", "", "cargo bench --bench", words("speed")},
	} {
		r := Request{Name: test.name, Dir: filepath.Join(root, test.dir), Words: words(strings.ReplaceAll(test.words, "ROOT", root))}
		equal(t, test.name+" "+test.dir+" "+test.words, sorted(query(t, Fresh, r)), test.want)
	}
	a := query(t, Fresh, Request{Name: "cargo:bins", Dir: root})
	if a.Values[0].Value != "serve" || a.Values[0].Description != "src/serving.rs, default" {
		t.Errorf("default-run is not first: %+v", a.Values)
	}
}

func TestCargoFailures(t *testing.T) {
	root := tree(t, map[string]string{"Cargo.toml": "[package]\nname = \n", "empty/x": ""})
	a := query(t, Failed, Request{Name: "cargo:bins", Dir: filepath.Join(root, "empty")})
	if !strings.Contains(a.Message, filepath.Join(root, "Cargo.toml")+":2: ") {
		t.Errorf("message %q", a.Message)
	}
	query(t, Failed, Request{Name: "cargo:bins", Dir: t.TempDir()})
	query(t, Failed, Request{Name: "cargo:bins", Dir: "/no/such/dir"})
	query(t, Failed, Request{Name: "cargo:bins"})
}

// metadata asks cargo itself.
func metadata(t *testing.T, root string) (packages []struct {
	Name     string
	Features map[string][]string
	Targets  []struct {
		Name string
		Kind []string
	}
},
) {
	cargo, err := exec.LookPath("cargo")
	if err != nil {
		t.Skip("no cargo")
	}
	cmd := exec.Command(cargo, "metadata", "--no-deps", "--offline", "--format-version", "1")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("cargo metadata: %v", err)
	}
	var m struct {
		Packages []struct {
			Name     string
			Features map[string][]string
			Targets  []struct {
				Name string
				Kind []string
			}
		}
	}
	if err := json.Unmarshal(out, &m); err != nil {
		t.Fatal(err)
	}
	return m.Packages
}

func TestCargoAgainstCargo(t *testing.T) {
	root := cargoTree(t)
	packages := metadata(t, root)
	names := []string{}
	for _, p := range packages {
		names = append(names, p.Name)
		for resolver, kind := range map[string]string{"cargo:bins": "bin", "cargo:examples": "example", "cargo:test-targets": "test", "cargo:benches": "bench"} {
			want := []string{}
			for _, target := range p.Targets {
				if slices.Contains(target.Kind, kind) {
					want = append(want, target.Name)
				}
			}
			slices.Sort(want)
			a := query(t, Fresh, Request{Name: resolver, Dir: root, Words: []string{"cargo", "x", "-p", p.Name}})
			equal(t, resolver+" of "+p.Name, sorted(a), want)
		}
	}
	if len(names) < 5 {
		t.Errorf("cargo saw only %q", names)
	}
}

func BenchmarkCargoBins(b *testing.B) {
	root := cargoTree(b)
	for b.Loop() {
		query(b, Fresh, Request{Name: "cargo:bins", Dir: root, Limit: 200})
	}
}
