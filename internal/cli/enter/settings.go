package enter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/ask/facts"
)

// configTime bounds reading the settings, which only a line that is HIGH or
// above waits for.
const configTime = 5 * time.Second

// sections reads the user's settings through the program tmp that was installed
// with this one. A reader of TOML in this program would cost each Enter as much
// as all judging does; without tmp the defaults hold, and the person is told.
func (w *world) sections(file, _ string) (map[string]any, []facts.Problem) {
	fault := func(line int, format string, args ...any) []facts.Problem {
		return []facts.Problem{{File: file, Line: line, Err: fmt.Errorf(format, args...)}}
	}
	tool := ""
	if w.env.Tool != nil {
		tool = w.env.Tool()
	}
	if tool == "" {
		return nil, fault(0, "is not read: tmp is not beside tmp-enter, and the defaults hold")
	}
	ctx, cancel := context.WithTimeout(context.Background(), configTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, tool, "config", "--json")
	cmd.Dir = filepath.Dir(file)
	out, err := cmd.Output()
	var answer struct {
		Sections map[string]any `json:"sections"`
		Problems []struct {
			File    string `json:"file"`
			Line    int    `json:"line"`
			Message string `json:"message"`
		} `json:"problems"`
	}
	if err == nil {
		err = json.Unmarshal(out, &answer)
	}
	if err != nil {
		return nil, fault(0, "is not read, and the defaults hold: tmp config: %w", err)
	}
	if len(answer.Sections) == 0 && len(answer.Problems) > 0 {
		p := answer.Problems[0]
		return nil, []facts.Problem{{File: file, Line: p.Line, Err: errors.New(p.Message)}}
	}
	return answer.Sections, nil
}

// beside is the program tmp in the directory of this one, "" if there is none.
func beside() string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	tool := filepath.Join(filepath.Dir(self), "tmp")
	if st, err := os.Stat(tool); err != nil || !st.Mode().IsRegular() || st.Mode()&0o111 == 0 {
		return ""
	}
	return tool
}
