package schema

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/benchmark"
	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/layers"
	"github.com/tool-mapping-protocol/tmp/internal/mapcases"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// NewPrint is tmp schema print.
func NewPrint(env *term.Env, _ *command.Flags) command.Run {
	return func(in command.Input) error {
		schema := opmap.Schema()
		if len(in.Args) > 0 {
			switch in.Args[0] {
			case "map":
			case "config":
				schema = opmap.ConfigSchema()
			case "benchmark":
				schema = benchmark.Schema()
			default:
				return term.Usagef("no schema of %q: want map, config or benchmark", in.Args[0])
			}
		}
		_, err := env.Stdout.Write(schema)
		return err
	}
}

type checkOptions struct{ strict, json bool }

// NewCheck is tmp schema check.
func NewCheck(env *term.Env, f *command.Flags) command.Run {
	var o checkOptions
	f.Bool("strict", &o.strict)
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

// checked is what a check has read.
type checked struct {
	layering opmap.Layering
	problems opmap.Problems
	cases    []caseFile
}

// caseFile is a table of cases beside a map.
type caseFile struct {
	name  string
	cases []mapcases.Case
}

// wrongCase is a case that does not hold.
type wrongCase struct {
	File  string `json:"file"`
	Row   int    `json:"row"`
	Line  string `json:"line"`
	Wrong string `json:"wrong"`
}

func (o *checkOptions) run(env *term.Env, words []string) error {
	paths := env.Places()
	c := &checked{layering: opmap.Layering{Layer: tcpdb.UserLayer}}
	for _, word := range words {
		if err := c.read(env, paths, word); err != nil {
			return err
		}
	}
	err := c.problems.Err()
	if o.strict {
		c.problems = append(c.problems, c.layering.Lint()...)
		err = c.problems.Strict()
	}
	wrong, count := []wrongCase{}, 0
	if err == nil {
		var failed error
		if wrong, count, failed = c.runCases(paths); failed != nil {
			return failed
		}
	}
	valid := err == nil && len(wrong) == 0
	if o.json {
		answer := struct {
			V        int              `json:"v"`
			Valid    bool             `json:"valid"`
			Problems []layers.Problem `json:"problems"`
			Cases    int              `json:"cases"`
			Wrong    []wrongCase      `json:"wrong"`
		}{1, valid, layers.Problems(c.problems), count, wrong}
		if err := env.PrintJSON(answer); err != nil {
			return err
		}
	} else {
		for _, p := range c.problems {
			fmt.Fprintln(env.Stdout, term.OneLine(p.Error()))
		}
		for _, w := range wrong {
			fmt.Fprintln(env.Stdout, term.OneLine(fmt.Sprintf("%s:%d: %s %s", w.File, w.Row, w.Line, w.Wrong)))
		}
		if count > 0 && len(wrong) == 0 {
			env.Notice("%s hold", screen.Count(count, "case"))
		}
	}
	if !valid {
		return term.ExitStatus(1)
	}
	return nil
}

// read takes over what a word names: a tool of the user's maps, a directory of a
// tool, a source map or a risk file. Of a directory, and of the files that are
// named as in one, the cases are read too.
func (c *checked) read(env *term.Env, paths place.Paths, word string) error {
	name, path := word, word
	if !filepath.IsAbs(path) && env.Dir != "" {
		path = filepath.Join(env.Dir, path)
	}
	if own := paths.Schemas(); own != "" && toolName().MatchString(word) && !isFile(word) && filepath.Ext(word) != ".toml" {
		for _, x := range [...]string{filepath.Join(own, word), filepath.Join(own, word+".json")} {
			if isThere(x) {
				name, path = x, x
				break
			}
		}
	}
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !st.IsDir() {
		if err := c.file(name, path); err != nil {
			return err
		}
		if base := filepath.Base(path); base != mapFile && base != riskFile {
			return nil
		}
		return c.table(filepath.Join(filepath.Dir(name), mapcases.FileName), filepath.Join(filepath.Dir(path), mapcases.FileName))
	}
	found := false
	for _, base := range [...]string{mapFile, riskFile} {
		err := c.file(filepath.Join(name, base), filepath.Join(path, base))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		found = found || err == nil
	}
	if !found {
		return term.Failf("%s has neither %s nor %s", name, mapFile, riskFile)
	}
	if filepath.Base(filepath.Dir(path)) == "tools" && filepath.Base(filepath.Dir(filepath.Dir(path))) == "core" {
		// What is to ship is held to what holds of the core: there a variant may be harmless.
		c.layering.Layer = tcpdb.SystemLayer
	}
	return c.table(filepath.Join(name, mapcases.FileName), filepath.Join(path, mapcases.FileName))
}

func (c *checked) file(name, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if strings.HasSuffix(path, ".toml") {
		r, problems := opmap.ParseRisks(name, data)
		c.problems = append(c.problems, problems...)
		if r != nil {
			c.layering.Risks = append(c.layering.Risks, r)
		}
		return nil
	}
	s, problems := opmap.Parse(name, data, opmap.KnownResolvers())
	c.problems = append(c.problems, problems...)
	if s != nil {
		c.layering.Sources = append(c.layering.Sources, s)
	}
	return nil
}

// table reads a table of cases, if it is there.
func (c *checked) table(name, path string) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	cases, err := mapcases.Parse(data)
	if err != nil {
		c.problems = append(c.problems, &opmap.Problem{File: name, Reason: err.Error(), Severity: opmap.Error})
		return nil
	}
	c.cases = append(c.cases, caseFile{name, cases})
	return nil
}

// runCases holds what was read, over core, packs and system layer, to its cases,
// and says how many there are.
func (c *checked) runCases(paths place.Paths) (wrong []wrongCase, count int, err error) {
	wrong = []wrongCase{}
	if len(c.cases) == 0 {
		return wrong, 0, nil
	}
	b := tcpdb.NewBuilder()
	c.layering.Below = mapset.Below(paths)
	if err := c.layering.Compile(b); err != nil {
		return nil, 0, err
	}
	image, err := b.Build()
	if err != nil {
		return nil, 0, err
	}
	im, err := tcpdb.Parse(image)
	if err != nil {
		return nil, 0, err
	}
	v := mapset.Below(paths)
	v.Add(c.layering.Layer, im)
	dir, err := os.MkdirTemp("", "tmp-cases-")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(dir)
	for _, f := range c.cases {
		for i := range f.cases {
			x := &f.cases[i]
			count++
			if text := x.Wrong(v, dir); text != "" {
				wrong = append(wrong, wrongCase{f.name, x.Row, x.Line, text})
			}
		}
	}
	return wrong, count, nil
}
