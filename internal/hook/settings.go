package hook

import (
	"fmt"
	"slices"
	"strings"
)

// Mode is what becomes of what Enter would ask about, in the order of strictness.
type Mode uint8

// The modes.
const (
	Notify Mode = iota // nothing, and the person is told
	Ask                // the harness asks its person
	Deny               // it is refused: nobody is there to ask
)

// Settings are the section [hook] of config.toml, and the object "hook" of a
// trusted project's .tmp/config.json, which may only make it stricter.
type Settings struct {
	Mode      Mode
	AutoAllow bool     // known lines up to LOW need no permission
	Rewrite   []string // "run", "te"
	Secrets   Mode     // what shows a secret; Notify is "none"
}

// Default returns the settings without any configuration.
func Default() Settings { return Settings{Mode: Ask, Secrets: Ask} }

// Fault is a setting that does not count, and why.
type Fault struct {
	Key    string // as in the file, "hook.mode"
	Reason string
}

func (f *Fault) Error() string { return f.Key + ": " + f.Reason }

var (
	modes   = []string{"notify", "ask", "deny"}
	secrets = []string{"none", "ask", "deny"}
)

// SettingKeys are the keys of the section, sorted.
func SettingKeys() []string { return []string{"auto_allow", "mode", "rewrite", "secrets"} }

// Value returns what a key of the section holds.
func (s *Settings) Value(key string) any {
	switch key {
	case "mode":
		return modes[s.Mode]
	case "secrets":
		return secrets[s.Secrets]
	case "auto_allow":
		return s.AutoAllow
	case "rewrite":
		return append([]string{}, s.Rewrite...)
	}
	return nil
}

// Apply takes the values of a section over, as TOML or JSON decode them. With
// tighten only what is stricter counts. Faults are in the order of their keys;
// a faulty value leaves the setting as it was.
func (s *Settings) Apply(section map[string]any, tighten bool) []*Fault {
	var faults []*Fault
	keys := make([]string, 0, len(section))
	for k := range section {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, key := range keys {
		if reason := s.set(key, section[key], tighten); reason != "" {
			faults = append(faults, &Fault{"hook." + key, reason})
		}
	}
	return faults
}

func (s *Settings) set(key string, value any, tighten bool) string {
	switch key {
	case "mode":
		return setMode(&s.Mode, modes, value, tighten)
	case "secrets":
		return setMode(&s.Secrets, secrets, value, tighten)
	case "auto_allow":
		on, ok := value.(bool)
		if !ok {
			return "want true or false"
		}
		s.AutoAllow = on && (!tighten || s.AutoAllow)
	case "rewrite":
		list, ok := value.([]any)
		if !ok {
			return `want a list of "run" and "te"`
		}
		var kept []string
		for _, v := range list {
			name, _ := v.(string)
			if name != "run" && name != "te" {
				return fmt.Sprintf(`holds %q: want "run" and "te"`, fmt.Sprint(v))
			}
			if !slices.Contains(kept, name) && (!tighten || slices.Contains(s.Rewrite, name)) {
				kept = append(kept, name)
			}
		}
		s.Rewrite = kept
	default:
		return "unknown setting: known are " + strings.Join(SettingKeys(), ", ")
	}
	return ""
}

func setMode(at *Mode, names []string, value any, tighten bool) string {
	name, _ := value.(string)
	i := slices.Index(names, name)
	if i < 0 {
		return fmt.Sprintf("is %q: want one of %q", fmt.Sprint(value), names)
	}
	if !tighten || Mode(i) > *at {
		*at = Mode(i)
	}
	return ""
}
