package schema

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// packFile is a file of a pack that is written.
type packFile struct {
	name string
	data []byte
}

// writePack writes a map as the directory of a pack, for tmp registry publish.
func (o *shareOptions) writePack(env *term.Env, s *opmap.Source) error {
	if !opmap.IsPackName(o.pack) {
		return term.Usagef("%q is no name of a pack: want publisher/name in a–z, 0–9 and -", o.pack)
	}
	if s.Tool == "" {
		return term.Failf("the map is of no tool, and a pack names its tools")
	}
	dir := cmp.Or(o.output, filepath.Base(o.pack))
	path, err := env.Path(dir)
	if err != nil {
		return err
	}
	licence := ""
	if s.Origin != nil {
		licence = s.Origin.Licence
	}
	p := opmap.Pack{
		V: 1, Name: o.pack, Version: cmp.Or(o.packVersion, "1.0.0"), Description: "Maps " + s.Tool, License: licence,
		Tools: []opmap.PackTool{{Tool: s.Tool, VersionRange: s.VersionRange}}, Platforms: []string{}, Review: "draft", Provenance: cmp.Or(s.Provenance, "user"), Requires: []string{},
	}
	meta, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	files := []packFile{
		{"maps/" + s.Tool + ".json", s.Encode()},
		{"README.md", fmt.Appendf(nil, "# %s\n\nThe commands and options of `%s`, to complete from.\n", o.pack, s.Tool)},
		{"LICENSE", []byte(cmp.Or(licence, "No licence is noted.") + "\n")},
		{opmap.PackFile, append(meta, '\n')}, // last: without it the directory is no pack
	}
	for _, f := range files {
		if _, err := os.Lstat(filepath.Join(path, f.name)); err == nil && !o.force {
			return term.Failf("%s is there already", filepath.Join(dir, f.name)).Hint("--force replaces it, --output gives another directory")
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for _, f := range files {
		file := filepath.Join(path, f.name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := writePlain(file, f.data); err != nil {
			return term.Locked(err)
		}
	}
	if o.json {
		return env.PrintJSON(struct {
			V         int    `json:"v"`
			Pack      string `json:"pack"`
			Version   string `json:"version"`
			Tool      string `json:"tool"`
			Directory string `json:"directory"`
			Licence   string `json:"licence"`
		}{1, p.Name, p.Version, s.Tool, path, licence})
	}
	fmt.Fprintf(env.Stdout, "%s: %s %s, a draft of %s\n", term.OneLine(strings.TrimSuffix(dir, "/")), p.Name, p.Version, term.OneLine(s.Tool))
	if licence == "" {
		env.Notice("no licence is noted: others do not know whether they may use it (--licence MIT)")
	}
	return nil
}

// writePlain writes a file whole, without a lock that would stay beside it: a pack has
// no other files than its own.
func writePlain(file string, data []byte) error {
	err := tcpdb.WriteFile(file, data)
	return errors.Join(err, os.Remove(file+".lock"))
}
