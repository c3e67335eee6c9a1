package resolvers

import "strings"

// lookup returns the resolver of that name, or nil. Switches and not a map:
// nothing is built at the start of a process that runs on every Tab.
func lookup(name string) Func {
	tool, rest, _ := strings.Cut(name, ":")
	if tool == "git" || name == "current_git_branch" {
		return lookupGit(name)
	}
	if tool == "files" && rest != "" {
		return listFiles
	}
	if rest == "" {
		return lookupSystem(name)
	}
	if f := lookupBuild(name); f != nil {
		return f
	}
	return lookupTool(name)
}

// lookupBuild knows the resolvers of tools that build.
func lookupBuild(name string) Func {
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
	case "go:tags":
		return goTags
	case "go:tests":
		return goTests
	case "go:tools":
		return goTools
	case "just:recipes":
		return justRecipes
	case "make:targets":
		return makeTargets
	case "npm:bins":
		return npmBins
	case "npm:dependencies":
		return npmDependencies
	case "npm:scripts":
		return npmScripts
	case "npm:workspaces":
		return npmWorkspaces
	case "project:managers":
		return projectManagers
	case "project:scripts":
		return projectScripts
	}
	return nil
}

// lookupSystem knows those of the machine.
func lookupSystem(name string) Func {
	switch name {
	case "archives":
		return archives
	case "dirs":
		return listDirs
	case "env":
		return envNames
	case "executables":
		return executables
	case "extensions":
		return fileExtensions
	case "files":
		return listFiles
	case "filesystems":
		return filesystems
	case "globs":
		return fileGlobs
	case "groups":
		return groups
	case "hosts":
		return hosts
	case "mounts":
		return mounts
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
	return nil
}
