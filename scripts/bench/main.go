// Command bench measures what the project claims, side by side in one run:
// the programs against an empty Go program built with the same flags, and
// against the tools that do the same work on this machine.
//
//	go run ./scripts/bench [-rounds 21] [-only REGEXP] [-list]
//
// CPU time and minor page faults are the steady figures on a noisy machine;
// wall time stands beside them. All are medians; ratios are to "go+os" unless
// the row says otherwise. Peers that are not installed are left out by name.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"time"
)

// row is one line of the report: a subject beside what it is compared with.
type row struct {
	name    string
	goal    string // in words, with the figure
	subject command
	beside  []command
}

func main() {
	rounds := flag.Int("rounds", 21, "measured runs of each command")
	only := flag.String("only", "", "only the rows that match")
	listed := flag.Bool("list", false, "list the rows and stop")
	flag.Parse()
	if err := bench(*rounds, *only, *listed); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(rounds int, only string, listed bool) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "tmp-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b, err := build(dir)
	if err != nil {
		return err
	}
	f := fixtures{dir: dir, forge: b.forgeFiles}
	api, err := b.apiRows(&f)
	if err != nil {
		return err
	}
	rows := slices.Concat(b.floorRows(), b.tabRows(&f), api, b.runRows(&f), b.teRows(&f), b.forgeRows(&f), b.askedRows(&f), b.registryRows(&f), b.peerRows(&f))
	for _, r := range rows {
		if !match.MatchString(r.name) {
			continue
		}
		if listed {
			fmt.Println(r.name)
			continue
		}
		if err := f.prepare(r); err != nil {
			return err
		}
		if err := r.report(rounds, b.goOS); err != nil {
			return err
		}
	}
	if listed {
		return nil
	}
	if err := shapes(match, b); err != nil {
		return err
	}
	if err := enters(match, b, rounds); err != nil {
		return err
	}
	if err := checks(match); err != nil {
		return err
	}
	return inProcess(match, b)
}

// report measures a row and prints it: a line for the subject and one for each
// command beside it.
func (r row) report(rounds int, base command) error {
	cmds := append([]command{r.subject, base}, r.beside...)
	ss, err := interleave(rounds, cmds)
	if err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	fmt.Printf("\n%s  (goal: %s)\n", r.name, r.goal)
	fmt.Printf("  %-34s %9s %9s %8s %8s %7s\n", "", "cpu ms", "wall ms", "faults", "rss MB", "× go+os")
	for i, c := range cmds {
		fmt.Printf("  %-34s %9.2f %9.2f %8d %8.1f %7.2f\n", c.name, ms(ss[i].cpu), ms(ss[i].wall), ss[i].faults,
			float64(ss[i].rss)/1024, float64(ss[i].cpu)/float64(ss[1].cpu))
	}
	for i := range r.beside {
		fmt.Printf("  %s takes %.1f × the CPU of %s\n", r.beside[i].name, float64(ss[i+2].cpu)/float64(ss[0].cpu), r.subject.name)
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
