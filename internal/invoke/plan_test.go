package invoke

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func TestExpand(t *testing.T) {
	for _, tt := range []struct {
		template string
		params   map[string]string
		want     []string // nil: an error
		param    bool     // the error is about a parameter
	}{
		{"cargo test <opt>", nil, []string{"cargo", "test"}, false},
		{"cargo test <opt>", map[string]string{"opt": "parser"}, []string{"cargo", "test", "parser"}, false},
		{"cargo test <opt>", map[string]string{"opt": "a b; $(x) 'y'"}, []string{"cargo", "test", "a b; $(x) 'y'"}, false},
		{"cargo test --package=<opt>", nil, []string{"cargo", "test"}, false},
		{"cargo test --package=<opt>", map[string]string{"opt": "core"}, []string{"cargo", "test", "--package=core"}, false},
		{"cargo test --package=<opt>", map[string]string{"opt": "-core"}, []string{"cargo", "test", "--package=-core"}, false},
		{"git log -n<req>", map[string]string{"req": "5"}, []string{"git", "log", "-n5"}, false},
		{"git checkout <req>", nil, nil, true},
		{"git checkout <req>", map[string]string{"req": "-rf"}, nil, true},
		{"git checkout <req>", map[string]string{"req": "--"}, nil, true},
		{"git checkout <req>", map[string]string{"req": "a\x00b"}, nil, true},
		{"git add -- <req>", map[string]string{"req": "-rf"}, []string{"git", "add", "--", "-rf"}, false},
		{"<req> x", map[string]string{"req": "rm"}, nil, false},
		{"git checkout <other>", nil, nil, false},
		{"cat <", nil, []string{"cat", "<"}, false},
		{"cat <>", nil, []string{"cat", "<>"}, false},
		{"", nil, nil, false},
	} {
		op := &tcpdb.Operation{ID: "x.y", Template: strings.Fields(tt.template), Params: []tcpdb.Param{{Name: "req", Required: true}, {Name: "opt"}}}
		got, err := Expand(op, tt.params)
		if diff := cmp.Diff(tt.want, got); diff != "" || (err != nil) != (tt.want == nil) || errors.Is(err, ErrParameter) != tt.param {
			t.Errorf("%q with %v: %q, %v; want %q", tt.template, tt.params, got, err, tt.want)
		}
	}
}

// TestValuesNeverBecomeOptionsOrWords: whatever the value, the words of the
// plan are as many as the template's, and none but the value's own is new.
func TestValuesNeverBecomeOptionsOrWords(t *testing.T) {
	op := &tcpdb.Operation{ID: "x.y", Template: []string{"git", "checkout", "<b>"}, Params: []tcpdb.Param{{Name: "b"}}}
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.String().Draw(t, "value")
		got, err := Expand(op, map[string]string{"b": v})
		if err != nil {
			if !strings.HasPrefix(v, "-") && !strings.Contains(v, "\x00") {
				t.Fatalf("%q is refused: %v", v, err)
			}
			return
		}
		want := []string{"git", "checkout", v}
		if v == "" {
			want = want[:2]
		}
		if !slices.Equal(got, want) || strings.HasPrefix(v, "-") {
			t.Fatalf("%q gives %q", v, got)
		}
	})
}

func plan() *Plan {
	return &Plan{Argv: []string{"git", "push"}, Dir: "/p", Env: []string{"PATH=/bin", "TOKEN=secret", "_=/bin/x", "SHLVL=2"}, MapDigest: "abc"}
}

func TestDigest(t *testing.T) {
	p := plan()
	sum := func(s string) string { h := sha256.Sum256([]byte(s)); return hex.EncodeToString(h[:]) }
	want := `{"v":1,"argv":["git","push"],"cwd":"/p","env":{"PATH":"` + sum("/bin") + `","TOKEN":"` + sum("secret") + `"},"map_digest":"abc"}`
	if got := string(p.Canonical()); got != want {
		t.Errorf("canonical form %s\nwant %s", got, want)
	}
	if got := p.Digest(); got != sum(want) {
		t.Errorf("digest %s, want that of the canonical form", got)
	}
	for name, change := range map[string]func(*Plan){
		"a word":                  func(p *Plan) { p.Argv = []string{"git", "push", "-f"} },
		"the words' bounds":       func(p *Plan) { p.Argv = []string{"git push"} },
		"the directory":           func(p *Plan) { p.Dir = "/q" },
		"a variable":              func(p *Plan) { p.Env = append(p.Env, "GIT_DIR=/x") },
		"a value":                 func(p *Plan) { p.Env[0] = "PATH=/tmp" },
		"the place":               func(p *Plan) { p.Place = "ab" },
		"a name of the directory": func(p *Plan) { p.Env = append(p.Env, "PWD=/etc") },
		"a variable less":         func(p *Plan) { p.Env = p.Env[1:] },
		"the map":                 func(p *Plan) { p.MapDigest = "abd" },
		"a byte that is not text": func(p *Plan) { p.Argv[1] = "\xff" },
	} {
		q := plan()
		change(q)
		if q.Digest() == p.Digest() {
			t.Errorf("another digest is due to %s", name)
		}
	}
	q := plan()
	q.Env = []string{"TOKEN=secret", "SHLVL=3", "PATH=/bin", "OLDPWD=/x", "WINDOWID=7"}
	if q.Digest() != p.Digest() {
		t.Error("the order of variables or a volatile one changes the digest")
	}
}

// TestDigestOfBytes: words that are not text do not collide.
func TestDigestOfBytes(t *testing.T) {
	seen := map[string]string{}
	for _, w := range []string{"\xff", "\xfe", "�", "hex:ff", "hex:6865783a6666", "ff"} {
		p := plan()
		p.Argv = []string{"x", w}
		if other, ok := seen[p.Digest()]; ok {
			t.Errorf("%q and %q have one digest", w, other)
		}
		seen[p.Digest()] = w
		if !json.Valid(p.Canonical()) {
			t.Errorf("%q: the canonical form is not JSON", w)
		}
	}
}

func TestDisplay(t *testing.T) {
	for _, tt := range []struct {
		argv []string
		want string
	}{
		{[]string{"git", "push", "--force-with-lease", "origin", "HEAD:main"}, "git push --force-with-lease origin HEAD:main"},
		{[]string{"echo", "a b", "", "it's", "$(x)", "~", "*"}, `echo 'a b' '' 'it'\''s' '$(x)' '~' '*'`},
		{[]string{"A=b", "A=b"}, "'A=b' A=b"},
	} {
		if got := Display(tt.argv); got != tt.want {
			t.Errorf("Display(%q) = %s, want %s", tt.argv, got, tt.want)
		}
	}
}

// TestDisplayAgainstAShell: sh reads the line as the words it was made of.
func TestDisplayAgainstAShell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[ -~\n\tü]{0,8}`), 1, 4).Draw(t, "words")
		out, err := exec.Command("/bin/sh", "-c", "printf '%s\\0' "+Display(append([]string{"x"}, words...))[2:]).Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); !slices.Equal(got, words) {
			t.Fatalf("sh reads %q as %q", words, got)
		}
	})
}
