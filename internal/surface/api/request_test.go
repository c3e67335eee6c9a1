package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func record(t *testing.T, text string) *Record {
	t.Helper()
	r, err := ParseRecord([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return r
}

const issues = `{"server":"https://api.example.org/v1","method":"POST","path":"/repos/<owner>/<repo>/issues?per_page=<per_page>&label=<label>",
 "headers":{"X-Trace":"t-<trace>"},"body":{"title":"<body.title>","count":"<body.count>","deep":{"on":"<body.on>","fixed":1},"say":"by <trace>"}}`

func issueParams() []Param {
	return []Param{
		{Name: "owner", Required: true},
		{Name: "repo", Required: true},
		{Name: "per_page", Type: "integer", Minimum: "1", Maximum: "100"},
		{Name: "label", Type: "array"},
		{Name: "trace"},
		{Name: "body.title", Type: "string", Required: true},
		{Name: "body.count", Type: "integer"},
		{Name: "body.on", Type: "boolean"},
	}
}

func TestBuild(t *testing.T) {
	r, err := Build(record(t, issues), issueParams(), Values{Set: map[string]string{
		"owner": "a/b", "repo": "r", "per_page": "5", "label": "x,y&z", "trace": "q", "body.title": `5"`, "body.count": "12345678901234567890", "body.on": "true",
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.URL.String(), "https://api.example.org/v1/repos/a%2Fb/r/issues?per_page=5&label=x&label=y%26z"; got != want {
		t.Errorf("URL %s\nwant %s", got, want)
	}
	if got, want := string(r.Body), `{"count":12345678901234567890,"deep":{"fixed":1,"on":true},"say":"by q","title":"5\""}`; got != want {
		t.Errorf("body %s\nwant %s", got, want)
	}
	if got := r.Header.Get("X-Trace"); got != "t-q" {
		t.Errorf("X-Trace %q", got)
	}
}

func TestWhatHasNoValueIsLeftOut(t *testing.T) {
	r, err := Build(record(t, issues), issueParams(), Values{Set: map[string]string{"owner": "o", "repo": "r", "body.title": "t"}})
	if err != nil {
		t.Fatal(err)
	}
	if r.URL.RawQuery != "" || r.Header.Get("X-Trace") != "" || string(r.Body) != `{"deep":{"fixed":1},"title":"t"}` {
		t.Errorf("%s %v %s", r.URL, r.Header, r.Body)
	}
}

// TestFaults names place and name of each value that may not be sent.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		set  map[string]string
		want []string
	}{
		{map[string]string{"owner": "o"}, []string{"path repo: is missing", "body body.title: is missing"}},
		{map[string]string{"nope": "1", "owner": "o", "repo": "r", "body.title": "t"}, []string{"nope: is unknown"}},
		{map[string]string{"per_page": "x", "owner": "o", "repo": "r", "body.title": "t"}, []string{`query per_page: "x" is not of type integer`}},
		{map[string]string{"per_page": "101", "owner": "o", "repo": "r", "body.title": "t"}, []string{"query per_page: 101 is more than 100"}},
		{map[string]string{"trace": "a\r\nX-Evil: 1", "owner": "o", "repo": "r", "body.title": "t"}, []string{"header X-Trace trace: a header holds no line break"}},
		{map[string]string{"owner": "..", "repo": "r", "body.title": "t"}, []string{"path owner: would lead to another path"}},
		{map[string]string{"owner": ".", "repo": "r", "body.title": "t"}, []string{"path owner: would lead to another path"}},
		{map[string]string{"owner": "", "repo": "r", "body.title": "t"}, []string{"path owner: is empty"}},
		{map[string]string{"body.on": "yes", "owner": "o", "repo": "r", "body.title": "t"}, []string{`body body.on: "yes" is not of type boolean`}},
	} {
		_, err := Build(record(t, issues), issueParams(), Values{Set: c.set})
		if err == nil {
			t.Errorf("%v is sent", c.set)
			continue
		}
		var f *Fault
		if !errors.As(err, &f) {
			t.Errorf("%v: %T", c.set, err)
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %q\nwant %q", c.set, err, want)
			}
		}
	}
}

func TestDotsBehindLiterals(t *testing.T) {
	r := record(t, `{"server":"https://x.example","method":"GET","path":"/a/.<p>/b"}`)
	if _, err := Build(r, []Param{{Name: "p"}}, Values{Set: map[string]string{"p": "."}}); err == nil {
		t.Error("/a/../b is sent")
	}
}

// TestValuesStayInTheirPlace takes the request apart as a server would: whatever the
// values hold, each is where it was put, and nothing else is there.
func TestValuesStayInTheirPlace(t *testing.T) {
	rec := record(t, `{"server":"https://api.example.org","method":"POST","path":"/a/<p>/z?q=<q>&k=1","headers":{"X-H":"<h>"},"body":{"b":"<b>"}}`)
	params := []Param{{Name: "p"}, {Name: "q"}, {Name: "h"}, {Name: "b"}}
	rapid.Check(t, func(t *rapid.T) {
		set := map[string]string{}
		for _, p := range params {
			set[p.Name] = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
				"../../etc", "..%2f", "a?b=c&d", "#x", "a\r\nHost: evil", "//evil.example", "\"},{\"x\":\"", "%00", "\x00", "@evil.example", "<q>", "\\..\\", "a;b", "ü/é",
			})).Draw(t, p.Name)
		}
		r, err := Build(rec, params, Values{Set: set})
		if err != nil {
			return // refused whole
		}
		if r.URL.Scheme != "https" || r.URL.Host != "api.example.org" || r.URL.Fragment != "" || r.URL.User != nil {
			t.Fatalf("leads to %s", r.URL)
		}
		segments := strings.Split(r.URL.EscapedPath(), "/")
		if len(segments) != 4 || segments[1] != "a" || segments[3] != "z" {
			t.Fatalf("path %q", r.URL.EscapedPath())
		}
		if got, _ := url.PathUnescape(segments[2]); got != set["p"] {
			t.Fatalf("segment %q of %q", got, set["p"])
		}
		query, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil || len(query) != 2 || query.Get("q") != set["q"] || query.Get("k") != "1" {
			t.Fatalf("query %q of %q", r.URL.RawQuery, set["q"])
		}
		if got := r.Header.Get("X-H"); got != set["h"] || strings.ContainsAny(got, "\r\n") {
			t.Fatalf("header %q", got)
		}
		var body map[string]string
		if err := json.Unmarshal(r.Body, &body); err != nil || len(body) != 1 || body["b"] != set["b"] {
			t.Fatalf("body %s of %q", r.Body, set["b"])
		}
	})
}

