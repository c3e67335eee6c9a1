package opmap

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"

	"github.com/tool-mapping-protocol/tmp/internal/toolid"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

//go:generate go run ../../scripts/gencore ../../tcpdb/core.tcpdb

// coreFiles are the sources of the core map: what people know of tools (maps)
// and of the risk of commands.
//
//go:embed core/maps/*.json core/risk/*.toml
var coreFiles embed.FS

// CoreSource returns the source map of a tool as it ships, in JSON.
func CoreSource(tool string) ([]byte, error) {
	data, err := coreFiles.ReadFile("core/maps/" + tool + ".json")
	if err != nil {
		return nil, fmt.Errorf("no core map for %q", tool)
	}
	return data, nil
}

// Core reads the sources that ship with the program.
func Core(opts ParseOptions) (*Layering, Problems) { return loadCore(coreFiles, "", opts) }

// loadCore reads core/maps and core/risk of fsys; of one tool alone, if one is
// named, with the risks of whatever stands beside its own.
func loadCore(fsys fs.FS, tool string, opts ParseOptions) (*Layering, Problems) {
	l := &Layering{
		Layer:    tcpdb.CoreLayer,
		Standing: func(*Source, *Operation) tcpdb.Standing { return tcpdb.Shipped },
	}
	var problems Problems
	each := func(pattern string, read func(name string, data []byte)) {
		names, _ := fs.Glob(fsys, pattern) // the patterns are well formed
		for _, name := range names {
			data, err := fs.ReadFile(fsys, name)
			if err != nil {
				problems = append(problems, &Problem{File: name, Reason: err.Error(), Severity: Error})
				continue
			}
			read(name, data)
		}
	}
	maps := "core/maps/*.json"
	if tool != "" {
		maps = "core/maps/" + tool + ".json"
	}
	each(maps, func(name string, data []byte) {
		s, ps := Parse(name, data, opts)
		problems = append(problems, ps...)
		if s == nil {
			return
		}
		l.Sources = append(l.Sources, s)
		if toolid.Check(s.Tool) == nil && path.Base(name) != s.Tool+".json" { // "." and "[" go by a word
			problems = append(problems, &Problem{File: name, Field: "tool", Reason: fmt.Sprintf("is %q: the file is to have its name", s.Tool), Severity: Error})
		}
	})
	each("core/risk/*.toml", func(name string, data []byte) {
		if tool != "" && !bytes.Contains(data, []byte(`"`+tool+`"`)) && !bytes.Contains(data, []byte(`"`+tool+` `)) {
			return
		}
		r, ps := ParseRisks(name, data)
		problems = append(problems, ps...)
		if r != nil {
			l.Risks = append(l.Risks, r)
		}
	})
	return l, problems
}

// BuildCore compiles the core image from its sources. Errors: *InvalidError.
func BuildCore() ([]byte, error) {
	l, problems := Core(ParseOptions{})
	if err := problems.Err(); err != nil {
		return nil, err
	}
	b := tcpdb.NewBuilder()
	if err := l.Compile(b); err != nil {
		return nil, err
	}
	return b.Build()
}
