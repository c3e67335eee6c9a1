package workflow

import (
	"context"
	"slices"
)

// State is how a step ended.
type State string

const (
	Done    State = "done"
	Failed  State = "failed"
	Skipped State = "skipped"
)

// Scheduled is what Schedule asks and tells.
type Scheduled struct {
	Jobs int // steps at once, at least 1
	// Before holds the steps that are done from before.
	Before map[string]bool
	Params map[string]string
	// Do runs a step, more than one at a time. An error-free end is true.
	Do func(ctx context.Context, s Step) bool
	// Tell hears how each step ended, one at a time, with the reason of a skip.
	Tell func(s Step, state State, reason string)
}

// Schedule runs the steps, each after those that it needs. When one fails, what
// runs goes to its end, and of the rest only steps with on "failure" or
// "always" whose needs have ended are run. It reports whether no step failed.
func Schedule(ctx context.Context, steps []Step, o Scheduled) bool {
	type ending struct {
		step Step
		ok   bool
	}
	ended := make(chan ending)
	states := map[string]State{}
	for id := range o.Before {
		states[id] = Done
	}
	waiting := slices.DeleteFunc(slices.Clone(steps), func(s Step) bool { return o.Before[s.ID] })
	running, good := 0, true
	finish := func(s Step, st State, reason string) {
		states[s.ID] = st
		o.Tell(s, st, reason)
	}
	for len(waiting) > 0 || running > 0 {
		progress := false
		for i := 0; i < len(waiting); i++ {
			s := waiting[i]
			if slices.ContainsFunc(s.Needs, func(n string) bool { return states[n] == "" }) {
				continue
			}
			reason := skip(s, states, good && ctx.Err() == nil, o.Params)
			// What is run on failure waits until nothing more can fail.
			if reason == "nothing failed" && (running > 0 || slices.ContainsFunc(waiting, func(w Step) bool { return w.On != "failure" && w.ID != s.ID })) {
				continue
			}
			if reason == "" && running >= max(1, o.Jobs) {
				continue
			}
			waiting = slices.Delete(waiting, i, i+1)
			i--
			progress = true
			if reason != "" {
				finish(s, Skipped, reason)
				continue
			}
			running++
			go func() { ended <- ending{s, o.Do(ctx, s)} }()
		}
		if running == 0 {
			if !progress {
				break // a circle: Check refuses it
			}
			continue
		}
		e := <-ended
		running--
		if e.ok {
			finish(e.step, Done, "")
			continue
		}
		good = false
		finish(e.step, Failed, "")
	}
	return good && ctx.Err() == nil
}

// skip returns why a step whose needs have ended is not run, "" if it is.
func skip(s Step, states map[string]State, good bool, params map[string]string) string {
	if !s.Wanted(params) {
		return "its condition does not hold: " + s.If
	}
	switch s.On {
	case "always":
		return ""
	case "failure":
		if good {
			return "nothing failed"
		}
		return ""
	}
	for _, n := range s.Needs {
		if states[n] == Failed {
			return n + " failed"
		}
	}
	if !good {
		return "another step failed"
	}
	return ""
}
