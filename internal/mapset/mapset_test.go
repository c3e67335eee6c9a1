package mapset

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// world is a home with a project below it.
type world struct {
	t       *testing.T
	paths   place.Paths
	project string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := place.Find(func(name string) string {
		return map[string]string{"HOME": home, "XDG_DATA_DIRS": filepath.Join(home, "shared")}[name]
	})
	w := &world{t, p, filepath.Join(home, "src", "project")}
	w.write(filepath.Join(w.project, ".tmp", "schemas", "x.json"), `{}`)
	w.mkdir(filepath.Join(w.project, "deep", "down"))
	return w
}

func (w *world) mkdir(dir string) {
	w.t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) write(file, text string) {
	w.t.Helper()
	w.mkdir(filepath.Dir(file))
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// image writes a map that knows one tool, with the project's stamps if asked.
func (w *world) image(file, tool string, stamps ...string) {
	w.t.Helper()
	b := tcpdb.NewBuilder()
	b.Tool(&tcpdb.Node{Name: tool})
	if len(stamps) > 0 {
		b.Source(Owner(w.project))
	}
	for _, s := range stamps {
		b.Source(Stamp(w.project, s))
	}
	data, err := b.Build()
	if err != nil {
		w.t.Fatal(err)
	}
	w.write(file, string(data))
}

func (w *world) trust() {
	w.image(w.paths.ProjectMap(w.project), "project-tool", ".tmp/config.json", ".tmp/schemas", ".tmp/schemas/x.json")
}

// problem returns the error of the only problem of a view, or nil.
func problem(t *testing.T, v *tcpdb.View) error {
	t.Helper()
	ps := v.Problems()
	if len(ps) > 1 {
		t.Errorf("%d problems: %v", len(ps), ps)
	}
	if len(ps) == 0 {
		return nil
	}
	return ps[0].Err
}

func TestOpenViewHasAllLayers(t *testing.T) {
	w := newWorld(t)
	w.image(w.paths.SystemMap(), "system-tool")
	w.image(w.paths.UserMap(), "user-tool")
	w.trust()
	v := OpenView(w.paths, filepath.Join(w.project, "deep", "down"))
	for _, tool := range []string{"git", "system-tool", "user-tool", "project-tool"} {
		if v.Root(tool) == nil {
			t.Errorf("%s is not in the view", tool)
		}
	}
	if err := problem(t, v); err != nil {
		t.Errorf("problem: %v", err)
	}
	if OpenView(w.paths, filepath.Dir(w.project)).Root("project-tool") != nil {
		t.Error("the project's map is used outside of it")
	}
}

func TestChangedProjectIsLeftOut(t *testing.T) {
	later := time.Now().Add(time.Hour)
	tests := []struct {
		name   string
		change func(w *world)
	}{
		{"content", func(w *world) { w.write(w.project+"/.tmp/schemas/x.json", `{"a":1}`) }},
		{"same size, other time", func(w *world) { os.Chtimes(w.project+"/.tmp/schemas/x.json", later, later) }},
		{"added", func(w *world) { w.write(w.project+"/.tmp/schemas/y.json", `{}`) }},
		{"removed", func(w *world) { os.Remove(w.project + "/.tmp/schemas/x.json") }},
		{"a configuration appears", func(w *world) { w.write(w.project+"/.tmp/config.json", `{}`) }},
		{"replaced by a link to the same content", func(w *world) {
			os.Rename(w.project+"/.tmp/schemas/x.json", w.project+"/x.json")
			os.Symlink(w.project+"/x.json", w.project+"/.tmp/schemas/x.json")
		}},
		{"the map is another project's", func(w *world) {
			b := tcpdb.NewBuilder()
			b.Tool(&tcpdb.Node{Name: "project-tool"})
			b.Source(Owner("/elsewhere"))
			data, _ := b.Build()
			w.write(w.paths.ProjectMap(w.project), string(data))
		}},
		{"the map has no stamps", func(w *world) { w.image(w.paths.ProjectMap(w.project), "project-tool") }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.trust()
			if OpenView(w.paths, w.project).Root("project-tool") == nil {
				t.Fatal("the trusted map is not used")
			}
			tt.change(w)
			v := OpenView(w.paths, w.project)
			if v.Root("project-tool") != nil {
				t.Error("the changed map is used")
			}
			if err := problem(t, v); !errors.Is(err, ErrChanged) {
				t.Errorf("problem %v, want ErrChanged", err)
			}
		})
	}
}

func TestRunsAndContextsDoNotEndTrust(t *testing.T) {
	w := newWorld(t)
	w.trust()
	w.write(w.project+"/.tmp/context.md", "x")
	w.write(w.project+"/.tmp/runs/1/raw.log", "x")
	if v := OpenView(w.paths, w.project); v.Root("project-tool") == nil {
		t.Errorf("left out: %v", v.Problems())
	}
}

