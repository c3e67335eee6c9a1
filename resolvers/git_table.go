package resolvers

// lookupGit returns the git resolver of that name, or nil.
func lookupGit(name string) Func {
	switch name {
	case "git:addable":
		return gitAddable
	case "git:aliases":
		return gitAliases
	case "git:authors":
		return gitAuthors
	case "git:branches":
		return gitBranches
	case "git:checkout":
		return gitCheckout
	case "git:commits":
		return gitCommits
	case "git:config-keys":
		return gitConfigKeys
	case "git:current_branch", "current_git_branch":
		return gitCurrentBranch
	case "git:deletable":
		return gitDeletable
	case "git:files":
		return gitFiles
	case "git:mergeable":
		return gitMergeable
	case "git:modified":
		return gitModified
	case "git:pushable":
		return gitPushable
	case "git:refs":
		return gitRefs
	case "git:remote-branches":
		return gitRemoteBranches
	case "git:remote-heads":
		return gitRemoteHeads
	case "git:remotes":
		return gitRemotes
	case "git:restore":
		return gitRestore
	case "git:staged":
		return gitStaged
	case "git:starts":
		return gitStarts
	case "git:stashes":
		return gitStashes
	case "git:submodules":
		return gitSubmodules
	case "git:switch":
		return gitSwitch
	case "git:tags":
		return gitTags
	case "git:untracked":
		return gitUntracked
	case "git:urls":
		return gitURLs
	case "git:identities":
		return gitIdentities
	case "git:linked-worktrees":
		return gitLinkedWorktrees
	case "git:worktrees":
		return gitWorktrees
	}
	return nil
}
