// Package surface is the program tmp-surface: it carries out operations of APIs and
// of databases for tmp, which decides whether they may be.
package surface

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"golang.org/x/sys/unix"

	sections "github.com/tool-mapping-protocol/tmp/internal/config"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/surface"
	"github.com/tool-mapping-protocol/tmp/internal/surface/api"
	"github.com/tool-mapping-protocol/tmp/internal/surface/sql"
)

const usage = `tmp-surface runs operations of APIs and of databases for tmp, which hands them to it.
It is not for the command line: tmp list --surface sql shows what there is, and
tmp run ID runs it.
`

// maxRequest bounds a request, in bytes.
const maxRequest = 64 << 20

// Main carries out the request on descriptor 3 and returns the exit status; with words
// it drafts operations of a document.
func Main() int {
	if len(os.Args) > 1 && os.Args[1] == surface.ImportWord {
		return draft(os.Args[2:], os.Stdin, os.Stdout, os.Stderr)
	}
	if len(os.Args) >= 5 && os.Args[1] == "values" {
		return offer(os.Args[2], os.Args[3], os.Args[4], os.Args[5:])
	}
	request, report := os.NewFile(surface.RequestFile, "request"), os.NewFile(surface.ReportFile, "report")
	data, err := io.ReadAll(io.NewSectionReader(request, 0, maxRequest))
	var r surface.Request
	if err != nil || json.Unmarshal(data, &r) != nil || r.V != 1 {
		fmt.Fprint(os.Stderr, usage)
		return 2
	}
	unix.CloseOnExec(surface.RequestFile)
	unix.CloseOnExec(surface.ReportFile)
	out := answer(&r)
	out.V = 1
	if data, err = json.Marshal(out); err == nil {
		_, err = report.WriteAt(data, 0)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "the report cannot be written: %s\n", err)
		return max(1, out.Status)
	}
	return out.Status
}

// answer carries a request out within its time.
func answer(r *surface.Request) *surface.Report {
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, unix.SIGINT, unix.SIGTERM, unix.SIGHUP)
	go func() {
		<-signals
		stop(surface.ErrInterrupted)
	}()
	if r.Timeout > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, time.Duration(r.Timeout)*time.Millisecond, surface.ErrTimeout)
		defer cancel()
		ctx = limited
	}
	w := surface.World{
		Stdin: os.Stdin, Stdout: os.Stdout, Getenv: os.Getenv, Environ: os.Environ(),
		Notice: func(text string) { fmt.Fprintln(os.Stderr, text) },
	}
	if r.Surface == surface.API {
		w.Notice = tellTerminal
	}
	if refused := configure(&w, r); refused != nil {
		return refused
	}
	switch r.Surface {
	case surface.SQL:
		return sql.Do(ctx, w, r)
	case surface.API:
		return api.Do(ctx, w, r)
	}
	return surface.Refuse(fmt.Sprintf("%q is no surface of this program", r.Surface))
}

// tellTerminal tells the person at the terminal something, where there is one: standard
// error is part of the output that is kept.
func tellTerminal(text string) {
	tty, err := os.OpenFile("/dev/tty", os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer tty.Close()
	fmt.Fprintf(tty, "tmp: %s\r\n", screen.Printable(text))
}

// configure reads the table that the call uses, and holds it to what was planned.
func configure(w *surface.World, r *surface.Request) *surface.Report {
	if r.Config != "" {
		text, err := os.ReadFile(r.Config)
		switch {
		case errors.Is(err, os.ErrNotExist):
		case err != nil:
			return surface.Refuse(err.Error())
		default:
			all, problems := sections.Sections(r.Config, string(text))
			if len(problems) > 0 {
				return surface.Refuse(fmt.Sprintf("%s:%d: %s", r.Config, problems[0].Line, problems[0].Err))
			}
			w.Config = all
		}
	}
	if r.Section == "" {
		return nil
	}
	if surface.Digest(r.Surface, r.Section, w.Config) != r.Definition {
		return surface.Refuse(fmt.Sprintf("[%s.%s] of %s is not what it was when this was planned", r.Surface, r.Section, r.Config))
	}
	tables, _ := w.Config[r.Surface].(map[string]any)
	w.Table, _ = tables[r.Section].(map[string]any)
	return nil
}
