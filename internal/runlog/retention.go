package runlog

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"golang.org/x/sys/unix"
)

// Retention says which runs stay. The newest run always does.
type Retention struct {
	Keep    int           // runs at most; 0 for no bound
	MaxAge  time.Duration // since a run began; 0 for no bound
	MaxSize int64         // bytes of all raw outputs together; 0 for no bound
}

// DefaultRetention holds where config.toml says nothing else.
func DefaultRetention() Retention {
	return Retention{Keep: 50, MaxAge: 30 * 24 * time.Hour, MaxSize: 1_000_000_000}
}

const maxSettings = 1 << 20

// SettingError is a setting that does not count.
type SettingError struct {
	File string
	Key  string // "runs.keep"
	Err  error
}

func (e *SettingError) Error() string { return e.File + ": " + e.Key + ": " + e.Err.Error() }

func (e *SettingError) Unwrap() error { return e.Err }

// ReadRetention reads the section [runs] of the user's config.toml:
//
//	[runs]
//	keep = 50
//	max_age = "30d"
//	max_size = "1GB"
//
// 0, "0" and "0B" are no bound. With an error what can be used of it counts,
// the default in place of the rest; the error joins a *SettingError for each
// setting that does not.
func ReadRetention(file string) (Retention, error) {
	r := DefaultRetention()
	if file == "" {
		return r, nil
	}
	st, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	if !st.Mode().IsRegular() || st.Size() > maxSettings {
		return r, fmt.Errorf("%s is not a file of settings", file)
	}
	var all struct {
		Runs struct {
			Keep    any `toml:"keep"`
			MaxAge  any `toml:"max_age"`
			MaxSize any `toml:"max_size"`
		} `toml:"runs"`
	}
	meta, err := toml.DecodeFile(file, &all)
	if err != nil {
		return r, fmt.Errorf("%s: %w", file, err)
	}
	var problems []error
	fault := func(key string, err error) {
		problems = append(problems, &SettingError{file, "runs." + key, err})
	}
	for _, key := range meta.Undecoded() {
		if len(key) == 2 && key[0] == "runs" {
			fault(key[1], errors.New("is not known"))
		}
	}
	if k := all.Runs.Keep; k != nil {
		if n, ok := k.(int64); !ok || n < 0 || n > math.MaxInt32 {
			fault("keep", fmt.Errorf("%v: want a number of runs", k))
		} else {
			r.Keep = int(n)
		}
	}
	if v := all.Runs.MaxAge; v != nil {
		if age, err := ParseAge(fmt.Sprint(v)); err != nil {
			fault("max_age", err)
		} else {
			r.MaxAge = age
		}
	}
	if v := all.Runs.MaxSize; v != nil {
		if n, err := ParseSize(fmt.Sprint(v)); err != nil {
			fault("max_size", err)
		} else {
			r.MaxSize = n
		}
	}
	return r, errors.Join(problems...)
}

// ParseAge reads "30d", "2w" or a time such as "12h30m".
func ParseAge(s string) (time.Duration, error) {
	bad := fmt.Errorf("%q: want a time such as 30d, 2w or 12h", s)
	if s == "" {
		return 0, bad
	}
	unit := time.Duration(0)
	switch s[len(s)-1] {
	case 'd':
		unit = 24 * time.Hour
	case 'w':
		unit = 7 * 24 * time.Hour
	}
	if unit > 0 {
		n, err := strconv.ParseInt(s[:len(s)-1], 10, 64)
		if err != nil || n < 0 || n > int64(math.MaxInt64/unit) {
			return 0, bad
		}
		return time.Duration(n) * unit, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, bad
	}
	return d, nil
}

