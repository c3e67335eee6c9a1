package help

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// ditto adds the names of the row below to one whose text they share: a mark of
// repetition stands in its place.
func (r *row) ditto(below *row) bool {
	switch strings.ToLower(strings.Trim(below.Rest, " .")) {
	case "''", "\"", "\"\"", "''''", "″", "〃", "ditto", "idem":
	default:
		return false
	}
	if below.line.Indent > r.line.Indent+8 || r.line.Indent > below.line.Indent+8 {
		return false
	}
	for _, name := range below.Names {
		if !slices.Contains(r.Names, name) {
			r.Names = append(r.Names, name)
		}
	}
	if r.Arity == draft.Unsaid {
		r.Arity = below.Arity
	}
	return true
}

// apart takes a row apart that lists options which have only their text in
// common. Own are the names that rows of its section are about alone: one of the
// row's names among them shows that they are no spellings of one option. Rows of
// spellings stay whole.
func apart(r *row, own map[string]bool) []*row {
	if len(r.Names) < 2 {
		return []*row{r}
	}
	if out := r.listed(); out != nil {
		return out
	}
	if !r.line.Tag && r.Rest != "" && r.Gap < 2 {
		return []*row{r}
	}
	parts := r.parts()
	if len(parts) < 2 || !together(r, parts, own) {
		return []*row{r}
	}
	var out []*row
	for _, p := range parts {
		if hasOwn(p.Names, own) {
			continue // it says all of the option
		}
		one := *r
		one.Spec = p
		one.Rest, one.RestAt, one.Gap = r.Rest, r.RestAt, r.Gap
		if one.Arity == draft.Unsaid {
			one.Arity = draft.None
		}
		out = append(out, &one)
	}
	return out
}

// listed takes a row apart whose names slashes or semicolons part and that are
// all short or all words: "-n/-R", "-sS/sT <x>", "-f; --mtu <val>". A value behind
// slashes is each one's, one behind a semicolon only its own. It is nil where the
// names are spellings: "-h/--help", "-help/--help".
func (r *row) listed() []*row {
	text := r.line.Text
	if r.Rest != "" && r.RestAt <= len(text) {
		text = text[:r.RestAt]
	}
	if first, second, ok := strings.Cut(text, "; -"); ok && len(r.Names) == 2 {
		a, ok := ParseSpec(first, -1, true, true)
		b, also := ParseSpec("-"+strings.TrimRight(second, " :-"), -1, true, true)
		if !ok || !also || len(a.Names) != 1 || len(b.Names) != 1 {
			return nil
		}
		return []*row{r.with(a), r.with(b)}
	}
	names := text[:strings.IndexAny(text+" ", " :<[=")]
	if strings.Count(names, "/") != len(r.Names)-1 {
		return nil
	}
	for _, name := range r.Names {
		if draft.Short(name) != draft.Short(r.Names[0]) || draft.Long(name) != draft.Long(r.Names[0]) {
			return nil
		}
	}
	var out []*row
	for _, name := range r.Names {
		s := r.Spec
		s.Names = []string{name}
		out = append(out, r.with(s))
	}
	return out
}

// with is a row of the same text about other names.
func (r *row) with(s Spec) *row {
	one := *r
	one.Spec = s
	one.Rest, one.RestAt, one.Gap = r.Rest, r.RestAt, r.Gap
	if one.Arity == draft.Unsaid && len(s.Names) > 0 && s.Metavar == "" && r.Arity != draft.Unsaid {
		one.Arity = draft.None
	}
	return &one
}

// parts are the names of a row each with the value that stands behind it, nil if
// the row holds anything else.
func (r *row) parts() []Spec {
	text := r.line.Text
	if r.Rest != "" && r.RestAt <= len(text) {
		text = strings.TrimRight(text[:r.RestAt], " -:")
	}
	var out []Spec
	names := 0
	for i, part := range strings.Split(text, ", -") {
		if i > 0 {
			part = "-" + part
		}
		s, ok := ParseSpec(part, -1, true, true)
		if !ok || s.Rest != "" || len(s.Names) == 0 {
			return nil
		}
		names += len(s.Names)
		out = append(out, s)
	}
	if names < len(r.Names) {
		return nil
	}
	return out
}

