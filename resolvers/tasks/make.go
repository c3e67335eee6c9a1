package tasks

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// MakeTargets answers make:targets: the targets of explicit rules in the
// makefile that make would read (-C, -f, includes), phony ones first, each with
// its "##" comment or the first line of its recipe.
func MakeTargets(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	dir, files, err := makefiles(r)
	if err != nil {
		return resolvers.Failure(err)
	}
	l := makeLoader{c: c, dir: dir, search: resolvers.Options(r.Words, true, "-I", "--include-dir")}
	p := newMakeParser()
	p.vars["CURDIR"] = dir
	p.include, p.late = l.include, c.Late
	for _, f := range files {
		if err := l.load(p, f); err != nil {
			return resolvers.Failure(err)
		}
	}
	for _, t := range p.targets {
		v := resolvers.Value{Value: t.name, Kind: "target", Description: resolvers.OneLine(t.help, 120)}
		if v.Description == "" {
			v.Description = resolvers.OneLine(t.recipe, 80)
		}
		if p.phony[t.name] {
			v.Weight = 2
			delete(p.phony, t.name)
		}
		if t == p.first {
			v.Weight++
		}
		c.Add(v)
	}
	for name := range p.phony {
		c.Add(resolvers.Value{Value: name, Kind: "target", Weight: 2})
	}
	return c.Answer()
}

// makefiles are those that make would read by its words, absolute, and the
// directory that it works in.
func makefiles(r resolvers.Request) (dir string, files []string, err error) {
	dir = r.Dir
	for _, to := range resolvers.Options(r.Words, true, "-C", "--directory") {
		dir = disk.Within(dir, to)
	}
	for _, f := range resolvers.Options(r.Words, true, "-f", "--file", "--makefile") {
		files = append(files, disk.Within(dir, f))
	}
	if len(files) > 0 {
		return dir, files, nil
	}
	for _, n := range [...]string{"GNUmakefile", "makefile", "Makefile"} {
		if path := filepath.Join(dir, n); disk.IsFile(path) {
			return dir, []string{path}, nil
		}
	}
	if dir == "" {
		return "", nil, resolvers.ErrNoDir
	}
	return "", nil, errors.New("no makefile in " + dir)
}

// makeLoader reads makefiles and what they include, within bounds.
type makeLoader struct {
	c      *resolvers.Collector
	dir    string
	search []string // -I
	files  int
	depth  int
	bytes  int
	seen   *[]string // the files that were read; nil if nobody asks
}

const (
	maxMakeFiles = 500
	maxMakeBytes = 16 << 20
)

func (l *makeLoader) load(p *makeParser, path string) error {
	data, err := disk.ReadRegular(path, maxMakeBytes)
	if err != nil {
		return err
	}
	l.files++
	if l.bytes += len(data); l.bytes > maxMakeBytes {
		return nil
	}
	if l.seen != nil {
		*l.seen = append(*l.seen, path)
	}
	outer := *p
	p.current, p.define, p.above = nil, 0, ""
	p.dependencies = filepath.Ext(path) == ".d"
	p.parse(string(data))
	p.current, p.define, p.above, p.dependencies = outer.current, outer.define, outer.above, outer.dependencies
	return nil
}

// include reads a file, or the files of a pattern; one that is not there may be
// one that make would build, or none.
func (l *makeLoader) include(p *makeParser, path string) {
	if l.depth > 20 || l.files > maxMakeFiles || l.c != nil && l.c.Late() {
		return
	}
	l.depth++
	defer func() { l.depth-- }()
	for _, dir := range append([]string{l.dir}, l.search...) {
		full := disk.Within(disk.Within(l.dir, dir), path)
		list := []string{full}
		if strings.ContainsAny(path, "*?[") {
			list, _ = filepath.Glob(full)
		}
		found := false
		for _, f := range list {
			if l.files <= maxMakeFiles && l.load(p, f) == nil {
				found = true
			}
		}
		if found {
			return
		}
	}
}
