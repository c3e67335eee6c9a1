package tcpdb

import (
	"math/bits"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// grouped lays out what is written in the order of keys so that little moves when
// a tool changes, or one is added. Tools that follow each other are groups, and
// these are groups again; behind each there is room, up to an eighth of it: what comes after keeps its place, and what refers to it its bytes. Where a
// group begins is told by the name of its first tool alone. So an image that is
// kept in version control costs little more than what has changed.
type grouped struct {
	begun  bool
	tool   string
	starts [len(groupTools)]int // of the groups that are open, the inner one first
}

// groupTools is about how many tools are in a group, each a multiple of the one
// before: a name begins a group if its hash is a multiple of the number.
var groupTools = [...]uint64{4, 64, 512}

// minRoom is what the innermost groups are rounded up to, in bytes; each further
// one sixteen times that, so that what overflows within one mostly ends there.
const minRoom = 64

// before returns b, with room behind the groups that end where a key begins a new one.
func (g *grouped) before(b []byte, key string) []byte {
	tool, _, _ := strings.Cut(key, " ")
	if g.begun && tool == g.tool {
		return b
	}
	hash := xxhash.Sum64String(tool)
	for i, n := range groupTools {
		if hash%n > 0 && g.begun {
			break
		}
		if size := len(b) - g.starts[i]; size > 0 && g.begun {
			step := max(minRoom<<(4*i), 1<<bits.Len(uint(size)>>(4+i)))
			b = append(b, make([]byte, (step-size%step)%step)...)
		}
		g.starts[i] = len(b)
	}
	g.tool, g.begun = tool, true
	return b
}
