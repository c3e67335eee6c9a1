package verify

import (
	"fmt"
	"io"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/layers"
	"github.com/tool-mapping-protocol/tmp/internal/evidence"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

// mapReport is what was found of one map.
type mapReport struct {
	Tool     string           `json:"tool"`
	File     string           `json:"file,omitempty"`
	Layer    string           `json:"layer"`
	Version  string           `json:"version,omitempty"` // of the installed tool
	Range    string           `json:"version_range,omitempty"`
	Verified bool             `json:"verified"`
	Subjects []subjectReport  `json:"subjects"`
	Intents  []layers.Problem `json:"intents"` // that are refused, or may be

	target *target
}

// subjectReport is what was found of a tree or of an operation.
type subjectReport struct {
	Subject  string            `json:"subject"` // "tree", or the operation's ID
	Hash     string            `json:"hash"`
	Verified bool              `json:"verified"`
	Required []string          `json:"required"`
	Missing  []string          `json:"missing"`
	Evidence []opmap.Proof     `json:"evidence"` // what counts now
	Checks   []evidence.Result `json:"checks,omitempty"`

	op *opmap.Operation
}

// tell prints the reports and returns the status: 1 if a check failed, if with
// --check a map is not verified, or if nothing could be checked.
func (v *verifier) tell(reports []*mapReport) error {
	bad, passed, all := false, false, true
	for _, r := range reports {
		r.Verified = true
		for _, s := range r.Subjects {
			r.Verified = r.Verified && s.Verified
			for _, c := range s.Checks {
				bad = bad || c.Status == evidence.Failed
				passed = passed || c.Status == evidence.Passed
			}
		}
		for _, p := range r.Intents {
			bad = bad || p.Severity == "error"
		}
		all = all && r.Verified
	}
	for _, out := range v.Results {
		if out.State == layers.Failed {
			v.Env.Notice("%s: %s", out.Layer, out.Message)
			bad = true
		}
	}
	if v.o.json {
		err := v.Env.PrintJSON(struct {
			V        int          `json:"v"`
			Verified bool         `json:"verified"`
			Maps     []*mapReport `json:"maps"`
		}{1, all, reports})
		if err != nil {
			return err
		}
	} else {
		for _, r := range reports {
			r.print(v.Env.Stdout, v.Env.StyleOf(1), v.o.check)
		}
	}
	if bad || !all && (v.o.check || !passed && v.o.reviewedBy == "") {
		return term.ExitStatus(1)
	}
	return nil
}

// print shows a map, and of its subjects those that are not well; with brief
// nothing but what is not verified.
func (r *mapReport) print(w io.Writer, st term.Style, brief bool) {
	if brief && r.Verified && len(r.Intents) == 0 {
		return
	}
	state := "verified"
	if !r.Verified {
		state = "not verified"
	}
	tool := r.Tool
	if r.Version != "" {
		tool = strings.TrimSpace(tool + " " + r.Version)
	}
	fmt.Fprintf(w, "%s: %s", term.OneLine(r.target.name()), st.Bold(state))
	if tool != "" && r.target.file != "" {
		fmt.Fprintf(w, " (%s)", term.OneLine(tool))
	}
	fmt.Fprintln(w)
	for i := range r.Subjects {
		r.Subjects[i].print(w, brief)
	}
	for _, p := range r.Intents {
		word := "refused"
		if p.Severity != "error" {
			word = "mind"
		}
		fmt.Fprintf(w, "  %s: %s:%d: %s: %s\n", word, term.OneLine(p.File), p.Line, term.OneLine(p.Field), term.OneLine(p.Reason))
	}
	if !r.Verified && !brief && r.needsReview() {
		fmt.Fprintf(w, "  a person reviews it with: tmp verify --reviewed-by NAME %s\n", term.OneLine(r.target.file))
	}
}

// needsReview reports whether a review is all that some subject lacks.
func (r *mapReport) needsReview() bool {
	for _, s := range r.Subjects {
		if len(s.Missing) == 1 && s.Missing[0] == evidence.KindReview {
			return true
		}
	}
	return false
}

func (s *subjectReport) print(w io.Writer, brief bool) {
	switch {
	case s.Verified && brief:
		return
	case s.Verified:
		fmt.Fprintf(w, "  %s: verified", term.OneLine(s.Subject))
	default:
		fmt.Fprintf(w, "  %s: lacks %s", term.OneLine(s.Subject), strings.Join(s.Missing, ", "))
	}
	if by := s.reviewer(); by != "" {
		fmt.Fprintf(w, ", reviewed by %s", term.OneLine(by))
	}
	fmt.Fprintln(w)
	for _, c := range s.Checks {
		printCheck(w, c)
	}
}

func (s *subjectReport) reviewer() string {
	for _, p := range s.Evidence {
		if p.Kind == evidence.KindReview {
			return p.By
		}
	}
	return ""
}

// maxMissing is how many missing names are printed of one check; JSON has all.
const maxMissing = 20

func printCheck(w io.Writer, c evidence.Result) {
	fmt.Fprintf(w, "    %-12s %s", c.Check, c.Status)
	if c.Why != "" {
		fmt.Fprintf(w, ": %s", term.OneLine(c.Why))
	}
	fmt.Fprintln(w)
	for i, m := range c.Missing {
		if i == maxMissing {
			fmt.Fprintf(w, "      and %d more: --json has them all\n", len(c.Missing)-i)
			break
		}
		fmt.Fprintf(w, "      %s: %s %s (%s)\n", term.OneLine(m.Field), m.Kind, term.OneLine(m.Name), term.OneLine(m.Node))
	}
	for _, f := range c.Faults {
		fmt.Fprintf(w, "      %s\n", term.OneLine(f))
	}
}

// outline shows what a person is asked to have read.
func (r *mapReport) outline(env *term.Env, w io.Writer, st term.Style) {
	fmt.Fprintf(w, "%s\n", st.Bold(term.OneLine(r.target.name())))
	if n := r.target.source.Node; n != nil {
		commands, flags := opmap.Count(n)
		fmt.Fprintf(w, "  tree of %s: %s, %s\n", term.OneLine(n.Name), screen.Count(commands, "command"), screen.Count(flags, "option"))
	}
	for _, x := range layers.AskedAbout(env, env.Dir, []*opmap.Source{r.target.source}) {
		x.Print(w, st)
	}
	for _, s := range r.Subjects {
		for _, c := range s.Checks {
			if c.Status == evidence.Failed {
				fmt.Fprintf(w, "  %s: ", term.OneLine(s.Subject))
				printCheck(w, c)
			}
		}
	}
}
