package conf

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

func (r *reader) text1(path []string, value any) string {
	s, ok := value.(string)
	if !ok || strings.ContainsRune(s, 0) {
		r.fault(path, "want a text")
		return ""
	}
	return s
}

func (r *reader) boolean(path []string, value any) bool {
	b, ok := value.(bool)
	if !ok {
		r.fault(path, "want true or false")
	}
	return b
}

// word reads one of a few words; another gives the first.
func (r *reader) word(path []string, value any, words ...string) string {
	if s, ok := value.(string); ok && slices.Contains(words, s) {
		return s
	}
	r.fault(path, "want one of %s", strings.Join(words, ", "))
	return words[0]
}

func (r *reader) number(path []string, value any, least, most int64) int64 {
	if n, ok := value.(int64); ok && n >= least && n <= most {
		return n
	}
	r.fault(path, "want a number from %d to %d", least, most)
	return least
}

func (r *reader) strings(path []string, value any) []string {
	list, ok := value.([]any)
	out := make([]string, 0, len(list))
	for _, v := range list {
		s, isText := v.(string)
		if !isText || strings.ContainsRune(s, 0) {
			ok = false
			break
		}
		out = append(out, s)
	}
	if !ok {
		r.fault(path, "want a list of texts")
		return nil
	}
	return out
}

func (r *reader) duration(path []string, value any) time.Duration {
	s, _ := value.(string)
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 || d > 24*time.Hour {
		r.fault(path, "want a time such as \"10s\"")
		return time.Second
	}
	return d
}

// units are the sizes that a number of bytes may be given in.
var units = []struct {
	name  string
	bytes int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1000}, {"MB", 1_000_000}, {"GB", 1_000_000_000}, {"B", 1}}

// size reads "8MiB", or a number of bytes.
func (r *reader) size(path []string, value any) int64 {
	var n int64
	switch v := value.(type) {
	case int64:
		n = v
	case string:
		for _, u := range units {
			if digits, ok := strings.CutSuffix(v, u.name); ok {
				if f, err := strconv.ParseFloat(strings.TrimSpace(digits), 64); err == nil && f > 0 && f*float64(u.bytes) < math.MaxInt32 {
					n = int64(f * float64(u.bytes))
				}
				break
			}
		}
	}
	if n < 1024 || n > 1<<30 {
		r.fault(path, "want a size from 1KiB to 1GiB, such as \"8MiB\"")
		return 8 << 20
	}
	return n
}

// lineOf is the line, from 1, on which a key stands; with a value the line on
// which that text stands from there on. It is 0 if the file, which has been read
// already, writes the key in a way that is not looked for.
func lineOf(text string, path []string, value string) int {
	full := strings.Join(path, ".")
	best, at := 0, 0 // the key's own line, or that of the nearest table around it
	n, section := 0, ""
	found := 0
	for l := range strings.Lines(text) {
		n++
		l = strings.TrimSpace(l)
		name := section
		if rest, ok := strings.CutPrefix(l, "["); ok && found == 0 && strings.Contains(rest, "]") && !strings.HasPrefix(rest, `"`) {
			name, _, _ = strings.Cut(strings.TrimPrefix(rest, "["), "]")
			name = plainKey(name)
			section = name
		} else if key, _, ok := strings.Cut(l, "="); ok && found == 0 {
			name = strings.TrimPrefix(section+"."+plainKey(key), ".")
		}
		if found == 0 && len(name) > at && (full == name || strings.HasPrefix(full, name+".")) {
			best, at = n, len(name)
			if full == name {
				found = n
			}
		}
		if found > 0 && (value == "" || strings.Contains(l, value)) {
			return n
		}
	}
	if found > 0 {
		return found
	}
	return best
}

// plainKey is a dotted key without blanks and quotes.
func plainKey(key string) string {
	parts := strings.Split(key, ".")
	for i, p := range parts {
		parts[i] = strings.Trim(strings.TrimSpace(p), `"'`)
	}
	return strings.Join(parts, ".")
}
