package envelope

import "strings"

// Class is what a file is to somebody who looks for something.
type Class uint8

// The classes, the one that is shown first at the front.
const (
	Source Class = iota
	Tests
	Generated // made by a program, or somebody else's
	Ignored   // by git
	classes
)

func (c Class) String() string { return [...]string{"source", "tests", "generated", "ignored"}[c] }

// what names the rest of a class in a note.
func (c Class) what() string {
	return [...]string{"elsewhere", "in tests", "in generated files", "in ignored files"}[c]
}

// dirClasses are directories by their names.
var dirClasses = map[string]Class{
	"test": Tests, "tests": Tests, "testdata": Tests, "__tests__": Tests, "__mocks__": Tests, "spec": Tests, "specs": Tests,
	"e2e": Tests, "fixtures": Tests, "testsuite": Tests,
	"vendor": Generated, "node_modules": Generated, "third_party": Generated, "thirdparty": Generated, "bower_components": Generated,
	"dist": Generated, "__pycache__": Generated, "site-packages": Generated, "generated": Generated,
	".venv": Generated, "venv": Generated, ".tox": Generated, ".next": Generated,
}

// outputDirs are directories that a build makes, or the name of a subject: what git
// keeps in one was not made by a build.
var outputDirs = map[string]bool{"build": true, "target": true, "out": true, "gen": true, "coverage": true}

// lockFiles are files that a package manager writes.
var lockFiles = map[string]bool{
	"package-lock.json": true, "npm-shrinkwrap.json": true, "pnpm-lock.yaml": true, "yarn.lock": true, "bun.lock": true, "bun.lockb": true,
	"go.sum": true, "go.work.sum": true, "Cargo.lock": true, "poetry.lock": true, "uv.lock": true, "pdm.lock": true, "Pipfile.lock": true,
	"composer.lock": true, "Gemfile.lock": true, "flake.lock": true, "mix.lock": true, "pubspec.lock": true, "Podfile.lock": true, "packages.lock.json": true,
	"gradle.lockfile": true, "deno.lock": true, "Package.resolved": true,
}

// ClassOf tells the class of a path that git does not ignore, by its names alone.
func ClassOf(path string, kept bool) Class {
	slash := strings.LastIndexByte(path, '/') + 1
	return max(ClassOfDir(path[:slash], kept), ClassOfName(path[slash:]))
}

// ClassOfDir tells the class of what is in a directory ("" or "a/b/"). kept says that
// git could ignore it and does not.
func ClassOfDir(path string, kept bool) Class {
	found := Source
	for {
		dir, rest, more := strings.Cut(path, "/")
		if !more {
			return found
		}
		path = rest
		if dir == ".git" {
			return Ignored
		}
		found = max(found, dirClasses[dir])
		if !kept && outputDirs[dir] {
			found = max(found, Generated)
		}
	}
}

// below is path as seen from root, or all of it.
func below(path, root string) string {
	if root == "." {
		return strings.TrimPrefix(path, "./")
	}
	if rest, ok := strings.CutPrefix(path, root); ok && root != "" {
		if trimmed := strings.TrimLeft(rest, "/"); trimmed != rest || strings.HasSuffix(root, "/") {
			return trimmed
		}
	}
	return strings.TrimPrefix(path, "./")
}

// ClassOfName tells the class of a file by its own name.
func ClassOfName(name string) Class {
	if name == ".git" {
		return Ignored
	}
	if lockFiles[name] {
		return Generated
	}
	stem, ext := name, ""
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		stem, ext = name[:i], name[i+1:]
	}
	lower := strings.ToLower(stem)
	switch {
	case ext == "lock" || ext == "map" || ext == "snap" || ext == "pyc" || ext == "o" || ext == "a" || ext == "so" || ext == "class",
		strings.HasSuffix(lower, ".min"), strings.HasSuffix(lower, ".bundle"), strings.HasSuffix(lower, ".pb"), strings.HasSuffix(lower, ".pb.gw"), strings.HasSuffix(lower, "_pb2"), strings.HasSuffix(lower, "_pb2_grpc"),
		strings.HasSuffix(lower, "_generated"), strings.HasSuffix(lower, ".generated"), strings.HasSuffix(lower, ".g"), strings.HasSuffix(lower, ".designer"), strings.HasPrefix(lower, "zz_generated"), strings.HasSuffix(lower, "_gen"), strings.HasSuffix(lower, ".gen"):
		return Generated
	case strings.HasSuffix(lower, "_test"), strings.HasSuffix(lower, ".test"), strings.HasSuffix(lower, ".spec"), strings.HasSuffix(lower, "_spec"), strings.HasSuffix(lower, "-test"),
		strings.HasPrefix(lower, "test_"), strings.HasPrefix(lower, "test-"), lower == "conftest",
		strings.HasSuffix(stem, "Test"), strings.HasSuffix(stem, "Tests"), strings.HasSuffix(stem, "Spec"):
		return Tests
	}
	return Source
}
