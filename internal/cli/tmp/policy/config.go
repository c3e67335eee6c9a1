// Package policy holds the commands about what is asked and what was answered:
// tmp config, allow and audit.
package policy

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/ask/facts"
	"github.com/tool-mapping-protocol/tmp/internal/config"
	"github.com/tool-mapping-protocol/tmp/internal/envelope/settings"
	"github.com/tool-mapping-protocol/tmp/internal/hook"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	packs "github.com/tool-mapping-protocol/tmp/internal/registry/settings"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/internal/surface"
)

// Faults lists what does not count of the user's config.toml and of a
// trusted project's settings, by file, line and field.
func Faults(paths place.Paths, dir string) []facts.Problem {
	_, problems := facts.Settings(paths, dir, config.Sections)
	file := paths.Settings()
	data, err := os.ReadFile(file)
	if err != nil {
		return problems // said by Settings, if there is such a file
	}
	text := string(data)
	all, bad := config.Sections(file, text)
	if len(bad) > 0 {
		return problems
	}
	_, err = runlog.ReadRetention(file)
	for _, err := range parts(err) {
		var bad *runlog.SettingError
		if errors.As(err, &bad) {
			problems = append(problems, facts.Problem{File: file, Line: facts.Line(text, bad.Key), Err: keyed(bad.Key, bad.Err)})
			continue
		}
		problems = append(problems, facts.Problem{File: file, Err: err})
	}
	fault := func(key, reason string) {
		problems = append(problems, facts.Problem{File: file, Line: facts.Line(text, key), Err: keyed(key, errors.New(reason))})
	}
	known := append(ask.Sections(), "audit", "hook", "runs", "tab", settings.Section, packs.Section, packs.MaxAge, surface.API, surface.SQL)
	from := packs.Default()
	for _, f := range from.Apply(all) {
		fault(f.Key, f.Reason)
	}
	for section, value := range all {
		table, ok := value.(map[string]any)
		switch {
		case section == packs.Section, section == packs.MaxAge:
		case !slices.Contains(known, section):
			fault(section, "unknown: known are "+strings.Join(known, ", "))
		case !ok:
			fault(section, "want a section")
		case section == surface.API, section == surface.SQL:
			for _, name := range slices.Sorted(maps.Keys(table)) {
				if _, ok := table[name].(map[string]any); !ok {
					fault(section+"."+name, fmt.Sprintf("want a table [%s.NAME]", section))
				}
			}
		case section == "hook":
			s := hook.Default()
			for _, f := range s.Apply(table, false) {
				fault(f.Key, f.Reason)
			}
		case section == settings.Section:
			s := settings.Default()
			for _, f := range s.Apply(value) {
				fault(f.Key, f.Want)
			}
		case section == "tab", section == "audit":
			known := map[string][]string{"tab": {"drafts", "recency"}, "audit": {"all"}}[section]
			for key, value := range table {
				if _, ok := value.(bool); !slices.Contains(known, key) {
					fault(section+"."+key, "unknown: known are "+strings.Join(known, ", "))
				} else if !ok {
					fault(section+"."+key, "want true or false")
				}
			}
		}
	}
	slices.SortStableFunc(problems, func(a, b facts.Problem) int { return a.Line - b.Line })
	return slices.CompactFunc(problems, func(a, b facts.Problem) bool { return a.Error() == b.Error() })
}

// parts takes a joined error apart.
func parts(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// keyed is what is wrong with a setting.
func keyed(key string, err error) error { return fmt.Errorf("%s: %w", key, err) }
