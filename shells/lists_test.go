package shells_test

import (
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

// A list fits the screen: readline never stops to ask for more, what is left out
// is counted, and what is cut says so.
func TestBashListFits(t *testing.T) {
	for _, c := range []struct {
		name  string
		s     setup
		typed string
		want  []string
	}{
		{"many", setup{rows: 24, cols: 40}, "mt many value-", []string{" more"}},
		{"many on a small screen", setup{rows: 8, cols: 20}, "mt many value-", []string{"… 2", " more"}},
		{"with notes", setup{rows: 24}, "mt desc ", []string{"alpha     the first", "[CRITICAL] throw away"}},
		{"with notes that do not fit", setup{rows: 8}, "mt noted noted-", []string{"noted-01", "noted-18 [HIGH]", "noted-20"}},
		{"with notes that do not fit without either", setup{rows: 6, cols: 30}, "mt noted noted-", []string{"noted-01", "… 17 more"}},
		{"a long name", setup{rows: 24, cols: 40}, "mt long ", []string{strings.Repeat("l", 38) + "…"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := start(t, "bash", c.s)
			x.Keys(c.typed + "\t\t")
			x.Wait("the list", func(s *shelltest.Screen) bool {
				for _, w := range c.want {
					if !strings.Contains(s.String(), w) {
						return false
					}
				}
				return strings.HasSuffix(s.Before(), strings.TrimSpace(c.typed)[4:]) || strings.HasSuffix(s.Before(), c.typed)
			})
			if strings.Contains(x.Raw(), "--More--") {
				t.Errorf("a page\n%s", x.Screen())
			}
		})
	}
}

// A file whose name would be an option is offered by fish as well.
func TestRealFishDashFile(t *testing.T) {
	realShells(t, "fish", setup{}, func(_ *testing.T, x *shell) {
		x.write("work/--flag.txt", "")
		x.Keys("cat \t")
		x.line("cat " + x.dir + "/--flag.txt |")
		x.clear()
		x.tab("cat ./", "cat ./--flag.txt ")
	})
}
