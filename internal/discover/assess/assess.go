// Package assess rates a command that nobody has described, by what its manual,
// its help and its package say of it. It reads texts and runs nothing.
//
// Without evidence a command is of medium risk. Only a text that says that it
// shows something, and no text that says that it changes anything, makes it low;
// nothing makes it safe. What is found is a suspicion written down with where it
// comes from, for people and the judge to see; curated tables go before it.
package assess

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Facts are what is known of a command.
type Facts struct {
	Name        string
	Description string // one line
	// From says where the description was read: "manual", "help", "script", "package",
	// "import".
	From    string
	Section string // of the manual, "8"
	Admin   bool   // it lies in a directory of the administrator's programs
	Flags   []Flag
}

// Flag is an option of it.
type Flag struct {
	ID, Description string
	Names           []string
	Valued          bool
}

// Rating is what the facts amount to.
type Rating struct {
	Level      tcpdb.Level
	Flags      tcpdb.Flags
	Scope      tcpdb.Scope
	Reason     string
	Provenance string // "manual", "help", "package", "name"
	// Raises are options that do more than the command alone.
	Raises []Raise
}

// Raise is an option that raises the level.
type Raise struct {
	Flag   string // its ID
	Level  tcpdb.Level
	Flags  tcpdb.Flags
	Reason string
}

// Rate rates a command.
func Rate(f Facts) Rating {
	r := Rating{Level: tcpdb.Medium, Provenance: f.From, Reason: "nothing is written about what it does"}
	if f.Description != "" {
		r.Reason = "its " + text(f.From) + " says: " + quote(f.Description)
	}
	if r.Provenance == "" {
		r.Provenance = "name"
	}
	words := tokens(f.Description)
	verb := ""
	if len(words) > 0 {
		verb = words[0]
	}
	admin := f.Admin || strings.HasPrefix(f.Section, "8")
	deed := deedOf(words)
	switch {
	case deed.level != 0:
		r.Level, r.Flags, r.Scope = deed.level, deed.flags, deed.scope
	case has(words, networkWord):
		r.Flags, r.Scope = tcpdb.NetworkAccess, tcpdb.Remote
	case shows(verb) && !has(words, changeWord):
		if quiet(f.Flags) {
			r.Level = tcpdb.Low
		}
	case has(words, changeWord):
		r.Flags, r.Scope = tcpdb.FileModification, tcpdb.NamedFiles
		if admin {
			r.Flags, r.Scope = tcpdb.SystemModification, tcpdb.System
		}
	}
	if has(words, networkWord) {
		r.Flags |= tcpdb.NetworkAccess
	}
	if admin && r.Level >= tcpdb.Medium {
		r.Flags |= tcpdb.RequiresRoot
	}
	for _, flag := range f.Flags {
		if raise, ok := raises(flag); ok {
			r.Raises = append(r.Raises, raise)
		}
	}
	return r
}

// text names the source of a description in a sentence.
func text(from string) string {
	switch from {
	case "package", "help", "import":
		return from
	case "script":
		return "completion script"
	}
	return "manual"
}

func quote(s string) string {
	if r := []rune(s); len(r) > 120 {
		s = strings.TrimSpace(string(r[:120])) + "…"
	}
	return "“" + s + "”"
}

// deed is something that is not undone.
type deed struct {
	level tcpdb.Level
	flags tcpdb.Flags
	scope tcpdb.Scope
}

// deedOf looks for a word that says that something is destroyed or stopped and,
// where such words are said of harmless things too, for what it happens to.
func deedOf(words []string) deed {
	for i, w := range words {
		rest := words[i+1:]
		switch w {
		case "wipe", "wipes", "erase", "erases", "shred", "shreds", "repartition", "zap", "destroy", "destroys":
			return deed{tcpdb.High, tcpdb.Destructive | tcpdb.FileModification, tcpdb.Device}
		case "format", "formats", "partition", "partitions", "make", "create", "creates", "build", "resize", "shrink":
			if near(rest, "filesystem", "filesystems", "partition", "partitions", "disk", "disks", "swap") || nearPair(rest, "file", "system") {
				return deed{tcpdb.High, tcpdb.Destructive | tcpdb.FileModification | tcpdb.RequiresRoot, tcpdb.Device}
			}
		case "delete", "deletes", "remove", "removes", "purge", "purges", "unlink", "prune", "drop", "drops":
			if near(rest, "file", "files", "directory", "directories", "user", "users", "group", "groups", "account", "accounts", "package", "packages",
				"volume", "volumes", "database", "databases", "partition", "partitions", "disk", "snapshot", "snapshots", "table", "module", "modules", "kernel") {
				return deed{tcpdb.High, tcpdb.Destructive | tcpdb.FileModification, tcpdb.NamedFiles}
			}
		case "shutdown", "reboot", "reboots", "halt", "halts", "power-off", "poweroff", "hibernate":
			return deed{tcpdb.High, tcpdb.SystemModification | tcpdb.RequiresRoot, tcpdb.System}
		case "kill", "kills", "terminate":
			if near(rest, "process", "processes", "session", "sessions") {
				return deed{tcpdb.Medium, tcpdb.Destructive, tcpdb.System}
			}
		}
	}
	return deed{}
}

