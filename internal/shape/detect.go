package shape

import (
	"path"
	"slices"
	"strings"
)

// format is a form of output that a policy reads.
type format uint8

const (
	unknown format = iota
	asIs
	plainLines
	goTest
	goJSON
	goTestSum
	cargoOut // cargo's builds and tests, and rustc
	pytestOut
	unittestOut
	tapOut
	jsTest // jest, vitest, mocha, and node's own runner
	junitXML
	ctestOut
	buildOut
	gitStatus
	gitDiff
	gitLog
	gitWork // clone, fetch, push, merge, rebase …
	searchOut
	logOut
	packageOut
	tableOut
	jsonOut
	ansibleOut
	terraformOut
	straceOut
	mixed // several of them, each line with a name in front
)

// name is that of the output policy that a format belongs to.
func (f format) name() string {
	switch f {
	case asIs:
		return "raw"
	case goTest, goJSON, goTestSum, pytestOut, unittestOut, tapOut, jsTest, junitXML, ctestOut:
		return "test_summary"
	case cargoOut, buildOut, ansibleOut, terraformOut:
		return "build_summary"
	case gitStatus:
		return "status_summary"
	case gitDiff:
		return "diff_summary"
	case gitLog:
		return "history_summary"
	case gitWork:
		return "git_summary"
	case searchOut:
		return "search_summary"
	case logOut:
		return "log_summary"
	case packageOut:
		return "package_summary"
	case tableOut:
		return "table_summary"
	case jsonOut:
		return "json_projection"
	}
	return "generic"
}

// Policies lists the names of the output policies.
func Policies() []string {
	return []string{
		"build_summary", "diff_summary", "generic", "git_summary", "history_summary", "json_projection", "log_summary",
		"package_summary", "raw", "search_summary", "status_summary", "table_summary", "test_summary",
	}
}

// Follows reports whether a command goes on until it is stopped, so that its
// output is to be passed on as it comes.
func Follows(argv []string) bool {
	argv = bare(argv)
	if len(argv) == 0 {
		return false
	}
	has := func(words ...string) bool {
		return slices.ContainsFunc(argv[1:], func(a string) bool { return slices.Contains(words, a) })
	}
	short := func(letters string) bool {
		return slices.ContainsFunc(argv[1:], func(a string) bool {
			return len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.ContainsAny(a, letters)
		})
	}
	switch path.Base(argv[0]) {
	case "tail":
		return has("--follow", "--follow=name", "--follow=descriptor") || short("fF")
	case "journalctl":
		return has("-f", "--follow") || short("f")
	case "docker", "podman", "kubectl", "oc", "heroku", "stern":
		return has("logs", "log") && has("-f", "--follow") || has("get") && has("-w", "--watch", "--watch-only") || has("events", "stats") && !has("--no-stream") ||
			has("compose") && has("up") && !has("-d", "--detach") || has("attach", "port-forward")
	case "npm", "yarn", "pnpm", "bun":
		return has("dev", "start", "watch", "serve", "--watch") || slices.ContainsFunc(argv[1:], func(a string) bool {
			return strings.HasPrefix(a, "dev:") || strings.HasPrefix(a, "watch:") || strings.HasPrefix(a, "start:")
		})
	case "watch", "nodemon", "watchexec", "entr", "vite", "htop", "inotifywait":
		return !has("build")
	case "top":
		return !short("n") // how many times
	case "next", "nuxt", "astro", "gatsby":
		return has("dev", "develop", "start")
	case "tsc":
		return has("-w", "--watch")
	}
	return has("--watch", "--follow", "--watchAll")
}

