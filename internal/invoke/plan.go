// Package invoke turns an operation with its parameters into a plan, and runs
// plans. Planning is pure; running passes the words to the program as they are,
// never through a shell.
package invoke

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Plan is what would run, whole: two plans with the same digest do the same.
type Plan struct {
	// Operation is what is run, nil for a plain command.
	Operation  *tcpdb.Operation
	Parameters map[string]string
	Argv       []string
	Dir        string   // absolute
	Env        []string // NAME=value, what the program receives
	MapDigest  string
	Timeout    time.Duration // the operation's own, 0 for none
	// Withheld names the variables that the program does not receive though the
	// caller has them.
	Withheld []string
	// Place stands for all that is here now and could be run or read, if it needs an
	// approval: the digest of its state, in hex.
	Place string
	// Before are the steps of an earlier run that are not run again.
	Before []string

	// Call is what the program is handed of an operation that is no command, see
	// internal/surface; nil for a command. Argv then is the command that asks for it, and
	// Program what is started.
	Call    []byte
	Program string // absolute; "": the first of Argv is looked for

	// Of a workflow: the steps in an order in which they could run, and the
	// union of what they do. Argv then is the command that asks for it.
	Steps    []Step
	Effect   string
	Approval string
}

// Step is a step of a workflow with its plan, nil if its condition does not hold.
type Step struct {
	workflow.Step
	Plan *Plan
}

// ErrParameter is wrapped by every error that is about the value of a parameter.
var ErrParameter = errors.New("parameter not usable")

// NewPlan fills the operation's template.
func NewPlan(op *tcpdb.Operation, params map[string]string, dir string, env []string, mapDigest string) (*Plan, error) {
	argv, err := Expand(op, params)
	if err != nil {
		return nil, err
	}
	return &Plan{Operation: op, Parameters: params, Argv: argv, Dir: dir, Env: env, MapDigest: mapDigest}, nil
}

// Expand replaces the slots of the operation's template: a word "<p>" becomes
// the value of p, whatever blanks or signs it holds, and a word that ends in
// "<p>" gets it as its end. A word whose optional parameter has no value is
// left out; "[--env <p>]" are two words or none. Of a parameter of type flag
// only "--force" of "--force=<p>" is written, if it is true. Refused are values that the program would read as an option: those
// that begin with "-" and stand as a word of their own before "--".
func Expand(op *tcpdb.Operation, params map[string]string) ([]string, error) {
	if len(op.Template) == 0 {
		return nil, fmt.Errorf("operation %s: the template is empty", op.ID)
	}
	var argv []string
	dash := false
	for i, w := range op.Template {
		if inner, next := optionalWord(op.Template, i); inner != "" {
			if _, name, _ := cutSlot(next); params[name] != "" {
				argv = append(argv, inner)
			}
			continue
		}
		if i > 0 {
			if inner, _ := optionalWord(op.Template, i-1); inner != "" {
				w = w[:len(w)-1]
			}
		}
		head, name, ok := cutSlot(w)
		if !ok {
			argv = append(argv, w)
			dash = dash || w == "--"
			continue
		}
		if i == 0 {
			return nil, fmt.Errorf("operation %s: the program may not be a parameter", op.ID)
		}
		p := param(op, name)
		if p == nil {
			return nil, fmt.Errorf("operation %s: the template names <%s>, which is no parameter", op.ID, name)
		}
		v := params[name]
		switch {
		case v == "" && p.Required:
			return nil, fmt.Errorf("operation %s: %w: <%s> has no value", op.ID, ErrParameter, name)
		case v == "":
			continue
		case p.Type == "flag":
			if yes, err := strconv.ParseBool(v); err != nil {
				return nil, fmt.Errorf("operation %s: %w: <%s> is %q: want true or false", op.ID, ErrParameter, name, v)
			} else if yes {
				argv = append(argv, strings.TrimSuffix(head, "="))
			}
			continue
		case strings.IndexByte(v, 0) >= 0:
			return nil, fmt.Errorf("operation %s: %w: the value of <%s> holds a NUL byte", op.ID, ErrParameter, name)
		case head == "" && v[0] == '-' && !dash:
			return nil, fmt.Errorf("operation %s: %w: the value %q of <%s> would be read as an option", op.ID, ErrParameter, v, name)
		}
		argv = append(argv, head+v)
	}
	return argv, nil
}

