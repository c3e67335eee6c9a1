// Package benchmark measures what the map saves: the same task done as one does
// it without the map, and through tmp (seed 000, "It should measure them").
package benchmark

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

//go:embed tasks/*.toml
var own embed.FS

// Own are the tasks that come with the program.
func Own() ([]Task, error) { return ReadTasks(own) }

// Step is one call of a tool: a line of bash in the project's directory.
type Step struct {
	Run   string `toml:"run"`
	Why   string `toml:"why"`   // what the caller wants to know by it
	Reads bool   `toml:"reads"` // it is read before acting: its text counts as input
}

// Completion is a Tab whose right answer is known.
type Completion struct {
	Line string `toml:"line"`
	Want string `toml:"want"` // the word that is meant
}

// Task is something to do in a small project, twice: as the baseline says and
// with tmp. Setup, Check and the steps are lines of bash.
type Task struct {
	ID        string       `toml:"id"`
	Title     string       `toml:"title"`
	Surface   string       `toml:"surface"` // "cli", "script", "workflow", "agent"
	Needs     []string     `toml:"needs"`   // programs; without them the task is skipped
	Counts    []string     `toml:"counts"`  // the targets it counts for: "calls", "discovery", "noisy", "listing", "listing"
	Setup     string       `toml:"setup"`
	Signals   []string     `toml:"signals"` // what the acting steps must return
	Status    int          `toml:"status"`  // exit status of the last step
	Refuse    bool         `toml:"refuse"`  // tmp must refuse: its status is not 0, and Check still holds
	Check     string       `toml:"check"`   // exits 0 when the outcome is right
	Baseline  []Step       `toml:"baseline"`
	Head      []Step       `toml:"head"` // the baseline as somebody does it who cuts long output
	Assisted  []Step       `toml:"assisted"`
	Completes []Completion `toml:"complete"` // asked in the assisted mode, none of them a call
	File      string       `toml:"-"`
}

// TaskError is a fault of a task file.
type TaskError struct {
	File string
	Line int // from 1, 0 if it is not known
	Text string
}

func (e *TaskError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text)
	}
	return e.File + ": " + e.Text
}

// ReadTasks reads every .toml file of dir and its folder "tasks", in the order of
// their IDs. All faults are reported.
func ReadTasks(dir fs.FS) ([]Task, error) {
	var tasks []Task
	var faults []error
	for _, pattern := range []string{"*.toml", "tasks/*.toml"} {
		names, err := fs.Glob(dir, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			data, err := fs.ReadFile(dir, name)
			if err != nil {
				return nil, err
			}
			t, err := ParseTask(name, string(data))
			if err != nil {
				faults = append(faults, err)
				continue
			}
			if i := slices.IndexFunc(tasks, func(o Task) bool { return o.ID == t.ID }); i >= 0 {
				faults = append(faults, &TaskError{name, 0, fmt.Sprintf("id: %q is the task of %s too", t.ID, tasks[i].File)})
				continue
			}
			tasks = append(tasks, t)
		}
	}
	slices.SortFunc(tasks, func(a, b Task) int { return strings.Compare(a.ID, b.ID) })
	return tasks, errors.Join(faults...)
}

// taskID is compiled when it is asked for: every command links this package.
var taskID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]+([._-][a-z0-9]+)*$`) })

// ParseTask reads one task. Keys that are not known are faults.
func ParseTask(file, text string) (Task, error) {
	t := Task{File: path.Base(file)}
	meta, err := toml.Decode(text, &t)
	if err != nil {
		var p toml.ParseError
		if errors.As(err, &p) {
			return t, &TaskError{file, p.Position.Line, p.Message}
		}
		text, line := strings.TrimPrefix(err.Error(), "toml: "), 0
		if rest, ok := strings.CutPrefix(text, "line "); ok { // "line 4 (last key "status"): ..."
			if _, err := fmt.Sscan(rest, &line); err == nil {
				_, text, _ = strings.Cut(rest, ": ")
			}
		}
		return t, &TaskError{file, line, text}
	}
	if extra := meta.Undecoded(); len(extra) > 0 {
		return t, &TaskError{file, lineOf(text, extra[0]), extra[0].String() + ": no such key"}
	}
	if field, fault := t.fault(); fault != "" {
		return t, &TaskError{file, lineOf(text, toml.Key{field}), field + ": " + fault}
	}
	return t, nil
}

// fault names the first field that is not right.
func (t *Task) fault() (field, fault string) {
	switch {
	case !taskID().MatchString(t.ID):
		return "id", fmt.Sprintf("%q: want lower-case words with dots, such as make.failing_test", t.ID)
	case t.Title == "":
		return "title", "is missing"
	case !slices.Contains([]string{"cli", "script", "workflow", "agent"}, t.Surface):
		return "surface", fmt.Sprintf("%q: want cli, script, workflow or agent", t.Surface)
	case len(t.Assisted) == 0 && len(t.Completes) == 0:
		return "assisted", "want a step, or a complete"
	case t.Refuse && len(t.Assisted) == 0:
		return "refuse", "want an assisted step that is refused"
	}
	for _, c := range t.Counts {
		if !slices.Contains([]string{"calls", "discovery", "noisy", "listing"}, c) {
			return "counts", fmt.Sprintf("%q: want calls, discovery, noisy or listing", c)
		}
		if len(t.Baseline) == 0 || len(t.Assisted) == 0 {
			return "counts", "want steps of the baseline and assisted ones to compare"
		}
	}
	for _, s := range slices.Concat(t.Baseline, t.Assisted) {
		if strings.TrimSpace(s.Run) == "" {
			return "run", "is empty"
		}
	}
	for _, c := range t.Completes {
		if c.Line == "" || c.Want == "" {
			return "complete", "want a line and the word that is meant"
		}
	}
	return "", ""
}

// lineOf finds the line that sets a key, 0 if there is none.
func lineOf(text string, key toml.Key) int {
	name := key[len(key)-1]
	for i, line := range strings.Split(text, "\n") {
		word := strings.Trim(strings.TrimSpace(line), "[]")
		if rest, ok := strings.CutPrefix(word, name); ok && strings.IndexAny(rest+"=", " =.") == 0 {
			return i + 1
		}
	}
	return 0
}
