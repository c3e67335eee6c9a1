package law

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/forge/pattern"
)

// Param is an input of a tool.
type Param struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"` // "string", "number", "integer", "boolean", "enum"
	Required bool     `json:"required"`
	Default  *string  `json:"default"`
	Choices  []string `json:"choices"`
	Text     string   `json:"description,omitempty"`
}

// Manifest is what the docblock of a tool says of it.
type Manifest struct {
	Description string
	Params      []Param
	Effects     []string // "read-only" alone, or some of "local-write", "network", "db-write"
	Net         []string // hosts, as written
	Env         []string
	Risk        string // "", or the level that it raises to
	Intents     []string
	findings    []raw
}

// Declares reports whether the tool may have that effect.
func (m *Manifest) Declares(effect string) bool { return slices.Contains(m.Effects, effect) }

// Effect is the effect in one word, "local-write+network".
func (m *Manifest) Effect() string { return strings.Join(m.Effects, "+") }

// levels are the names of risk that @risk may give, from low to high.
var levels = []string{"SAFE", "LOW_RISK", "MEDIUM_RISK", "HIGH_RISK", "CRITICAL"}

// Level is the risk of the tool: that of its effects, raised by @risk.
func (m *Manifest) Level() string {
	at := 1
	for _, e := range m.Effects {
		switch e {
		case "local-write", "network":
			at = max(at, 2)
		case "db-write":
			at = max(at, 3)
		}
	}
	return levels[max(at, slices.Index(levels, m.Risk))]
}

// raw is a finding before it has a line.
type raw struct {
	pos  int
	rule string
	msg  string
}

var (
	tagLine   = pattern.New(`^@(\w+)\s*(.*)$`)
	paramText = pattern.New(`^\{([^}]*)\}\s*(?:\[([A-Za-z_][\w-]*)(?:=(.*?))?\]|([A-Za-z_][\w-]*))(?:\s+-?\s*(.*))?$`)
	netText   = pattern.New(`^(?:https?://)?(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(?::\d{1,5})?$`)
	envText   = pattern.New(`^[A-Za-z_]\w*$`)
)

// Manifest reads the docblock.
func (t *Tree) Manifest() *Manifest {
	m := &Manifest{}
	var text []string
	pos, inTag, last := t.doc, false, ""
	body := ""
	if t.docEnd > 0 {
		body = t.Source[t.doc:t.docEnd]
	}
	for line := range strings.SplitAfterSeq(body, "\n") {
		at := pos
		pos += len(line)
		trimmed := strings.TrimSpace(line)
		trimmed = strings.TrimSuffix(strings.TrimPrefix(trimmed, "/**"), "*/")
		trimmed = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(trimmed), "*"))
		at += max(0, strings.Index(line, trimmed))
		if tag := tagLine.FindStringSubmatch(trimmed); tag != nil {
			inTag, last = true, tag[1]
			m.tag(at, tag[1], strings.TrimSpace(tag[2]))
			continue
		}
		if !inTag {
			text = append(text, trimmed)
		} else if last == "param" && trimmed != "" && len(m.Params) > 0 {
			p := &m.Params[len(m.Params)-1]
			p.Text = strings.TrimSpace(p.Text + " " + trimmed)
		}
	}
	m.Description = sentence(strings.TrimSpace(strings.Join(text, " ")))
	m.settle(t.doc)
	return m
}

// settle joins the effects and refuses what contradicts itself.
func (m *Manifest) settle(pos int) {
	slices.Sort(m.Effects)
	m.Effects = slices.Compact(m.Effects)
	if len(m.Effects) > 1 {
		m.Effects = slices.DeleteFunc(m.Effects, func(e string) bool { return e == "read-only" })
	}
	if len(m.Effects) == 0 {
		m.Effects = []string{"read-only"}
	}
	if len(m.Net) > 0 && !m.Declares("network") {
		m.findings = append(m.findings, raw{pos, "effect/undeclared", "@net needs @effect network"})
	}
}

// sentence is the first sentence of a text.
func sentence(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	for i := 0; i < len(s); i++ {
		if (s[i] == '.' || s[i] == '!' || s[i] == '?') && (i+1 == len(s) || s[i+1] == ' ') {
			return s[:i+1]
		}
	}
	return s
}

