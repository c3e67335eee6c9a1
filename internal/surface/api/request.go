package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// Values are what a request is made with.
type Values struct {
	Set map[string]string
	// Body is the body, or what Set does not say of it; nil: nothing was given.
	Body []byte
}

// Request is a request without its secret.
type Request struct {
	Method string
	URL    *url.URL
	Header http.Header
	Body   []byte // nil: none
}

// Fault is what is wrong with a value, or that it is missing or unknown.
type Fault struct {
	Place  string // "path", "query", "header NAME", "body"; "" for none
	Name   string
	Reason string
}

func (f *Fault) Error() string {
	return strings.TrimSpace(f.Place+" "+f.Name) + ": " + f.Reason
}

// Reasons of a Fault beside those about a value.
const (
	missing = "is missing"
	unknown = "is unknown"
)

// builder makes one request.
type builder struct {
	record *Record
	params map[string]*Param
	places map[string]string
	given  map[string]string
	values map[string]any // those that are there
	faults []error
}

// Build makes the request of a record. An error names all that is wrong with the
// values, each a *Fault, by place and name.
func Build(r *Record, params []Param, v Values) (*Request, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	r, err := r.housed(params)
	if err != nil {
		return nil, err
	}
	b := &builder{record: r, params: map[string]*Param{}, places: r.places(), given: v.Set, values: map[string]any{}}
	for _, p := range params {
		p.inner, p.collection = r.Schemas[p.Name], r.Collections[p.Name]
		b.params[p.Name] = &p
	}
	b.read(v.Body != nil)
	req := &Request{Method: r.Method, Header: http.Header{}}
	target := b.url()
	b.headers(req.Header)
	b.body(req, v.Body)
	if r.BodyRequired && req.Body == nil && len(b.faults) == 0 {
		b.faults = append(b.faults, &Fault{"body", "", missing + ": --body FILE gives it"})
	}
	if len(b.faults) > 0 {
		return nil, errors.Join(b.faults...)
	}
	if r.Server == "" {
		return nil, errors.New("the map names no server")
	}
	server, err := parseServer(r.Server)
	if err != nil {
		return nil, err
	}
	if req.URL, err = url.Parse(strings.TrimSuffix(r.Server, "/") + target); err != nil {
		return nil, err
	}
	if req.URL.Host != server.Host || req.URL.Scheme != server.Scheme || req.URL.User != nil || req.URL.Fragment != "" {
		return nil, errors.New("the values would lead the request elsewhere")
	}
	return req, nil
}

// housed is the record with a place for the parameters that it has none for: in the
// body of a request that has one, else in the query. The seed's short form says no more.
func (r *Record) housed(params []Param) (*Record, error) {
	places := r.places()
	var homeless []string
	for _, p := range params {
		if places[p.Name] == "" {
			homeless = append(homeless, p.Name)
		}
	}
	if len(homeless) == 0 {
		return r, nil
	}
	out := *r
	body := map[string]json.RawMessage{}
	if len(r.Body) > 0 {
		if err := json.Unmarshal(r.Body, &body); err != nil {
			return nil, errors.New("the map says of no place for " + strings.Join(homeless, ", "))
		}
	}
	out.Query = map[string]string{}
	for _, name := range homeless {
		member, own := strings.CutPrefix(name, "body.")
		if !own && (r.Safe() || r.Method == http.MethodDelete) {
			out.Query[name] = "<" + name + ">"
			continue
		}
		if body[member] == nil {
			body[member] = json.RawMessage(`"<` + name + `>"`)
		}
	}
	out.joinQuery()
	if len(body) > 0 {
		data, err := encodeJSON(body)
		if err != nil {
			return nil, err
		}
		out.Body = data
	}
	return &out, nil
}

func (b *builder) fault(name, reason string) {
	b.faults = append(b.faults, &Fault{b.places[name], name, reason})
}

