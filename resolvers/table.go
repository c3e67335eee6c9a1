package resolvers

import "strings"

// lookup returns the resolver of that name, or nil. A switch and not a map:
// nothing is built at the start of a process that runs on every Tab.
func lookup(name string) Func {
	switch name {
	case "cargo:benches":
		return cargoBenches
	case "cargo:bins":
		return cargoBins
	case "cargo:examples":
		return cargoExamples
	case "cargo:test-targets":
		return cargoTestTargets
	case "dirs":
		return listDirs
	case "files":
		return listFiles
	case "npm:bins":
		return npmBins
	case "npm:dependencies":
		return npmDependencies
	case "npm:scripts":
		return npmScripts
	case "npm:workspaces":
		return npmWorkspaces
	case "git:branches":
		return gitBranches
	case "git:remote-branches":
		return gitRemoteBranches
	case "git:tags":
		return gitTags
	case "git:current_branch", "current_git_branch":
		return gitCurrentBranch
	}
	if strings.HasPrefix(name, "files:") {
		return listFiles
	}
	return nil
}
