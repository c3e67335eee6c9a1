package run

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

func (p *pool) take(ctx context.Context, f *Runner, memory int) (*isolate.Worker, error) {
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
func (f *Runner) KeepWorkers() { f.pool.keep = true }

// Close ends what was kept.
func (f *Runner) Close() {
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

// newRun begins the record of a run; only one that changes something is waited for.
func (f *Runner) newRun(changes bool) (*kept, error) {
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
	if !changes {
		run.Hasten() // the summary says where it ran
	} else {
		_ = run.SetDir(f.Dir)
	}
	return &kept{run}, nil
}

// record ends the record of a run, and notes it in the log of the tools.
func (f *Runner) record(k *kept, r *Report, t *target) {
	if k.run != nil {
		keep, err := runlog.ReadRetention(f.Paths.Settings())
		if err != nil {
			f.Say("%s", err)
		}
		type summary struct {
			*Report
			OperationID string `json:"operation_id"`
			Invocation  string `json:"invocation"`
			Dir         string `json:"cwd"`
		}
		data, _ := json.MarshalIndent(summary{r, operationID(t), "tgp run " + t.name, f.Dir}, "", "  ")
		if err := k.run.Finish(append(data, '\n'), keep); err != nil {
			f.Say("the summary of %s is not kept: %s", k.run.ID, err)
		}
	}
	if !t.tool {
		return
	}
	dir, err := f.State()
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
		code, message = r.Error.Code, OneLine(r.Error.Error())
	}
	fmt.Fprintf(log, "%s\t%s\t%s\t%d\t%s\t%s\n", r.RunID, t.name, ok, f.Now().Unix(), code, message)
}

func operationID(t *target) string {
	if !t.tool {
		return ""
	}
	return "tgp." + strings.ReplaceAll(t.name, "/", ".")
}

// plan is the digest that an approval of one run is bound to.
func (f *Runner) plan(t *target, c *Compiled, args map[string]any) (string, runlog.Pending) {
	data, _ := json.Marshal(map[string]any{
		"argv": []string{"tgp", "run", t.name}, "args": args, "cwd": f.Dir, "root": f.Root, "source": c.SHA256, "libs": c.Libs, "project": f.Config.App.Root,
	})
	sum := sha256.Sum256(data)
	digest := hex.EncodeToString(sum[:])
	return digest, runlog.Pending{V: 1, Digest: digest, Plan: string(data), OperationID: operationID(t)}
}
