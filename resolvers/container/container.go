// Package container has the values of docker, podman, kubectl and helm.
package container

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/jsonscan"
	"github.com/tool-mapping-protocol/tmp/internal/yaml"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/files"
)

// Objects answers docker:KIND and podman:KIND through the tool.
func Objects(ctx context.Context, r resolvers.Request) resolvers.Answer {
	tool, kind, _ := strings.Cut(r.Name, ":")
	return toolObjects(ctx, r, tool, kind)
}

func toolObjects(ctx context.Context, r resolvers.Request, tool, kind string) resolvers.Answer {
	q := resolvers.Query{
		Tool: tool, Fresh: 2 * time.Second,
		Env: []string{"DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "DOCKER_CERT_PATH", "DOCKER_TLS_VERIFY", "CONTAINER_HOST", "XDG_RUNTIME_DIR"},
	}
	if tool == "docker" {
		if to, ok := resolvers.Option(r.Words, true, "--context", "-c"); ok && !resolvers.Has(r.Words, "run", "exec", "create") {
			q.Args = append(q.Args, "--context="+to)
		}
		if to, ok := resolvers.Option(r.Words, true, "--host", "-H"); ok {
			q.Args = append(q.Args, "--host="+to)
		}
	}
	word := strings.TrimSuffix(kind, "s")
	switch kind {
	case "containers":
		q.Args = append(q.Args, "ps", "--all", "--format", "{{.Names}}\t{{.Image}}, {{.Status}}")
	case "running":
		word = "container"
		q.Args = append(q.Args, "ps", "--format", "{{.Names}}\t{{.Image}}, {{.Status}}")
	case "images":
		q.Args = append(q.Args, "images", "--format", "{{.Repository}}:{{.Tag}}\t{{.ID}}, {{.Size}}")
	case "volumes":
		q.Args = append(q.Args, "volume", "ls", "--format", "{{.Name}}\t{{.Driver}}")
	case "networks":
		q.Args = append(q.Args, "network", "ls", "--format", "{{.Name}}\t{{.Driver}}")
	case "pods":
		q.Args = append(q.Args, "pod", "ps", "--format", "{{.Name}}\t{{.Status}}")
	}
	return q.Lines(ctx, r, func(line string) (resolvers.Value, bool) {
		f := resolvers.Fields(line, 2)
		name, _, _ := strings.Cut(f[0], ",") // docker lists the links' names too
		name = strings.TrimSuffix(name, ":latest")
		return resolvers.Value{Value: name, Description: resolvers.OneLine(f[1], 100), Kind: word}, !strings.Contains(name, "<none>")
	})
}

// DockerContexts answers docker:contexts from the files of the configuration.
func DockerContexts(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	dir := r.Env("DOCKER_CONFIG")
	if dir == "" {
		dir = filepath.Join(r.Env("HOME"), ".docker")
	}
	c.Add(resolvers.Value{Value: "default", Kind: "context", Weight: 1})
	meta := disk.Within(r.Dir, filepath.Join(dir, "contexts", "meta"))
	_ = disk.ReadDir(meta, func(name []byte, typ disk.Type) bool {
		data, err := disk.ReadRegular(filepath.Join(meta, string(name), "meta.json"), disk.MaxManifest)
		if err != nil {
			return !c.Late()
		}
		_ = jsonscan.Read(data, func(j *jsonscan.Reader) error {
			return j.Object(func(key string) error {
				if key != "Name" {
					return j.Skip()
				}
				text, err := j.Text()
				if text != "" {
					c.Add(resolvers.Value{Value: text, Kind: "context"})
				}
				return err
			})
		})
		return !c.Late()
	})
	return c.Answer()
}

// ComposeServices answers docker:services: the services of the compose file
// that -f names, or of the nearest one upwards.
func ComposeServices(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	paths := resolvers.Options(r.Words, true, "-f", "--file")
	if len(paths) == 0 {
		path, err := composeFile(r.Dir)
		if err != nil {
			return resolvers.Failure(err)
		}
		paths = []string{path}
	}
	for _, path := range paths {
		data, err := disk.ReadRegular(disk.Within(r.Dir, path), disk.MaxManifest)
		if err != nil {
			return resolvers.Failure(err)
		}
		root, err := yaml.Parse(string(data))
		if err != nil {
			return resolvers.Failure(&fs.PathError{Op: "read", Path: path, Err: err})
		}
		services := root.At("services")
		for i, name := range services.Names() {
			text := services.Values[i].At("image").Str()
			if text == "" {
				text = services.Values[i].At("build").Str()
			}
			if name != "" {
				c.Add(resolvers.Value{Value: name, Description: resolvers.OneLine(text, 100), Kind: "service", Weight: len(services.Keys) - i})
			}
		}
	}
	return c.Answer()
}

func composeFile(dir string) (string, error) {
	for at := dir; filepath.IsAbs(at); at = filepath.Dir(at) {
		for _, name := range [...]string{"compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml"} {
			if path := filepath.Join(at, name); disk.IsFile(path) {
				return path, nil
			}
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return "", resolvers.Nowhere("no compose file", dir)
}

// Mounts answers docker:mounts and podman:mounts: what -v takes on
// this side, a directory by its path or a volume by its name.
func Mounts(ctx context.Context, r resolvers.Request) resolvers.Answer {
	if strings.IndexAny(r.Filter.Text, "/.~") == 0 {
		return files.Files(ctx, r)
	}
	tool, _, _ := strings.Cut(r.Name, ":")
	a := toolObjects(ctx, r, tool, "volumes")
	if a.State == resolvers.Failed {
		a = resolvers.Answer{State: resolvers.Fresh} // directories can be mounted without asking
	}
	if r.Filter.Text != "" {
		return a // "src" names a volume, "./src" the directory
	}
	r.Filter.Text = "./"
	for _, v := range files.Dirs(ctx, r).Values {
		v.Weight = -1
		a.Values = append(a.Values, v)
	}
	return a
}
