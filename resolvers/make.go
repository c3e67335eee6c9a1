package resolvers

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
)

// makeTargets answers make:targets: the targets of explicit rules in the
// makefile that make would read (-C, -f, includes), phony ones first, each with
// its "##" comment or the first line of its recipe.
func makeTargets(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	dir, files, err := makefiles(r)
	if err != nil {
		return failed(err)
	}
	l := makeLoader{c: c, dir: dir, search: options(r.Words, true, "-I", "--include-dir")}
	p := newMakeParser()
	p.vars["CURDIR"] = dir
	p.include, p.late = l.include, c.late
	for _, f := range files {
		if err := l.load(p, f); err != nil {
			return failed(err)
		}
	}
	for _, t := range p.targets {
		v := Value{Value: t.name, Kind: "target", Description: oneLine(t.help, 120)}
		if v.Description == "" {
			v.Description = oneLine(t.recipe, 80)
		}
		if p.phony[t.name] {
			v.Weight = 2
			delete(p.phony, t.name)
		}
		if t == p.first {
			v.Weight++
		}
		c.add(v)
	}
	for name := range p.phony {
		c.add(Value{Value: name, Kind: "target", Weight: 2})
	}
	return c.answer()
}

// makefiles are those that make would read by its words, absolute, and the
// directory that it works in.
func makefiles(r Request) (dir string, files []string, err error) {
	dir = r.Dir
	for _, to := range options(r.Words, true, "-C", "--directory") {
		dir = within(dir, to)
	}
	for _, f := range options(r.Words, true, "-f", "--file", "--makefile") {
		files = append(files, within(dir, f))
	}
	if len(files) > 0 {
		return dir, files, nil
	}
	for _, n := range [...]string{"GNUmakefile", "makefile", "Makefile"} {
		if path := filepath.Join(dir, n); isFile(path) {
			return dir, []string{path}, nil
		}
	}
	if dir == "" {
		return "", nil, errNoDir
	}
	return "", nil, errors.New("no makefile in " + dir)
}

// makeLoader reads makefiles and what they include, within bounds.
type makeLoader struct {
	c      *collector
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
	data, err := readRegular(path, maxMakeBytes)
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
	if l.depth > 20 || l.files > maxMakeFiles || l.c != nil && l.c.late() {
		return
	}
	l.depth++
	defer func() { l.depth-- }()
	for _, dir := range append([]string{l.dir}, l.search...) {
		full := within(within(l.dir, dir), path)
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
