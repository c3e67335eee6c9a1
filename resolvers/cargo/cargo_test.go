package cargo

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

// cargoTree is a workspace with most ways to have a target.
func cargoTree(t testing.TB) string {
	return resolvertest.Tree(t, map[string]string{
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
		{"cargo:bins", "", "cargo run --bin", resolvertest.Words("demo multi serve tool")},
		{"cargo:bins", "src/bin", "cargo run --bin", resolvertest.Words("demo multi serve tool")},
		{"cargo:bins", "crates/alpha", "cargo run --bin", resolvertest.Words("a1")},
		{"cargo:bins", "crates/beta", "cargo run --bin", resolvertest.Words("b1")},
		{"cargo:bins", "crates/skipped", "cargo run --bin", resolvertest.Words("skipped")},
		{"cargo:bins", "", "cargo run -p gen --bin", resolvertest.Words("gen")},
		{"cargo:bins", "crates/beta", "cargo run -palpha --bin", resolvertest.Words("a1")},
		{"cargo:bins", "", "cargo run --package=b* --bin", resolvertest.Words("b1")},
		{"cargo:bins", "", "cargo build --workspace --bin", resolvertest.Words("a1 b1 demo gen multi serve tool")},
		{"cargo:bins", "..", "cargo run --manifest-path ROOT/tools/gen/Cargo.toml --bin", resolvertest.Words("gen")},
		{"cargo:examples", "", "cargo run --example", resolvertest.Words("big declared hello")},
		{"cargo:test-targets", "", "cargo test --test", resolvertest.Words("api cli")},
		{"cargo:benches", "", "cargo bench --bench", resolvertest.Words("speed")},
	} {
		r := resolvers.Request{Name: test.name, Dir: filepath.Join(root, test.dir), Words: resolvertest.Words(strings.ReplaceAll(test.words, "ROOT", root))}
		resolvertest.Equal(t, test.name+" "+test.dir+" "+test.words, resolvertest.Sorted(resolvertest.Expect(t, resolvers.Fresh, r)), test.want)
	}
	a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "cargo:bins", Dir: root})
	if a.Values[0].Value != "serve" || a.Values[0].Description != "src/serving.rs, default" {
		t.Errorf("default-run is not first: %+v", a.Values)
	}
}

func TestCargoValues(t *testing.T) {
	root := cargoTree(t)
	for _, test := range []struct {
		name, dir, words string
		want             []string
	}{
		{"cargo:packages", "crates/beta", "cargo build -p", resolvertest.Words("beta alpha demo gen inner")},
		{"cargo:features", "", "cargo build -F", resolvertest.Words("default fast log tls")},
		{"cargo:features", "crates/alpha", "cargo build -F", []string{}},
		{"cargo:dependencies", "", "cargo remove", resolvertest.Words("inner log rustls")},
	} {
		r := resolvers.Request{Name: test.name, Dir: filepath.Join(root, test.dir), Words: resolvertest.Words(test.words)}
		resolvertest.Equal(t, test.name+" "+test.dir, resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, r)), test.want)
	}
	d := resolvertest.Described(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "cargo:features", Dir: root}))
	if d["tls"] != "dep:rustls, fast" || d["log"] != "optional dependency" {
		t.Errorf("descriptions %q", d)
	}
	d = resolvertest.Described(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "cargo:dependencies", Dir: root}))
	if d["rustls"] != "vendored/rustls, optional" {
		t.Errorf("descriptions %q", d)
	}
}

