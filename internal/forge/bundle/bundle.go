// Package bundle makes one module of a tool and the packages that it imports, with
// esbuild. It runs when a tool is checked or added, and where nothing compiled is
// kept; what comes of it goes into the cache, never into the repository.
package bundle

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/tool-mapping-protocol/tmp/internal/forge/law"
	"golang.org/x/mod/sumdb/dirhash"
)

// Options say what a tool may be made of.
type Options struct {
	File       string   // the tool's file, for its kind and for messages
	Project    string   // where node_modules is
	Allowed    []string // packages
	Schema     func(spec string) bool
	SchemaFile string // the schema of the database, "" without one
}

// Result is a tool that can run.
type Result struct {
	Code  string   // one module
	Map   string   // its source map
	Libs  string   // "h1:…" over the bundled files of packages, "-" without any
	Files []string // those files, absolute
}

// Fault is a place where a tool cannot be compiled.
type Fault struct {
	File      string
	Line, Col int // from 1
	Msg       string
}

func (f *Fault) Error() string { return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Col, f.Msg) }

// Faults are all of them.
type Faults []*Fault

func (f Faults) Error() string { return f[0].Error() }

// Tool compiles the source of a tool.
func Tool(source string, o Options) (*Result, error) {
	loader := api.LoaderTS
	if strings.HasSuffix(o.File, ".tsx") {
		loader = api.LoaderTSX
	}
	r := &resolver{Options: o, real: realPath(o.Project)}
	built := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: source, ResolveDir: o.Project, Sourcefile: "tgp:tool", Loader: loader},
		Bundle: true, Write: false, Metafile: false, Sourcemap: api.SourceMapExternal, Outfile: "tool.js",
		Format: api.FormatESModule, Platform: api.PlatformNeutral, Target: api.ES2023,
		MainFields: []string{"browser", "module", "main"}, Conditions: []string{"browser", "import", "module", "default"},
		AbsWorkingDir: absolute(o.Project), LogLevel: api.LogLevelSilent, TreeShaking: api.TreeShakingTrue,
		LegalComments: api.LegalCommentsNone, TsconfigRaw: `{"compilerOptions":{"useDefineForClassFields":true}}`,
		Plugins:   []api.Plugin{{Name: "tgp", Setup: r.setup}},
		Define:    map[string]string{"process.env.NODE_ENV": `"production"`, "global": "globalThis", "self": "globalThis"},
		NodePaths: nil,
	})
	if len(built.Errors) > 0 {
		var faults Faults
		for _, e := range built.Errors {
			f := &Fault{File: o.File, Line: 1, Col: 1, Msg: e.Text}
			if e.Location != nil {
				f.Line, f.Col = e.Location.Line, e.Location.Column+1
				if e.Location.File != "tgp:tool" {
					f.Line, f.Col, f.Msg = 1, 1, e.Location.File+": "+e.Text
				}
			}
			faults = append(faults, f)
		}
		return nil, faults
	}
	out := &Result{Libs: "-"}
	for _, f := range built.OutputFiles {
		if strings.HasSuffix(f.Path, ".map") {
			out.Map = string(f.Contents)
		} else {
			out.Code = string(f.Contents)
		}
	}
	slices.Sort(r.files)
	out.Files = slices.Compact(r.files)
	var err error
	out.Libs, err = Hash(o.Project, out.Files)
	return out, err
}

// Hash is the sum over the bundled files, named from the project.
func Hash(project string, files []string) (string, error) {
	if len(files) == 0 {
		return "-", nil
	}
	real := realPath(project)
	names := make([]string, len(files))
	for i, f := range files {
		rel, err := filepath.Rel(real, f)
		if err != nil {
			return "", err
		}
		names[i] = filepath.ToSlash(rel)
	}
	return dirhash.Hash1(names, func(name string) (io.ReadCloser, error) { return os.Open(filepath.Join(real, name)) })
}

// Config compiles a configuration in TypeScript, which may import @tgp/core alone.
func Config(source, file string) (string, error) {
	built := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: source, Sourcefile: file, Loader: api.LoaderTS},
		Bundle: true, Write: false, Format: api.FormatESModule, Platform: api.PlatformNeutral, Target: api.ES2023, LogLevel: api.LogLevelSilent, Outfile: "config.js",
		Plugins: []api.Plugin{{Name: "tgp", Setup: func(b api.PluginBuild) {
			b.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
				if a.Path != "@tgp/core" {
					return api.OnResolveResult{}, errors.New("a configuration imports @tgp/core alone")
				}
				return api.OnResolveResult{Path: a.Path, Namespace: "tgp"}, nil
			})
			b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "tgp"}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
				code := "export const defineTGPConfig = (c) => c;"
				return api.OnLoadResult{Contents: &code, Loader: api.LoaderJS}, nil
			})
		}}},
	})
	if len(built.Errors) > 0 {
		e := built.Errors[0]
		f := &Fault{File: file, Line: 1, Col: 1, Msg: e.Text}
		if e.Location != nil {
			f.Line, f.Col = e.Location.Line, e.Location.Column+1
		}
		return "", f
	}
	return string(built.OutputFiles[0].Contents), nil
}

