package opmap

import _ "embed"

//go:embed schema/map.schema.json
var schemaFile []byte

// Schema returns the published JSON Schema (draft 2020-12) of a source file.
func Schema() []byte { return schemaFile }
