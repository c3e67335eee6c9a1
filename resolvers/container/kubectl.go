package container

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/yaml"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// kubeFiles are the configuration files of kubectl that are there.
func kubeFiles(r resolvers.Request) ([]string, error) {
	list := r.Env("KUBECONFIG")
	if to, ok := resolvers.Option(r.Words, false, "--kubeconfig"); ok {
		list = to
	}
	if list == "" {
		list = filepath.Join(r.Env("HOME"), ".kube", "config")
	}
	var files []string
	for path := range strings.SplitSeq(list, string(os.PathListSeparator)) {
		if path = disk.Within(r.Dir, path); disk.IsFile(path) {
			files = append(files, path)
		}
	}
	if len(files) == 0 {
		return nil, errors.New("no kubectl configuration: " + list)
	}
	return files, nil
}

// KubeConfig answers kubectl:contexts, :clusters and :users, the names in the
// configuration, the current context first.
func KubeConfig(ctx context.Context, r resolvers.Request) resolvers.Answer {
	_, section, _ := strings.Cut(r.Name, ":")
	c := resolvers.NewCollector(ctx, r)
	files, err := kubeFiles(r)
	if err != nil {
		return resolvers.Failure(err)
	}
	for _, path := range files {
		data, err := disk.ReadRegular(path, disk.MaxManifest)
		if err != nil {
			return resolvers.Failure(err)
		}
		root, err := yaml.Parse(string(data))
		if err != nil {
			return resolvers.Failure(&fs.PathError{Op: "read", Path: path, Err: err})
		}
		for _, n := range root.At(section).List() {
			v := resolvers.Value{Value: n.At("name").Str(), Kind: strings.TrimSuffix(section, "s")}
			switch section {
			case "contexts":
				v.Description = resolvers.OneLine(n.At("context").At("cluster").Str(), 100)
			case "clusters":
				v.Description = resolvers.OneLine(n.At("cluster").At("server").Str(), 100)
			}
			if v.Value != "" && v.Value == root.At("current-context").Str() {
				v.Weight = 1
			}
			if v.Value != "" {
				c.Add(v)
			}
		}
	}
	return c.Answer()
}

// kubeQuery is a question to the cluster that the words name.
func kubeQuery(r resolvers.Request, args ...string) resolvers.Query {
	q := resolvers.Query{Tool: "kubectl", Fresh: 5 * time.Second, Env: []string{"KUBECONFIG", "AWS_PROFILE", "XDG_CONFIG_HOME"}}
	q.Args = append(q.Args, args...)
	q.Args = append(q.Args, "--request-timeout=5s")
	if to, ok := resolvers.Option(r.Words, false, "--context"); ok {
		q.Args = append(q.Args, "--context="+to)
	}
	if to, ok := resolvers.Option(r.Words, true, "-n", "--namespace"); ok {
		q.Args = append(q.Args, "--namespace="+to)
	}
	if to, ok := resolvers.Option(r.Words, false, "--kubeconfig"); ok && filepath.IsAbs(to) {
		q.Args = append(q.Args, "--kubeconfig="+to)
	}
	return q
}

// KubeNames answers kubectl:KIND with the names of objects of one kind.
func KubeNames(ctx context.Context, r resolvers.Request) resolvers.Answer {
	_, kind, _ := strings.Cut(r.Name, ":")
	return kubeNamesOf(ctx, r, kind)
}

func kubeNamesOf(ctx context.Context, r resolvers.Request, kind string) resolvers.Answer {
	if _, err := kubeFiles(r); err != nil {
		return resolvers.Failure(err)
	}
	word := strings.TrimSuffix(kind, "s")
	return kubeQuery(r, "get", kind, "-o", "name").Lines(ctx, r, func(line string) (resolvers.Value, bool) {
		_, name, ok := strings.Cut(line, "/")
		return resolvers.Value{Value: name, Kind: word}, ok
	})
}

// KubeObjects answers kubectl:objects: the names of the type that stands before
// (kubectl get pods NAME); where none does, the common types and TYPE/NAME.
func KubeObjects(ctx context.Context, r resolvers.Request) resolvers.Answer {
	slash := strings.IndexByte(r.Filter.Text, '/')
	if slash < 0 {
		if kind := kubeType(r.Words); kind != "" {
			return kubeNamesOf(ctx, r, kind)
		}
		c := resolvers.NewCollector(ctx, r)
		for i, t := range kubeTypes {
			c.Add(resolvers.Value{Value: t, Kind: "type", Weight: len(kubeTypes) - i})
		}
		return c.Answer()
	}
	kind := r.Filter.Text[:slash]
	if kubeType([]string{"get", kind}) == "" {
		return resolvers.Answer{State: resolvers.Fresh}
	}
	if _, err := kubeFiles(r); err != nil {
		return resolvers.Failure(err)
	}
	return kubeQuery(r, "get", kind, "-o", "name").Lines(ctx, r, func(line string) (resolvers.Value, bool) {
		_, name, ok := strings.Cut(line, "/")
		return resolvers.Value{Value: kind + "/" + name, Kind: kind}, ok
	})
}

// kubeTypes are the types that people name most, the commonest first.
var kubeTypes = [...]string{
	"pods", "services", "deployments", "nodes", "namespaces", "configmaps", "secrets", "ingresses", "jobs", "cronjobs",
	"statefulsets", "daemonsets", "replicasets", "events", "persistentvolumeclaims", "persistentvolumes", "serviceaccounts",
	"endpoints", "all", "roles", "rolebindings", "clusterroles", "clusterrolebindings", "storageclasses", "networkpolicies",
	"horizontalpodautoscalers", "customresourcedefinitions", "pod", "service", "deployment", "node", "namespace", "configmap",
	"secret", "ingress", "job", "cronjob", "statefulset", "daemonset", "replicaset", "po", "svc", "deploy", "no", "ns", "cm",
	"ing", "cj", "sts", "ds", "rs", "ev", "pvc", "pv", "sa", "ep", "hpa", "crd", "crds", "quota", "limits", "netpol", "sc",
}

// kubeType is the type that the words after the sub-command name, or "".
func kubeType(words []string) string {
	for _, w := range words {
		for _, t := range kubeTypes {
			if w == t && w != "all" {
				return t
			}
		}
	}
	return ""
}

// KubeContext returns the current context of kubectl's configuration and its
// namespace, "" if it has none. ok is false if a file of it cannot be read.
func KubeContext(dir string, getenv func(string) string) (context, namespace string, ok bool) {
	files, err := kubeFiles(resolvers.Request{Dir: dir, Getenv: getenv})
	if err != nil {
		return "", "", true
	}
	ok = true
	var roots []*yaml.Node
	for _, path := range files {
		data, err := disk.ReadRegular(path, disk.MaxManifest)
		if err != nil {
			continue
		}
		root, err := yaml.Parse(string(data))
		if err != nil {
			ok = false
			continue
		}
		roots = append(roots, root)
		if context == "" { // of several files the first that says it counts
			context = root.At("current-context").Str()
		}
	}
	for _, root := range roots {
		for _, item := range root.At("contexts").List() {
			if context != "" && item.At("name").Str() == context {
				return context, item.At("context").At("namespace").Str(), ok
			}
		}
	}
	return context, "", ok
}
