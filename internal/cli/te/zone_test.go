package te

import (
	"strings"
	"testing"
)

// TestOneFileHasNoHotZone: of a file that was named, its directory is no news; of a
// directory it is.
func TestOneFileHasNoHotZone(t *testing.T) {
	b := newBench(t).write("d/a.go", "func a() {}\nfunc b() {}\n")
	meta, _ := b.te("grep", "func", "d/a.go").meta(t)
	if z := meta["hot_zone"]; z != nil {
		t.Errorf("hot_zone of one file is %v", z)
	}
	if meta, _ = b.te("grep", "func", ".").meta(t); meta["hot_zone"] != "d/ (100%)" {
		t.Errorf("hot_zone of a directory is %v", meta["hot_zone"])
	}
}

func TestHelpHasExamples(t *testing.T) {
	if out := newBench(t).te("--help").out; !strings.Contains(out, "\nexamples\n  te grep ") {
		t.Error(out)
	}
}
