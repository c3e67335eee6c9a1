package toolid

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// Alias is an old public ID that stands for a canonical one, with the versions
// of its way out (seed 002, "Migration, deprecation, and removal policy"); a
// version that is "" has not come.
type Alias struct {
	ID        string `json:"id"`
	Canonical string `json:"canonical"`
	Replaced  string `json:"replaced_in"`   // the canonical ID came
	Migrated  string `json:"migrated_in"`   // stored data is rewritten
	AliasOnly string `json:"alias_only_in"` // the old ID is emitted as an alias only
	Removed   string `json:"removed_in"`    // the old ID is refused
}

// Table is a list of aliases.
type Table struct {
	Aliases []Alias `json:"aliases"`
}

// Aliases are the platform's own: the memory helpers that were once shipped as
// tools of a server.
func Aliases() Table {
	return Table{Aliases: []Alias{
		{ID: "mcp.memory.seed", Canonical: "memory.seed"},
		{ID: "mcp.memory.search", Canonical: "memory.search"},
		{ID: "mcp.memory.write", Canonical: "memory.write"},
	}}
}

// legacy are inputs that old configurations hold and that were never public
// IDs, with what they stand for (seed 002, "Legacy compatibility envelope").
var legacy = map[string]string{
	"tool.fs.read":    "read",
	"tool.fs.write":   "write",
	"tool.exec":       "bash",
	"tool.http.fetch": "webfetch",
}

// fileTools are the built-ins that read or write files: what a legacy
// "tool.fs.*" denies. It allows the first two.
var fileTools = []string{"read", "write", "edit", "apply_patch", "glob", "grep"}

// Expand returns what a legacy selector of an allow or a deny list stands for,
// nil if it is none: "tool.*" is "*", and "tool.fs.*" allows read and write and
// denies each file tool.
func Expand(selector string, deny bool) []string {
	switch selector {
	case "tool.*":
		return []string{"*"}
	case "tool.fs.*":
		if deny {
			return slices.Clone(fileTools)
		}
		return slices.Clone(fileTools[:2])
	}
	if to, ok := legacy[selector]; ok {
		return []string{to}
	}
	return nil
}

// ReadTable reads a table of aliases as JSON. Unknown members, texts that are no
// versions and rows without an ID are errors that name the row.
func ReadTable(data []byte) (Table, error) {
	var t Table
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	if err := d.Decode(&t); err != nil {
		return Table{}, fmt.Errorf("table of aliases: %w", err)
	}
	if d.More() {
		return Table{}, fmt.Errorf("table of aliases: more than one JSON value")
	}
	for i, a := range t.Aliases {
		if a.ID == "" || a.Canonical == "" {
			return Table{}, fmt.Errorf("table of aliases: aliases[%d] needs id and canonical", i)
		}
		for _, v := range [...]struct{ name, text string }{
			{"replaced_in", a.Replaced},
			{"migrated_in", a.Migrated},
			{"alias_only_in", a.AliasOnly},
			{"removed_in", a.Removed},
		} {
			if v.text != "" && version(v.text) == "" {
				return Table{}, fmt.Errorf("table of aliases: aliases[%d].%s: %q is no version such as 1.4 or 1.4.0", i, v.name, v.text)
			}
		}
	}
	return t, nil
}

// Version reports whether text is a version such as "1.4", "1.4.0" or "v1.4.0-rc.1".
func Version(text string) bool { return version(text) != "" }

// version is a version in the canonical form of x/mod/semver, "" if it is none.
func version(text string) string {
	return semver.Canonical("v" + strings.TrimPrefix(text, "v"))
}

// since reports whether the version at is then or later. A version that has not
// come is never reached; at "" is before every removal and after all else.
func since(at, then string) bool {
	return then != "" && (at != "" && semver.Compare(version(at), version(then)) >= 0)
}

// find returns the alias of an ID, nil if it is none.
func (t *Table) find(id string) *Alias {
	for i := range t.Aliases {
		if t.Aliases[i].ID == id {
			return &t.Aliases[i]
		}
	}
	return nil
}

// Finding is a row of a table that breaks a rule.
type Finding struct {
	Rule   string `json:"rule"`
	ID     string `json:"id"`
	Detail string `json:"detail"`
}

// Lint holds a table against the rules: one_hop, cycle,
// both_canonical_and_alias, duplicate, grammar and window.
func (t *Table) Lint() []Finding {
	out := []Finding{}
	seen := map[string]bool{}
	for i := range t.Aliases {
		a := &t.Aliases[i]
		add := func(rule, format string, args ...any) {
			out = append(out, Finding{rule, a.ID, fmt.Sprintf(format, args...)})
		}
		if seen[a.ID] {
			add("duplicate", "%s is in the table twice", a.ID)
			continue
		}
		seen[a.ID] = true
		if reason := aliasGrammar(a.ID); reason != "" {
			add("grammar", "%s %s", a.ID, reason)
		}
		switch next := t.find(a.Canonical); {
		case next == nil:
			if err := CheckPublic(a.Canonical); err != nil {
				add("grammar", "%s is an alias of what is no public ID: %s", a.ID, err)
			}
		case t.returns(a.ID):
			add("cycle", "%s leads back to itself", a.ID)
		default:
			add("one_hop", "%s is an alias of the alias %s; name %s", a.ID, a.Canonical, next.Canonical)
		}
		if isCanonical(a.ID) {
			add("both_canonical_and_alias", "%s is a canonical ID", a.ID)
		}
		if reason := a.window(); reason != "" {
			add("window", "%s %s", a.ID, reason)
		}
	}
	return out
}

// returns reports whether the aliases lead from id back to it.
func (t *Table) returns(id string) bool {
	at := id
	for range t.Aliases {
		next := t.find(at)
		if next == nil {
			return false
		}
		if at = next.Canonical; at == id {
			return true
		}
	}
	return false
}

// isCanonical reports whether an ID is one of the platform's canonical ones.
func isCanonical(id string) bool {
	return Reserved(id) != "" && !strings.HasPrefix(id, mcpPrefix) && CheckPublic(id) == nil
}

// aliasGrammar says why a text could never have been a public ID.
func aliasGrammar(id string) string {
	if rest, ok := strings.CutPrefix(id, mcpPrefix); ok {
		if server, tool, _ := strings.Cut(rest, "."); (ServerName(server) || server == "memory") && toolName(tool) {
			return ""
		}
		return "is no mcp.SERVER.TOOL"
	}
	if err := Check(id); err != nil {
		return err.(*IDError).Reason
	}
	return ""
}

// window says why the alias is removed too early: at the earliest one minor
// release after its replacement and the rewriting of stored data, and one
// release after it was last emitted as an answer.
func (a *Alias) window() string {
	if a.Removed == "" {
		return ""
	}
	removed := version(a.Removed)
	for _, v := range [...]struct{ name, at string }{{"replaced_in", a.Replaced}, {"migrated_in", a.Migrated}} {
		switch {
		case v.at == "":
			return "is removed in " + a.Removed + " and has no " + v.name
		case semver.Compare(semver.MajorMinor(removed), semver.MajorMinor(version(v.at))) <= 0:
			return "is removed in " + a.Removed + ", no minor release after " + v.name + " " + v.at
		}
	}
	switch {
	case a.AliasOnly == "":
		return "is removed in " + a.Removed + " and has no alias_only_in"
	case semver.Compare(removed, version(a.AliasOnly)) <= 0:
		return "is removed in " + a.Removed + ", no release after alias_only_in " + a.AliasOnly
	}
	return ""
}
