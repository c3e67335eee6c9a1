package benchmark

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
)

// Mode is how a task was done.
type Mode string

// Modes of a record.
const (
	Baseline Mode = "baseline"
	Assisted Mode = "tmp_assisted"
	Head     Mode = "head" // the baseline with its output cut, as by | head -100
)

// Record is one task done in one mode, in the shape of seed 000's benchmark run
// record; the fields from Counts on are beyond it.
type Record struct {
	RunID                     string `json:"run_id"`
	TaskID                    string `json:"task_id"`
	Mode                      Mode   `json:"mode"`
	Surface                   string `json:"surface"`
	ToolCalls                 int    `json:"tool_calls"`
	InputTokens               int    `json:"input_tokens"`        // of what is read before acting
	OutputTokens              int    `json:"output_tokens"`       // of what acting returns
	RawOutputBytes            int64  `json:"raw_output_bytes"`    // of what the programs printed
	ShapedOutputBytes         int64  `json:"shaped_output_bytes"` // of what is returned
	OutputSignalPreserved     bool   `json:"output_signal_preserved"`
	WallTimeMS                int64  `json:"wall_time_ms"`
	Success                   bool   `json:"success"`
	InvalidOperationAttempted bool   `json:"invalid_operation_attempted"`
	UserClarifications        int    `json:"user_clarifications"` // always 0: nobody is asked
	FailedAttempts            int    `json:"failed_attempts"`     // steps that ended otherwise than the task says

	Counts     []string `json:"counts"`
	CPUTimeMS  int64    `json:"cpu_time_ms"`
	Completed  int      `json:"completions"`
	WithinFive int      `json:"completions_within_five"`
	AnswerAt   int64    `json:"characters_to_answer"` // returned until every signal was there; 0 if one never was
	Lost       []string `json:"lost_signals"`
	Faults     []string `json:"faults"`
}

//go:embed record.schema.json
var schema []byte

// Schema is the JSON Schema of a record.
func Schema() []byte { return schema }

// WriteRecords writes records as JSON lines.
func WriteRecords(w io.Writer, records []Record) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, r := range records {
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// maxRecord is how long a line of records may be, in bytes.
const maxRecord = 1 << 20

// ReadRecords reads JSON lines. Errors name the line.
func ReadRecords(r io.Reader) ([]Record, error) {
	var out []Record
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxRecord)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var rec Record
		if err := json.Unmarshal(lines.Bytes(), &rec); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if rec.TaskID == "" || rec.Mode != Baseline && rec.Mode != Assisted && rec.Mode != Head {
			return nil, fmt.Errorf("line %d: not a benchmark record: task_id %q, mode %q", n, rec.TaskID, rec.Mode)
		}
		out = append(out, rec)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return out, nil
}
