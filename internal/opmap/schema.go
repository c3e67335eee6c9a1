package opmap

import _ "embed"

//go:embed schema/map.schema.json
var schemaFile []byte

// Schema returns the published JSON Schema (draft 2020-12) of a source file.
func Schema() []byte { return schemaFile }

//go:embed schema/config.schema.json
var configSchemaFile []byte

// ConfigSchema returns the published JSON Schema of the user's config.toml, as
// the values that TOML gives.
func ConfigSchema() []byte { return configSchemaFile }
