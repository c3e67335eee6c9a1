package opmap

import (
	"slices"
	"strings"
	"unicode"
)

// resolver checks the form of a resolver's name, and that it exists.
func (d *decoder) resolver(o *object, field, name string) {
	if glob, ok := strings.CutPrefix(name, "files:"); ok && glob != "" && !strings.ContainsFunc(glob, func(r rune) bool {
		return r == '/' || unicode.IsSpace(r) || unicode.IsControl(r)
	}) {
		return // files whose name matches
	}
	if asksServer(name) {
		return // known by their form
	}
	for part := range strings.SplitSeq(name, ":") {
		if part == "" || strings.ContainsFunc(part, func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
		}) {
			o.errorf(field, "%q is not the name of a resolver: want a form like git:branches", name)
			return
		}
	}
	if d.knownResolver != nil && !d.knownResolver(name) {
		o.errorf(field, "there is no resolver named %q", name)
	}
}

// asksServer reports whether a resolver is the values of a column,
// "sql:NAME.table.column", or those of an answer, "api:OPERATION#path".
func asksServer(name string) bool {
	plain := func(s, more string) bool {
		return s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"+more) == ""
	}
	if rest, ok := strings.CutPrefix(name, "sql:"); ok {
		parts := strings.Split(rest, ".")
		return len(parts) >= 3 && len(parts) <= 4 && !slices.ContainsFunc(parts, func(p string) bool { return !plain(p, "") })
	}
	rest, ok := strings.CutPrefix(name, "api:")
	op, path, found := strings.Cut(rest, "#")
	return ok && found && plain(op, ".") && plain(path, ".[]*/")
}
