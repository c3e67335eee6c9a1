package facts

import (
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/resolvers/cloud"
	"github.com/tool-mapping-protocol/tmp/resolvers/container"
	"github.com/tool-mapping-protocol/tmp/resolvers/git"
)

// inside reports whether a path lies below the working directory wherever links
// lead, and is there.
func (w *World) inside(t line.Target) bool {
	p := w.absolute(t)
	if p == "" || t.Glob || w.Dir == "" {
		return false
	}
	real, err := filepath.EvalSymlinks(p)
	dir, errDir := filepath.EvalSymlinks(w.Dir)
	return err == nil && errDir == nil && dir != "/" && strings.HasPrefix(real, dir+"/")
}

// around tells what a surrounding of the working directory is.
func (w *World) around(s ask.Surrounding) (is string, known bool) {
	switch s {
	case ask.GitBranch:
		return git.CurrentBranch(w.Dir, w.Getenv)
	case ask.KubeContext:
		context, namespace, known := container.KubeContext(w.Dir, w.Getenv)
		if namespace != "" {
			context += ", namespace " + namespace
		}
		return context, known
	case ask.DockerContext:
		return container.DockerContext(w.Getenv), true
	case ask.CloudProject:
		return cloud.GcloudConfiguration(w.Getenv), true
	case ask.TerraformContext:
		return cloud.TerraformWorkspace(w.Dir, w.Getenv), true
	case ask.WorkingDirectory:
		return w.Dir, w.Dir != ""
	}
	return "", false
}

// env returns the variables of the environment with some names, sorted. What
// may be a secret is shown as a digest, which tells whether it is the same.
func (w *World) env(names []string) []string {
	found := map[string]bool{}
	for _, name := range names {
		prefix, many := strings.CutSuffix(name, "*")
		if !many {
			found[name] = true
			continue
		}
		for _, v := range os.Environ() {
			if n, _, _ := strings.Cut(v, "="); strings.HasPrefix(n, prefix) {
				found[n] = true
			}
		}
	}
	var out []string
	for n := range found {
		if value := w.Getenv(n); value != "" && !password(n) {
			out = append(out, n+"="+shown(n, value))
		}
	}
	slices.Sort(out)
	return out
}

// shown is the value of a variable as a form may hold it.
func shown(name, value string) string {
	if scheme, rest, ok := strings.Cut(value, "://"); ok {
		if user, host, ok := strings.Cut(rest, "@"); ok { // without the password
			user, _, _ = strings.Cut(user, ":")
			value = scheme + "://" + user + "@" + host
		}
	}
	upper := strings.ToUpper(name)
	for _, s := range [...]string{"TOKEN", "KEY", "CREDENTIAL", "AUTH", "DSN", "VAR_", "JSON", "COOKIE"} {
		if strings.Contains(upper, s) {
			return digest(value)
		}
	}
	if len(value) > 80 || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' }) {
		return digest(value)
	}
	return value
}

// digest is no protection of a short secret: passwords are never handed to it.
func digest(value string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(value))
	return "#" + strconv.FormatUint(h.Sum64(), 16)
}

// password reports whether a variable only proves who one is, and is of no
// account for where a command acts.
func password(name string) bool {
	name = strings.ToUpper(name)
	return strings.Contains(name, "PASS") || strings.Contains(name, "SECRET") || strings.Contains(name, "SESSION_TOKEN") || strings.Contains(name, "EXPIRATION")
}
