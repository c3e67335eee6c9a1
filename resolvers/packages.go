package resolvers

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
)

// maxPackageList bounds a list of packages, in bytes.
const maxPackageList = 256 << 20

// aptInstalled answers apt:installed from dpkg's record.
func aptInstalled(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	const status = "/var/lib/dpkg/status"
	data, err := readRegular(status, maxPackageList)
	if err != nil {
		return failed(err)
	}
	eachStanza(c, data, func(name string, stanza []byte) {
		if bytes.Contains(stanza, []byte("\nStatus: install ok installed")) {
			c.add(Value{Value: name, Description: stanzaField(stanza, "Description"), Kind: "package"})
		}
	})
	return c.answer()
}

// aptPackages answers apt:packages: what the lists of the repositories offer,
// and without them what is installed. Two letters must be typed: there are
// 60 000 of them.
func aptPackages(ctx context.Context, r Request) Answer {
	const lists = "/var/lib/apt/lists"
	if len(r.Filter.Text) < 2 || r.Filter.Mode > SmartCase {
		return aptInstalled(ctx, r)
	}
	c := newCollector(ctx, r)
	var files []string
	_ = readDir(lists, func(name []byte, typ entryType) bool {
		if strings.HasSuffix(view(name), "_Packages") {
			files = append(files, filepath.Join(lists, string(name)))
		}
		return true
	})
	if len(files) == 0 {
		return aptInstalled(ctx, r)
	}
	slices.Sort(files)
	for _, path := range files {
		if c.late() {
			break
		}
		data, err := readRegular(path, maxPackageList)
		if err != nil {
			continue
		}
		eachStanza(c, data, func(name string, stanza []byte) {
			c.add(Value{Value: name, Description: stanzaField(stanza, "Description"), Kind: "package"})
		})
	}
	return c.answer()
}

// eachStanza goes over the packages of a control file (deb-control(5)) whose
// names pass the filter.
func eachStanza(c *collector, data []byte, f func(name string, stanza []byte)) {
	text := view(data)
	for text != "" && !c.late() {
		stanza, rest, _ := strings.Cut(text, "\n\n")
		text = rest
		if rest, ok := strings.CutPrefix(stanza, "Package: "); ok {
			name, _, _ := strings.Cut(rest, "\n")
			if c.filter.Keep(name) {
				f(strings.Clone(name), []byte(stanza))
			}
		}
	}
}

func stanzaField(stanza []byte, name string) string {
	_, rest, ok := strings.Cut(view(stanza), "\n"+name+": ")
	if !ok {
		return ""
	}
	rest, _, _ = strings.Cut(rest, "\n")
	return oneLine(rest, 100)
}

// namesOfDir lists the entries of a directory under one of the roots as values.
func namesOfDir(ctx context.Context, r Request, kind string, trim func(name string) string, roots ...string) Answer {
	c := newCollector(ctx, r)
	found := false
	for _, root := range roots {
		if !filepath.IsAbs(root) {
			continue
		}
		found = readDir(root, func(name []byte, typ entryType) bool {
			if text := trim(view(name)); text != "" && text[0] != '.' {
				c.add(Value{Value: strings.Clone(text), Kind: kind})
			}
			return !c.late()
		}) == nil || found
	}
	if !found {
		return failed(nowhere("no list of "+kind+"s", roots[0]))
	}
	return c.answer()
}

func asItIs(name string) string { return name }

// brewInstalled answers brew:installed: the kegs and casks that are there.
func brewInstalled(ctx context.Context, r Request) Answer {
	prefix := r.getenv("HOMEBREW_PREFIX")
	roots := []string{"/opt/homebrew", "/usr/local", "/home/linuxbrew/.linuxbrew"}
	if filepath.IsAbs(prefix) {
		roots = []string{prefix}
	}
	var dirs []string
	for _, root := range roots {
		dirs = append(dirs, filepath.Join(root, "Cellar"), filepath.Join(root, "Caskroom"))
	}
	return namesOfDir(ctx, r, "package", asItIs, dirs...)
}

// pacmanInstalled answers pacman:installed from the local database, whose
// directories are NAME-VERSION-RELEASE.
func pacmanInstalled(ctx context.Context, r Request) Answer {
	return namesOfDir(ctx, r, "package", func(name string) string {
		for range 2 {
			i := strings.LastIndexByte(name, '-')
			if i <= 0 {
				return ""
			}
			name = name[:i]
		}
		return name
	}, "/var/lib/pacman/local")
}

