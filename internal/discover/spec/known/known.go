// Package known tells which of our resolvers stands for what another completion
// engine would run a command for. It knows few commands, and those exactly: a
// command that it does not know stays a gap.
package known

import "strings"

// Command returns the resolver that lists what a shell command prints, "" if
// there is none. Options that only change the format of the list do not matter,
// and commands after a pipe that take its lines one by one; the names of the
// command and of what it lists do.
func Command(line string) string {
	stages := strings.Split(strings.TrimSuffix(strings.TrimSpace(line), "2>/dev/null"), "|")
	if strings.ContainsAny(stages[0], ";&<>`\n") || strings.Contains(line, "$(") {
		return ""
	}
	for _, stage := range stages[1:] {
		if !passes(strings.TrimSpace(stage)) {
			return ""
		}
	}
	return Words(strings.Fields(stages[0]))
}

// passes reports whether a command passes on each line, cut or changed.
func passes(stage string) bool {
	name, rest, _ := strings.Cut(stage, " ")
	rest = strings.TrimLeft(strings.TrimSpace(rest), `'"`)
	switch name {
	case "cut", "tr", "sort", "uniq":
		return !strings.ContainsAny(rest, ";&")
	case "sed":
		return strings.HasPrefix(rest, "s/") || strings.HasPrefix(rest, "s|") || strings.HasPrefix(rest, "s#")
	case "awk":
		return strings.HasPrefix(rest, "{print $") || strings.HasPrefix(rest, "{ print $")
	}
	return false
}

// Words is Command for a command whose words are apart.
func Words(words []string) string {
	var kept []string
	for _, w := range words {
		if !shapes(w) {
			kept = append(kept, strings.Trim(w, `"'`))
		}
	}
	return lookup(strings.Join(kept, " "))
}

// shapes reports whether an option only shapes how a list is printed.
func shapes(word string) bool {
	switch word {
	case "--no-optional-locks", "--no-pager", "--no-color", "--no-headers", "--no-legend", "--plain", "--column=never":
		return true
	}
	for _, name := range [...]string{"--format=", "--template=", "--sort=", "--color="} {
		if strings.HasPrefix(word, name) {
			return true
		}
	}
	return false
}

func lookup(line string) string {
	switch line {
	case "git branch", "git branch --list", "git for-each-ref refs/heads", "git for-each-ref refs/heads/":
		return "git:branches"
	case "git branch -a", "git branch --all":
		return "git:refs"
	case "git branch -r", "git branch --remotes":
		return "git:remote-branches"
	case "git tag", "git tag --list", "git tag -l":
		return "git:tags"
	case "git remote", "git remote show":
		return "git:remotes"
	case "git stash list":
		return "git:stashes"
	case "git worktree list":
		return "git:worktrees"
	case "git diff --cached --name-only", "git diff --name-only --cached", "git diff --staged --name-only":
		return "git:staged"
	case "git diff --name-only":
		return "git:modified"
	case "git ls-files":
		return "git:files"
	case "git ls-files --others --exclude-standard":
		return "git:untracked"
	case "docker ps -a", "docker ps --all", "docker container ls -a", "docker container ls --all":
		return "docker:containers"
	case "docker ps", "docker container ls":
		return "docker:running"
	case "docker images", "docker image ls":
		return "docker:images"
	case "docker network ls", "docker network list":
		return "docker:networks"
	case "docker volume ls", "docker volume list":
		return "docker:volumes"
	case "docker context ls", "docker context list":
		return "docker:contexts"
	case "podman ps -a", "podman ps --all":
		return "podman:containers"
	case "podman ps":
		return "podman:running"
	case "podman images":
		return "podman:images"
	case "kubectl config get-contexts -o name", "kubectl config get-contexts -o=name":
		return "kubectl:contexts"
	case "kubectl get namespaces -o name", "kubectl get ns -o name":
		return "kubectl:namespaces"
	case "helm list -q", "helm ls -q":
		return "helm:releases"
	case "helm repo list":
		return "helm:repos"
	case "terraform workspace list":
		return "terraform:workspaces"
	case "tmux ls", "tmux list-sessions":
		return "tmux:sessions"
	case "screen -ls":
		return "screen:sessions"
	case "rustup toolchain list":
		return "rustup:toolchains"
	case "systemctl list-units", "systemctl list-unit-files":
		return "systemd:units"
	case "just --summary":
		return "just:recipes"
	case "task --list-all", "task --list":
		return "task:tasks"
	case "aws configure list-profiles":
		return "aws:profiles"
	case "brew list", "brew list -1":
		return "brew:installed"
	case "apt list --installed", "dpkg --get-selections":
		return "apt:installed"
	}
	return ""
}

// Macro returns the resolver for a macro of carapace, named without its
// arguments: "tools.git.LocalBranches". "" if there is none.
func Macro(name string) string {
	name = strings.TrimPrefix(name, "carapace.")
	switch name {
	case "tools.git.LocalBranches":
		return "git:branches"
	case "tools.git.RemoteBranches":
		return "git:remote-branches"
	case "tools.git.Refs":
		return "git:refs"
	case "tools.git.Tags":
		return "git:tags"
	case "tools.git.Remotes":
		return "git:remotes"
	case "tools.git.Stashes":
		return "git:stashes"
	case "tools.git.Worktrees":
		return "git:worktrees"
	case "tools.git.RecentCommits":
		return "git:commits"
	case "tools.docker.Containers":
		return "docker:containers"
	case "tools.docker.Networks":
		return "docker:networks"
	case "tools.docker.Volumes":
		return "docker:volumes"
	case "tools.docker.RepositoryTags", "tools.docker.Repositories":
		return "docker:images"
	case "tools.docker.Contexts":
		return "docker:contexts"
	case "tools.kubectl.Contexts":
		return "kubectl:contexts"
	case "tools.tmux.Sessions":
		return "tmux:sessions"
	case "tools.npm.Scripts":
		return "npm:scripts"
	case "tools.cargo.Targets":
		return "cargo:bins"
	case "tools.make.Targets":
		return "make:targets"
	case "tools.just.Recipes":
		return "just:recipes"
	case "net.DevicesNames", "net.Devices":
		return "net:interfaces"
	}
	return ""
}