func TestRecordsThatAreNone(t *testing.T) {
	for _, text := range []string{
		`{"method":"GET","path":"a"}`,
		`{"method":"TRACE","path":"/"}`,
		`{"method":"GET","path":"/","server":"ftp://x.example"}`,
		`{"method":"GET","path":"/","server":"http://x.example"}`,
		`{"method":"GET","path":"/","server":"http://10.0.0.1"}`,
		`{"method":"GET","path":"/","server":"https://user:pw@x.example"}`,
		`{"method":"GET","path":"/","server":"https://<host>.example"}`,
		`{"method":"GET","path":"/","headers":{"Authorization":"Bearer x"}}`,
		`{"method":"GET","path":"/","headers":{"Cookie":"x"}}`,
		`{"method":"GET","path":"/","headers":{"Host":"x"}}`,
		`{"method":"GET","path":"/","headers":{"X":"a\r\nb"}}`,
		`{"method":"GET","path":"/","headers":{"X\r\nY":"a"}}`,
		`{"method":"GET","path":"/","bodi":{}}`,
		`{"method":"GET","path":"/a b"}`,
		`{"method":"GET","path":"/a#b"}`,
	} {
		if _, err := ParseRecord([]byte(text)); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

func TestABodyThatIsGivenWhole(t *testing.T) {
	rec := record(t, `{"server":"https://x.example","method":"POST","path":"/","body":{"title":"<body.title>","labels":"<body.labels>","n":"<body.n>"},
		"schemas":{"body.labels":{"items":{"type":"string"}}}}`)
	params := []Param{{Name: "body.title", Required: true}, {Name: "body.labels", Type: "array"}, {Name: "body.n", Type: "integer"}}
	for _, c := range []struct {
		body, set, want, fault string
	}{
		{`{"title":"a","labels":["x"]}`, "", `{"labels":["x"],"title":"a"}`, ""},
		{`{"title":"a"}`, "n=5", `{"n":5,"title":"a"}`, ""},
		{`{"labels":[]}`, "", "", "title: is missing"},
		{`{"title":"a","labels":[1]}`, "", "", "labels[0]: 1 is not of type string"},
		{`{"title":"a","other":1}`, "", "", "other: is unknown"},
		{`[1]`, "", "", "is not an object"},
		{`{`, "", "", "is not JSON"},
	} {
		set := map[string]string{}
		if name, value, ok := strings.Cut(c.set, "="); ok {
			set["body."+name] = value
		}
		r, err := Build(rec, params, Values{Set: set, Body: []byte(c.body)})
		switch {
		case c.fault == "" && (err != nil || string(r.Body) != c.want):
			t.Errorf("%s: %v\nwant %s", c.body, err, c.want)
		case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)):
			t.Errorf("%s: %v, want %q", c.body, err, c.fault)
		}
	}
}

