package tcpdb

// Operation is the unit of work of the Tool Mapping Protocol in compiled form
// (seed 000, "operation").
type Operation struct {
	ID          string
	Surface     string // "cli", "script", "workflow", "api", "sql"
	Tool        string // the tool whose map defines it
	Description string
	Template    []string // words; "<p>" or a suffix "--x=<p>"
	Intents     []string // normalised; slots as "<p>"
	Params      []Param
	Effect      string // "read-only", "build-test", "local-write", "network", "network-write", "deployment", "destructive", joined by " + "
	Risk        Level
	Approval    string   // "", "required"
	When        []string // one of these files must exist here or above; none: applies everywhere
	Managers    []string // one of these must manage the project's packages, if any is named
	Values      []string // "RESOLVER=VALUE", of which one must be there, if any is named
	OutputMode  string
	Retention   string
	Standing    Standing
	Evidence    []string
	Layer       Layer // filled by View
}

// Param is an input of an operation.
type Param struct {
	Name        string // [a-z][a-z0-9_]*
	Type        string // see TypeOf
	Required    bool
	Resolver    string
	Filter      bool // the value must match at least one of the resolver's, not be one
	Default     string
	Description string
}

// Standing is what this machine knows of a map's trustworthiness
// It is found when a layer is compiled, never copied
// from the source.
type Standing uint8

const (
	Draft     Standing = iota // completes, never runs
	Claimed                   // the file says verified, nothing here proves it; as Draft
	Evidence                  // the state directory holds the required evidence
	Signed                    // a trusted key signed it
	Shipped                   // part of the core
	OfProject                 // a task that the project has itself, read as it is now; no map holds it
)

var standingNames = [...]string{"draft", "claimed", "evidence", "signed", "shipped", "project"}

// String returns the standing's name as it stands in JSON.
func (s Standing) String() string {
	if int(s) < len(standingNames) {
		return standingNames[s]
	}
	return "draft"
}

// Verified reports whether an operation of this standing may be run.
func (s Standing) Verified() bool { return s >= Evidence }
