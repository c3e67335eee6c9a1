package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// skeleton is a project with questions and their answers, as a file of testdata
// holds it: sections "== FILE name" and "== ASK [directory]". A question is
// "words => command", several commands of which each is right divided by " | ", with
// " @ directory" where it does not run at the root; "words => !reason" is refused.
type skeleton struct {
	name  string
	files map[string]string
	asks  []asked
}

type asked struct {
	dir, words string
	want       []string
	refused    string // "*" for any reason
}

func readSkeleton(t *testing.T, path string) skeleton {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := skeleton{name: strings.TrimSuffix(filepath.Base(path), ".txt"), files: map[string]string{}}
	file, dir, asking := "", "", false
	for line := range strings.Lines(string(data)) {
		switch {
		case strings.HasPrefix(line, "== FILE "):
			file, asking = strings.TrimSpace(line[8:]), false
			s.files[file] = ""
		case strings.HasPrefix(line, "== ASK"):
			dir, file, asking = strings.TrimSpace(line[6:]), "", true
		case asking:
			words, want, ok := strings.Cut(strings.TrimSpace(line), " => ")
			if !ok {
				continue
			}
			a := asked{dir: dir, words: words}
			if rest, ok := strings.CutPrefix(want, "!"); ok {
				if a.refused = rest; rest == "" {
					a.refused = "*"
				}
			} else {
				a.want = strings.Split(want, " | ")
			}
			s.asks = append(s.asks, a)
		case file != "":
			s.files[file] += line
		}
	}
	return s
}

// check asks one question and says what is wrong with the answer.
func (a asked) check(root string) (wrong bool, text string) {
	p, ok := Open(Disk{}, filepath.Join(root, a.dir), Who{UID: uint32(os.Getuid())}, CoreRoles(), nil)
	if !ok {
		return false, "no project"
	}
	got := p.Ask(a.words)
	if got.Play == nil {
		if a.refused == "*" || a.refused == got.Reason || a.refused != "" && got.Reason != "" {
			return false, ""
		}
		return false, "refused " + got.Reason + ": " + got.Message
	}
	line := strings.Join(got.Play.Argv, " ")
	if got.Play.Dir != "." {
		line += " @ " + got.Play.Dir
	}
	if a.refused != "" || !slices.Contains(a.want, line) {
		return true, "WRONG: " + line
	}
	return false, ""
}

// TestSkeletons asks each project of testdata what its people ask. A wrong answer
// fails; so does a set that is answered less than it was.
func TestSkeletons(t *testing.T) {
	for set, least := range map[string]float64{"everyday": 1, "providers": 0.95, "repositories": 0.9, "kinds": 1} {
		paths, _ := filepath.Glob("testdata/" + set + "/*.txt")
		right, all, kept, refusals := 0, 0, 0, 0
		for _, path := range paths {
			s := readSkeleton(t, path)
			dir := tree(t, s.files)
			if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
				t.Fatal(err)
			}
			for _, a := range s.asks {
				wrong, text := a.check(dir)
				if a.refused != "" {
					refusals++
				} else {
					all++
				}
				switch {
				case wrong:
					t.Errorf("%s/%s: %q: %s, want %v%s", set, s.name, a.words, text, a.want, a.refused)
				case text != "":
					t.Logf("%s/%s: %q: %s, want %v", set, s.name, a.words, text, a.want)
				case a.refused != "":
					kept++
				default:
					right++
				}
			}
		}
		if all > 0 {
			t.Logf("%s: %d projects, %d of %d answered rightly, %d of %d refused", set, len(paths), right, all, kept, refusals)
			if float64(right) < least*float64(all) {
				t.Errorf("%s: %d of %d answered", set, right, all)
			}
		}
	}
}
