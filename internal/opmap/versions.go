package opmap

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/semver"
)

// Range is a set of versions: alternatives of bounds that all hold.
type Range [][]bound

type bound struct {
	op      string // ">=", ">", "<=", "<", "=", "prefix"
	version string
}

// ParseRange reads a range such as ">=2.20", ">=1.2 <2", "^1.4", "~1.4", "1.x",
// "1.2 || >=3". Bounds that stand beside each other, with a blank or a comma
// between them, must all hold; "||" parts alternatives. An empty text and "*"
// are every version, and so is the nil Range.
func ParseRange(s string) (Range, error) {
	if strings.TrimSpace(s) == "" || strings.TrimSpace(s) == "*" {
		return nil, nil
	}
	var r Range
	for alternative := range strings.SplitSeq(s, "||") {
		var bounds []bound
		words := strings.FieldsFunc(alternative, func(c rune) bool { return c == ' ' || c == ',' })
		for i := 0; i < len(words); i++ {
			w := words[i]
			if strings.Trim(w, "<>=^~") == "" && i+1 < len(words) { // ">= 2"
				i++
				w += words[i]
			}
			b, err := parseBound(w)
			if err != nil {
				return nil, fmt.Errorf("%q is no range of versions such as >=2.20: %w", s, err)
			}
			bounds = append(bounds, b...)
		}
		if len(bounds) == 0 {
			return nil, fmt.Errorf("%q is no range of versions such as >=2.20", s)
		}
		r = append(r, bounds)
	}
	return r, nil
}

func parseBound(w string) ([]bound, error) {
	i := strings.IndexFunc(w, func(c rune) bool { return !strings.ContainsRune("<>=^~", c) })
	if i < 0 {
		return nil, fmt.Errorf("%q names no version", w)
	}
	op, version := w[:i], strings.TrimPrefix(w[i:], "v")
	bare := strings.TrimSuffix(strings.TrimSuffix(version, ".x"), ".*")
	parts, _ := numbers(bare)
	if len(parts) == 0 || bare != version && op != "" {
		return nil, fmt.Errorf("%q names no version", w)
	}
	switch op {
	case ">=", ">", "<=", "<":
		return []bound{{op, version}}, nil
	case "=", "==":
		return []bound{{"=", version}}, nil
	case "":
		return []bound{{"prefix", bare}}, nil
	case "^": // up to the next change of the first number that is not 0
		fixed := 1
		for fixed < len(parts) && parts[fixed-1] == 0 {
			fixed++
		}
		return []bound{{">=", version}, {"prefix", joined(parts[:fixed])}}, nil
	case "~":
		return []bound{{">=", version}, {"prefix", joined(parts[:min(2, len(parts))])}}, nil
	}
	return nil, fmt.Errorf("%q is no comparison", op)
}

// Holds reports whether a version is in the range. One that names no numbers is
// in none but that of every version.
func (r Range) Holds(version string) bool {
	if len(r) == 0 {
		return true
	}
	if parts, _ := numbers(version); len(parts) == 0 {
		return false
	}
	for _, bounds := range r {
		all := true
		for _, b := range bounds {
			all = all && b.holds(version)
		}
		if all {
			return true
		}
	}
	return false
}

func (b bound) holds(version string) bool {
	if b.op == "prefix" {
		want, _ := numbers(b.version)
		have, _ := numbers(version)
		for i, n := range want {
			if i < len(have) && have[i] != n || i >= len(have) && n != 0 {
				return false
			}
		}
		return true
	}
	c := CompareVersions(version, b.version)
	switch b.op {
	case ">=":
		return c >= 0
	case ">":
		return c > 0
	case "<=":
		return c <= 0
	case "<":
		return c < 0
	}
	return c == 0
}

// CompareVersions orders two versions by their numbers; of equal ones a
// pre-release, "2.0-rc1", comes before the release, and pre-releases are in the
// order of Semantic Versioning (11.4). Epoch and revision of a package
// ("1:2.39.5-0+deb12u2") and a leading "v" do not count.
func CompareVersions(a, b string) int {
	an, apre := numbers(a)
	bn, bpre := numbers(b)
	for i := range max(len(an), len(bn)) {
		var x, y int
		if i < len(an) {
			x = an[i]
		}
		if i < len(bn) {
			y = bn[i]
		}
		if x != y {
			return sign(x - y)
		}
	}
	switch {
	case apre == "" && bpre == "":
		return 0
	case apre == "":
		return 1
	case bpre == "":
		return -1
	}
	return semver.Compare("v0.0.0-"+apre, "v0.0.0-"+bpre)
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// numbers returns the numbers of a version, and of a pre-release what makes it one,
// as identifiers of Semantic Versioning: "rc.1" of "2.0rc1" and of "2.0.0-rc.1".
func numbers(s string) (parts []int, pre string) {
	if epoch, rest, ok := strings.Cut(s, ":"); ok && strings.Trim(epoch, "0123456789") == "" {
		s = rest
	}
	s = strings.TrimLeft(s, "vV")
	for s != "" {
		end := 0
		for end < len(s) && s[end] >= '0' && s[end] <= '9' {
			end++
		}
		if end == 0 {
			break
		}
		n, err := strconv.Atoi(s[:end])
		if err != nil {
			n = int(^uint(0) >> 1) // beyond every other
		}
		parts = append(parts, n)
		if s = s[end:]; s == "" || s[0] != '.' || len(s) < 2 || s[1] < '0' || s[1] > '9' {
			break
		}
		s = s[1:]
	}
	lower := strings.ToLower(strings.TrimLeft(s, "-.~_"))
	for _, word := range [...]string{"rc", "alpha", "beta", "pre", "dev"} {
		if strings.HasPrefix(lower, word) && len(parts) > 0 {
			return parts, identifiers(lower)
		}
	}
	return parts, ""
}

// identifiers cuts a text where letters and digits meet and at all else, up to the
// metadata of a build, and joins what it gets with dots.
func identifiers(s string) string {
	var b strings.Builder
	s, _, _ = strings.Cut(s, "+")
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		for word != "" {
			kind, end := kindOf(word[0]), 1
			for end < len(word) && kindOf(word[end]) == kind {
				end++
			}
			id := word[:end]
			if kind == '0' { // which may not begin with one
				id = strings.TrimLeft(id[:end-1], "0") + id[end-1:]
			}
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(id)
			word = word[end:]
		}
	}
	return b.String()
}

func kindOf(c byte) byte {
	if c >= '0' && c <= '9' {
		return '0'
	}
	return 'a'
}

func joined(parts []int) string {
	words := make([]string, len(parts))
	for i, n := range parts {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ".")
}