func (m *Manifest) tag(pos int, name, text string) {
	bad := func(format string, args ...any) {
		m.findings = append(m.findings, raw{pos, "doc/param", fmt.Sprintf(format, args...)})
	}
	switch name {
	case "param":
		p, err := parseParam(text)
		switch {
		case err != "":
			bad("%s", err)
		case slices.ContainsFunc(m.Params, func(o Param) bool { return o.Name == p.Name }):
			bad("the parameter %s is declared twice", p.Name)
		default:
			m.Params = append(m.Params, p)
		}
	case "effect":
		word, _, _ := strings.Cut(strings.ReplaceAll(strings.ReplaceAll(text, " +", "+"), "+ ", "+"), " ")
		for e := range strings.SplitSeq(word, "+") {
			if !slices.Contains([]string{"read-only", "local-write", "network", "db-write"}, e) {
				m.findings = append(m.findings, raw{pos, "effect/undeclared", fmt.Sprintf("%q is not an effect: read-only, local-write, network, db-write", e)})
				continue
			}
			m.Effects = append(m.Effects, e)
		}
	case "net":
		for _, host := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
			if !netText.MatchString(host) {
				bad("@net %s is not a host: [http://]host[:port]", host)
				continue
			}
			m.Net = append(m.Net, strings.ToLower(host))
		}
	case "env":
		for _, v := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
			if !envText.MatchString(v) {
				bad("@env %s is not the name of a variable", v)
				continue
			}
			m.Env = append(m.Env, v)
		}
	case "risk":
		word, _, _ := strings.Cut(text, " ")
		level := ParseLevel(word)
		if level == "" {
			bad("@risk %s is not a level: SAFE, LOW, MEDIUM, HIGH, CRITICAL", word)
			return
		}
		m.Risk = level
	case "intent":
		if text != "" {
			m.Intents = append(m.Intents, text)
		}
	}
}

// ParseLevel is the full name of a level, "" if it is none.
func ParseLevel(word string) string {
	word = strings.ToUpper(word)
	for _, l := range levels {
		if word == l || word+"_RISK" == l {
			return l
		}
	}
	return ""
}

func parseParam(text string) (p Param, bad string) {
	g := paramText.FindStringSubmatch(text)
	if g == nil {
		return p, "@param is written {type} name text, or {type} [name=default] text"
	}
	p.Name, p.Required, p.Text = g[4], g[4] != "", g[5]
	if p.Name == "" {
		p.Name = g[2]
	}
	p.Type = strings.TrimSpace(g[1])
	p.Choices = []string{}
	switch p.Type {
	case "string", "number", "integer", "boolean":
	default:
		for word := range strings.SplitSeq(p.Type, "|") {
			word = strings.TrimSpace(word)
			if len(word) < 2 || word[0] != '"' && word[0] != '\'' || word[len(word)-1] != word[0] {
				return p, fmt.Sprintf("{%s} is not a type: string, number, integer, boolean, \"a\"|\"b\"", p.Type)
			}
			p.Choices = append(p.Choices, word[1:len(word)-1])
		}
		p.Type = "enum"
	}
	if g[2] != "" && strings.Contains(text, "[") && strings.Contains(text[strings.Index(text, "["):], "=") && g[3] != "" {
		d := strings.Trim(g[3], `"'`)
		if _, err := p.Value(d); err != nil {
			return p, fmt.Sprintf("the default of %s: %s", p.Name, err)
		}
		p.Default = &d
	}
	return p, ""
}

// Value turns the text of a flag into what the tool receives.
func (p *Param) Value(text string) (any, error) {
	switch p.Type {
	case "number":
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || f != f || f > 1e308 || f < -1e308 {
			return nil, fmt.Errorf("%q is not a number", text)
		}
		return f, nil
	case "integer":
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n > 1<<53 || n < -1<<53 {
			return nil, fmt.Errorf("%q is not a whole number", text)
		}
		return n, nil
	case "boolean":
		switch text {
		case "true", "":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, fmt.Errorf("%q is not true or false", text)
	case "enum":
		if !slices.Contains(p.Choices, text) {
			return nil, fmt.Errorf("%q is not one of %s", text, strings.Join(p.Choices, ", "))
		}
	}
	return text, nil
}
