package tcpdb

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what testdata holds as text anew, when the types have changed")

// Files of every version stay readable: testdata/v<N>.tcpdb was written by the
// program of that version and is never written again.
func TestOldFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/v*.tcpdb")
	if err != nil || len(files) != FormatVersion {
		t.Fatalf("%d files for %d versions", len(files), FormatVersion)
	}
	for _, file := range files {
		im, err := Map(file)
		if err != nil {
			t.Fatal(err)
		}
		if errs := Verify(im); len(errs) > 0 {
			t.Errorf("%s: %v", file, errs)
		}
		got, problems := answers(im)
		text := strings.TrimSuffix(file, "tcpdb") + "txt"
		if *update {
			if err := os.WriteFile(text, []byte(strings.Join(got, "\n")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(text)
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), got); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
}
