package tmp

import (
	"encoding/hex"
	"fmt"
	"runtime"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/version"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

type versionOptions struct{ json bool }

func newVersion(env *term.Env, f *command.Flags) command.Run {
	var o versionOptions
	f.Bool("json", &o.json)
	return func(command.Input) error { return o.run(env) }
}

func (o *versionOptions) run(env *term.Env) error {
	digest := tcpdb.Core().Digest()
	core := hex.EncodeToString(digest[:])
	if o.json {
		return env.PrintJSON(struct {
			V       int    `json:"v"`
			Version string `json:"version"`
			Go      string `json:"go"`
			OS      string `json:"os"`
			Arch    string `json:"arch"`
			Core    string `json:"core"` // SHA-256 of the core map
		}{1, version.Text(), runtime.Version(), runtime.GOOS, runtime.GOARCH, core})
	}
	fmt.Fprintf(env.Stdout, "tmp %s (%s, %s/%s, core map %.12s)\n", version.Text(), runtime.Version(), runtime.GOOS, runtime.GOARCH, core)
	return nil
}
