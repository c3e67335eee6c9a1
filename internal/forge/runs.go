package forge

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/forge/run"
)

// RunLine is a run of the past.
type RunLine struct {
	RunID   string `json:"run_id"`
	Tool    string `json:"tool"`
	Success bool   `json:"success"`
	Time    string `json:"time,omitempty"`
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
}

type tally struct{ ok, all int }

// runLines visits the runs of the tools, the oldest first.
func (f *Forge) runLines(visit func(fields []string)) {
	if f.Paths.State == "" {
		return
	}
	data, err := os.ReadFile(filepath.Join(f.Paths.State, "forge", run.Name(f.Root), "runs"))
	if err != nil {
		return
	}
	for line := range strings.SplitSeq(string(data), "\n") {
		if fields := strings.Split(line, "\t"); len(fields) == 6 {
			visit(fields)
		}
	}
}

// runs counts the runs of each tool.
func (f *Forge) runs() map[string]tally {
	out := map[string]tally{}
	f.runLines(func(fields []string) {
		t := out[fields[1]]
		t.all++
		if fields[2] == "1" {
			t.ok++
		}
		out[fields[1]] = t
	})
	return out
}

// lastFailure is the last run of a tool, if it failed.
func (f *Forge) lastFailure(tool string) any {
	var last *RunLine
	f.runLines(func(fields []string) {
		if fields[1] == tool && fields[2] != "1" {
			last = &RunLine{RunID: fields[0], Tool: tool, Code: fields[4], Message: fields[5]}
		}
	})
	if last == nil {
		return nil
	}
	return last
}

// seconds reads a time of the log of runs.
func seconds(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}
