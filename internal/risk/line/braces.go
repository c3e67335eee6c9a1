package line

import (
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/shline"
)

// maxBraced bounds the words that braces make of one.
const maxBraced = 64

// targets reads one argument, of which braces may make several.
func (r *run) targets(w *shline.Word, m movement, dash bool) []Target {
	if r.text.options.Posix || w.Live && !strings.HasPrefix(w.Text, "~") || !strings.Contains(w.Raw, "{") || strings.ContainsAny(w.Raw, "'\"\\$`()<>") {
		return []Target{r.target(w, m, dash)}
	}
	raws := braced(w.Raw)
	if len(raws) < 2 {
		return []Target{r.target(w, m, dash)}
	}
	var out []Target
	for _, raw := range raws {
		part := shline.ParseWord(r.text.dialect, raw, w.Start)
		out = append(out, r.target(&part, m, dash))
	}
	return out
}

// braced returns the words that braces make of one without quotes: a{b,c}d,
// {a,b}{c,d}, x{1..3}. It is nil where there are too many, or none.
func braced(s string) []string {
	open := strings.IndexByte(s, '{')
	if open < 0 {
		return []string{s}
	}
	parts, rest, ok := alternatives(s[open+1:])
	if !ok {
		return nil
	}
	tails := braced(rest)
	var out []string
	for _, part := range parts {
		for _, middle := range braced(part) {
			for _, tail := range tails {
				if out = append(out, s[:open]+middle+tail); len(out) > maxBraced {
					return nil
				}
			}
		}
	}
	return out
}

// alternatives cuts what follows a "{" into its parts, up to the "}" that closes it.
func alternatives(s string) (parts []string, rest string, ok bool) {
	depth, start := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case ',':
			if depth == 0 {
				parts, start = append(parts, s[start:i]), i+1
			}
		case '}':
			if depth--; depth >= 0 {
				continue
			}
			if parts = append(parts, s[start:i]); len(parts) == 1 {
				parts = sequence(parts[0])
			}
			return parts, s[i+1:], len(parts) > 0
		}
	}
	return nil, "", false
}

// sequence returns the numbers of 1..3; nil for anything else.
func sequence(s string) (out []string) {
	from, to, _ := strings.Cut(s, "..")
	a, errA := strconv.Atoi(from)
	b, errB := strconv.Atoi(to)
	if errA != nil || errB != nil || max(a, b)-min(a, b) > maxBraced || strings.HasPrefix(from, "0") && len(from) > 1 || strings.HasPrefix(to, "0") && len(to) > 1 {
		return nil
	}
	for step := 1; ; a += step {
		if a > b {
			step = -1
		}
		out = append(out, strconv.Itoa(a))
		if a == b {
			return out
		}
	}
}
