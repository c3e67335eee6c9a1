package te

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/envelope"
)

// strategies are the ways in which a preview may be made, by how many times the
// matches of the settings a section holds. The first is what holds without exploring.
var strategies = []struct {
	name   string
	factor float64
}{{"default", 1}, {"short", 0.5}, {"long", 2}}

// strategy says how many matches a section of a preview holds: the same for all calls
// of a command in a session.
func (c *call) strategy(cmd string, preview int) int {
	s := strategies[0]
	if c.settings.Explore > 0 {
		// The hash of session and command is the die.
		h := hashed("strategy\x00" + cmd + "\x00" + c.session())
		n, _ := strconv.ParseUint(h[:12], 16, 64)
		if float64(n%1_000_000)/1_000_000 < c.settings.Explore {
			s = strategies[1+n/1_000_000%uint64(len(strategies)-1)]
		}
	}
	c.event.strategy = s.name
	return max(1, int(math.Round(float64(preview)*s.factor)))
}

// outcome is what was seen of the answers of a strategy for a command.
type outcome struct {
	cmd, strategy                string
	answers, cut                 int // all, and those that were cut short
	handle, raw, again, notKnown int // what followed the cut ones
}

// telemetryGap is how much later a call may be and still be about the answer before.
const telemetryGap = 10 * time.Minute

// coach reports how the answers were used. Only what te can see is counted: that the
// handle was used, that the tool was called as it is, that the same command was asked
// again. Whether somebody went on with his work nobody knows.
func (c *call) coach(args []string) int {
	if len(args) != 1 || args[0] != "report" {
		return c.fail("coach", envelope.Usage, "te coach report", statusUsage)
	}
	c.event.mode = "enriched"
	var lines []telemetryLine
	if file := c.telemetryFile(); file != "" {
		lines = append(readTelemetry(file+".1"), readTelemetry(file)...)
	}
	text := report(outcomes(lines))
	c.event.output = int64(len(text))
	c.write([]byte(text))
	return 0
}

func readTelemetry(file string) []telemetryLine {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	var out []telemetryLine
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var l telemetryLine
		if json.Unmarshal(s.Bytes(), &l) == nil && l.V == 1 {
			out = append(out, l)
		}
	}
	return out
}

// outcomes looks at what followed each answer in its session.
func outcomes(lines []telemetryLine) []*outcome {
	byKey := map[[2]string]*outcome{}
	var all []*outcome
	for i := range lines {
		l := &lines[i]
		if l.Mode != "enriched" || l.Strategy == "" || enveloped[l.Cmd] == nil {
			continue
		}
		key := [2]string{l.Cmd, l.Strategy}
		o := byKey[key]
		if o == nil {
			o = &outcome{cmd: l.Cmd, strategy: l.Strategy}
			byKey[key], all = o, append(all, o)
		}
		o.answers++
		if l.Truncated {
			o.cut++
			o.follow(l, next(lines[i+1:], l))
		}
	}
	slices.SortFunc(all, func(a, b *outcome) int {
		return cmp.Or(strings.Compare(a.cmd, b.cmd), strings.Compare(a.strategy, b.strategy))
	})
	return all
}

// next is the call that follows in a session, nil if there is none soon.
func next(lines []telemetryLine, l *telemetryLine) *telemetryLine {
	at, _ := time.Parse(time.RFC3339Nano, l.Timestamp)
	for i := range lines {
		if lines[i].Session == l.Session {
			if then, err := time.Parse(time.RFC3339Nano, lines[i].Timestamp); err != nil || then.Sub(at) > telemetryGap {
				return nil
			}
			return &lines[i]
		}
	}
	return nil
}

func (o *outcome) follow(l, n *telemetryLine) {
	switch {
	case n == nil:
		o.notKnown++
	case n.Cmd == "handle":
		o.handle++
	case n.Mode == "raw" && n.Cmd == l.Cmd:
		o.raw++
	case n.Cmd == l.Cmd && (n.Query == l.Query || n.Kin != "" && n.Kin == l.Kin):
		o.again++
	default:
		o.notKnown++
	}
}

// report is a table: counts, and beside a part the interval in which it lies in 95 of
// 100 cases.
func report(all []*outcome) string {
	if len(all) == 0 {
		return "no answers are recorded yet\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-6s %-9s %8s %8s  %-22s %-22s %-22s %s\n", "cmd", "strategy", "answers", "cut", "handle used", "raw bypass", "asked again", "not known")
	for _, o := range all {
		fmt.Fprintf(&b, "%-6s %-9s %8d %8d  %-22s %-22s %-22s %d\n", o.cmd, o.strategy, o.answers, o.cut,
			share(o.handle, o.cut), share(o.raw, o.cut), share(o.again, o.cut), o.notKnown)
	}
	return b.String()
}

// share writes a part of n with Wilson's interval.
func share(k, n int) string {
	if n == 0 {
		return "-"
	}
	const z = 1.96
	p, m := float64(k)/float64(n), float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return fmt.Sprintf("%d, %.0f–%.0f %%", k, 100*max(0, mid-half), 100*min(1, mid+half))
}
