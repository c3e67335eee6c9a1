package opmap

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/phrase"
	"github.com/tool-mapping-protocol/tmp/internal/surface"
)

// templateHead begins a template of SQL (seed 000): the lines of comment behind it
// say what it is, what follows them is its statement.
const templateHead = "operation"

// readTemplates reads a file of SQL as the operations that its templates are:
//
//	-- operation: sql.recent_failed_jobs
//	-- intent: show recent failed jobs; failed jobs of <queue>
//	-- connection: jobs
//	-- param: status enum:failed,dead = failed
//	-- param: limit integer 1..500 = 50
//	SELECT …
//
// A failure is a *Problem with the line.
func readTemplates(file string, data []byte) (*value, *Problem) {
	if !utf8.Valid(data) {
		return nil, &Problem{File: file, Line: badByteLine(data), Reason: "not UTF-8 text", Severity: Error}
	}
	r := &templateReader{file: file}
	for i, text := range strings.SplitAfter(strings.TrimPrefix(string(data), "\ufeff"), "\n") {
		if problem := r.line(i+1, text); problem != nil {
			return nil, problem
		}
	}
	r.end()
	if len(r.operations) == 0 {
		return nil, &Problem{File: file, Line: 1, Reason: `holds no template: one begins with a line "-- operation: NAME"`, Severity: Error}
	}
	list := &value{kind: arrayKind, line: 1, items: r.operations}
	return &value{kind: objectKind, line: 1, members: []member{{"operations", 1, list}}}, nil
}

// templateReader reads lines into operations.
type templateReader struct {
	file       string
	operations []*value
	now        *value // the operation that is read, nil before the first
	params     *value
	head       bool // no line of the statement has been read
	query      strings.Builder
	queryLine  int
}

func (r *templateReader) fail(line int, format string, args ...any) *Problem {
	return &Problem{File: r.file, Line: line, Reason: fmt.Sprintf(format, args...), Severity: Error}
}

func (r *templateReader) add(name string, line int, v *value) {
	v.line = line
	r.now.members = append(r.now.members, member{name, line, v})
}

func (r *templateReader) line(n int, text string) *Problem {
	key, rest, isHead := templateLine(text)
	if isHead && key == templateHead {
		r.end()
		r.now = &value{kind: objectKind, line: n}
		r.params = &value{kind: arrayKind, line: n}
		r.head, r.queryLine = true, 0
		r.add("id", n, textValue(rest))
		r.add("surface", n, textValue(surface.SQL))
		return nil
	}
	if r.now == nil {
		if t := strings.TrimSpace(text); t != "" && !strings.HasPrefix(t, "--") {
			return r.fail(n, `%q stands before the first "-- operation: NAME"`, firstWords(t))
		}
		return nil
	}
	if isHead && r.head {
		return r.header(n, key, rest)
	}
	if strings.TrimSpace(text) == "" && r.queryLine == 0 || r.head && strings.HasPrefix(strings.TrimSpace(text), "--") {
		return nil // a comment that says nothing to us
	}
	if r.queryLine == 0 {
		r.queryLine = n
	}
	r.head = false
	r.query.WriteString(text)
	return nil
}

// templateLine reads "-- key: rest".
func templateLine(text string) (key, rest string, ok bool) {
	text, ok = strings.CutPrefix(strings.TrimSpace(text), "--")
	if !ok {
		return "", "", false
	}
	key, rest, ok = strings.Cut(strings.TrimSpace(text), ":")
	key = strings.TrimSpace(key)
	if !ok || strings.Trim(key, "abcdefghijklmnopqrstuvwxyz_") != "" || key == "" {
		return "", "", false
	}
	return key, strings.TrimSpace(rest), true
}

func firstWords(s string) string {
	if len(s) > 40 {
		s = s[:40]
		for !utf8.ValidString(s) {
			s = s[:len(s)-1]
		}
	}
	return s
}

// header takes a line of the head over into the operation.
func (r *templateReader) header(n int, key, rest string) *Problem {
	for _, m := range r.now.members {
		if m.name == key && key != "param" {
			return r.fail(n, "%q is given twice for this template, first on line %d", key, m.line)
		}
	}
	switch key {
	case "intent":
		list := &value{kind: arrayKind}
		for text := range strings.SplitSeq(rest, ";") {
			if text = strings.TrimSpace(text); text != "" {
				v := textValue(text)
				v.line = n
				list.items = append(list.items, v)
			}
		}
		r.add("intent", n, list)
	case "param", "parameter":
		return r.param(n, rest)
	case "connection", "description", "effect", "risk", "approval", "timeout", "version":
		r.add(key, n, textValue(rest))
	default:
		// Other comments may look alike: "-- note: …".
		if near := nearestKey(key); near != "" {
			return r.fail(n, "%q is not known here: is %q meant?", key, near)
		}
	}
	return nil
}

var templateKeys = [...]string{"intent", "param", "connection", "description", "effect", "risk", "approval", "timeout", "version"}

// nearestKey is the key that one with a slip of the pen means, "" for none.
func nearestKey(key string) string {
	for _, k := range templateKeys {
		if key == k+"s" || strings.HasPrefix(k, key) && len(key) > 3 {
			return k
		}
	}
	return ""
}

// param reads "status enum:failed,dead = failed": a name, a type, bounds, what else is
// known, and behind "=" the value that it has without one.
func (r *templateReader) param(n int, text string) *Problem {
	w := newObject()
	w.v.line = n
	head, standard, given := strings.Cut(text, "=")
	words := strings.Fields(head)
	if len(words) == 0 {
		return r.fail(n, "a parameter needs a name")
	}
	w.text("name", words[0])
	required := !given
	for _, word := range words[1:] {
		enum, isEnum := strings.CutPrefix(word, "enum:")
		least, most, isRange := strings.Cut(word, "..")
		format, isFormat := strings.CutPrefix(word, "format:")
		resolver, isResolver := strings.CutPrefix(word, "resolver:")
		switch {
		case isEnum:
			w.texts("enum", strings.Split(enum, ","))
		case isRange:
			w.text("minimum", least)
			w.text("maximum", most)
		case isFormat:
			w.text("format", format)
		case isResolver, strings.Contains(word, ":"):
			if !isResolver {
				resolver = word
			}
			w.text("resolver", resolver)
		case word == "required", word == "optional":
			required = word == "required"
		case has(w.v, "type"):
			return r.fail(n, "the parameter %s has two types: %q", words[0], word)
		default:
			w.text("type", word)
		}
	}
	if given {
		w.text("default", strings.Trim(strings.TrimSpace(standard), `'"`))
	}
	w.flag("required", required)
	for i := range w.v.members {
		w.v.members[i].line, w.v.members[i].value.line = n, n
	}
	r.params.items = append(r.params.items, w.v)
	return nil
}

// end closes the operation that was read.
func (r *templateReader) end() {
	if r.now == nil {
		return
	}
	if len(r.params.items) > 0 {
		r.add("parameters", r.params.items[0].line, r.params)
	}
	if text := strings.TrimRight(r.query.String(), " \t\r\n"); text != "" {
		r.add("query", r.queryLine, textValue(text))
	}
	if !has(r.now, "intent") {
		id := r.now.members[0].value.text
		words := strings.ReplaceAll(id[strings.LastIndexByte(id, '.')+1:], "_", " ")
		if words != "" && phrase.Vague(words) {
			words = "run the query " + words
		}
		if words != "" {
			r.add("intent", r.now.line, textValue(words))
		}
	}
	r.query.Reset()
	r.operations = append(r.operations, r.now)
	r.now = nil
}
