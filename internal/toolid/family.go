package toolid

import "strings"

// Group is one of the seven groups of the public inventory (seed 002, "Canonical
// public families"; the memory group is there in the table and missing from its list).
type Group string

// The groups, in the order in which an inventory lists them.
const (
	Core          Group = "core"
	Retrieval     Group = "retrieval"
	Memory        Group = "memory"
	Extension     Group = "extension"
	Environment   Group = "environment"
	Node          Group = "node"
	Orchestration Group = "orchestration"
)

// Tier says for whom a public tool is there.
type Tier string

// The two public tiers.
const (
	Default  Tier = "default"
	Advanced Tier = "advanced"
)

// family is a prefix of IDs that the platform owns.
type family struct {
	name  string // "workboard": the IDs begin with "workboard."
	group Group
	tier  Tier
	// least and most bound the segments after the prefix; most 0 is any number.
	least, most int
	// only are the actions that there are; nil for any.
	only []string
}

// families are the canonical public families, longest first where one is the
// beginning of another.
var families = []family{
	{name: "artifact", group: Core, tier: Default, least: 1, most: 1},
	{name: "memory", group: Memory, tier: Default, least: 1, most: 1},
	{name: "tool.location.place", group: Environment, tier: Advanced, least: 1, most: 1},
	{name: "tool.automation.schedule", group: Environment, tier: Advanced, least: 1, most: 1},
	{name: "tool.node", group: Node, tier: Advanced, least: 1, most: 2},
	{name: "tool.desktop", group: Node, tier: Advanced, least: 1, most: 1},
	{name: "tool.browser", group: Node, tier: Advanced, least: 1, most: 1},
	{name: "tool.location", group: Node, tier: Advanced, least: 1, most: 1, only: []string{"get"}},
	{name: "tool.camera", group: Node, tier: Advanced, least: 1, most: 1},
	{name: "tool.audio", group: Node, tier: Advanced, least: 1, most: 1},
	{name: "tool.secret", group: Node, tier: Advanced, least: 1, most: 1},
	{name: "sandbox", group: Orchestration, tier: Advanced, least: 1, most: 1},
	{name: "subagent", group: Orchestration, tier: Advanced, least: 1, most: 1},
	{name: "workboard", group: Orchestration, tier: Advanced, least: 1, most: 2},
	{name: "tmp", group: Core, tier: Default, least: 1},
	{name: "tgp", group: Core, tier: Default, least: 1},
}

// standalone are the IDs of one segment that there are, each its own family.
var standalone = map[string]Group{
	"read": Core, "write": Core, "edit": Core, "apply_patch": Core, "glob": Core, "grep": Core, "bash": Core,
	"websearch": Retrieval, "webfetch": Retrieval, "codesearch": Retrieval,
}

// mcpPrefix begins the ID of a tool of a user's MCP server.
const mcpPrefix = "mcp."

// familyOf returns the platform's family of a dotted ID, nil if it is in none.
func familyOf(id string) *family {
	for i := range families {
		if rest, ok := strings.CutPrefix(id, families[i].name); ok && strings.HasPrefix(rest, ".") {
			return &families[i]
		}
	}
	return nil
}

// holds says why rest, the part of an ID after the family's prefix and dot, is
// no action of the family; "" if it is one.
func (f *family) holds(rest string) string {
	n := strings.Count(rest, ".") + 1
	switch {
	case n < f.least, f.most > 0 && n > f.most:
		return "the family " + f.name + " has no ID of this depth"
	case len(f.only) > 0:
		for _, action := range f.only {
			if rest == action {
				return ""
			}
		}
		return "the family " + f.name + " has no " + rest
	}
	return ""
}

// Facts are what the ID of a public tool says of it (seed 002, "Required static
// taxonomy metadata").
type Facts struct {
	Family string
	Group  Group
	Tier   Tier
}

// Describe returns the facts of a canonical public ID, or an *IDError.
func Describe(id string) (Facts, error) {
	if err := CheckPublic(id); err != nil {
		return Facts{}, err
	}
	if g, ok := standalone[id]; ok {
		return Facts{Family: id, Group: g, Tier: Default}, nil
	}
	if strings.HasPrefix(id, mcpPrefix) {
		return Facts{Family: "mcp", Group: Extension, Tier: Advanced}, nil
	}
	if f := familyOf(id); f != nil {
		return Facts{Family: f.name, Group: f.group, Tier: f.tier}, nil
	}
	namespace, _, _ := strings.Cut(id, ".")
	return Facts{Family: namespace, Group: Extension, Tier: Advanced}, nil
}

// CheckPublic reports whether id has the form of a canonical public ID (seed
// 002, "Naming rules"): one of the standalone built-ins; mcp.SERVER.TOOL; or
// segments of [a-z][a-z0-9-]* joined by dots, those with a reserved prefix in a
// family that there is. A bad one is an *IDError.
func CheckPublic(id string) error {
	fail := func(reason string) error { return &IDError{id, reason} }
	switch {
	case id == "":
		return fail("is empty")
	case len(id) > maxLength:
		return Check(id)
	}
	if _, ok := standalone[id]; ok {
		return nil
	}
	if rest, ok := strings.CutPrefix(id, mcpPrefix); ok {
		return checkMCP(id, rest)
	}
	if err := Check(id); err != nil {
		return err
	}
	if strings.Contains(id, "_") {
		return fail(`holds "_": want a-z, 0-9 and - in each segment`)
	}
	if !strings.Contains(id, ".") {
		return fail("is one segment: only the standalone built-ins are")
	}
	if f := familyOf(id); f != nil {
		if reason := f.holds(id[len(f.name)+1:]); reason != "" {
			return fail(reason)
		}
		return nil
	}
	if prefix := Reserved(id); prefix != "" {
		return fail("begins with the reserved " + prefix + " and is in no family of it")
	}
	return nil
}

// ServerName reports whether name can be the name of an MCP server in IDs:
// [a-z][a-z0-9-]{0,31}, and not "memory", whose IDs are aliases.
func ServerName(name string) bool {
	return len(name) <= 32 && !strings.Contains(name, "_") && checkSegment(name) == "" && name != "memory"
}

// checkMCP holds "SERVER.TOOL" of the ID mcp.SERVER.TOOL against the grammar:
// the tool keeps the identifier that its server gives it.
func checkMCP(id, rest string) error {
	server, tool, _ := strings.Cut(rest, ".")
	switch {
	case server == "memory":
		return &IDError{id, "names a server memory: the platform's memory family has that name"}
	case !ServerName(server):
		return &IDError{id, "names no server: want mcp.SERVER.TOOL with a server of a-z, 0-9 and -, at most 32 letters"}
	case !toolName(tool):
		return &IDError{id, "names no tool: want letters, digits, _, - and . after mcp." + server + "."}
	}
	return nil
}

// toolName reports whether an MCP server's own name for a tool can be the
// trailing segment of an ID: letters, digits, "_", "-" and inner dots, at most
// 64 (the specification of MCP asks for the same letters).
func toolName(name string) bool {
	if name == "" || len(name) > 64 || name[0] == '.' || name[len(name)-1] == '.' || strings.Contains(name, "..") {
		return false
	}
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-', c == '.':
		default:
			return false
		}
	}
	return true
}
