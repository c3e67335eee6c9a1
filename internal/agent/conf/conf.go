// Package conf reads agent.toml: which agents there are, what each may have, and
// the MCP servers behind the door. It starts nothing and reads no secret.
package conf

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/tool-mapping-protocol/tmp/internal/toolid"
)

// Expose says how an agent finds the tools of other servers.
type Expose string

// The ways: by tmp.tools and tmp.call, or listed beside the door's own.
const (
	Search Expose = "search"
	Direct Expose = "direct"
)

// Agent is a declared agent.
type Agent struct {
	toolid.Agent
	Expose Expose
	Elicit bool // a client that can ask its person is asked to show what needs approval
}

// Server is an MCP server of the user's.
type Server struct {
	Name         string
	Command      []string          // of one over stdio
	URL          string            // of one over HTTP
	Env, Headers map[string]Secret // by the name that the server gets
	Dir          string            // where it is started, "" for the project
	StartTimeout time.Duration
	CallTimeout  time.Duration
	MaxResult    int64 // bytes of one message
	Concurrency  int
	ReadOnly     []string          // tools that the user vouches change nothing
	Level        map[string]string // tool to "high" or "critical": raises only
}

// Transport is how the server is talked to: "stdio" or "http".
func (s *Server) Transport() string {
	if s.URL != "" {
		return "http"
	}
	return "stdio"
}

// Secret is where a value comes from: a variable of ours or a file.
type Secret struct {
	Env  string // name of a variable, or ""
	File string // path, or ""
}

// Config is what agent.toml says.
type Config struct {
	StateMode   toolid.StateMode
	ResultLimit int      // characters of a result that are shown
	Origins     []string // Origin headers that the HTTP transport takes
	Agents      map[string]Agent
	Servers     map[string]Server
}

// Problem is what is wrong in the file, by line from 1; 0 if no line is to blame.
type Problem struct {
	File string
	Line int
	Err  error
}

func (p Problem) Error() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %v", p.File, p.Err)
	}
	return fmt.Sprintf("%s:%d: %v", p.File, p.Line, p.Err)
}

// Default is the configuration where there is no file.
func Default() Config {
	return Config{StateMode: toolid.Normal, ResultLimit: 16000, Agents: map[string]Agent{}, Servers: map[string]Server{}}
}

// defaultAllow is what an agent has that is not declared otherwise.
var defaultAllow = []string{"read", "grep", "glob", "tmp.*", "tgp.*"}

// Agent returns a declared agent; "default" is always declared.
func (c *Config) Agent(key string) (Agent, bool) {
	if a, ok := c.Agents[key]; ok {
		return a, true
	}
	return newAgent(key), key == "default"
}

func newAgent(key string) Agent {
	return Agent{Agent: toolid.Agent{Key: key, Allow: slices.Clone(defaultAllow), Operations: []string{"*"}}, Expose: Search}
}

// reader collects what is wrong while a file is read.
type reader struct {
	file, text string
	legacy     bool // no schema is given: old inputs are expanded
	problems   []Problem
	warnings   []Problem
}

// Read reads the text of agent.toml. A file with a problem must not be used;
// warnings are for the person.
func Read(file, text string) (c Config, warnings, problems []Problem) {
	r := &reader{file: file, text: text}
	var all map[string]any
	if _, err := toml.Decode(text, &all); err != nil {
		var bad toml.ParseError
		if errors.As(err, &bad) {
			return Default(), nil, []Problem{{file, bad.Position.Line, errors.New(bad.Message)}}
		}
		return Default(), nil, []Problem{{file, 0, err}}
	}
	c = Default()
	r.top(&c, all)
	order := func(a, b Problem) int { return a.Line - b.Line }
	slices.SortStableFunc(r.problems, order)
	slices.SortStableFunc(r.warnings, order)
	return c, r.warnings, r.problems
}

func (r *reader) fault(path []string, format string, args ...any) {
	r.problems = append(r.problems, Problem{r.file, lineOf(r.text, path, ""), fmt.Errorf(strings.Join(path, ".")+": "+format, args...)})
}

func (r *reader) faultAt(path []string, value, format string, args ...any) {
	r.problems = append(r.problems, Problem{r.file, lineOf(r.text, path, value), fmt.Errorf(strings.Join(path, ".")+": "+format, args...)})
}

