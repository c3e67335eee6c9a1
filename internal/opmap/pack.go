package opmap

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/semver"

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
	// Trusted: it came with the programs, or a key that is trusted for verified signed
	// it. What is not completes, and no more.
	Trusted bool `json:"-"`
	// Installed says where it came from; nil for one that came with the programs.
	Installed *InstalledPack `json:"-"`
}

// PackTool is a tool that a pack maps.
type PackTool struct {
	Tool         string `json:"tool"`
	VersionRange string `json:"version_range"`
}

var packName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z]([a-z0-9-]{0,37}[a-z0-9])?/[a-z]([a-z0-9-]{0,37}[a-z0-9])?$`)
})

// IsPackName reports whether a text is publisher/name.
func IsPackName(name string) bool { return packName().MatchString(name) }

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
	if !semver.IsValid("v" + p.Version) {
		fault(file, "version", "%q: want a version such as 1.2.0", p.Version)
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
	of := map[*Source]*Pack{}
	l := &Layering{
		Layer: tcpdb.PackLayer, Below: tcpdb.NewView(tcpdb.Core()),
		Standing: func(s *Source, _ *Operation) tcpdb.Standing { return of[s].Standing() },
		Versions: func(s *Source, _ *Operation) []string { return of[s].versions(s) },
	}
	for _, p := range packs {
		for _, s := range p.Sources {
			s = p.counting(s, l.Below)
			of[s] = p
			l.Sources = append(l.Sources, s)
		}
		for _, r := range p.Risks {
			l.Risks = append(l.Risks, p.rating(r, l.Below))
		}
	}
	return l
}

// Standing is how the operations of a pack stand.
func (p *Pack) Standing() tcpdb.Standing {
	switch {
	case !p.Trusted || p.Review != "reviewed":
		return tcpdb.Draft
	case p.Installed == nil || p.Installed.State == ShippedState:
		return tcpdb.Shipped
	}
	return tcpdb.Signed
}

// versions are the ranges of versions that a signature holds for: all of them do.
func (p *Pack) versions(s *Source) []string {
	if p.Standing() != tcpdb.Signed {
		return nil
	}
	var out []string
	for _, r := range append([]string{s.VersionRange}, p.rangesOf(s.Tool)...) {
		if parsed, err := ParseRange(r); err == nil && parsed != nil {
			out = append(out, r)
		}
	}
	return out
}

func (p *Pack) rangesOf(tool string) []string {
	var out []string
	for _, t := range p.Tools {
		if t.Tool == tool {
			out = append(out, t.VersionRange)
		}
	}
	return out
}

// counting is what counts of a map. Of a tool that the core maps whole a pack is not
// asked, so its tree is left out. A pack that nobody here trusts has words to complete
// from: what kind of program a command is, what it carries and what its words do is
// not taken from it.
func (p *Pack) counting(s *Source, core *tcpdb.View) *Source {
	known := InCore(core, s.Tool)
	if s.Node == nil || p.Trusted && !known {
		return s
	}
	out := *s
	if out.Node = nil; !known {
		out.Node = words(s.Node)
	}
	return &out
}

// InCore reports whether the core maps a tool whole, so that nobody asks a pack about
// its tree and its risks.
func InCore(core *tcpdb.View, tool string) bool {
	root := core.Root(tool)
	return root != nil && root.Bits&tcpdb.Partial == 0
}

// words is a tree without what is said about the meaning of its words.
func words(n *Node) *Node {
	out := *n
	out.Class, out.Wrapper, out.Exec, out.Output, out.Replace = nil, nil, "", "", false
	out.Flags, out.Args, out.Subcommands = nil, nil, nil
	for _, f := range n.Flags {
		plain := *f
		plain.Role, plain.RoleWith = "", nil
		out.Flags = append(out.Flags, &plain)
	}
	for _, a := range n.Args {
		plain := *a
		plain.Role, plain.RoleWith = "", nil
		out.Args = append(out.Args, &plain)
	}
	for _, sub := range n.Subcommands {
		out.Subcommands = append(out.Subcommands, words(sub))
	}
	return &out
}

// rating is what counts of ratings. Those of a pack that nobody here trusts can warn,
// and make nothing look safer than what is not known. None calls harmless what the core
// rates.
func (p *Pack) rating(r *Risks, core *tcpdb.View) *Risks {
	if p.Standing() == tcpdb.Shipped {
		return r
	}
	out := &Risks{File: r.File}
	if p.Trusted {
		out.Carriers, out.Programs = r.Carriers, r.Programs
		for _, c := range r.Commands {
			plain := *c
			if len(core.Entries(c.Key)) > 0 {
				plain.Enter = ""
				plain.Variants = slices.DeleteFunc(slices.Clone(c.Variants), func(v *RiskVariant) bool { return v.Effect == "harmless" })
			}
			out.Commands = append(out.Commands, &plain)
		}
		return out
	}
	warns := func(body *RiskBody) bool {
		level, err := tcpdb.ParseLevel(body.Level)
		return err == nil && level >= tcpdb.Medium
	}
	for _, c := range r.Commands {
		if !warns(&c.RiskBody) {
			continue
		}
		plain := *c
		plain.Enter, plain.Variants = "", nil
		for _, v := range c.Variants {
			if warns(&v.RiskBody) && v.Effect != "harmless" {
				raised := *v
				raised.Effect, raised.Enter = "raise", ""
				plain.Variants = append(plain.Variants, &raised)
			}
		}
		out.Commands = append(out.Commands, &plain)
	}
	return out
}

// BuildPacks compiles the image of the packs layer. The error is a *Problem where
// two packs map the same tool or have the same operation.
func BuildPacks(packs []*Pack) ([]byte, error) {
	l := packLayering(packs)
	b := tcpdb.NewBuilder()
	if err := l.Compile(b); err != nil {
		return nil, err
	}
	for _, p := range packs {
		if p.Installed != nil {
			b.Source(tcpdb.Source{Path: p.Installed.text()})
		}
	}
	return b.Build()
}

// InstalledPack is what the compiled packs say of one of them.
type InstalledPack struct {
	Name, Version, Digest string
	Key                   string // that signed it, "" for none
	State                 string // of the key, when it was installed
	Registry              string // where it came from
}

const installedMark = "pack"

// text is the form in which an image keeps it.
func (i *InstalledPack) text() string {
	return strings.Join([]string{installedMark, i.Name, i.Version, i.Digest, i.Key, i.State, i.Registry}, "\t")
}

// Dir is the name of its directory below that of its publisher: another content has
// another one.
func (i *InstalledPack) Dir() string {
	sum := sha256.Sum256([]byte(i.Digest))
	return filepath.Join(path.Dir(i.Name), path.Base(i.Name)+"@"+i.Version+"~"+hex.EncodeToString(sum[:6]))
}

// PacksIn lists the packs that an image of packs was compiled from, in its order;
// those that came with the programs are not among them.
func PacksIn(im *tcpdb.Image) []InstalledPack {
	var out []InstalledPack
	for _, s := range im.Sources() {
		if f := strings.Split(s.Path, "\t"); len(f) == 7 && f[0] == installedMark {
			out = append(out, InstalledPack{f[1], f[2], f[3], f[4], f[5], f[6]})
		}
	}
	return out
}

// InstalledPacks reads the packs whose sources lie beside the compiled packs that
// are in use.
func InstalledPacks(paths place.Paths) ([]*Pack, Problems) {
	file := mapset.PackMap(paths)
	if file == "" {
		return nil, nil
	}
	im, err := tcpdb.Map(file)
	if err != nil {
		return nil, nil
	}
	defer im.Close()
	root := filepath.Join(filepath.Dir(file), "packs")
	var packs []*Pack
	var problems Problems
	for _, i := range PacksIn(im) {
		p, ps := readInstalled(root, i.Dir())
		problems = append(problems, ps...)
		if p != nil {
			p.Installed, p.Trusted = &i, i.Trusted()
			packs = append(packs, p)
		}
	}
	if len(packs) > 0 || len(problems) > 0 {
		return packs, problems
	}
	found, _ := fs.Glob(os.DirFS(root), "*/*/"+PackFile) // the pattern is well formed
	for _, name := range found {
		p, ps := readInstalled(root, path.Dir(name))
		problems = append(problems, ps...)
		if p != nil {
			p.Trusted = true
			packs = append(packs, p)
		}
	}
	return packs, problems
}

// The states of a pack whose operations run: its signature verifies them, or it came
// with the programs.
const (
	TrustedState = "verified"
	ShippedState = "shipped"
)

// Trusted reports whether what a pack says counts for more than completion.
func (i *InstalledPack) Trusted() bool { return i.State == TrustedState || i.State == ShippedState }

// readInstalled reads the pack in a directory below root, and names its files whole.
func readInstalled(root, dir string) (*Pack, Problems) {
	p, problems := ReadPack(os.DirFS(root), dir, ParseOptions{})
	for _, problem := range problems {
		problem.File = filepath.Join(root, problem.File)
	}
	if p == nil {
		return nil, problems
	}
	for _, s := range p.Sources {
		s.File = filepath.Join(root, s.File)
	}
	return p, problems
}

// belowUser is what the layers say that stand below a user's.
func belowUser(paths place.Paths) *tcpdb.View {
	v := tcpdb.NewView(tcpdb.Core())
	mapset.AddPacks(v, paths)
	return v
}

// LintPack holds a pack to the measure of maps that ship, by itself.
func LintPack(p *Pack) Problems {
	whole := *p
	whole.Trusted = true
	return packLayering([]*Pack{&whole}).Lint()
}
