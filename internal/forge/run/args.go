package run

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/forge/law"
)

// maxArgs bounds the arguments of a run in bytes.
const maxArgs = 1 << 20

// Arguments are what stands on the command line after a tool, and the JSON of --args.
type Arguments struct {
	Words []string
	JSON  string
}

// bind makes the values that a tool receives. What is not declared, missing or of
// another type is USAGE.
func (a *Arguments) bind(params []law.Param, tool string) (map[string]any, error) {
	out := map[string]any{}
	if a.JSON != "" {
		if len(a.JSON) > maxArgs {
			return nil, Fail(Usage, "--args has more than 1 MiB")
		}
		if err := json.Unmarshal([]byte(a.JSON), &out); err != nil || out == nil {
			return nil, Fail(Usage, "--args is no JSON object")
		}
	}
	size := 0
	for i := 0; i < len(a.Words); i++ {
		w := a.Words[i]
		if size += len(w); size > maxArgs {
			return nil, Fail(Usage, "the arguments have more than 1 MiB")
		}
		if !strings.HasPrefix(w, "--") || w == "--" {
			if len(params) > 0 {
				return nil, Fail(Usage, "%s takes no argument %q", tool, w).Hint("its parameters are flags: %s", flags(params))
			}
			continue
		}
		key, value, has := strings.Cut(w[2:], "=")
		p := find(params, key)
		if len(params) > 0 && p == nil {
			return nil, Fail(Usage, "%s has no --%s", tool, key).Hint("its parameters: %s", flags(params))
		}
		if _, twice := out[key]; twice {
			return nil, Fail(Usage, "--%s is given twice", key)
		}
		if !has {
			next := i + 1
			switch {
			case p != nil && p.Type == "boolean":
				value = "true"
				if next < len(a.Words) && (a.Words[next] == "true" || a.Words[next] == "false") {
					value = a.Words[next]
					i = next
				}
			case next < len(a.Words) && !strings.HasPrefix(a.Words[next], "--"):
				value = a.Words[next]
				i = next
			case p != nil:
				return nil, Fail(Usage, "--%s needs a value", key)
			default:
				value = "true"
			}
		}
		if p == nil {
			out[key] = value
			continue
		}
		v, err := p.Value(value)
		if err != nil {
			return nil, Fail(Usage, "--%s: %s", key, err)
		}
		out[key] = v
	}
	return out, complete(out, params, tool)
}

// complete holds values against the parameters, and adds what they are by default.
func complete(out map[string]any, params []law.Param, tool string) error {
	if len(params) == 0 {
		return nil
	}
	for key, v := range out {
		p := find(params, key)
		if p == nil {
			return Fail(Usage, "%s has no --%s", tool, key).Hint("its parameters: %s", flags(params))
		}
		if !fits(p, v) {
			return Fail(Usage, "--%s: %v is not %s", key, v, wanted(p))
		}
	}
	for i := range params {
		p := &params[i]
		if _, ok := out[p.Name]; ok {
			continue
		}
		switch {
		case p.Default != nil:
			v, err := p.Value(*p.Default)
			if err != nil {
				return Fail(Usage, "--%s: %s", p.Name, err)
			}
			out[p.Name] = v
		case p.Required:
			return Fail(Usage, "%s needs --%s", tool, p.Name).Hint("its parameters: %s", flags(params))
		}
	}
	return nil
}

func fits(p *law.Param, v any) bool {
	switch x := v.(type) {
	case string:
		return p.Type == "string" || p.Type == "enum" && slices.Contains(p.Choices, x)
	case bool:
		return p.Type == "boolean"
	case int64:
		return p.Type == "integer" || p.Type == "number"
	case float64:
		return p.Type == "number" || p.Type == "integer" && x == float64(int64(x))
	}
	return false
}

func wanted(p *law.Param) string {
	if p.Type == "enum" {
		return "one of " + strings.Join(p.Choices, ", ")
	}
	return "of type " + p.Type
}

func find(params []law.Param, name string) *law.Param {
	for i := range params {
		if params[i].Name == name {
			return &params[i]
		}
	}
	return nil
}

// flags shows parameters as flags.
func flags(params []law.Param) string {
	var out []string
	for _, p := range params {
		s := "--" + p.Name
		if p.Type != "boolean" {
			s += " <" + p.Type + ">"
			if p.Type == "enum" {
				s = "--" + p.Name + " " + strings.Join(p.Choices, "|")
			}
		}
		if !p.Required {
			s = "[" + s + "]"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// leaves reports whether a text, as a path, leaves what a tool may see: "../" out of
// the project and its directories, or NUL.
func (f *Runner) leaves(v any) error {
	switch x := v.(type) {
	case string:
		if strings.ContainsRune(x, 0) {
			return Fail(SecurityViolation, "NUL in an argument")
		}
		s := strings.ReplaceAll(x, `\`, "/")
		if !f.Config.FS.BlockUpwardTraversal || !slices.Contains(strings.Split(s, "/"), "..") {
			return nil
		}
		p := s
		if !filepath.IsAbs(p) {
			p = filepath.Join(f.Config.App.Root, p)
		}
		p = filepath.Clean(p)
		for _, dir := range append([]string{f.Config.App.Root}, f.Config.FS.AllowedDirs...) {
			if p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/") {
				return nil
			}
		}
		return Fail(SecurityViolation, "an argument leaves the jail: %s", OneLine(x))
	case []any:
		for _, e := range x {
			if err := f.leaves(e); err != nil {
				return err
			}
		}
	case map[string]any:
		for k, e := range x {
			if err := f.leaves(k); err != nil {
				return err
			}
			if err := f.leaves(e); err != nil {
				return err
			}
		}
	}
	return nil
}
