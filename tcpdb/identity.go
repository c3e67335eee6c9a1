package tcpdb

import (
	"path/filepath"
	"strings"
)

// Program is what a command word stands for on this machine.
type Program struct {
	Path string // "" if there is no such program
	// Trusted reports whether descriptors found by the word's name apply to it.
	Trusted bool
	// Reason says why not, as a clause: "it lies inside the working tree".
	Reason string
}

// Trusted reports whether descriptors found by the name of a command word apply
// to what the word would run; FindProgram says more.
func Trusted(word, pathEnv, workTree string) bool {
	return FindProgram(word, pathEnv, workTree).Trusted
}

// FindProgram resolves a command word as a shell does and judges what it finds.
// pathEnv is the value of PATH, workTree the absolute root of the working tree,
// or "". A program is trusted if
//
//   - the word is a plain name, or an absolute path into a directory of PATH or
//     of the system;
//   - it lies outside the working tree, unless it is in a directory of the system;
//   - neither it nor a directory on the way to it, links followed, belongs to
//     another user than root and the caller or may be written by others. Groups
//     of the system (below 100, but not the staff of a Mac, which is everybody)
//     and groups of the caller count as the owner does.
//
// A plain name that is found nowhere is trusted with an empty Path: nothing
// stands in the tool's place, and to judge it by its name is the stricter way.
func FindProgram(word, pathEnv, workTree string) Program {
	if word == "" || strings.IndexByte(word, 0) >= 0 {
		return Program{Reason: "it is no name of a program"}
	}
	if strings.Contains(word, "/") {
		return judgePath(word, pathEnv, workTree)
	}
	for dir := range strings.SplitSeq(pathEnv, ":") {
		path := dir + "/" + word
		if dir == "" {
			path = "./" + word
		}
		if !isProgram(path) {
			continue
		}
		if !strings.HasPrefix(dir, "/") {
			return Program{Path: path, Reason: "PATH has a directory that is not absolute"}
		}
		return judgeProgram(path, workTree)
	}
	// sudo looks here whatever PATH is.
	for _, dir := range [...]string{"/usr/local/sbin", "/usr/sbin", "/sbin"} {
		if path := dir + "/" + word; isProgram(path) {
			return judgeProgram(path, workTree)
		}
	}
	return Program{Trusted: true}
}

// judgePath judges a word that has a slash.
func judgePath(word, pathEnv, workTree string) Program {
	if word[0] != '/' {
		return Program{Path: word, Reason: "it is a local program"}
	}
	path := filepath.Clean(word)
	dir := filepath.Dir(path)
	known := systemDir(dir)
	if !known {
		for p := range strings.SplitSeq(pathEnv, ":") {
			if strings.HasPrefix(p, "/") && filepath.Clean(p) == dir {
				known = true
				break
			}
		}
	}
	if !known {
		return Program{Path: path, Reason: "it lies outside PATH"}
	}
	if !isProgram(path) {
		return Program{Trusted: true}
	}
	return judgeProgram(path, workTree)
}

func judgeProgram(path, workTree string) Program {
	end, reason := walkChain(path)
	if reason == "" && (inside(path, workTree) || inside(end, workTree)) && !systemDir(filepath.Dir(end)) {
		reason = "it lies inside the working tree"
	}
	return Program{Path: path, Trusted: reason == "", Reason: reason}
}

// systemDir reports whether a directory is one of the system's own for
// programs. A working tree that holds it (/, /usr) does not make it local.
func systemDir(dir string) bool {
	switch dir {
	case "/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin",
		"/opt/homebrew/bin", "/opt/homebrew/sbin", "/run/current-system/sw/bin":
		return true
	}
	return false
}

// inside reports whether path is the directory dir or lies below it.
func inside(path, dir string) bool {
	dir = strings.TrimSuffix(dir, "/")
	if dir == "" || !strings.HasPrefix(path, dir) {
		return false
	}
	return len(path) == len(dir) || path[len(dir)] == '/'
}
