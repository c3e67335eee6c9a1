// Package api runs operations of HTTP APIs: it builds the request of a record and
// its values (request.go, place.go, schema.go), says it without secrets (show.go),
// sends it where it may go (credential.go, address.go, send.go, retry.go), follows
// pages (pages.go) and makes of the answer what is read first (answer.go).
//
// Nothing that a value holds leaves its place: each is encoded for the part of the
// request that it stands in. A secret stands in the user's config.toml alone and
// goes to the hosts that are named there, nowhere else.
package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Record is the member "api" of an operation's record: an HTTP request with slots,
// "<name>", for the operation's parameters.
type Record struct {
	Server string `json:"server,omitempty"` // "https://api.example.org/v1"; no slots
	Method string `json:"method"`
	Path   string `json:"path"`           // "/repos/<owner>/issues?state=<state>"
	Auth   string `json:"auth,omitempty"` // the section [api.NAME] of the user's config.toml
	// Query are pairs beside those of the path.
	Query map[string]string `json:"query,omitempty"`
	// Headers beside those that the client sets itself.
	Headers map[string]string `json:"headers,omitempty"`
	// Body is JSON; a text that is one slot and no more is the value itself. Objects
	// lose the members whose slots have no value.
	Body json.RawMessage `json:"body,omitempty"`
	// ContentType is "" for JSON. A body that is neither JSON, FormType nor
	// MultipartType is given whole, by --body.
	ContentType string `json:"content_type,omitempty"`
	// OpenBody: a body may have members that no parameter is.
	OpenBody bool `json:"open_body,omitempty"`
	// BodyRequired: it is not sent without a body.
	BodyRequired bool `json:"body_required,omitempty"`
	Deprecated   bool `json:"deprecated,omitempty"`
	// Schemas say of parameters that are lists or objects what is in them, Collections
	// of lists outside a body how they are written: "multi" (name=a&name=b), "csv", "ssv",
	// "pipes", "deep" (name[0]=a, also of objects); without it multi in a query and csv
	// elsewhere.
	Schemas     map[string]*Schema `json:"schemas,omitempty"`
	Collections map[string]string  `json:"collections,omitempty"`
	Pages       *Pages             `json:"pages,omitempty"`
	// IdempotencyKey is the header that takes a key of ours, which makes it safe to
	// send the request again.
	IdempotencyKey string `json:"idempotency_key,omitempty"`
	// Select are the paths of an answer that are shown.
	Select []string `json:"select,omitempty"`
	// URL is server and path in one.
	URL string `json:"url,omitempty"`
}

// Forms of a body beside JSON.
const (
	JSONType      = "application/json"
	FormType      = "application/x-www-form-urlencoded"
	MultipartType = "multipart/form-data"
)

// Pages says how the next page of a list is asked for. Without it the header Link
// with rel="next" is followed.
type Pages struct {
	By        string `json:"by,omitempty"`        // "link", "page" or "cursor"
	Parameter string `json:"parameter,omitempty"` // of the query: the number of the page, or the cursor
	Cursor    string `json:"cursor,omitempty"`    // where in an answer the next cursor is, a path
	Items     string `json:"items,omitempty"`     // where in an answer the list is, a path; "" finds the only one
}

// methods are those that a record may have.
var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions}

