package resolvers

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Collector gathers the values of one answer: it filters early, keeps only the
// best Limit of them (by weight, then by bytes) and counts the rest, so that a
// directory of 100 000 names costs a comparison a name and not a sort.
type Collector struct {
	Ctx    context.Context
	Filter Filter
	Limit  int
	values []Value
	// full says that values were dropped: worst is the last one kept then, and
	// what sorts after it need not be built at all.
	Full    bool
	Worst   Value
	Omitted int
	ticks   uint
	// cut says that the deadline came first and the list is not whole.
	Cut bool
}

// NewCollector returns a collector for the answer to a request.
func NewCollector(ctx context.Context, r Request) *Collector {
	return &Collector{Ctx: ctx, Filter: r.Filter, Limit: r.Limit}
}

// Late reports whether the deadline has passed; asked often, it looks at the
// clock every 64th time.
func (c *Collector) Late() bool {
	if c.Cut {
		return true
	}
	c.ticks++
	if c.ticks&63 == 1 && Expired(c.Ctx) {
		c.Cut = true
	}
	return c.Cut
}

// Expired does not wait for the context's timer to fire.
func Expired(ctx context.Context) bool {
	if ctx.Err() != nil {
		return true
	}
	deadline, ok := ctx.Deadline()
	return ok && !time.Now().Before(deadline)
}

// Add takes the value if it passes the filter.
func (c *Collector) Add(v Value) {
	if c.Filter.Keep(v.Value) && c.Room(v) {
		c.Keep(v)
	}
}

// wanted reports whether a value with this text and weight is among the best so far.
func (c *Collector) wanted(v Value) bool {
	return !c.Full || ByOrder(v, c.Worst) <= 0
}

// Room is wanted, and counts a value that is not. Ask it before a description is made.
func (c *Collector) Room(v Value) bool {
	if !c.wanted(v) {
		c.Omitted++
		return false
	}
	return true
}

// Keep takes a value that passed the filter and room.
func (c *Collector) Keep(v Value) {
	c.values = append(c.values, v)
	if c.Limit > 0 && len(c.values) >= 2*c.Limit+64 {
		c.trim()
	}
}

func (c *Collector) trim() {
	slices.SortStableFunc(c.values, ByOrder)
	c.values = slices.CompactFunc(c.values, func(a, b Value) bool { return a.Value == b.Value })
	if c.Limit > 0 && len(c.values) > c.Limit {
		c.Omitted += len(c.values) - c.Limit
		c.values = c.values[:c.Limit]
		c.Full, c.Worst = true, c.values[c.Limit-1]
	}
}

// ByOrder compares values as an answer has them: by weight, then by bytes.
func ByOrder(a, b Value) int {
	if a.Weight != b.Weight {
		return cmp.Compare(b.Weight, a.Weight)
	}
	return strings.Compare(a.Value, b.Value)
}

// Answer closes the collection.
func (c *Collector) Answer() Answer {
	c.trim()
	a := Answer{Values: c.values, Omitted: c.Omitted, State: Fresh}
	if c.Cut {
		a.State, a.Message = Timeout, "stopped at the deadline: the list is not complete"
	}
	return a
}

// Failure is the answer for an error: no values, and one line that names the place.
func Failure(err error) Answer {
	return Answer{State: Failed, Message: err.Error()}
}

// Env reads the request's environment.
func (r Request) Env(name string) string {
	if r.Getenv != nil {
		return r.Getenv(name)
	}
	return os.Getenv(name)
}

// Options returns the values that any of names has in words, in order: "-p x",
// "--package x", "--package=x" and, for a one-letter name, "-px" if attached.
// Words after "--" are not options.
func Options(words []string, attached bool, names ...string) []string {
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

// Option is the last of options.
func Option(words []string, attached bool, names ...string) (string, bool) {
	if v := Options(words, attached, names...); len(v) > 0 {
		return v[len(v)-1], true
	}
	return "", false
}

// Has reports whether one of the words before "--" is one of names.
func Has(words []string, names ...string) bool {
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

// OneLine makes a text fit for a description: control characters become
// blanks, runs of blanks one, and it is cut to at most limit bytes at a rune.
func OneLine(s string, limit int) string {
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

// Plural counts things for a description: "1 file", "3 files".
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

var ErrNoDir = errors.New("no working directory")

// Nowhere says that a project's file is not to be found from dir upwards.
func Nowhere(what, dir string) error {
	if dir == "" {
		return ErrNoDir
	}
	return errors.New(what + " in " + dir + " or above it")
}
