package project

import (
	"path/filepath"
	"slices"
	"strings"
)

// Place is where a directory belongs.
type Place struct {
	// Root is the outermost directory that claims the package: the top of the
	// repository, or without one the workspace's. Absolute.
	Root string
	// Package is the nearest directory, from the one asked about upwards, that
	// holds a project file; Root if there is none up to it.
	Package string
	// Repository says that Root is the top of one.
	Repository bool
	// Foreign says that the package belongs to somebody else than who asks.
	Foreign bool
}

// Who asks: the owner of what is theirs, and where looking upwards ends.
type Who struct {
	UID  uint32
	Home string // "" if it is not known
}

// maxUp bounds how many directories are looked at on the way up.
const maxUp = 64

// Find is the one rule by which a directory has a project: the nearest directory
// upwards that holds a project file is the package, the outermost that claims it
// the root. It looks never above a repository, at the home directory only from
// within itself, and at no directory of another owner above. False: dir is in no
// project.
func Find(files Files, dir string, who Who) (Place, bool) {
	if !filepath.IsAbs(dir) {
		return Place{}, false
	}
	dir = filepath.Clean(dir)
	own, ok := files.Stat(dir)
	if !ok || !own.Dir {
		return Place{}, false
	}
	var p Place
	for at, n := dir, 0; n < maxUp; at, n = filepath.Dir(at), n+1 {
		if at != dir && !mayClimb(files, at, own.Owner, who) {
			break
		}
		top := isRepository(files, at)
		switch {
		case p.Package == "" && HasProjectFile(files, at):
			p.Package, p.Root = at, at
		case p.Package != "" && !top && claims(files, at, p.Package):
			p.Root = at
		}
		if top {
			p.Root, p.Repository = at, true
			if p.Package == "" {
				p.Package = at
			}
			break
		}
		if at == filepath.Dir(at) || who.Home != "" && at == filepath.Clean(who.Home) {
			break
		}
	}
	if p.Package == "" {
		return Place{}, false
	}
	if in, ok := files.Stat(p.Package); ok {
		p.Foreign = in.Owner != who.UID
	}
	return p, true
}

// mayClimb reports whether a directory above is one to look at.
func mayClimb(files Files, at string, owner uint32, who Who) bool {
	if at == filepath.Clean(who.Home) && who.Home != "" {
		return false
	}
	in, ok := files.Stat(at)
	return ok && (in.Owner == owner || in.Owner == who.UID)
}

// isRepository reports whether a directory is the top of a working tree.
func isRepository(files Files, dir string) bool {
	for _, name := range [...]string{".git", ".jj", ".hg", ".svn"} {
		if in, ok := files.Stat(filepath.Join(dir, name)); ok && (in.Dir || name == ".git") {
			return true
		}
	}
	return false
}

// HasProjectFile reports whether a directory holds a file that makes it a project.
func HasProjectFile(files Files, dir string) bool {
	for _, name := range projectFiles {
		if in, ok := files.Stat(filepath.Join(dir, name)); ok && in.Regular {
			return true
		}
	}
	list, _ := files.List(dir, maxEntries)
	return slices.ContainsFunc(list, func(e Entry) bool { return !e.Dir && isProjectFile(e.Name) })
}

// maxEntries bounds the entries of a directory that are looked at.
const maxEntries = 200_000

// isProjectFile reports whether a file of that name makes its directory a project.
func isProjectFile(name string) bool {
	if slices.Contains(projectFiles, name) {
		return true
	}
	for _, end := range projectEndings {
		if len(name) > len(end) && strings.HasSuffix(name, end) {
			return true
		}
	}
	return strings.EqualFold(name, "justfile") || strings.EqualFold(name, ".justfile")
}

// projectFiles are the names of files that say what a directory is built, tested
// or run by: manifests, and the files of task runners.
var projectFiles = []string{
	"package.json", "deno.json", "deno.jsonc", "go.mod", "go.work", "Cargo.toml", "pyproject.toml", "Makefile", "makefile", "GNUmakefile",
	"setup.py", "setup.cfg", "requirements.txt", "Pipfile", "tox.ini", "noxfile.py", "environment.yml", "pixi.toml", "manage.py",
	"justfile", ".justfile", "Justfile", "Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml", "Taskfile.dist.yml", "Taskfile.dist.yaml",
	"mise.toml", ".mise.toml", "magefile.go", "Earthfile", "Tiltfile", "Procfile",
	"pnpm-workspace.yaml", "lerna.json", "nx.json", "turbo.json", "rush.json", "moon.yml",
	"Gemfile", "Rakefile", "composer.json", "mix.exs", "rebar.config", "gleam.toml", "shard.yml", "pubspec.yaml", "melos.yaml", "Package.swift",
	"pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "build.xml", "build.sbt", "build.sc", "build.mill",
	"deps.edn", "project.clj", "shadow-cljs.edn", "bb.edn", "stack.yaml", "cabal.project", "package.yaml", "dune-project", "Project.toml",
	"CMakeLists.txt", "CMakePresets.json", "meson.build", "configure.ac", "configure", "Makefile.am", "SConstruct", "WORKSPACE", "MODULE.bazel", "build.zig", "BUCK",
	"compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml", "Dockerfile", "Containerfile", "flake.nix", "conanfile.txt", "conanfile.py", "vcpkg.json",
	"elm.json", "spago.yaml", "fpm.toml", "DESCRIPTION", "cpanfile", "Makefile.PL", "dub.json", "dub.sdl", "Vagrantfile", "global.json", "lakefile.lean", "lakefile.toml",
}

// projectEndings are those of files that are named as the project is.
var projectEndings = []string{".sln", ".slnx", ".csproj", ".fsproj", ".vbproj", ".cabal", ".nimble", ".rockspec", ".gemspec", ".opam", ".xcodeproj"}