// bare leaves out what stands before the program that makes the output:
// variables, sudo, env, timeout and the like, and runners of installed tools.
func bare(argv []string) []string {
	for len(argv) > 0 {
		word := argv[0]
		if i := strings.IndexByte(word, '='); i > 0 && !strings.ContainsAny(word[:i], "/-. ") {
			argv = argv[1:]
			continue
		}
		rest := argv[1:]
		switch strings.TrimSuffix(path.Base(word), ".exe") {
		case "env", "sudo", "doas", "nice", "nohup", "stdbuf", "time", "ionice", "xvfb-run", "npx", "bunx", "exec", "command", "unbuffer", "setsid", "dotenv":
			argv = options(rest, "-u", "-n", "-g", "-p", "--package", "-C", "-S")
		case "timeout":
			if argv = options(rest, "-s", "-k", "--signal", "--kill-after"); len(argv) > 0 {
				argv = argv[1:]
			}
		case "uv", "poetry", "pipenv", "pdm", "hatch", "rye", "conda":
			if len(rest) < 2 || rest[0] != "run" {
				return argv
			}
			argv = options(rest[1:], "-n", "--with", "--python", "-p")
		case "bundle", "mise", "direnv":
			if len(rest) < 2 || rest[0] != "exec" {
				return argv
			}
			argv = options(rest[1:])
		case "pnpm", "yarn":
			if len(rest) < 2 || rest[0] != "exec" && rest[0] != "dlx" {
				return argv
			}
			argv = options(rest[1:])
		case "python", "python3", "py":
			return module(argv)
		default:
			if strings.HasPrefix(path.Base(word), "python3.") {
				return module(argv)
			}
			return argv
		}
	}
	return argv
}

// options skips options, with the values of those in valued.
func options(argv []string, valued ...string) []string {
	for len(argv) > 0 && (strings.HasPrefix(argv[0], "-") || strings.Contains(argv[0], "=") && !strings.Contains(argv[0], "/")) {
		if slices.Contains(valued, argv[0]) && len(argv) > 1 {
			argv = argv[1:]
		}
		if argv = argv[1:]; len(argv) > 0 && argv[0] == "--" {
			return argv[1:]
		}
	}
	return argv
}

// module turns "python -m pytest …" into "pytest …".
func module(argv []string) []string {
	for i := 1; i < len(argv); i++ {
		switch {
		case argv[i] == "-m" && i+1 < len(argv):
			return argv[i+1:]
		case argv[i] == "-X" || argv[i] == "-W":
			i++
		case !strings.HasPrefix(argv[i], "-") || argv[i] == "-c":
			return argv
		}
	}
	return argv
}

// command returns the format that a command writes, unknown if it is not known
// or follows from what is written.
func command(argv []string) format {
	argv = bare(argv)
	if len(argv) == 0 {
		return unknown
	}
	if line, ok := shellArg(argv); ok {
		return shellLine(line)
	}
	name, rest := strings.TrimSuffix(path.Base(argv[0]), ".exe"), argv[1:]
	switch name {
	case "go":
		return goCommand(rest)
	case "git":
		return gitCommand(rest)
	case "cargo":
		return cargoCommand(rest)
	case "rustc", "cross":
		return cargoOut
	case "pytest", "py.test":
		return pytestOut
	case "unittest":
		return unittestOut
	case "ctest":
		return ctestOut
	case "gotestsum":
		return goTestSum
	case "jest", "vitest", "mocha", "ava":
		return unknown // by what is written: reporters differ
	case "grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "ugrep":
		return searchCommand(rest)
	case "gcc", "g++", "cc", "c++", "clang", "clang++", "tsc", "eslint", "shellcheck", "make", "gmake", "ninja", "cmake", "msbuild", "golangci-lint",
		"staticcheck", "oxlint", "biome", "jshint", "pyright", "basedpyright", "markdownlint", "markdownlint-cli2", "stylelint", "hadolint", "yamllint", "mypy", "flake8", "ruff", "pylint", "javac", "mvn", "gradle", "gradlew", "dotnet", "swiftc", "bazel", "meson", "xcodebuild":
		return buildOut
	case "apt", "apt-get", "pip", "pip3", "dnf", "yum", "apk", "brew", "pacman", "zypper", "gem", "composer":
		return packageOut
	case "npm", "pnpm", "yarn", "bun", "uv", "poetry":
		return packageCommand(rest)
	case "docker", "podman", "kubectl", "oc", "docker-compose":
		return containerCommand(rest)
	case "journalctl", "dmesg":
		return logOut
	case "ps", "lsof", "ss", "netstat", "df", "du", "free", "vmstat", "iostat", "mpstat", "pidstat", "sar", "lsblk", "top", "nvidia-smi", "psql", "mysql", "mariadb", "w", "who", "last", "lsmod", "lscpu", "findmnt":
		return tableOut
	case "helm", "systemctl", "loginctl", "networkctl":
		return listCommand(rest)
	case "strace":
		return straceOut
	case "tail", "cat", "head", "less", "zcat":
		if slices.ContainsFunc(rest, func(a string) bool { return strings.HasSuffix(a, ".log") || strings.HasPrefix(a, "/var/log/") }) {
			return logOut
		}
	}
	return unknown
}

