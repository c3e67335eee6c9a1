package git

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

const (
	// largeIndex is from which size of its index on an answer about a work tree is
	// kept, in bytes: below, a new one takes a moment.
	largeIndex = 1 << 20
	// keptTime is how long an answer about a work tree may stand in for a new one.
	keptTime = time.Hour
	maxKept  = 4 << 20
)

// keptWalk is the answer of a walk as it was when the index was as it is now: what
// is changed in the files beside it since then it does not know.
//
// The file is: 8 bytes magic; 8 bytes xxhash64 of the rest, little-endian; the stamp
// of the index, then of each value path and description, each with a zero byte.
type keptWalk struct {
	path   string
	stamp  string
	values []string // path, description
	there  bool
}

const keptMagic = "tmpwork1"

// openKept finds the kept answer of a walk, nil where none is kept.
func openKept(r resolvers.Request, repo *gitRepo, w *workWalk) *keptWalk {
	st, ok := disk.Stat(indexPath(repo))
	if r.CacheDir == "" || !ok || st.Size < largeIndex || strings.HasPrefix(r.Filter.Text, "..") {
		return nil
	}
	key := xxhash.Sum64String(strconv.FormatBool(w.changed) + strconv.FormatBool(w.untracked) + strconv.FormatBool(w.folders) + "\x00" + repo.gitDir + "\x00" + repo.workTree + "\x00" + repo.prefix)
	k := &keptWalk{path: filepath.Join(r.CacheDir, "work-"+strconv.FormatUint(key, 16)), stamp: resolvers.StampOf(&st)}
	if age, ok := resolvers.AgeOf(k.path); !ok || age > keptTime {
		return k
	}
	data, err := disk.ReadRegular(k.path, maxKept)
	if err != nil || len(data) < 17 || string(data[:8]) != keptMagic || binary.LittleEndian.Uint64(data[8:]) != xxhash.Sum64(data[16:]) {
		return k
	}
	fields := strings.Split(strings.TrimSuffix(disk.View(data[16:]), "\x00"), "\x00")
	k.there = strconv.Quote(k.stamp) == fields[0] && len(fields)%2 == 1
	k.values = fields[1:]
	return k
}

// keep writes an answer that holds all there is.
func (k *keptWalk) keep(a resolvers.Answer) {
	defer os.Remove(k.path + ".asked")
	data := append([]byte(keptMagic), make([]byte, 8)...)
	data = append(append(data, strconv.Quote(k.stamp)...), 0)
	for _, v := range a.Values {
		if v.Partial {
			continue // a folder follows from what is in it
		}
		data = append(append(data, v.Value...), 0)
		data = append(append(data, v.Description...), 0)
	}
	if len(data) > maxKept {
		return
	}
	binary.LittleEndian.PutUint64(data[8:], xxhash.Sum64(data[16:]))
	resolvers.ReplaceFile(k.path, data)
}

// again has the walk done in the background, unless it is being done.
func (k *keptWalk) again(r resolvers.Request) {
	mark := k.path + ".asked"
	if os.MkdirAll(filepath.Dir(mark), 0o700) != nil {
		return
	}
	f, err := os.OpenFile(mark, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		_ = f.Close()
	} else if age, ok := resolvers.AgeOf(mark); !errors.Is(err, os.ErrExist) || !ok || age < resolvers.Abandoned {
		return
	} else {
		now := time.Now()
		_ = os.Chtimes(mark, now, now)
	}
	if r.Again(resolvers.Request{Name: r.Name, Dir: r.Dir, Words: r.Words}) != nil {
		_ = os.Remove(mark)
	}
}

// stale answers from what is kept.
func (w *workWalk) stale(r resolvers.Request, repo *gitRepo, k *keptWalk) resolvers.Answer {
	w.begin(context.Background(), r, repo)
	for i := 0; i+1 < len(k.values); i += 2 {
		if rel := k.values[i]; w.l.r.Filter.Keep(rel) {
			w.found(rel, k.values[i+1])
		}
	}
	w.addFolders()
	w.l.answer.State, w.l.answer.Message = resolvers.Stale, "an earlier answer: the files are being looked at again"
	return w.l.answer
}
