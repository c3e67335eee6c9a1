package runs

import (
	"io"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/printed"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/internal/shape"
)

type shapeOptions struct {
	policy, command string
	status          int
	paths           []string
	json            bool
}

// NewShape is tmp shape.
func NewShape(env *term.Env, f *command.Flags) command.Run {
	o := shapeOptions{status: -1}
	f.String("policy", &o.policy)
	f.String("command", &o.command)
	f.Int("status", &o.status)
	f.Strings("path", &o.paths)
	f.Bool("json", &o.json)
	return func(command.Input) error { return o.run(env) }
}

// shapeAnswer is the JSON of tmp shape: the envelope of a run, as far as it can
// be known of output alone. exit_status and success are null without --status.
type shapeAnswer struct {
	V           int               `json:"v"`
	OperationID *string           `json:"operation_id"`
	Invocation  *string           `json:"invocation"`
	Policy      string            `json:"policy"`
	Compressor  string            `json:"compressor"`
	ExitStatus  *int              `json:"exit_status"`
	Success     *bool             `json:"success"`
	Summary     map[string]any    `json:"summary"`
	Omitted     map[string]any    `json:"omitted"`
	Output      string            `json:"output"`
	RawOutput   session.RawOutput `json:"raw_output"`
}

func (o *shapeOptions) run(env *term.Env) error {
	if o.status < -1 || o.status > 255 {
		return term.Usagef("--status is 0 to 255")
	}
	for _, p := range o.paths {
		if err := shape.CheckPath(p); err != nil {
			return term.Usagef("--path %s: %s", p, err)
		}
	}
	form, err := o.form(env)
	if err != nil {
		return err
	}
	how := shape.Options{Policy: o.policy, Command: form.Command, Status: o.status, Ended: o.status >= 0, Paths: o.paths}
	if !o.json && (o.policy == "raw" || form.Follows) {
		_, err := io.Copy(env.Stdout, env.Stdin) // it may never end: nothing is held back
		return err
	}
	sum, err := shape.Shape(how, env.Stdin)
	if err != nil {
		return err
	}
	if !o.json {
		_, err := io.WriteString(env.Stdout, sum.Text)
		return err
	}
	a := shapeAnswer{V: 1, Policy: sum.Policy, Compressor: sum.Compressor, Summary: sum.Fields, Omitted: sum.Omitted, Output: sum.Text}
	if o.command != "" {
		a.Invocation = &o.command
	}
	if how.Ended {
		success := o.status == 0
		a.ExitStatus, a.Success = &o.status, &success
	}
	if n, ok := sum.Fields["bytes"].(int); ok {
		a.RawOutput.Bytes = int64(n)
	}
	return env.PrintJSON(&a)
}

// form is what the map says of the output of the command that made it.
func (o *shapeOptions) form(env *term.Env) (printed.Form, error) {
	if o.command == "" {
		return printed.Form{}, nil // the map need not be opened
	}
	s, err := env.Session()
	if err != nil {
		return printed.Form{}, err
	}
	return printed.Line(s.View, o.command), nil
}
