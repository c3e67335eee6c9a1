package git

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What git clean says that it would remove is the measure: where it would remove
// nothing, there is nothing lost nor rebuilt; where it would remove something
// that no build makes, something is lost.
func TestGitCleaned(t *testing.T) {
	dir := newRepo(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	writeFile(t, at(".gitignore"), "node_modules/\n*.o\n.env\nsecret/\n")
	for _, name := range []string{"kept", "src/a", "forced.o", "pure/a", "made/a", "private/a"} {
		writeFile(t, at(name), name)
	}
	gitRun(t, dir, "add", "-f", ".")
	gitRun(t, dir, "commit", "-q", "-m", "files")
	for _, name := range []string{
		"src/new", "src/b.o", "made/b.o", "made/node_modules/x", "made/deep/node_modules/y", "private/.env",
		"fresh/x", "fresh/b.o", "secret/x", "linked/in/x.o",
	} {
		writeFile(t, at(name), "x")
	}
	writeFile(t, at("kept"), "changed") // what is tracked stays
	w, err := OpenWork(context.Background(), dir, gitEnv)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	rebuilt := func(name string, isDir bool) bool {
		return isDir && name == "node_modules" || !isDir && filepath.Ext(name) == ".o"
	}
	for _, path := range []string{"", "src", "pure", "made", "private", "fresh", "secret", "linked", "src/new", "src/b.o", "made/node_modules", "secret/x", "kept"} {
		for options, c := range map[string]CleanOf{
			"": {Untracked: true}, "-d": {Untracked: true, Directories: true},
			"-x": {Untracked: true, Ignored: true}, "-dx": {Untracked: true, Ignored: true, Directories: true},
			"-X": {Ignored: true}, "-dX": {Ignored: true, Directories: true},
		} {
			args := []string{"-C", dir, "-c", "core.quotePath=false", "clean", "-n"}
			if options != "" {
				args = append(args, options)
			}
			if path != "" {
				args = append(args, "--", path)
				c.Directories = true
			}
			out, err := exec.Command("git", args...).Output()
			if err != nil {
				t.Fatalf("git %q: %v", args, err)
			}
			removed, kept := 0, 0
			for line := range strings.Lines(string(out)) {
				name, ok := strings.CutPrefix(strings.TrimSpace(line), "Would remove ")
				if !ok {
					continue
				}
				removed++
				if base := filepath.Base(name); !rebuilt(base, strings.HasSuffix(name, "/")) {
					kept++
				}
			}
			f := w.Cleaned(path, c, rebuilt)
			if removed > 0 && f.Lost == "" && f.Rebuilt == 0 || kept > 0 && f.Lost == "" && !strings.Contains(string(out), "linked/") && !strings.Contains(string(out), "deep/") {
				t.Errorf("clean %s %s: %+v, but git says\n%s", options, path, f, out)
			}
			if removed == 0 && (f.Lost != "" || f.Rebuilt > 0) {
				t.Errorf("clean %s %s: %+v, but git removes nothing", options, path, f)
			}
		}
	}
}
