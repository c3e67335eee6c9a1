package wanted

import (
	"os"
	"path/filepath"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/place"
)

// Programs are the names in the directories of PATH that nobody else can change: of
// these a Tab may want a draft. None where it may not.
func Programs(p place.Paths, path string) []string {
	if p.Home == "" || p.Drafts() == "" || !Allowed(p) {
		return nil
	}
	self := uint32(os.Geteuid())
	var names []string
	for _, dir := range filepath.SplitList(path) {
		st, ok := stat(dir)
		if !filepath.IsAbs(dir) || !ok || st.Uid != 0 && st.Uid != self || st.Mode&syscall.S_IWOTH != 0 {
			continue
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if !e.IsDir() && plain(e.Name()) {
				names = append(names, e.Name())
			}
		}
	}
	return names
}
