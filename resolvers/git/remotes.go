package git

import (
	"context"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// gitRemote is a remote as configured; URL is without credentials.
type gitRemote struct{ Name, URL string }

// remotes reads the remotes of the repository's own configuration, by name.
func (repo *gitRepo) remotes() []gitRemote {
	var found []gitRemote
	repo.configText(repo.config, repo.commonDir, 0, func(e configEntry) {
		if e.Section != "remote" || e.Sub == "" || !validRefName("refs/remotes/"+e.Sub+"/x") {
			return
		}
		i := slices.IndexFunc(found, func(m gitRemote) bool { return m.Name == e.Sub })
		if i < 0 {
			found = append(found, gitRemote{Name: e.Sub})
			i = len(found) - 1
		}
		if e.Key == "url" && found[i].URL == "" {
			found[i].URL = publicURL(e.Value)
		}
	})
	slices.SortFunc(found, func(a, b gitRemote) int { return strings.Compare(a.Name, b.Name) })
	return found
}

// publicURL takes out what must not show on a screen: the user and password of
// a web address (a token is often the user) and its query.
func publicURL(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	host, path, slash := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		user, _, secret := strings.Cut(host[:i], ":")
		switch {
		case strings.HasPrefix(scheme, "http"), strings.HasPrefix(scheme, "ftp"):
			host = host[i+1:]
		case secret:
			host = user + host[i:]
		}
	}
	path, _, _ = strings.Cut(path, "?")
	if slash {
		host += "/" + path
	}
	return scheme + "://" + host
}

// Remotes answers git:remotes, described by their addresses.
func Remotes(_ context.Context, r resolvers.Request) resolvers.Answer {
	return withRepo(r, func(l *listing, repo *gitRepo) error {
		for _, m := range repo.remotes() {
			v := resolvers.Value{Value: m.Name, Description: m.URL, Kind: "remote"}
			if m.Name == "origin" {
				v.Weight = 1
			}
			l.keep(v)
		}
		return nil
	})
}

// withRepo opens the repository and lets list fill the answer.
func withRepo(r resolvers.Request, list func(*listing, *gitRepo) error) resolvers.Answer {
	repo, err := openGit(r)
	if err != nil {
		return gitFailure(err)
	}
	l := &listing{r: r, answer: resolvers.Answer{State: resolvers.Fresh}}
	if err := list(l, repo); err != nil {
		return l.refuse(err)
	}
	return l.answer
}

// keep adds a value if it passes the filter.
func (l *listing) keep(v resolvers.Value) {
	if l.r.Filter.Keep(v.Value) {
		l.add(v)
	}
}

// withConfig visits every scope, also outside a repository.
func withConfig(r resolvers.Request, visit func(configEntry)) {
	repo, err := openGit(r)
	if err != nil {
		p := placeOf(r)
		repo = &gitRepo{dir: p.dir, getenv: p.getenv}
	}
	repo.allConfig(visit)
}

// Aliases answers git:aliases: the user's own sub-commands, described by
// what they stand for. They are data here; nothing is run.
func Aliases(_ context.Context, r resolvers.Request) resolvers.Answer {
	l := &listing{r: r, answer: resolvers.Answer{State: resolvers.Fresh}}
	var found []resolvers.Value
	withConfig(r, func(e configEntry) {
		if e.Section != "alias" {
			return
		}
		v := resolvers.Value{Value: aliasName(e), Description: e.Value, Kind: "alias"}
		if i := slices.IndexFunc(found, func(f resolvers.Value) bool { return f.Value == v.Value }); i >= 0 {
			found[i] = v
			return
		}
		found = append(found, v)
	})
	for _, v := range found {
		l.keep(v)
	}
	return l.answer
}

// aliasName gives the name that an entry of section alias defines: the key of
// [alias], or the sub-section of [alias "name"] command = … .
func aliasName(e configEntry) string {
	if e.Sub != "" && e.Key == "command" {
		return e.Sub
	}
	return e.Key
}

