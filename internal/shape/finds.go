package shape

import (
	"bytes"
	"encoding/json"
	"errors"
	"html"
	"io"
	"slices"
	"strings"
)

// find is what a linter, a compiler or a test runner reports in JSON: of a
// finding its place and what it says, of a test that failed its name and why.
type find struct {
	file      string
	line, col int
	level     string
	rule      string
	text      string
	why       []string // a test: the lines of its message
}

const (
	maxFinds     = 2000
	maxTold      = 400 // that say different things
	maxFindDepth = 40
	maxWhy       = 10  // lines of the message of one test
	maxPlaces    = 100 // of one warning that are listed,

	maxErrorPlaces = 500 // of one error
)

// readFinds reads what reports in JSON say that are a part of the output, and
// shows that in place of them. It has nothing to do where a policy reads the
// JSON itself, nor with what is too long to be held.
func (s *Shaper) readFinds() {
	switch s.name {
	case "raw", "json_projection":
		return
	case "log_summary":
		if len(s.raw) == 0 || !has(s.raw[0], `{"type":"begin"`) { // ripgrep's, which is like a log
			return
		}
	}
	if a, ok := s.policy.(*auto); ok && a.form == goJSON || s.size > s.rawLimit() {
		return
	}
	raw := bytes.Join(s.raw, nil)
	if contains(raw[:min(len(raw), 400)], "<checkstyle") {
		r := reports{}
		r.checkstyle(raw)
		if len(r.finds) > 0 {
			s.ledger.replace(r.spans)
			s.tell(r, "XML")
		}
		return
	}
	if !bytes.Contains(raw, []byte(`"message`)) && !bytes.Contains(raw, []byte(`"text":`)) && !bytes.Contains(raw, []byte(`"Text":`)) && !bytes.Contains(raw, []byte(`"issue_text":`)) {
		return
	}
	r := reports{}
	r.read(raw)
	if len(r.finds) == 0 {
		return
	}
	s.ledger.replace(r.spans)
	s.tell(r, "JSON")
}

// reports are the JSON documents of an output.
type reports struct {
	spans  []span
	finds  []find
	counts []string
	colon  string // as the document writes it
}

// span is a document: its first and its last line.
type span struct{ from, to int }

// read finds the documents, each of which begins and ends a line.
func (r *reports) read(raw []byte) {
	var without []span
	for n := 0; len(raw) > 0; {
		end := bytes.IndexByte(raw, '\n') + 1
		if end == 0 {
			end = len(raw)
		}
		lines := 1
		if t := trimLeft(raw[:end]); has(t, "{") || has(t, "[") {
			if v, size, ok := document(raw); ok {
				before := len(r.finds)
				r.walk(v, "", 0)
				if i := bytes.IndexByte(raw[size:], '\n'); i >= 0 {
					end = size + i + 1
				} else {
					end = len(raw)
				}
				if lines = bytes.Count(raw[:end], []byte("\n")); raw[end-1] != '\n' {
					lines++
				}
				r.colon = ":"
				if contains(raw[:min(size, 400)], `": `) {
					r.colon = ": "
				}
				if of := (span{n, n + lines - 1}); len(r.finds) > before {
					r.count(v)
					r.spans = append(r.spans, of)
				} else if len(r.spans) > 0 || lines == 1 {
					without = append(without, of)
				}
			}
		}
		n += lines
		raw = raw[end:]
	}
	if len(r.spans) > 1 { // a stream of them: those that report nothing say nothing
		r.spans = append(r.spans, without...)
	}
}

// document decodes the JSON that b begins with and that ends a line.
func document(b []byte) (v any, size int, ok bool) {
	if t := trimLeft(b); len(t) > 1 && t[0] == '[' && bytes.IndexByte([]byte("{]\r\n "), t[1]) < 0 {
		return nil, 0, false
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	err := d.Decode(&v)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, false
	}
	size = int(d.InputOffset())
	rest := b[size:]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	return v, size, blank(rest)
}

