package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/url"
	"slices"
	"sort"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/surface/api"
)

// Gap is something of a document that is not taken over.
type Gap struct {
	Node string `json:"node"`
	Text string `json:"text"`
}

// Map is a draft in the form of a source map.
type Map struct {
	Schema     int         `json:"schema"`
	Tool       string      `json:"tool"`
	Version    string      `json:"version,omitempty"`
	Provenance string      `json:"provenance"`
	Operations []Operation `json:"operations"`
	Gaps       []Gap       `json:"gaps,omitempty"`
	Origin     Origin      `json:"origin"`
}

// Origin says what a draft was made from.
type Origin struct {
	Format  string `json:"format"` // "openapi" or "swagger"
	From    string `json:"from"`
	Digest  string `json:"digest"`
	Licence string `json:"licence,omitempty"`
}

// Operation is the record of one request.
type Operation struct {
	ID           string      `json:"id"`
	Surface      string      `json:"surface"`
	Description  string      `json:"description,omitempty"`
	Intent       []string    `json:"intent"`
	API          *api.Record `json:"api"`
	Parameters   []Parameter `json:"parameters,omitempty"`
	Effect       string      `json:"effect"`
	Risk         string      `json:"risk"`
	Approval     string      `json:"approval,omitempty"`
	OutputPolicy Output      `json:"output_policy"`
	Idempotent   bool        `json:"idempotent,omitempty"`
}

// Output is what of an answer is shown.
type Output struct {
	Mode   string   `json:"mode"`
	Select []string `json:"select,omitempty"`
}

// Parameter is an input of an operation.
type Parameter struct {
	Name        string            `json:"name"`
	Type        string            `json:"type,omitempty"`
	Required    bool              `json:"required,omitempty"`
	Enum        []json.RawMessage `json:"enum,omitempty"`
	Format      string            `json:"format,omitempty"`
	Minimum     json.Number       `json:"minimum,omitempty"`
	Maximum     json.Number       `json:"maximum,omitempty"`
	Default     string            `json:"default,omitempty"`
	Description string            `json:"description,omitempty"`
}

// Bounds of texts in bytes.
const (
	maxDescription = 300
	maxHelp        = 200
	maxDefault     = 200
)

func isJSON(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && (media == api.JSONType || strings.HasSuffix(media, "+json"))
}

