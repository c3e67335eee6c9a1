package generate

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/layers"
	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// summary counts what a run of generate came to.
type summary struct {
	Programs int            `json:"programs"` // that were to be drafted
	Drafted  int            `json:"drafted"`
	Current  int            `json:"current"`
	None     int            `json:"none"`
	Failed   int            `json:"failed"`
	Edited   int            `json:"edited"`
	From     map[string]int `json:"from"` // tools by the kinds of texts that their drafts rest on
	// Covered are the programs of them that Tab completes, from a draft or from a
	// map that people wrote.
	Covered int `json:"covered"`
	// Stated are those of the others of which it is said why.
	Stated  int    `json:"stated"`
	Map     string `json:"map"`
	Bytes   int    `json:"bytes"`
	MS      int64  `json:"ms"`
	without []generated
}

func summarize(programs []machine.Program, rows []generated, built *layers.Built) *summary {
	s := &summary{Programs: len(rows), From: map[string]int{}, Map: built.File, Bytes: built.Bytes}
	for _, r := range rows {
		switch r.Status {
		case "drafted":
			s.Drafted++
		case "current":
			s.Current++
		case "none":
			s.None++
		default:
			s.Failed++
		}
		if r.Edited {
			s.Edited++
		}
		if r.Status == "drafted" || r.Status == "current" {
			for kind := range r.From {
				s.From[kind]++
			}
		}
	}
	why := map[string]string{}
	for _, r := range rows {
		why[r.Tool] = r.Why
	}
	for _, p := range programs {
		switch root := built.View.Root(p.Name); {
		case root != nil && root.Bits&tcpdb.Partial == 0:
			s.Covered++
		case why[p.Name] != "":
			s.Stated++
			s.without = append(s.without, generated{Tool: p.Name, Why: why[p.Name]})
		default:
			s.without = append(s.without, generated{Tool: p.Name, Why: "it runs other commands, which are completed, or only judging knows it"})
		}
	}
	return s
}

// tellWithout lists the programs that have neither a map nor a draft, by why.
func (s *summary) tellWithout(out io.Writer) {
	by := map[string][]string{}
	for _, r := range s.without {
		by[r.Why] = append(by[r.Why], r.Tool)
	}
	for _, why := range slices.Sorted(maps.Keys(by)) {
		fmt.Fprintf(out, "%s: %s\n", term.OneLine(why), term.OneLine(strings.Join(by[why], ", ")))
	}
}

func (o *options) print(env *term.Env, rows []generated, s *summary, built *layers.Built) {
	out := env.Stdout
	for _, r := range rows {
		if !r.told && (!o.all || r.Status == "failed" || len(r.Conflicts) > 0) {
			fmt.Fprintln(out, term.OneLine(r.line()))
		}
		for _, c := range r.Conflicts {
			fmt.Fprintln(out, term.OneLine("  conflict: "+c.String()))
		}
	}
	if o.all {
		fmt.Fprintf(out, "%d programs: %d drafted, %d unchanged, %d without a text, %d failed; edits kept in %d\n",
			s.Programs, s.Drafted, s.Current, s.None, s.Failed, s.Edited)
		fmt.Fprintf(out, "drafts rest on: %s\n", term.OneLine(kinds(s.From)))
		if s.Programs > 0 {
			fmt.Fprintf(out, "completed from a map or a draft: %d of %d (%.1f %%); the others:\n", s.Covered, s.Programs, 100*float64(s.Covered)/float64(s.Programs))
			s.tellWithout(out)
		}
	}
	fmt.Fprintf(out, "%s: %d bytes, all in %v\n", term.OneLine(built.File), built.Bytes, time.Duration(s.MS)*time.Millisecond)
}

func (r *generated) line() string {
	switch r.Status {
	case "none":
		return r.Tool + ": no draft: " + r.Why
	case "failed":
		return r.Tool + ": failed: " + r.Why
	}
	line := fmt.Sprintf("%s: %s, %s, %s from %s", r.Tool, r.Status, screen.Count(r.Commands, "command"), screen.Count(r.Flags, "option"), kinds(r.From))
	if r.Gaps > 0 {
		line += ", " + screen.Count(r.Gaps, "gap")
	}
	if r.Edited {
		line += ", edits kept"
	}
	return line + ": " + r.File
}

// kinds writes counts by kind, the most trusted texts first.
func kinds(from map[string]int) string {
	var parts []string
	for _, kind := range []string{"answer", "man", "help", "fish", "zsh", "bash", "code"} {
		if n := from[kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", kind, n))
		}
	}
	for kind, n := range from {
		if !slices.Contains([]string{"answer", "man", "help", "fish", "zsh", "bash", "code"}, kind) {
			parts = append(parts, fmt.Sprintf("%s %d", kind, n))
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}
