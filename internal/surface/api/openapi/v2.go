package openapi

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/pb33f/go-yaml"
	v2 "github.com/pb33f/libopenapi/datamodel/high/v2"

	"github.com/tool-mapping-protocol/tmp/internal/surface/api"
)

// ofV2 reads a document of Swagger 2.
func ofV2(m *v2.Swagger) *document {
	d := &document{schemes: map[string]string{}}
	if m.Info != nil {
		d.title, d.version = m.Info.Title, m.Info.Version
		if m.Info.License != nil {
			d.licence = m.Info.License.Name
		}
	}
	if m.Host != "" {
		scheme := "https"
		if len(m.Schemes) > 0 && !slices.Contains(m.Schemes, "https") {
			scheme = m.Schemes[0]
		}
		d.server = d.usable(scheme + "://" + m.Host + strings.TrimSuffix(m.BasePath, "/"))
	} else {
		d.server = d.usable(m.BasePath)
	}
	if m.SecurityDefinitions != nil && m.SecurityDefinitions.Definitions != nil {
		for p := m.SecurityDefinitions.Definitions.First(); p != nil; p = p.Next() {
			text := ""
			if s := p.Value(); s != nil && s.Type == "oauth2" {
				text = "oauth2: its flow is not followed; get a token elsewhere and give it as type = \"bearer\""
			}
			d.schemes[p.Key()] = text
		}
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
				d.operations = append(d.operations, operationV2(m, strings.ToUpper(o.Key()), p.Key(), item, o.Value()))
			}
		}
	}
	return d
}

func operationV2(m *v2.Swagger, method, path string, item *v2.PathItem, o *v2.Operation) *operation {
	out := &operation{method: method, path: path, id: o.OperationId, summary: o.Summary, details: o.Description, deprecated: o.Deprecated}
	consumes := o.Consumes
	if len(consumes) == 0 {
		consumes = m.Consumes
	}
	form := &fields{byName: map[string]*field{}, isObject: true}
	all := slices.Clone(o.Parameters)
	for _, p := range item.Parameters {
		if p != nil && !slices.ContainsFunc(o.Parameters, func(q *v2.Parameter) bool { return q != nil && q.Name == p.Name && q.In == p.In }) {
			all = append(all, p)
		}
	}
	for _, p := range all {
		if p != nil {
			out.paramV2(p, consumes, form)
		}
	}
	if len(form.names) > 0 {
		kind := api.FormType
		file := slices.ContainsFunc(form.names, func(n string) bool { return form.byName[n].Type == "file" })
		if file || slices.Contains(consumes, api.MultipartType) && !slices.Contains(consumes, api.FormType) {
			kind = api.MultipartType
		}
		out.bodies = append(out.bodies, content{kind, form})
	}
	security := o.Security
	if security == nil {
		security = m.Security
	}
	out.secured = secured(security)
	out.answerV2(o.Responses)
	return out
}

// paramV2 takes a parameter: of a body and of a form too.
func (o *operation) paramV2(p *v2.Parameter, consumes []string, form *fields) {
	required := p.Required != nil && *p.Required
	switch p.In {
	case "body":
		o.bodyRequired = required
		kinds := consumes
		if len(kinds) == 0 {
			kinds = []string{api.JSONType}
		}
		for _, kind := range kinds {
			o.bodies = append(o.bodies, content{kind, fieldsOf(p.Schema)})
		}
		return
	case "formData":
		f := fieldV2(p)
		form.names = append(form.names, p.Name)
		form.byName[p.Name] = f
		if required {
			form.required = append(form.required, p.Name)
		}
		return
	}
	out := param{name: p.Name, in: p.In, required: required || p.In == "path", field: *fieldV2(p)}
	if out.Type == "array" {
		switch p.CollectionFormat {
		case "multi":
		case "ssv", "pipes":
			out.collection = p.CollectionFormat
		case "tsv":
			o.gap(p.In + " " + p.Name + ": a list apart by tabs is not written")
		default:
			out.collection = "csv"
		}
	}
	o.params = append(o.params, out)
}

func fieldV2(p *v2.Parameter) *field {
	f := &field{description: p.Description}
	f.Type, f.Format = p.Type, p.Format
	f.Enum = raws(p.Enum)
	if p.Minimum != nil {
		f.Minimum = jsonNumber(*p.Minimum)
	}
	if p.Maximum != nil {
		f.Maximum = jsonNumber(*p.Maximum)
	}
	f.fallback, f.hasFallback = textOf(p.Default)
	if p.Items != nil {
		f.Items = &api.Schema{Type: p.Items.Type, Format: p.Items.Format, Enum: raws(p.Items.Enum)}
	}
	return f
}

// answerV2 takes the schema of the first good answer.
func (o *operation) answerV2(r *v2.Responses) {
	if r == nil || r.Codes == nil {
		return
	}
	for c := r.Codes.First(); c != nil; c = c.Next() {
		if !strings.HasPrefix(c.Key(), "2") || c.Value() == nil {
			continue
		}
		o.linked = o.linked || hasLink(c.Value().Headers)
		if c.Value().Schema != nil && o.answer == nil {
			left := maxNodes
			o.answer = compact(c.Value().Schema, maxDepth-3, &left)
		}
	}
}

func raws(nodes []*yaml.Node) (out []json.RawMessage) {
	if len(nodes) > maxEnum {
		return nil
	}
	for _, n := range nodes {
		if raw := rawOf(n); raw != nil {
			out = append(out, raw)
		}
	}
	return out
}

func jsonNumber(n int) json.Number { return json.Number(strconv.Itoa(n)) }
