package tcpdb

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write testdata anew, for a new format version only")

// Files of every version stay readable: testdata/v<N>.tcpdb was written by the
// program of that version and is never written again.
func TestOldFiles(t *testing.T) {
	if *update {
		im, err := Parse(fullImage(t))
		if err != nil {
			t.Fatal(err)
		}
		want, _ := answers(im)
		if os.WriteFile("testdata/v1.tcpdb", fullImage(t), 0o644) != nil ||
			os.WriteFile("testdata/v1.txt", []byte(strings.Join(want, "\n")), 0o644) != nil {
			t.Fatal("cannot write")
		}
	}
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
		want, err := os.ReadFile(strings.TrimSuffix(file, "tcpdb") + "txt")
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), got); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
}
