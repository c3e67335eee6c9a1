package line

import "testing"

// TestSenses holds letters and words that mean different things in different
// tools to what each of the tools means by them.
func TestSenses(t *testing.T) {
	for _, r := range familyRows(t, "testdata/senses.tsv") {
		if wrong := r.wrong(); wrong != "" {
			t.Errorf("%s %s", r.command, wrong)
		}
	}
}
