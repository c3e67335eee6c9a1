// Package check shows what lines would do: tmp check and tmp monitor. How a line
// is judged is the session's, internal/session/judge.go.
package check

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Exit statuses of check: 0 up to MEDIUM.
const (
	checkHigh     = 3
	checkCritical = 4
)

// maxRecord is the longest record that --stdin reads, in bytes. A line beyond
// 64 KiB is not analysed anyway; it still has its answer.
const maxRecord = 64 << 20

type checkOptions struct {
	shell             string
	stdin, null, json bool
	explain           bool
}

// New is tmp check.
func New(env *term.Env, f *command.Flags) command.Run {
	o := checkOptions{shell: "bash"}
	f.String("shell", &o.shell)
	f.Bool("explain", &o.explain)
	f.Bool("stdin", &o.stdin)
	f.Bool("null", &o.null)
	f.Bool("json", &o.json)
	return func(in command.Input) error {
		words := append(append([]string{}, in.Args...), in.Rest...)
		switch {
		case o.stdin && len(words) > 0:
			return term.Usagef("give the line or --stdin, not both")
		case o.explain && (o.stdin || o.json):
			return term.Usagef("--explain is for a person and one line")
		case o.null && !o.stdin:
			return term.Usagef("-0 belongs to --stdin")
		case !o.stdin && len(words) == 0:
			return term.Usagef("give the command line").Hint("tmp check 'git reset --hard'")
		}
		return o.run(env, words)
	}
}

func (o *checkOptions) run(env *term.Env, words []string) error {
	w, err := env.Session()
	if err != nil {
		return err
	}
	worst := tcpdb.Safe
	one := func(text string) error {
		v := w.Judge(text, o.shell)
		worst = max(worst, v.Level)
		return o.print(env, w, text, v)
	}
	if o.stdin {
		err = o.records(env.Stdin, one)
	} else {
		err = one(strings.Join(words, " "))
	}
	if err != nil {
		return err
	}
	return checkStatus(worst)
}

// checkStatus is the exit status that tells the worst level.
func checkStatus(worst tcpdb.Level) error {
	switch worst {
	case tcpdb.Critical:
		return term.ExitStatus(checkCritical)
	case tcpdb.High:
		return term.ExitStatus(checkHigh)
	}
	return nil
}

// records calls one for each record of standard input.
func (o *checkOptions) records(in io.Reader, one func(string) error) error {
	end := byte('\n')
	if o.null {
		end = 0
	}
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		text, err := record(r, end)
		if errors.Is(err, io.EOF) && text == "" {
			return nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return &term.Failure{Status: 1, Msg: "standard input", Err: err}
		}
		if err := one(strings.TrimSuffix(text, string(end))); err != nil {
			return err
		}
	}
}

// record reads one record with its end. Of one beyond maxRecord the rest is
// left out, which makes it no less refused.
func record(r *bufio.Reader, end byte) (string, error) {
	var b strings.Builder
	for {
		part, err := r.ReadSlice(end)
		if b.Len() < maxRecord {
			b.Write(part)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return b.String(), err
		}
	}
}

func (o *checkOptions) print(env *term.Env, w *session.Session, text string, v line.Verdict) error {
	switch {
	case o.json && o.stdin:
		enc := json.NewEncoder(env.Stdout)
		enc.SetEscapeHTML(false)
		return enc.Encode(w.Check(text, v))
	case o.json:
		return env.PrintJSON(w.Check(text, v))
	}
	if o.explain {
		return explainLine(env, w, text, &v)
	}
	st := env.StyleOf(1)
	if o.stdin {
		_, err := fmt.Fprintf(env.Stdout, "%s\t%s\n", st.Level(v.Level), term.OneLine(text))
		return err
	}
	fmt.Fprintln(env.Stdout, strings.TrimRight(st.Level(v.Level)+"  "+strings.Join(v.Flags.Names(), " "), " "))
	for _, f := range v.Findings {
		fmt.Fprintf(env.Stdout, "  %s: %s (%s)\n", st.Bold(term.OneLine(text[f.Start:f.End])), term.OneLine(f.Reason), f.Rule)
		if s := w.SaferWay(f); s != nil {
			fmt.Fprintf(env.Stdout, "    safer: %s\n", term.OneLine(*s))
		}
	}
	if !v.Complete {
		fmt.Fprintln(env.Stdout, "  the line is not finished")
	}
	return nil
}
