package schema

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/version"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

type shareOptions struct {
	output, licence   string
	pack, packVersion string
	force, json       bool
}

// NewShare is tmp schema share.
func NewShare(env *term.Env, f *command.Flags) command.Run {
	var o shareOptions
	f.String("output", &o.output)
	f.String("licence", &o.licence)
	f.String("pack", &o.pack)
	f.String("pack-version", &o.packVersion)
	f.Bool("force", &o.force)
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args[0]) }
}

func (o *shareOptions) run(env *term.Env, word string) error {
	if o.output == "-" && o.json {
		return term.Usagef("--json and --output - exclude each other: both want standard output")
	}
	found, err := newMaps(env).pick(word)
	if err != nil {
		return err
	}
	s := sealed(found.source, o.licence, env.Now())
	if o.pack != "" {
		return o.writePack(env, s)
	}
	if o.output == "-" {
		_, err := env.Stdout.Write(s.Encode())
		return err
	}
	name := o.output
	if name == "" {
		name = s.Tool + ".map.json"
	}
	path, err := env.Path(name)
	if err != nil {
		return err
	}
	switch _, err := os.Lstat(path); {
	case err == nil && !o.force:
		return term.Failf("%s is there already", name).Hint("--force replaces it, --output gives another name")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := tcpdb.WriteFile(path, s.Encode()); err != nil {
		return term.Locked(err)
	}
	licence := ""
	if s.Origin != nil {
		licence = s.Origin.Licence
	}
	if o.json {
		return env.PrintJSON(struct {
			V       int    `json:"v"`
			Tool    string `json:"tool"`
			File    string `json:"file"`
			Digest  string `json:"digest"`
			Licence string `json:"licence"`
			Layer   string `json:"layer"`
		}{1, s.Tool, path, s.Shared.Digest, licence, found.layer})
	}
	fmt.Fprintf(env.Stdout, "%s: %s\n%s\n", term.OneLine(name), term.OneLine(found.label()), s.Shared.Digest)
	if licence == "" {
		env.Notice("no licence is noted: others do not know whether they may use it")
	}
	return nil
}

// sealed is a map to be given away: as it is, with its licence if one is said,
// and with a digest over both.
func sealed(s *opmap.Source, licence string, now time.Time) *opmap.Source {
	out := *s
	out.Shared = nil
	if licence != "" {
		origin := opmap.Origin{}
		if s.Origin != nil {
			origin = *s.Origin
		}
		origin.Licence = licence
		out.Origin = &origin
	}
	out.Shared = &opmap.Shared{Digest: out.Digest(), Date: now.UTC().Format(time.RFC3339), By: "tmp " + version.Text()}
	return &out
}