// optionalWord returns the option of "[--env <p>]", which begins at i, and the
// slot after it; "" if there is none.
func optionalWord(template []string, i int) (option, slot string) {
	if i == 0 || i+1 >= len(template) || !strings.HasPrefix(template[i], "[-") || !strings.HasSuffix(template[i+1], ">]") {
		return "", ""
	}
	return template[i][1:], template[i+1][:len(template[i+1])-1]
}

// cutSlot cuts a template's word before the slot that ends it.
func cutSlot(w string) (head, name string, ok bool) {
	i := strings.LastIndexByte(w, '<')
	if i < 0 || len(w) < i+3 || w[len(w)-1] != '>' {
		return w, "", false
	}
	return w[:i], w[i+1 : len(w)-1], true
}

func param(op *tcpdb.Operation, name string) *tcpdb.Param {
	for i := range op.Params {
		if op.Params[i].Name == name {
			return &op.Params[i]
		}
	}
	return nil
}

// Digest binds an approval to the plan: SHA-256, in hex, of Canonical.
func (p *Plan) Digest() string {
	sum := sha256.Sum256(p.Canonical())
	return hex.EncodeToString(sum[:])
}

// Canonical is the plan as the JSON that its digest is taken of: the words, the
// directory, the state of the place, the map's digest, and the name of every
// environment variable with the hash of its value, so that no secret is written
// down. Variables that say nothing to a program (see volatile) are left out.
func (p *Plan) Canonical() []byte {
	env := map[string]string{}
	for _, e := range p.Env {
		name, value, _ := strings.Cut(e, "=")
		if !volatile(name) {
			sum := sha256.Sum256([]byte(value))
			env[name] = hex.EncodeToString(sum[:])
		}
	}
	c := Canonical{V: 1, Argv: encode(p.Argv), Dir: hexIfNotText(p.Dir), Env: env, MapDigest: p.MapDigest, Place: p.Place, Before: p.Before, Call: p.Call}
	for _, s := range p.Steps {
		step := CanonicalStep{ID: s.ID, Needs: s.Needs, On: s.On, Retry: s.Retry}
		if s.Plan != nil {
			step.Plan = s.Plan.Canonical()
		}
		c.Steps = append(c.Steps, step)
	}
	data, err := json.Marshal(c)
	if err != nil {
		panic(err) // strings only: cannot fail
	}
	return data
}

// Canonical is the JSON form of a plan. Fields are in a fixed order and Go sorts
// the keys of maps, so equal plans have equal bytes.
type Canonical struct {
	V         int               `json:"v"`
	Argv      []string          `json:"argv"`
	Dir       string            `json:"cwd"`
	Env       map[string]string `json:"env"`
	MapDigest string            `json:"map_digest"`
	Place     string            `json:"place,omitempty"`
	Before    []string          `json:"before,omitempty"`
	Steps     []CanonicalStep   `json:"steps,omitempty"`
	Call      json.RawMessage   `json:"call,omitempty"`
}

// CanonicalStep is a step of a workflow, with its plan unless it is skipped.
type CanonicalStep struct {
	ID    string          `json:"id"`
	Needs []string        `json:"needs"`
	On    string          `json:"on,omitempty"`
	Retry int             `json:"retry,omitempty"`
	Plan  json.RawMessage `json:"plan,omitempty"`
}

// encode makes every word valid text without ever making two words alike: JSON
// would turn each byte that is not UTF-8 into the same replacement character.
func encode(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = hexIfNotText(w)
	}
	return out
}

func hexIfNotText(s string) string {
	if strings.ToValidUTF8(s, "") == s && !strings.HasPrefix(s, "hex:") {
		return s
	}
	return "hex:" + hex.EncodeToString([]byte(s))
}

// Display writes the words as a line that a POSIX shell would read as them.
func Display(argv []string) string {
	var b strings.Builder
	for i, w := range argv {
		if i > 0 {
			b.WriteByte(' ')
		}
		if plain(w, i == 0) {
			b.WriteString(w)
			continue
		}
		b.WriteString("'" + strings.ReplaceAll(w, "'", `'\''`) + "'")
	}
	return b.String()
}

// plain reports whether a shell reads the word as it is.
func plain(w string, first bool) bool {
	if w == "" || w[0] == '~' || first && strings.Contains(w, "=") {
		return false
	}
	for i := 0; i < len(w); i++ {
		c := w[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_-./:=@%+,~^", c) >= 0) {
			return false
		}
	}
	return true
}
