package line

import (
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/tool-mapping-protocol/tmp/internal/shline"
)

// A here-document without its end is told from other errors by where the error is.
func TestUnclosed(t *testing.T) {
	for _, c := range []struct {
		text, end string
		open      bool
	}{
		{"cat <<EOF\nx", "EOF", true},
		{"cat <<-EOF\n\tx\n", "EOF", true},
		{"cat 3<<'E F'\nx", "E F", true},
		{"cat {fd}<< \"E\"x\nx", "Ex", true},
		{"cat <<\\EOF; rm x\ny", "EOF", true},
		{"ls; cat <<A <<B\nA\nx\n", "B", true},
		{"cat <<", "", false},
		{"cat << ;", "", false},
		{"cat <<<", "", false},
		{"echo 'x", "", false},
		{"if true; then", "", false},
	} {
		_, err := parseShell(syntax.LangBash, c.text)
		if err == nil {
			t.Errorf("%q parses", c.text)
			continue
		}
		end, open := unclosed(shline.Bash, c.text, err)
		if open != c.open || open && end != c.end {
			t.Errorf("%q (%v): %q %v, want %q %v", c.text, err, end, open, c.end, c.open)
		}
	}
}
