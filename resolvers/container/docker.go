package container

import (
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/jsonscan"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// DockerContext returns the context that docker's configuration selects, "" for
// the default one.
func DockerContext(getenv func(string) string) string {
	r := resolvers.Request{Getenv: getenv}
	dir := r.Env("DOCKER_CONFIG")
	if dir == "" {
		dir = filepath.Join(r.Env("HOME"), ".docker")
	}
	current := ""
	data, err := disk.ReadRegular(filepath.Join(dir, "config.json"), disk.MaxManifest)
	if err != nil {
		return ""
	}
	_ = jsonscan.Read(data, func(j *jsonscan.Reader) error {
		return j.Object(func(key string) error {
			if key != "currentContext" {
				return j.Skip()
			}
			var err error
			current, err = j.MaybeText()
			return err
		})
	})
	return current
}
