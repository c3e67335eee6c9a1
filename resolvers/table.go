package resolvers

// lookup returns the resolver of that name, or nil. A switch and not a map:
// nothing is built at the start of a process that runs on every Tab.
func lookup(name string) Func {
	switch name {
	case "git:branches":
		return gitBranches
	case "git:remote-branches":
		return gitRemoteBranches
	case "git:tags":
		return gitTags
	case "git:current_branch", "current_git_branch":
		return gitCurrentBranch
	}
	return nil
}
