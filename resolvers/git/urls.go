package git

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// maxNeighbours bounds how many directories are looked at for repositories.
const maxNeighbours = 256

// URLs answers git:urls: addresses of repositories that are likely to be
// meant. In full those of this repository's remotes; up to their last slash
// those of the repositories in this directory, which are there already while
// their neighbours may not be; and the short forms of url.*.insteadOf.
func URLs(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	if repo, err := openGit(r); err == nil {
		for _, m := range repo.remotes() {
			c.Add(resolvers.Value{Value: m.URL, Description: m.Name, Kind: "url", Weight: 2})
			addBase(c, m.URL)
		}
	}
	withConfig(r, func(e configEntry) {
		if e.Section == "url" && e.Sub != "" && (e.Key == "insteadof" || e.Key == "pushinsteadof") {
			c.Add(resolvers.Value{Value: e.Value, Description: "→ " + publicURL(e.Sub), Kind: "url", Weight: 1, Partial: true})
		}
	})
	for _, path := range neighbours(c, placeOf(r).dir) {
		near := r
		near.Dir, near.Words, near.Getenv = path, nil, noEnvironment
		repo, err := openGit(near)
		if err != nil || c.Late() {
			continue
		}
		for _, m := range repo.remotes() {
			addBase(c, m.URL)
		}
	}
	return c.Answer()
}

func noEnvironment(string) string { return "" }

// neighbours are the directories in dir that hold a repository.
func neighbours(c *resolvers.Collector, dir string) []string {
	var names []string
	// A directory that cannot be read has no neighbours to show.
	_ = disk.ReadDir(dir, func(name []byte, typ disk.Type) bool {
		if typ == disk.Directory && name[0] != '.' {
			names = append(names, string(name))
		}
		return len(names) < maxNeighbours && !c.Late()
	})
	slices.Sort(names)
	var found []string
	for _, name := range names {
		path := filepath.Join(dir, name)
		if _, ok := disk.Stat(path + "/.git"); ok {
			found = append(found, path)
		}
	}
	return found
}

// addBase adds an address up to its last slash or colon, if that names a place
// on a host.
func addBase(c *resolvers.Collector, url string) {
	i := strings.LastIndexAny(strings.TrimRight(url, "/"), "/:") + 1
	base := url[:i]
	if i == 0 || strings.HasSuffix(base, "://") || !strings.ContainsAny(base, ":") {
		return // a path: the directories beside are offered anyhow
	}
	c.Add(resolvers.Value{Value: base, Kind: "url", Partial: true})
}
