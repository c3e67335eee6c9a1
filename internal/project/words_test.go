package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// said are the ways in which a role can be asked for, without an object.
func (r *Role) said() []string {
	var out []string
	for _, v := range r.Verbs {
		out = append(out, v)
		for _, w := range r.Whole {
			out = append(out, v+" "+w)
		}
	}
	for _, n := range r.Nouns {
		out = append(out, n)
		for _, run := range r.Runs {
			out = append(out, run+" "+n)
		}
	}
	for _, n := range r.Things {
		for _, run := range r.Runs {
			out = append(out, run+" "+n)
		}
	}
	for _, p := range r.Phrases {
		if !strings.Contains(p, "*") {
			out = append(out, p)
		}
	}
	return out
}

// TestPhrasesDoNotCollide: what asks for one role asks for no other.
func TestPhrasesDoNotCollide(t *testing.T) {
	roles := CoreRoles()
	for i := range roles.Roles {
		r := &roles.Roles[i]
		for _, text := range r.said() {
			var whole []string
			for _, m := range roles.meant(roles.hear(text)) {
				if len(m.object) == 0 {
					whole = append(whole, m.role.Name)
				}
			}
			if len(whole) > 1 || len(whole) == 1 && whole[0] != r.Name {
				t.Errorf("%q of %s asks for %v", text, r.Name, whole)
			}
		}
	}
}

// TestTitlesAreAnswered: the title by which a role is shown asks for it.
func TestTitlesAreAnswered(t *testing.T) {
	roles := CoreRoles()
	for i := range roles.Roles {
		r := &roles.Roles[i]
		all := roles.meant(roles.hear(r.Title))
		if !slices.ContainsFunc(all, func(m meant) bool { return m.role == r && len(m.object) == 0 }) {
			t.Errorf("%q does not ask for %s", r.Title, r.Name)
		}
	}
}

// TestRolesHoldTogether: what a role names is there.
func TestRolesHoldTogether(t *testing.T) {
	roles := CoreRoles()
	known := map[string]bool{"any": true, "javascript": true, "python": true, "rust": true, "go": true, "deno": true}
	for _, e := range roles.Ecosystems {
		known[e.Name] = true
	}
	seen := map[string]bool{}
	for _, r := range roles.Roles {
		if seen[r.Name] {
			t.Errorf("two roles are called %s", r.Name)
		}
		seen[r.Name] = true
		if r.Fallback != "" && roles.Role(r.Fallback) == nil || r.Append != nil && roles.Role(r.Append.Role) == nil {
			t.Errorf("%s leans on a role that is not there", r.Name)
		}
		for _, s := range r.Standard {
			if !known[s.Eco] || len(s.Argv) == 0 {
				t.Errorf("%s: %v is of no ecosystem", r.Name, s)
			}
		}
		for _, n := range append(slices.Clone(r.Names), r.Also...) {
			if canonical(n) != n {
				t.Errorf("%s: %q is not written as names are compared", r.Name, n)
			}
		}
	}
}

func TestHear(t *testing.T) {
	roles := CoreRoles()
	for text, want := range map[string]string{
		"Could you please run the tests?":       "run tests",
		"run this project's tests":              "run tests",
		"lint the code in this repository":      "lint code",
		"db:migrate":                            "db migrate",
		"build_docs":                            "build docs",
		"Run the end-to-end tests, please!":     "run end to end tests",
		"test `parser`":                         "test parser",
		"I want to start the dev-server for me": "start dev server",
		"":                                      "",
		"the":                                   "",
		strings.Repeat("very ", 5000) + "long one": "",
	} {
		got := strings.Join(roles.hear(text).parts, " ")
		if got != want && len(text) < 1000 {
			t.Errorf("%q is heard as %q, want %q", text, got, want)
		}
	}
}

// TestStandardScriptNamesItsFile: a standard command that is a script rests on what
// the script says, too.
func TestStandardScriptNamesItsFile(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"package.json":      `{"scripts": {"build": "vite build"}, "devDependencies": {"vite": "1"}}`,
		"package-lock.json": "{}",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, ok := Open(Disk{}, dir, Who{UID: uint32(os.Getuid())}, CoreRoles(), nil)
	if !ok {
		t.Fatal("no project")
	}
	a := p.Ask("build for release")
	if a.Play == nil {
		t.Fatal(a.Message)
	}
	if !slices.ContainsFunc(a.Play.Evidence, func(e Evidence) bool { return e.File == "package.json" }) {
		t.Errorf("evidence of %v: %v", a.Play.Argv, a.Play.Evidence)
	}
}
