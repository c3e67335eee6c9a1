package resolvers

// lookupTool finds the resolvers of other tools' objects.
func lookupTool(name string) Func {
	switch name {
	case "apt:installed":
		return aptInstalled
	case "apt:packages":
		return aptPackages
	case "aws:profiles":
		return awsProfiles
	case "brew:installed":
		return brewInstalled
	case "cmake:presets":
		return cmakePresets
	case "docker:containers":
		return containerObjects("docker", "containers")
	case "docker:contexts":
		return dockerContexts
	case "docker:images":
		return containerObjects("docker", "images")
	case "docker:networks":
		return containerObjects("docker", "networks")
	case "docker:running":
		return containerObjects("docker", "running")
	case "docker:services":
		return composeServices
	case "docker:volumes":
		return containerObjects("docker", "volumes")
	case "gcloud:configurations":
		return gcloudConfigurations
	case "helm:releases":
		return helmReleases
	case "helm:repos":
		return helmRepos
	case "kubectl:clusters":
		return kubeConfig("clusters")
	case "kubectl:contexts":
		return kubeConfig("contexts")
	case "kubectl:cronjobs":
		return kubeNames("cronjobs")
	case "kubectl:deployments":
		return kubeNames("deployments")
	case "kubectl:jobs":
		return kubeNames("jobs")
	case "kubectl:namespaces":
		return kubeNames("namespaces")
	case "kubectl:nodes":
		return kubeNames("nodes")
	case "kubectl:objects":
		return kubeObjects
	case "kubectl:pods":
		return kubeNames("pods")
	case "kubectl:services":
		return kubeNames("services")
	case "kubectl:users":
		return kubeConfig("users")
	case "man:pages":
		return manPages
	case "net:interfaces":
		return interfaces
	case "ninja:targets":
		return ninjaTargets
	case "pacman:installed":
		return pacmanInstalled
	case "podman:containers":
		return containerObjects("podman", "containers")
	case "podman:images":
		return containerObjects("podman", "images")
	case "podman:networks":
		return containerObjects("podman", "networks")
	case "podman:pods":
		return containerObjects("podman", "pods")
	case "podman:running":
		return containerObjects("podman", "running")
	case "podman:volumes":
		return containerObjects("podman", "volumes")
	case "psql:services":
		return psqlServices
	case "python:dependencies":
		return pythonDependencies
	case "python:extras":
		return pythonExtras
	case "python:groups":
		return pythonGroups
	case "python:modules":
		return pythonModules
	case "python:packages":
		return pythonPackages
	case "python:scripts":
		return pythonScripts
	case "rustup:toolchains":
		return rustupToolchains
	case "screen:sessions":
		return screenSessions
	case "systemd:units":
		return systemdUnits
	case "task:tasks":
		return taskTasks
	case "terraform:addresses":
		return terraformAddresses
	case "terraform:outputs":
		return terraformBlocks("output", "")
	case "terraform:variables":
		return terraformBlocks("variable", "=")
	case "terraform:workspaces":
		return terraformWorkspaces
	case "tmux:sessions":
		return tmuxSessions
	}
	return nil
}
