package textdiff

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestUnified(t *testing.T) {
	for _, tt := range []struct{ name, a, b, want string }{
		{"equal", "a\nb\n", "a\nb\n", ""},
		{"one line", "a\nb\nc\n", "a\nx\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"},
		{"from nothing", "", "a\n", "@@ -0,0 +1 @@\n+a\n"},
		{"to nothing", "a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n"},
		{"end of line", "a\n", "a", "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"},
		{
			"two hunks", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "x\n2\n3\n4\n5\n6\n7\n8\ny\n",
			"@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+y\n",
		},
	} {
		if got := Unified(tt.a, tt.b); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// Taken apart again, the edits are the two texts.
func TestEditsHoldBoth(t *testing.T) {
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "d\n"}), 0, 30)
	rapid.Check(t, func(t *rapid.T) {
		a, b := lines.Draw(t, "a"), lines.Draw(t, "b")
		var x, y strings.Builder
		changes := 0
		for _, e := range compare(a, b) {
			if e.op != '+' {
				x.WriteString(e.line)
			}
			if e.op != '-' {
				y.WriteString(e.line)
			}
			if e.op != ' ' {
				changes++
			}
		}
		if x.String() != strings.Join(a, "") || y.String() != strings.Join(b, "") {
			t.Fatalf("the edits make %q and %q", x.String(), y.String())
		}
		if want := len(a) + len(b) - 2*common(a, b); changes != want {
			t.Fatalf("%d changes, the least are %d", changes, want)
		}
	})
}

// common is the length of the longest common subsequence.
func common(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			up := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(up, row[j])
			}
			diagonal = up
		}
	}
	return row[len(b)]
}

func TestFarApart(t *testing.T) {
	a, b := strings.Repeat("a\n", 3*maxEdits), strings.Repeat("b\n", 3*maxEdits)
	if removed, added := Count(a, b); removed != 3*maxEdits || added != 3*maxEdits {
		t.Errorf("%d removed, %d added", removed, added)
	}
}
