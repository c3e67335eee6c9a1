package opmap

import (
	"embed"
	"fmt"
)

//go:embed core/maps/*.json
var coreMaps embed.FS

// CoreSource returns the source map of a tool as it ships, in JSON.
func CoreSource(tool string) ([]byte, error) {
	data, err := coreMaps.ReadFile("core/maps/" + tool + ".json")
	if err != nil {
		return nil, fmt.Errorf("no core map for %q", tool)
	}
	return data, nil
}