// ParseRecord reads the JSON of a record and checks it.
func ParseRecord(data []byte) (*Record, error) {
	r := &Record{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("api: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("api: text after the record")
	}
	r.Method = strings.ToUpper(r.Method)
	if r.URL != "" && r.Server == "" {
		r.split()
	}
	r.joinQuery()
	return r, r.Check()
}

// split takes the URL apart into the server and the path.
func (r *Record) split() {
	scheme, rest, ok := strings.Cut(r.URL, "://")
	if !ok {
		return
	}
	host, path, _ := strings.Cut(rest, "/")
	r.Server, r.Path, r.URL = scheme+"://"+host, "/"+path, ""
}

// joinQuery writes the pairs of the query behind the path.
func (r *Record) joinQuery() {
	sign := "?"
	if strings.Contains(r.Path, "?") {
		sign = "&"
	}
	for _, name := range slices.Sorted(maps.Keys(r.Query)) {
		r.Path += sign + escape(name) + "=" + r.Query[name]
		sign = "&"
	}
	r.Query = nil
}

// Check says what is wrong with a record by itself.
func (r *Record) Check() error {
	if !slices.Contains(methods, r.Method) {
		return fmt.Errorf("method %q: want %s", r.Method, strings.Join(methods, ", "))
	}
	if r.Server != "" {
		if _, err := parseServer(r.Server); err != nil {
			return err
		}
	}
	if !strings.HasPrefix(r.Path, "/") {
		return fmt.Errorf("path %q: want one that begins with /", r.Path)
	}
	if strings.ContainsAny(r.Path, "#\\\r\n\t ") {
		return fmt.Errorf("path %q holds what no path holds", r.Path)
	}
	for name, value := range r.Headers {
		if why := badHeader(name); why != "" {
			return fmt.Errorf("header %s: %s", name, why)
		}
		if err := headerValue(value); err != nil {
			return fmt.Errorf("header %s: %w", name, err)
		}
	}
	if r.IdempotencyKey != "" {
		if why := badHeader(r.IdempotencyKey); why != "" {
			return fmt.Errorf("idempotency_key %s: %s", r.IdempotencyKey, why)
		}
	}
	if _, _, err := mime.ParseMediaType(r.contentType()); err != nil || headerValue(r.ContentType) != nil {
		return fmt.Errorf("content_type %q: want such as %s", r.ContentType, JSONType)
	}
	if len(r.Body) > 0 && !json.Valid(r.Body) {
		return errors.New("body is not JSON")
	}
	if len(r.Body) > 0 && r.form() == rawForm {
		return fmt.Errorf("body of %s: a map writes bodies of %s, %s and %s", r.ContentType, JSONType, FormType, MultipartType)
	}
	if p := r.Pages; p != nil {
		if !slices.Contains([]string{"", "link", "page", "cursor"}, p.By) {
			return fmt.Errorf("pages by %q: want link, page or cursor", p.By)
		}
		if (p.By == "page" || p.By == "cursor") && p.Parameter == "" {
			return fmt.Errorf("pages by %s name no parameter", p.By)
		}
	}
	return nil
}

// parseServer reads the server of a record: a scheme, a host and a path, with
// nothing that a value could fill in.
func parseServer(server string) (*url.URL, error) {
	u, err := url.Parse(server)
	switch {
	case err != nil:
		return nil, fmt.Errorf("server: %w", err)
	case u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.Hostname() == "":
		return nil, fmt.Errorf("server %q: want https://HOST", server)
	case u.User != nil:
		return nil, errors.New("server: a name or password does not belong into a map: [api.NAME] of config.toml holds it")
	case u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(server, "<>{}\\"):
		return nil, fmt.Errorf("server %q: want a host and a path without slots", server)
	case u.Scheme == "http" && !isLoopbackName(u.Hostname()):
		return nil, fmt.Errorf("server %q: http is for this machine alone, want https", server)
	}
	return u, nil
}

// badHeader says why a map may not name a header.
func badHeader(name string) string {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", r))
	}) {
		return "is not the name of a header"
	}
	switch strings.ToLower(name) {
	case "authorization", "cookie", "proxy-authorization":
		return "is a credential, which stands in config.toml alone"
	case "host", "content-length", "transfer-encoding", "connection", "te", "trailer", "upgrade", "keep-alive", "expect", "proxy-connection", "accept-encoding":
		return "is the client's own"
	}
	return ""
}

// bodyForm is how a body is written.
type bodyForm uint8

const (
	jsonForm bodyForm = iota
	urlForm
	multipartForm
	rawForm // as it is given
)

func (r *Record) contentType() string {
	if r.ContentType == "" {
		return JSONType
	}
	return r.ContentType
}

func (r *Record) form() bodyForm {
	media, _, _ := mime.ParseMediaType(r.contentType())
	switch {
	case media == JSONType || strings.HasSuffix(media, "+json"):
		return jsonForm
	case media == FormType:
		return urlForm
	case media == MultipartType:
		return multipartForm
	}
	return rawForm
}

// places says of each slot of a record where it stands first: "path", "query",
// "header NAME" or "body".
func (r *Record) places() map[string]string {
	out := map[string]string{}
	note := func(text, place string) {
		for _, name := range slotsIn(text) {
			if out[name] == "" {
				out[name] = place
			}
		}
	}
	path, query, _ := strings.Cut(r.Path, "?")
	note(path, "path")
	note(query, "query")
	for name, value := range r.Headers {
		note(value, "header "+name)
	}
	if len(r.Body) > 0 {
		note(string(r.Body), "body")
		// As it stands in Go's own encoding.
		note(strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(r.Body)), "body")
	}
	return out
}

// Safe reports whether the method only reads.
func (r *Record) Safe() bool {
	return r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions
}

// repeatable reports whether the request may be sent again where nobody knows
// whether it arrived (RFC 9110, section 9.2.2).
func (r *Record) repeatable(said bool) bool {
	return said || r.IdempotencyKey != "" || r.Safe() || r.Method == http.MethodPut || r.Method == http.MethodDelete
}
