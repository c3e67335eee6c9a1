// Package workflow is what running an operation needs beside its words, and the
// graph of the steps of a workflow. It reads, checks, orders and schedules; what
// a step does is the caller's.
package workflow

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Detail is the JSON that the compiled map keeps beside an operation.
type Detail struct {
	// Env lists the variables that the program receives beside the base ones:
	// names, or beginnings as "AWS_*". It counts only with Bare; without, the
	// default of the surface holds.
	Env     []string `json:"env,omitempty"`
	Bare    bool     `json:"bare,omitempty"`
	Timeout string   `json:"timeout,omitempty"` // "90s"; "" for none
	// Idempotent says that running it again does no harm; only then may a step
	// be retried, or run again after it was cut short.
	Idempotent bool `json:"idempotent,omitempty"`
	// Outputs are patterns of what it writes, and Inputs of what it is made to be
	// run over again: relative to the project's root or to where it runs. An approval
	// does not bind outputs; one that holds for a while binds no inputs either.
	Outputs []string `json:"outputs,omitempty"`
	Inputs  []string `json:"inputs,omitempty"`
	Steps   []Step   `json:"steps,omitempty"`
	// Sources are the files that the operation was read from, the one that runs
	// first: when one is no longer what it was, nothing runs it.
	Sources []Source `json:"sources,omitempty"`
	// Directory is where it runs: "" for the caller's, "source" for that of the
	// first of Sources.
	Directory string `json:"directory,omitempty"`
	// Program stands for the program that the operation was verified with; with
	// another one it has to be verified again. "" for one that does not depend on
	// this machine's evidence.
	Program string `json:"program,omitempty"`
	// Record is what an operation that is no command sends: of the surfaces "api" and
	// "sql", see internal/surface.
	Record json.RawMessage `json:"record,omitempty"`
	// Versions are ranges of versions of the program for which a signature verifies
	// the operation: with one that is not in all of them it is a draft.
	Versions []string `json:"versions,omitempty"`
}

// Source is a file as it was read. A name that is not absolute is looked for in
// the working directory and above, the nearest counts.
type Source struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"` // of its content, in hex
}

// Step is one operation of a workflow.
type Step struct {
	ID    string            `json:"id"`
	Run   string            `json:"run"`            // the ID of an operation
	With  map[string]string `json:"with,omitempty"` // its parameters; "<p>" is a parameter of the workflow
	Needs []string          `json:"needs"`          // the steps that must be done before
	If    string            `json:"if,omitempty"`   // see Condition
	On    string            `json:"on,omitempty"`   // "" or "success", "failure", "always"
	Retry int               `json:"retry,omitempty"`
}

// Parse reads a detail; "" is an empty one.
func Parse(text string) (Detail, error) {
	var d Detail
	if text == "" {
		return d, nil
	}
	err := json.Unmarshal([]byte(text), &d)
	return d, err
}

// Text is the JSON that Parse reads, "" for an empty detail.
func (d Detail) Text() string {
	data, err := json.Marshal(d)
	if err != nil || string(data) == "{}" {
		return ""
	}
	return string(data)
}

// Limit is the timeout as a duration, 0 for none.
func (d Detail) Limit() time.Duration {
	t, _ := time.ParseDuration(d.Timeout)
	return t
}

// maxSteps bounds a workflow, maxRetry the repetitions of a step.
const (
	maxSteps = 200
	maxRetry = 10
)

