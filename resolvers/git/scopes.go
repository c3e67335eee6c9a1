package git

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
)

// maxConfigFile bounds one configuration file, in bytes; maxIncludes how deep
// they include each other (git's own limit is 10).
const (
	maxConfigFile = 4 << 20
	maxIncludes   = 10
)

// protectedConfig visits the configuration that a repository cannot write:
// system, user, and what the environment gives, later ones winning.
func (repo *gitRepo) protectedConfig(visit func(configEntry)) {
	getenv := repo.getenv
	if !(configEntry{Set: true, Value: getenv("GIT_CONFIG_NOSYSTEM")}).isTrue() {
		system := getenv("GIT_CONFIG_SYSTEM")
		if system == "" {
			system = "/etc/gitconfig"
		}
		repo.configFile(system, 0, visit)
	}
	if global := getenv("GIT_CONFIG_GLOBAL"); global != "" {
		repo.configFile(global, 0, visit)
	} else {
		home, xdg := getenv("HOME"), getenv("XDG_CONFIG_HOME")
		switch {
		case xdg != "":
			repo.configFile(xdg+"/git/config", 0, visit)
		case home != "":
			repo.configFile(home+"/.config/git/config", 0, visit)
		}
		if home != "" {
			repo.configFile(home+"/.gitconfig", 0, visit)
		}
	}
	environmentConfig(getenv, visit)
}

// allConfig visits every scope in git's order: system, user, repository,
// environment. Includes of the user's files are followed; those of the
// repository too, since they are only read as data.
func (repo *gitRepo) allConfig(visit func(configEntry)) {
	var environment []configEntry
	environmentConfig(repo.getenv, func(e configEntry) { environment = append(environment, e) })
	skip := len(environment)
	var buffered []configEntry
	repo.protectedConfig(func(e configEntry) { buffered = append(buffered, e) })
	for _, e := range buffered[:len(buffered)-skip] {
		visit(e)
	}
	if repo.commonDir != "" {
		repo.configText(repo.config, repo.commonDir, 0, visit)
	}
	for _, e := range environment {
		visit(e)
	}
}

// environmentConfig reads GIT_CONFIG_COUNT and its keys and values.
func environmentConfig(getenv func(string) string, visit func(configEntry)) {
	n, err := strconv.Atoi(getenv("GIT_CONFIG_COUNT"))
	if err != nil {
		return
	}
	for i := range min(n, 1000) {
		at := strconv.Itoa(i)
		name := getenv("GIT_CONFIG_KEY_" + at)
		first, last := strings.IndexByte(name, '.'), strings.LastIndexByte(name, '.')
		if first <= 0 {
			continue
		}
		e := configEntry{Section: strings.ToLower(name[:first]), Key: strings.ToLower(name[last+1:]), Value: getenv("GIT_CONFIG_VALUE_" + at), Set: true}
		if last > first {
			e.Sub = name[first+1 : last]
		}
		visit(e)
	}
}

// configFile visits one file and what it includes. A file that is missing or
// does not parse gives what can be read of it.
func (repo *gitRepo) configFile(path string, depth int, visit func(configEntry)) {
	data, err := disk.ReadRegular(path, maxConfigFile)
	if err != nil {
		return
	}
	repo.configText(disk.View(data), filepath.Dir(path), depth, visit)
}

func (repo *gitRepo) configText(text, dir string, depth int, visit func(configEntry)) {
	_ = parseConfig(text, func(e configEntry) {
		visit(e)
		if e.Key != "path" || depth >= maxIncludes {
			return
		}
		if e.Section == "include" && e.Sub == "" || e.Section == "includeif" && repo.condition(e.Sub, dir) {
			repo.configFile(absolute(dir, repo.expandPath(e.Value)), depth+1, visit)
		}
	})
}

// condition evaluates the condition of an includeIf: gitdir, gitdir/i and
// onbranch. Any other is false.
func (repo *gitRepo) condition(condition, dir string) bool {
	kind, pattern, _ := strings.Cut(condition, ":")
	switch kind {
	case "gitdir", "gitdir/i":
		if repo.gitDir == "" {
			return false
		}
		pattern = repo.expandPath(pattern)
		if rest, ok := strings.CutPrefix(pattern, "./"); ok {
			pattern = dir + "/" + rest
		}
		if !strings.HasPrefix(pattern, "/") {
			pattern = "**/" + pattern
		}
		if strings.HasSuffix(pattern, "/") {
			pattern += "**"
		}
		path := repo.gitDir
		if kind == "gitdir/i" {
			pattern, path = strings.ToLower(pattern), strings.ToLower(path)
		}
		return wildMatch(pattern, path)
	case "onbranch":
		if repo.gitDir == "" {
			return false
		}
		if strings.HasSuffix(pattern, "/") {
			pattern += "**"
		}
		return wildMatch(pattern, repo.currentBranch())
	}
	return false
}
