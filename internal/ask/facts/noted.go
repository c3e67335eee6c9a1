package facts

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A note of one kind is made once in a while: what is harmless is soon known. The
// file holds a line for each, the seconds since 1970 and the kind.
const (
	noteAgain = 7 * 24 * time.Hour
	maxNoted  = 64       // kinds that are kept
	maxNotes  = 16 << 10 // bytes of the file
)

func notedFile(state string) string { return filepath.Join(state, "noted") }

// Noted reports whether a note of a kind was made within the last week. What the
// file does not plainly say was not.
func (w *World) Noted(kind string, now time.Time) bool {
	_, ok := w.notes(now)[plainKind(kind)]
	return ok
}

// Note keeps that a note of a kind was made. That it cannot be kept means that it
// is made again.
func (w *World) Note(kind string, now time.Time) {
	if w.Paths.State == "" || os.MkdirAll(w.Paths.State, 0o700) != nil {
		return
	}
	notes := w.notes(now)
	if len(notes) >= maxNoted {
		notes = nil
	}
	var b bytes.Buffer
	for k, at := range notes {
		b.WriteString(strconv.FormatInt(at.Unix(), 10) + " " + k + "\n")
	}
	b.WriteString(strconv.FormatInt(now.Unix(), 10) + " " + plainKind(kind) + "\n")
	_ = replace(notedFile(w.Paths.State), b.Bytes())
}

// notes reads what was noted within the last week.
func (w *World) notes(now time.Time) map[string]time.Time {
	if w.Paths.State == "" {
		return nil
	}
	f, err := os.OpenFile(notedFile(w.Paths.State), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() || st.Mode().Perm()&0o022 != 0 || !w.owns(st) {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(f, maxNotes))
	if err != nil {
		return nil
	}
	out := map[string]time.Time{}
	for l := range strings.Lines(string(data)) {
		number, kind, _ := strings.Cut(strings.TrimSuffix(l, "\n"), " ")
		n, err := strconv.ParseInt(number, 10, 64)
		if age := now.Sub(time.Unix(n, 0)); err == nil && age >= 0 && age < noteAgain {
			out[kind] = time.Unix(n, 0)
		}
	}
	return out
}

// plainKind is a kind as one line of no great length.
func plainKind(kind string) string {
	kind = strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, kind)
	return kind[:min(len(kind), 120)]
}