// GitAlias gives what a git alias stands for in a directory ("commit -v",
// "!sh -c …"), read from the same configuration that git would read. getenv
// nil means the process's environment.
func GitAlias(dir string, getenv func(string) string, name string) (string, bool) {
	expansion, found := "", false
	withConfig(resolvers.Request{Dir: dir, Getenv: getenv}, func(e configEntry) {
		if e.Section == "alias" && e.Set && strings.EqualFold(aliasName(e), name) {
			expansion, found = e.Value, true
		}
	})
	return expansion, found
}

// ConfigKeys answers git:config-keys: the variables that are set somewhere.
func ConfigKeys(_ context.Context, r resolvers.Request) resolvers.Answer {
	l := &listing{r: r, answer: resolvers.Answer{State: resolvers.Fresh}}
	var found []string
	withConfig(r, func(e configEntry) {
		key := e.Section + "." + e.Key
		if e.Sub != "" {
			key = e.Section + "." + e.Sub + "." + e.Key
		}
		if l.r.Filter.Keep(key) {
			found = append(found, key)
		}
	})
	slices.Sort(found)
	for _, key := range slices.Compact(found) {
		l.add(resolvers.Value{Value: key, Kind: "variable"})
	}
	return l.answer
}

// Submodules answers git:submodules: the paths that .gitmodules names.
func Submodules(_ context.Context, r resolvers.Request) resolvers.Answer {
	return withRepo(r, func(l *listing, repo *gitRepo) error {
		if repo.workTree == "" {
			return nil
		}
		data, err := disk.ReadRegular(repo.workTree+"/.gitmodules", maxConfigFile)
		if err != nil {
			return nil // no submodules
		}
		var urls []gitRemote
		var paths []resolvers.Value
		err = parseConfig(disk.View(data), func(e configEntry) {
			if e.Section == "submodule" && e.Key == "url" {
				urls = append(urls, gitRemote{e.Sub, publicURL(e.Value)})
			}
			if e.Section == "submodule" && e.Key == "path" {
				paths = append(paths, resolvers.Value{Value: repo.relative(e.Value), Description: e.Sub, Kind: "submodule"})
			}
		})
		for _, v := range paths {
			if i := slices.IndexFunc(urls, func(m gitRemote) bool { return m.Name == v.Description }); i >= 0 {
				v.Description = urls[i].URL
			}
			l.keep(v)
		}
		return err
	})
}

// disk.Relative gives a path of the work tree as seen from the request's directory.
func (repo *gitRepo) relative(path string) string { return relativeTo(repo.prefix, path) }

// relativeTo gives path as seen from the directory prefix ("" or "a/b/"), both
// relative to one root.
func relativeTo(prefix, path string) string {
	if rest, ok := strings.CutPrefix(path, prefix); ok {
		if rest == "" {
			return "./"
		}
		return rest
	}
	same := 0 // length of the shared directories
	for i := 0; i < len(prefix) && i < len(path) && prefix[i] == path[i]; i++ {
		if prefix[i] == '/' {
			same = i + 1
		}
	}
	return strings.Repeat("../", strings.Count(prefix[same:], "/")) + path[same:]
}

// HasRemote reports whether a URL leads where a remote of the repository does: to the
// same host, and there to the same owner.
func (w *Work) HasRemote(url string) bool {
	host, owner := hostAndOwner(url)
	return host != "" && slices.ContainsFunc(w.walk.l.repo.remotes(), func(r gitRemote) bool {
		h, o := hostAndOwner(r.URL)
		return h == host && o == owner
	})
}

// hostAndOwner returns the host of a URL or of HOST:PATH, and the first part of its
// path, in lower case; "" for a path of this machine.
func hostAndOwner(url string) (host, owner string) {
	_, rest, ok := strings.Cut(url, "://")
	if ok {
		host, rest, _ = strings.Cut(rest, "/")
	} else if host, rest, ok = strings.Cut(url, ":"); !ok || strings.Contains(host, "/") {
		return "", ""
	}
	host = host[strings.LastIndexByte(host, '@')+1:]
	host, _, _ = strings.Cut(host, ":")
	owner, _, _ = strings.Cut(strings.TrimLeft(rest, "/"), "/")
	return strings.ToLower(host), strings.ToLower(owner)
}