// shellLine is the format of a line for a shell, if one command of it makes the
// output: the first of a pipe into programs that only choose lines.
func shellLine(s string) format {
	commands, pipes := Words(s)
	if c := maker(commands, pipes); c != nil {
		return command(c)
	}
	return unknown
}

func maker(commands [][]string, pipes []bool) []string {
	var found []string
	for i, c := range commands {
		if i > 0 && pipes[i-1] {
			switch path.Base(c[0]) {
			case "tail", "head", "cat", "tee", "less", "more", "sort", "uniq", "ts":
			default:
				found = c
			}
			continue
		}
		switch path.Base(c[0]) {
		case "cd", "export", "set", "source", ".", "true", ":", "pushd", "popd", "mkdir", "unset", "ulimit":
			continue
		}
		if found != nil {
			return nil
		}
		found = c
	}
	return found
}

// verb returns the first word that is no option, skipping the values of those
// in valued, and what stands after it.
func verb(argv []string, valued ...string) (string, []string) {
	argv = options(argv, valued...)
	if len(argv) == 0 {
		return "", nil
	}
	return argv[0], argv[1:]
}

func goCommand(argv []string) format {
	v, rest := verb(argv, "-C")
	switch v {
	case "test":
		if slices.Contains(rest, "-json") || slices.Contains(rest, "--json") {
			return goJSON
		}
		return goTest
	case "build", "vet", "install", "generate", "fix", "get", "mod", "tool", "list":
		if slices.Contains(rest, "-json") {
			if v == "vet" {
				return buildOut
			}
			if v == "list" {
				return unknown
			}
			return goJSON
		}
		return buildOut
	case "run":
		return unknown
	}
	return unknown
}

func cargoCommand(argv []string) format {
	for len(argv) > 0 && strings.HasPrefix(argv[0], "+") {
		argv = argv[1:]
	}
	switch v, rest := verb(argv, "-C", "--color", "--config", "-Z"); v {
	case "run", "r", "":
		return unknown
	case "build", "b", "check", "c", "clippy", "doc", "test", "t", "bench", "nextest", "fix", "install", "rustc", "add", "update", "fetch", "publish", "package":
		if slices.ContainsFunc(rest, func(a string) bool { return strings.HasPrefix(a, "--message-format=json") }) {
			return unknown
		}
		return cargoOut
	}
	return unknown
}

func gitCommand(argv []string) format {
	v, rest := verb(argv, "-C", "-c", "--git-dir", "--work-tree", "--namespace")
	switch v {
	case "status":
		return gitStatus
	case "diff", "show", "range-diff", "format-patch":
		if slices.ContainsFunc(rest, func(a string) bool {
			return a == "-z" || strings.HasPrefix(a, "--word-diff=") && a != "--word-diff=plain" || strings.HasPrefix(a, "--format=") && v == "diff"
		}) {
			return plainLines
		}
		if v == "show" {
			return gitLog
		}
		return gitDiff
	case "log", "whatchanged", "stash":
		if v == "stash" && !(len(rest) > 0 && rest[0] == "show") {
			return gitWork
		}
		return gitLog
	case "clone", "fetch", "pull", "push", "rebase", "merge", "cherry-pick", "revert", "checkout", "switch", "restore", "commit", "am", "apply", "submodule", "gc", "bisect", "remote", "worktree":
		return gitWork
	case "grep":
		return searchOut
	}
	return plainLines
}

// packageCommand reads npm, yarn and their kin: scripts print what they like.
func packageCommand(argv []string) format {
	v, _ := verb(argv, "--prefix", "-C", "--dir", "--filter", "-w", "--workspace", "--cwd")
	switch v {
	case "", "install", "i", "ci", "add", "remove", "rm", "uninstall", "update", "upgrade", "up", "outdated", "audit", "dedupe", "link", "pack", "publish", "sync", "lock", "import", "prune", "rebuild":
		return packageOut
	}
	return unknown
}

