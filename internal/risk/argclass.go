package risk

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk/syspath"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// argsAre reports whether the positional arguments of b are of a class. A
// class is a name, optionally with an operand after ":"; several joined by "|"
// hold if one does, by "&" if all do. An unknown class never holds: the map's
// compiler refuses it.
//
//	none, some, one, two, N  how many there are (N: at least that many)
//	after-dash               there are some after "--"
//	is:WORD, has:WORD        the first, any is that word
//	first:GLOB, second:GLOB, third:GLOB, match:GLOB
//	                         that one, any matches the pattern ("*" passes "/")
//	last:CLASS               the last is of one of the classes below
//	value:ID=GLOB            an option of that ID is given a value that matches
//	device, root, home       any is a block device, the root or a system
//	                         directory, a home directory
//	tree, glob               any is a directory by its form (ends in "/", is ".",
//	                         "..", "~"), holds a pattern
//	startup, account, keys   any is a shell start-up file, an account database,
//	                         a file that says who may log in or become root
//	secret                   any is a secret by its name: a private key, .env
//	secret-value:ID          an option of that ID sends such a file
//	source-secret            any but the last is such a file on this machine, and the
//	                         last is not plainly a path of it
//	source:CLASS             any but the last (all with --target-directory) is of one
//	                         of the classes of this list
//	vital                    any is what the system stands on: its programs, libraries
//	kernel                   any is a setting of the running kernel: /proc/sys, /sys
//	url                      any is a URL
//	remote                   any is HOST:PATH, a file on another machine
//	plus-refspec             any begins with "+" (git push: forced)
//	delete-refspec           any begins with ":" (git push: deletes)
//	pathspec                 any is a path for git and cannot be a branch, by its form
//	revision                 the first is a revision and not a path, by its form
//	assignment               any is NAME=value
//	reads                    the first verb among them says that it only shows
func argsAre(class string, b *argv.Bound) bool {
	if any, rest, ok := strings.Cut(class, "|"); ok {
		return argsAre(any, b) || argsAre(rest, b)
	}
	if all, rest, ok := strings.Cut(class, "&"); ok {
		return argsAre(all, b) && argsAre(rest, b)
	}
	if not, ok := strings.CutPrefix(class, "!"); ok {
		return !argsAre(not, b)
	}
	name, operand, _ := strings.Cut(class, ":")
	switch name {
	case "none":
		return len(b.Args) == 0
	case "some":
		return len(b.Args) > 0
	case "one":
		return len(b.Args) == 1
	case "two":
		return len(b.Args) >= 2
	case "after-dash":
		return len(b.Args) > 0 && b.Args[len(b.Args)-1].AfterDash
	case "is":
		return len(b.Args) > 0 && b.Args[0].Text == operand
	case "first":
		return len(b.Args) > 0 && globs(operand, b.Args[0].Text)
	case "second":
		return len(b.Args) > 1 && globs(operand, b.Args[1].Text)
	case "third":
		return len(b.Args) > 2 && globs(operand, b.Args[2].Text)
	case "last":
		return len(b.Args) > 0 && argIs(operand, "", b.Args[len(b.Args)-1].Text)
	case "value":
		return valueIs(operand, b)
	case "source-secret":
		return sendsSecret(b)
	case "source":
		return slices.ContainsFunc(sources(b), func(a argv.ArgUse) bool { return argIs(operand, "", a.Text) })
	case "secret-value":
		return secretValue(operand, b)
	case "reads":
		return readsWords(b)
	case "revision":
		return len(b.Args) > 0 && !b.Args[0].AfterDash && isRevision(b.Args[0].Text)
	}
	if name != "" && name[0] >= '0' && name[0] <= '9' { // else Atoi makes an error each time
		n, err := strconv.Atoi(name)
		return err == nil && len(b.Args) >= n
	}
	for _, a := range b.Args {
		if argIs(name, operand, a.Text) {
			return true
		}
	}
	return false
}

// argIs reports whether one argument is of a class.
func argIs(name, operand, arg string) bool {
	switch name {
	case "has":
		return arg == operand
	case "match":
		return globs(operand, arg)
	case "device":
		return syspath.IsDevice(arg)
	case "root":
		return syspath.IsSystemDir(arg)
	case "home":
		return arg == "~" || strings.HasPrefix(arg, "~") && strings.Count(strings.TrimSuffix(arg, "/"), "/") == 0 ||
			arg == "$HOME" || arg == "${HOME}" || path.Dir(path.Clean(arg)) == "/home" || path.Clean(arg) == "/root"
	case "tree":
		return strings.HasSuffix(arg, "/") || arg == "." || arg == ".." || arg == "~"
	case "glob":
		return strings.ContainsAny(arg, "*?[")
	case "startup":
		return syspath.IsStartup(arg)
	case "account":
		return syspath.IsAccount(arg)
	case "keys":
		return syspath.IsKeys(arg)
	case "kernel":
		return syspath.IsKernel(arg)
	case "secret":
		return syspath.IsSecret(arg)
	case "vital":
		return syspath.IsVital(arg)
	case "url":
		return strings.Contains(arg, "://")
	case "remote":
		return syspath.Host(arg) != ""
	case "plus-refspec":
		return strings.HasPrefix(arg, "+")
	case "delete-refspec":
		return strings.HasPrefix(arg, ":") && len(arg) > 1
	case "pathspec":
		return isPathspec(arg)
	case "assignment":
		name, _, ok := strings.Cut(arg, "=")
		return ok && name != "" && !strings.ContainsAny(name, "/.-")
	}
	return false
}