// rustupToolchains answers rustup:toolchains.
func rustupToolchains(ctx context.Context, r Request) Answer {
	dir := r.getenv("RUSTUP_HOME")
	if dir == "" {
		dir = filepath.Join(r.getenv("HOME"), ".rustup")
	}
	return namesOfDir(ctx, r, "toolchain", asItIs, filepath.Join(within(r.Dir, dir), "toolchains"))
}

// gcloudConfigurations answers gcloud:configurations.
func gcloudConfigurations(ctx context.Context, r Request) Answer {
	dir := r.getenv("CLOUDSDK_CONFIG")
	if dir == "" {
		dir = filepath.Join(r.getenv("HOME"), ".config", "gcloud")
	}
	return namesOfDir(ctx, r, "configuration", func(name string) string {
		text, ok := strings.CutPrefix(name, "config_")
		if !ok {
			return ""
		}
		return text
	}, filepath.Join(within(r.Dir, dir), "configurations"))
}

// iniSections lists the sections of a configuration file, "default" first.
func iniSections(ctx context.Context, r Request, kind, prefix string, paths ...string) Answer {
	c := newCollector(ctx, r)
	found := false
	for _, path := range paths {
		found = eachLine(path, func(line string) {
			line = strings.TrimSpace(line)
			if !strings.HasPrefix(line, "[") || !strings.HasSuffix(line, "]") {
				return
			}
			name := strings.TrimSpace(strings.TrimPrefix(line[1:len(line)-1], prefix))
			v := Value{Value: name, Kind: kind}
			if name == "default" {
				v.Weight = 1
			}
			if name != "" && !strings.Contains(name, " ") {
				c.add(v)
			}
		}) == nil || found
	}
	if !found {
		return failed(nowhere("no configuration with "+kind+"s", paths[0]))
	}
	return c.answer()
}

// awsProfiles answers aws:profiles from the two files of the configuration.
func awsProfiles(ctx context.Context, r Request) Answer {
	path := func(name, base string) string {
		if p := r.getenv(name); p != "" {
			return within(r.Dir, p)
		}
		return filepath.Join(r.getenv("HOME"), ".aws", base)
	}
	return iniSections(ctx, r, "profile", "profile ", path("AWS_CONFIG_FILE", "config"), path("AWS_SHARED_CREDENTIALS_FILE", "credentials"))
}

// psqlServices answers psql:services: the connections that the user's own file declares.
func psqlServices(ctx context.Context, r Request) Answer {
	path := r.getenv("PGSERVICEFILE")
	if path == "" {
		path = filepath.Join(r.getenv("HOME"), ".pg_service.conf")
	}
	return iniSections(ctx, r, "service", "", within(r.Dir, path))
}

// helmRepos answers helm:repos from the file of repositories.
func helmRepos(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	path := r.getenv("HELM_REPOSITORY_CONFIG")
	if path == "" {
		config := r.getenv("XDG_CONFIG_HOME")
		if config == "" {
			config = filepath.Join(r.getenv("HOME"), ".config")
		}
		path = filepath.Join(config, "helm", "repositories.yaml")
	}
	data, err := readRegular(within(r.Dir, path), maxManifest)
	if err != nil {
		return failed(err)
	}
	for _, e := range yamlItems(string(data), "repositories") {
		c.add(Value{Value: e.name, Description: oneLine(e.values["url"], 100), Kind: "repository"})
	}
	return c.answer()
}

// helmReleases answers helm:releases through the tool.
func helmReleases(ctx context.Context, r Request) Answer {
	q := kubeQuery(r)
	q.tool, q.args = "helm", append([]string{"list", "--short"}, q.args...)
	q.args = slices.DeleteFunc(q.args, func(s string) bool { return strings.HasPrefix(s, "--request-timeout") })
	for i, a := range q.args {
		if to, ok := strings.CutPrefix(a, "--context="); ok {
			q.args[i] = "--kube-context=" + to
		}
	}
	if to, ok := option(r.Words, false, "--kube-context"); ok {
		q.args = append(q.args, "--kube-context="+to)
	}
	return q.lines(ctx, r, func(line string) (Value, bool) { return Value{Value: line, Kind: "release"}, true })
}
