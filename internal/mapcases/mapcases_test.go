package mapcases

import (
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

const table = Header + `
# comments and empty rows are passed over

risk	bash	git reset --hard	CRITICAL	DESTRUCTIVE	discards changes
risk	sh	git status	SAFE|LOW	-	reads
tab	zsh	git re	reset rebase !push	-	sub-commands by their first letters
`

func TestParseAndRun(t *testing.T) {
	cases, err := Parse([]byte(table))
	if err != nil || len(cases) != 3 || cases[0].Row != 4 || cases[2].Row != 6 {
		t.Fatalf("%+v, %v", cases, err)
	}
	v := tcpdb.NewView(tcpdb.Core())
	for _, c := range cases {
		if wrong := c.Wrong(v, t.TempDir()); wrong != "" {
			t.Errorf("%s %s", c.Line, wrong)
		}
	}
}

// TestWrong: a case that does not hold says what is wrong.
func TestWrong(t *testing.T) {
	v := tcpdb.NewView(tcpdb.Core())
	for row, want := range map[string]string{
		"risk\tbash\tgit reset --hard\tSAFE|LOW\t-\tx":             "is CRITICAL",
		"risk\tbash\tgit reset --hard\tCRITICAL\tREQUIRES_ROOT\tx": "want also [REQUIRES_ROOT]",
		"tab\tbash\tgit re\tpush\t-\tx":                            "does not offer push",
		"tab\tfish\tgit re\t!reset\t-\tx":                          "offers reset",
		"risk\tbash\ttrue⏎git reset --hard\tLOW\t-\ta line break":  "is CRITICAL",
	} {
		cases, err := Parse([]byte(Header + "\n" + row))
		if err != nil {
			t.Fatal(err)
		}
		if wrong := cases[0].Wrong(v, t.TempDir()); !strings.Contains(wrong, want) {
			t.Errorf("%q: %q, want %q", row, wrong, want)
		}
	}
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"x":                                  "row 1",
		Header + "\nrisk\tbash\tls\tSAFE\t-": "row 2: 5 columns",
		Header + "\n\nrisk\ttcsh\tls\tSAFE\t-\tx":  "row 3: shell",
		Header + "\nrisk\tbash\tls\tFINE\t-\tx":    "row 2: level",
		Header + "\nrisk\tbash\tls\tSAFE\tNICE\tx": "row 2",
		Header + "\ntab\tbash\tls\t\t-\tx":         "row 2: want is empty",
		Header + "\nenter\tbash\tls\tSAFE\t-\tx":   "row 2: door",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(table))
	f.Fuzz(func(t *testing.T, data []byte) {
		cases, err := Parse(data)
		if err != nil {
			return
		}
		for _, c := range cases {
			if c.Door == "risk" && len(c.Levels) == 0 || c.Door == "tab" && len(c.Offered)+len(c.Kept) == 0 {
				t.Errorf("%+v asks for nothing", c)
			}
		}
	})
}