func (r *reader) top(c *Config, all map[string]any) {
	schema, given := all["schema"]
	r.legacy = !given
	if given && schema != int64(2) {
		r.fault([]string{"schema"}, "want 2")
	}
	for key, value := range all {
		path := []string{key}
		switch key {
		case "schema":
		case "state_mode":
			mode := r.word(path, value, "normal", "read_only", "paused")
			c.StateMode = toolid.StateMode(mode)
		case "result_limit":
			c.ResultLimit = int(r.number(path, value, 100, 10_000_000))
		case "origins":
			c.Origins = r.strings(path, value)
		case "agent", "server":
			r.each(path, value, func(name string, table map[string]any) {
				if key == "agent" {
					c.Agents[name] = r.agent(name, table)
				} else {
					c.Servers[name] = r.server(name, table)
				}
			})
		default:
			r.fault(path, "unknown: known are schema, state_mode, result_limit, origins, agent and server")
		}
	}
}

// each reads the tables of a section.
func (r *reader) each(path []string, value any, f func(name string, table map[string]any)) {
	section, ok := value.(map[string]any)
	if !ok {
		r.fault(path, "want tables [%s.NAME]", path[0])
		return
	}
	for _, name := range slices.Sorted(maps.Keys(section)) {
		table, ok := section[name].(map[string]any)
		if !ok {
			r.fault([]string{path[0], name}, "want a table [%s.NAME]", path[0])
			continue
		}
		f(name, table)
	}
}

func (r *reader) agent(key string, table map[string]any) Agent {
	a := newAgent(key)
	if !ValidKey(key) {
		r.fault([]string{"agent", key}, "want a key of letters, digits, - and _, at most 64")
	}
	for name, value := range table {
		path := []string{"agent", key, name}
		switch name {
		case "allow":
			a.Allow = r.selectors(path, value, false)
		case "deny":
			a.Deny = r.selectors(path, value, true)
		case "operations":
			a.Operations = r.strings(path, value)
			for _, s := range a.Operations {
				if err := toolid.CheckSelector(toolid.Public(s)); err != nil {
					r.faultAt(path, s, "%q is no selector of operations: want *, an ID or FAMILY.*", s)
				}
			}
			for i, s := range a.Operations {
				a.Operations[i] = toolid.Public(s)
			}
		case "expose":
			a.Expose = Expose(r.word(path, value, "search", "direct"))
		case "elicit":
			a.Elicit = r.boolean(path, value)
		default:
			r.fault(path, "unknown: known are allow, deny, operations, expose and elicit")
		}
	}
	return a
}

// ValidKey reports whether an agent's key can be a name in files and in logs.
func ValidKey(key string) bool {
	if key == "" || len(key) > 64 {
		return false
	}
	for i := 0; i < len(key); i++ {
		switch c := key[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return true
}

// selectors reads a list of allow or deny. Old inputs are expanded where the
// file declares no schema; where it does they are errors that name what to write.
func (r *reader) selectors(path []string, value any, deny bool) []string {
	var out []string
	for _, s := range r.strings(path, value) {
		if expanded := toolid.Expand(s, deny); expanded != nil {
			instead := strings.Join(expanded, `", "`)
			if !r.legacy {
				r.faultAt(path, s, "%q is an old input: write \"%s\"", s, instead)
				continue
			}
			r.warn(path, s, "%q is an old input and counts as \"%s\": write that", s, instead)
			out = append(out, expanded...)
			continue
		}
		c := toolid.Classify(s, toolid.Question{})
		switch c.Status {
		case toolid.Deprecated:
			r.warn(path, s, "%q is deprecated: write %q", s, *c.CanonicalID)
			out = append(out, *c.CanonicalID)
		case toolid.Canonical, toolid.Wildcard:
			out = append(out, s)
		default:
			r.faultAt(path, s, "%s", *c.Error)
		}
	}
	return out
}

func (r *reader) warn(path []string, value, format string, args ...any) {
	r.warnings = append(r.warnings, Problem{r.file, lineOf(r.text, path, value), fmt.Errorf(strings.Join(path, ".")+": "+format, args...)})
}
