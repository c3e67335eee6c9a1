package help

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// kindOf tells what a flag's value is by the name that the text gives it, and
// where that says nothing by the flag's own name.
func kindOf(f *draft.Flag) string {
	if f.Arity != draft.Required && f.Arity != draft.Optional || len(f.Values) > 0 {
		return f.Kind
	}
	if f.Kind != "" {
		return f.Kind
	}
	if k := WordKind(f.Metavar); k != "" {
		return k
	}
	for _, name := range f.Names {
		if draft.Long(name) {
			last := name[strings.LastIndexByte(name, '-')+1:]
			if k := WordKind(last); inTable("kinds told by names", k) {
				return k
			}
		}
	}
	return ""
}

// WordKind is the kind of value that a placeholder names: "FILE" is a file.
func WordKind(word string) string {
	w := strings.ToLower(strings.Trim(word, "<>[]{}()._ "))
	w = strings.TrimSuffix(w, "...")
	if i := strings.LastIndexAny(w, "_- "); i >= 0 && w != "" {
		if k := wordKind(w[i+1:]); k != "" {
			return k
		}
		return wordKind(w[:i])
	}
	return wordKind(w)
}

func wordKind(w string) string {
	switch strings.TrimRight(w, "s0123456789") {
	case "file", "filename", "path", "pathname", "filepath", "cfg", "logfile", "keyfile", "pidfile", "outfile", "infile", "script", "image", "datei", "fichier", "fichero", "archive":
		return "file"
	case "dir", "directory", "folder", "basedir", "dirname", "directorie", "destdir", "rootdir", "root", "verzeichni", "répertoire":
		return "dir"
	case "user", "username", "owner", "login", "uid":
		return "user"
	case "host", "hostname", "server", "fqdn":
		return "host"
	case "num", "number", "n", "int", "integer", "count", "uint", "uint32", "uint64", "line", "level", "depth", "port", "digit", "column", "width", "pid", "float", "job", "max", "min", "limit", "row", "zahl", "nombre", "percent":
		return "number"
	case "size", "byte", "blocksize", "bytesize", "ram", "memory":
		return "size"
	case "duration", "timeout", "sec", "second", "interval", "delay", "milli", "msec", "minute", "ttl", "timespan":
		return "duration"
	case "url", "uri", "endpoint", "address-url":
		return "url"
	}
	return ""
}
