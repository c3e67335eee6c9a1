package registry

import (
	"path/filepath"
	"slices"

	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/registry/archive"
	"github.com/tool-mapping-protocol/tmp/internal/registry/keys"
)

// shippedFrom is the registry of what came with the programs.
const shippedFrom = "shipped"

// carryOver takes the packs that came with the programs along: the user's image of
// packs stands in the place of theirs.
func (p *Packs) carryOver(steps []*Step) error {
	file := mapset.PackMap(p.home.Paths)
	if file == "" || file == p.home.Paths.PackMap() {
		return nil
	}
	packs, _ := opmap.InstalledPacks(p.home.Paths)
	for _, pack := range packs {
		if slices.ContainsFunc(steps, func(s *Step) bool { return s.Entry.Name == pack.Name }) {
			continue
		}
		files, err := archive.ReadDir(filepath.Join(filepath.Dir(file), "packs", filepath.FromSlash(pack.Name)))
		if err != nil {
			return err
		}
		i := opmap.InstalledPack{Name: pack.Name, Version: pack.Version, Digest: files.Digest(), State: string(keys.Shipped), Registry: shippedFrom}
		if err := p.put(&i, files, nil); err != nil {
			return err
		}
		p.List = append(p.List, i)
	}
	return nil
}
