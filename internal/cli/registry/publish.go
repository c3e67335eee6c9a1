package registry

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/registry"
	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
)

// signing are the flags of what signs and adds to a log.
type signing struct {
	c        *call
	to, key  string
	logKey   string
	unsigned bool
	from     *passphraseFrom
}

func (c *call) flagsSigning(f *command.Flags) *signing {
	s := &signing{c: c, from: c.flagPassphrase(f)}
	f.String("to", &s.to)
	f.String("key", &s.key)
	f.String("log-key", &s.logKey)
	c.flagJSON(f)
	return s
}

// home is that of the person, where the log's key may be another file.
func (s *signing) home() (*registry.Home, string, error) {
	h, err := s.c.home()
	if err != nil {
		return nil, "", err
	}
	if s.logKey != "" {
		if h.LogKey, err = s.c.Path(s.logKey); err != nil {
			return nil, "", err
		}
	}
	return h, s.c.named(cmp.Or(s.to, h.Registries[0])), nil
}

func (s *signing) signers(h *registry.Home) (registry.Signers, error) {
	file := s.key
	if file != "" {
		var err error
		if file, err = s.c.Path(file); err != nil {
			return nil, err
		}
	}
	return h.OwnSigners(file, s.unsigned, s.from.ask, s.c.Getenv("SSH_AUTH_SOCK")), nil
}

type publishAnswer struct {
	V        int                `json:"v"`
	Registry string             `json:"registry"`
	Packs    []registry.Outcome `json:"packs"`
	DryRun   bool               `json:"dry_run,omitempty"`
	Problems []problemInJSON    `json:"problems"`
	Error    *errorInJSON       `json:"error,omitempty"`
}

type problemInJSON struct {
	File     string `json:"file"`
	Line     int    `json:"line,omitempty"`
	Field    string `json:"field,omitempty"`
	Reason   string `json:"reason"`
	Severity string `json:"severity"`
}

func newPublish(c *call, f *command.Flags) command.Run {
	var dry bool
	s := c.flagsSigning(f)
	f.Bool("unsigned", &s.unsigned)
	f.Bool("dry-run", &dry)
	return func(in command.Input) error {
		h, to, err := s.home()
		if err != nil {
			return err
		}
		a := publishAnswer{V: 1, Registry: to, Packs: []registry.Outcome{}, DryRun: dry, Problems: []problemInJSON{}}
		built, err := c.build(in.Args, &a)
		if err != nil {
			return c.refused(&a, err)
		}
		if dry {
			for _, b := range built {
				a.Packs = append(a.Packs, registry.Outcome{Name: b.Pack.Name, Version: b.Pack.Version, Digest: b.Digest, Level: b.Level.String(), State: "checked"})
			}
			return c.published(&a)
		}
		signers, err := s.signers(h)
		if err != nil {
			return err
		}
		if a.Packs, err = h.Publish(c.Context, to, built, signers); err != nil {
			return c.refused(&a, err)
		}
		return c.published(&a)
	}
}

// build reads the packs and says what is wrong with them, all of it.
func (c *call) build(dirs []string, a *publishAnswer) ([]*registry.Built, error) {
	var built []*registry.Built
	var first error
	for _, dir := range dirs {
		path, err := c.Path(dir)
		if err != nil {
			return nil, err
		}
		b, err := registry.Build(path)
		if b != nil {
			for _, p := range b.Problems {
				c.problem(dir, p, a)
			}
		}
		if err != nil && first == nil {
			first = err
		}
		built = append(built, b)
	}
	return built, first
}

func (c *call) problem(dir string, p *opmap.Problem, a *publishAnswer) {
	severity := "warning"
	if p.Severity == opmap.Error {
		severity = "error"
	}
	a.Problems = append(a.Problems, problemInJSON{dir + "/" + p.File, p.Line, p.Field, p.Reason, severity})
	if !c.json {
		said := *p
		said.File = dir + "/" + p.File
		c.Notice("%s", said.Error())
	}
}

// refused is the end of a publication that was refused; with --json what is wrong
// stands in the answer.
func (c *call) refused(a *publishAnswer, err error) error {
	f, ok := asFault(err)
	if !ok || !c.json {
		return err
	}
	e := errorOf(f)
	a.Error, a.Packs = &e, []registry.Outcome{}
	if err := c.PrintJSON(a); err != nil {
		return err
	}
	c.Notice("%s", f.Error())
	for _, h := range f.Hints {
		fmt.Fprintf(c.Stderr, "  %s\n", term.OneLine(h))
	}
	return term.ExitStatus(f.Status())
}

func (c *call) published(a *publishAnswer) error {
	if c.json {
		return c.PrintJSON(a)
	}
	for _, o := range a.Packs {
		fmt.Fprintf(c.Stdout, "%s@%s  %s  %s  %s  %s\n", o.Name, o.Version, o.Digest, o.Level, cmp.Or(o.Key, "unsigned"), o.State)
	}
	return nil
}

func newYank(c *call, f *command.Flags) command.Run {
	var reason string
	f.String("reason", &reason)
	s := c.flagsSigning(f)
	return func(in command.Input) error {
		w, err := registry.ParseWanted(in.Args[0])
		if err != nil {
			return err
		}
		if w.Version == "" {
			return term.Usagef("which version of %s? want %s@1.2.0", w.Name, w.Name)
		}
		if reason == "" {
			return term.Usagef("--reason says why: it is shown to who has it")
		}
		h, to, err := s.home()
		if err != nil {
			return err
		}
		signers, err := s.signers(h)
		if err != nil {
			return err
		}
		if err := h.Yank(c.Context, to, w.Name, w.Version, reason, signers); err != nil {
			return err
		}
		if c.json {
			return c.PrintJSON(struct {
				V       int    `json:"v"`
				Name    string `json:"name"`
				Version string `json:"version"`
				State   string `json:"state"`
			}{1, w.Name, w.Version, "yanked"})
		}
		fmt.Fprintf(c.Stdout, "%s@%s is taken back\n", w.Name, w.Version)
		return nil
	}
}

func asFault(err error) (*fault.Fault, bool) {
	var f *fault.Fault
	ok := errors.As(err, &f)
	return f, ok
}
