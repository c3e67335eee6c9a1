package git

import "strings"

// maxMerged bounds the commits that are read to find out whether others have them.
const maxMerged = 4000

// Merged reports whether every commit of a branch is on another one too: HEAD's, its
// upstream's, one that others build on. remote names the remote whose branch is
// meant, "" for a branch here. there is false for a branch that is not known.
func (w *Work) Merged(name, remote string) (merged, there bool) {
	refs, err := openRefs(w.walk.l.ctx, w.walk.l.repo)
	if err != nil {
		return false, true
	}
	defer refs.close()
	own := "refs/heads/" + name
	if remote != "" {
		own = "refs/remotes/" + remote + "/" + name
	}
	if !validRefName(own) {
		return false, true
	}
	tip := refs.resolve(own)
	if tip == "" {
		return false, false
	}
	bases := []string{"refs/heads/" + name}
	remotes := []string{"origin"}
	for _, r := range w.walk.l.repo.remotes() {
		if r.Name != "origin" {
			remotes = append(remotes, r.Name)
		}
	}
	for _, r := range remotes {
		bases = append(bases, "refs/remotes/"+r+"/"+name)
		for _, b := range baseBranches {
			bases = append(bases, "refs/remotes/"+r+"/"+b)
		}
	}
	for _, b := range baseBranches {
		bases = append(bases, "refs/heads/"+b)
	}
	var starts []string
	for _, ref := range bases {
		if ref == own || remote != "" && ref == "refs/heads/"+name {
			continue // that it is here as well says nothing of what others keep
		}
		if id := refs.resolve(ref); id == tip {
			return true, true
		} else if id != "" {
			starts = append(starts, id)
		}
	}
	if w.walk.l.repo.headRef() != own {
		starts = append(starts, refs.resolve("HEAD"))
	}
	return w.reaches(starts, tip), true
}

// baseBranches are those that others build on.
var baseBranches = [...]string{"HEAD", "main", "master", "develop", "trunk"}

// reaches reports whether a commit is among those of others or their ancestors. No
// commit older than it is looked behind.
func (w *Work) reaches(starts []string, tip string) bool {
	own, err := w.store.commit(tip)
	if err != nil {
		return false
	}
	seen := map[string]bool{}
	for len(starts) > 0 {
		id := starts[0]
		starts = starts[1:]
		switch {
		case id == tip:
			return true
		case id == "" || seen[id] || strings.Trim(id, "0") == "":
			continue
		case len(seen) >= maxMerged || w.walk.l.ctx.Err() != nil:
			return false
		}
		seen[id] = true
		if c, err := w.store.commit(id); err == nil && c.When >= own.When {
			starts = append(starts, c.Parents...)
		}
	}
	return false
}
