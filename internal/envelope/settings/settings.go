// Package settings holds the section [tool_envelope] of the user's config.toml: what
// te shows, how long it waits, and what it keeps.
package settings

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/runlog"
)

// Section is the name of the section.
const Section = "tool_envelope"

// Settings are [tool_envelope] of the user's config.toml.
type Settings struct {
	Enabled       bool
	Root          string // of what may be read; "" for the repository
	Gitignore     bool
	AllowOutside  bool
	Telemetry     bool
	TelemetryPath string // "" for the state directory
	Grep          Command
	Rg            Command
	Cat           Command
	Find          Command
	Budgets       map[string]int // characters of an answer, by agent
	Handles       runlog.Retention
	Explore       float64 // of sessions that try another strategy
}

// Command are the settings of one command.
type Command struct {
	Preview  int // matches of a section, lines of cat
	MaxChars int
	Timeout  time.Duration // 0 for none
}

// Default holds where config.toml says nothing else.
func Default() Settings {
	search := Command{10, 20_000, 5 * time.Second}
	return Settings{
		Enabled: true, Gitignore: true, AllowOutside: true, Telemetry: true,
		Grep: search, Rg: search, Find: search,
		Cat:     Command{50, 30_000, 5 * time.Second},
		Budgets: map[string]int{"gemini-shell": 900_000, "claude-dc": 180_000, "qwen-local": 28_000, "human-cli": 50_000, "default": 16_000},
		Handles: runlog.Retention{Keep: 200, MaxAge: 24 * time.Hour, MaxSize: 256 << 20},
	}
}

// Fault is a setting that does not count.
type Fault struct {
	Key  string // "tool_envelope.grep.timeout_ms"
	Want string
}

func (f Fault) Error() string { return f.Key + ": " + f.Want }

// Apply puts the section into force, as TOML decodes it: a number may be an int64, or
// its text. What is wrong in it counts as not there.
func (s *Settings) Apply(section any) []Fault {
	r := reader{}
	r.table(Section, section, s.keys())
	return r.faults
}

// InForce lists the settings by their keys below the section.
func (s *Settings) InForce() map[string]any {
	all := map[string]any{}
	flatten(all, "", s.keys())
	return all
}

func flatten(all map[string]any, prefix string, keys map[string]any) {
	for key, v := range keys {
		switch v := v.(type) {
		case map[string]any:
			flatten(all, prefix+key+".", v)
		case map[string]int:
			for name, n := range v {
				all[prefix+key+"."+name] = n
			}
		case *bool:
			all[prefix+key] = *v
		case *int:
			all[prefix+key] = *v
		case *int64:
			all[prefix+key] = *v
		case *float64:
			all[prefix+key] = *v
		case *string:
			all[prefix+key] = *v
		case *time.Duration:
			all[prefix+key] = durationText(key, *v)
		}
	}
}

func durationText(key string, d time.Duration) any {
	if strings.HasSuffix(key, "_ms") {
		return int(d.Milliseconds())
	}
	text := d.String()
	if strings.HasSuffix(text, "h0m0s") {
		text = strings.TrimSuffix(text, "0m0s")
	}
	return text
}

// keys are the settings by their names; a table is one too.
func (s *Settings) keys() map[string]any {
	command := func(c *Command, preview string) map[string]any {
		return map[string]any{preview: &c.Preview, "max_output_chars": &c.MaxChars, "timeout_ms": &c.Timeout}
	}
	return map[string]any{
		"enabled":       &s.Enabled,
		"workspace":     map[string]any{"root": &s.Root, "respect_gitignore": &s.Gitignore, "allow_outside_root": &s.AllowOutside},
		"telemetry":     map[string]any{"enabled": &s.Telemetry, "path": &s.TelemetryPath},
		"grep":          command(&s.Grep, "preview_matches"),
		"rg":            command(&s.Rg, "preview_matches"),
		"find":          command(&s.Find, "preview_matches"),
		"cat":           command(&s.Cat, "preview_lines"),
		"agent_budgets": s.Budgets,
		"handles":       map[string]any{"max_age": &s.Handles.MaxAge, "max_size": &s.Handles.MaxSize, "keep": &s.Handles.Keep},
		"coach":         map[string]any{"explore": &s.Explore},
	}
}

// reader puts values of TOML where they belong.
type reader struct{ faults []Fault }

func (r *reader) fault(key, want string) { r.faults = append(r.faults, Fault{key, want}) }

func (r *reader) table(name string, v any, keys map[string]any) {
	t, ok := v.(map[string]any)
	if !ok {
		r.fault(name, "is not a table")
		return
	}
	for key, val := range t {
		full := name + "." + key
		switch to := keys[key].(type) {
		case nil:
			r.fault(full, "is not known")
		case map[string]any:
			r.table(full, val, to)
		case map[string]int:
			r.budgets(full, val, to)
		default:
			r.value(full, val, to)
		}
	}
}

func (r *reader) budgets(name string, v any, to map[string]int) {
	t, ok := v.(map[string]any)
	if !ok {
		r.fault(name, "is not a table")
		return
	}
	for agent, val := range t {
		n, err := strconv.Atoi(strings.ReplaceAll(fmt.Sprint(val), "_", ""))
		if _, text := val.(string); err != nil || n <= 0 || text {
			r.fault(name+"."+agent, "want a number of characters")
			continue
		}
		to[agent] = n
	}
}

func (r *reader) value(key string, v, to any) {
	_, text := v.(string)
	number := func() (int64, bool) {
		n, err := strconv.ParseInt(strings.ReplaceAll(fmt.Sprint(v), "_", ""), 10, 64)
		return n, err == nil && !text && n >= 0
	}
	switch to := to.(type) {
	case *bool:
		b, ok := v.(bool)
		if !ok {
			r.fault(key, "want true or false")
			return
		}
		*to = b
	case *string:
		s, ok := v.(string)
		if !ok || s != "" && !filepath.IsAbs(s) && s[0] != '~' {
			r.fault(key, "want an absolute path")
			return
		}
		*to = s
	case *int:
		if n, ok := number(); ok && n > 0 && n < 1<<31 {
			*to = int(n)
		} else {
			r.fault(key, "want a whole number above 0")
		}
	case *float64:
		f, err := strconv.ParseFloat(fmt.Sprint(v), 64)
		if err != nil || text || !(f >= 0 && f <= 1) {
			r.fault(key, "want a number from 0 to 1")
			return
		}
		*to = f
	case *time.Duration:
		r.duration(key, v, to, number)
	case *int64:
		if n, err := runlog.ParseSize(fmt.Sprint(v)); err == nil && n > 0 {
			*to = n
		} else {
			r.fault(key, "want a size such as 256MB")
		}
	}
}

// duration reads timeout_ms, a number, or a time such as "24h".
func (r *reader) duration(key string, v any, to *time.Duration, number func() (int64, bool)) {
	if strings.HasSuffix(key, "_ms") {
		if n, ok := number(); ok && n < 1<<40 {
			*to = time.Duration(n) * time.Millisecond
		} else {
			r.fault(key, "want a number of milliseconds")
		}
		return
	}
	if d, err := runlog.ParseAge(fmt.Sprint(v)); err == nil && d > 0 {
		*to = d
	} else {
		r.fault(key, "want a time such as 24h")
	}
}

// Of are the settings for a command.
func (s *Settings) Of(command string) Command {
	if own := map[string]*Command{"cat": &s.Cat, "find": &s.Find, "rg": &s.Rg}[command]; own != nil {
		return *own
	}
	return s.Grep
}
