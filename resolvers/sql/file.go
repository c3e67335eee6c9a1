package sql

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/sqlitefile"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// sqliteFile is the database among the words of sqlite3; "" if they name none.
func sqliteFile(r resolvers.Request) string {
	for i := 1; i < len(r.Words); i++ {
		w := r.Words[i]
		if !strings.HasPrefix(w, "-") {
			return sqlitePath(r, w)
		}
		switch strings.TrimLeft(w, "-") {
		case "init", "cmd", "separator", "nullvalue", "newline", "maxsize", "mmap", "vfs", "A":
			i++
		case "heap", "pagecache", "lookaside":
			return "" // how many words these take depends on the version
		}
	}
	return ""
}

func sqlitePath(r resolvers.Request, w string) string {
	if rest, ok := strings.CutPrefix(w, "file:"); ok {
		w, _, _ = strings.Cut(rest, "?")
		w = strings.TrimPrefix(w, "//")
	}
	w = inHome(r, w)
	if w == "" || w == ":memory:" || !filepath.IsAbs(w) && !filepath.IsAbs(r.Dir) {
		return ""
	}
	return disk.Within(r.Dir, w)
}

// readSQLite reads the schema out of the file, as sqlite3 would find it.
func readSQLite(ctx context.Context, r resolvers.Request) (*resolvers.Database, resolvers.Answer) {
	path := sqliteFile(r)
	if path == "" {
		return nil, resolvers.Answer{State: resolvers.Fresh}
	}
	file, err := openSQLite(path)
	if err != nil {
		return nil, resolvers.Failure(err)
	}
	defer file.close()
	log, err := openSQLite(path + "-wal")
	if err == nil {
		defer log.close()
	}
	d := &resolvers.Database{}
	err = sqlitefile.Schema(file.file(), log.file(), func() bool { return resolvers.Expired(ctx) }, func(e sqlitefile.Entry) {
		if e.Type == "table" || e.Type == "view" {
			d.Tables = append(d.Tables, resolvers.DatabaseTable{Name: e.Name, Kind: e.Type, System: strings.HasPrefix(e.Name, "sqlite_"), Created: e.SQL})
		}
	})
	slices.SortStableFunc(d.Tables, func(a, b resolvers.DatabaseTable) int {
		if a.System != b.System {
			return systemLast(a.System)
		}
		return strings.Compare(a.Name, b.Name)
	})
	d.Tables = append(d.Tables, resolvers.DatabaseTable{
		Name: "sqlite_master", Kind: "table", System: true,
		Listed: "type\x1fTEXT\x1fname\x1fTEXT\x1ftbl_name\x1fTEXT\x1frootpage\x1fINT\x1fsql\x1fTEXT",
	})
	switch {
	case errors.Is(err, sqlitefile.ErrStopped):
		return d, resolvers.Answer{State: resolvers.Timeout, Message: path + ": " + err.Error()}
	case err != nil && len(d.Tables) == 1:
		return nil, resolvers.Answer{State: resolvers.Failed, Message: path + ": " + err.Error()}
	case err != nil:
		return d, resolvers.Answer{State: resolvers.Fresh, Message: path + ": " + err.Error()}
	}
	return d, resolvers.Answer{State: resolvers.Fresh}
}

func systemLast(system bool) int {
	if system {
		return 1
	}
	return -1
}

// sqliteHandle is an open file; its zero value is none.
type sqliteHandle struct {
	fd   int
	size int64
	path string
}

func openSQLite(path string) (sqliteHandle, error) {
	fd, err := disk.Open(path)
	if err != nil {
		return sqliteHandle{}, err
	}
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil || st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		disk.Close(fd)
		return sqliteHandle{}, &fs.PathError{Op: "read", Path: path, Err: fs.ErrInvalid}
	}
	return sqliteHandle{fd, st.Size, path}, nil
}

func (h sqliteHandle) file() sqlitefile.File {
	if h.path == "" {
		return sqlitefile.File{}
	}
	return sqlitefile.File{ReaderAt: h, Size: h.size}
}

func (h sqliteHandle) close() { disk.Close(h.fd) }

// ReadAt implements io.ReaderAt.
func (h sqliteHandle) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) {
		k, err := syscall.Pread(h.fd, p[n:], at+int64(n))
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return n, &fs.PathError{Op: "read", Path: h.path, Err: err}
		case k == 0:
			return n, io.ErrUnexpectedEOF
		default:
			n += k
		}
	}
	return n, nil
}
