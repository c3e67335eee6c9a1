package assess

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// RateSub rates a sub-command by its name and what the help of its tool says of
// it, beside the rating of the command above: it is never below that. It reports
// whether there is more to say of it than of the command above.
func RateSub(name, description, from string, above Rating) (Rating, bool) {
	r := Rating{Level: above.Level, Flags: above.Flags, Scope: above.Scope, Provenance: from}
	found := verbDeed(name)
	r.Reason = "its name says that it destroys something"
	if d := deedOf(tokens(description)); d.level > found.level {
		found = d
	}
	if found.level == 0 {
		return above, false
	}
	if description != "" {
		r.Reason = "its " + text(from) + " says: " + quote(description)
	}
	if found.level > r.Level {
		r.Level, r.Scope = found.level, found.scope
	}
	r.Flags |= found.flags
	return r, r.Level > above.Level || r.Flags != above.Flags
}

// verbDeed is what the verb in the name of a sub-command says, in "delete",
// "delete-bucket" and "volume-rm" alike.
func verbDeed(name string) deed {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '-' || r == '_' || r == ':' || r == '.' })
	if len(words) == 0 {
		return deed{}
	}
	for _, w := range []string{words[0], words[len(words)-1]} {
		switch w {
		case "delete", "del", "destroy", "purge", "wipe", "erase", "nuke", "shred", "drop", "prune", "terminate", "truncate", "obliterate", "zap",
			"rm", "remove", "rmi", "rmdir", "uninstall", "unlink", "deprovision":
			return deed{tcpdb.High, tcpdb.Destructive, tcpdb.NamedFiles}
		case "clean", "clear", "reset", "kill", "revoke", "flush", "autoremove", "gc", "forget", "rollback", "overwrite":
			return deed{tcpdb.Medium, tcpdb.Destructive, tcpdb.NamedFiles}
		}
	}
	return deed{}
}
