package git

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
)

// reflogEntry is one line of a reflog:
// "<old> <new> Name <mail> <seconds> <zone>\t<message>".
type reflogEntry struct {
	Old, New string
	When     int64 // seconds since 1970, 0 where the line has none
	Message  string
}

// parseReflogLine reads a line without its end. ok is false for what is none.
func parseReflogLine(line []byte, hexLen int) (e reflogEntry, ok bool) {
	if len(line) < 2*hexLen+2 || line[hexLen] != ' ' || line[2*hexLen+1] != ' ' ||
		!isHex(line[:hexLen]) || !isHex(line[hexLen+1:2*hexLen+1]) {
		return e, false
	}
	head, message, _ := bytes.Cut(line[2*hexLen+2:], []byte("\t"))
	if i := bytes.LastIndexByte(head, '>'); i >= 0 {
		if fields := bytes.Fields(head[i+1:]); len(fields) > 0 {
			e.When, _ = strconv.ParseInt(string(fields[0]), 10, 64)
		}
	}
	e.Old, e.New, e.Message = string(line[:hexLen]), string(line[hexLen+1:2*hexLen+1]), string(message)
	return e, true
}

// reflogFromEnd calls visit for the lines of a file from the last to the first
// until it returns false, within the last limit bytes.
func reflogFromEnd(path string, limit int64, visit func(line []byte) bool) {
	fd, err := disk.Open(path)
	if err != nil {
		return
	}
	defer disk.Close(fd)
	var st syscall.Stat_t
	if syscall.Fstat(fd, &st) != nil || st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return
	}
	const block = 8 << 10
	lowest := max(0, st.Size-limit)
	buf := make([]byte, block, block+block/2)
	held := buf[:0] // bytes from at on that are not yet visited, the start of a line cut off
	for at := st.Size; at > lowest; {
		n := int(min(block, at-lowest))
		if cap(buf) < n+len(held) {
			buf = make([]byte, 2*(n+len(held)))
		}
		buf = buf[:n+len(held)]
		copy(buf[n:], held)
		if m, err := disk.ReadAt(fd, buf[:n], at-int64(n)); err != nil || m != n {
			return
		}
		at -= int64(n)
		held = buf
		for {
			end := len(held)
			if end > 0 && held[end-1] == '\n' {
				end--
			}
			i := bytes.LastIndexByte(held[:end], '\n')
			if i < 0 {
				break
			}
			if !visit(held[i+1 : end]) {
				return
			}
			held = held[:i+1]
		}
	}
	if lowest == 0 && len(held) > 0 {
		visit(bytes.TrimSuffix(held, []byte("\n")))
	}
}

// recentBranch is a branch that was checked out, and when it last was.
type recentBranch struct {
	Name string
	When int64
}

const (
	recentTail  = 64 << 10 // bytes of logs/HEAD that are looked at
	recentCount = 12       // branches that are offered first
	recentTried = 32       // names that are looked up for it
)

// recentBranches gives the names that HEAD moved to and from, latest first,
// each once, as far as they pass keep.
func (repo *gitRepo) recentBranches(keep func(string) bool) []recentBranch {
	var found []recentBranch
	tried := make([]string, 0, recentTried)
	add := func(word []byte, when int64) {
		if len(found) >= recentCount || len(tried) >= recentTried || slices.Contains(tried, disk.View(word)) {
			return
		}
		name := string(word)
		tried = append(tried, name)
		if keep(name) {
			found = append(found, recentBranch{name, when})
		}
	}
	reflogFromEnd(repo.gitDir+"/logs/HEAD", recentTail, func(line []byte) bool {
		const mark = "\tcheckout: moving from "
		i := bytes.Index(line, []byte(mark))
		if i < 0 {
			return true
		}
		// No ref name has a blank, so the words are certain.
		from, to, ok := bytes.Cut(line[i+len(mark):], []byte(" to "))
		if !ok {
			return true
		}
		when := int64(0)
		if j := bytes.LastIndexByte(line[:i], '>'); j >= 0 && j+2 < i {
			seconds, _, _ := bytes.Cut(line[j+2:i], []byte(" "))
			when, _ = strconv.ParseInt(disk.View(seconds), 10, 64)
		}
		add(to, when)
		add(from, when)
		return len(found) < recentCount && len(tried) < recentTried
	})
	return found
}

// currentBranch gives the branch that HEAD names, "" when it is detached.
func (repo *gitRepo) currentBranch() string {
	branch, _ := strings.CutPrefix(repo.headRef(), "refs/heads/")
	if branch == repo.headRef() {
		return ""
	}
	return branch
}

// headRef gives the ref that HEAD names, "" when it is detached.
func (repo *gitRepo) headRef() string {
	_, target, _ := repo.readLoose(repo.gitDir + "/HEAD")
	return target
}

// age says how long ago a time was, in the largest fitting unit.
func age(when, now int64) string {
	d := now - when
	if when <= 0 || d < 0 {
		return ""
	}
	for _, u := range [...]struct {
		seconds int64
		name    string
	}{{365 * 86400, "year"}, {30 * 86400, "month"}, {7 * 86400, "week"}, {86400, "day"}, {3600, "hour"}, {60, "minute"}} {
		if n := d / u.seconds; n > 0 {
			text := strconv.FormatInt(n, 10) + " " + u.name
			if n > 1 {
				text += "s"
			}
			return text + " ago"
		}
	}
	return "just now"
}

func now() int64 { return time.Now().Unix() }
