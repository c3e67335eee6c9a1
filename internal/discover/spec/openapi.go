package spec

import (
	"bytes"
	"regexp"
)

// SniffSize is how much of a file is looked at to tell whether it is a document of
// OpenAPI, in bytes.
const SniffSize = 1 << 20

// openAPI is a member "openapi" or "swagger" with a version: in YAML at the beginning of
// a line, in JSON behind a brace or a comma.
var openAPI = regexp.MustCompile(`(?:(?:^|\n)(?:\x{feff})?|[{,]\s*)["']?(?:openapi|swagger)["']?[ \t]*:[ \t]*["']?[23](?:\.\d|["'\s,])`)

// IsOpenAPI reports whether the beginning of a file is one of a document of OpenAPI or
// Swagger.
func IsOpenAPI(head []byte) bool {
	return !bytes.HasPrefix(head, []byte("#!")) && openAPI.Match(head)
}
