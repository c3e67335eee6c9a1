package shape

import (
	"path"
	"slices"
	"strings"
)

// showsFile reports whether a command shows a file that it names: what was asked
// for is the text itself.
func showsFile(argv []string) bool {
	if argv = bare(argv); len(argv) < 2 {
		return false
	}
	operand := slices.ContainsFunc(argv[1:], func(a string) bool { return a != "" && a[0] != '-' })
	switch path.Base(argv[0]) {
	case "sh", "bash", "zsh", "dash", "fish", "ksh":
		if i := slices.IndexFunc(argv, func(a string) bool {
			return strings.HasPrefix(a, "-") && strings.HasSuffix(a, "c") && !strings.HasPrefix(a, "--")
		}); i > 0 && i+1 < len(argv) {
			return showsFile(maker(Words(argv[i+1])))
		}
	case "cat", "tac", "nl", "head", "tail", "bat", "batcat", "less", "more", "zcat", "gzcat", "xzcat", "zstdcat":
		return operand
	case "sed":
		return operand && slices.Contains(argv, "-n")
	case "git":
		v, rest := verb(argv[1:], "-C", "-c", "--git-dir", "--work-tree", "--namespace")
		return v == "show" && slices.ContainsFunc(rest, func(a string) bool { return a != "" && a[0] != '-' && strings.IndexByte(a, ':') > 0 }) || v == "cat-file"
	}
	return false
}
