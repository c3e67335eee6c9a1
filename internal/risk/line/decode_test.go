package line

import (
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/shline"
)

// The payloads were encoded with base64(1), xxd(1) and rev(1), not by this code.
func TestOutputOfLiterals(t *testing.T) {
	for line, want := range map[string]string{
		`echo -n a 'b c'`:                               "a b c\n",
		`echo -e 'a\x41\n\0102'`:                        "aA\nB\n",
		`printf '%s-%s\n' a b c d`:                      "a-b\nc-d\n",
		`printf 'r\155 %%x'`:                            "rm %x",
		`printf '\u0072m'`:                              "rm",
		`echo cm0gLXJmIC9zcnYvZGF0YQo= | base64 -d`:     "rm -rf /srv/data\n",
		`base64 --decode <<< 'cm0gLXJmIC9zcnYvZGF0YQo'`: "rm -rf /srv/dat", // cut short: what can be read counts
		`echo 726d2078 | xxd -r -p`:                     "rm x",
		`echo 'x mr' | rev`:                             "rm x\n",
		`echo ez k | tr a-z n-za-m`:                     "rm x\n",
		`echo 'r.m. x' | tr -d . | tee log | cat -`:     "rm x\n",
		"cat <<'E' | rev\nx mr\nE":                      "rm x\n",
	} {
		p := parse(&text{s: line, dialect: shline.Bash, literal: true})
		got, ok := (&run{judge: &judge{}}).output(p.commands)
		if got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v; want %q", line, got, ok, want)
		}
	}
	for _, line := range []string{`cat f`, `echo $x`, `base64 -d f`, `echo x | sed s/x/y/`, `printf '%q' x`, `ls`, `echo * | rev`, `tr a b`, `x=1`} {
		p := parse(&text{s: line, dialect: shline.Bash, literal: true})
		if got, ok := (&run{judge: &judge{}}).output(p.commands); ok {
			t.Errorf("%s: %q is said to be its output", line, got)
		}
	}
}

func FuzzFilter(f *testing.F) {
	f.Add("printf", `%s\x4`, "a", "in")
	f.Add("tr", "z-a", "a-", "in")
	f.Add("base64", "-d", "", "YQ")
	f.Add("echo", "-e", `\u12\07777`, "")
	f.Fuzz(func(t *testing.T, name, a, b, in string) {
		filter([]string{name, a, b}, in)
		filter([]string{name, a}, in)
	})
}