// checkstyle reads a report in Checkstyle's XML, which many linters write.
func (r *reports) checkstyle(raw []byte) {
	file, n := "", 0
	for l := range bytes.SplitSeq(bytes.TrimSuffix(raw, []byte("\n")), []byte("\n")) {
		for part := range bytes.SplitSeq(l, []byte("<")) {
			switch {
			case has(part, "file "):
				file = html.UnescapeString(attribute(part, "name"))
			case has(part, "error ") && len(r.finds) < maxFinds:
				f := find{file: file, level: attribute(part, "severity"), rule: attribute(part, "source"), text: html.UnescapeString(attribute(part, "message"))}
				f.line, _ = number([]byte(attribute(part, "line")))
				f.col, _ = number([]byte(attribute(part, "column")))
				r.finds = append(r.finds, f)
			}
		}
		if t := trimLeft(l); hasAny(t, "<?xml", "<checkstyle", "</checkstyle", "<file", "</file", "<error") {
			r.spans = append(r.spans, span{n, n})
		}
		n++
	}
}

// walk takes the findings of a value; file is what the values around are of.
func (r *reports) walk(v any, file string, depth int) {
	if depth > maxFindDepth || len(r.finds) >= maxFinds {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			r.walk(e, file, depth+1)
		}
	case map[string]any:
		if f, ok := failedTest(v); ok {
			r.finds = append(r.finds, f)
			return
		}
		if own := text(v, "filePath", "filename", "file", "path", "file_path", "source", "uri", "File"); own != "" {
			file = own
		}
		if f, ok := finding(v, file); ok {
			r.finds = append(r.finds, f)
			return
		}
		for _, k := range sorted(v) {
			r.walk(v[k], file, depth+1)
		}
	}
}

