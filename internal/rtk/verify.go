package rtk

import "strings"

// Outcome is what became of one test.
type Outcome struct {
	Test
	Passed bool
	Actual string
}

// RunTests runs the tests of the filters that RTK would use. Newlines at the
// end count in neither text. A test whose filter is not there, or left out, is
// no outcome.
func (f *File) RunTests() []Outcome {
	var out []Outcome
	for _, t := range f.Tests {
		filter := f.Filter(t.Filter)
		if filter == nil {
			continue
		}
		actual := strings.TrimRight(filter.Apply(t.Input), "\n")
		t.Expected = strings.TrimRight(t.Expected, "\n")
		out = append(out, Outcome{t, actual == t.Expected, actual})
	}
	return out
}

// Filter returns the filter of that name, nil if RTK would not use it.
func (f *File) Filter(name string) *Filter {
	for _, filter := range f.Filters {
		if filter.Name == name {
			return filter
		}
	}
	return nil
}

// For returns the filter that RTK would use for a command: the first by name
// that matches, and none for a command that it handles itself.
func (f *File) For(argv []string) *Filter {
	if len(argv) == 0 || Handled(argv[0]) {
		return nil
	}
	for _, filter := range f.Filters {
		if filter.Matches(argv) {
			return filter
		}
	}
	return nil
}

// Untested are the names of filters without a test.
func (f *File) Untested() []string {
	var out []string
	for _, name := range f.Names {
		tested := false
		for _, t := range f.Tests {
			tested = tested || t.Filter == name
		}
		if !tested {
			out = append(out, name)
		}
	}
	return out
}
