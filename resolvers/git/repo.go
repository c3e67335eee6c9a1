// Package git has the values of git, and tells what a work tree would lose. It reads
// the repository as git does and runs git only where a format has no reader here.
package git

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// gitRepo is a repository as git would find it, found without running git.
type gitRepo struct {
	gitDir    string // absolute; of this work tree where it is a linked one
	commonDir string // absolute; holds refs, objects and config
	workTree  string // absolute, "" in a bare repository
	prefix    string // the request's directory in the work tree: "" or "a/b/"
	dir       string // the request's directory without symbolic links
	hexLen    int    // length of an object name: 40 (SHA-1) or 64 (SHA-256)
	config    string // text of the repository's own configuration
	foreign   string // why only git itself can read the refs, "" where we can
	getenv    func(string) string

	scratch [256]byte // for the start of a small file
}

// errNoRepo says that the directory is in no repository.
var errNoRepo = errors.New("not in a git repository")

// ownerError is a repository that belongs to somebody else, which git refuses
// to read (git-config(1), safe.directory).
type ownerError struct{ Path string }

func (e *ownerError) Error() string {
	return "repository belongs to another user (git config safe.directory): " + e.Path
}

// gitPlace is what the command line and the environment say about where the
// repository is.
type gitPlace struct {
	dir, gitDir, workTree, commonDir string
	bare                             bool
	getenv                           func(string) string
}

func placeOf(r resolvers.Request) gitPlace {
	p := gitPlace{dir: physicalDir(r.Dir), getenv: r.Getenv}
	if p.getenv == nil {
		p.getenv = os.Getenv
	}
	p.gitDir, p.workTree, p.commonDir = p.getenv("GIT_DIR"), p.getenv("GIT_WORK_TREE"), p.getenv("GIT_COMMON_DIR")
	if len(r.Words) > 0 && filepath.Base(r.Words[0]) == "git" {
		p.globalOptions(r.Words[1:])
	}
	return p
}

// globalOptions reads git's own options, which stand before the sub-command.
func (p *gitPlace) globalOptions(words []string) {
	for i := 0; i < len(words) && strings.HasPrefix(words[i], "-"); i++ {
		name, value, joined := strings.Cut(words[i], "=")
		switch name {
		case "--git-dir", "--work-tree":
			if !joined {
				if i++; i >= len(words) {
					return
				}
				value = words[i]
			}
			if name == "--git-dir" {
				p.gitDir = value
			} else {
				p.workTree = value
			}
		case "--bare":
			p.bare = true
		case "-C", "-c", "--namespace", "--super-prefix", "--config-env", "--attr-source":
			if !joined || len(name) == 2 {
				i++
			}
		}
	}
}