func sorted(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// text returns the first member of a name that is a string.
func text(m map[string]any, names ...string) string {
	for _, n := range names {
		if s, ok := m[n].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// count returns the first member of a name that is a whole number.
func count(m map[string]any, names ...string) int {
	for _, n := range names {
		if num, ok := m[n].(json.Number); ok {
			if i, err := num.Int64(); err == nil {
				return int(i)
			}
		}
	}
	return 0
}

// finding reads an object as one finding. A record of a log, which tells its
// time, is none.
func finding(m map[string]any, file string) (find, bool) {
	for _, k := range []string{"time", "ts", "timestamp", "@timestamp", "Time"} {
		if _, ok := m[k]; ok {
			return find{}, false
		}
	}
	if in, ok := m["data"].(map[string]any); ok && m["type"] == "match" {
		return matchOf(in)
	}
	f := find{file: file, text: text(m, "message", "text", "Text", "issue_text", "msg")}
	if inner, ok := m["message"].(map[string]any); ok && f.text == "" {
		f.text = text(inner, "text")
	}
	if f.text == "" {
		return find{}, false
	}
	f.level = text(m, "severity", "level", "Severity", "kind", "type", "issue_severity")
	if f.level == "" {
		switch count(m, "severity") { // ESLint
		case 1:
			f.level = "warning"
		case 2:
			f.level = "error"
		}
	}
	f.rule = text(m, "ruleId", "rule", "code", "symbol", "check_id", "cop_name", "test_id", "FromLinter", "option", "check_name", "message-id")
	switch c := m["code"].(type) {
	case json.Number:
		f.rule = c.String()
	case map[string]any:
		f.rule = text(c, "code", "value")
	}
	f.place(m, 0)
	return f, f.line > 0 && f.file != "" || f.line == 0 && (f.level == "error" || f.level == "fatal") && f.rule+f.file != ""
}

// matchOf reads a match of rg --json.
func matchOf(m map[string]any) (find, bool) {
	var f find
	if in, ok := m["path"].(map[string]any); ok {
		f.file = text(in, "text")
	}
	if in, ok := m["lines"].(map[string]any); ok {
		f.text = strings.TrimSpace(text(in, "text"))
	}
	f.line = count(m, "line_number")
	return f, f.line > 0 && f.file != "" && f.text != ""
}

// place reads where a finding is: in its members, or in those that they hold.
func (f *find) place(m map[string]any, depth int) {
	if p := text(m, "posn"); p != "" {
		f.file, f.line = p, 1
	}
	if p := text(m, "file_name", "Filename", "filename", "file", "uri"); p != "" {
		f.file = p
	}
	if f.line == 0 {
		if f.line = count(m, "line", "row", "Line", "line_number", "startLine", "line_start", "lineno", "beginLine"); f.line > 0 {
			f.col = count(m, "column", "col", "Column", "character", "startColumn", "column_start", "col_offset")
		}
	}
	if f.line > 0 && f.file != "" || depth > 4 {
		return
	}
	for _, k := range []string{"location", "Pos", "pos", "start", "range", "loc", "position", "locations", "caret", "physicalLocation", "artifactLocation", "region", "spans"} {
		switch in := m[k].(type) {
		case map[string]any:
			f.place(in, depth+1)
		case []any:
			for i, e := range in {
				if e, ok := e.(map[string]any); ok && (i == 0 || e["is_primary"] == true) {
					if e["is_primary"] == true {
						f.line, f.col = 0, 0
					}
					f.place(e, depth+1)
				}
			}
		}
	}
}

// failedTest reads an object as a test that failed.
func failedTest(m map[string]any) (find, bool) {
	name := text(m, "fullName", "fullTitle", "nodeid", "title", "name")
	if name == "" || m["assertionResults"] != nil {
		return find{}, false
	}
	why := ""
	switch list := m["failureMessages"].(type) {
	case []any:
		for _, e := range list {
			if e, ok := e.(string); ok {
				why += e + "\n"
			}
		}
	default:
		for _, k := range []string{"err", "error", "failure", "crash", "call"} {
			if in, ok := m[k].(map[string]any); ok && why == "" {
				if why = text(in, "message", "longrepr", "stack"); why == "" {
					if crash, ok := in["crash"].(map[string]any); ok {
						why = text(crash, "message")
					}
				}
			}
		}
	}
	failed := false
	switch text(m, "status", "outcome", "state", "result") {
	case "failed", "fail", "failure", "error", "broken":
		failed = true
	}
	if why == "" && text(m, "message") != "" && failed {
		why = text(m, "message")
	}
	if why == "" || !failed && m["err"] == nil {
		return find{}, false
	}
	f := find{text: name, file: text(m, "file"), why: reason(why)}
	return f, true
}

// reason are the lines of a test's message that say something: not the stack,
// but for the first place in it that is the program's own.
func reason(why string) []string {
	var c cleaner
	var out []string
	placed := false
	for l := range bytes.SplitSeq(c.plain([]byte(why)), []byte("\n")) {
		t := trim(l)
		frame := has(t, "at ")
		switch {
		case len(t) == 0, foreignFrame(l), frame && placed, codeFrame(t):
			continue
		case frame:
			placed = true
		case len(out) >= maxWhy:
			continue
		}
		short, _ := shorten(t, alarm)
		out = append(out, string(short))
	}
	return out
}

// count notes the numbers that a document tells of itself.
func (r *reports) count(v any) {
	m, ok := v.(map[string]any)
	if !ok {
		return
	}
	pair := func(m map[string]any) {
		for _, k := range sorted(m) {
			if n, ok := m[k].(json.Number); ok && n != "0" && len(n) < 9 && len(r.counts) < 20 {
				r.counts = append(r.counts, `"`+k+`"`+r.colon+n.String())
			}
		}
	}
	pair(m)
	for _, k := range []string{"stats", "summary", "totals", "metadata"} {
		if in, ok := m[k].(map[string]any); ok {
			pair(in)
		}
	}
}
