package opmap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// PackFile is the name of what a pack says of itself, in its directory.
const PackFile = "pack.json"

// Pack is a directory of maps that is installed beside the program: pack.json,
// maps/*.json, risk.toml, LICENSE and README.md.
type Pack struct {
	V           int        `json:"v"`
	Name        string     `json:"name"` // "publisher/name"
	Version     string     `json:"version"`
	Description string     `json:"description"`
	License     string     `json:"license"`
	Homepage    string     `json:"homepage"`
	Tools       []PackTool `json:"tools"`
	Platforms   []string   `json:"platforms"`
	Review      string     `json:"review"` // "draft" or "reviewed"
	Provenance  string     `json:"provenance"`
	Requires    []string   `json:"requires"`

	Sources []*Source `json:"-"`
	Risks   []*Risks  `json:"-"`
}

// PackTool is a tool that a pack maps.
type PackTool struct {
	Tool         string `json:"tool"`
	VersionRange string `json:"version_range"`
}

var packName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z]([a-z0-9-]{0,37}[a-z0-9])?/[a-z]([a-z0-9-]{0,37}[a-z0-9])?$`)
})

// ReadPack reads the pack in a directory of fsys. The problems name files below
// fsys; without Errors among them there is a pack.
func ReadPack(fsys fs.FS, dir string, opts ParseOptions) (*Pack, Problems) {
	p := &Pack{}
	var problems Problems
	fault := func(file, field, format string, args ...any) {
		problems = append(problems, &Problem{File: file, Field: field, Reason: fmt.Sprintf(format, args...), Severity: Error})
	}
	file := path.Join(dir, PackFile)
	data, err := fs.ReadFile(fsys, file)
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		err = d.Decode(p)
	}
	if err != nil {
		fault(file, "", "%v", err)
		return nil, problems
	}
	if p.V != 1 {
		fault(file, "v", "is %d: want 1", p.V)
	}
	if !packName().MatchString(p.Name) {
		fault(file, "name", "%q: want publisher/name in a–z, 0–9 and -", p.Name)
	}
	if p.Review != "draft" && p.Review != "reviewed" {
		fault(file, "review", "%q: want draft or reviewed", p.Review)
	}
	maps, _ := fs.Glob(fsys, path.Join(dir, "maps", "*.json")) // the pattern is well formed
	for _, name := range maps {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			fault(name, "", "%v", err)
			continue
		}
		s, ps := Parse(name, data, opts)
		problems = append(problems, ps...)
		if s == nil {
			continue
		}
		p.Sources = append(p.Sources, s)
		if !slices.ContainsFunc(p.Tools, func(t PackTool) bool { return t.Tool == s.Tool }) {
			fault(file, "tools", "%s maps %q, which is not among them", name, s.Tool)
		}
	}
	for i, t := range p.Tools {
		if _, err := ParseRange(t.VersionRange); err != nil {
			fault(file, fmt.Sprintf("tools[%d].version_range", i), "%v", err)
		}
		if !slices.ContainsFunc(p.Sources, func(s *Source) bool { return s.Tool == t.Tool }) {
			fault(file, fmt.Sprintf("tools[%d]", i), "there is no map of %q", t.Tool)
		}
	}
	name := path.Join(dir, "risk.toml")
	if data, err := fs.ReadFile(fsys, name); err == nil {
		r, ps := ParseRisks(name, data)
		problems = append(problems, ps...)
		if r != nil {
			p.Risks = append(p.Risks, r)
		}
	}
	return p, problems
}

// packLayering is what packs say together, over the core. What is a draft there
// completes and never runs.
func packLayering(packs []*Pack) *Layering {
	draft := map[*Source]bool{}
	l := &Layering{
		Layer: tcpdb.PackLayer, Below: tcpdb.NewView(tcpdb.Core()),
		Standing: func(s *Source, _ *Operation) tcpdb.Standing {
			if draft[s] {
				return tcpdb.Draft
			}
			return tcpdb.Shipped
		},
	}
	for _, p := range packs {
		l.Sources = append(l.Sources, p.Sources...)
		l.Risks = append(l.Risks, p.Risks...)
		for _, s := range p.Sources {
			draft[s] = p.Review != "reviewed"
		}
	}
	return l
}

// BuildPacks compiles the image of the packs layer. The error is a *Problem where
// two packs map the same tool, and where one maps a tool that the core maps whole.
func BuildPacks(packs []*Pack) ([]byte, error) {
	l := packLayering(packs)
	for _, s := range l.Sources {
		if root := l.Below.Root(s.Tool); root != nil && root.Bits&tcpdb.Partial == 0 {
			return nil, &Problem{File: s.File, Field: "tool", Severity: Error, Reason: fmt.Sprintf("%q is mapped by the core: a pack would not be asked about it", s.Tool)}
		}
	}
	b := tcpdb.NewBuilder()
	if err := l.Compile(b); err != nil {
		return nil, err
	}
	return b.Build()
}

// InstalledPacks reads the packs whose sources lie beside the compiled packs that
// are in use.
func InstalledPacks(paths place.Paths) ([]*Pack, Problems) {
	file := mapset.PackMap(paths)
	if file == "" {
		return nil, nil
	}
	root := filepath.Join(filepath.Dir(file), "packs")
	fsys := os.DirFS(root)
	found, _ := fs.Glob(fsys, "*/*/"+PackFile) // the pattern is well formed
	var packs []*Pack
	var problems Problems
	for _, name := range found {
		p, ps := ReadPack(fsys, path.Dir(name), ParseOptions{})
		for _, problem := range ps {
			problem.File = filepath.Join(root, problem.File)
		}
		problems = append(problems, ps...)
		if p == nil {
			continue
		}
		for _, s := range p.Sources {
			s.File = filepath.Join(root, s.File)
		}
		packs = append(packs, p)
	}
	return packs, problems
}

// belowUser is what the layers say that stand below a user's.
func belowUser(paths place.Paths) *tcpdb.View {
	v := tcpdb.NewView(tcpdb.Core())
	mapset.AddPacks(v, paths)
	return v
}
