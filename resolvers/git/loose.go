package git

import (
	"context"
	"slices"
	"strings"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
)

// looseNames lists the files under base+space that could be refs and begin
// with prefix (without space), sorted. space is "refs/heads/". Only the
// directory that the prefix names is read. Symbolic links to directories are
// not followed: they may lead anywhere.
func looseNames(ctx context.Context, base, space, prefix string) ([]string, error) {
	dir, start := "", prefix
	if i := strings.LastIndexByte(prefix, '/'); i >= 0 {
		dir, start = prefix[:i+1], prefix[i+1:]
	}
	w := looseWalk{ctx: ctx, root: base + "/" + space, names: nil}
	err := w.walk(dir, start, 0)
	slices.Sort(w.names)
	return w.names, err
}

// maxRefDepth bounds nesting: a path of the system has at most 4096 bytes.
const maxRefDepth = 2048

type looseWalk struct {
	ctx   context.Context
	root  string
	names []string
	seen  int
}

func (w *looseWalk) walk(dir, start string, depth int) error {
	if depth > maxRefDepth {
		return nil
	}
	var subs []string
	var stopped error
	err := disk.ReadDir(w.root+dir, func(name []byte, typ disk.Type) bool {
		if w.seen++; w.seen%256 == 0 {
			if stopped = w.ctx.Err(); stopped != nil {
				return false
			}
		}
		if name[0] == '.' || !strings.HasPrefix(disk.View(name), start) {
			return true
		}
		switch typ {
		case disk.File, disk.Link:
			if !strings.HasSuffix(disk.View(name), ".lock") && validRefName(disk.View(name)) {
				w.names = append(w.names, dir+string(name))
			}
		case disk.Directory:
			if validRefName(disk.View(name)) {
				subs = append(subs, dir+string(name)+"/")
			}
		}
		return true
	})
	if stopped != nil {
		return stopped
	}
	if err != nil && err != syscall.ENOENT && err != syscall.ENOTDIR && err != syscall.ENAMETOOLONG {
		return err
	}
	for _, sub := range subs {
		if err := w.walk(sub, "", depth+1); err != nil {
			return err
		}
	}
	return nil
}

// looseState is what a file under refs holds.
type looseState uint8

const (
	looseMissing  looseState = iota
	looseBroken              // git passes it over with a warning
	looseObject              // an object name
	looseSymbolic            // "ref: refs/…"
)

// readLoose reads one ref file. For a symbolic ref it gives the target.
func (repo *gitRepo) readLoose(path string) (state looseState, target, object string) {
	buf, hexLen := repo.scratch[:], repo.hexLen
	n, err := disk.ReadStart(path, buf)
	if err != nil {
		return looseMissing, "", ""
	}
	b := buf[:n]
	if len(b) > 4 && string(b[:4]) == "ref:" {
		text := string(b[4:])
		if n == len(buf) {
			data, err := disk.ReadRegular(path, maxRefLine)
			if err != nil || len(data) < 4 {
				return looseBroken, "", ""
			}
			text = string(data[4:])
		}
		target = strings.TrimSpace(text)
		if !validRefName(target) {
			return looseBroken, "", ""
		}
		return looseSymbolic, target, ""
	}
	if len(b) < hexLen || !isHex(b[:hexLen]) || len(b) > hexLen && !isSpace(b[hexLen]) {
		return looseBroken, "", ""
	}
	if allZero(b[:hexLen]) {
		return looseBroken, "", ""
	}
	return looseObject, "", string(b[:hexLen])
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func allZero(hex []byte) bool {
	for _, c := range hex {
		if c != '0' {
			return false
		}
	}
	return true
}
