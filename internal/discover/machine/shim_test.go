package machine

import (
	"os"
	"path/filepath"
	"testing"
)

// envShim is a shim as pyenv and its like write it.
func envShim(manager, variable, root string) string {
	return "#!/usr/bin/env bash\nset -e\nprogram=\"${0##*/}\"\nexport " + variable + "=\"" + root + "\"\nexec \"" + root + "/libexec/" + manager + "\" exec \"$program\" \"$@\"\n"
}

func TestBehindShims(t *testing.T) {
	p := newPlace(t)
	link := func(to, name string) {
		t.Helper()
		file := filepath.Join(p.root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(p.root, to), file); err != nil {
			t.Fatal(err)
		}
	}
	program := func(name string) { p.write(name, "#!/bin/sh\n", 0o755) }

	pyenv := filepath.Join(p.root, "pyenv")
	for _, name := range []string{"set", "newer", "nowhere"} {
		p.write("shims/"+name, envShim("pyenv", "PYENV_ROOT", pyenv), 0o755)
	}
	p.write("pyenv/version", "3.9.18\n", 0o644)
	for _, file := range []string{"3.9.18/bin/set", "3.12.1/bin/set", "3.9.1/bin/newer", "3.10.13/bin/newer"} {
		program("pyenv/versions/" + file)
	}

	p.write("asdf/shims/node", "#!/usr/bin/env bash\n# asdf-plugin: nodejs 20.1.0\nexec /opt/asdf/bin/asdf exec \"node\" \"$@\"\n", 0o755)
	program("asdf/installs/nodejs/20.1.0/bin/node")

	program("cargo/rustup")
	link("cargo/rustup", "cargo/rustc")
	link("cargo/rustup", "cargo/rls")
	p.write("home/.rustup/settings.toml", "version = \"12\"\ndefault_toolchain = \"stable-x\"\n", 0o644)
	program("home/.rustup/toolchains/stable-x/bin/rustc")
	program("home/.rustup/toolchains/zz-x/bin/rustc")

	program("usr/mise")
	link("usr/mise", "mise/shims/jq")
	program("mise/installs/jq/1.7.1/bin/jq")
	program("mise/installs/jq/1.10/bin/jq")

	p.write("bin/plain", "#!/bin/sh\necho plain\n", 0o755)

	for _, c := range []struct{ dir, name, want string }{
		{"shims", "set", "pyenv/versions/3.9.18/bin/set"},
		{"shims", "newer", "pyenv/versions/3.10.13/bin/newer"},
		{"shims", "nowhere", "shims/nowhere"},
		{"asdf/shims", "node", "asdf/installs/nodejs/20.1.0/bin/node"},
		{"cargo", "rustc", "home/.rustup/toolchains/stable-x/bin/rustc"},
		{"cargo", "rls", "cargo/rls"},
		{"cargo", "rustup", "cargo/rustup"},
		{"mise/shims", "jq", "mise/installs/jq/1.10/bin/jq"},
		{"bin", "plain", "bin/plain"},
	} {
		shim, err := Find(filepath.Join(p.root, c.dir), c.name)
		if err != nil {
			t.Fatal(err)
		}
		got := p.m.behind(shim)
		if want := filepath.Join(p.root, c.want); got.Path != want || got.Name != c.name {
			t.Errorf("behind %s/%s: %s %s, want %s", c.dir, c.name, got.Name, got.Path, want)
		}
	}
}

// What a shim leads to is what is asked, and what the identity is of.
func TestDraftBehindShim(t *testing.T) {
	p := newPlace(t)
	pyenv := filepath.Join(p.root, "pyenv")
	p.write("bin/frob", envShim("pyenv", "PYENV_ROOT", pyenv), 0o755)
	p.write("pyenv/versions/3.9.1/bin/frob", "#!/bin/sh\necho 'Usage: frob [options]'; echo; echo '  --old  An old one'\n", 0o755)
	shim := p.find("frob")
	before := p.m.Identity(shim)
	if got := flagNames(p.draft(shim).Source.Node); len(got) != 1 || got[0] != "--old" {
		t.Errorf("options %v, want --old", got)
	}
	p.write("pyenv/versions/3.10.1/bin/frob", "#!/bin/sh\necho 'Usage: frob [options]'; echo; echo '  --new  A new one'\n", 0o755)
	if p.m.Identity(shim) == before {
		t.Error("the identity does not change with the version that is run")
	}
}

func TestPageBesideProgram(t *testing.T) {
	p := newPlace(t)
	p.write("opt/frob/bin/frob", "#!/bin/sh\nexit 1\n", 0o755)
	p.write("opt/frob/share/man/man1/frob.1", ".TH FROB 1\n.SH NAME\nfrob \\- a frob\n.SH OPTIONS\n.TP\n.B \\-\\-deep\nDeep.\n", 0o644)
	if err := os.Symlink(filepath.Join(p.root, "opt/frob/bin/frob"), filepath.Join(p.root, "bin/frob-14")); err != nil {
		t.Fatal(err)
	}
	d, err := p.m.Written(t.Context(), p.find("frob-14"))
	if err != nil {
		t.Fatal(err)
	}
	if got := flagNames(d.Source.Node); len(got) != 1 || got[0] != "--deep" {
		t.Errorf("options %v, want --deep", got)
	}
}

func TestPlainName(t *testing.T) {
	for name, want := range map[string]string{
		"pip3.11": "pip", "clang-14": "clang", "python3.12-config": "python3.12-config", "x86_64-linux-gnu-gcc-12": "gcc",
		"x86_64-w64-mingw32-objdump": "objdump", "md5sum": "md5sum", "m4": "m4", "gpg2": "gpg", "7": "7", "g++-13": "g++",
		"php8.2": "php", "w3": "w3", "lua5.4": "lua",
	} {
		if got := plainName(name); got != want {
			t.Errorf("plainName(%q) = %q, want %q", name, got, want)
		}
	}
}

// A script that prints no help is read instead.
func TestDraftOfSource(t *testing.T) {
	p := newPlace(t)
	prog := p.tool("frob", "case \"$1\" in\n-f|--force) force=1 ;;\n--out) out=\"$2\"; shift 2 ;;\nesac\nexit 1\n")
	d := p.draft(prog)
	if got := flagNames(d.Source.Node); len(got) != 3 || got[0] != "--force" || got[1] != "--out" || got[2] != "-f" {
		t.Errorf("options %v", got)
	}
	if d.From["code"] != 1 || d.From["help"] != 0 || d.Source.Provenance != "script" {
		t.Errorf("from %v, provenance %s", d.From, d.Source.Provenance)
	}
}
