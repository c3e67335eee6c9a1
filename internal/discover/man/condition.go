package man

import (
	"strconv"
	"strings"
)

// condition carries out .if and .ie: what is true of a terminal is.
func (r *reader) condition(args string, keep bool) {
	yes, rest := r.evaluate(args)
	if keep {
		r.last = yes
	}
	r.branch(rest, yes)
}

func (r *reader) branch(rest string, yes bool) {
	rest = strings.TrimLeft(rest, " \t")
	if after, ok := strings.CutPrefix(rest, `\{`); ok {
		if len(r.skip) < 64 {
			r.skip = append(r.skip, !yes)
		}
		if after == `\` {
			after = "" // the end of the page is reached
		}
		rest = strings.TrimLeft(after, " ")
		if strings.Contains(rest, `\}`) {
			r.skip = r.skip[:len(r.skip)-1]
			rest = strings.ReplaceAll(rest, `\}`, "")
		}
	}
	if yes && rest != "" && r.depth < 8 {
		r.depth++
		r.line(rest)
		r.depth--
	}
}

// evaluate tells whether a condition holds and what follows it.
func (r *reader) evaluate(s string) (yes bool, rest string) {
	s = strings.TrimLeft(s, " \t")
	negate := false
	if after, ok := strings.CutPrefix(s, "!"); ok {
		negate, s = true, after
	}
	switch {
	case s == "":
		return false, ""
	case strings.HasPrefix(s, "n ") || strings.HasPrefix(s, `n\{`) || strings.HasPrefix(s, "n."):
		return !negate, s[1:]
	case strings.HasPrefix(s, "t ") || strings.HasPrefix(s, `t\{`) || strings.HasPrefix(s, "t."):
		return negate, s[1:]
	case strings.HasPrefix(s, `\n[.$]`):
		yes, rest = compare(r.args, s[len(`\n[.$]`):])
		return yes != negate, rest
	case strings.HasPrefix(s, `\n(.$`):
		yes, rest = compare(r.args, s[len(`\n(.$`):])
		return yes != negate, rest
	case strings.HasPrefix(s, `\n(.g`):
		return !negate, s[5:]
	case strings.HasPrefix(s, `\n[.g]`):
		return !negate, s[6:]
	case s[0] == '\'' || s[0] == '"':
		parts := strings.SplitN(s[1:], s[:1], 3)
		if len(parts) == 3 {
			return (parts[0] == parts[1]) != negate, parts[2]
		}
		return negate, ""
	}
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		if j := strings.Index(s[:i], `\{`); j >= 0 {
			i = j
		}
		return negate, s[i:]
	}
	if j := strings.Index(s, `\{`); j >= 0 {
		return negate, s[j:]
	}
	return negate, ""
}

// compare carries on a condition that begins with number n, ">1" or "-1", and
// gives what follows it.
func compare(n int, s string) (yes bool, rest string) {
	end := strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune("<>=-+0123456789", r) })
	if end < 0 {
		end = len(s)
	}
	expr, rest := s[:end], s[end:]
	op := strings.TrimRight(expr, "0123456789")
	m, err := strconv.Atoi(expr[len(op):])
	if err != nil {
		return n > 0, rest
	}
	switch op {
	case "-":
		return n-m > 0, rest
	case ">":
		return n > m, rest
	case "<":
		return n < m, rest
	case ">=":
		return n >= m, rest
	case "<=":
		return n <= m, rest
	case "=", "==":
		return n == m, rest
	}
	return n > 0, rest
}
