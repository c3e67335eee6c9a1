package line

import (
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// last is the finding that stands furthest right among those from HIGH up.
func last(v *Verdict) *Finding {
	var at *Finding
	for i := range v.Findings {
		if f := &v.Findings[i]; f.Level >= tcpdb.High && (at == nil || f.Start > at.Start) {
			at = f
		}
	}
	return at
}

// TestOrder: what commands before the last may have written by then: "*" for
// anything, "" for nothing.
func TestOrder(t *testing.T) {
	v := tcpdb.NewView(tcpdb.Core())
	for text, want := range map[string]string{
		"git reset --hard": "",
		"git status; git diff | cat; git reset --hard": "",
		"git fetch && git reset --hard":                "",
		"cat x > /dev/null; rm a":                      "",
		"ls 2>&1; rm a":                                "",
		"vim a; git reset --hard":                      "a",
		"echo x > a; rm a":                             "a",
		"echo x >> ~/b 2> c; rm a":                     "~/b c",
		"touch a b{1,2} d/*; rm a":                     "a b1 b2 d/",
		"cp x y | tee z; rm a":                         "x y z",
		"git stash pop && git reset --hard":            "*",
		"git checkout other; rm a":                     "*",
		"unzip n.zip -d docs; rm -rf docs":             "*",
		"nobodyknows; rm a":                            "*",
		"make && rm a":                                 "*",
		"python3 x.py; rm a":                           "*",
		"sh -c 'vim b'; rm a":                          "*",
		"echo > $x; rm a":                              "*",
		"$x; rm a":                                     "*",
		"vim b; sh -c 'rm a'":                          "b",
		"X=$(vim b) git reset --hard":                  "b",
		"git reset --hard > b":                         "",
		"for i in 1 2; do rm a; vim b; done":           "b",
		"rm a; vim b":                                  "",
		"rm a; npm run format":                         "",
		"f() { vim b; }; f; rm a":                      "b",
	} {
		got := Judge(v, text, shline.Bash, risk.Facts{Installed: func(s string) bool { return s != "nobodyknows" }}, Options{})
		f := last(&got)
		if f == nil {
			t.Errorf("%s: no finding", text)
			continue
		}
		wrote := ""
		if f.Earlier != nil {
			wrote = show(f.Earlier.Paths)
			if f.Earlier.All {
				wrote = "*"
			}
		}
		if wrote != want {
			t.Errorf("%s: %q, want %q", text, wrote, want)
		}
	}
}

func TestBraces(t *testing.T) {
	for word, want := range map[string]string{
		"a": "a", "a{b,c}d": "abd acd", "{a,b}{c,d}": "ac ad bc bd", "{a,{b,c}x}": "a bx cx", "x{,.old}": "x x.old", "x{1..3}": "x1 x2 x3",
		"x{3..1}": "x3 x2 x1", "a{b": "", "a{b}": "", "{1..1000}": "", "{01..03}": "", "{a..c}": "",
	} {
		if got := strings.Join(braced(word), " "); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

// TestFresh: what mktemp has made on the line holds nothing of before.
func TestFresh(t *testing.T) {
	v := tcpdb.NewView(tcpdb.Core())
	for text, want := range map[string]bool{
		`d=$(mktemp -d); rm -rf "$d"`:                      true,
		"d=`mktemp -d`; cp a $d; rm -rf ${d}":              true,
		`d="$(mktemp -d -t x.XXX)" && rm -rf "$d"`:         true,
		`d=$(mktemp -d); mv a "$d"; rm -rf "$d"`:           false,
		`d=$(mktemp -d); d=/; rm -rf "$d"`:                 false,
		`d=$(mktemp -d); rm -rf "$d"/*`:                    false,
		`d=$(mktemp -d); rm -rf "$d/.."`:                   false,
		`d=$(mktemp -d); read d; rm -rf "$d"`:              false,
		`d=$(mktemp -d || echo /); rm -rf "$d"`:            false,
		`d=(mktemp -d); rm -rf "$d"`:                       false,
		`rm -rf "$d"; d=$(mktemp -d)`:                      false,
		`for d in *; do d=$(mktemp -d); rm -rf "$d"; done`: false,
		`TMPDIR=x; d=$(mktemp -d); rm -rf "$d"`:            false,
	} {
		got := Judge(v, text, shline.Bash, risk.Facts{}, Options{})
		f := last(&got)
		if f == nil || slices.ContainsFunc(f.Targets, func(t Target) bool { return t.Fresh }) != want {
			t.Errorf("%s: %+v", text, f)
		}
	}
}

// A line without its end is judged as far as it goes, and is at least HIGH where
// no person is asked for the rest.
func TestUnfinished(t *testing.T) {
	v := tcpdb.NewView(tcpdb.Core())
	for text, want := range map[string][2]tcpdb.Level{
		"sh <<EOF\nrm -f x":              {tcpdb.Critical, tcpdb.Critical},
		"cat <<EOF | bash\nrm -f x\n":    {tcpdb.Critical, tcpdb.Critical},
		"sh <<A\nls\nA\nsh <<B\nrm -f x": {tcpdb.Critical, tcpdb.Critical},
		"cat <<EOF\nrm -f x":             {tcpdb.High, tcpdb.Safe},
		"ls &&":                          {tcpdb.High, tcpdb.Safe},
		"echo 'x":                        {tcpdb.High, tcpdb.Safe},
	} {
		for i, waits := range []bool{false, true} {
			for _, d := range []shline.Dialect{shline.Bash, shline.Zsh} {
				got := Judge(v, text, d, risk.Facts{}, Options{Waits: waits})
				if got.Complete || got.Level != want[i] {
					t.Errorf("%q waits %v: %v, complete %v, want %v", text, waits, got.Level, got.Complete, want[i])
				}
			}
		}
	}
	if got := Judge(v, "bash <<'A' <<B\nls\nA\nrm x\nB", shline.Bash, risk.Facts{}, Options{}); got.Level != tcpdb.Critical {
		t.Errorf("the last of two: %v", got.Level)
	}
}

// A loop over a pattern does what the command does with the pattern.
func TestPatternLoops(t *testing.T) {
	v := tcpdb.NewView(tcpdb.Core())
	for text, want := range map[string]string{
		`for f in *; do rm "$f"; done`:        "rm.glob",
		`for f in a *.o; do rm -f ./$f; done`: "rm.glob",
		`for f in a b; do rm "$f"; done`:      "rm",
		`for f in *; do f=x; rm "$f"; done`:   "rm",
		`for f in *; do $f; done`:             risk.Computed,
	} {
		got := Judge(v, text, shline.Bash, risk.Facts{}, Options{})
		if len(got.Findings) == 0 || got.Findings[0].Rule != want {
			t.Errorf("%s: %+v, want %s", text, got.Findings, want)
		}
	}
}

// Programs and code that come by a descriptor or by the environment.
func TestByTheWay(t *testing.T) {
	v := tcpdb.NewView(tcpdb.Core())
	for text, want := range map[string]tcpdb.Level{
		"bash /dev/fd/3 3<<< 'rm -rf x'":                         tcpdb.Critical,
		"sh /proc/self/fd/9 9<<E\nrm x\nE":                       tcpdb.Critical,
		"python3 /dev/stdin <<< 'import os; os.remove(\"x\")'":   tcpdb.Critical,
		"python3 x.py <<< 'import os; os.remove(\"x\")'":         tcpdb.Medium,
		"RSYNC_RSH='rm -rf x' rsync a h:b":                       tcpdb.Critical,
		"RSYNC_RSH=ssh rsync a h:b":                              tcpdb.Medium,
		"PATH=/x:$PATH ls":                                       tcpdb.Medium,
		"PATH=/usr/local/go/bin:$HOME/bin:~/.cargo/bin:$PATH ls": tcpdb.Safe,
		"NODE_OPTIONS=--require=/x ls":                           tcpdb.Medium,
		"NODE_OPTIONS=--max-old-space-size=4096 ls":              tcpdb.Safe,
		"mytool \"$UNSET\"":                                      tcpdb.High,
	} {
		got := Judge(v, text, shline.Bash, risk.Facts{}, Options{})
		if got.Level != want {
			t.Errorf("%q: %v, want %v: %+v", text, got.Level, want, got.Findings)
		}
	}
	for text, want := range map[string]string{"mytool \"$UNSET\"": "told to do", "git \"$UNSET\"": "which command"} {
		got := Judge(v, text, shline.Bash, risk.Facts{}, Options{})
		if len(got.Findings) == 0 || !strings.Contains(got.Findings[0].Reason, want) {
			t.Errorf("%q: %+v", text, got.Findings)
		}
	}
}
