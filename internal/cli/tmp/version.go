package tmp

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

type versionOptions struct{ json bool }

func newVersion(env *Env, f *flags) runFunc {
	var o versionOptions
	f.Bool("json", &o.json)
	return func(input) error { return o.run(env) }
}

func (o *versionOptions) run(env *Env) error {
	if o.json {
		return env.printJSON(struct {
			V       int    `json:"v"`
			Version string `json:"version"`
			Go      string `json:"go"`
			OS      string `json:"os"`
			Arch    string `json:"arch"`
		}{1, buildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH})
	}
	fmt.Fprintf(env.Stdout, "tmp %s (%s, %s/%s)\n", buildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// buildVersion is the module's version, or "devel" with the revision it was
// built from.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return strings.TrimPrefix(v, "v")
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}
