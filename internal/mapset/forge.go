package mapset

import (
	"path/filepath"
	"slices"

	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// openForge adds the map of the tools of the nearest .tgp, from dir upwards, else of
// that of the home directory. Only tgp writes it; what is foreign or of another root
// is left out.
func openForge(v *tcpdb.View, p place.Paths, dir string) {
	root := forgeRoot(p, dir)
	if root == "" {
		return
	}
	file := p.ForgeMap(root)
	if file == "" || foreign(file) {
		return
	}
	im, err := tcpdb.Map(file)
	switch {
	case missing(err):
	case err != nil:
		v.Fail(tcpdb.ForgeLayer, file, err)
	case len(im.Sources()) == 0 || im.Sources()[0] != Owner(root):
		im.Close()
	default:
		v.Add(tcpdb.ForgeLayer, im)
	}
}

// forgeRoot is the root of the tools that hold in dir, "" if there is none.
func forgeRoot(p place.Paths, dir string) string {
	for dir = filepath.Clean(dir); filepath.IsAbs(dir) && dir != p.Home && !slices.Contains(p.Ceilings, dir); dir = filepath.Dir(dir) {
		if st, err := lstat(filepath.Join(dir, ".tgp")); err == nil && st.dir && st.owner == self() {
			return filepath.Join(dir, ".tgp")
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if p.Home == "" || !exists(filepath.Join(p.Home, ".tgp")) {
		return ""
	}
	return filepath.Join(p.Home, ".tgp")
}
