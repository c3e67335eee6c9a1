package tmp

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

type schemaShareOptions struct {
	output, licence string
	force, json     bool
}

func newSchemaShare(env *Env, f *flags) runFunc {
	var o schemaShareOptions
	f.String("output", &o.output)
	f.String("licence", &o.licence)
	f.Bool("force", &o.force)
	f.Bool("json", &o.json)
	return func(in input) error { return o.run(env, in.Args[0]) }
}

func (o *schemaShareOptions) run(env *Env, word string) error {
	if o.output == "-" && o.json {
		return usagef("--json and --output - exclude each other: both want standard output")
	}
	found, err := newMaps(env).pick(word)
	if err != nil {
		return err
	}
	s := sealed(found.source, o.licence, env.Now())
	if o.output == "-" {
		_, err := env.Stdout.Write(s.Encode())
		return err
	}
	name := o.output
	if name == "" {
		name = s.Tool + ".map.json"
	}
	path, err := env.path(name)
	if err != nil {
		return err
	}
	switch _, err := os.Lstat(path); {
	case err == nil && !o.force:
		return failf("%s is there already", name).hint("--force replaces it, --output gives another name")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := tcpdb.WriteFile(path, s.Encode()); err != nil {
		return lockFailure(err)
	}
	licence := ""
	if s.Origin != nil {
		licence = s.Origin.Licence
	}
	if o.json {
		return env.printJSON(struct {
			V       int    `json:"v"`
			Tool    string `json:"tool"`
			File    string `json:"file"`
			Digest  string `json:"digest"`
			Licence string `json:"licence"`
			Layer   string `json:"layer"`
		}{1, s.Tool, path, s.Shared.Digest, licence, found.layer})
	}
	fmt.Fprintf(env.Stdout, "%s: %s\n%s\n", oneLine(name), oneLine(found.label()), s.Shared.Digest)
	if licence == "" {
		env.notice("no licence is noted: others do not know whether they may use it")
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
	out.Shared = &opmap.Shared{Digest: out.Digest(), Date: now.UTC().Format(time.RFC3339), By: "tmp " + buildVersion()}
	return &out
}
