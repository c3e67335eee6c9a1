// Package version says which build a program is.
package version

import (
	"runtime/debug"
	"strings"
)

// release is set by the linker in what scripts/release builds, whose programs are the
// same bytes wherever they are built and so know nothing of a repository.
var release string

// Text is the module's version without its "v", or "devel" with the first twelve digits
// of the revision it was built from.
func Text() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return strings.TrimPrefix(v, "v")
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}
