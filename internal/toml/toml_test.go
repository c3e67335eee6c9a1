package toml

import (
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
)

// documents are whole, half and broken; the library says which are which.
var documents = []string{
	"", "a = 1\n", "a = 1", "a = 1\r\nb = 2\r\n", "a = 1\rb = 2", "\ufeffa = 1\n", "# only a comment", "a = 1 # and \x01",
	"a = 1 b = 2", "a", "a =", "= 1", "a.b.c = 1\na.b.d = 2\n", "a.b = 1\na = 2\n", "\"\" = 1\n'' = 2\n", "\"a.b\".'c d' = 'x'\n",
	"a b = 1", "1 = 2\n-_ = 3\n", "a . b = 1\n", "a..b = 1", ".a = 1",
	"[a]\nb = 1\n[a]\nc = 1\n", "[a.b]\nx = 1\n[a]\ny = 1\n", "[a]\n[a.b]\n[a.c]\n", "[a.b.c]\nz = 9\n[a]\nb.c.t = 1\n",
	"[a.b.c.d]\nz = 9\n[a]\nb.c.d.k.t = 1\n", "[fruit]\napple.color = 1\n[fruit.apple]\n", "[fruit]\napple.color = 1\n[fruit.apple.taste]\nsweet = true\n",
	"[ a . \"b\" ]\nc = 1\n", "[]", "[a", "[a] b = 1", "[[a]", "[ [a]]", "[[a]]\nx = 1\n[[a]]\ny = 2\n[a.b]\nz = 1\n[[a.c]]\n",
	"a = []\n[[a]]\n", "[[a]]\n[a]\n", "[a]\n[[a]]\n", "[[a.b]]\n[a]\n", "a = 1\n[a.b]\n", "a = [1]\n[a.b]\n",
	"a = {}\n", "a = {b = 1, c.d = 2, c.e = 3}\n", "a = {b = 1,}\n", "a = {,}", "a = {b = 1,,}", "a = {\n# x\nb = 1 # y\n,c = 2}", "a = \"\\e\\x41\\xff\"", "a = 07:32\nb = 1979-05-27T07:32Z\n", "a = 07:32.5", "a = {b = 1\n}\n", "a = {b = 1}\n[a.c]\n", "a = {b = 1}\na.c = 2\n",
	"a = {b.c = 1}\n[a.b.d]\n", "[t]\na = {b.c = 1}\na.b.d = 2\n", "a = {b = 1, b = 2}", "a = { b = { c = [ { d = 1 } ] } }",
	"a = [1, 2, 'x', [true], {b = false},]\n", "a = [\n1, # one\n2\n]\n", "a = [1 2]", "a = [,]", "a = [1,,2]", "a = [", "a = [1",
	"a = 'lit\\n'\n", "a = 'x", "a = \"x", "a = \"tab\t\"", "a = \"\\b\\t\\n\\f\\r\\\"\\\\\\u00e9\\U0001F600\"", "a = \"\\x\"", "a = \"\\u12\"",
	"a = \"\\uD800\"", "a = \"\\U00110000\"", "a = \"\\UFFFFFFFF\"", "a = \"new\nline\"", "a = 'new\nline'", "a = '\x7f'", "a = \"\x01\"",
	"a = \"\"\"\nx\ny\"\"\"\n", "a = \"\"\"\\\n   x \\  \n\n  y\"\"\"\n", "a = \"\"\"a\"\"b\"\"\"\"\"\n", "a = \"\"\"\"\"\"\n", "a = \"\"\"\"\"\"\"\"\n", "a = \"\"\"\"\"\"\"\"\"\n",
	"a = \"\"\"x\"\"", "a = \"\"\"x \\ y\"\"\"", "a = \"\"\"\x00\"\"\"", "a = \"\"\"x\r\ny\"\"\"", "a = \"\"\"x\ry\"\"\"", "a = \"\"\"x \\\r\n  y\"\"\"",
	"a = '''\nx\\\ny'''\n", "a = '''a''b'''''\n", "a = '''''''''\n", "a = '''x''", "a = '''\x01'''",
	"a = true\nb = false\n", "a = True", "a = truex", "a = tru",
	"a = 0\nb = -0\nc = +1\nd = 1_000\n", "a = 01", "a = -01", "a = 1__0", "a = _1", "a = 1_", "a = +", "a = --1", "a = 0x_1", "a = 0xDEAD_beef\nb = 0o17\nc = 0b101\n",
	"a = -0x1", "a = 0X1", "a = 0x", "a = 0b2", "a = 0o8", "a = 9223372036854775807\nb = -9223372036854775808\n", "a = 9223372036854775808", "a = 0xFFFFFFFFFFFFFFFF",
	"a = 1.5\nb = -0.1\nc = 1e3\nd = 1.5E-3\ne = 6_0.0_1\nf = inf\ng = -nan\nh = +inf\n", "a = 1.", "a = .5", "a = 1.e3", "a = 1e", "a = 1e+", "a = 01.5", "a = 1._5", "a = 1e_3", "a = ++inf", "a = Inf", "a = 0e0", "a = 1e06",
	"a = 1979-05-27T07:32:00Z\nb = 1979-05-27T00:32:00-07:00\nc = 1979-05-27 07:32:00.999\nd = 1979-05-27\ne = 07:32:00\nf = 1979-05-27t07:32:00z\n",
	"a = 1979-13-01", "a = 1979-02-30", "a = 2000-02-29\nb = 2023-02-29", "a = 1979-05-27T", "a = 1979-05-27 ", "a = 1979-05-27 # x", "a = 1979-5-27", "a = 24:00:00", "a = 07:60:00", "a = 07:32:00.", "a = 1979-05-27T07:32:00+24:00",
	"a = 1979-05-27  07:32:00", "a = 07:32:00Z", "a = 1979-05-27Z",
	"a = \xff", "# \xff", "a = 'x' # ü\n", "ü = 1", "a\u00a0= 1", "[a]]", "[[a]]]", "a = 1\n\n\n  \t\n b = 2", "a = \n1", "a\n= 1", "[a\n]", "a = [ # x\n # y\n ]\n",
}