// ParseSize reads a number of bytes: "500MB", "1.5GB", "64KiB", "4096".
func ParseSize(s string) (int64, error) {
	bad := fmt.Errorf("%q: want a size such as 500MB or 64KiB", s)
	text := strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(s)), "B")
	base := 1000.0
	if t, ok := strings.CutSuffix(text, "I"); ok {
		if text, base = t, 1024; t == "" || !strings.ContainsAny(t[len(t)-1:], "KMGT") {
			return 0, bad
		}
	}
	factor := 1.0
	if text != "" {
		if i := strings.IndexByte("KMGT", text[len(text)-1]); i >= 0 {
			factor, text = math.Pow(base, float64(i+1)), text[:len(text)-1]
		}
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(n >= 0 && n*factor < math.MaxInt64) {
		return 0, bad
	}
	return int64(n * factor), nil
}

// excess lists the runs that the retention lets go, of runs that are sorted
// with the newest first. A run in progress stays, and counts.
func (r Retention) excess(runs *dir, kept []Kept, now time.Time) []Kept {
	var out []Kept
	var total int64
	stay := 0
	for i, k := range kept {
		over := r.Keep > 0 && stay >= r.Keep ||
			r.MaxAge > 0 && now.Sub(k.Began()) > r.MaxAge ||
			r.MaxSize > 0 && total+k.Bytes > r.MaxSize
		if i > 0 && over && !busy(runs, k.ID) {
			out = append(out, k)
			continue
		}
		stay++
		total += k.Bytes
	}
	return out
}

// Prune removes the runs of a place that the retention lets go, or only lists
// them. A run in progress stays, and so does what cannot be removed, which the
// error names.
func Prune(p Place, r Retention, now time.Time, dryRun bool) ([]Kept, error) {
	return PruneOf(p, nil, r, now, dryRun)
}

// PruneOf is Prune of those runs alone for which own is true; nil is all.
func PruneOf(p Place, own func(Kept) bool, r Retention, now time.Time, dryRun bool) ([]Kept, error) {
	runs, err := p.open(false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer runs.Close()
	ids, err := sortedRuns(runs)
	if err != nil {
		return nil, err
	}
	slices.Reverse(ids)
	kept := make([]Kept, 0, len(ids))
	for _, id := range ids {
		k := Kept{ID: id, place: p}
		if own != nil && !own(k) {
			continue
		}
		if r.MaxSize > 0 || dryRun {
			k.Bytes = rawSize(runs, id)
		}
		kept = append(kept, k)
	}
	gone := r.excess(runs, kept, now)
	if dryRun {
		return gone, nil
	}
	var problems []error
	gone = slices.DeleteFunc(gone, func(k Kept) bool {
		err := removeRun(runs, k.ID)
		if err != nil {
			problems = append(problems, err)
		}
		return err != nil
	})
	return gone, errors.Join(problems...)
}

func rawSize(runs *dir, id string) int64 {
	var st unix.Stat_t
	if unix.Fstatat(runs.fd(), id+"/"+rawName, &st, unix.AT_SYMLINK_NOFOLLOW) != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		return 0
	}
	return st.Size
}

// busy reports whether a run is in progress; what cannot be opened is none.
func busy(runs *dir, id string) bool {
	d, err := runs.sub(id, false)
	if err != nil {
		return false
	}
	defer d.Close()
	return inProgress(d)
}

var errBusy = errors.New("is in progress")

// removeRun removes a run's files and its directory.
func removeRun(runs *dir, id string) error {
	d, err := runs.sub(id, false)
	if err != nil {
		return err
	}
	defer d.Close()
	if inProgress(d) {
		return fmt.Errorf("run %s %w", id, errBusy)
	}
	names, _ := d.names()
	for _, n := range names {
		if err := d.remove(n, false); err == nil {
			continue
		}
		// The steps of a workflow are directories of one level.
		if sub, err := d.sub(n, false); err == nil {
			inner, _ := sub.names()
			for _, m := range inner {
				_ = sub.remove(m, false)
			}
			sub.Close()
			_ = d.remove(n, true)
		}
	}
	if err := runs.remove(id, true); err != nil {
		return &os.PathError{Op: "remove", Path: d.path, Err: err}
	}
	return nil
}
