package session

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/rtk"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/shape"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// What an output went through, in the compressor of an envelope: the four paths
// of seed 000, and none where there is no output.
const (
	byRTK     = "rtk"    // the installed RTK
	byNative  = "native" // a policy of ours
	byDraft   = "draft"  // a filter of .rtk/filters.toml, applied by us
	byNothing = "raw"    // it is shown as it was
	NoOutput  = "none"
)

const (
	rtkTime  = 10 * time.Second
	maxDraft = 32 << 20 // bytes of an output that a draft is tried on
)

// chosen is the compressor that was asked for, by the flag or by the operation.
func (e *execution) chosen(mode string) string {
	if e.how.Compressor == "" && mode == "rtk" {
		return byRTK
	}
	return e.how.Compressor
}

// compress puts another text in place of our own where that was asked for and
// nothing that must stay is lost by it; else it says why not.
func (e *execution) compress(ctx context.Context, how shape.Options, raw io.ReaderAt, size int64, sum *shape.Summary, chosen string) {
	var text string
	var err error
	switch chosen {
	case byRTK:
		text, err = e.byRTK(ctx, how, raw, size, sum)
	case byDraft:
		text, err = e.byDraft(how, raw, size)
	default:
		return
	}
	if err != nil {
		e.result.CompressorNote = fmt.Sprintf("not by %s: %s", chosen, err)
		e.notice("the output is not shortened by %s: %s", chosen, err)
		return
	}
	if how.Status != 0 {
		text += fmt.Sprintf("[tmp] exit status %d\n", how.Status)
	}
	e.result.Compressor, e.result.Output = chosen, text
	e.result.Omitted = map[string]any{}
	left := bytes.Count([]byte(text), []byte("\n"))
	if chosen == byDraft && left < sum.Lines {
		e.result.Omitted["filtered_lines"] = sum.Lines - left
	}
	e.result.Summary["shown_lines"] = left
}

// byRTK gives the raw output to the installed RTK through a pipe. The command
// itself is run by us: its raw output is on disk whatever RTK makes of it.
func (e *execution) byRTK(ctx context.Context, how shape.Options, raw io.ReaderAt, size int64, sum *shape.Summary) (string, error) {
	program := tcpdb.FindProgram("rtk", e.Getenv("PATH"), mapset.WorkTree(e.Paths, e.Dir))
	switch {
	case program.Path == "":
		return "", errors.New("it is not installed")
	case !program.Trusted:
		return "", fmt.Errorf("%s is not trusted: %s", program.Path, program.Reason)
	}
	filter := rtk.PipeFilter(how.Command.Argv)
	if filter == "" {
		return "", errors.New("it has no filter for output of this command")
	}
	if size > rtk.MaxPipe {
		return "", fmt.Errorf("%s are more than it reads", screen.Count(int(size), "byte"))
	}
	ctx, cancel := context.WithTimeout(ctx, rtkTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program.Path, "pipe", "--filter", filter)
	cmd.Dir, cmd.Env = e.Dir, e.Environ
	cmd.Stdin = io.NewSectionReader(raw, 0, size)
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("rtk pipe --filter %s: %w", filter, err)
	}
	text := strings.TrimRight(out.String(), "\n") + "\n"
	if doubt := rtk.Doubt(text, sum, how.Status); doubt != "" {
		return "", errors.New(doubt)
	}
	return text, nil
}

// byDraft applies the project's filter for the command, as RTK would after rtk
// trust, to see what it does.
func (e *execution) byDraft(how shape.Options, raw io.ReaderAt, size int64) (string, error) {
	file := filepath.Join(cmp.Or(e.Project, e.Dir), rtk.FilterFile)
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no %s", file)
	}
	if err != nil {
		return "", err
	}
	filters, problems := rtk.Parse(file, data)
	if filters == nil {
		return "", problems[0]
	}
	f := filters.For(e.Plan.Argv)
	if f == nil {
		return "", fmt.Errorf("no filter of %s is for this command", file)
	}
	for _, t := range filters.RunTests() {
		if t.Filter == f.Name && !t.Passed {
			return "", fmt.Errorf("filters.%s fails its test %q", f.Name, t.Name)
		}
	}
	if size > maxDraft {
		return "", fmt.Errorf("%s are too much to try it on", screen.Count(int(size), "byte"))
	}
	output := make([]byte, size)
	if _, err := raw.ReadAt(output, 0); err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	op := rtk.Operation{Template: e.Plan.Argv, Policy: how.Policy, Command: how.Command}
	if lost := rtk.Loses(f, op, rtk.Sample{Output: output, Status: how.Status, Ended: true}); lost != "" {
		return "", fmt.Errorf("filters.%s would lose the line %q", f.Name, lost)
	}
	return f.Apply(string(output)) + "\n", nil
}
