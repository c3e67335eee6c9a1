package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// command is a process to be measured.
type command struct {
	name  string
	argv  []string
	dir   string
	env   []string // added to the environment
	stdin string
	// want, if set, must be in the output: a benchmark of a wrong answer is none.
	want string
}

// sample is the cost of one run. CPU is user and system time of the process
// and of the children that it waited for.
type sample struct {
	cpu, wall time.Duration
	faults    int64 // minor page faults
	rss       int64 // KB, the largest process
}

// run starts the command once and returns what the kernel accounted for it.
func (c command) run() (sample, error) {
	cmd := exec.Command(c.argv[0], c.argv[1:]...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), c.env...)
	cmd.Stdin = bytes.NewReader([]byte(c.stdin))
	var out bytes.Buffer
	if c.want != "" {
		cmd.Stdout = &out
	}
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if cmd.ProcessState == nil {
		return sample{}, err
	}
	if c.want != "" && !bytes.Contains(out.Bytes(), []byte(c.want)) {
		return sample{}, fmt.Errorf("%s: the answer lacks %q: %.200q", c.name, c.want, out.String())
	}
	ru := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return sample{
		cpu:    time.Duration(ru.Utime.Nano() + ru.Stime.Nano()),
		wall:   wall,
		faults: ru.Minflt,
		rss:    ru.Maxrss,
	}, nil
}

// interleave runs every command once a round, so that what else the machine
// does falls on all of them alike, and returns the median of each figure.
func interleave(rounds int, cmds []command) ([]sample, error) {
	all := make([][]sample, len(cmds))
	for round := range rounds + 1 {
		for i, c := range cmds {
			s, err := c.run()
			if err != nil && s.wall == 0 {
				return nil, err
			}
			if round > 0 { // the first fills caches
				all[i] = append(all[i], s)
			}
		}
	}
	medians := make([]sample, len(cmds))
	for i, ss := range all {
		medians[i] = sample{
			cpu:    median(ss, func(s sample) time.Duration { return s.cpu }),
			wall:   median(ss, func(s sample) time.Duration { return s.wall }),
			faults: median(ss, func(s sample) int64 { return s.faults }),
			rss:    median(ss, func(s sample) int64 { return s.rss }),
		}
	}
	return medians, nil
}

func median[T time.Duration | int64](ss []sample, f func(sample) T) T {
	v := make([]T, len(ss))
	for i, s := range ss {
		v[i] = f(s)
	}
	slices.Sort(v)
	return v[len(v)/2]
}
