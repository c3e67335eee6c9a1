package git

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
)

// checkOwner refuses a repository that another user made, as git does since
// 2.35.2: the .git file, the work tree and the git directory must belong to
// us. Root may also use what belongs to the user who called sudo.
func (repo *gitRepo) checkOwner(gitFile string) error {
	tree := repo.workTree
	if tree == "" {
		if repo.refusesBare() {
			return &ownerError{Path: repo.gitDir + " (safe.bareRepository)"}
		}
	}
	owned := true
	for _, path := range [...]string{gitFile, tree, repo.gitDir} {
		if path != "" && !ownedByUs(path, repo.getenv) {
			owned = false
			break
		}
	}
	if owned {
		return nil
	}
	place := tree
	if place == "" {
		place = repo.gitDir
	}
	if repo.isSafeDirectory(place) {
		return nil
	}
	return &ownerError{Path: place}
}

func ownedByUs(path string, getenv func(string) string) bool {
	st, err := disk.Lstat(path)
	if err != nil {
		return false
	}
	uid := os.Geteuid()
	if uint64(st.Uid) == uint64(uid) {
		return true
	}
	if uid != 0 {
		return false
	}
	sudo, err := strconv.ParseUint(getenv("SUDO_UID"), 10, 32)
	return err == nil && uint64(st.Uid) == sudo
}

// isSafeDirectory asks the configuration that the repository cannot write:
// the system's, the user's and the environment's.
func (repo *gitRepo) isSafeDirectory(place string) bool {
	real, err := filepath.EvalSymlinks(place)
	if err != nil {
		real = place
	}
	safe := false
	repo.protectedConfig(func(e configEntry) {
		if e.Section != "safe" || e.Sub != "" || e.Key != "directory" {
			return
		}
		switch value := repo.expandPath(e.Value); {
		case e.Value == "":
			safe = false
		case e.Value == "*":
			safe = true
		case strings.HasSuffix(value, "/*"):
			safe = safe || strings.HasPrefix(real+"/", strings.TrimSuffix(value, "*"))
		default:
			safe = safe || value == place || filepath.Clean(value) == real
		}
	})
	return safe
}

// refusesBare reports safe.bareRepository=explicit, for a bare repository that
// was found by looking.
func (repo *gitRepo) refusesBare() bool {
	explicit := false
	repo.protectedConfig(func(e configEntry) {
		if e.Section == "safe" && e.Sub == "" && e.Key == "barerepository" {
			explicit = e.Value == "explicit"
		}
	})
	// A git directory of a work tree is no bare repository that somebody
	// planted among the files.
	return explicit && !strings.Contains(repo.gitDir+"/", "/.git/")
}

// expandPath expands "~/" of a configured path.
func (repo *gitRepo) expandPath(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home := repo.getenv("HOME"); home != "" {
			return home + "/" + rest
		}
	}
	return path
}
