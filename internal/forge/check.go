package forge

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/forge/bundle"
	"github.com/tool-mapping-protocol/tmp/internal/forge/law"
	"github.com/tool-mapping-protocol/tmp/internal/forge/run"
)

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
		Names: f.Config.Names(f.QueryNames()), Writes: f.Config.DB.Write,
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
		c.Remote = asksDatabase(c.Code)
		for _, file := range b.Files {
			c.Files = append(c.Files, run.StampOf(file))
		}
		if f.Config.DB.SchemaPath != "" && strings.Contains(string(source), "schema") {
			c.Files = append(c.Files, run.StampOf(f.Config.DB.SchemaPath))
		}
	}
	if len(c.Findings) == 0 {
		f.Keep(c, file)
	}
	return c, nil
}

func ruleOf(msg string) string {
	if strings.HasPrefix(msg, "Could not resolve") || strings.Contains(msg, "allowedImports") || strings.Contains(msg, "outside of the project") {
		return "import/denied"
	}
	return "syntax"
}

// harmless are the members of tgp that ask no database.
var harmless = []string{"args", "env", "fs", "log", "dirs"}

// asksDatabase reports whether code may ask a database: whether it names tgp otherwise
// than for another member, or could come by it without naming it.
func asksDatabase(code string) bool {
	if strings.Contains(code, "globalThis") {
		return true
	}
	for rest, at := code, 0; ; {
		if at = strings.Index(rest, "tgp"); at < 0 {
			return false
		}
		rest = rest[at+len("tgp"):]
		member, ok := strings.CutPrefix(rest, ".")
		if !ok || !slices.ContainsFunc(harmless, func(m string) bool {
			after, ok := strings.CutPrefix(member, m)
			return ok && (after == "" || !partOfName(after[0]))
		}) {
			return true
		}
	}
}

// partOfName reports whether a byte may go on a name of JavaScript.
func partOfName(c byte) bool {
	return c == '_' || c == '$' || c == '\\' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}
