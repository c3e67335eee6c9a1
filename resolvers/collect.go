package resolvers

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// collector gathers the values of one answer: it filters early, keeps only the
// best Limit of them (by weight, then by bytes) and counts the rest, so that a
// directory of 100 000 names costs a comparison a name and not a sort.
type collector struct {
	ctx    context.Context
	filter Filter
	limit  int
	values []Value
	// full says that values were dropped: worst is the last one kept then, and
	// what sorts after it need not be built at all.
	full    bool
	worst   Value
	omitted int
	ticks   uint
	// cut says that the deadline came first and the list is not whole.
	cut bool
}

func newCollector(ctx context.Context, r Request) *collector {
	return &collector{ctx: ctx, filter: r.Filter, limit: r.Limit}
}

// late reports whether the deadline has passed; asked often, it looks at the
// clock every 64th time.
func (c *collector) late() bool {
	if c.cut {
		return true
	}
	c.ticks++
	if c.ticks&63 == 1 && expired(c.ctx) {
		c.cut = true
	}
	return c.cut
}

// expired does not wait for the context's timer to fire.
func expired(ctx context.Context) bool {
	if ctx.Err() != nil {
		return true
	}
	deadline, ok := ctx.Deadline()
	return ok && !time.Now().Before(deadline)
}

// add takes the value if it passes the filter.
func (c *collector) add(v Value) {
	if c.filter.Keep(v.Value) && c.room(v) {
		c.keep(v)
	}
}

// wanted reports whether a value with this text and weight is among the best so far.
func (c *collector) wanted(v Value) bool {
	return !c.full || byOrder(v, c.worst) <= 0
}

// room is wanted, and counts a value that is not. Ask it before a description is made.
func (c *collector) room(v Value) bool {
	if !c.wanted(v) {
		c.omitted++
		return false
	}
	return true
}

// keep takes a value that passed the filter and room.
func (c *collector) keep(v Value) {
	c.values = append(c.values, v)
	if c.limit > 0 && len(c.values) >= 2*c.limit+64 {
		c.trim()
	}
}

func (c *collector) trim() {
	slices.SortStableFunc(c.values, byOrder)
	c.values = slices.CompactFunc(c.values, func(a, b Value) bool { return a.Value == b.Value })
	if c.limit > 0 && len(c.values) > c.limit {
		c.omitted += len(c.values) - c.limit
		c.values = c.values[:c.limit]
		c.full, c.worst = true, c.values[c.limit-1]
	}
}

func byOrder(a, b Value) int {
	if a.Weight != b.Weight {
		return cmp.Compare(b.Weight, a.Weight)
	}
	return strings.Compare(a.Value, b.Value)
}

// answer closes the collection.
func (c *collector) answer() Answer {
	c.trim()
	a := Answer{Values: c.values, Omitted: c.omitted, State: Fresh}
	if c.cut {
		a.State, a.Message = Timeout, "stopped at the deadline: the list is not complete"
	}
	return a
}

// failed is the answer for an error: no values, and one line that names the place.
func failed(err error) Answer {
	return Answer{State: Failed, Message: err.Error()}
}

// getenv reads the request's environment.
func (r Request) getenv(name string) string {
	if r.Getenv != nil {
		return r.Getenv(name)
	}
	return os.Getenv(name)
}

// maxManifest bounds a file that is read whole, in bytes.
const maxManifest = 64 << 20

// isFile reports whether path is a regular file, through symbolic links.
func isFile(path string) bool {
	st, ok := statFile(path)
	return ok && st.Mode&syscall.S_IFMT == syscall.S_IFREG
}

// findUp looks for a file called name in dir and the directories above it.
func findUp(dir, name string) (path string, ok bool) {
	if !filepath.IsAbs(dir) {
		return "", false
	}
	for {
		path = filepath.Join(dir, name)
		if isFile(path) {
			return path, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

// within makes path absolute from dir.
func within(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// relative writes path as seen from dir, for descriptions.
func relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil {
		return rel
	}
	return path
}

// options returns the values that any of names has in words, in order: "-p x",
// "--package x", "--package=x" and, for a one-letter name, "-px" if attached.
// Words after "--" are not options.
func options(words []string, attached bool, names ...string) []string {
	var values []string
	for i := 1; i < len(words); i++ {
		w := words[i]
		if w == "--" {
			break
		}
		for _, name := range names {
			rest, ok := strings.CutPrefix(w, name)
			switch {
			case !ok:
				continue
			case rest == "":
				if i+1 < len(words) {
					i++
					values = append(values, words[i])
				}
			case rest[0] == '=' && strings.HasPrefix(name, "--"):
				values = append(values, rest[1:])
			case attached && len(name) == 2:
				values = append(values, rest)
			default:
				continue
			}
			break
		}
	}
	return values
}

// option is the last of options.
func option(words []string, attached bool, names ...string) (string, bool) {
	if v := options(words, attached, names...); len(v) > 0 {
		return v[len(v)-1], true
	}
	return "", false
}

// has reports whether one of the words before "--" is one of names.
func has(words []string, names ...string) bool {
	for _, w := range words {
		if w == "--" {
			return false
		}
		if slices.Contains(names, w) {
			return true
		}
	}
	return false
}

// oneLine makes a text fit for a description: control characters become
// blanks, runs of blanks one, and it is cut to at most limit bytes at a rune.
func oneLine(s string, limit int) string {
	var b strings.Builder
	blank := false
	for _, r := range s {
		if r <= ' ' || r == 0x7f || (r >= 0x80 && r < 0xa0) {
			blank = b.Len() > 0
			continue
		}
		if b.Len()+4 > limit {
			b.WriteString("…")
			break
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// plural counts things for a description: "1 file", "3 files".
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