// read holds the values against the parameters.
func (b *builder) read(whole bool) {
	names := make([]string, 0, len(b.given)+len(b.params))
	for name := range b.given {
		names = append(names, name)
	}
	for name := range b.params {
		if _, ok := b.given[name]; !ok {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		p, text := b.params[name], b.given[name]
		_, given := b.given[name]
		switch {
		case p == nil:
			b.fault(name, unknown)
			continue
		case !given && p.Required && !(whole && b.places[name] == "body"):
			b.fault(name, missing)
			continue
		case !given:
			continue
		}
		v, err := p.value(text)
		if err == nil {
			err = p.schema().Check(name, v)
		}
		if err != nil {
			b.fault(name, strings.TrimPrefix(err.Error(), name+": "))
			continue
		}
		b.values[name] = v
	}
	for name := range b.places {
		if b.params[name] == nil {
			b.fault(name, "no parameter fills it: the map is not whole")
		}
	}
}

// url is the path with its query, encoded.
func (b *builder) url() string {
	path, query, _ := strings.Cut(b.record.Path, "?")
	var out strings.Builder
	for i, segment := range strings.Split(path, "/") {
		if i > 0 {
			out.WriteByte('/')
		}
		text := b.segment(segment)
		if isDots(text) {
			b.faults = append(b.faults, &Fault{"path", strings.Join(slotsIn(segment), " "), "would lead to another path"})
		}
		out.WriteString(text)
	}
	var pairs []string
	for pair := range strings.SplitSeq(query, "&") {
		if pair != "" {
			pairs = append(pairs, b.pair(pair)...)
		}
	}
	if len(pairs) > 0 {
		out.WriteString("?" + strings.Join(pairs, "&"))
	}
	return out.String()
}

// segment fills one segment of a path.
func (b *builder) segment(segment string) string {
	var out strings.Builder
	for _, p := range split(segment) {
		if !p.slot {
			out.WriteString(literalPath(p.text))
			continue
		}
		v, ok := b.values[p.text]
		texts, err := b.param(p.text).texts(v, false)
		switch {
		case err != nil:
			b.fault(p.text, err.Error())
		case ok && (len(texts) == 0 || texts[0] == ""):
			b.fault(p.text, "is empty")
		case ok:
			out.WriteString(escape(texts[0]))
		case !b.faulty(p.text):
			b.fault(p.text, missing)
		}
	}
	return out.String()
}

func (b *builder) param(name string) *Param {
	if p := b.params[name]; p != nil {
		return p
	}
	return &Param{Name: name}
}

func (b *builder) faulty(name string) bool {
	return slices.ContainsFunc(b.faults, func(err error) bool {
		var f *Fault
		return errors.As(err, &f) && f.Name == name
	})
}

// pair fills "name=<slot>" of a query: nothing where the slot has no value.
func (b *builder) pair(pair string) []string {
	name, value, has := strings.Cut(pair, "=")
	key := literalQuery(name)
	if slot, ok := only(value); ok {
		v, there := b.values[slot]
		if !there {
			return nil
		}
		if b.param(slot).collection == "deep" {
			return deep(key, v)
		}
		texts, err := b.param(slot).texts(v, true)
		if err != nil {
			b.fault(slot, err.Error())
		}
		out := make([]string, 0, len(texts))
		for _, text := range texts {
			out = append(out, key+"="+escape(text))
		}
		return out
	}
	text, there, err := b.fill(value, escape, literalQuery)
	switch {
	case err != nil:
		b.faults = append(b.faults, &Fault{"query", name, err.Error()})
		return nil
	case !there:
		return nil
	case !has:
		return []string{key}
	}
	return []string{key + "=" + text}
}

// literalQuery writes what a map says of a query; its own escapes stay.
func literalQuery(s string) string {
	return strings.NewReplacer("+", "%2B", "=", "%3D", "&", "%26", "'", "%27", ";", "%3B").Replace(literalPath(s))
}

// fill writes a text with slots; it is not there if one of them has no value.
func (b *builder) fill(text string, value, literal func(string) string) (out string, there bool, err error) {
	var w strings.Builder
	for _, p := range split(text) {
		if !p.slot {
			w.WriteString(literal(p.text))
			continue
		}
		v, ok := b.values[p.text]
		if !ok {
			return "", false, nil
		}
		texts, err := b.param(p.text).texts(v, false)
		if err != nil {
			return "", false, err
		}
		w.WriteString(value(strings.Join(texts, ",")))
	}
	return w.String(), true, nil
}

func same(s string) string { return s }

func (b *builder) headers(h http.Header) {
	names := make([]string, 0, len(b.record.Headers))
	for name := range b.record.Headers {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		text, there, err := b.fill(b.record.Headers[name], same, same)
		if err == nil && there {
			err = headerValue(text)
		}
		switch {
		case err != nil:
			b.faults = append(b.faults, &Fault{"header " + name, strings.Join(slotsIn(b.record.Headers[name]), " "), err.Error()})
		case there:
			h.Set(name, text)
		}
	}
	if h.Get("Accept") == "" {
		h.Set("Accept", "application/json, */*;q=0.5")
	}
}

// body makes the body of the record's and what was given beside it.
func (b *builder) body(req *Request, given []byte) {
	form := b.record.form()
	if given != nil && b.record.Safe() && len(b.record.Body) == 0 && b.record.ContentType == "" && !b.record.OpenBody {
		b.faults = append(b.faults, &Fault{"body", "", "the operation takes none"})
		return
	}
	if form == rawForm {
		if given != nil {
			req.Body = given
			req.Header.Set("Content-Type", b.record.contentType())
		}
		return
	}
	if given != nil && form != jsonForm {
		req.Body = given
		req.Header.Set("Content-Type", b.record.contentType())
		if form == multipartForm {
			b.faults = append(b.faults, &Fault{"body", "", "a multipart body is made of parameters alone"})
		}
		return
	}
	v, there := b.template()
	if given != nil {
		rest, err := readJSON(given)
		if err == nil {
			v, err = b.joined(rest, v)
		}
		if err != nil {
			b.faults = append(b.faults, &Fault{"body", "", err.Error()})
			return
		}
		there = true
	}
	if !there || len(b.faults) > 0 {
		return
	}
	var err error
	switch form {
	case urlForm:
		req.Body, err = b.urlEncoded(v)
		req.Header.Set("Content-Type", FormType)
	case multipartForm:
		var contentType string
		req.Body, contentType, err = b.multipart(v)
		req.Header.Set("Content-Type", contentType)
	default:
		req.Body, err = encodeJSON(v)
		req.Header.Set("Content-Type", b.record.contentType())
	}
	if err != nil {
		b.faults = append(b.faults, &Fault{"body", "", err.Error()})
	}
}

// template is the record's body with its slots filled.
func (b *builder) template() (v any, there bool) {
	if len(b.record.Body) == 0 {
		return nil, false
	}
	t, err := readJSON(b.record.Body)
	if err != nil {
		b.faults = append(b.faults, &Fault{"body", "", err.Error()})
		return nil, false
	}
	v, there = b.filled(t, 0)
	if _, isObject := t.(map[string]any); isObject && !there {
		// A method that reads or deletes has no body where nothing is said in it.
		return map[string]any{}, !b.record.Safe() && b.record.Method != http.MethodDelete
	}
	return v, there
}

// filled fills the slots of a JSON value. It is not there if nothing of it has a value.
func (b *builder) filled(t any, depth int) (v any, there bool) {
	if depth > maxDepth {
		return nil, false
	}
	switch t := t.(type) {
	case string:
		if name, ok := only(t); ok {
			v, ok := b.values[name]
			return v, ok
		}
		text, there, err := b.fill(t, same, same)
		if err != nil {
			b.faults = append(b.faults, &Fault{"body", "", err.Error()})
		}
		return text, there
	case []any:
		out := []any{}
		for _, item := range t {
			if v, ok := b.filled(item, depth+1); ok {
				out = append(out, v)
			}
		}
		return out, len(out) > 0 || len(t) == 0
	case map[string]any:
		out := map[string]any{}
		for name, item := range t {
			if v, ok := b.filled(item, depth+1); ok {
				out[name] = v
			}
		}
		return out, len(out) > 0 || len(t) == 0
	}
	return t, true
}

// joined is a body that was given whole, with the members that have values of their
// own in their place.
func (b *builder) joined(rest, own any) (any, error) {
	object, ok := rest.(map[string]any)
	if !ok {
		if len(b.bodySlots()) > 0 {
			return nil, errors.New("is not an object")
		}
		return rest, nil
	}
	if set, ok := own.(map[string]any); ok {
		for name, v := range set {
			object[name] = v
		}
	}
	return object, b.checkBody(object)
}

// bodySlots are the members of the body that are one parameter each.
func (b *builder) bodySlots() map[string]string {
	var t any
	if t, _ = readJSON(b.record.Body); len(b.record.Body) == 0 {
		return nil
	}
	object, _ := t.(map[string]any)
	out := map[string]string{}
	for member, v := range object {
		out[member] = ""
		if text, ok := v.(string); ok {
			if name, ok := only(text); ok {
				out[member] = name
			}
		}
	}
	return out
}

// checkBody holds a body that was given against the parameters of its members.
func (b *builder) checkBody(object map[string]any) error {
	slots := b.bodySlots()
	if len(slots) == 0 {
		return nil
	}
	var faults []error
	for member, v := range object {
		name, known := slots[member]
		switch p := b.params[name]; {
		case !known && !b.record.OpenBody:
			faults = append(faults, &Fault{"", member, unknown})
		case p != nil:
			if err := p.schema().Check(member, v); err != nil {
				faults = append(faults, err)
			}
		}
	}
	for member, name := range slots {
		if p := b.params[name]; p != nil && p.Required {
			if _, ok := object[member]; !ok {
				faults = append(faults, &Fault{"", member, missing})
			}
		}
	}
	slices.SortFunc(faults, func(x, y error) int { return strings.Compare(x.Error(), y.Error()) })
	return errors.Join(faults...)
}

func encodeJSON(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// fields are the members of an object in the order of their names.
func fields(v any) ([]string, map[string]any, error) {
	object, ok := v.(map[string]any)
	if !ok {
		return nil, nil, errors.New("is not an object")
	}
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	sort.Strings(names)
	return names, object, nil
}

// deep writes a value as pairs with the way to each part in brackets: a[b]=c, a[0]=d.
func deep(key string, v any) []string {
	var out []string
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			out = append(out, deep(key+"%5B"+escape(name)+"%5D", v[name])...)
		}
	case []any:
		for i, item := range v {
			out = append(out, deep(fmt.Sprintf("%s%%5B%d%%5D", key, i), item)...)
		}
	default:
		text, _ := scalar(v) // no object and no list
		out = append(out, key+"="+escape(text))
	}
	return out
}

