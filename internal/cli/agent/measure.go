package agent

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/agent/cost"
)

const measureHelp = `usage: tmp-agent measure listing|session|words

What an agent reads with 300 invented tools of ten servers: their list, or what a
session reads in its place that uses four of them. words tells whether the words
that people use find the tools: status 1 if some do not. No server is started.
tmp benchmark counts it.

  tmp-agent measure session | wc -c
`

// measure prints the texts that the benchmark counts.
func (env *Env) measure(args []string) error {
	if isHelp(args) {
		fmt.Fprint(env.Stdout, measureHelp)
		return nil
	}
	if len(args) != 1 || args[0] != "listing" && args[0] != "session" && args[0] != "words" {
		return usagef("measure what? listing, session or words")
	}
	dir, err := os.MkdirTemp("", "tmp-agent-measure-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	p, err := cost.Open(ctx, dir)
	if err != nil {
		return err
	}
	defer p.Close()
	switch args[0] {
	case "listing":
		text, err := p.Listing()
		fmt.Fprintln(env.Stdout, text)
		return err
	case "session":
		texts, err := p.Session(ctx)
		for _, text := range texts {
			fmt.Fprintln(env.Stdout, text)
		}
		return err
	}
	missed, all, err := p.Missed(ctx)
	if err != nil {
		return err
	}
	for _, text := range missed {
		fmt.Fprintln(env.Stderr, text)
	}
	fmt.Fprintf(env.Stdout, "%d of %d wishes find their tool\n", all-len(missed), all)
	if len(missed) > 0 {
		return errQuiet
	}
	return nil
}