type resolver struct {
	Options
	real  string // the project, without links
	files []string
}

const ours = "tgp-resolved"

func (r *resolver) setup(b api.PluginBuild) {
	b.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		if a.PluginData == ours || a.Kind == api.ResolveEntryPoint {
			return api.OnResolveResult{}, nil
		}
		return r.resolve(b, a)
	})
	b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "file"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
		return r.load(a.Path)
	})
	b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "absent"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
		code := shim(a.Path)
		return api.OnLoadResult{Contents: &code, Loader: api.LoaderJS}, nil
	})
}

// resolve finds what an import names.
func (r *resolver) resolve(b api.PluginBuild, a api.OnResolveArgs) (api.OnResolveResult, error) {
	tool := a.Namespace != "file" || a.Importer == "" || strings.HasSuffix(a.Importer, "tgp:tool")
	if tool && r.Schema != nil && r.Schema(a.Path) && r.SchemaFile != "" {
		return api.OnResolveResult{Path: r.SchemaFile}, nil
	}
	if tool && !law.Within(r.Allowed, a.Path) {
		return api.OnResolveResult{}, fmt.Errorf("%s is not among allowedImports", a.Path)
	}
	if strings.HasPrefix(a.Path, "node:") || builtin(a.Path) { // of a package
		return api.OnResolveResult{Path: strings.TrimPrefix(a.Path, "node:"), Namespace: "absent"}, nil
	}
	if strings.Contains(a.Path, "://") || strings.HasPrefix(a.Path, "data:") {
		return api.OnResolveResult{}, fmt.Errorf("%s: nothing is loaded from there", a.Path)
	}
	found := b.Resolve(a.Path, api.ResolveOptions{Importer: a.Importer, Namespace: a.Namespace, ResolveDir: a.ResolveDir, Kind: a.Kind, PluginData: ours})
	if len(found.Errors) > 0 {
		return api.OnResolveResult{Errors: found.Errors}, nil
	}
	if found.Namespace != "file" {
		return api.OnResolveResult{Path: found.Path, Namespace: found.Namespace, SideEffects: effects(found.SideEffects)}, nil
	}
	return api.OnResolveResult{Path: found.Path, SideEffects: effects(found.SideEffects)}, nil
}

func effects(has bool) api.SideEffects {
	if has {
		return api.SideEffectsTrue
	}
	return api.SideEffectsFalse
}

// load reads a file of a package within the project, or of the schema.
func (r *resolver) load(path string) (api.OnLoadResult, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return api.OnLoadResult{}, err
	}
	if !strings.HasPrefix(real, r.real+"/") {
		return api.OnLoadResult{}, fmt.Errorf("%s lies outside of the project", filepath.Base(path))
	}
	st, err := os.Stat(real)
	if err != nil || !st.Mode().IsRegular() || st.Size() > 8<<20 {
		return api.OnLoadResult{}, fmt.Errorf("%s is no file of a package", filepath.Base(path))
	}
	data, err := os.ReadFile(real)
	if err != nil {
		return api.OnLoadResult{}, err
	}
	rel := strings.TrimPrefix(real, r.real)
	if strings.Contains(rel, "/node_modules/") {
		r.files = append(r.files, real)
	} else if r.SchemaFile == "" {
		return api.OnLoadResult{}, fmt.Errorf("%s is no file of a package", filepath.Base(path))
	}
	text := string(data)
	dir := filepath.Dir(path)
	return api.OnLoadResult{Contents: &text, Loader: loaderOf(real), ResolveDir: dir}, nil
}

func loaderOf(path string) api.Loader {
	switch filepath.Ext(path) {
	case ".ts", ".mts", ".cts":
		return api.LoaderTS
	case ".tsx":
		return api.LoaderTSX
	case ".jsx":
		return api.LoaderJSX
	case ".json":
		return api.LoaderJSON
	}
	return api.LoaderJS
}

func builtin(spec string) bool {
	first, _, _ := strings.Cut(spec, "/")
	return law.Builtin(first)
}

// shim stands in the place of a module of Node that a package names: it loads, and
// does nothing.
func shim(name string) string {
	switch name {
	case "stream":
		return "class S{constructor(o){Object.assign(this,o)} on(){return this} once(){return this} emit(){return false} pipe(x){return x}} " +
			"module.exports=Object.assign(S,{Stream:S,Readable:S,Writable:S,Duplex:S,Transform:S,PassThrough:S});"
	case "events":
		return "class E{on(){return this} once(){return this} off(){return this} emit(){return false}} module.exports=Object.assign(E,{EventEmitter:E});"
	case "buffer":
		return "const B=globalThis.Buffer; module.exports={Buffer:B};"
	}
	return "module.exports = {};"
}

func realPath(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return path
}

func absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	a, err := filepath.Abs(path)
	if err != nil {
		return "/"
	}
	return a
}
