package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/ask/facts"
	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/config"
	"github.com/tool-mapping-protocol/tmp/internal/envelope/settings"
	"github.com/tool-mapping-protocol/tmp/internal/hook"
	packs "github.com/tool-mapping-protocol/tmp/internal/registry/settings"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/internal/wanted"
)

// configReport is the JSON of tmp config.
type configReport struct {
	V    int    `json:"v"`
	File string `json:"file"` // "" where no home is known
	// Sections are what the file says, by section and key; tmp-enter reads this,
	// and carries no reader of TOML for it.
	Sections map[string]any   `json:"sections"`
	InForce  map[string]any   `json:"in_force"` // "enter.wide": "word"
	Problems []settingProblem `json:"problems"`
}

type settingProblem struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	Message string `json:"message"`
	Moved   bool   `json:"moved,omitempty"` // it counts, and has another name by now
}

// NewConfig is tmp config.
func NewConfig(env *term.Env, f *command.Flags) command.Run {
	var asJSON bool
	f.Bool("json", &asJSON)
	return func(command.Input) error {
		paths := env.Places()
		r := configReport{V: 1, File: paths.Settings(), Sections: map[string]any{}, InForce: map[string]any{}, Problems: []settingProblem{}}
		for _, p := range Faults(paths, env.Dir) {
			r.Problems = append(r.Problems, settingProblem{p.File, p.Line, p.Err.Error(), p.Moved})
		}
		data, err := os.ReadFile(r.File)
		if all, bad := config.Sections(r.File, string(data)); len(bad) == 0 && all != nil {
			r.Sections = finite(all).(map[string]any)
		}
		enter, _ := facts.Settings(paths, env.Dir, config.Sections)
		for _, key := range ask.Keys() {
			r.InForce[key] = enter.Value(key)
		}
		r.InForce["tab.recency"], r.InForce["audit.all"] = facts.Kept(paths)
		r.InForce["tab.drafts"] = wanted.Allowed(paths)
		kept, _ := runlog.ReadRetention(r.File)
		r.InForce["runs.keep"], r.InForce["runs.max_age"], r.InForce["runs.max_size"] = kept.Keep, ageText(kept.MaxAge), kept.MaxSize
		harness := hook.Default()
		section, _ := r.Sections["hook"].(map[string]any) // what is no section is a problem above
		harness.Apply(section, false)
		for _, key := range hook.SettingKeys() {
			r.InForce["hook."+key] = harness.Value(key)
		}
		te := settings.Default()
		te.Apply(orEmpty(r.Sections[settings.Section]))
		for key, v := range te.InForce() {
			r.InForce[settings.Section+"."+key] = v
		}
		from := packs.Default()
		from.Apply(r.Sections)
		r.InForce["registries.use"], r.InForce["registries.max_age"] = from.Registries, ageText(from.MaxAge)
		if asJSON {
			return env.PrintJSON(r)
		}
		r.tell(env, !errors.Is(err, fs.ErrNotExist))
		if slices.ContainsFunc(r.Problems, func(p settingProblem) bool { return !p.Moved }) {
			return term.ExitStatus(1)
		}
		return nil
	}
}

// finite is a value of TOML with its inf and nan, which JSON has not, as text. No
// setting is a number like that: it is a fault, which must not hide the others.
func finite(v any) any {
	switch v := v.(type) {
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return fmt.Sprint(v)
		}
	case []any:
		for i := range v {
			v[i] = finite(v[i])
		}
	case []map[string]any:
		for _, table := range v {
			finite(table)
		}
	case map[string]any:
		for key := range v {
			v[key] = finite(v[key])
		}
	}
	return v
}

// orEmpty is a section, or one without settings.
func orEmpty(section any) any {
	if section == nil {
		return map[string]any{}
	}
	return section
}

// ageText writes a bound of age as config.toml holds it.
func ageText(d time.Duration) string {
	if day := 24 * time.Hour; d%day == 0 {
		return fmt.Sprintf("%dd", d/day)
	}
	return d.String()
}

// tell prints the settings in force, in the sections of the file.
func (r *configReport) tell(env *term.Env, exists bool) {
	file := term.OneLine(r.File)
	switch {
	case r.File == "":
		file = "none: no home directory is known"
	case !exists:
		file += " (is not there: these are the defaults)"
	}
	fmt.Fprintf(env.Stdout, "# %s\n", file)
	t := tabwriter.NewWriter(env.Stdout, 0, 8, 1, ' ', 0)
	for _, section := range []string{"enter", "policy", "places", "hook", "runs", "tab", settings.Section, packs.Section} {
		fmt.Fprintf(t, "[%s]\n", section)
		for _, key := range slices.Sorted(maps.Keys(r.InForce)) {
			if name, ok := strings.CutPrefix(key, section+"."); ok {
				fmt.Fprintf(t, "%s\t= %s\n", name, tomlText(r.InForce[key]))
			}
		}
	}
	_ = t.Flush()
	for _, p := range r.Problems {
		env.Notice("%s", facts.Problem{File: p.File, Line: p.Line, Err: fmt.Errorf("%s", p.Message)})
	}
}

// tomlText writes a value as the file would hold it.
func tomlText(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case []string:
		quoted := make([]string, len(v))
		for i, s := range v {
			quoted[i] = fmt.Sprintf("%q", s)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	return fmt.Sprint(v)
}
