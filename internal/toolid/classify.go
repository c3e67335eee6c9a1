package toolid

import (
	"errors"
	"strings"
)

// Status says what a text is in the taxonomy.
type Status string

// What a text can be.
const (
	Canonical   Status = "canonical"
	Deprecated  Status = "deprecated"   // an alias that still works
	LegacyInput Status = "legacy_input" // read from old configurations alone
	Wildcard    Status = "wildcard"     // a selector of several IDs
	Retired     Status = "retired"      // an alias whose time is over
	Invalid     Status = "invalid"
)

// Lifecycle is a property of an ID: each canonical one and each alias has its own.
type Lifecycle string

// The lifecycles of seed 002.
const (
	LifecycleCanonical  Lifecycle = "canonical"
	LifecycleAlias      Lifecycle = "alias"
	LifecycleDeprecated Lifecycle = "deprecated"
)

// Classified is what the taxonomy says of a text; what does not apply is nil.
type Classified struct {
	Input       string     `json:"input"`
	Status      Status     `json:"status"`
	CanonicalID *string    `json:"canonical_id"`
	Family      *string    `json:"family"`
	Group       *Group     `json:"group"`
	Tier        *Tier      `json:"tier"`
	Lifecycle   *Lifecycle `json:"lifecycle"`
	Reserved    bool       `json:"reserved"`    // the platform owns the prefix or the name
	Replacement *string    `json:"replacement"` // what to write in its place
	Error       *string    `json:"error"`
}

// Question is what Classify is asked with beside the text.
type Question struct {
	Table  Table  // aliases, before the platform's own
	At     string // a version, "" for one at which every alias still works
	Plugin string // the plugin that would own the IDs, "" if none
}

// Classify says what a text is: a canonical ID, an alias, an old input, a
// selector, or nothing.
func Classify(input string, q Question) Classified {
	c := Classified{Input: input, Reserved: Reserved(input) != ""}
	if alias := q.alias(input); alias != nil {
		return c.alias(alias, q.At)
	}
	if to, ok := legacy[input]; ok {
		c.describe(to)
		c.Status, c.Replacement = LegacyInput, &to
		return c
	}
	if strings.HasSuffix(input, "*") {
		return c.wildcard()
	}
	if err := CheckPublic(input); err != nil {
		return c.invalid(err, "")
	}
	if q.Plugin != "" {
		if reason := outside(input, q.Plugin); reason != "" {
			return c.invalid(&IDError{input, reason}, "")
		}
	}
	c.describe(input)
	lifecycle := LifecycleCanonical
	c.Status, c.Lifecycle = Canonical, &lifecycle
	return c
}

// alias returns the alias that input is at the question's version.
func (q *Question) alias(input string) *Alias {
	own := Aliases()
	for _, t := range [...]*Table{&q.Table, &own} {
		if a := t.find(input); a != nil && (q.At == "" || a.Replaced == "" || since(q.At, a.Replaced)) {
			return a
		}
	}
	return nil
}

func (c Classified) alias(a *Alias, at string) Classified {
	if since(at, a.Removed) {
		return c.retired(a)
	}
	c.describe(a.Canonical)
	// An alias is on its way out from the day on which only it is left of the
	// old name; the platform's own are.
	lifecycle := LifecycleDeprecated
	if a.Replaced != "" && a.Removed == "" && a.AliasOnly == "" {
		lifecycle = LifecycleAlias
	}
	c.Status, c.Lifecycle, c.Replacement = Deprecated, &lifecycle, &a.Canonical
	return c
}

func (c Classified) retired(a *Alias) Classified {
	text := a.ID + " is refused since " + a.Removed + ": write " + a.Canonical
	c.Status, c.Replacement, c.Error = Retired, &a.Canonical, &text
	return c
}

func (c Classified) invalid(err error, replacement string) Classified {
	text := err.Error()
	if typed, ok := errors.AsType[*IDError](err); ok {
		text = typed.ID + " " + typed.Reason
	}
	c.Status, c.Error = Invalid, &text
	if replacement != "" {
		c.Replacement = &replacement
	}
	return c
}

// describe puts the facts of a canonical ID into the answer.
func (c *Classified) describe(id string) {
	facts, err := Describe(id)
	if err != nil {
		return
	}
	c.CanonicalID, c.Family, c.Group, c.Tier = &id, &facts.Family, &facts.Group, &facts.Tier
}

func (c Classified) wildcard() Classified {
	if expanded := Expand(c.Input, false); expanded != nil {
		text := strings.Join(expanded, ", ")
		c.Status, c.Replacement = LegacyInput, &text
		return c
	}
	if err := CheckSelector(c.Input); err != nil {
		replacement := ""
		if c.Input == "mcp.memory.*" {
			replacement = "memory.*"
		}
		return c.invalid(err, replacement)
	}
	c.Status = Wildcard
	if name, ok := strings.CutSuffix(c.Input, ".*"); ok {
		c.wildcardFamily(name)
	}
	return c
}

func (c *Classified) wildcardFamily(name string) {
	facts := Facts{Family: name, Group: Extension, Tier: Advanced}
	switch f := familyOf(name + "."); {
	case f != nil && f.name == name:
		facts.Group, facts.Tier = f.group, f.tier
	case name == "mcp" || strings.HasPrefix(name, mcpPrefix):
		facts.Family = "mcp"
	}
	c.Family, c.Group, c.Tier, c.Reserved = &facts.Family, &facts.Group, &facts.Tier, Reserved(name+".x") != ""
}

// CheckSelector reports whether text selects public tools: "*", a canonical ID,
// FAMILY.* or mcp.SERVER.*. A bad one is an *IDError.
func CheckSelector(text string) error {
	if text == "*" {
		return nil
	}
	name, ok := strings.CutSuffix(text, ".*")
	if !ok {
		if strings.Contains(text, "*") {
			return &IDError{text, "is no selector: want *, an ID, FAMILY.* or mcp.SERVER.*"}
		}
		return CheckPublic(text)
	}
	if server, ok := strings.CutPrefix(name, mcpPrefix); ok {
		if !ServerName(server) {
			return &IDError{text, "names no server"}
		}
		return nil
	}
	if f := familyOf(name + "."); f != nil && f.name == name || name == "mcp" {
		return nil
	}
	if Reserved(name+".x") != "" || strings.Contains(name, ".") || strings.Contains(name, "_") || Check(name) != nil {
		return &IDError{text, "names no family"}
	}
	return nil
}

// Selects reports whether a selector covers a canonical ID.
func Selects(selector, id string) bool {
	if selector == "*" || selector == id {
		return true
	}
	name, ok := strings.CutSuffix(selector, ".*")
	if !ok || !strings.HasPrefix(id, name+".") {
		return false
	}
	if strings.HasPrefix(name, mcpPrefix) || name == "mcp" {
		return true
	}
	facts, err := Describe(id)
	return err == nil && facts.Family == name
}

// outside says why a plugin must not claim an ID: the platform owns it, or it
// lies outside the plugin's namespace.
func outside(id, plugin string) string {
	if prefix := Reserved(id); prefix != "" {
		return "is the platform's: a plugin cannot claim " + prefix
	}
	if !strings.HasPrefix(id, plugin+".") {
		return "is outside of the plugin's namespace " + plugin + "."
	}
	return ""
}