func TestTOMLIsThatOfTheLibrary(t *testing.T) {
	for _, text := range documents {
		sameAsLibrary(t, text)
	}
}

func FuzzTOML(f *testing.F) {
	for _, text := range documents {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { sameAsLibrary(t, text) })
}

// sameAsLibrary compares what is read with what the library reads.
func sameAsLibrary(t *testing.T, text string) {
	t.Helper()
	got, err := Parse(text)
	var want map[string]any
	_, libraryErr := toml.Decode(strings.TrimPrefix(text, "\ufeff"), &want)
	if err != nil {
		// The library lets some keys be defined twice, which TOML forbids.
		if libraryErr == nil && !strings.HasSuffix(err.Error(), " is defined twice") && !strings.HasSuffix(err.Error(), errDeep.Error()) {
			t.Errorf("%q: %v, the library takes it", text, err)
		}
		return
	}
	if libraryErr != nil {
		t.Errorf("%q is taken, the library says %v", text, libraryErr)
		return
	}
	if diff := cmp.Diff(alike(want), alike(got)); diff != "" {
		t.Errorf("%q: %s", text, diff)
	}
}

// alike gives what both read one form: numbers and dates become a mark.
func alike(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, x := range v {
			m[k] = alike(x)
		}
		return m
	case []map[string]any:
		list := []any{}
		for _, x := range v {
			list = append(list, alike(x))
		}
		return list
	case []any:
		list := []any{}
		for _, x := range v {
			list = append(list, alike(x))
		}
		return list
	case int64, float64, time.Time, scalar:
		return 0
	}
	return v
}

func TestTOMLErrorsNameTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"a = 1\nb =\n":                     "line 2: expected a value",
		"a = 1\n\n[a.b]\n":                 "line 3: key a.b is defined twice",
		"a = {b = 1}\n[a.c]\n":             "line 2: key a.c is defined twice",
		"a.b = 1\na = 2\n":                 "line 2: key a is defined twice",
		"[a.b.c]\nz = 9\n[a]\nb.c.t = 1\n": "line 4: key b.c.t is defined twice",
		"[a]\nb.c = 1\n[a.b]\n":            "line 3: key a.b is defined twice",
		"a = 1\nb = '\xff'\n":              "line 2: invalid UTF-8",
		"a = [\n1\n":                       "line 3: expected , or ] in an array",
	} {
		_, err := Parse(text)
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
