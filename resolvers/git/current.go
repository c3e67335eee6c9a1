package git

import (
	"errors"

	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// CurrentBranch returns the branch of the work tree that a directory is in,
// "(detached)" where HEAD names a commit, "" outside of any. ok is false if it
// cannot be read.
func CurrentBranch(dir string, getenv func(string) string) (branch string, ok bool) {
	repo, err := openGit(resolvers.Request{Dir: dir, Getenv: getenv})
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
