package forge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/forge/isolate"
	"github.com/tool-mapping-protocol/tmp/internal/forge/worker"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
)

// pool keeps a worker between runs.
type pool struct {
	idle   *isolate.Worker
	memory int
	keep   bool // serve
}

func (p *pool) take(ctx context.Context, f *Forge, memory int) (*isolate.Worker, error) {
	if w := p.idle; w != nil {
		p.idle = nil
		if w.Alive() && p.memory == memory {
			return w, nil
		}
		w.Close()
	}
	p.memory = memory
	return isolate.Start(context.WithoutCancel(ctx), isolate.Options{Cache: f.Cache(), Memory: memory})
}

func (p *pool) give(w *isolate.Worker, kind string) {
	fine := kind == worker.Returned || kind == worker.Threw || kind == worker.Exited || kind == worker.Refused || kind == worker.Quota
	if p.keep && fine && w.Alive() {
		p.idle = w
		return
	}
	w.Close()
}

// KeepWorkers keeps the worker for the next run.
func (f *Forge) KeepWorkers() { f.pool.keep = true }

// Close ends what was kept.
func (f *Forge) Close() {
	if f.pool.idle != nil {
		f.pool.idle.Close()
		f.pool.idle = nil
	}
}

// kept is the record of a run in progress.
type kept struct{ run *runlog.Run }

func (k *kept) id() string {
	if k.run == nil {
		return ""
	}
	return k.run.ID
}

func (k *kept) write(text []byte) {
	if k.run != nil {
		_, _ = k.run.Raw.Write(text)
	}
}

// newRun begins the record of a run.
func (f *Forge) newRun() (*kept, error) {
	where := runlog.Place{}
	project, err := mapset.FindProject(f.Paths, f.Dir)
	switch {
	case err == nil && project != "":
		where = runlog.ProjectPlace(project)
	case f.Paths.State != "":
		where = runlog.StatePlace(f.Paths.State)
	default:
		return &kept{}, nil
	}
	run, err := runlog.New(where, f.Now())
	if err != nil {
		return nil, Fail(Failed, "the run cannot be kept: %s", err)
	}
	_ = run.SetDir(f.Dir)
	return &kept{run}, nil
}

// record ends the record of a run, and notes it in the log of the tools.
func (f *Forge) record(k *kept, r *Report, t *target) {
	if k.run != nil {
		keep, err := runlog.ReadRetention(f.Paths.Settings())
		if err != nil {
			f.notice("%s", err)
		}
		type summary struct {
			*Report
			OperationID string `json:"operation_id"`
			Invocation  string `json:"invocation"`
			Dir         string `json:"cwd"`
		}
		data, _ := json.MarshalIndent(summary{r, operationID(t), "tgp run " + t.name, f.Dir}, "", "  ")
		if err := k.run.Finish(append(data, '\n'), keep); err != nil {
			f.notice("the summary of %s is not kept: %s", k.run.ID, err)
		}
	}
	if !t.tool {
		return
	}
	dir, err := f.state()
	if err != nil {
		return
	}
	log, err := os.OpenFile(filepath.Join(dir, "runs"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer log.Close()
	ok := "0"
	code, message := "", ""
	if r.Success {
		ok = "1"
	}
	if r.Error != nil {
		code, message = r.Error.Code, oneLine(r.Error.Error())
	}
	fmt.Fprintf(log, "%s\t%s\t%s\t%d\t%s\t%s\n", r.RunID, t.name, ok, f.Now().Unix(), code, message)
}

func operationID(t *target) string {
	if !t.tool {
		return ""
	}
	return "tgp." + strings.ReplaceAll(t.name, "/", ".")
}

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
	data, err := os.ReadFile(filepath.Join(f.Paths.State, "forge", name(f.Root), "runs"))
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

// plan is the digest that an approval of one run is bound to.
func (f *Forge) plan(t *target, c *Compiled, args map[string]any) (string, runlog.Pending) {
	data, _ := json.Marshal(map[string]any{
		"argv": []string{"tgp", "run", t.name}, "args": args, "cwd": f.Dir, "root": f.Root, "source": c.SHA256, "libs": c.Libs, "project": f.Config.App.Root,
	})
	sum := sha256.Sum256(data)
	digest := hex.EncodeToString(sum[:])
	return digest, runlog.Pending{V: 1, Digest: digest, Plan: string(data), OperationID: operationID(t)}
}
