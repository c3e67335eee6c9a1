package toolid

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Source is where the implementation of a tool comes from.
type Source string

// The sources of seed 002.
const (
	Builtin    Source = "builtin"
	BuiltinMCP Source = "builtin_mcp"
	MCP        Source = "mcp"
	Plugin     Source = "plugin"
)

// Server is the MCP server behind a tool.
type Server struct {
	ID        string `json:"id"`
	Transport string `json:"transport"` // "stdio" or "http"
}

// Row is a tool in the inventory: what it is, and what one agent has of it.
type Row struct {
	CanonicalID string    `json:"canonical_id"`
	Family      string    `json:"family"`
	Group       Group     `json:"group"`
	Tier        Tier      `json:"tier"`
	Visibility  string    `json:"visibility"` // "public"; internal tools have no row
	Lifecycle   Lifecycle `json:"lifecycle"`
	Aliases     []string  `json:"aliases"`
	Source      Source    `json:"source"`
	Backing     *Server   `json:"backing_server,omitempty"`
	Plugin      string    `json:"plugin,omitempty"`
	WireName    string    `json:"wire_name"`
	Description string    `json:"description"`
	Level       string    `json:"level"`
	Exposure    Exposure  `json:"effective_exposure"`
}

// NewRow is the row of a canonical public ID with what the ID says of it; a bad
// ID is an *IDError.
func NewRow(id string, source Source) (Row, error) {
	facts, err := Describe(id)
	if err != nil {
		return Row{}, err
	}
	row := Row{
		CanonicalID: id, Family: facts.Family, Group: facts.Group, Tier: facts.Tier,
		Visibility: "public", Lifecycle: LifecycleCanonical, Aliases: []string{}, Source: source, WireName: WireName(id),
	}
	for _, a := range Aliases().Aliases {
		if a.Canonical == id {
			row.Aliases = append(row.Aliases, a.ID)
		}
	}
	return row, nil
}

// maxWire bounds a name on the wire in bytes: clients refuse longer ones.
const maxWire = 64

// WireName is the name of a tool in the protocol, whose clients take letters,
// digits, "_" and "-": the ID with "_" for each dot. One of more than 64 bytes
// is its first 55, "_" and 8 hexadecimal digits of the SHA-256 of the ID.
func WireName(id string) string {
	name := strings.ReplaceAll(id, ".", "_")
	if len(name) <= maxWire {
		return name
	}
	sum := sha256.Sum256([]byte(id))
	return name[:55] + "_" + hex.EncodeToString(sum[:4])
}
