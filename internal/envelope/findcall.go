package envelope

import (
	"slices"
	"strings"
)

// findArity is how many words the tests, actions and options of GNU and BSD find
// take, those without one left out.
var findArity = map[string]int{
	"-amin": 1, "-anewer": 1, "-atime": 1, "-cmin": 1, "-cnewer": 1, "-context": 1, "-ctime": 1, "-fprint": 1, "-fprint0": 1, "-fprintf": 2,
	"-fls": 1, "-fstype": 1, "-gid": 1, "-group": 1, "-ilname": 1, "-iname": 1, "-inum": 1, "-ipath": 1, "-iregex": 1, "-iwholename": 1,
	"-links": 1, "-lname": 1, "-maxdepth": 1, "-mindepth": 1, "-mmin": 1, "-mtime": 1, "-name": 1, "-newer": 1, "-path": 1, "-perm": 1,
	"-printf": 1, "-regex": 1, "-regextype": 1, "-samefile": 1, "-size": 1, "-type": 1, "-uid": 1, "-used": 1, "-user": 1, "-wholename": 1,
	"-xtype": 1, "-files0-from": 1, "-flags": 1, "-depth": 0, "-Bmin": 1, "-Bnewer": 1, "-Btime": 1,
}

// findReader walks an expression of find.
type findReader struct {
	c      *Call
	args   []string
	out    []string
	acts   bool // an action stands there: nothing is printed but by it
	own    bool // an action whose form te does not know
	depth  int
	start  int // where in out the expression begins
	ors    []int
	list   bool         // the expression has parts with commas
	values map[int]bool // words of out that belong to the one before
}

// FindCall reads the arguments of find. What find would print as lines is asked for
// with zero bytes between, so that every name is told from the next.
func FindCall(args []string) *Call {
	c := &Call{Cmd: "find", Ranked: true, Mode: Names}
	r := &findReader{c: c, args: args, values: map[int]bool{}}
	i := r.paths()
	r.out = append(r.out, args[:i]...)
	r.start = len(r.out)
	for i < len(args) {
		i = r.word(i)
	}
	c.Argv = args
	switch {
	case c.Wrong: // find says so
	case c.Raw || r.own:
		if r.own {
			c.Mode, c.Ranked = Plain, false
		}
	case r.acts:
		c.Argv = r.out
	default:
		c.Argv = r.printed()
	}
	return c
}

// paths skips the options and the starting points before the expression.
func (r *findReader) paths() int {
	i := 0
	for i < len(r.args) {
		switch a := r.args[i]; {
		case a == "-H" || a == "-L" || a == "-P" || strings.HasPrefix(a, "-O"):
		case a == "-D":
			i++
		case a == "--":
			i++
			return r.starts(min(i, len(r.args)))
		default:
			return r.starts(i)
		}
		i++
	}
	return min(i, len(r.args))
}

func (r *findReader) starts(i int) int {
	for ; i < len(r.args); i++ {
		a := r.args[i]
		if a == "(" || a == "!" || len(a) > 1 && a[0] == '-' {
			break
		}
		r.c.Operands = append(r.c.Operands, a)
	}
	return i
}

func (r *findReader) word(i int) int {
	a := r.args[i]
	takes := findArity[a]
	if strings.HasPrefix(a, "-newer") && len(a) == 8 {
		takes = 1
	}
	next := min(i+1+takes, len(r.args))
	r.c.Wrong = r.c.Wrong || i+1+takes > len(r.args)
	switch {
	case slices.Contains([]string{"-exec", "-execdir", "-ok", "-okdir"}, a):
		r.c.Raw = true
	case slices.Contains([]string{"-print0", "-fprint", "-fprint0", "-fprintf", "-fls", "-delete", "-help", "--help", "-version", "--version"}, a):
		r.c.Raw = true
	case a == "-ls" || a == "-printf":
		r.acts, r.own = true, true
	case a == "-print":
		r.acts = true
		r.out = append(r.out, "-print0")
		return next
	case a == "(":
		r.depth++
	case a == ")":
		r.depth--
	case (a == "-o" || a == "-or") && r.depth == 0:
		r.ors = append(r.ors, len(r.out))
	case a == "," && r.depth == 0:
		r.list = true
	}
	for n := range next - i - 1 {
		r.values[len(r.out)+1+n] = true
	}
	r.out = append(r.out, r.args[i:next]...)
	return next
}

// printed adds what find adds where no action stands: to each alternative, since
// options after a parenthesis would be complained about. What is no expression stays as
// it is, so that find says so.
func (r *findReader) printed() []string {
	if !r.sound() {
		r.c.Wrong = true
		return r.args
	}
	if r.list { // the value of a list with commas is find's own business
		return slices.Concat(r.out[:r.start], []string{"("}, r.out[r.start:], []string{")", "-print0"})
	}
	var out []string
	from := 0
	for _, at := range append(r.ors, len(r.out)) {
		out = append(append(out, r.out[from:at]...), "-print0")
		from = at
	}
	return out
}

// sound reports whether every operator of the expression has something to work on, and
// every parenthesis its other one.
func (r *findReader) sound() bool {
	wants, depth := false, 0 // something has to come
	for i := r.start; i < len(r.out); i++ {
		if r.values[i] {
			continue
		}
		w := r.out[i]
		first := i == r.start
		switch {
		case w == "(":
			depth++
			wants = true
		case w == "!" || w == "-not":
			wants = true
		case w == ")":
			if depth--; depth < 0 || wants || first {
				return false
			}
		case slices.Contains(findBinary, w):
			if wants || first {
				return false
			}
			wants = true
		default:
			wants = false
		}
	}
	return !wants && depth == 0
}

// findBinary stand between two tests.
var findBinary = []string{"-a", "-and", "-o", "-or", ","}
