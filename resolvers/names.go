package resolvers

import "slices"

// Names lists every resolver, sorted: what a map may name. "files:GLOB" (any
// pattern for a base name) comes in addition.
func Names() []string {
	return slices.Clone(names[:])
}

// names is held to the table by a test.
var names = [...]string{
	"cargo:aliases",
	"cargo:benches",
	"cargo:bins",
	"cargo:dependencies",
	"cargo:examples",
	"cargo:features",
	"cargo:locked",
	"cargo:packages",
	"cargo:profiles",
	"cargo:test-targets",
	"cargo:tests",
	"current_git_branch",
	"dirs",
	"env",
	"executables",
	"files",
	"git:aliases",
	"git:branches",
	"git:checkout",
	"git:commits",
	"git:config-keys",
	"git:current_branch",
	"git:files",
	"git:modified",
	"git:refs",
	"git:remote-branches",
	"git:remotes",
	"git:restore",
	"git:staged",
	"git:stashes",
	"git:submodules",
	"git:switch",
	"git:tags",
	"git:untracked",
	"git:worktrees",
	"go:benchmarks",
	"go:env",
	"go:fuzz",
	"go:modules",
	"go:packages",
	"go:tests",
	"go:tools",
	"groups",
	"hosts",
	"just:recipes",
	"make:targets",
	"mounts",
	"npm:bins",
	"npm:dependencies",
	"npm:scripts",
	"npm:workspaces",
	"process-names",
	"processes",
	"shells",
	"signals",
	"users",
}
