package opmap

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"

	"github.com/tool-mapping-protocol/tmp/internal/opmap/core"
	"github.com/tool-mapping-protocol/tmp/internal/toolid"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

//go:generate go run ../../scripts/gencore ../../tcpdb/core.tcpdb

// CoreSource returns the source map of a tool as it ships, in JSON.
func CoreSource(tool string) ([]byte, error) {
	data, err := core.Files.ReadFile("tools/" + tool + "/map.json")
	if err != nil {
		return nil, fmt.Errorf("no core map for %q", tool)
	}
	return data, nil
}

// Core reads the sources that ship with the program.
func Core(opts ParseOptions) (*Layering, Problems) { return loadCore(core.Files, "", opts) }

// loadCore reads the files of package core; of one tool alone, if one is named,
// with the families that it is in.
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
			read(path.Join("core", name), data)
		}
	}
	home := "tools/*/"
	if tool != "" {
		home = "tools/" + tool + "/"
	}
	each(home+"map.json", func(name string, data []byte) {
		s, ps := Parse(name, data, opts)
		problems = append(problems, ps...)
		if s == nil {
			return
		}
		l.Sources = append(l.Sources, s)
		if toolid.Check(s.Tool) == nil && path.Base(path.Dir(name)) != s.Tool { // "." and "[" go by a word
			problems = append(problems, &Problem{File: name, Field: "tool", Reason: fmt.Sprintf("is %q: the directory is to have its name", s.Tool), Severity: Error})
		}
	})
	risks := func(name string, data []byte) {
		if tool != "" && !bytes.Contains(data, []byte(`"`+tool+`"`)) && !bytes.Contains(data, []byte(`"`+tool+` `)) {
			return
		}
		r, ps := ParseRisks(name, data)
		problems = append(problems, ps...)
		if r != nil {
			l.Risks = append(l.Risks, r)
		}
	}
	each("families/*.toml", risks)
	each(home+"risk.toml", risks)
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
