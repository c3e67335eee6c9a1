package law

// Kind is what a node of the syntax is, as far as a rule asks.
type Kind uint8

const (
	Other         Kind = iota // anything whose parts alone matter
	Ident                     // a name that is read or written; Text
	String                    // Text is its value
	Template                  // Text is its fixed parts together; Kids the expressions
	Number                    // Text as written
	Regex                     // Text between the slashes
	Object                    // Kids are Prop, Spread or Other
	Prop                      // Text is the name; Named says that it is not computed; Kids: [computed key,] value
	Array                     // Kids are the elements
	Call                      // Kids[0] is what is called
	New                       // as Call
	Member                    // Text is the name; Kids[0] the object
	Index                     // Kids: object, key
	Binary                    // Text is the operator; Kids: left, right
	Assign                    // Text is the operator; Kids: target, value
	Unary                     // Text is the operator
	Spread                    // ...x
	Func                      // a function, an arrow, a method
	Class                     // Kids are Prop for its fields and methods
	Enum                      // Kids are Prop
	JSXText                   // Text
	Import                    // Text is the specifier; Names what is taken
	ImportCall                // import(x); Kids[0]
	Pattern                   // names that are bound; Kids are default values and computed keys
	DefaultExport             // Kids[0]
)

// Node is a part of a source.
type Node struct {
	Kind     Kind
	Pos, End int // bytes
	Text     string
	Kids     []*Node
	Named    bool     // of Prop: the name is written out
	Target   bool     // of Object and Array: it stands left of an assignment
	Names    []string // of Import: the names that are imported, "*" for all, "default"
	TypeOnly bool     // of Import
}

// walk visits a node and all below it; visit returns false to leave out what is
// below.
func (n *Node) walk(visit func(*Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	for _, k := range n.Kids {
		k.walk(visit)
	}
}

// Tree is a parsed source.
type Tree struct {
	Source   string
	Root     *Node
	declared map[string]bool // every name that is bound anywhere
	lines    []int           // where each line begins
	doc      int             // the docblock, docEnd 0 without one
	docEnd   int
}

// Imports are the import declarations and the calls of import with a literal.
func (t *Tree) Imports() []*Node {
	var out []*Node
	t.Root.walk(func(n *Node) bool {
		if n.Kind == Import || n.Kind == ImportCall {
			out = append(out, n)
		}
		return true
	})
	return out
}

// Place is the line and the column of an offset, from 1; columns count UTF-16 units.
func (t *Tree) Place(pos int) (line, col int) {
	if t.lines == nil {
		t.lines = []int{0}
		for i := range len(t.Source) {
			if t.Source[i] == '\n' {
				t.lines = append(t.lines, i+1)
			}
		}
	}
	lo, hi := 0, len(t.lines)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; t.lines[mid] <= pos {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo + 1, units(t.Source[t.lines[lo]:min(pos, len(t.Source))]) + 1
}

// units is the length of a text in UTF-16 units.
func units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}
