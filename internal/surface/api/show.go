package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// shown is a request as it is shown: with the mask in the secret's place.
func (r *Request) shown(c *Credential) (target string, header http.Header) {
	req := &http.Request{URL: &url.URL{}, Header: r.Header.Clone()}
	*req.URL = *r.URL
	if c == nil {
		return req.URL.String(), req.Header
	}
	switch c.Type {
	case "basic":
		req.Header.Set("Authorization", "Basic "+c.Mask())
	case "query":
		req.URL.RawQuery = setPair(req.URL.RawQuery, escape(c.Header), c.Mask())
	default:
		c.attach(req, c.Mask())
	}
	return req.URL.String(), req.Header
}

// names are the headers in order.
func names(h http.Header) []string {
	out := make([]string, 0, len(h))
	for name := range h {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}

// Facts is a request as JSON, with the mask in the secret's place.
type Facts struct {
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Body    json.RawMessage   `json:"body,omitempty"` // JSON, or a text
	Curl    string            `json:"curl"`
}

func (r *Request) facts(c *Credential) Facts {
	target, header := r.shown(c)
	f := Facts{Method: r.Method, URL: target, Headers: map[string]string{}, Curl: r.Curl(c)}
	for name, values := range header {
		f.Headers[name] = strings.Join(values, ", ")
	}
	switch {
	case r.Body == nil:
	case isJSON(header.Get("Content-Type")) && json.Valid(r.Body):
		f.Body = r.Body
	default:
		f.Body, _ = encodeJSON(string(r.Body))
	}
	return f
}

// Lines says the request in lines: the first is method and URL, then the headers, an
// empty one and the body.
func (r *Request) Lines(c *Credential) []string {
	target, header := r.shown(c)
	out := []string{r.Method + " " + target}
	for _, name := range names(header) {
		for _, v := range header[name] {
			out = append(out, name+": "+v)
		}
	}
	if r.Body == nil {
		return out
	}
	out = append(out, "")
	if !isText(r.Body) {
		return append(out, fmt.Sprintf("(%d bytes)", len(r.Body)))
	}
	return append(out, strings.Split(string(r.Body), "\n")...)
}

func isText(b []byte) bool {
	return utf8.Valid(b) && !slices.Contains(b, 0)
}

// Curl is the request as a line for a POSIX shell that sends the same. The mask is
// in double quotes, so that a shell that has the variable fills it in.
func (r *Request) Curl(c *Credential) string {
	target, header := r.shown(c)
	mask := ""
	if c != nil {
		mask = c.Mask()
	}
	words := []string{"curl", "--fail-with-body"}
	switch {
	case r.Method == http.MethodHead:
		words = append(words, "--head")
	case r.Method != http.MethodGet || r.Body != nil:
		words = append(words, "--request", r.Method)
	}
	for _, name := range names(header) {
		for _, v := range header[name] {
			switch {
			case c != nil && c.Type == "basic" && name == "Authorization":
				words = append(words, "--user", shellWord(mask, mask))
			case v == "":
				words = append(words, "--header", shellWord(name+";", ""))
			default:
				words = append(words, "--header", shellWord(name+": "+v, masked(c, name, mask)))
			}
		}
	}
	if r.Body != nil {
		body := string(r.Body)
		if !isText(r.Body) {
			body = "@FILE"
		}
		words = append(words, "--data-raw", shellWord(body, ""))
		if !isText(r.Body) {
			words[len(words)-2] = "--data-binary"
		}
	}
	query := ""
	if c != nil && c.Type == "query" {
		query = mask
	}
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		words = append(words, "--location")
	}
	words = append(words, "--globoff", shellWord(target, query))
	return strings.Join(words, " ")
}

// masked is the mask if the header carries the secret.
func masked(c *Credential, name, mask string) string {
	if c != nil && (c.Type == "bearer" && name == "Authorization" || c.Type == "header" && name == http.CanonicalHeaderKey(c.Header)) {
		return mask
	}
	return ""
}

// shellWord quotes a word for a POSIX shell. The last variable in it stays one.
func shellWord(s, variable string) string {
	head, tail, found := s, "", false
	if variable != "" {
		if i := strings.LastIndex(s, variable); i >= 0 {
			head, tail, found = s[:i], s[i+len(variable):], true
		}
	}
	if !found {
		return single(s)
	}
	word := `"` + variable + `"`
	if head != "" {
		word = single(head) + word
	}
	if tail != "" {
		word += single(tail)
	}
	return word
}

func single(s string) string {
	plain := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:=@%+,", r))
	}
	if s != "" && !strings.ContainsFunc(s, plain) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
