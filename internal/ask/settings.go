package ask

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
)

// Settings are the user's part in the policy: the section [enter] of
// config.toml, and the object "enter" of a trusted project's .tmp/config.json,
// which may only make it stricter.
type Settings struct {
	Wide       Action // CRITICAL that reaches beyond a few named files
	Named      Action // CRITICAL on a few named files
	High       Action
	InGit      Action // what git has unchanged
	Rebuilt    Action // what git ignores and a build makes again
	Temporary  Action // what lies in a temporary directory
	Reversible Action // what the opposite command takes back
	Consent    string // the word to type
	BuildNames []string
	Production []string // patterns of Kubernetes contexts, case aside
}

// Default returns the settings without any configuration.
func Default() Settings {
	return Settings{
		Wide: Word, Named: YesNo, High: Always, InGit: Mark, Rebuilt: Mark, Temporary: Mark, Reversible: Mark,
		Consent: "run", Production: []string{"*prod*", "*live*", "*prd*"},
	}
}

// Fault is a setting that does not count, and why.
type Fault struct {
	Key    string // as in the file, "enter.wide"
	Reason string
}

func (f *Fault) Error() string { return f.Key + ": " + f.Reason }

// action returns where the action of a key is held and which are allowed there,
// the loosest first; nil if the key has none.
func (s *Settings) action(key string) (at *Action, allowed []Action) {
	switch key {
	case "wide":
		return &s.Wide, []Action{YesNo, Word}
	case "named_files":
		return &s.Named, []Action{Mark, YesNo, Word}
	case "high":
		return &s.High, []Action{Mark, Always, YesNo, Word}
	case "in_git":
		at = &s.InGit
	case "rebuilt":
		at = &s.Rebuilt
	case "temporary":
		at = &s.Temporary
	case "reversible":
		at = &s.Reversible
	default:
		return nil, nil
	}
	return at, []Action{Pass, Mark, YesNo, Word}
}

// Value returns what a key of the section holds: text, or a list of texts.
func (s *Settings) Value(key string) any {
	switch key {
	case "word":
		return s.Consent
	case "build_names":
		return append([]string{}, s.BuildNames...)
	case "production":
		return append([]string{}, s.Production...)
	}
	if at, _ := s.action(key); at != nil {
		return at.String()
	}
	return nil
}

// Keys are the keys of the section, sorted.
func Keys() []string {
	return []string{"build_names", "high", "in_git", "named_files", "production", "rebuilt", "reversible", "temporary", "wide", "word"}
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
			faults = append(faults, &Fault{"enter." + key, reason})
		}
	}
	return faults
}

// set takes one value over; it returns what is wrong with it, or "".
func (s *Settings) set(key string, value any, tighten bool) string {
	switch key {
	case "word":
		return s.setWord(value, tighten)
	case "build_names", "production":
		names, reason := textsOf(value)
		switch {
		case reason != "":
			return reason
		case key == "production" && tighten:
			s.Production = append(slices.Clone(s.Production), names...)
		case key == "production":
			s.Production = names
		case !tighten:
			s.BuildNames = names
		}
		return ""
	}
	at, allowed := s.action(key)
	if at == nil {
		return "unknown setting: known are " + strings.Join(Keys(), ", ")
	}
	text, _ := value.(string)
	for _, a := range allowed {
		if a.String() == text {
			if !tighten || a > *at {
				*at = a
			}
			return ""
		}
	}
	return fmt.Sprintf("is %v: want one of %s", quoted(value), names(allowed))
}

func (s *Settings) setWord(value any, tighten bool) string {
	text, ok := value.(string)
	if !ok || len(text) < 2 || len(text) > 32 || strings.ContainsFunc(text, func(r rune) bool { return r > '~' || !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		return fmt.Sprintf("is %v: want a word of 2 to 32 letters and digits", quoted(value))
	}
	if !tighten {
		s.Consent = text
	}
	return ""
}

func textsOf(value any) (list []string, reason string) {
	items, ok := value.([]any)
	if !ok {
		return nil, fmt.Sprintf("is %v: want a list of patterns", quoted(value))
	}
	for _, it := range items {
		text, ok := it.(string)
		if _, err := path.Match(text, ""); !ok || text == "" || err != nil {
			return nil, fmt.Sprintf("holds %v, which is no pattern", quoted(it))
		}
		list = append(list, text)
	}
	return list, ""
}

func quoted(v any) any {
	if s, ok := v.(string); ok {
		return fmt.Sprintf("%q", s)
	}
	return v
}

func names(list []Action) string {
	var out []string
	for _, a := range list {
		out = append(out, fmt.Sprintf("%q", a.String()))
	}
	return strings.Join(out, ", ")
}