// physicalDir gives dir without symbolic links, as the kernel and so git see
// the working directory. A directory that cannot be resolved stays as it is.
func physicalDir(dir string) string {
	dir = filepath.Clean(dir)
	var here, there syscall.Stat_t
	if syscall.Stat(dir, &there) == nil && syscall.Stat(".", &here) == nil && here.Dev == there.Dev && here.Ino == there.Ino {
		if wd, err := syscall.Getwd(); err == nil && filepath.IsAbs(wd) {
			return wd
		}
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// openGit finds the repository of a request. Errors: errNoRepo, *ownerError,
// or what made the repository unreadable.
func openGit(r resolvers.Request) (*gitRepo, error) {
	repo, p, err := findGit(r)
	if err != nil {
		return nil, err
	}
	if err := repo.readFormat(p); err != nil {
		return nil, err
	}
	repo.setPrefix()
	return repo, nil
}

// findGit finds the repository of a request, without a look into its
// configuration. Errors are those of openGit.
func findGit(r resolvers.Request) (*gitRepo, gitPlace, error) {
	p := placeOf(r)
	repo := &gitRepo{dir: p.dir, hexLen: 40, getenv: p.getenv}
	var gitFile string
	switch {
	case p.gitDir != "":
		repo.gitDir = absolute(p.dir, p.gitDir)
		if st, ok := disk.Stat(repo.gitDir); ok && st.Mode&syscall.S_IFMT == syscall.S_IFREG {
			target, err := readGitFile(repo.gitDir)
			if err != nil {
				return nil, p, err
			}
			repo.gitDir = target
		}
		if !repo.isGitDir(p.commonDir) {
			return nil, p, errNoRepo
		}
		repo.workTree = p.dir
	default:
		var err error
		if gitFile, err = repo.discover(p); err != nil {
			return nil, p, err
		}
	}
	// git checks the owner of what it found itself, not of what it was told.
	if p.gitDir == "" {
		if err := repo.checkOwner(gitFile); err != nil {
			return nil, p, err
		}
	}
	return repo, p, nil
}

func absolute(base, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}

// discover walks up from the directory as git does and returns the path of a
// .git file where there is one.
func (repo *gitRepo) discover(p gitPlace) (gitFile string, err error) {
	ceiling := ceilingOf(p.dir, p.getenv("GIT_CEILING_DIRECTORIES"))
	crossing := configEntry{Set: true, Value: p.getenv("GIT_DISCOVERY_ACROSS_FILESYSTEM")}.isTrue()
	start, ok := disk.Stat(p.dir)
	if !ok {
		return "", errNoRepo
	}
	for dir := p.dir; ; {
		candidate := dir + "/.git"
		if dir == "/" {
			candidate = "/.git"
		}
		if st, ok := disk.Stat(candidate); ok {
			switch st.Mode & syscall.S_IFMT {
			case syscall.S_IFREG:
				if repo.gitDir, err = readGitFile(candidate); err != nil {
					return "", err
				}
				if !repo.isGitDir(p.commonDir) {
					return "", errNoRepo
				}
				repo.workTree = dir
				return candidate, nil
			case syscall.S_IFDIR:
				if repo.gitDir = candidate; repo.isGitDir(p.commonDir) {
					repo.workTree = dir
					return "", nil
				}
			}
		}
		if repo.gitDir = dir; repo.isGitDir(p.commonDir) {
			return "", nil
		}
		parent := filepath.Dir(dir)
		if parent == dir || len(parent) <= ceiling {
			return "", errNoRepo
		}
		if st, ok := disk.Stat(parent); !crossing && (!ok || st.Dev != start.Dev) {
			return "", errNoRepo
		}
		dir = parent
	}
}

// ceilingOf gives the length of the longest ceiling directory above dir, or -1:
// the walk looks into no directory that is not deeper than it.
func ceilingOf(dir, list string) int {
	longest := -1
	for list != "" {
		var one string
		one, list, _ = strings.Cut(list, ":")
		if !filepath.IsAbs(one) {
			continue
		}
		if real, err := filepath.EvalSymlinks(one); err == nil {
			one = real
		}
		one = filepath.Clean(one)
		if len(one) > longest && (one == "/" || strings.HasPrefix(dir, one+"/")) && dir != one {
			longest = len(one)
		}
	}
	return longest
}

// readGitFile reads "gitdir: path" of a linked work tree or a submodule.
func readGitFile(path string) (string, error) {
	data, err := disk.ReadRegular(path, 64<<10)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(string(data), "gitdir: ")
	target = strings.TrimRight(target, "\r\n")
	if !ok || target == "" {
		return "", &fs.PathError{Op: "read", Path: path, Err: errors.New("invalid gitfile format")}
	}
	return absolute(filepath.Dir(path), target), nil
}

// isGitDir asks what git asks of a directory: a HEAD that is a ref or an
// object name, and, here or in the common directory, objects and refs. It sets
// commonDir.
func (repo *gitRepo) isGitDir(common string) bool {
	buf := repo.scratch[:]
	n, err := disk.ReadStart(repo.gitDir+"/HEAD", buf)
	if err != nil && !repo.headIsLink() {
		return false
	}
	if err == nil && !validHead(buf[:n]) {
		return false
	}
	repo.commonDir = repo.gitDir
	if common != "" {
		repo.commonDir = absolute(repo.dir, common)
	} else if n, err := disk.ReadStart(repo.gitDir+"/commondir", buf); err == nil {
		// A path of more than 256 bytes is read again in full.
		path := string(buf[:n])
		if n == len(buf) {
			data, err := disk.ReadRegular(repo.gitDir+"/commondir", 64<<10)
			if err != nil {
				return false
			}
			path = string(data)
		}
		repo.commonDir = absolute(repo.gitDir, strings.TrimRight(path, "\r\n"))
	}
	objects := repo.getenv("GIT_OBJECT_DIRECTORY")
	if objects == "" {
		objects = repo.commonDir + "/objects"
	}
	return disk.IsDir(repo.commonDir+"/refs") && disk.IsDir(objects)
}

// headIsLink accepts the HEAD of old repositories, a symbolic link to a ref
// that may not exist yet.
func (repo *gitRepo) headIsLink() bool {
	target, err := os.Readlink(repo.gitDir + "/HEAD")
	return err == nil && strings.HasPrefix(target, "refs/")
}

func validHead(b []byte) bool {
	if rest, ok := strings.CutPrefix(string(b), "ref:"); ok {
		return strings.HasPrefix(strings.TrimLeft(rest, " \t\n\r\v\f"), "refs/")
	}
	return len(b) >= 40 && isHex(b[:40])
}

func isHex(b []byte) bool {
	for _, c := range b {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			return false
		}
	}
	return true
}

// readFormat reads the repository's configuration: its format, object names,
// and where the work tree is.
func (repo *gitRepo) readFormat(p gitPlace) error {
	data, err := disk.ReadRegular(repo.commonDir+"/config", 16<<20)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	repo.config = disk.View(data)
	format, bare, tree, perTree := repo.scanFormat()
	if perTree {
		if data, err := disk.ReadRegular(repo.gitDir+"/config.worktree", 1<<20); err == nil {
			// git reads it after the other: its variables come last and win.
			_ = parseConfig(disk.View(data), func(e configEntry) {
				if e.Section == "core" && e.Sub == "" {
					switch e.Key {
					case "bare":
						bare = e.isTrue()
					case "worktree":
						tree = e.Value
					}
				}
			})
			repo.config += "\n" + disk.View(data)
		}
	}
	if format != "" && format != "0" && format != "1" {
		repo.foreign = "repository format " + format
	}
	linked := repo.gitDir != repo.commonDir
	switch {
	case p.workTree != "":
		repo.workTree = absolute(repo.dir, p.workTree)
	case p.bare:
		repo.workTree = ""
	case tree != "":
		repo.workTree = absolute(repo.gitDir, tree)
	case bare && !linked:
		repo.workTree = ""
	}
	return nil
}

// scanFormat reads what git's check_repository_format reads. Extensions count
// in format 1 only, but one that changes how refs or objects are kept is
// believed in any.
func (repo *gitRepo) scanFormat() (format string, bare bool, tree string, perTree bool) {
	unknown := ""
	_ = parseConfig(repo.config, func(e configEntry) {
		if e.Sub != "" {
			return
		}
		switch e.Section + "." + e.Key {
		case "core.repositoryformatversion":
			format = e.Value
		case "core.bare":
			bare = e.isTrue()
		case "core.worktree":
			tree = e.Value
		case "extensions.worktreeconfig":
			perTree = e.isTrue()
		case "extensions.objectformat":
			switch strings.ToLower(e.Value) {
			case "sha1":
				repo.hexLen = 40
			case "sha256":
				repo.hexLen = 64
			default:
				unknown = "object format " + e.Value
			}
		case "extensions.refstorage":
			if e.Value != "files" {
				unknown = "ref storage " + e.Value
			}
		case "extensions.noop", "extensions.partialclone", "extensions.preciousobjects",
			"extensions.relativeworktrees", "extensions.compatobjectformat":
		default:
			if e.Section == "extensions" && format == "1" {
				unknown = "extension " + e.Key
			}
		}
	})
	repo.foreign = unknown
	return format, bare, tree, perTree
}

// setPrefix finds where the request's directory lies in the work tree.
func (repo *gitRepo) setPrefix() {
	if repo.workTree == "" {
		return
	}
	if real, err := filepath.EvalSymlinks(repo.workTree); err == nil {
		repo.workTree = real
	}
	if repo.dir == repo.workTree {
		return
	}
	root := strings.TrimSuffix(repo.workTree, "/") + "/"
	if rest, ok := strings.CutPrefix(repo.dir, root); ok {
		repo.prefix = rest + "/"
	}
}

// gitFailure turns an error of openGit into an answer. No repository here is
// no failure: there are no values.
func gitFailure(err error) resolvers.Answer {
	if errors.Is(err, errNoRepo) {
		return resolvers.Answer{State: resolvers.Fresh, Message: err.Error()}
	}
	return resolvers.Answer{State: resolvers.Failed, Message: "git: " + err.Error()}
}
