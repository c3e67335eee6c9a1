package run

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/session"
)

type approveOptions struct {
	how  session.Approving
	plan string
}

// NewApprove is tmp approve, which records a person's yes to a plan that waits. No
// flag of it is the yes: nothing that a caller passes approves.
func NewApprove(env *term.Env, f *command.Flags) command.Run {
	var o approveOptions
	f.Duration("for", &o.how.While)
	f.Strings("except", &o.how.Except)
	f.String("plan", &o.plan)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

func (o *approveOptions) run(env *term.Env, args []string) error {
	digest := ""
	switch {
	case o.plan != "" && len(args) > 0, o.plan == "" && len(args) == 0:
		return term.Usagef("give the digest that tmp run printed, or --plan FILE")
	case len(o.how.Except) > 0 && o.how.While == 0:
		return term.Usagef("--except goes with --for")
	case o.plan != "":
		var err error
		if digest, err = planned(env, o.plan); err != nil {
			return err
		}
	default:
		digest = args[0]
	}
	caller := env.Caller()
	if err := caller.CheckApprover(digest); err != nil {
		return err
	}
	s, err := env.Session()
	if err != nil {
		return err
	}
	held, err := s.Approve(digest, o.how, term.Asker{Env: env})
	if err != nil {
		return err
	}
	if held > 0 {
		fmt.Fprintf(env.Stdout, "approved for %s; tmp allow list shows it\n", held.Round(time.Second))
		return nil
	}
	fmt.Fprintln(env.Stdout, "approved once, for ten minutes")
	return nil
}

// maxPlan bounds a file of --plan, in bytes.
const maxPlan = 16 << 20

// planned is the digest of the plan in a file, which is an answer of tmp run or of
// tmp workflow run. What the digest stands for is what waits, not what else the
// file says.
func planned(env *term.Env, file string) (string, error) {
	path, err := env.Path(file)
	if err != nil {
		return "", err
	}
	data, err := disk.ReadRegular(path, maxPlan)
	if err != nil {
		return "", term.Failf("%s cannot be read: %s", file, err)
	}
	var e struct {
		PlanDigest string `json:"plan_digest"`
	}
	if err := json.Unmarshal(data, &e); err != nil || e.PlanDigest == "" {
		return "", term.Failf("%s holds no plan", file).Hint("tmp workflow run --json prints one")
	}
	return e.PlanDigest, nil
}
