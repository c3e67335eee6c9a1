package te

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/envelope/settings"
	"github.com/tool-mapping-protocol/tmp/internal/toml"
)

// readSettings reads [tool_envelope] of the user's config.toml; fault says in a line
// what of it does not count.
func readSettings(file string) (s settings.Settings, fault string) {
	s = settings.Default()
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
	section, there := all[settings.Section]
	if !there {
		return s, ""
	}
	var faults []string
	for _, f := range s.Apply(section) {
		faults = append(faults, f.Error())
	}
	if len(faults) > 0 {
		fault = file + ": " + strings.Join(faults, "; ")
	}
	return s, fault
}
