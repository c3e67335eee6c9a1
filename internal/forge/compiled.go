package forge

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/forge/bundle"
	"github.com/tool-mapping-protocol/tmp/internal/forge/law"
	"golang.org/x/sys/unix"
)

// Compiled is a tool that passed the laws, as the cache keeps it.
type Compiled struct {
	SHA256   string        `json:"sha256"` // of the source
	Manifest *law.Manifest `json:"manifest"`
	Code     string        `json:"code"`
	Map      string        `json:"map"`
	Libs     string        `json:"libs"`
	Files    []stamp       `json:"files"`
	Findings []law.Finding `json:"findings,omitempty"`
}

// stamp tells whether a file is still the one that was read.
type stamp struct {
	Path  string `json:"path"`
	Inode uint64 `json:"inode"`
	Size  int64  `json:"size"`
	MTime int64  `json:"mtime"`
	CTime int64  `json:"ctime"`
}

func stampOf(path string) (s stamp) {
	s.Path = path
	var st unix.Stat_t
	if unix.Stat(path, &st) == nil {
		s.Inode, s.Size = st.Ino, st.Size
		s.MTime, s.CTime = statTimes(&st)
	}
	return s
}

// version is raised when what is compiled changes its meaning.
const version = "1"

// schemaSpec reports whether a specifier names the schema; file is the tool's.
func (f *Forge) schemaSpec(file string) func(string) bool {
	path := f.Config.DB.SchemaPath
	if path == "" {
		return nil
	}
	bare := strings.TrimSuffix(path, filepath.Ext(path))
	return func(spec string) bool {
		if spec == "tgp:schema" || spec == path {
			return true
		}
		if strings.Contains(spec, ":") {
			return false
		}
		for _, dir := range []string{filepath.Dir(file), f.Config.App.Root} {
			p := spec
			if !filepath.IsAbs(p) {
				p = filepath.Join(dir, spec)
			}
			if p == path || p == bare || strings.TrimSuffix(p, ".js") == bare && strings.HasSuffix(p, ".js") {
				return true
			}
		}
		return false
	}
}

func (f *Forge) lawOptions(file, shown string) law.Options {
	return law.Options{
		File: shown, Allowed: f.Config.AllowedImports, Schema: f.schemaSpec(file),
		Names: f.Config.Names(f.queries()), Writes: f.Config.DB.Write,
	}
}

// Check holds a source against the laws, and compiles it if it passes. file is where
// it lies, shown how it is named in findings.
func (f *Forge) Check(source []byte, file, shown string) (*Compiled, error) {
	sum := sha256.Sum256(source)
	c := &Compiled{SHA256: hex.EncodeToString(sum[:])}
	res := law.Check(string(source), f.lawOptions(file, shown))
	c.Manifest, c.Findings = res.Manifest, res.Findings
	if len(source) > law.MaxSource {
		return c, nil
	}
	b, err := bundle.Tool(string(source), bundle.Options{
		File: shown, Project: f.Config.App.Root, Allowed: f.Config.AllowedImports, Schema: f.schemaSpec(file), SchemaFile: f.Config.DB.SchemaPath,
	})
	var faults bundle.Faults
	switch {
	case errors.As(err, &faults):
		if len(c.Findings) > 0 && c.Findings[0].Rule == "syntax" {
			c.Findings = nil // the compiler says it better
		}
		for _, ft := range faults {
			line := ft.Line
			if len(c.Findings) > 0 && slices.ContainsFunc(c.Findings, func(o law.Finding) bool { return o.Line == line }) {
				continue
			}
			c.Findings = append(c.Findings, law.Finding{File: shown, Line: ft.Line, Col: ft.Col, Rule: ruleOf(ft.Msg), Message: ft.Msg})
		}
		slices.SortStableFunc(c.Findings, func(a, b law.Finding) int { return a.Line - b.Line })
	case err != nil:
		return nil, Fail(Failed, "%s: %s", shown, err)
	default:
		c.Code, c.Map, c.Libs = b.Code, b.Map, b.Libs
		for _, file := range b.Files {
			c.Files = append(c.Files, stampOf(file))
		}
		if f.Config.DB.SchemaPath != "" && strings.Contains(string(source), "schema") {
			c.Files = append(c.Files, stampOf(f.Config.DB.SchemaPath))
		}
	}
	if len(c.Findings) == 0 {
		f.keep(c, file)
	}
	return c, nil
}

func ruleOf(msg string) string {
	if strings.HasPrefix(msg, "Could not resolve") || strings.Contains(msg, "allowedImports") || strings.Contains(msg, "outside of the project") {
		return "import/denied"
	}
	return "syntax"
}

// key names a compiled tool: its source, and all of the configuration that it
// depends on.
func (f *Forge) key(sum, file string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n%q\n%s\n%q\n%q\n%q\n", version, sum, f.Config.App.Root, f.Config.AllowedImports, f.Config.DB.SchemaPath, f.Config.Env, f.Config.DB.Write, f.Config.DB.Queries)
	if f.Config.DB.SchemaPath != "" {
		fmt.Fprintf(h, "%s\n", filepath.Dir(file))
	}
	fmt.Fprintf(h, "%s\n", filepath.Ext(file))
	return hex.EncodeToString(h.Sum(nil))[:40]
}

func (f *Forge) keptFile(sum, file string) string {
	if f.Cache() == "" {
		return ""
	}
	return filepath.Join(f.Cache(), "tools", f.key(sum, file)+".json")
}

func (f *Forge) keep(c *Compiled, file string) {
	name := f.keptFile(c.SHA256, file)
	if name == "" || os.MkdirAll(filepath.Dir(name), 0o700) != nil {
		return
	}
	if data, err := json.Marshal(c); err == nil {
		_ = writeFile(name, data, 0o600)
	}
}

// compiled is a tool that can run: what is kept of it, or compiled anew. What breaks
// a law is LINT_FAILED.
func (f *Forge) compiled(source []byte, file, shown string) (*Compiled, error) {
	sum := sha256.Sum256(source)
	if name := f.keptFile(hex.EncodeToString(sum[:]), file); name != "" {
		if data, err := os.ReadFile(name); err == nil {
			var c Compiled
			if json.Unmarshal(data, &c) == nil && c.SHA256 == hex.EncodeToString(sum[:]) && c.Manifest != nil && c.fresh() {
				return &c, nil
			}
		}
	}
	c, err := f.Check(source, file, shown)
	if err != nil {
		return nil, err
	}
	if len(c.Findings) > 0 {
		first := c.Findings[0]
		e := Fail(LintFailed, "%s", first.String())
		e.File, e.Line, e.Col = first.File, first.Line, first.Col
		if len(c.Findings) > 1 {
			e.Hint("and %s more: tgp check %s", plural(len(c.Findings)-1, "finding"), shown)
		}
		return c, e
	}
	return c, nil
}

// fresh reports whether the files that were bundled are still the same.
func (c *Compiled) fresh() bool {
	for _, s := range c.Files {
		if stampOf(s.Path) != s {
			return false
		}
	}
	return true
}