func TestForms(t *testing.T) {
	params := []Param{{Name: "a"}, {Name: "list", Type: "array"}, {Name: "meta", Type: "object"}}
	set := Values{Set: map[string]string{"a": "x&b=1", "list": `["p","q"]`, "meta": `{"k":"v w"}`}}
	body := `"body":{"a":"<a>","list":"<list>","meta":"<meta>"}`
	r, err := Build(record(t, `{"server":"https://x.example","method":"POST","path":"/","content_type":"application/x-www-form-urlencoded",`+body+`}`), params, set)
	if err != nil || string(r.Body) != "a=x%26b%3D1&list=p&list=q&meta%5Bk%5D=v%20w" {
		t.Errorf("%v %s", err, r.Body)
	}
	r, err = Build(record(t, `{"server":"https://x.example","method":"POST","path":"/","content_type":"multipart/form-data",`+body+`}`), params,
		Values{Set: map[string]string{"a": "x\r\n--tmp-\r\nContent-Disposition: form-data; name=\"evil\"\r\n\r\n1"}})
	if err != nil {
		t.Fatal(err)
	}
	req, _ := http.NewRequest("POST", "https://x.example", strings.NewReader(string(r.Body)))
	req.Header = r.Header
	if err := req.ParseMultipartForm(1 << 20); err != nil || len(req.MultipartForm.Value) != 1 || req.FormValue("evil") != "" {
		t.Errorf("%v %v", err, req.MultipartForm)
	}
}

// TestTheSeedsForm has no slots: parameters of a request with a body are its members.
func TestTheSeedsForm(t *testing.T) {
	r, err := Build(record(t, `{"server":"https://x.example","method":"POST","path":"/deployments"}`), []Param{{Name: "environment"}, {Name: "ref"}},
		Values{Set: map[string]string{"environment": "staging", "ref": "main"}})
	if err != nil || string(r.Body) != `{"environment":"staging","ref":"main"}` {
		t.Errorf("%v %s", err, r.Body)
	}
	r, err = Build(record(t, `{"server":"https://x.example","method":"GET","path":"/deployments"}`), []Param{{Name: "ref"}}, Values{Set: map[string]string{"ref": "a b"}})
	if err != nil || r.URL.RawQuery != "ref=a%20b" {
		t.Errorf("%v %s", err, r.URL)
	}
}

// TestCurl hands the line to a real shell, with a curl that prints its words.
func TestCurl(t *testing.T) {
	r, err := Build(record(t, issues), issueParams(), Values{Set: map[string]string{
		"owner": "a", "repo": "$(id)", "body.title": "it's `id` $HOME \"x\"", "trace": "$(id)",
	}})
	if err != nil {
		t.Fatal(err)
	}
	line := r.Curl(&Credential{Type: "bearer", From: "env:TOKEN", Hosts: []string{"api.example.org"}})
	if strings.Contains(line, "s3cret") {
		t.Error("the secret is in the line")
	}
	cmd := exec.Command("sh", "-c", `curl() { printf '%s\n' "$@"; }; `+line)
	cmd.Env = []string{"TOKEN=s3cret", "PATH=/usr/bin:/bin"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	words := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	want := []string{
		"--fail-with-body", "--request", "POST", "--header", "Accept: application/json, */*;q=0.5", "--header", "Authorization: Bearer s3cret",
		"--header", "Content-Type: application/json", "--header", "X-Trace: t-$(id)",
		"--data-raw", string(r.Body), "--globoff", "https://api.example.org/v1/repos/a/%24%28id%29/issues",
	}
	if strings.Join(words, "\n") != strings.Join(want, "\n") {
		t.Errorf("a shell reads\n%s\nwant\n%s", strings.Join(words, "\n"), strings.Join(want, "\n"))
	}
}

// TestABodyNobodyReads: a request that reads and says of no body is given none.
func TestABodyNobodyReads(t *testing.T) {
	for text, want := range map[string]string{
		`{"server":"https://x.example","method":"GET","path":"/"}`:                    "body: the operation takes none",
		`{"server":"https://x.example","method":"GET","path":"/","open_body":true}`:   "",
		`{"server":"https://x.example","method":"POST","path":"/","open_body":true}`:  "",
		`{"server":"https://x.example","method":"GET","path":"/","body":{"a":"<a>"}}`: "",
	} {
		_, err := Build(record(t, text), []Param{{Name: "a"}}[:strings.Count(text, "<a>")], Values{Body: []byte(`{"a":"1"}`)})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