// ofContainers reports whether a command shows what containers print.
func ofContainers(argv []string) bool {
	argv = bare(argv)
	if len(argv) == 0 {
		return false
	}
	switch path.Base(argv[0]) {
	case "docker", "podman", "kubectl", "oc", "docker-compose", "stern":
		return true
	}
	return false
}

func containerCommand(argv []string) format {
	v, rest := verb(argv, "-H", "--host", "--context", "-n", "--namespace", "--kubeconfig", "-f", "--file", "-p")
	if v == "compose" || v == "container" || v == "image" {
		v, _ = verb(rest, "-f", "--file", "-p")
	}
	switch v {
	case "logs":
		return logOut
	case "ps", "ls", "images", "get", "top", "stats", "api-resources", "version":
		if slices.ContainsFunc(rest, func(a string) bool { return a == "json" || a == "-ojson" || strings.HasSuffix(a, "=json") }) {
			return jsonOut
		}
		return tableOut
	case "build", "pull", "push", "buildx", "up", "apply", "create", "delete", "run", "rollout":
		return packageOut
	}
	return unknown
}

// listCommand is that of a program some of whose commands list in rows.
func listCommand(argv []string) format {
	switch v, _ := verb(argv, "-n", "--namespace", "--kube-context", "-M", "-H", "-t", "--type", "--state"); {
	case v == "", v == "list", v == "ls", v == "history", v == "repo", v == "search", strings.HasPrefix(v, "list-"):
		return tableOut
	}
	return unknown
}

// searchCommand is unknown where the answer is not lines of "path:text".
func searchCommand(argv []string) format {
	for _, a := range argv {
		switch {
		case a == "--json", a == "-Z", a == "--null", a == "-0", a == "-z":
			return plainLines
		case a == "-o" || a == "--only-matching" || a == "-l" || a == "-L" || a == "-c" || a == "--count" || a == "--files":
			return searchOut
		}
	}
	return searchOut
}

// searched returns the text that a search command looks for, if it is one
// without meaning as an expression.
func searched(argv []string) string {
	argv = bare(argv)
	if len(argv) == 0 || !slices.Contains([]string{"grep", "egrep", "fgrep", "rg", "ag", "ack", "ugrep", "zgrep"}, path.Base(argv[0])) {
		if len(argv) > 2 && path.Base(argv[0]) == "git" && slices.Contains(argv, "grep") {
			argv = argv[slices.Index(argv, "grep"):]
		} else {
			return ""
		}
	}
	word := ""
	for i := 1; i < len(argv); i++ {
		switch a := argv[i]; {
		case a == "-e" || a == "--regexp":
			if i+1 < len(argv) {
				word = argv[i+1]
			}
		case a == "--" && word == "":
			if i+1 < len(argv) {
				word = argv[i+1]
			}
		case slices.Contains([]string{"-A", "-B", "-C", "-m", "-g", "-t", "--include", "--exclude", "-f"}, a):
			i++
			continue
		case strings.HasPrefix(a, "-"):
			continue
		default:
			word = a
		}
		break
	}
	return literal(word)
}

// literal returns the longest part of a regular expression that stands for itself.
func literal(re string) string {
	best, from := "", 0
	for i := 0; i <= len(re); i++ {
		if i < len(re) && strings.IndexByte(`\.*+?()[]{}|^$`, re[i]) < 0 {
			continue
		}
		end := i
		if i < len(re) && end > from && strings.IndexByte("*?{", re[i]) >= 0 {
			end--
		}
		if end-from > len(best) {
			best = re[from:end]
		}
		if i < len(re) && re[i] == '\\' {
			i++
		}
		if i < len(re) && re[i] == '[' {
			for i < len(re) && re[i] != ']' {
				i++
			}
		}
		from = i + 1
	}
	return best
}

// Argv returns the words of the command of a line that makes its output: the
// only one, or the first of a pipe into programs that choose lines. It is nil
// if there are several.
func Argv(line string) []string { return maker(Words(line)) }
