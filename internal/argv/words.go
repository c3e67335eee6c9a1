package argv

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// FindLong returns the flag of n that the long name stands for: written out,
// as --no-x of a negatable one, or abbreviated where n allows that and only one
// flag fits.
func FindLong(n *tcpdb.Node, name string) (f *tcpdb.Flag, negated bool) {
	if f := n.Flag(name); f != nil {
		return f, false
	}
	positive, no := strings.CutPrefix(name, "--no-")
	if no {
		if f := n.Flag("--" + positive); f != nil && f.Negatable {
			return f, true
		}
	}
	if n.Bits&tcpdb.NoAbbreviation != 0 || n.Bits&tcpdb.SingleDashLong != 0 || len(name) < 3 {
		return nil, false
	}
	for i := range n.Flags {
		c := &n.Flags[i]
		for _, s := range c.Names {
			fits := strings.HasPrefix(s, name)
			fitsNo := no && c.Negatable && strings.HasPrefix(s, "--"+positive)
			if !fits && !fitsNo || f == c {
				continue
			}
			if f != nil {
				return nil, false
			}
			f, negated = c, !fits
		}
	}
	return f, negated
}

func isAssignment(w string) bool {
	name, _, ok := strings.Cut(w, "=")
	if !ok || name == "" || name[0] >= '0' && name[0] <= '9' {
		return false
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}

func isDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