// near reports whether one of the words is among the next five.
func near(rest []string, words ...string) bool {
	for _, r := range rest[:min(len(rest), 5)] {
		for _, w := range words {
			if r == w {
				return true
			}
		}
	}
	return false
}

func nearPair(rest []string, a, b string) bool {
	for i := range min(len(rest), 6) - 1 {
		if rest[i] == a && rest[i+1] == b {
			return true
		}
	}
	return false
}

// shows reports whether a verb says that a command shows something.
func shows(verb string) bool {
	switch strings.TrimSuffix(verb, "s") {
	case "show", "display", "print", "list", "report", "view", "inspect", "examine", "query", "querie", "tell", "find", "search", "searche",
		"look", "lookup", "count", "compare", "calculate", "compute", "determine", "identify", "identifie", "check", "test", "summarize",
		"describe", "dump", "get", "give", "measure", "browse", "page", "locate", "decode", "pretty-print", "output", "estimate":
		return true
	}
	return false
}

// changeWord reports whether a word says that something is changed.
func changeWord(w string) bool {
	switch w {
	case "change", "changes", "set", "sets", "modify", "modifies", "edit", "edits", "editor", "update", "updates", "upgrade", "install", "installs",
		"installer", "configure", "configures", "configuration", "create", "creates", "add", "adds", "write", "writes", "convert", "converts",
		"manage", "manages", "manipulate", "administer", "administration", "enable", "disable", "rename", "move", "copy", "delete", "remove",
		"replace", "repair", "fix", "recover", "restore", "apply", "control", "generate", "generates", "make", "build", "compile", "compiler", "extract",
		"process", "send", "sends", "submit", "bug", "mount", "unmount", "load", "unload", "start", "stop", "restart", "execute", "run", "runs", "daemon", "server", "import", "reset", "register":
		return true
	}
	return false
}

func networkWord(w string) bool {
	switch w {
	case "network", "download", "downloads", "upload", "http", "https", "ftp", "remote", "remotely", "server", "client", "url", "urls", "internet", "web",
		"mail", "email", "dns", "ssh", "socket", "sockets", "tcp", "udp", "ldap", "snmp", "ntp", "smtp", "tls", "ssl", "cloud", "browser", "fetch":
		return true
	}
	return false
}

// quiet reports whether no option says that the command writes anything.
func quiet(flags []Flag) bool {
	for _, f := range flags {
		if _, ok := raises(f); ok {
			return false
		}
		switch f.ID {
		case "output", "o", "output-file", "in-place", "write", "delete", "remove", "force", "exec", "update", "set", "fix", "repair", "install", "save", "run", "apply":
			if f.Valued || f.ID != "o" && f.ID != "output" {
				return false
			}
		}
		if words := tokens(f.Description); len(words) > 0 && changeWord(words[0]) && words[0] != "set" && words[0] != "add" {
			return false
		}
	}
	return true
}

// raises reports what an option adds that is named for destroying something.
func raises(f Flag) (Raise, bool) {
	for _, name := range f.Names {
		word, _, _ := strings.Cut(strings.TrimPrefix(name, "--"), "-")
		if !strings.HasPrefix(name, "--") {
			continue
		}
		switch word {
		case "delete", "purge", "wipe", "erase", "destroy", "shred", "zap":
			return Raise{f.ID, tcpdb.High, tcpdb.Destructive | tcpdb.FileModification, "the name of " + name + " says that it destroys something"}, true
		}
	}
	return Raise{}, false
}

func has(words []string, is func(string) bool) bool {
	for _, w := range words {
		if is(w) {
			return true
		}
	}
	return false
}

// tokens are the words of a text in lower case; "a", "the" and "to" before the
// first one are dropped.
func tokens(s string) []string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-'
	})
	for len(words) > 0 {
		switch words[0] {
		case "a", "an", "the", "to", "is", "program", "utility", "tool", "command":
			words = words[1:]
			continue
		}
		break
	}
	return words
}
