package te

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// library is a standard library on this machine.
type library struct {
	name, ending string
	dir          func() string
	defines      *regexp.Regexp // the name is the first group
	is           string         // what a line that defines NAME looks like
}

var libraries = []library{
	{
		"Go", ".go", func() string {
			out, err := exec.Command("go", "env", "GOROOT").Output()
			if err != nil {
				return ""
			}
			return filepath.Join(strings.TrimSpace(string(out)), "src", "net")
		}, regexp.MustCompile(`^(?:func (?:\([^)]*\) )?|type |const |var )([A-Za-z_]\w{2,})`), `^\s*(func (\([^)]*\) )?|type |const |var )?NAME\b`,
	},
	{
		"Python", ".py", func() string {
			out, err := exec.Command("python3", "-c", "import os, email; print(os.path.dirname(os.path.dirname(email.__file__)))").Output()
			if err != nil {
				return ""
			}
			return filepath.Join(strings.TrimSpace(string(out)), "asyncio")
		}, regexp.MustCompile(`^\s*(?:async )?(?:def|class) ([A-Za-z_]\w{2,})`), `^\s*(async )?(def|class) NAME\b`,
	},
}

// TestDefinitionsComeFirst: of names that a standard library defines, what is shown
// first is a definition, in 95 of 100 cases at least.
func TestDefinitionsComeFirst(t *testing.T) {
	for _, lib := range libraries {
		t.Run(lib.name, func(t *testing.T) {
			dir := lib.dir()
			if dir == "" || !isDir(dir) {
				t.Skip("not on this machine")
			}
			names := definedNames(t, dir, &lib)
			if len(names) < 50 {
				t.Skipf("%d names in %s", len(names), dir)
			}
			rnd := rand.New(rand.NewPCG(1, 1))
			b := newBench(t)
			b.dir = dir
			n, first := min(runs(t, 30), len(names)), 0
			for _, i := range rnd.Perm(len(names))[:n] {
				_, body := b.te("--timeout", "60", "grep", "-rw", "--include=*"+lib.ending, names[i], ".").meta(t)
				line, _, _ := strings.Cut(body, "\n")
				parts := strings.SplitN(line, ":", 3)
				if len(parts) == 3 && regexp.MustCompile(strings.ReplaceAll(lib.is, "NAME", names[i])).MatchString(parts[2]) {
					first++
				} else {
					t.Logf("%s: %s", names[i], line)
				}
			}
			if first*100 < 95*n {
				t.Errorf("%d of %d", first, n)
			}
		})
	}
}

// definedNames lists what the files of a library define, its tests left out.
func definedNames(t *testing.T, dir string, lib *library) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() && slices.Contains([]string{"testdata", "test", "vendor"}, d.Name()) {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != lib.ending || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		for line := range strings.Lines(string(text)) {
			if m := lib.defines.FindStringSubmatch(line); m != nil {
				names = append(names, m[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
