package mapset

import (
	"os"

	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// AddPacks puts the compiled packs into their place in a view. No file is looked
// at before something is asked that they may answer.
func AddPacks(v *tcpdb.View, p place.Paths) {
	v.Later(tcpdb.PackLayer, func() (*tcpdb.Image, string, error) { return openPacks(p) })
}

// Below is what holds of every map of the user's own: core, packs and system layer.
func Below(p place.Paths) *tcpdb.View {
	v := tcpdb.NewView(tcpdb.Core())
	AddPacks(v, p)
	openSystem(v, p)
	return v
}

// openPacks takes the first compiled packs that there are: the user's own, those
// that were installed with this program, those of an administrator.
func openPacks(p place.Paths) (*tcpdb.Image, string, error) {
	own, shared := packMaps(p)
	for _, file := range own {
		if foreign(file) {
			return nil, file, ErrForeign
		}
		if im, err := tcpdb.Map(file); !missing(err) {
			return im, file, err
		}
	}
	for _, file := range shared {
		st, err := lstat(file)
		if err != nil {
			continue
		}
		if st.owner != 0 || st.othersWrite {
			return nil, file, ErrForeign
		}
		im, err := tcpdb.Map(file)
		return im, file, err
	}
	return nil, "", nil
}

// packMaps are the places of compiled packs: those that count if they are the
// user's or root's, and those that count if they are root's.
func packMaps(p place.Paths) (own, shared []string) {
	if p.Data != "" {
		own = append(own, p.PackMap())
	}
	if program, err := os.Executable(); err == nil {
		own = append(own, place.InstalledPackMap(program))
	}
	return own, p.SharedPackMaps()
}

// PackMap is the file of the compiled packs that are in use, "" for none.
func PackMap(p place.Paths) string {
	im, file, err := openPacks(p)
	if err != nil || im == nil {
		return ""
	}
	im.Close()
	return file
}
