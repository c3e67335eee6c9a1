package toolid

// Reason is why a tool is not there for an agent, or that it is.
type Reason string

// The answers of seed 002, "Effective exposure", in the order in which the
// first that applies is the answer.
const (
	Enabled             Reason = "enabled"
	DisabledBySchema    Reason = "disabled_invalid_schema"
	DisabledByStateMode Reason = "disabled_by_state_mode"
	DisabledByAllowlist Reason = "disabled_by_agent_allowlist"
)

// StateMode is what the whole door does.
type StateMode string

// The modes.
const (
	Normal   StateMode = "normal"
	ReadOnly StateMode = "read_only"
	Paused   StateMode = "paused"
)

// Codes of a definition that cannot be used (DisabledBySchema).
const (
	Untrusted         = "untrusted"          // nobody has seen it
	DefinitionChanged = "definition_changed" // it is another than the one that was trusted
	Missing           = "missing"            // its server lists it no more
	BadSchema         = "bad_schema"
	BadName           = "bad_name"
	Duplicate         = "duplicate"
)

// Cause is one reason with what is behind it.
type Cause struct {
	Reason Reason `json:"reason"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// Exposure is the computed answer whether an agent has a tool.
type Exposure struct {
	Enabled  bool    `json:"enabled"`
	Reason   Reason  `json:"reason"`
	AgentKey string  `json:"agent_key"`
	All      []Cause `json:"all"` // each reason that applies, empty if enabled
}

// Agent is what a declared agent may have. Deny wins.
type Agent struct {
	Key        string
	Allow      []string // selectors of public IDs
	Deny       []string
	Operations []string // selectors of the map's operations
}

// Subject is a tool as far as its exposure depends on it.
type Subject struct {
	ID        string
	Operation bool    // an operation of the map, run by tmp.run
	Changes   bool    // it may change something, or nobody says that it does not
	Schema    []Cause // what is wrong with its definition
}

// Expose computes what an agent has of a tool, of its arguments alone.
func Expose(s Subject, agent Agent, mode StateMode) Exposure {
	all := append([]Cause{}, s.Schema...)
	switch {
	case mode == Paused:
		all = append(all, Cause{DisabledByStateMode, string(Paused), "every tool is paused by state_mode"})
	case mode == ReadOnly && s.Changes:
		all = append(all, Cause{DisabledByStateMode, string(ReadOnly), "it may change something, and state_mode is read_only"})
	}
	if cause, ok := agent.refuses(s); ok {
		all = append(all, cause)
	}
	e := Exposure{Enabled: len(all) == 0, Reason: Enabled, AgentKey: agent.Key, All: all}
	if !e.Enabled {
		e.Reason = all[0].Reason
	}
	return e
}

// Has reports whether the agent's lists hold a tool, whatever else keeps it away.
func (a *Agent) Has(s Subject) bool {
	_, refused := a.refuses(s)
	return !refused
}

// refuses says by which of the agent's lists it has not the tool.
func (a *Agent) refuses(s Subject) (Cause, bool) {
	for _, selector := range a.Deny {
		if Selects(selector, s.ID) {
			return Cause{DisabledByAllowlist, "denied", "deny holds " + selector}, true
		}
	}
	list, name := a.Allow, "allow"
	if s.Operation {
		list, name = a.Operations, "operations"
	}
	for _, selector := range list {
		if Selects(selector, s.ID) {
			return Cause{}, false
		}
	}
	return Cause{DisabledByAllowlist, "not_allowed", name + " does not hold it"}, true
}

// SelectorFault says why a name selects no inventory (seed 002, "Reserved
// explicit selectors"): "" for agent_key, the one that does; else the code
// "reserved_selector", "not_an_exposure_selector" or "unknown_selector".
func SelectorFault(name string) string {
	switch name {
	case "agent_key":
		return ""
	case "execution_profile", "conversation_kind":
		return "reserved_selector"
	case "conversation_id", "turn_id":
		return "not_an_exposure_selector"
	}
	return "unknown_selector"
}
