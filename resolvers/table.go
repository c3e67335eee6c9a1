package resolvers

import (
	"context"
	"slices"
	"strings"
	"time"
)

// Entry is a resolver with the name that maps give it, "git:branches".
type Entry struct {
	Name string
	Func Func
}

// Table is what a program can find out. The zero value knows nothing.
type Table struct {
	// List is sorted by name. A resolver that takes a pattern ("files:GLOB") stands
	// there without it.
	List []Entry
	// Alias returns what a name stands for that the configuration of git or cargo
	// defines; other tools have none. nil knows of none.
	Alias func(dir string, getenv func(string) string, tool, name string) (text string, ok bool)
	// Database finds the database that the words of a request name. A file is read;
	// a server is asked in the background, and only one that the user's own files
	// declare. The answer has no values: it says how current what is found is, and
	// the database is nil where nothing is known.
	Database func(ctx context.Context, r Request) (*Database, Answer)
}

// wholeTime bounds every answer, whatever the context allows.
const wholeTime = 30 * time.Second

// Resolve asks the resolver that r names. An unknown name is a failed answer. It
// ends by itself also where the context never does.
func (t Table) Resolve(ctx context.Context, r Request) Answer {
	f := t.lookup(r.Name)
	if f == nil {
		return Answer{State: Failed, Message: "no resolver named " + r.Name}
	}
	if deadline, ok := ctx.Deadline(); !ok || time.Until(deadline) > wholeTime {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, wholeTime)
		defer cancel()
	}
	return f(ctx, r)
}

// Known reports whether there is a resolver of that name.
func (t Table) Known(name string) bool { return t.lookup(name) != nil }

// Names lists every resolver, sorted: what a map may name. "files:GLOB" (any
// pattern for a base name) comes in addition.
func (t Table) Names() []string {
	names := make([]string, len(t.List))
	for i := range t.List {
		names[i] = t.List[i].Name
	}
	return names
}

// lookup returns the resolver of that name, or nil.
func (t Table) lookup(name string) Func {
	if pattern, ok := strings.CutPrefix(name, "files:"); ok && pattern != "" {
		name = "files"
	}
	// "sql:NAME.table.column" and "api:OP#path" are asked of servers by one resolver each.
	if rest, ok := strings.CutPrefix(name, "sql:"); ok && strings.Count(rest, ".") >= 2 {
		name = "sql:values"
	}
	if rest, ok := strings.CutPrefix(name, "api:"); ok && strings.Contains(rest, "#") {
		name = "api:values"
	}
	i, ok := slices.BinarySearchFunc(t.List, name, func(e Entry, name string) int { return strings.Compare(e.Name, name) })
	if !ok {
		return nil
	}
	return t.List[i].Func
}
