package tab

import (
	"os"
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/wanted"
)

// wants reports whether the command of an answer, which nobody has mapped, is to be
// drafted for the next Tab.
func wants(a completion.Answer, dir string, getenv func(string) string) bool {
	return filepath.IsAbs(dir) && pressed(dir, getenv).Wants(a.Tool, a.Draft)
}

// haveDrafted starts that; where it cannot be started nothing is missed.
func haveDrafted(tool, dir string, getenv func(string) string) {
	_ = pressed(dir, getenv).Start(tool, os.Environ())
}

func pressed(dir string, getenv func(string) string) wanted.Tab {
	return wanted.Tab{Paths: place.Find(getenv), Dir: dir, Getenv: getenv}
}
