package openapi

import "github.com/tool-mapping-protocol/tmp/internal/surface/api"

// document is what is taken of a document of any version.
type document struct {
	title, version, licence string
	server                  string // "" if none is named that a request could go to
	operations              []*operation
	gaps                    []Gap
	schemes                 map[string]string // security schemes: what is to be said of each, "" for nothing
}

// operation is one method of one path.
type operation struct {
	method, path     string
	id               string // the operationId as written
	name             string // in the grammar of IDs, without the API's
	summary, details string
	deprecated       bool
	server           string // of its own; "" for the document's
	params           []param
	bodies           []content
	bodyRequired     bool
	answer           *api.Schema // of the first good answer, nil if it is no JSON
	linked           bool        // an answer has the header Link
	secured          bool
	gaps             []string
}

// content is a body in one content type.
type content struct {
	contentType string
	schema      *fields
}

// param is a parameter outside a body.
type param struct {
	name, in   string
	required   bool
	deprecated bool
	field
	collection string
	explode    bool
}

// field is a value with all that is said of it.
type field struct {
	api.Schema
	description string
	fallback    string // the default as a text
	hasFallback bool
	example     string
	deprecated  bool
	readOnly    bool
}

// fields are the members of a body.
type fields struct {
	names    []string
	byName   map[string]*field
	required []string
	open     bool // it may have others
	isObject bool
	choice   bool // it is one of several forms
}

// gap notes that something of an operation is not taken over.
func (o *operation) gap(text string) { o.gaps = append(o.gaps, text) }
