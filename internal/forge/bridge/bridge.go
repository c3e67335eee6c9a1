// Package bridge is what a tool may do in the world, done for it by the process
// outside of its jail: files below the project and the directories that it may
// write, queries, requests to hosts that a signature names. It takes text and JSON,
// holds every call against the grants of the run, and answers with JSON; paths,
// addresses and errors of the host are in no answer.
//
//   - bridge.go: the calls and their answers
//   - files.go: files, by openat2 beneath a directory
//   - remote: queries and requests, whose drivers a run that needs neither does not load
package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/forge/isolate"
)

// Grants are what one run may do.
type Grants struct {
	Project   string   // what may be read
	Dirs      []string // what may be written, absolute
	DenyRead  []string // patterns of names
	MaxWrite  int64    // bytes
	MaxFiles  int
	Write     bool      // the effect local-write
	Network   bool      // the effect network
	Net       []string  // hosts that are signed: [http://]host[:port]
	DB        *Database // nil without one
	DBWrite   bool      // the effect db-write
	MaxAnswer int       // bytes of one answer
	Remote    Remote    // what asks databases and hosts, nil where nothing may
}

// Database is where queries go. The address stays with the host.
type Database struct {
	Dialect string // "sqlite", "postgres"
	URL     string
	Dir     string            // where a relative path of SQLite begins
	Queries map[string]string // statements by their names
	Write   []string          // names of those that may write
}

// Remote asks databases and hosts. It is of one run.
type Remote interface {
	// Query runs a query of a tool, the JSON of remote.Query.
	Query(ctx context.Context, g *Grants, query json.RawMessage) (any, error)
	// Fetch makes a request, the JSON of its method, headers and body.
	Fetch(ctx context.Context, g *Grants, url string, request json.RawMessage) (any, error)
	Close()
}

// Bridge answers a tool. It is of one run.
type Bridge struct {
	Grants
	files   int
	written int64
	dirs    map[string]int // open directories
}

// New makes the bridge of a run.
func New(g Grants) *Bridge { return &Bridge{Grants: g, dirs: map[string]int{}} }

// Close frees what the run opened.
func (b *Bridge) Close() {
	for _, fd := range b.dirs {
		_ = syscall.Close(fd)
	}
	if b.Remote != nil {
		b.Remote.Close()
	}
}

// fault is an error of the tool's own.
type fault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (f *fault) Error() string { return f.Code + ": " + f.Message }

func fail(code, message string) error { return &fault{code, message} }

// Fail is an error of the tool's own, which it may catch.
func Fail(code, message string) error { return fail(code, message) }

// violation ends the tool.
func violation(message string) error {
	return &isolate.Fatal{Code: "SECURITY_VIOLATION", Message: message}
}

func quota(message string) error { return &isolate.Fatal{Code: "QUOTA_EXCEEDED", Message: message} }

// Violation ends a tool that asks for what it must not.
func Violation(message string) error { return violation(message) }

// Quota ends a tool that takes more than it may.
func Quota(message string) error { return quota(message) }

// Call answers an operation.
func (b *Bridge) Call(ctx context.Context, op string, data []byte) ([]byte, error) {
	var args []json.RawMessage
	if json.Unmarshal(data, &args) != nil {
		return nil, violation("the arguments are no JSON")
	}
	value, err := b.call(ctx, op, args)
	var f *fault
	var fatal *isolate.Fatal
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return []byte(`{"error":{"code":"ABORTED","message":"the time is over"}}`), nil
	case errors.As(err, &fatal):
		return nil, fatal
	case errors.As(err, &f):
		return json.Marshal(map[string]any{"error": f})
	default:
		return json.Marshal(map[string]any{"error": system(err)})
	}
	answer, err := json.Marshal(map[string]any{"value": value})
	if err != nil {
		return nil, err
	}
	if b.MaxAnswer > 0 && len(answer) > b.MaxAnswer {
		return json.Marshal(map[string]any{"error": &fault{"ETOOBIG", "the answer is larger than the memory of the tool"}})
	}
	return answer, nil
}

func (b *Bridge) call(ctx context.Context, op string, args []json.RawMessage) (any, error) {
	switch op {
	case "fs.read":
		var path, encoding string
		if err := take(args, &path, &encoding); err != nil {
			return nil, err
		}
		return b.read(path, encoding)
	case "fs.write":
		var path, text, encoding string
		var appending bool
		if err := take(args, &path, &text, &encoding, &appending); err != nil {
			return nil, err
		}
		return nil, b.write(path, text, encoding, appending)
	case "fs.list":
		var path string
		if err := take(args, &path); err != nil {
			return nil, err
		}
		return b.list(path)
	case "fs.stat":
		var path string
		if err := take(args, &path); err != nil {
			return nil, err
		}
		return b.stat(path)
	case "db":
		var query json.RawMessage
		if err := take(args, &query); err != nil {
			return nil, err
		}
		if b.DB == nil || b.Remote == nil {
			return nil, fail("EPERM", "the configuration has no database")
		}
		return b.Remote.Query(ctx, &b.Grants, query)
	case "http":
		var url string
		var request json.RawMessage
		if err := take(args, &url, &request); err != nil {
			return nil, err
		}
		if !b.Network || b.Remote == nil {
			return nil, fail("EPERM", "the tool does not declare @effect network")
		}
		return b.Remote.Fetch(ctx, &b.Grants, url, request)
	}
	return nil, violation("there is no such call")
}

// take reads arguments of the types that are expected.
func take(args []json.RawMessage, into ...any) error {
	if len(args) != len(into) {
		return violation("a call with other arguments than it has")
	}
	for i, a := range args {
		if err := json.Unmarshal(a, into[i]); err != nil {
			return violation("a call with arguments of another type")
		}
	}
	return nil
}

// names are the codes of errors of the system that a tool is told.
var names = map[syscall.Errno]fault{
	syscall.ENOENT: {"ENOENT", "no such file or directory"}, syscall.EACCES: {"EACCES", "permission denied"}, syscall.EPERM: {"EPERM", "operation not permitted"},
	syscall.EISDIR: {"EISDIR", "it is a directory"}, syscall.ENOTDIR: {"ENOTDIR", "it is not a directory"}, syscall.ENOSPC: {"ENOSPC", "no space is left"},
	syscall.ENAMETOOLONG: {"ENAMETOOLONG", "the name is too long"}, syscall.EEXIST: {"EEXIST", "it exists"},
}

// system is an error of the system, without what it says of the host.
func system(err error) *fault {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		if f, ok := names[errno]; ok {
			return &f
		}
		return &fault{"EIO", errno.Error()}
	}
	if errors.Is(err, os.ErrNotExist) {
		return &fault{"ENOENT", "no such file or directory"}
	}
	return &fault{"EIO", "it failed"}
}
