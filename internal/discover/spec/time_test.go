package spec

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestGreatInput: time grows with the size of what is read, whatever it is.
func TestGreatInput(t *testing.T) {
	const n = 100_000
	for name, text := range map[string]string{
		"usage flags":      "bin \"x\"\n" + strings.Repeat("flag \"--a\"\n", n/10),
		"usage names":      "bin \"x\"\n" + distinct("flag \"--a%d\"\n", n),
		"usage commands":   "bin \"x\"\n" + distinct("cmd \"a%d\"\n", n),
		"yaml names":       "name: x\nflags:\n" + distinct("  --a%d: b\n", n),
		"json names":       "{" + distinct("\"a%d\":1,", n) + "\"tool\":\"x\"}",
		"usage words":      "bin \"x\" " + strings.Repeat("a ", n),
		"usage properties": "bin \"x\" " + strings.Repeat("a=1 ", n/4),
		"usage comments":   strings.Repeat("/*", n),
		"usage slashes":    "bin \"x\" \\" + strings.Repeat("\\", n),
		"usage string":     "bin \"" + strings.Repeat("\\n", n),
		"yaml list":        "name: x\naliases: " + strings.Repeat("[", n),
		"yaml flags":       "name: x\nflags:\n" + strings.Repeat("  --a: b\n", n/10),
		"yaml flow":        "name: x\nflags: {" + strings.Repeat("a,", n/2),
		"yaml anchors":     "name: x\naliases: [" + strings.Repeat("&a a,", n/5),
		"json":             `{"tool":"x","node":{"name":"x","flags":[` + strings.Repeat(`{"names":["-a"]},`, n/20),
	} {
		o := options()
		o.Format, _, _ = parseFormat(name)
		begin := time.Now()
		_, err := Read(t.Context(), "x", []byte(text), o)
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%s: %v (%v)", name, took, err)
		}
	}
}

func distinct(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func parseFormat(name string) (Format, string, bool) {
	word, rest, ok := strings.Cut(name, " ")
	switch word {
	case "yaml":
		return Carapace, rest, ok
	case "json":
		return Map, rest, ok
	}
	return Usage, rest, ok
}
