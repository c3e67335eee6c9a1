package envelope

import (
	"bytes"
	"fmt"
	"strconv"
)

// maxKeys is how many members of an object are described.
const maxKeys = 24

// describeJSON says what a document of JSON is made of: keys, types, sizes. cut says
// that only its beginning is known.
func describeJSON(b []byte, cut bool) []string {
	s := jsonScanner{b: bytes.TrimPrefix(b, []byte("\ufeff"))}
	s.blanks()
	if s.i >= len(s.b) {
		return nil
	}
	more := ""
	if cut {
		more = " at least"
	}
	switch s.b[s.i] {
	case '{':
		keys, n := s.members()
		out := []string{fmt.Sprintf("object, %d keys%s", n, more)}
		out = append(out, keys...)
		if left := n - len(keys); left > 0 {
			out = append(out, fmt.Sprintf("%d more keys", left))
		}
		return out
	case '[':
		start := s.i
		n := s.elements()
		out := []string{fmt.Sprintf("array of %d%s", n, more)}
		first := jsonScanner{b: s.b, i: start + 1}
		first.blanks()
		if first.i < len(first.b) && first.b[first.i] == '{' {
			keys, _ := first.members()
			for _, k := range keys {
				out = append(out, "[0]."+k)
			}
		}
		return out
	}
	return nil
}

// jsonScanner walks JSON leniently: it is read to be described, not checked.
type jsonScanner struct {
	b []byte
	i int
}

func (s *jsonScanner) blanks() {
	for s.i < len(s.b) && (s.b[s.i] <= ' ' || s.b[s.i] == ',' || s.b[s.i] == ':') {
		s.i++
	}
}

// members describes those of the object at i.
func (s *jsonScanner) members() (out []string, n int) {
	s.i++
	for {
		s.blanks()
		if s.i >= len(s.b) || s.b[s.i] != '"' {
			return out, n
		}
		start := s.i
		s.str()
		key := s.b[start:s.i]
		s.blanks()
		if s.i >= len(s.b) {
			return out, n
		}
		kind := s.kind()
		n++
		if len(out) < maxKeys {
			name, _ := shorten(key, 0, int64(len(key)), -1, 80)
			out = append(out, string(name)+": "+kind)
		}
	}
}

// elements counts those of the array at i.
func (s *jsonScanner) elements() int {
	s.i++
	for n := 0; ; n++ {
		s.blanks()
		if s.i >= len(s.b) || s.b[s.i] == ']' {
			s.i++
			return n
		}
		at := s.i
		s.skip()
		if s.i == at {
			return n
		}
	}
}

// kind skips a value and says what it is.
func (s *jsonScanner) kind() string {
	start := s.i
	switch s.b[s.i] {
	case '"':
		s.str()
		return "string, " + strconv.Itoa(s.i-start-2) + " bytes"
	case '{':
		n := 0
		s.i++
		for {
			s.blanks()
			if s.i >= len(s.b) || s.b[s.i] == '}' {
				s.i++
				break
			}
			at := s.i
			s.skip()
			s.blanks()
			if s.i < len(s.b) {
				s.skip()
			}
			if s.i == at {
				break
			}
			n++
		}
		return fmt.Sprintf("object of %d, %d bytes", n, min(s.i, len(s.b))-start)
	case '[':
		n := s.elements()
		return fmt.Sprintf("array of %d, %d bytes", n, min(s.i, len(s.b))-start)
	case 't', 'f':
		s.skip()
		return "boolean"
	case 'n':
		s.skip()
		return "null"
	}
	s.skip()
	return "number"
}

// skip passes over a value without recursion.
func (s *jsonScanner) skip() {
	depth := 0
	for s.i < len(s.b) {
		switch c := s.b[s.i]; {
		case c == '"':
			s.str()
		case c == '{' || c == '[':
			depth++
			s.i++
		case c == '}' || c == ']':
			if depth == 0 {
				return
			}
			depth--
			s.i++
		case depth == 0 && (c == ',' || c <= ' ' || c == ':'):
			return
		default:
			s.i++
			if depth == 0 {
				for s.i < len(s.b) && !bytes.ContainsRune([]byte(",:]}\n\t \r"), rune(s.b[s.i])) {
					s.i++
				}
				return
			}
			continue
		}
		if depth == 0 {
			return
		}
	}
}

func (s *jsonScanner) str() {
	s.i++
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case '\\':
			s.i += 2
		case '"':
			s.i++
			return
		default:
			s.i++
		}
	}
	s.i = min(s.i, len(s.b))
}
