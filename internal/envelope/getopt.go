package envelope

import "strings"

// option is one that a tool knows.
type option struct {
	long  string
	short byte // 0 if there is none
	value valueKind
}

type valueKind uint8

const (
	noValue       valueKind = iota
	value                   // the rest of the word, or the next one
	optionalValue           // only after "="
)

// given is an option of a command line. word is the place of its word in the
// arguments, at the place in a word of short options (0 for a long one); apart says
// that its value is the word after.
type given struct {
	option
	arg   string
	has   bool
	word  int
	at    int
	apart bool
}

// parsed is a command line as getopt_long reads it.
type parsed struct {
	options  []given
	operands []int // the places of the words that are no options
	wrong    bool
}

// getopt reads arguments as GNU's getopt_long does: options may follow operands,
// unless posix is set; long ones may be shortened where that is unique; numbers are
// options of their own where digits is set.
func getopt(args []string, known []option, digits, posix bool) parsed {
	var p parsed
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			for i++; i < len(args); i++ {
				p.operands = append(p.operands, i)
			}
		case strings.HasPrefix(a, "--"):
			i = p.long(args, i, known)
		case len(a) > 1 && a[0] == '-':
			i = p.short(args, i, known, digits)
		default:
			p.operands = append(p.operands, i)
			if posix {
				for i++; i < len(args); i++ {
					p.operands = append(p.operands, i)
				}
			}
		}
	}
	return p
}

func (p *parsed) long(args []string, i int, known []option) int {
	name, arg, has := strings.Cut(args[i][2:], "=")
	o, ok := findLong(name, known)
	if !ok || has && o.value == noValue {
		p.wrong = true
		return i
	}
	g := given{option: o, arg: arg, has: has, word: i}
	if o.value == value && !has {
		if i+1 == len(args) {
			p.wrong = true
			return i
		}
		i++
		g.arg, g.has, g.apart = args[i], true, true
	}
	p.options = append(p.options, g)
	return i
}

// findLong finds a long option by its name or the beginning of it. Several that
// are spelt alike but mean the same short one are one.
func findLong(name string, known []option) (option, bool) {
	var found []option
	for _, o := range known {
		if o.long == name {
			return o, true
		}
		if o.long != "" && strings.HasPrefix(o.long, name) {
			found = append(found, o)
		}
	}
	if len(found) == 0 {
		return option{}, false
	}
	for _, o := range found[1:] {
		if o.short == 0 || o.short != found[0].short || o.value != found[0].value {
			return option{}, false
		}
	}
	return found[0], true
}

func (p *parsed) short(args []string, i int, known []option, digits bool) int {
	a := args[i]
	for at := 1; at < len(a); at++ {
		if digits && a[at] >= '0' && a[at] <= '9' {
			p.options = append(p.options, given{option: option{short: a[at]}, word: i, at: at})
			continue
		}
		o, ok := findShort(a[at], known)
		if !ok {
			p.wrong = true
			continue
		}
		g := given{option: o, word: i, at: at}
		if o.value != value {
			p.options = append(p.options, g)
			continue
		}
		if rest := a[at+1:]; rest != "" {
			g.arg, g.has = rest, true
		} else if i+1 < len(args) {
			i++
			g.arg, g.has, g.apart = args[i], true, true
		} else {
			p.wrong = true
			return i
		}
		p.options = append(p.options, g)
		return i
	}
	return i
}

func findShort(c byte, known []option) (option, bool) {
	for _, o := range known {
		if o.short == c {
			return o, true
		}
	}
	return option{}, false
}
