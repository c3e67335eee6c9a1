package container

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/yaml"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// HelmRepos answers helm:repos from the file of repositories.
func HelmRepos(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	path := r.Env("HELM_REPOSITORY_CONFIG")
	if path == "" {
		config := r.Env("XDG_CONFIG_HOME")
		if config == "" {
			config = filepath.Join(r.Env("HOME"), ".config")
		}
		path = filepath.Join(config, "helm", "repositories.yaml")
	}
	data, err := disk.ReadRegular(disk.Within(r.Dir, path), disk.MaxManifest)
	if err != nil {
		return resolvers.Failure(err)
	}
	root, err := yaml.Parse(string(data))
	if err != nil {
		return resolvers.Failure(&fs.PathError{Op: "read", Path: path, Err: err})
	}
	for _, n := range root.At("repositories").List() {
		if name := n.At("name").Str(); name != "" {
			c.Add(resolvers.Value{Value: name, Description: resolvers.OneLine(n.At("url").Str(), 100), Kind: "repository"})
		}
	}
	return c.Answer()
}

// HelmReleases answers helm:releases through the tool.
func HelmReleases(ctx context.Context, r resolvers.Request) resolvers.Answer {
	q := kubeQuery(r)
	q.Tool, q.Args = "helm", append([]string{"list", "--short"}, q.Args...)
	q.Args = slices.DeleteFunc(q.Args, func(s string) bool { return strings.HasPrefix(s, "--request-timeout") })
	for i, a := range q.Args {
		if to, ok := strings.CutPrefix(a, "--context="); ok {
			q.Args[i] = "--kube-context=" + to
		}
	}
	if to, ok := resolvers.Option(r.Words, false, "--kube-context"); ok {
		q.Args = append(q.Args, "--kube-context="+to)
	}
	return q.Lines(ctx, r, func(line string) (resolvers.Value, bool) { return resolvers.Value{Value: line, Kind: "release"}, true })
}