func TestUntrustedProject(t *testing.T) {
	w := newWorld(t)
	if err := problem(t, OpenView(w.paths, w.project)); !errors.Is(err, ErrUntrusted) {
		t.Errorf("problem %v, want ErrUntrusted", err)
	}
	os.Remove(w.project + "/.tmp/schemas/x.json")
	w.write(w.project+"/.tmp/schemas/README.md", "x")
	if err := problem(t, OpenView(w.paths, w.project)); err != nil {
		t.Errorf("a project without maps has the problem %v", err)
	}
	w.write(w.project+"/.tmp/schemas/team/y.json", "{}")
	if err := problem(t, OpenView(w.paths, w.project)); !errors.Is(err, ErrUntrusted) {
		t.Errorf("maps in a directory: problem %v, want ErrUntrusted", err)
	}
}

func TestDamagedLayersAreNamed(t *testing.T) {
	w := newWorld(t)
	w.write(w.paths.SystemMap(), "not a map")
	w.image(w.paths.UserMap(), "user-tool")
	v := OpenView(w.paths, "")
	ps := v.Problems()
	if len(ps) != 1 || ps[0].Layer != tcpdb.SystemLayer || ps[0].File != w.paths.SystemMap() || !errors.Is(ps[0].Err, tcpdb.ErrNotMap) {
		t.Errorf("problems %v", ps)
	}
	if v.Root("git") == nil || v.Root("user-tool") == nil {
		t.Error("the whole layers do not answer")
	}
}

// user compiles a map that has one tool from the sources there are.
func (w *world) user(files ...string) {
	w.t.Helper()
	b := tcpdb.NewBuilder()
	b.Tool(&tcpdb.Node{Name: "user-tool"})
	for _, name := range append([]string{w.paths.Schemas(), w.paths.Risks()}, files...) {
		b.Source(UserStamp(name))
	}
	data, err := b.Build()
	if err != nil {
		w.t.Fatal(err)
	}
	w.write(w.paths.UserMap(), string(data))
}

func TestUserMapOlderThanItsSources(t *testing.T) {
	later := time.Now().Add(time.Hour)
	for _, tt := range []struct {
		name   string
		change func(w *world, schema string)
		file   string // that is named, below the configuration; "" for none
	}{
		{"nothing", func(*world, string) {}, ""},
		{"content", func(w *world, schema string) { w.write(schema, `{"a":1}`) }, "schemas/x.json"},
		{"time", func(_ *world, schema string) { os.Chtimes(schema, later, later) }, "schemas/x.json"},
		{"the target of a link", func(w *world, schema string) {
			w.write(filepath.Join(w.paths.Home, "dotfiles", "link.json"), `{"a":1}`)
		}, "schemas/link.json"},
		{"removed", func(_ *world, schema string) { os.Remove(schema) }, "schemas/x.json"},
		{"added", func(w *world, schema string) { w.write(filepath.Dir(schema)+"/y.json", `{}`) }, "schemas/y.json"},
		{"a risk file", func(w *world, _ string) { w.write(w.paths.Risks(), "") }, "risk.toml"},
		{"what editors keep", func(w *world, schema string) { w.write(filepath.Dir(schema)+"/.x.json.swp", "") }, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			schema := filepath.Join(w.paths.Schemas(), "x.json")
			link, target := filepath.Join(w.paths.Schemas(), "link.json"), filepath.Join(w.paths.Home, "dotfiles", "link.json")
			w.write(schema, `{}`)
			w.write(target, `{}`)
			if err := os.Symlink(target, link); err != nil {
				t.Fatal(err)
			}
			never := problem(t, OpenView(w.paths, ""))
			if s := (*StaleError)(nil); !errors.As(never, &s) || !s.Never {
				t.Errorf("never compiled: %v", never)
			}
			w.user(schema, link)
			tt.change(w, schema)
			v := OpenView(w.paths, "")
			if v.Root("user-tool") == nil {
				t.Error("the old map is not used: what it says of risks would not hold")
			}
			err, s := problem(t, v), (*StaleError)(nil)
			switch {
			case tt.file == "" && err != nil:
				t.Errorf("problem %v", err)
			case tt.file != "" && (!errors.As(err, &s) || s.Never || s.File != filepath.Join(w.paths.Config, tt.file)):
				t.Errorf("problem %v, want one with %s", err, tt.file)
			}
		})
	}
}

