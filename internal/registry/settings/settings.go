// Package settings is the part of config.toml that is about registries. It is apart
// from what reads registries, so that tmp config can check it without linking that.
package settings

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Section is the section's name, or that of a plain list of registries.
const Section = "registries"

// MaxAge is the key of its own that stands beside a plain list.
const MaxAge = "max_age"

// Settings say where packs are looked for.
type Settings struct {
	Registries []string // "dir:PATH" or "oci:HOST/PATH"; none for the default
	MaxAge     time.Duration
}

// Fault is a setting that does not count.
type Fault struct{ Key, Reason string }

// Default is what holds without any.
func Default() Settings { return Settings{Registries: []string{}, MaxAge: 30 * 24 * time.Hour} }

// Apply takes what config.toml says: registries = ["dir:/srv/packs"] and max_age = "30d"
// above the sections, or a section [registries] with max_age, use = […] and NAME =
// "dir:/srv/packs".
func (s *Settings) Apply(all map[string]any) []Fault {
	var faults []Fault
	add := func(key string, value any) {
		text, ok := value.(string)
		if reason := badRegistry(text); !ok || reason != "" {
			faults = append(faults, Fault{key, "want dir:PATH or oci:HOST/PATH"})
			return
		}
		s.Registries = append(s.Registries, text)
	}
	list := func(key string, value any) {
		texts, ok := value.([]any)
		if !ok {
			faults = append(faults, Fault{key, `want a list such as ["dir:/srv/packs"]`})
		}
		for _, v := range texts {
			add(key, v)
		}
	}
	age := func(key string, value any) {
		d, ok := duration(value)
		if !ok {
			faults = append(faults, Fault{key, `want a time such as "30d"`})
			return
		}
		s.MaxAge = d
	}
	if v, ok := all[MaxAge]; ok {
		age(MaxAge, v)
	}
	switch v := all[Section].(type) {
	case nil:
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			switch name := Section + "." + key; key {
			case MaxAge:
				age(name, v[key])
			case "use":
				list(name, v[key])
			default:
				add(name, v[key])
			}
		}
	default:
		list(Section, v)
	}
	return faults
}

func badRegistry(text string) string {
	kind, where, _ := strings.Cut(text, ":")
	if kind == "dir" && filepath.IsAbs(where) || kind == "oci" && where != "" {
		return ""
	}
	return fmt.Sprintf("%q", text)
}

// duration reads "30d", "12h" or another time of Go's.
func duration(value any) (time.Duration, bool) {
	text, ok := value.(string)
	if !ok {
		return 0, false
	}
	if days, isDays := strings.CutSuffix(text, "d"); isDays {
		n, err := strconv.Atoi(days)
		return time.Duration(n) * 24 * time.Hour, err == nil && n > 0 && n < 100_000
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d > 0
}