// urlEncoded writes a body as a form does: lists by repeating the name, what is in
// them and objects by brackets.
func (b *builder) urlEncoded(v any) ([]byte, error) {
	names, object, err := fields(v)
	if err != nil {
		return nil, err
	}
	slots := b.bodySlots()
	var pairs []string
	for _, name := range names {
		list, isList := object[name].([]any)
		plain := isList && b.param(slots[name]).collection != "deep" && !slices.ContainsFunc(list, func(item any) bool {
			_, isObject := item.(map[string]any)
			_, isList := item.([]any)
			return isObject || isList
		})
		if !plain {
			pairs = append(pairs, deep(escape(name), object[name])...)
			continue
		}
		texts, err := b.param(slots[name]).texts(list, true)
		if err != nil {
			return nil, err
		}
		for _, text := range texts {
			pairs = append(pairs, escape(name)+"="+escape(text))
		}
	}
	return []byte(strings.Join(pairs, "&")), nil
}

// maxUpload bounds a file of a multipart body in bytes.
const maxUpload = 64 << 20

// formPart is one part of a multipart body.
type formPart struct {
	head    textproto.MIMEHeader
	content []byte
}

// multipart writes a body of parts; the value of a parameter of type "file" is the
// path of a file. The boundary follows from all of the content: nothing in it can be
// the boundary, and equal requests are equal.
func (b *builder) multipart(v any) (body []byte, contentType string, err error) {
	names, object, err := fields(v)
	if err != nil {
		return nil, "", err
	}
	slots := b.bodySlots()
	var parts []formPart
	sum := sha256.New()
	for _, name := range names {
		part, err := newPart(name, object[name], b.params[slots[name]])
		if err != nil {
			return nil, "", err
		}
		fmt.Fprintf(sum, "%q %d\n", name, len(part.content))
		sum.Write(part.content)
		parts = append(parts, part)
	}
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	if err := w.SetBoundary("tmp-" + hex.EncodeToString(sum.Sum(nil)[:20])); err != nil {
		return nil, "", err
	}
	for _, part := range parts {
		p, err := w.CreatePart(part.head)
		if err == nil {
			_, err = p.Write(part.content)
		}
		if err != nil {
			return nil, "", err
		}
	}
	err = w.Close() // writes the end
	return out.Bytes(), w.FormDataContentType(), err
}

func newPart(name string, v any, p *Param) (formPart, error) {
	text, err := scalar(v)
	if err != nil {
		return formPart{}, err
	}
	disposition := "form-data; name=" + quoted(name)
	part := formPart{textproto.MIMEHeader{}, []byte(text)}
	if p != nil && p.Type == "file" {
		if part.content, err = readUpload(text); err != nil {
			return formPart{}, err
		}
		disposition += "; filename=" + quoted(filepath.Base(text))
		part.head.Set("Content-Type", "application/octet-stream")
	}
	part.head.Set("Content-Disposition", disposition)
	return part, nil
}

// quoted writes a name as browsers do in a multipart body.
func quoted(s string) string {
	return `"` + strings.NewReplacer("\r", "%0D", "\n", "%0A", `"`, "%22").Replace(s) + `"`
}

func readUpload(path string) ([]byte, error) {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no file", path)
	case st.Size() > maxUpload:
		return nil, fmt.Errorf("%s is larger than %d MiB", path, maxUpload>>20)
	}
	return os.ReadFile(path)
}
