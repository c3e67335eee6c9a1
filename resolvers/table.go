package resolvers

import "strings"

// lookup returns the resolver of that name, or nil. A switch and not a map:
// nothing is built at the start of a process that runs on every Tab.
func lookup(name string) Func {
	switch name {
	case "cargo:aliases":
		return cargoAliases
	case "cargo:benches":
		return cargoBenches
	case "cargo:bins":
		return cargoBins
	case "cargo:dependencies":
		return cargoDependencies
	case "cargo:examples":
		return cargoExamples
	case "cargo:features":
		return cargoFeatures
	case "cargo:locked":
		return cargoLocked
	case "cargo:packages":
		return cargoPackages
	case "cargo:profiles":
		return cargoProfiles
	case "cargo:test-targets":
		return cargoTestTargets
	case "cargo:tests":
		return cargoTests
	case "dirs":
		return listDirs
	case "env":
		return envNames
	case "executables":
		return executables
	case "files":
		return listFiles
	case "go:benchmarks":
		return goBenchmarks
	case "go:env":
		return goEnv
	case "go:fuzz":
		return goFuzz
	case "go:modules":
		return goModules
	case "go:packages":
		return goPackages
	case "go:tests":
		return goTests
	case "go:tools":
		return goTools
	case "groups":
		return groups
	case "hosts":
		return hosts
	case "just:recipes":
		return justRecipes
	case "make:targets":
		return makeTargets
	case "mounts":
		return mounts
	case "npm:bins":
		return npmBins
	case "npm:dependencies":
		return npmDependencies
	case "npm:scripts":
		return npmScripts
	case "npm:workspaces":
		return npmWorkspaces
	case "process-names":
		return processNames
	case "processes":
		return processes
	case "shells":
		return shells
	case "signals":
		return signals
	case "users":
		return users
	}
	if strings.HasPrefix(name, "git:") || name == "current_git_branch" {
		return lookupGit(name)
	}
	if strings.HasPrefix(name, "files:") {
		return listFiles
	}
	return lookupTool(name)
}
