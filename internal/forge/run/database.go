package run

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/forge/bridge"
)

// statements are the queries of the configuration: the templates of its .sql files,
// each after a comment "-- operation: NAME".
func (f *Runner) statements() map[string]string {
	out := map[string]string{}
	files, _ := filepath.Glob(filepath.Join(f.Config.DB.Queries, "*.sql"))
	for _, file := range files {
		st, err := os.Stat(file)
		if err != nil || !st.Mode().IsRegular() || st.Size() > 1<<20 {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		name, text := "", ""
		end := func() {
			if name != "" {
				out[name] = strings.TrimSuffix(strings.TrimSpace(text), ";")
			}
			text = ""
		}
		for line := range strings.Lines(string(data)) {
			trimmed := strings.TrimSpace(line)
			if id, ok := strings.CutPrefix(trimmed, "-- operation:"); ok {
				end()
				name = strings.TrimSpace(id)
				continue
			}
			if !strings.HasPrefix(trimmed, "--") {
				text += line
			}
		}
		end()
	}
	return out
}

// QueryNames are the names of the queries, whole and without "sql.".
func (f *Runner) QueryNames() []string {
	var out []string
	for _, id := range slices.Sorted(maps.Keys(f.statements())) {
		out = append(out, id, strings.TrimPrefix(id, "sql."))
	}
	return out
}

// database is the database of a run, nil if the configuration has none.
func (f *Runner) database(getenv func(string) string) *bridge.Database {
	if f.Config.DB.Dialect == "" {
		return nil
	}
	return &bridge.Database{
		Dialect: f.Config.DB.Dialect, URL: getenv(f.Config.DB.EnvVar), Dir: f.Config.App.Root, Queries: f.statements(), Write: f.Config.DB.Write,
	}
}
