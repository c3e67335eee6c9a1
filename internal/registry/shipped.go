package registry

import (
	"encoding/json"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/opmap/packs"
	"github.com/tool-mapping-protocol/tmp/internal/registry/archive"
	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/internal/registry/keys"
	"github.com/tool-mapping-protocol/tmp/internal/registry/ledger"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Packs that come with the programs are part of this one. They are found and installed
// like any other, after those of the registries; nobody has to sign them, or to publish
// them again for their log not to grow old.

// shippedFrom is where they come from.
const shippedFrom = "shipped"

// shippedPublisher is the publisher of all of them.
const shippedPublisher = "tmp"

// shippedPack is what pack.json says of one that comes with the programs.
func shippedPack(dir string) (*opmap.Pack, error) {
	data, err := fs.ReadFile(packs.Files, path.Join(dir, opmap.PackFile))
	if err != nil {
		return nil, err
	}
	p := &opmap.Pack{}
	return p, json.Unmarshal(data, p)
}

// shippedNames are the directories of those that come with the programs.
func shippedNames() []string {
	entries, err := fs.ReadDir(packs.Files, ".")
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// shippedLines are what is searched of them. They have neither operations nor ratings,
// so there is no level to tell: a test holds them to that.
func shippedLines(now time.Time) *ledger.Lines {
	var lines []ledger.Line
	for _, dir := range shippedNames() {
		p, err := shippedPack(dir)
		if err != nil {
			continue
		}
		var tools []string
		for _, t := range p.Tools {
			tools = append(tools, t.Tool)
		}
		lines = append(lines, ledger.Line{Name: p.Name, Version: p.Version, Tools: strings.Join(tools, " "), Level: tcpdb.Unknown.String(), Key: string(keys.Shipped), Review: p.Review, Description: p.Description})
	}
	return ledger.LinesOf(shippedFrom, now, lines)
}

// shipped is a pack that comes with the programs, as one that was fetched; nil if there
// is none of that name and version.
func shipped(w Wanted) (*Candidate, error) {
	publisher, dir, _ := strings.Cut(w.Name, "/")
	if publisher != shippedPublisher || !slices.Contains(shippedNames(), dir) {
		return nil, nil
	}
	if p, err := shippedPack(dir); err != nil || w.Version != "" && p.Version != w.Version {
		return nil, err
	}
	files := archive.Files{}
	err := fs.WalkDir(packs.Files, dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[strings.TrimPrefix(name, dir+"/")], err = fs.ReadFile(packs.Files, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	c := &Candidate{Registry: shippedFrom, Files: files, State: keys.Shipped}
	if c.Pack, _, err = parse(files); err != nil {
		return nil, err
	}
	c.Level, c.Flags = measure(c.Pack)
	c.Entry = &ledger.Entry{Kind: ledger.Published, Name: c.Pack.Name, Version: c.Pack.Version, Digest: files.Digest()}
	if w.Digest != "" && w.Digest != c.Entry.Digest {
		return nil, fault.New(fault.Differs, "%s@%s is locked as %s, the programs have it as %s", w.Name, w.Version, w.Digest, c.Entry.Digest)
	}
	return c, nil
}

// carryOver takes the packs that were installed with the programs along: the user's
// image of packs stands in the place of theirs.
func (p *Packs) carryOver(steps []*Step) error {
	file := mapset.PackMap(p.home.Paths)
	if file == "" || file == p.home.Paths.PackMap() {
		return nil
	}
	used, _ := opmap.InstalledPacks(p.home.Paths)
	for _, pack := range used {
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
