package code

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// A variable that a literal is assigned to stands for the first one, and only
// behind it.
func TestAwkVariables(t *testing.T) {
	for code, want := range map[string]string{
		`BEGIN { c = "rm x"; system(c) }`:                "rm x",
		`BEGIN { c = "rm x"; c = "ls"; system(c) }`:      "rm x",
		`BEGIN { a = "rm x"; b = a; system(b) }`:         "rm x",
		`BEGIN { system(c); c = "rm x" }`:                "",
		`BEGIN { c = "rm " "x"; system(c) }`:             "",
		`BEGIN { c = "ls"; d = "rm x"; system(d " y") }`: "rm xx y",
	} {
		v := awkProgram(code)
		got := ""
		for _, l := range v.Lines {
			got += l
		}
		if got != want {
			t.Errorf("%s: runs %q, want %q", code, got, want)
		}
	}
}

// A program handed to an interpreter as a variable is the text of the variable.
func TestCodeVariables(t *testing.T) {
	for code, want := range map[string]string{
		"c = 'rm x'\nos.system(c)":           "rm x",
		"c = 'rm x'\nc = 'ls'\nos.system(c)": "rm x",
		"os.system(c)\nc = 'rm x'":           "",
	} {
		v := Read("python", code)
		got := ""
		for _, l := range v.Lines {
			got += l
		}
		if got != want || want == "" && v.Level != tcpdb.High {
			t.Errorf("%q: runs %q, want %q (%v)", code, got, want, v.Level)
		}
	}
}

// Twice the text takes about twice the time: many variables and many calls.
func TestVariablesLinear(t *testing.T) {
	for _, c := range []struct {
		lang, one string
	}{{"python", "a%d='x'\nos.system(b%d)\n"}, {"awk", "a%d=\"x\";system(b%d);"}} {
		var text strings.Builder
		for i := 0; text.Len() < 1<<20; i++ {
			fmt.Fprintf(&text, c.one, i, i)
		}
		start := time.Now()
		Read(c.lang, text.String())
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%s: %v for a megabyte", c.lang, took)
		}
	}
}