// usable is a server's URL as a record may have it, "" if a request cannot go there.
func (d *document) usable(server string) string {
	u, err := url.Parse(server)
	note := func(format string, args ...any) string {
		text := fmt.Sprintf(format, args...)
		if !slices.ContainsFunc(d.gaps, func(g Gap) bool { return g.Text == text }) {
			d.gaps = append(d.gaps, Gap{Text: text})
		}
		return ""
	}
	switch {
	case server == "":
		return ""
	case err != nil || strings.ContainsAny(server, "<>{}"):
		return note("the server %q is no URL", line(server, 100))
	case u.Host == "":
		return note("the server %q has no host: write \"server\" into the map", line(server, 100))
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		u.Scheme = "https"
		note("the server %q is http, which is for this machine alone: https is taken", line(server, 100))
	case u.Scheme != "https" && u.Scheme != "http":
		return note("the server %q is of no scheme that is spoken", line(server, 100))
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return strings.TrimSuffix(u.String(), "/")
}

func isLoopback(host string) bool {
	return strings.EqualFold(host, "localhost") || strings.HasPrefix(host, "127.") || host == "::1"
}

// draft makes the map of a document.
func (d *document) draft(tool string) Map {
	if tool == "" {
		tool = toolName(d.title)
	}
	m := Map{Schema: 1, Tool: tool, Version: line(d.version, 60), Provenance: "import"}
	space := name(tool, "api", 60)
	ids, spoken := map[string]bool{}, map[string]bool{}
	for _, o := range d.operations {
		id := o.id
		if id == "" {
			id = strings.ToLower(o.method) + " " + strings.NewReplacer("{", "", "}", "").Replace(o.path)
		}
		o.name = unique(ids, name(id, "op", 60))
		record, params := d.record(o, tool)
		if record == nil {
			m.gaps(space+"."+o.name, o.gaps)
			continue
		}
		risk, effect := rate(o)
		op := Operation{
			ID: space + "." + o.name, Surface: "api", Description: describe(o), Intent: intents(tool, o, spoken), API: record, Parameters: params,
			Risk: risk, Effect: effect, OutputPolicy: Output{"json", choose(o.answer)},
		}
		if risk == "high" || risk == "critical" {
			op.Approval = "required"
		}
		m.Operations = append(m.Operations, op)
		m.gaps(op.ID, o.gaps)
	}
	m.notes(d)
	return m
}

func (m *Map) gaps(node string, texts []string) {
	for _, text := range texts {
		m.Gaps = append(m.Gaps, Gap{node, line(text, maxHelp)})
	}
}

// notes are the gaps of the whole document.
func (m *Map) notes(d *document) {
	for _, g := range d.gaps {
		m.Gaps = append(m.Gaps, Gap{m.Tool, g.Text})
	}
	schemes := make([]string, 0, len(d.schemes))
	for s := range d.schemes {
		schemes = append(schemes, s)
	}
	sort.Strings(schemes)
	for _, s := range schemes {
		if text := d.schemes[s]; text != "" {
			m.Gaps = append(m.Gaps, Gap{m.Tool, "security " + line(s, 60) + ": " + text})
		}
	}
	if d.server == "" {
		m.Gaps = append(m.Gaps, Gap{m.Tool, "the document names no server that a request could go to: the host of [api.NAME] is taken"})
	}
}

func describe(o *operation) string {
	text := sentence(o.summary, maxDescription)
	if text == "" {
		text = sentence(o.details, maxDescription)
	}
	if text == "" {
		text = o.method + " " + line(o.path, maxHelp)
	}
	if o.deprecated {
		text = "Deprecated: " + text
	}
	return text
}

// record is the request of an operation with its parameters; nil if there is none
// that could be sent.
func (d *document) record(o *operation, tool string) (*api.Record, []Parameter) {
	r := &api.Record{Server: d.server, Method: o.method, Deprecated: o.deprecated}
	if o.server != "" {
		r.Server = o.server
	}
	if o.secured {
		r.Auth = name(tool, "api", 60)
	}
	w := &writer{o: o, r: r, taken: map[string]bool{}}
	if !w.outside() {
		return nil, nil
	}
	w.body()
	w.pages()
	if err := r.Check(); err != nil {
		o.gap("is not taken over: " + err.Error())
		return nil, nil
	}
	return r, w.params
}

// writer writes one record.
type writer struct {
	o      *operation
	r      *api.Record
	params []Parameter
	taken  map[string]bool
}

// add adds a parameter and returns its name; sent: its default is sent where it is
// not given.
func (w *writer) add(given string, f *field, required, sent bool) string {
	p := Parameter{
		Name: unique(w.taken, given), Type: f.Type, Required: required, Enum: f.Enum, Format: f.Format, Minimum: f.Minimum, Maximum: f.Maximum,
	}
	p.Enum = slices.DeleteFunc(slices.Clone(p.Enum), func(raw json.RawMessage) bool { return string(raw) == "null" })
	text := sentence(f.description, maxHelp)
	more := func(s string) { text = strings.TrimPrefix(text+"; "+s, "; ") }
	if f.deprecated {
		more("deprecated")
	}
	if f.hasFallback && len(f.fallback) <= maxDefault && line(f.fallback, maxDefault) == f.fallback {
		if sent && f.fallback != "" && among(p.Enum, f.fallback) {
			p.Default = f.fallback
		} else {
			more("default " + f.fallback)
		}
	}
	if f.example != "" {
		more("such as " + line(f.example, 60))
	}
	p.Description = text
	w.params = append(w.params, p)
	if f.Type == "array" || f.Type == "object" {
		if w.r.Schemas == nil {
			w.r.Schemas = map[string]*api.Schema{}
		}
		inner := f.Schema
		inner.Enum, inner.Format, inner.Minimum, inner.Maximum = nil, "", "", ""
		w.r.Schemas[p.Name] = &inner
	}
	return p.Name
}

func among(words []json.RawMessage, text string) bool {
	return len(words) == 0 || slices.ContainsFunc(words, func(raw json.RawMessage) bool {
		word := string(raw)
		_ = json.Unmarshal(raw, &word)
		return word == text
	})
}

// outside writes path, query and headers.
func (w *writer) outside() bool {
	o := w.o
	path, pairs := o.path, []string(nil)
	if strings.ContainsAny(path, "#<>\\ \t") {
		o.gap("its path " + path + " is none that a request has")
		return false
	}
	path, fixed, _ := strings.Cut(path, "?")
	if fixed != "" {
		pairs = append(pairs, fixed)
	}
	for i := range o.params {
		p := &o.params[i]
		switch p.in {
		case "path":
			if !strings.Contains(path, "{"+p.name+"}") {
				o.gap("path " + p.name + ": does not stand in the path")
				continue
			}
			slot := w.add(w.free(p.name, "path"), &p.field, true, false)
			w.collect(slot, p)
			path = strings.ReplaceAll(path, "{"+p.name+"}", "<"+slot+">")
		case "query":
			slot := w.add(w.free(p.name, "query"), &p.field, p.required, true)
			w.collect(slot, p)
			pairs = append(pairs, queryName(p.name)+"=<"+slot+">")
		case "header":
			w.header(p)
		}
	}
	for { // one that is not declared
		start := strings.IndexByte(path, '{')
		end := strings.IndexByte(path, '}')
		if start < 0 || end < start {
			break
		}
		slot := w.add(w.free(path[start+1:end], "path"), &field{Schema: api.Schema{Type: "string"}}, true, false)
		path = path[:start] + "<" + slot + ">" + path[end+1:]
	}
	if w.r.Path = path; len(pairs) > 0 {
		w.r.Path += "?" + strings.Join(pairs, "&")
	}
	if !strings.HasPrefix(w.r.Path, "/") {
		w.r.Path = "/" + w.r.Path
	}
	return true
}

// queryName is a name as it stands in a query.
func queryName(s string) string {
	return strings.NewReplacer("%", "%25", "&", "%26", "=", "%3D", "#", "%23", "+", "%2B", "<", "%3C", ">", "%3E", " ", "%20", "?", "%3F", "\\", "%5C", "\t", "%09").Replace(s)
}

// free is the name of a parameter; where another one has it, with its place.
func (w *writer) free(given, place string) string {
	out := name(given, place, 60)
	if w.taken[out] {
		out = place + "_" + out
	}
	return out
}

func (w *writer) collect(slot string, p *param) {
	if p.collection == "" {
		return
	}
	if w.r.Collections == nil {
		w.r.Collections = map[string]string{}
	}
	w.r.Collections[slot] = p.collection
}

// header writes a parameter of a header. Those of the client and of credentials are
// not the operation's.
func (w *writer) header(p *param) {
	switch strings.ToLower(p.name) {
	case "accept", "content-type", "authorization":
		return
	case "idempotency-key", "x-idempotency-key":
		w.r.IdempotencyKey = p.name
		return
	}
	if (&api.Record{Method: "GET", Path: "/", Headers: map[string]string{p.name: ""}}).Check() != nil {
		w.o.gap("header " + p.name + ": is the client's own")
		return
	}
	slot := w.add(w.free(p.name, "header"), &p.field, p.required, true)
	w.collect(slot, p)
	if w.r.Headers == nil {
		w.r.Headers = map[string]string{}
	}
	w.r.Headers[p.name] = "<" + slot + ">"
}

// body writes the body: JSON before forms, and what is neither as a file.
func (w *writer) body() {
	o := w.o
	if len(o.bodies) == 0 {
		return
	}
	best := o.bodies[0]
	rank := func(kind string) int {
		media, _, _ := mime.ParseMediaType(kind)
		switch {
		case media == api.JSONType:
			return 0
		case isJSON(kind):
			return 1
		case media == api.FormType:
			return 2
		case media == api.MultipartType:
			return 3
		case media == "*/*":
			return 4
		}
		return 5
	}
	for _, b := range o.bodies {
		if rank(b.contentType) < rank(best.contentType) {
			best = b
		}
	}
	kind := rank(best.contentType)
	w.r.BodyRequired = o.bodyRequired
	switch {
	case kind == 4:
		w.r.ContentType = ""
	case kind > 0:
		w.r.ContentType = best.contentType
	}
	if kind == 5 {
		o.gap("a body of " + best.contentType + " is not made of parameters: --body gives it whole")
		return
	}
	if best.schema.isObject && len(best.schema.names) == 0 && !best.schema.open {
		w.r.ContentType, w.r.BodyRequired = "", false // nothing can be in it
		return
	}
	if !best.schema.isObject || len(best.schema.names) == 0 {
		w.r.OpenBody = true
		if kind == 2 || kind == 3 {
			o.gap("nothing is known of the fields of its form: --body gives it whole")
		}
		return
	}
	w.members(best.schema, kind)
}

// members writes the members of a body, a parameter for each.
func (w *writer) members(f *fields, kind int) {
	w.r.OpenBody = f.open
	if f.choice {
		w.r.OpenBody = true
		w.o.gap("its body is one of several forms: their fields are not checked together")
	}
	var body bytes.Buffer
	body.WriteByte('{')
	for i, member := range f.names {
		one := f.byName[member]
		if kind == 3 && one.Type == "string" && one.Format == "binary" {
			one.Type, one.Format = "file", ""
		}
		if kind == 3 && (one.Type == "object" || one.Type == "array" && one.Items != nil && one.Items.Type == "object") {
			w.o.gap("body " + member + ": an object in a multipart body is written as JSON")
		}
		slot := w.add("body."+name(member, "field", 50), one, w.o.bodyRequired && slices.Contains(f.required, member), false)
		if i > 0 {
			body.WriteByte(',')
		}
		key, _ := json.Marshal(member)
		body.Write(key)
		body.WriteString(`:"<` + slot + `>"`)
	}
	body.WriteByte('}')
	w.r.Body = body.Bytes()
}

// pages says how a list goes on where the header Link does not.
func (w *writer) pages() {
	o := w.o
	if o.method != "GET" || o.linked || o.answer == nil {
		return
	}
	items := ""
	if o.answer.Type == "object" {
		if items = onlyList(o.answer); items == "" {
			return
		}
	} else if o.answer.Type != "array" {
		return
	}
	has := func(words ...string) string {
		for _, p := range o.params {
			if p.in == "query" && slices.Contains(words, snake(p.name)) {
				return p.name
			}
		}
		return ""
	}
	if cursor, at := has("cursor", "page_token", "next_token", "continuation_token"), cursorIn(o.answer); cursor != "" && at != "" {
		w.r.Pages = &api.Pages{By: "cursor", Parameter: cursor, Cursor: at, Items: items}
	} else if page := has("page", "page_number"); page != "" {
		w.r.Pages = &api.Pages{By: "page", Parameter: page, Items: items}
	}
}

// onlyList is the member of an answer that is a list, "" if there is not just one.
func onlyList(s *api.Schema) string {
	found := ""
	for member, p := range s.Properties {
		if p.Type != "array" {
			continue
		}
		if found != "" {
			return ""
		}
		found = member
	}
	return found
}

func cursorIn(s *api.Schema) string {
	for _, word := range [...]string{"next_cursor", "next_page_token", "next_token", "continuation_token", "cursor"} {
		for member := range s.Properties {
			if snake(member) == word {
				return member
			}
		}
	}
	return ""
}

// wanted are the fields that say what an object is, the most telling first.
var wanted = []string{
	"id", "number", "name", "full_name", "title", "login", "username", "email", "key", "slug", "state", "status", "type", "version",
	"html_url", "url", "created_at", "updated_at",
}

// mostFields is how many fields are shown of an object.
const mostFields = 5

// choose picks the fields of an answer that are shown; none where it has too few to
// choose from.
func choose(s *api.Schema) []string {
	prefix := ""
	for range 2 {
		if s == nil {
			return nil
		}
		switch s.Type {
		case "array":
			s = s.Items
		case "object":
			if list := onlyList(s); list != "" && prefix == "" && s.Properties[list].Items != nil && s.Properties[list].Items.Type == "object" && len(s.Properties) <= 8 && isPlain(list) {
				prefix = list + "[]."
				s = s.Properties[list].Items
			}
		}
	}
	if s == nil || s.Type != "object" || len(s.Properties) <= mostFields {
		return nil
	}
	var out []string
	for _, word := range wanted {
		for member, p := range s.Properties {
			if snake(member) == word && p.Type != "object" && p.Type != "array" && isPlain(member) && len(out) < mostFields {
				out = append(out, prefix+member)
			}
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// isPlain reports whether a name stands in a path as it is.
func isPlain(s string) bool {
	return s != "" && !strings.ContainsAny(s, ".[]\"? ")
}