// together reports whether the parts of a row are options of their own:
//
//   - several names with values of their own and bare ones behind, of many;
//   - one that says no to another, which takes a value: "--pipe=PROGRAM, --nopipe";
//   - long names in a manual that are not alike, each with a value: "--from=N,
//     --upto=N";
//   - members of a set, see family;
//   - names of which one has a row of its own, or of which the text speaks as of
//     many: "-strict, -purpose   Set various options".
func together(r *row, parts []Spec, own map[string]bool) bool {
	valued, bareBehind := 0, false
	long := true
	for _, p := range parts {
		if p.Arity == draft.Unsaid {
			bareBehind = bareBehind || valued > 0
		} else {
			valued++
		}
		for _, name := range p.Names {
			long = long && !draft.Short(name)
		}
	}
	switch {
	case len(r.Names) > 5 && bareBehind:
		return true
	case !long:
		return len(r.Names) > 2 && !mixedClass(r.Names) && pluralText(r.text())
	case valued > 0 && valued < len(parts) && negates(parts):
		return true
	case r.line.Tag && strings.Count(r.line.Text, "=") >= len(parts) && valued == len(parts) && !alike(r.Names):
		return true
	}
	return pluralText(r.text()) && !alike(r.Names) || ownRows(r, own) || family(r.Names)
}

// family reports whether three or more names are not spellings but members of a
// set: words behind one dash, "-tls1, -tls1_1, -ssl3", or long names that begin
// with the same word, "--file-prefix-a, --file-prefix-b".
func family(names []string) bool {
	if len(names) < 3 {
		return false
	}
	if !slices.ContainsFunc(names, draft.Long) {
		return true
	}
	first := names[0][:strings.LastIndexByte(names[0], '-')+1]
	return len(first) > 3 && !slices.ContainsFunc(names, func(name string) bool { return !strings.HasPrefix(name, first) })
}

// mixedClass reports whether some of the names are short and some long.
func mixedClass(names []string) bool {
	short := 0
	for _, name := range names {
		if draft.Short(name) {
			short++
		}
	}
	return short > 0 && short < len(names)
}

// negates reports whether a part without a value says no to one with a value.
func negates(parts []Spec) bool {
	for _, p := range parts {
		for _, q := range parts {
			a, b := strings.TrimLeft(p.Names[0], "-"), strings.TrimLeft(q.Names[0], "-")
			if p.Arity == draft.Unsaid && q.Arity != draft.Unsaid && (a == "no"+b || a == "no-"+b) {
				return true
			}
		}
	}
	return false
}

// alike reports whether two of the names look like spellings of one word: one
// begins or ends as the other does.
func alike(names []string) bool {
	for i, a := range names {
		for _, b := range names[i+1:] {
			a, b := strings.ToLower(strings.TrimLeft(a, "-")), strings.ToLower(strings.TrimLeft(b, "-"))
			least, n, m := min(len(a), len(b)), 0, 0
			for n < least && a[n] == b[n] {
				n++
			}
			for m < least && a[len(a)-1-m] == b[len(b)-1-m] {
				m++
			}
			if n == least || n > 3 || m > 4 || n+m >= least {
				return true
			}
		}
	}
	return false
}

// pluralText reports whether a text speaks of several options.
func pluralText(text string) bool {
	low := strings.ToLower(bare(text[:min(len(text), 80)]))
	for _, lead := range []string{"set various ", "various ", "these options ", "these flags ", "these are ", "each of these "} {
		if strings.HasPrefix(low, lead) {
			return true
		}
	}
	return false
}

// ownRows reports whether a name of a row of several single-dash words, or of
// three or more long ones, has a row of its own.
func ownRows(r *row, own map[string]bool) bool {
	if len(r.Names) < 3 && slices.ContainsFunc(r.Names, draft.Long) {
		return false
	}
	return hasOwn(r.Names, own)
}

func hasOwn(names []string, own map[string]bool) bool {
	return slices.ContainsFunc(names, func(name string) bool { return own[name] })
}

// ownNames are the names that rows with a text are about alone.
func ownNames(rs []row) map[string]bool {
	out := map[string]bool{}
	for i := range rs {
		if r := &rs[i]; len(r.Names) == 1 && (r.Rest != "" || len(r.body) > 0) {
			out[r.Names[0]] = true
		}
	}
	return out
}

// withoutPlaceholder are a flag's names without one that is its value in
// capitals: "--kind=KIND, --KIND".
func withoutPlaceholder(f *draft.Flag) []string {
	if len(f.Names) < 2 || len(f.Metavar) < 3 || f.Metavar != strings.ToUpper(f.Metavar) {
		return f.Names
	}
	out := slices.DeleteFunc(slices.Clone(f.Names), func(name string) bool { return strings.TrimLeft(name, "-") == f.Metavar })
	if len(out) == 0 {
		return f.Names
	}
	return out
}