func TestSharedSystemMapMustBeRoots(t *testing.T) {
	w := newWorld(t)
	file := w.paths.SharedMaps()[0]
	w.image(file, "shared-tool")
	v := OpenView(w.paths, "")
	if os.Geteuid() == 0 {
		if v.Root("shared-tool") == nil {
			t.Errorf("root's map is not used: %v", v.Problems())
		}
		os.Chmod(file, 0o666)
		v = OpenView(w.paths, "")
	}
	if v.Root("shared-tool") != nil {
		t.Error("a map that others may write is used")
	}
	if err := problem(t, v); !errors.Is(err, ErrForeign) {
		t.Errorf("problem %v, want ErrForeign", err)
	}
	w.image(w.paths.SystemMap(), "own-tool")
	if v := OpenView(w.paths, ""); v.Root("own-tool") == nil || len(v.Problems()) > 0 {
		t.Errorf("the user's own system map does not go first: %v", v.Problems())
	}
}

// With a HOME that another user can write in, what lies there is not believed.
func TestForeignMapsAreNotUsed(t *testing.T) {
	for name, change := range map[string]func(file string) error{
		"another user's": func(file string) error { return os.Chown(file, 12345, 12345) },
		"everybody's":    func(file string) error { return os.Chmod(file, 0o666) },
		"a link to such": func(file string) error {
			target := file + ".target"
			if err := os.Rename(file, target); err != nil {
				return err
			}
			if err := os.Symlink(target, file); err != nil {
				return err
			}
			return os.Chmod(target, 0o666)
		},
	} {
		if name == "another user's" && os.Geteuid() != 0 {
			continue // only root can give a file away
		}
		w := newWorld(t)
		w.image(w.paths.SystemMap(), "system-tool")
		w.user()
		w.trust()
		for _, file := range []string{w.paths.SystemMap(), w.paths.UserMap(), w.paths.ProjectMap(w.project)} {
			if err := change(file); err != nil {
				t.Fatal(err)
			}
		}
		v := OpenView(w.paths, w.project)
		for _, tool := range []string{"system-tool", "user-tool", "project-tool"} {
			if v.Root(tool) != nil {
				t.Errorf("%s: %s is used", name, tool)
			}
		}
		if ps := v.Problems(); len(ps) != 3 || !errors.Is(ps[0].Err, ErrForeign) || !errors.Is(ps[1].Err, ErrForeign) || !errors.Is(ps[2].Err, ErrForeign) {
			t.Errorf("%s: problems %v", name, ps)
		}
		if TrustedProject(w.paths, w.project) != "" {
			t.Errorf("%s: the project is trusted", name)
		}
	}
}

func TestNoHome(t *testing.T) {
	none := place.Find(func(string) string { return "" })
	none.Shared = nil
	v := OpenView(none, t.TempDir())
	if v.Root("git") == nil {
		t.Error("the core does not answer")
	}
	if err := problem(t, v); !errors.Is(err, ErrNoHome) {
		t.Errorf("problem %v, want ErrNoHome", err)
	}
}

func TestFindProject(t *testing.T) {
	w := newWorld(t)
	home := w.paths.Home
	w.mkdir(home + "/.tmp/schemas")
	w.mkdir(home + "/runs-only/.tmp/runs")
	w.mkdir(home + "/linked")
	os.Symlink(w.project+"/.tmp", home+"/linked/.tmp")
	ceiling := w.paths
	ceiling.Ceilings = []string{w.project}
	tests := []struct {
		name  string
		paths place.Paths
		dir   string
		want  string
		err   error
	}{
		{"the directory itself", w.paths, w.project, w.project, nil},
		{"from below", w.paths, w.project + "/deep/down", w.project, nil},
		{"from a directory that is gone", w.paths, w.project + "/gone/below", w.project, nil},
		{"not clean", w.paths, w.project + "/deep/../deep/", w.project, nil},
		{"the home directory is none", w.paths, home, "", nil},
		{"nor is it found from below", w.paths, home + "/src", "", nil},
		{"runs alone make none", w.paths, home + "/runs-only", "", nil},
		{"a linked .tmp", w.paths, home + "/linked", home + "/linked", ErrSymlink},
		{"a ceiling", ceiling, w.project + "/deep", "", nil},
		{"relative", w.paths, "src", "", nil},
		{"the root", w.paths, "/", "", nil},
	}
	for _, tt := range tests {
		got, err := FindProject(tt.paths, tt.dir)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %q, %v; want %q, %v", tt.name, got, err, tt.want, tt.err)
		}
	}
}

func TestForeignProjectIsPassedOver(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to give a directory away")
	}
	w := newWorld(t)
	w.trust()
	if err := os.Chown(w.project+"/.tmp", 12345, 12345); err != nil {
		t.Skip(err)
	}
	if _, err := FindProject(w.paths, w.project); !errors.Is(err, ErrForeign) {
		t.Errorf("FindProject: %v, want ErrForeign", err)
	}
	v := OpenView(w.paths, w.project)
	if v.Root("project-tool") != nil || len(v.Problems()) > 0 {
		t.Errorf("a foreign project is used or named: %v", v.Problems())
	}
}
