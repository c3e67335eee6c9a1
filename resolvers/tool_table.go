package resolvers

// lookupTool finds the resolvers of other tools' objects.
func lookupTool(name string) Func {
	if f := lookupPackage(name); f != nil {
		return f
	}
	if f := lookupContainer(name); f != nil {
		return f
	}
	if f := lookupMachine(name); f != nil {
		return f
	}
	if f := lookupProject(name); f != nil {
		return f
	}
	return lookupOwn(name)
}

// lookupPackage knows those of package managers and of Python's projects.
func lookupPackage(name string) Func {
	switch name {
	case "apt:installed":
		return aptInstalled
	case "apt:packages":
		return aptPackages
	case "brew:installed":
		return brewInstalled
	case "pacman:installed":
		return pacmanInstalled
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
	}
	return nil
}

// lookupContainer knows those of containers and clusters.
func lookupContainer(name string) Func {
	switch name {
	case "docker:containers":
		return containerObjects("docker", "containers")
	case "docker:contexts":
		return dockerContexts
	case "docker:images":
		return containerObjects("docker", "images")
	case "docker:mounts":
		return containerMounts("docker")
	case "docker:networks":
		return containerObjects("docker", "networks")
	case "docker:running":
		return containerObjects("docker", "running")
	case "docker:services":
		return composeServices
	case "docker:volumes":
		return containerObjects("docker", "volumes")
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
	case "podman:containers":
		return containerObjects("podman", "containers")
	case "podman:images":
		return containerObjects("podman", "images")
	case "podman:mounts":
		return containerMounts("podman")
	case "podman:networks":
		return containerObjects("podman", "networks")
	case "podman:pods":
		return containerObjects("podman", "pods")
	case "podman:running":
		return containerObjects("podman", "running")
	case "podman:volumes":
		return containerObjects("podman", "volumes")
	}
	return nil
}

// lookupMachine knows those of the services, sessions and files of a machine.
func lookupMachine(name string) Func {
	switch name {
	case "disk:labels":
		return diskNames("label")
	case "disk:uuids":
		return diskNames("uuid")
	case "journalctl:boots":
		return journalBoots
	case "journalctl:fields":
		return journal("field", "--fields")
	case "journalctl:identifiers":
		return journal("identifier", "--field=SYSLOG_IDENTIFIER")
	case "man:locales":
		return manLocales
	case "man:pages":
		return manPages
	case "net:interfaces":
		return interfaces
	case "net:namespaces":
		return networkNamespaces
	case "psql:services":
		return psqlServices
	case "screen:sessions":
		return screenSessions
	case "systemd:jobs":
		return systemdJobs
	case "systemd:machines":
		return machines
	case "sql:columns":
		return sqlColumns
	case "sql:databases":
		return sqlDatabases
	case "sql:schemas":
		return sqlSchemas
	case "sql:tables":
		return sqlTables
	case "systemd:units":
		return systemdUnits
	case "tar:members":
		return tarMembers
	case "tmux:sessions":
		return tmuxSessions
	case "zip:members":
		return zipMembers
	}
	return nil
}

// lookupProject knows those of cloud and build tools that keep their objects in files.
func lookupProject(name string) Func {
	switch name {
	case "aws:profiles":
		return awsProfiles
	case "cmake:commands":
		return cmakeHelp("command")
	case "cmake:modules":
		return cmakeHelp("module")
	case "cmake:presets":
		return cmakePresets
	case "cmake:properties":
		return cmakeHelp("property")
	case "cmake:variables":
		return cmakeHelp("variable")
	case "gcloud:configurations":
		return gcloudConfigurations
	case "ninja:targets":
		return ninjaTargets
	case "meson:options":
		return mesonOptions
	case "meson:suites":
		return mesonSuites
	case "meson:targets":
		return mesonTargets
	case "meson:tests":
		return mesonTests
	case "mise:tasks":
		return miseTasks
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
	}
	return nil
}

// lookupOwn knows the objects of tmp itself: what its map holds, which the
// caller tells through Request.Own, and what it keeps in its directories.
func lookupOwn(name string) Func {
	switch name {
	case "tmp:commands", "tmp:intents", "tmp:maps", "tmp:operations", "tmp:workflows":
		return ownMap
	case "tmp:approvals":
		return ownApprovals
	case "tmp:drafts":
		return ownDrafts
	case "tmp:quarantine":
		return ownQuarantine
	case "tmp:runs":
		return ownRuns
	case "tmp:trusted":
		return ownTrusted
	}
	return nil
}