// globs reports whether the whole text matches a pattern in which "*" stands
// for any text, slashes too.
func globs(pattern, text string) bool {
	ok, _ := path.Match(strings.ReplaceAll(pattern, "/", "\x00"), strings.ReplaceAll(text, "/", "\x00"))
	return ok
}

// valueIs reports whether an option is given a value; operand is ID=GLOB.
func valueIs(operand string, b *argv.Bound) bool {
	id, glob, _ := strings.Cut(operand, "=")
	for _, u := range b.Flags {
		if u.Flag != nil && u.Flag.ID == id && u.ValueWord >= 0 && globs(glob, u.Value) {
			return true
		}
	}
	return false
}

// secretValue reports whether an option's value names a secret: itself, or behind
// an "@" as a file to send.
func secretValue(id string, b *argv.Bound) bool {
	for _, u := range b.Flags {
		if u.Flag == nil || u.Flag.ID != id || u.ValueWord < 0 {
			continue
		}
		name := u.Value
		if i := strings.IndexByte(name, '@'); i >= 0 {
			name, _, _ = strings.Cut(name[i+1:], ";")
		} else if u.Flag.Role != tcpdb.UploadFileRole {
			continue // the text itself is sent
		}
		if syspath.IsSecret(name) {
			return true
		}
	}
	return false
}

// sources are the arguments that a command copies or moves: all but the last, which
// is where to.
func sources(b *argv.Bound) []argv.ArgUse {
	if b.Has("target-directory") {
		return b.Args
	}
	return b.Args[:max(0, len(b.Args)-1)]
}

// sendsSecret reports whether a secret of this machine is among what is copied, and
// where to may be another machine.
func sendsSecret(b *argv.Bound) bool {
	from := sources(b)
	if len(from) == 0 || strings.ContainsAny(b.Args[len(b.Args)-1].Text[:min(1, len(b.Args[len(b.Args)-1].Text))], "./~") {
		return false
	}
	return slices.ContainsFunc(from, func(a argv.ArgUse) bool {
		host, _, remote := strings.Cut(a.Text, ":")
		return syspath.IsSecret(a.Text) && (!remote || strings.Contains(host, "/"))
	})
}

// isRevision reports whether a word is a revision of git by its form.
func isRevision(s string) bool {
	return s == "HEAD" || s == "@" || strings.ContainsAny(s, "~^@") || strings.Contains(s, "..") ||
		len(s) >= 7 && strings.Trim(s, "0123456789abcdef") == ""
}

// isPathspec reports whether a word that git may take for a branch cannot be one:
// git-check-ref-format(1) keeps such names apart from paths and patterns.
func isPathspec(s string) bool {
	return s != "" && (strings.ContainsAny(s, "*?[") || s[0] == ':' || s[0] == '.' || s[0] == '/' || strings.HasSuffix(s, "/") ||
		strings.Contains(s, "/.") || strings.Contains(s, "//") || strings.HasSuffix(s, ".lock"))
}

// ValidClass reports whether s is an argument class as argsAre reads it.
func ValidClass(s string) bool {
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == '|' || r == '&' }) {
		name, operand, has := strings.Cut(strings.TrimPrefix(part, "!"), ":")
		switch name {
		case "is", "has", "match", "first", "second", "third", "value", "secret-value", "source":
			if !has || operand == "" || name == "value" && !strings.Contains(operand, "=") || name == "source" && !ValidClass(operand) {
				return false
			}
			if _, err := path.Match(operand, ""); err != nil {
				return false
			}
		case "last":
			if !has || !ValidClass(operand) {
				return false
			}
		case "none", "some", "one", "two", "after-dash", "revision", "device", "root", "home", "tree", "glob",
			"startup", "account", "keys", "kernel", "secret", "url", "plus-refspec", "delete-refspec", "assignment", "pathspec", "reads",
			"source-secret", "vital":
			if has {
				return false
			}
		default:
			if n, err := strconv.Atoi(name); err != nil || n < 0 || has {
				return false
			}
		}
	}
	return s != ""
}
