package te

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/internal/toml"
)

// settings are [tool_envelope] of the user's config.toml.
type settings struct {
	enabled       bool
	root          string
	gitignore     bool
	allowOutside  bool
	telemetry     bool
	telemetryPath string
	search        commandSettings // grep and rg
	rg            commandSettings
	cat           commandSettings
	find          commandSettings
	budgets       map[string]int
	handles       runlog.Retention
	explore       float64
}

// commandSettings hold for one command.
type commandSettings struct {
	preview  int
	maxChars int
	timeout  time.Duration
}

func defaults() settings {
	search := commandSettings{10, 20_000, 5 * time.Second}
	return settings{
		enabled: true, gitignore: true, allowOutside: true, telemetry: true,
		search: search, rg: search, find: search,
		cat:     commandSettings{50, 30_000, 5 * time.Second},
		budgets: map[string]int{"gemini-shell": 900_000, "claude-dc": 180_000, "qwen-local": 28_000, "human-cli": 50_000, "default": 16_000},
		handles: runlog.Retention{Keep: 200, MaxAge: 24 * time.Hour, MaxSize: 256 << 20},
	}
}

// readSettings reads the section; what is wrong in it counts as not there, and is
// told in one line.
func readSettings(file string) (s settings, fault string) {
	s = defaults()
	if file == "" {
		return s, ""
	}
	st, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return s, ""
	}
	if err != nil || !st.Mode().IsRegular() || st.Size() > 1<<20 {
		return s, file + " is not a file of settings"
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return s, file + " cannot be read"
	}
	all, err := toml.Parse(string(text))
	if err != nil {
		return s, file + ": " + err.Error()
	}
	section, there := all["tool_envelope"]
	if !there {
		return s, ""
	}
	r := reader{}
	r.table("tool_envelope", section, s.keys())
	if len(r.faults) > 0 {
		return s, file + ": " + strings.Join(r.faults, "; ")
	}
	return s, ""
}

// Faults says what in [tool_envelope] of a config.toml does not count.
func Faults(file string) string {
	_, fault := readSettings(file)
	return fault
}

// keys are the settings by their names; a table is one too.
func (s *settings) keys() map[string]any {
	command := func(c *commandSettings, preview string) map[string]any {
		return map[string]any{preview: &c.preview, "max_output_chars": &c.maxChars, "timeout_ms": &c.timeout}
	}
	return map[string]any{
		"enabled":       &s.enabled,
		"workspace":     map[string]any{"root": &s.root, "respect_gitignore": &s.gitignore, "allow_outside_root": &s.allowOutside},
		"telemetry":     map[string]any{"enabled": &s.telemetry, "path": &s.telemetryPath},
		"grep":          command(&s.search, "preview_matches"),
		"rg":            command(&s.rg, "preview_matches"),
		"find":          command(&s.find, "preview_matches"),
		"cat":           command(&s.cat, "preview_lines"),
		"agent_budgets": s.budgets,
		"handles":       map[string]any{"max_age": &s.handles.MaxAge, "max_size": &s.handles.MaxSize, "keep": &s.handles.Keep},
		"coach":         map[string]any{"explore": &s.explore},
	}
}

// reader puts values of TOML where they belong.
type reader struct{ faults []string }

func (r *reader) fault(key, want string) { r.faults = append(r.faults, key+": "+want) }

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

// of are the settings for a command.
func (s *settings) of(command string) commandSettings {
	if own := map[string]*commandSettings{"cat": &s.cat, "find": &s.find, "rg": &s.rg}[command]; own != nil {
		return *own
	}
	return s.search
}