func TestCargoConfig(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{
		"home/.cargo/config.toml":   "[alias]\nhome = \"build\"\nboth = \"far\"\n[profile.mine]\ninherits = \"dev\"\n",
		"p/.cargo/config.toml":      "[alias]\nboth = [\"run\", \"--release\"]\n",
		"p/sub/.cargo/config":       "[alias]\nnear = \"test --lib\"\n",
		"p/sub/.cargo/config.toml":  "[alias]\nshadowed = \"x\"\n",
		"p/sub/deep/Cargo.toml":     "[package]\nname = \"x\"\n[profile.quick]\ninherits = \"release\"\n[profile.dev]\nopt-level = 1\n",
		"broken/.cargo/config.toml": "[alias\n",
	})
	dir := filepath.Join(root, "p/sub/deep")
	home := resolvertest.Env("HOME", filepath.Join(root, "home"), "CARGO_ALIAS_FROM_ENV", "check --all")
	for name, want := range map[string]string{
		"home": "build", "both": "run --release", "near": "test --lib", "shadowed": "", "from-env": "check --all", "": "", "none": "",
	} {
		if got, ok := CargoAlias(dir, home, name); got != want || ok != (want != "") {
			t.Errorf("alias %q is %q, %v; want %q", name, got, ok, want)
		}
	}
	if got, _ := CargoAlias(dir, resolvertest.Env("CARGO_HOME", filepath.Join(root, "home/.cargo")), "home"); got != "build" {
		t.Errorf("with CARGO_HOME: %q", got)
	}
	if got, _ := CargoAlias(filepath.Join(root, "broken"), home, "home"); got != "build" {
		t.Errorf("beside a broken file: %q", got)
	}
	resolvertest.Equal(t, "aliases", resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "cargo:aliases", Dir: dir, Getenv: home})), resolvertest.Words("both home near"))
	resolvertest.Equal(t, "profiles", resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "cargo:profiles", Dir: dir, Getenv: home})), resolvertest.Words("bench dev mine quick release test"))
}

func TestCargoLocked(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{
		"Cargo.toml": "[package]\nname = \"x\"\n",
		"Cargo.lock": "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"syn\"\nversion = \"1.0.9\"\ndependencies = [\n \"a\",\n]\n\n[[package]]\nname = \"syn\"\nversion = \"2.0.1\"\n",
	})
	a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "cargo:locked", Dir: root})
	resolvertest.Equal(t, "locked", resolvertest.Texts(a), resolvertest.Words("a syn"))
	bare := resolvertest.Tree(t, map[string]string{"Cargo.toml": "[package]\nname = \"x\"\n"})
	if a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "cargo:locked", Dir: bare}); a.Message != "there is no Cargo.lock yet: cargo generate-lockfile makes one" {
		t.Errorf("without a lock file: %q", a.Message)
	}
	if d := resolvertest.Described(a); d["syn"] != "1.0.9, 2.0.1" {
		t.Errorf("descriptions %q", d)
	}
}

func TestCargoFailures(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{"Cargo.toml": "[package]\nname = \n", "empty/x": ""})
	a := resolvertest.Expect(t, resolvers.Failed, resolvers.Request{Name: "cargo:bins", Dir: filepath.Join(root, "empty")})
	if !strings.Contains(a.Message, filepath.Join(root, "Cargo.toml")+":2: ") {
		t.Errorf("message %q", a.Message)
	}
	resolvertest.Expect(t, resolvers.Failed, resolvers.Request{Name: "cargo:bins", Dir: t.TempDir()})
	resolvertest.Expect(t, resolvers.Failed, resolvers.Request{Name: "cargo:bins", Dir: "/no/such/dir"})
	resolvertest.Expect(t, resolvers.Failed, resolvers.Request{Name: "cargo:bins"})
}

// needCargo returns the path of a cargo that runs: rustup installs one that may
// have no toolchain.
func needCargo(t *testing.T) string {
	t.Helper()
	cargo, err := exec.LookPath("cargo")
	if err == nil {
		err = exec.Command(cargo, "--version").Run()
	}
	if err != nil {
		t.Skipf("no cargo: %v", err)
	}
	return cargo
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
	cargo := needCargo(t)
	cmd := exec.Command(cargo, "metadata", "--no-deps", "--offline", "--format-version", "1")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("cargo metadata: %v %s", err, err.(*exec.ExitError).Stderr)
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
			a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: resolver, Dir: root, Words: []string{"cargo", "x", "-p", p.Name}})
			resolvertest.Equal(t, resolver+" of "+p.Name, resolvertest.Sorted(a), want)
		}
		want := []string{}
		for name := range p.Features {
			want = append(want, name)
		}
		slices.Sort(want)
		a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "cargo:features", Dir: root, Words: []string{"cargo", "build", "-p", p.Name}})
		resolvertest.Equal(t, "features of "+p.Name, resolvertest.Sorted(a), want)
	}
	slices.Sort(names)
	resolvertest.Equal(t, "packages", resolvertest.Sorted(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "cargo:packages", Dir: root})), names)
}

func BenchmarkCargoBins(b *testing.B) {
	root := cargoTree(b)
	for b.Loop() {
		resolvertest.Expect(b, resolvers.Fresh, resolvers.Request{Name: "cargo:bins", Dir: root, Limit: 200})
	}
}
