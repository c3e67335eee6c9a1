// Package surface is what passes between tmp and tmp-surface: an operation that is
// no command, such as a request to an API or a statement of SQL, is run by a program
// beside tmp, which alone holds the clients for it and alone reads the secrets. tmp
// plans, judges, lets a person approve, keeps the output and shapes it; what it
// hands over is a Request, in JSON on descriptor 3, and what comes back beside the
// output is a Report on descriptor 4.
package surface

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Program is the program that runs operations of these surfaces.
const Program = "tmp-surface"

// ImportWord is the first word of Program where it is to draft operations of a document
// of OpenAPI or Swagger: "import --name NAME FILE". The draft is a source map on its
// standard output.
const ImportWord = "import"

// The descriptors of a Request and a Report.
const (
	RequestFile = 3
	ReportFile  = 4
)

// The surfaces.
const (
	API = "api"
	SQL = "sql"
)

// Is reports whether operations of a surface are run by Program.
func Is(name string) bool { return name == API || name == SQL }

// Call is an operation with its values: what an approval holds for.
type Call struct {
	V         int             `json:"v"`
	Operation string          `json:"operation"`
	Surface   string          `json:"surface"`
	Effect    string          `json:"effect"` // as the map says it; what it does is held to that
	Record    json.RawMessage `json:"record"` // what the map says of it, see SQLRecord
	// Params are the parameters in the order of the map, Values those that have one.
	Params []Param           `json:"params"`
	Values map[string]string `json:"values"`
	Dir    string            `json:"dir"`               // the working directory, absolute
	Root   string            `json:"project,omitempty"` // the directory of the project, absolute
	// Config is the user's config.toml, and Section the table of it that is used, "jobs"
	// of [sql.jobs]; Definition is the digest of that table (see Digest). What is used is
	// held to it, so that an approval is for the connection that was shown.
	Config     string `json:"config,omitempty"`
	Section    string `json:"section,omitempty"`
	Definition string `json:"definition,omitempty"`
	// Body is a file with the body of a request, absolute, or "-" for standard input;
	// BodySHA256 is the hash of the file's content.
	Body       string `json:"body,omitempty"`
	BodySHA256 string `json:"body_sha256,omitempty"`
}

// Param is a parameter of a Call.
type Param struct {
	Name     string   `json:"name"`
	Type     string   `json:"type,omitempty"`
	Enum     []string `json:"enum,omitempty"`
	Format   string   `json:"format,omitempty"`
	Minimum  string   `json:"minimum,omitempty"`
	Maximum  string   `json:"maximum,omitempty"`
	Required bool     `json:"required,omitempty"`
	Resolver string   `json:"resolver,omitempty"`
}

// Mode is what is to be done with a Call.
type Mode string

// The modes. All but Run leave everything as it is.
const (
	Run     Mode = "run"
	DryRun  Mode = "dry-run" // say what would be done, as exactly as can be found out
	Check   Mode = "check"   // find out what it is: what verifies a map
	Values  Mode = "values"  // the values of a resolver, one a line on standard output
	Explain Mode = "explain" // what the map says, without asking a server
)

// Request is a Call with what is wanted of it.
type Request struct {
	Call
	Mode Mode `json:"mode"`
	// Format is that of standard output: "" for people, "json", "csv", "ndjson".
	Format   string `json:"format,omitempty"`
	Terminal bool   `json:"terminal,omitempty"` // standard output is shown on a terminal
	Width    int    `json:"width,omitempty"`    // of the terminal in columns, 0 for any
	Timeout  int64  `json:"timeout_ms,omitempty"`
	All      bool   `json:"all,omitempty"`       // all pages
	MaxItems int    `json:"max_items,omitempty"` // of all pages
	// Expect is how many rows a person was told that it would touch; with another number
	// nothing is changed. nil: nobody was told.
	Expect *int64 `json:"expect,omitempty"`
	// Resolver is what is asked for in mode Values, "sql:jobs.queues.name".
	Resolver string `json:"resolver,omitempty"`
}

// Report is what came of a Request, beside its output.
type Report struct {
	V       int  `json:"v"`
	Started bool `json:"started"` // something was asked of the server or the database
	// Status is the exit status. Code and Message say why nothing was done or what went
	// wrong: "refused" goes with status 125.
	Status  int      `json:"status"`
	Code    string   `json:"code,omitempty"`
	Message string   `json:"message,omitempty"`
	Hints   []string `json:"hints,omitempty"`

	HTTPStatus int `json:"http_status,omitempty"`
	// Fields go into the summary of the envelope: "rows", "columns" …
	Fields map[string]any `json:"fields,omitempty"`
	// Text is what to show in the place of standard output, which then is raw: "" shows
	// that. Output is the same as JSON, for an envelope.
	Text   string          `json:"text,omitempty"`
	Output json.RawMessage `json:"output,omitempty"`
	// Lines are told beside the output, and are what a dry run says: they go before the
	// question of an approval.
	Lines []string `json:"lines,omitempty"`
	// Facts are those of a dry run or check, in the form of the surface.
	Facts json.RawMessage `json:"facts,omitempty"`
	// Touches is how many rows it changes or would change, nil where nobody can say.
	Touches *int64 `json:"touches,omitempty"`
}

// SQLRecord is the record of an operation of surface "sql".
type SQLRecord struct {
	Query string `json:"query"`
	// Connection is the name of one in config.toml, "file:PATH" for a SQLite database of
	// the project, or "" for the only one that there is.
	Connection string `json:"connection,omitempty"`
	// File and Line are where the statement begins, for errors.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// ErrNoSection is wrapped by errors about a section that config.toml does not have.
var ErrNoSection = errors.New("")

// Section chooses the table of config.toml that a record names: its "connection", of
// an API its "auth". A record of SQL that names none uses the only one, and so does one
// of an API that names no server either: the only host of it is the server. config are
// all sections by their names. name is "" where none is needed.
func Section(surface string, record json.RawMessage, config map[string]any) (name string, err error) {
	var r struct{ Connection, Auth, Server, URL string }
	if err := json.Unmarshal(record, &r); err != nil {
		return "", fmt.Errorf("the record cannot be read: %w", err)
	}
	tables, _ := config[surface].(map[string]any)
	name = r.Connection
	if surface == API {
		name = r.Auth
	}
	names := slices.Sorted(maps.Keys(tables))
	there := "there is none"
	if len(names) > 0 {
		there = "there is " + strings.Join(names, ", ")
	}
	switch {
	case surface == SQL && strings.HasPrefix(name, "file:"):
		return "", nil
	case name == "" && surface == API && (r.Server+r.URL != "" || len(names) != 1):
		return "", nil
	case name == "" && len(names) == 1:
		return names[0], nil
	case name == "":
		return "", fmt.Errorf("the operation names no connection, and config.toml does not have just one [sql.NAME]: %s%w", there, ErrNoSection)
	}
	if _, ok := tables[name].(map[string]any); !ok {
		return "", fmt.Errorf("config.toml has no [%s.%s]: %s%w", surface, name, there, ErrNoSection)
	}
	return name, nil
}

// Digest stands for what config.toml says of a section, secrets excluded, since the
// file only says where they are. It is "" for a section that is not there.
func Digest(surface, name string, config map[string]any) string {
	tables, _ := config[surface].(map[string]any)
	table, ok := tables[name].(map[string]any)
	if !ok {
		return ""
	}
	data, err := json.Marshal(table) // the keys are sorted
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(append([]byte(surface+"."+name+"\n"), data...))
	return hex.EncodeToString(sum[:])
}
