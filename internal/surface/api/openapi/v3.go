package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pb33f/libopenapi/datamodel/high/base"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"
	"github.com/pb33f/libopenapi/orderedmap"
)

// ofV3 reads a document of OpenAPI 3.
func ofV3(m *v3.Document) *document {
	d := &document{schemes: map[string]string{}}
	if m.Info != nil {
		d.title, d.version = m.Info.Title, m.Info.Version
		if m.Info.License != nil {
			d.licence = m.Info.License.Identifier
			if d.licence == "" {
				d.licence = m.Info.License.Name
			}
		}
	}
	d.server = d.serverOf(m.Servers)
	if m.Components != nil && m.Components.SecuritySchemes != nil {
		for p := m.Components.SecuritySchemes.First(); p != nil; p = p.Next() {
			d.schemes[p.Key()] = schemeV3(p.Value())
		}
	}
	if m.Webhooks != nil && m.Webhooks.Len() > 0 {
		d.gaps = append(d.gaps, Gap{Text: fmt.Sprintf("webhooks, which the server calls, are not taken over: %d", m.Webhooks.Len())})
	}
	if m.Paths == nil || m.Paths.PathItems == nil {
		return d
	}
	for p := m.Paths.PathItems.First(); p != nil; p = p.Next() {
		item := p.Value()
		if item == nil {
			continue
		}
		for o := item.GetOperations().First(); o != nil; o = o.Next() {
			if o.Value() != nil {
				d.operations = append(d.operations, d.operationV3(m, strings.ToUpper(o.Key()), p.Key(), item, o.Value()))
			}
		}
	}
	return d
}

func schemeV3(s *v3.SecurityScheme) string {
	if s == nil {
		return ""
	}
	switch s.Type {
	case "oauth2":
		return "oauth2: its flows are not followed; get a token elsewhere and give it as type = \"bearer\""
	case "openIdConnect":
		return "openIdConnect: get a token elsewhere and give it as type = \"bearer\""
	case "mutualTLS":
		return "mutualTLS: certificates of a client are not sent"
	case "apiKey":
		if s.In == "cookie" {
			return "apiKey in a cookie: cookies are not sent"
		}
	}
	return ""
}

// serverOf is the first server that a request could go to, its variables by their
// defaults.
func (d *document) serverOf(servers []*v3.Server) string {
	for _, s := range servers {
		if s == nil {
			continue
		}
		url := s.URL
		if s.Variables != nil {
			for v := s.Variables.First(); v != nil; v = v.Next() {
				url = strings.ReplaceAll(url, "{"+v.Key()+"}", v.Value().Default)
			}
		}
		if url = d.usable(url); url != "" {
			return url
		}
	}
	return ""
}

func (d *document) operationV3(m *v3.Document, method, path string, item *v3.PathItem, o *v3.Operation) *operation {
	out := &operation{method: method, path: path, id: o.OperationId, summary: o.Summary, details: o.Description, deprecated: o.Deprecated != nil && *o.Deprecated}
	if out.summary == "" {
		out.summary = item.Summary
	}
	if servers := slices.Concat(o.Servers, item.Servers); len(servers) > 0 {
		out.server = d.serverOf(servers)
	}
	own := o.Parameters
	for _, p := range item.Parameters {
		if p != nil && !slices.ContainsFunc(own, func(q *v3.Parameter) bool { return q != nil && q.Name == p.Name && q.In == p.In }) {
			out.paramV3(p)
		}
	}
	for _, p := range own {
		if p != nil {
			out.paramV3(p)
		}
	}
	if b := o.RequestBody; b != nil && b.Content != nil {
		out.bodyRequired = b.Required != nil && *b.Required
		for c := b.Content.First(); c != nil; c = c.Next() {
			if c.Value() != nil {
				out.bodies = append(out.bodies, content{c.Key(), fieldsOf(c.Value().Schema)})
			}
		}
	}
	if o.Callbacks != nil && o.Callbacks.Len() > 0 {
		out.gap("callbacks, which the server makes, are not taken over")
	}
	security := o.Security
	if security == nil {
		security = m.Security
	}
	out.secured = secured(security)
	out.answerV3(o.Responses)
	return out
}

// secured reports whether a credential is needed: one that may be left out is not.
func secured(list []*base.SecurityRequirement) bool {
	if len(list) == 0 {
		return false
	}
	return !slices.ContainsFunc(list, func(r *base.SecurityRequirement) bool {
		return r == nil || r.ContainsEmptyRequirement || r.Requirements == nil || r.Requirements.Len() == 0
	})
}

func (o *operation) paramV3(p *v3.Parameter) {
	out := param{name: p.Name, in: p.In, required: p.Required != nil && *p.Required || p.In == "path", deprecated: p.Deprecated, explode: true}
	schema := p.Schema
	if schema == nil && p.Content != nil && p.Content.Len() > 0 {
		schema = p.Content.First().Value().Schema
		out.field = *fieldOf(schema)
		out.Type, out.Items, out.Properties = "object", nil, nil // JSON as a text
	} else if schema != nil {
		out.field = *fieldOf(schema)
	}
	if p.Description != "" {
		out.description = p.Description
	}
	if text, ok := textOf(p.Example); ok {
		out.example = text
	} else if p.Examples != nil && p.Examples.Len() > 0 && p.Examples.First().Value() != nil {
		out.example, _ = textOf(p.Examples.First().Value().Value)
	}
	if p.Explode != nil {
		out.explode = *p.Explode
	}
	if !o.style(&out, p.Style, p.Explode) {
		return
	}
	o.params = append(o.params, out)
}

// style says how a list is written; a style that cannot be written is a gap, and
// the parameter is left out unless it is needed.
func (o *operation) style(p *param, style string, explode *bool) bool {
	switch {
	case p.in == "cookie":
		o.gap("cookie " + p.name + ": cookies are never sent")
		return false
	case style == "deepObject":
		p.collection = "deep"
	case p.in == "query" && p.Type == "object" && p.Properties != nil:
		o.gap("query " + p.name + ": an object in a query is written as JSON")
	case style == "matrix" || style == "label":
		o.gap("path " + p.name + ": the style " + style + " is not written")
	case p.Type != "array":
	case style == "spaceDelimited" && (explode == nil || !*explode):
		p.collection = "ssv"
	case style == "pipeDelimited" && (explode == nil || !*explode):
		p.collection = "pipes"
	case p.in == "query" && explode != nil && !*explode:
		p.collection = "csv"
	}
	return true
}

// answerV3 takes the schema of the first good answer.
func (o *operation) answerV3(r *v3.Responses) {
	if r == nil || r.Codes == nil {
		return
	}
	for c := r.Codes.First(); c != nil; c = c.Next() {
		if !strings.HasPrefix(c.Key(), "2") || c.Value() == nil {
			continue
		}
		o.linked = o.linked || hasLink(c.Value().Headers)
		if c.Value().Content == nil {
			continue
		}
		for m := c.Value().Content.First(); m != nil; m = m.Next() {
			if isJSON(m.Key()) && m.Value() != nil && o.answer == nil {
				left := maxNodes
				o.answer = compact(m.Value().Schema, maxDepth-3, &left)
			}
		}
	}
}

// hasLink reports whether an answer has the header by which pages follow each other
// (RFC 8288); the headers are those of either version.
func hasLink[H any](headers *orderedmap.Map[string, H]) bool {
	if headers == nil {
		return false
	}
	for h := headers.First(); h != nil; h = h.Next() {
		if strings.EqualFold(h.Key(), "link") {
			return true
		}
	}
	return false
}
