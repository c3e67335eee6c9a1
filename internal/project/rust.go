package project

import (
	"path/filepath"
	"strings"
)

// rust reads Cargo.toml.
func (u *unit) rust() {
	if !u.has("Cargo.toml") {
		return
	}
	u.cargo = u.tomlOf("Cargo.toml")
	u.add("rust", "cargo", []string{"cargo"}, u.why("Cargo.toml", "", "cargo by Cargo.toml"))
	pkg, ws := table(u.cargo, "package"), table(u.cargo, "workspace")
	members := texts(ws["members"])
	u.facts["cargo-part"] = pkg != nil && len(members) > 0 || texts(ws["default-members"]) != nil
	u.facts["cargo-workspace"] = ws != nil
	bins := u.cargoBins()
	u.facts["cargo-run"] = pkg != nil && (len(bins) == 1 || str(pkg["default-run"]) != "")
	for _, key := range [...]string{"dependencies", "dev-dependencies", "build-dependencies"} {
		for name := range table(u.cargo, key) {
			u.deps[name] = true
		}
	}
	u.facts["cargo-bench"] = u.isDir(u.at("benches")) || u.cargo["bench"] != nil || ws != nil
}

// cargoBins are the names of the package's binaries.
func (u *unit) cargoBins() []string {
	var out []string
	name := str(table(u.cargo, "package")["name"])
	seen := map[string]bool{}
	add := func(n string) {
		if n != "" && !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	list, _ := u.cargo["bin"].([]any)
	paths := map[string]bool{}
	for _, v := range list {
		t, _ := v.(map[string]any)
		add(str(t["name"]))
		paths[filepath.Clean(str(t["path"]))] = true
	}
	if name != "" && u.isFile(u.at("src/main.rs")) && !paths["src/main.rs"] {
		add(name)
	}
	for _, n := range u.rustFiles("src/bin") {
		if !paths["src/bin/"+n+".rs"] {
			add(n)
		}
	}
	return out
}

// rustFiles are the targets that lie in a directory: x.rs and x/main.rs.
func (u *unit) rustFiles(sub string) []string {
	var out []string
	for _, e := range u.listOf(sub) {
		if stem, ok := strings.CutSuffix(e.Name, ".rs"); ok && !e.Dir {
			out = append(out, stem)
		} else if e.Dir && u.isFile(u.at(sub+"/"+e.Name+"/main.rs")) {
			out = append(out, e.Name)
		}
	}
	return out
}

// cargoTargets are the names of a kind of target: "example", "test", "bench".
func (u *unit) cargoTargets(kind, dir string) []string {
	if table(u.cargo, "package") == nil { // a workspace without a package has no targets
		return nil
	}
	out := u.rustFiles(dir)
	list, _ := u.cargo[kind].([]any)
	for _, v := range list {
		t, _ := v.(map[string]any)
		if n := str(t["name"]); n != "" {
			out = append(out, n)
		}
	}
	return out
}