// Check returns what is wrong with the steps by themselves: names, needs that
// are no steps, cycles, conditions and values about parameters that are not
// among params.
func Check(steps []Step, params []string) []error {
	var out []error
	bad := func(s Step, format string, args ...any) {
		out = append(out, fmt.Errorf("step %q: %s", s.ID, fmt.Sprintf(format, args...)))
	}
	if len(steps) == 0 {
		return []error{errors.New("there are no steps")}
	}
	if len(steps) > maxSteps {
		return []error{fmt.Errorf("%d steps: %d are the most", len(steps), maxSteps)}
	}
	ids := map[string]bool{}
	for _, s := range steps {
		switch {
		case !validID(s.ID):
			bad(s, "want lower-case letters, digits, _ and -, beginning with a letter")
		case ids[s.ID]:
			bad(s, "is given twice")
		}
		ids[s.ID] = true
	}
	for _, s := range steps {
		if s.Run == "" {
			bad(s, `"run" names no operation`)
		}
		for _, n := range s.Needs {
			if !ids[n] {
				bad(s, "needs %q, which is no step", n)
			}
		}
		if s.Retry < 0 || s.Retry > maxRetry {
			bad(s, "retry %d: want 0 to %d", s.Retry, maxRetry)
		}
		if !slices.Contains([]string{"", "success", "failure", "always"}, s.On) {
			bad(s, "on %q: want success, failure or always", s.On)
		}
		for name, v := range s.With {
			if p, ok := slot(v); ok && !slices.Contains(params, p) {
				bad(s, "<%s>, the value of %s, is not among the parameters", p, name)
			}
		}
		if c, err := parseCondition(s.If); err != nil {
			bad(s, "%v", err)
		} else if s.If != "" && !slices.Contains(params, c.name) {
			bad(s, "if: <%s> is not among the parameters", c.name)
		}
	}
	if len(out) == 0 {
		if _, err := Order(steps); err != nil {
			out = append(out, err)
		}
	}
	return out
}

func validID(s string) bool {
	return s != "" && len(s) <= 64 && s[0] >= 'a' && s[0] <= 'z' &&
		strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}

// slot returns the parameter that a value is, "<p>".
func slot(v string) (string, bool) {
	if len(v) > 2 && v[0] == '<' && v[len(v)-1] == '>' {
		return v[1 : len(v)-1], true
	}
	return "", false
}

// Values are the parameters of a step. One that the workflow leaves empty is
// left out.
func (s Step) Values(params map[string]string) map[string]string {
	out := map[string]string{}
	for name, v := range s.With {
		if p, ok := slot(v); ok {
			v = params[p]
		}
		if v != "" {
			out[name] = v
		}
	}
	return out
}

// condition is "<p>" (has a value), "!<p>", "<p> = word" or "<p> != word".
type condition struct {
	name, word string
	not, equal bool
}

func parseCondition(s string) (condition, error) {
	fail := fmt.Errorf("if %q: want <p>, !<p>, <p> = word or <p> != word", s)
	if s == "" {
		return condition{}, nil
	}
	var c condition
	left, right, ok := strings.Cut(s, "=")
	if c.equal = ok; ok {
		if left, c.not = strings.CutSuffix(strings.TrimRight(left, " "), "!"); c.not {
			left = strings.TrimRight(left, " ")
		}
		c.word = strings.TrimSpace(right)
	} else {
		left, c.not = strings.CutPrefix(left, "!")
	}
	name, ok := slot(strings.TrimSpace(left))
	if c.name = name; !ok {
		return c, fail
	}
	return c, nil
}

// Wanted reports whether the step's condition holds.
func (s Step) Wanted(params map[string]string) bool {
	c, err := parseCondition(s.If)
	switch {
	case s.If == "":
		return true
	case err != nil:
		return false
	case c.equal:
		return (params[c.name] == c.word) != c.not
	}
	return (params[c.name] != "") != c.not
}

// Order returns the steps so that each follows what it needs, in the order of
// the list where that leaves a choice; or an error that names a cycle.
func Order(steps []Step) ([]Step, error) {
	var out []Step
	state := map[string]int{} // 1 under way, 2 placed
	byID := map[string]Step{}
	for _, s := range steps {
		byID[s.ID] = s
	}
	var visit func(s Step, path []string) error
	visit = func(s Step, path []string) error {
		path = append(path, s.ID)
		switch state[s.ID] {
		case 1:
			return fmt.Errorf("the steps go in a circle: %s", strings.Join(path[slices.Index(path, s.ID):], " → "))
		case 2:
			return nil
		}
		state[s.ID] = 1
		for _, n := range s.Needs {
			if need, ok := byID[n]; ok {
				if err := visit(need, path); err != nil {
					return err
				}
			}
		}
		state[s.ID] = 2
		out = append(out, s)
		return nil
	}
	for _, s := range steps {
		if err := visit(s, nil); err != nil {
			return nil, err
		}
	}
	return out, nil
}
