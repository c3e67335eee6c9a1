package policy

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/audit"
	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

type auditOptions struct {
	lines int
	since time.Duration
	level string
	json  bool
}

// NewAudit is tmp audit.
func NewAudit(env *term.Env, f *command.Flags) command.Run {
	o := auditOptions{lines: 50}
	f.Int("lines", &o.lines)
	f.Duration("since", &o.since)
	f.String("level", &o.level)
	f.Bool("json", &o.json)
	return func(command.Input) error { return o.run(env) }
}

func (o *auditOptions) run(env *term.Env) error {
	state := env.Places().State
	if state == "" {
		return term.Failf("there is no state directory").Hint("set HOME or TMP_STATE_DIR")
	}
	if o.lines < 0 {
		return term.Usagef("--lines %d: want a number from 0 on", o.lines)
	}
	var all []audit.Entry
	bad, err := audit.Read(state, func(e audit.Entry) {
		if o.wants(env, &e) {
			all = append(all, e)
		}
	})
	if err != nil {
		env.Notice("the audit log cannot be read whole: %s", err)
	}
	if bad > 0 {
		env.Notice("%s of the audit log cannot be read", screen.Count(bad, "line"))
	}
	if o.lines > 0 && len(all) > o.lines {
		all = all[len(all)-o.lines:]
	}
	if o.json {
		enc := json.NewEncoder(env.Stdout)
		enc.SetEscapeHTML(false)
		for _, e := range all {
			if err := enc.Encode(e); err != nil {
				return err
			}
		}
		return nil
	}
	return o.table(env, all)
}

// wants reports whether an entry is asked for.
func (o *auditOptions) wants(env *term.Env, e *audit.Entry) bool {
	if o.since > 0 && e.Time.Before(env.Now().Add(-o.since)) {
		return false
	}
	if o.level == "" {
		return true
	}
	have, err := tcpdb.ParseLevel(e.Level)
	want, _ := tcpdb.ParseLevel(o.level)
	return err == nil && have >= want
}

func (o *auditOptions) table(env *term.Env, all []audit.Entry) error {
	t := tabwriter.NewWriter(env.Stdout, 0, 8, 2, ' ', 0)
	for _, e := range all {
		answer := string(e.Answer)
		if e.Agent != "" {
			answer += " agent " + e.Agent
		}
		if e.Reason != "" {
			answer += " (" + e.Reason + ")"
		}
		level := strings.TrimSuffix(e.Level, "_RISK")
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n",
			e.Time.Local().Format("2006-01-02 15:04:05"), term.OneLine(level), term.OneLine(answer), term.OneLine(e.Dir), term.OneLine(e.Line))
	}
	return t.Flush()
}
