package resolvers

import (
	"errors"
	"path/filepath"
	"strings"
)

// The functions here tell what the tools of a directory act on where their words
// do not say it. They read the files that the tools keep it in, and run nothing.
// getenv nil means the process's environment.

// CurrentBranch returns the branch of the work tree that a directory is in,
// "(detached)" where HEAD names a commit, "" outside of any. ok is false if it
// cannot be read.
func CurrentBranch(dir string, getenv func(string) string) (branch string, ok bool) {
	repo, err := openGit(Request{Dir: dir, Getenv: getenv})
	if err != nil {
		return "", errors.Is(err, errNoRepo)
	}
	switch branch = repo.currentBranch(); branch {
	case ".invalid": // refs in a reftable
		return "", false
	case "":
		return "(detached)", true
	}
	return branch, true
}

// KubeContext returns the current context of kubectl's configuration and its
// namespace, "" if it has none.
func KubeContext(dir string, getenv func(string) string) (context, namespace string) {
	r := Request{Dir: dir, Getenv: getenv}
	files, err := kubeFiles(r)
	if err != nil {
		return "", ""
	}
	var texts []string
	for _, path := range files {
		if data, err := readRegular(path, maxManifest); err == nil {
			texts = append(texts, string(data))
		}
	}
	var roots []*yamlNode
	for _, text := range texts {
		root := parseYAML(text)
		roots = append(roots, root)
		if context == "" { // of several files the first that says it counts
			context = root.at("current-context").str()
		}
	}
	for _, root := range roots {
		for _, item := range items(root.at("contexts")) {
			if context != "" && item.at("name").str() == context {
				return context, item.at("context").at("namespace").str()
			}
		}
	}
	return context, ""
}

// DockerContext returns the context that docker's configuration selects, "" for
// the default one.
func DockerContext(getenv func(string) string) string {
	r := Request{Getenv: getenv}
	dir := r.getenv("DOCKER_CONFIG")
	if dir == "" {
		dir = filepath.Join(r.getenv("HOME"), ".docker")
	}
	current := ""
	data, err := readRegular(filepath.Join(dir, "config.json"), maxManifest)
	if err != nil {
		return ""
	}
	_ = readJSON(data, func(j *jsonReader) error {
		return j.object(func(key string) error {
			if key != "currentContext" {
				return j.skip()
			}
			var err error
			current, err = j.maybeText()
			return err
		})
	})
	return current
}

// GcloudConfiguration returns the name of gcloud's active configuration, and the
// project and account that it sets.
func GcloudConfiguration(getenv func(string) string) string {
	r := Request{Getenv: getenv}
	dir := r.getenv("CLOUDSDK_CONFIG")
	if dir == "" {
		dir = filepath.Join(r.getenv("HOME"), ".config", "gcloud")
	}
	data, err := readRegular(filepath.Join(dir, "active_config"), 4096)
	if err != nil {
		return ""
	}
	name := strings.TrimSpace(string(data))
	out := name
	if strings.ContainsAny(name, "/\x00") {
		return out
	}
	_ = eachLine(filepath.Join(dir, "configurations", "config_"+name), func(line string) {
		key, value, ok := strings.Cut(line, "=")
		if key = strings.TrimSpace(key); ok && (key == "project" || key == "account") {
			out += " " + strings.TrimSpace(value)
		}
	})
	return out
}

// TerraformWorkspace returns the workspace that is selected in a directory, ""
// for the default one.
func TerraformWorkspace(dir string, getenv func(string) string) string {
	r := Request{Dir: dir, Getenv: getenv}
	data := r.getenv("TF_DATA_DIR")
	if data == "" {
		data = ".terraform"
	}
	text, err := readRegular(filepath.Join(within(dir, data), "environment"), 4096)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
