package rtk

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrExists is wrapped by the error about a filter whose name is taken.
var ErrExists = errors.New("there is a filter of this name")

const heading = `# Filters of RTK (Rust Token Killer) for this project. RTK uses them after rtk trust.
schema_version = 1
`

// Merge adds a draft to a file of filters, which may be empty. Everything else
// in it stays as it is, byte for byte. A filter of the draft's name is replaced
// with replace, else it is an error.
func Merge(name string, file []byte, d *Draft, replace bool) ([]byte, error) {
	if strings.TrimSpace(string(file)) == "" {
		return []byte(heading + "\n" + d.Text), nil
	}
	old, problems := Parse(name, file)
	if old == nil {
		return nil, fmt.Errorf("%w: RTK rejects the file as it is", problems[0])
	}
	text := string(file)
	if slices.Contains(old.Names, d.Filter.Name) {
		if !replace {
			return nil, fmt.Errorf("%s: filters.%s: %w", name, quoteKey(d.Filter.Name), ErrExists)
		}
		text = without(text, d.Filter.Name)
	}
	text = strings.TrimRight(text, "\n") + "\n\n" + d.Text
	merged, problems := Parse(name, []byte(text))
	if merged == nil {
		return nil, fmt.Errorf("%w, with the draft in it", problems[0])
	}
	if err := sameButFor(d.Filter.Name, old, merged); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return []byte(text), nil
}

// without cuts the tables of a filter and of its tests out of a file, with the
// comment lines right above the first of them.
func without(text, filter string) string {
	s := scan(text)
	var heads []int // lines of headers, from 0
	ours := map[int]bool{}
	for path, line := range s.lines {
		if !s.headers[line] {
			continue
		}
		heads = append(heads, line-1)
		for _, root := range []string{"filters.", "tests."} {
			rest, ok := strings.CutPrefix(path, root+quoteKey(filter))
			if ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
				ours[line-1] = true
			}
		}
	}
	slices.Sort(heads)
	lines := strings.SplitAfter(text, "\n")
	cut := make([]bool, len(lines))
	for i, h := range heads {
		if !ours[h] {
			continue
		}
		end := len(lines)
		for j := i + 1; j < len(heads); j++ {
			if heads[j] != h {
				end = heads[j]
				break
			}
		}
		for end < len(lines) && end > h+1 && strings.HasPrefix(lines[end-1], "#") { // the comment of what follows
			end--
		}
		begin := h
		for begin > 0 && strings.HasPrefix(lines[begin-1], "#") {
			begin--
		}
		for k := begin; k < end; k++ {
			cut[k] = true
		}
	}
	var b strings.Builder
	for i, l := range lines {
		if !cut[i] {
			b.WriteString(l)
		}
	}
	return b.String()
}

// sameButFor checks that two files hold the same filters and tests, those of
// one name aside.
func sameButFor(name string, a, b *File) error {
	tests := func(f *File) string {
		var out strings.Builder
		for _, filter := range f.Filters {
			if filter.Name != name {
				out.WriteString(Encode(filter, nil, nil))
			}
		}
		for _, n := range f.Names {
			if n != name {
				out.WriteString(n + "\n")
			}
		}
		for _, t := range f.Tests {
			if t.Filter != name {
				fmt.Fprintf(&out, "%q %q %q %q\n", t.Filter, t.Name, t.Input, t.Expected)
			}
		}
		return out.String()
	}
	if tests(a) != tests(b) {
		return errors.New("other filters would change: take the old one out by hand")
	}
	return nil
}
