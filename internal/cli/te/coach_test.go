package te

import (
	"strings"
	"testing"
)

// TestCoach: what followed a cut answer, as far as it can be seen.
func TestCoach(t *testing.T) {
	b := newBench(t)
	if r := b.te("coach", "report"); r.status != 0 || r.out != "no answers are recorded yet\n" {
		t.Errorf("%+v", r)
	}
	id, _ := b.stored() // cut, then its handle
	b.te("--handle", id)
	b.te("--max-chars", "2000", "grep", "-rn", "foo", ".") // cut, then raw
	b.te("-i", "grep", "-rn", "foo", ".")
	b.te("--max-chars", "2000", "grep", "-rn", "foo", ".")  // cut, then again
	b.te("--max-chars", "2000", "grep", "-rni", "foo", ".") // cut, then nothing
	b.te("cat", "src/a.py")
	r := b.te("coach", "report")
	lines := strings.Split(r.out, "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[2], "grep") {
		t.Fatalf("%q", r.out)
	}
	got := strings.Fields(lines[2])
	if got[1] != "default" || got[2] != "4" || got[3] != "4" || got[4] != "1," || got[7] != "1," || got[10] != "1," || got[len(got)-1] != "1" {
		t.Errorf("%q", lines[2])
	}
}
