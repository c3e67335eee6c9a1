// Package tasks reads for the judge what the task runners of a project would run.
package tasks

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/resolvers/tasks"
)

// patience bounds all reading for one line, or one list of candidates.
const patience = 500 * time.Millisecond

// Reader returns risk.Facts.Tasks for lines that would run in a directory. It
// reads nothing before it is asked, and each file once; the time for that begins
// with the first question. It is not for several goroutines.
func Reader(dir string, getenv func(string) string) func(at string, words []string) []risk.TaskBody {
	var r *tasks.Reader
	return func(at string, words []string) []risk.TaskBody {
		if !filepath.IsAbs(dir) {
			return nil
		}
		if r == nil {
			r = tasks.NewReader(until(time.Now().Add(patience)), getenv)
		}
		from, ok := absolute(dir, at, getenv)
		if !ok {
			return nil
		}
		var out []risk.TaskBody
		for _, b := range r.Bodies(from, words) {
			out = append(out, risk.TaskBody{
				Task: b.Task, File: seen(dir, b.File), Dir: relative(dir, b.Dir), Text: b.Text, Language: b.Language,
			})
		}
		return out
	}
}

// until is a context that has a deadline and no timer: who reads looks at it.
type until time.Time

func (u until) Deadline() (time.Time, bool) { return time.Time(u), true }
func (until) Done() <-chan struct{}         { return nil }
func (until) Err() error                    { return nil }
func (until) Value(any) any                 { return nil }

// absolute is a directory as the judge names it, see risk.Facts.
func absolute(dir, at string, getenv func(string) string) (string, bool) {
	if rest, ok := strings.CutPrefix(at, "~"); ok {
		home := getenv("HOME")
		return filepath.Join(home, rest), filepath.IsAbs(home)
	}
	if filepath.IsAbs(at) {
		return filepath.Clean(at), true
	}
	return filepath.Join(dir, at), true
}

// relative is a directory as seen from another, "" for that itself.
func relative(dir, to string) string {
	rel, err := filepath.Rel(dir, to)
	if err != nil {
		return to
	}
	if rel == "." {
		return ""
	}
	return rel
}

// seen is a file's name for people: as seen from here, unless that leads far up.
func seen(dir, file string) string {
	if file == "" {
		return ""
	}
	if rel := relative(dir, file); !strings.HasPrefix(rel, "../../../") {
		return rel
	}
	return file
}
