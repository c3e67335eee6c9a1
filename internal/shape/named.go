package shape

import (
	"path"
	"slices"
	"strings"
)

// viewers show the files that they name as they are.
var viewers = []string{"cat", "tac", "nl", "head", "tail", "bat", "batcat", "less", "more", "zcat", "gzcat", "xzcat", "zstdcat"}

// showsFile reports whether a command shows a file that it names: what was asked
// for is the text itself.
func showsFile(argv []string) bool {
	argv = bare(argv)
	if line, ok := shellArg(argv); ok {
		argv = bare(maker(Words(line)))
	}
	if len(argv) < 2 {
		return false
	}
	named := slices.ContainsFunc(argv[1:], func(a string) bool { return a != "" && a[0] != '-' })
	name := path.Base(argv[0])
	if name == "git" {
		v, rest := verb(argv[1:], "-C", "-c", "--git-dir", "--work-tree", "--namespace")
		return v == "cat-file" || v == "show" && slices.ContainsFunc(rest, func(a string) bool { return a != "" && a[0] != '-' && strings.IndexByte(a, ':') > 0 })
	}
	return named && (slices.Contains(viewers, name) || name == "sed" && slices.Contains(argv, "-n"))
}

// shellArg returns the line that a shell is given to run: sh -c LINE.
func shellArg(argv []string) (line string, ok bool) {
	if len(argv) == 0 || !slices.Contains([]string{"sh", "bash", "zsh", "dash", "fish", "ksh"}, path.Base(argv[0])) {
		return "", false
	}
	for i, a := range argv[1:] {
		if strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.HasSuffix(a, "c") && i+2 < len(argv) {
			return argv[i+2], true
		}
	}
	return "", true
}
