package resolvers

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// containerObjects answers docker:KIND and podman:KIND through the tool.
func containerObjects(tool, kind string) Func {
	return func(ctx context.Context, r Request) Answer {
		q := toolQuery{
			tool: tool, fresh: 2 * time.Second,
			env: []string{"DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "DOCKER_CERT_PATH", "DOCKER_TLS_VERIFY", "CONTAINER_HOST", "XDG_RUNTIME_DIR"},
		}
		if tool == "docker" {
			if to, ok := option(r.Words, true, "--context", "-c"); ok && !has(r.Words, "run", "exec", "create") {
				q.args = append(q.args, "--context="+to)
			}
			if to, ok := option(r.Words, true, "--host", "-H"); ok {
				q.args = append(q.args, "--host="+to)
			}
		}
		word := strings.TrimSuffix(kind, "s")
		switch kind {
		case "containers":
			q.args = append(q.args, "ps", "--all", "--format", "{{.Names}}\t{{.Image}}, {{.Status}}")
		case "running":
			word = "container"
			q.args = append(q.args, "ps", "--format", "{{.Names}}\t{{.Image}}, {{.Status}}")
		case "images":
			q.args = append(q.args, "images", "--format", "{{.Repository}}:{{.Tag}}\t{{.ID}}, {{.Size}}")
		case "volumes":
			q.args = append(q.args, "volume", "ls", "--format", "{{.Name}}\t{{.Driver}}")
		case "networks":
			q.args = append(q.args, "network", "ls", "--format", "{{.Name}}\t{{.Driver}}")
		case "pods":
			q.args = append(q.args, "pod", "ps", "--format", "{{.Name}}\t{{.Status}}")
		}
		return q.lines(ctx, r, func(line string) (Value, bool) {
			f := fields(line, 2)
			name, _, _ := strings.Cut(f[0], ",") // docker lists the links' names too
			name = strings.TrimSuffix(name, ":latest")
			return Value{Value: name, Description: oneLine(f[1], 100), Kind: word}, !strings.Contains(name, "<none>")
		})
	}
}

// dockerContexts answers docker:contexts from the files of the configuration.
func dockerContexts(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	dir := r.getenv("DOCKER_CONFIG")
	if dir == "" {
		dir = filepath.Join(r.getenv("HOME"), ".docker")
	}
	c.add(Value{Value: "default", Kind: "context", Weight: 1})
	meta := within(r.Dir, filepath.Join(dir, "contexts", "meta"))
	_ = readDir(meta, func(name []byte, typ entryType) bool {
		data, err := readRegular(filepath.Join(meta, string(name), "meta.json"), maxManifest)
		if err != nil {
			return !c.late()
		}
		_ = readJSON(data, func(j *jsonReader) error {
			return j.object(func(key string) error {
				if key != "Name" {
					return j.skip()
				}
				text, err := j.text()
				if text != "" {
					c.add(Value{Value: text, Kind: "context"})
				}
				return err
			})
		})
		return !c.late()
	})
	return c.answer()
}

// composeServices answers docker:services: the services of the compose file
// that -f names, or of the nearest one upwards.
func composeServices(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	paths := options(r.Words, true, "-f", "--file")
	if len(paths) == 0 {
		path, err := composeFile(r.Dir)
		if err != nil {
			return failed(err)
		}
		paths = []string{path}
	}
	for _, path := range paths {
		data, err := readRegular(within(r.Dir, path), maxManifest)
		if err != nil {
			return failed(err)
		}
		entries := yamlEntries(string(data), "services")
		for i, e := range entries {
			text := e.values["image"]
			if text == "" {
				text = e.values["build"]
			}
			c.add(Value{Value: e.name, Description: oneLine(text, 100), Kind: "service", Weight: len(entries) - i})
		}
	}
	return c.answer()
}

func composeFile(dir string) (string, error) {
	for at := dir; filepath.IsAbs(at); at = filepath.Dir(at) {
		for _, name := range [...]string{"compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml"} {
			if path := filepath.Join(at, name); isFile(path) {
				return path, nil
			}
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return "", nowhere("no compose file", dir)
}

// kubeFiles are the configuration files of kubectl that are there.
func kubeFiles(r Request) ([]string, error) {
	list := r.getenv("KUBECONFIG")
	if to, ok := option(r.Words, false, "--kubeconfig"); ok {
		list = to
	}
	if list == "" {
		list = filepath.Join(r.getenv("HOME"), ".kube", "config")
	}
	var files []string
	for path := range strings.SplitSeq(list, string(os.PathListSeparator)) {
		if path = within(r.Dir, path); isFile(path) {
			files = append(files, path)
		}
	}
	if len(files) == 0 {
		return nil, errors.New("no kubectl configuration: " + list)
	}
	return files, nil
}

// kubeConfig answers kubectl:contexts, :clusters and :users, the names in the
// configuration, the current context first.
func kubeConfig(section string) Func {
	return func(ctx context.Context, r Request) Answer {
		c := newCollector(ctx, r)
		files, err := kubeFiles(r)
		if err != nil {
			return failed(err)
		}
		for _, path := range files {
			data, err := readRegular(path, maxManifest)
			if err != nil {
				return failed(err)
			}
			current := yamlTop(string(data), "current-context")
			for _, e := range yamlItems(string(data), section) {
				v := Value{Value: e.name, Kind: strings.TrimSuffix(section, "s"), Description: oneLine(e.values["cluster"], 100)}
				if section == "clusters" {
					v.Description = oneLine(e.values["server"], 100)
				}
				if v.Value == current {
					v.Weight = 1
				}
				c.add(v)
			}
		}
		return c.answer()
	}
}

// kubeQuery is a question to the cluster that the words name.
func kubeQuery(r Request, args ...string) toolQuery {
	q := toolQuery{tool: "kubectl", fresh: 5 * time.Second, env: []string{"KUBECONFIG", "AWS_PROFILE", "XDG_CONFIG_HOME"}}
	q.args = append(q.args, args...)
	q.args = append(q.args, "--request-timeout=5s")
	if to, ok := option(r.Words, false, "--context"); ok {
		q.args = append(q.args, "--context="+to)
	}
	if to, ok := option(r.Words, true, "-n", "--namespace"); ok {
		q.args = append(q.args, "--namespace="+to)
	}
	if to, ok := option(r.Words, false, "--kubeconfig"); ok && filepath.IsAbs(to) {
		q.args = append(q.args, "--kubeconfig="+to)
	}
	return q
}

// kubeNames answers kubectl:KIND with the names of objects of one kind.
func kubeNames(kind string) Func {
	return func(ctx context.Context, r Request) Answer {
		if _, err := kubeFiles(r); err != nil {
			return failed(err)
		}
		word := strings.TrimSuffix(kind, "s")
		return kubeQuery(r, "get", kind, "-o", "name").lines(ctx, r, func(line string) (Value, bool) {
			_, name, ok := strings.Cut(line, "/")
			return Value{Value: name, Kind: word}, ok
		})
	}
}

// kubeObjects answers kubectl:objects: the names of the type that stands before
// (kubectl get pods NAME); where none does, the common types and TYPE/NAME.
func kubeObjects(ctx context.Context, r Request) Answer {
	slash := strings.IndexByte(r.Filter.Text, '/')
	if slash < 0 {
		if kind := kubeType(r.Words); kind != "" {
			return kubeNames(kind)(ctx, r)
		}
		c := newCollector(ctx, r)
		for i, t := range kubeTypes {
			c.add(Value{Value: t, Kind: "type", Weight: len(kubeTypes) - i})
		}
		return c.answer()
	}
	kind := r.Filter.Text[:slash]
	if kubeType([]string{"get", kind}) == "" {
		return Answer{State: Fresh}
	}
	if _, err := kubeFiles(r); err != nil {
		return failed(err)
	}
	return kubeQuery(r, "get", kind, "-o", "name").lines(ctx, r, func(line string) (Value, bool) {
		_, name, ok := strings.Cut(line, "/")
		return Value{Value: kind + "/" + name, Kind: kind}, ok
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

// containerMounts answers docker:mounts and podman:mounts: what -v takes on
// this side, a directory by its path or a volume by its name.
func containerMounts(tool string) Func {
	volumes := containerObjects(tool, "volumes")
	return func(ctx context.Context, r Request) Answer {
		if strings.IndexAny(r.Filter.Text, "/.~") == 0 {
			return listFiles(ctx, r)
		}
		a := volumes(ctx, r)
		if a.State == Failed {
			a = Answer{State: Fresh} // directories can be mounted without asking
		}
		if r.Filter.Text != "" {
			return a // "src" names a volume, "./src" the directory
		}
		r.Filter.Text = "./"
		for _, v := range listDirs(ctx, r).Values {
			v.Weight = -1
			a.Values = append(a.Values, v)
		}
		return a
	}
}
