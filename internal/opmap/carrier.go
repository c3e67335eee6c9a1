package opmap

import (
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Carrier says in a risk file that commands carry another one, for tools without
// a map of their own. Its fields are those of a wrapper in a source map.
type Carrier struct {
	Key         string   `toml:"key"`  // canonical path, "sops exec-env"
	Keys        []string `toml:"keys"` // in place of key: commands that share all that follows
	Mode        string   `toml:"mode"` // words, shell, joined, trailer
	Skip        int      `toml:"skip"`
	ShellFlag   string   `toml:"shell_flag"`
	Assignments bool     `toml:"assignments"`
	Markers     []string `toml:"markers"`
	Terminators []string `toml:"terminators"`
	Elsewhere   bool     `toml:"elsewhere"`
	Adds        []string `toml:"adds"`
	Dialect     string   `toml:"dialect"`
	Options     []string `toml:"options"`
	// Interspersed: options may follow the first word. So they may where the
	// command stands behind an option or a marker, unless this says otherwise.
	Interspersed *bool `toml:"interspersed"`
}

func (c *Carrier) keys() []string {
	if c.Key != "" {
		return append([]string{c.Key}, c.Keys...)
	}
	return c.Keys
}

func (c *riskChecker) carrier(i int, x *Carrier) {
	line := c.lines.carrier(i)
	field := fmt.Sprintf("carrier[%d]", i)
	if len(x.keys()) == 0 {
		c.errorf(line, field+".keys", "names no command")
	}
	if wrapMode(x.Mode) == tcpdb.NoWrap {
		c.errorf(line, field+".mode", "%q: want words, shell, joined or trailer", x.Mode)
	}
	for _, name := range x.Adds {
		if _, err := tcpdb.ParseFlag(name); err != nil {
			c.errorf(line, field+".adds", "%v", err)
		}
	}
	for _, o := range x.Options {
		if _, err := parseOption(o); err != nil {
			c.errorf(line, field+".options", "%v", err)
		}
	}
}

// mergeCarrier makes the nodes of a carrier's keys carry a command, unless a map
// says already how they do.
func mergeCarrier(byTool map[string]*tcpdb.Node, x *Carrier) {
	for _, key := range x.keys() {
		words := strings.Fields(key)
		if len(words) == 0 {
			continue
		}
		n := byTool[words[0]]
		flat := n == nil || n.Bits&tcpdb.Partial != 0 && !n.HasSubs()
		mergeOptions(byTool, &RiskCommand{Key: key, Options: x.Options, Arguments: true}, nil)
		n = byTool[words[0]]
		if flat && len(words) > 1 && len(n.Args) == 0 {
			n.Args = []tcpdb.Arg{{Name: "word", Repeatable: true}} // its other words are as before
		}
		for _, w := range words[1:] {
			n = n.Sub(w)
		}
		if n.Wrapper.Mode != tcpdb.NoWrap {
			continue
		}
		n.Wrapper = compileWrapper(&Wrapper{
			Mode: x.Mode, Skip: x.Skip, ShellFlag: x.ShellFlag, Assignments: x.Assignments, Markers: x.Markers,
			Terminators: x.Terminators, Elsewhere: x.Elsewhere, Adds: x.Adds, Dialect: x.Dialect,
		})
		free := n.Wrapper.Mode == tcpdb.WrapTrailer || n.Wrapper.Mode == tcpdb.WrapShell
		if x.Interspersed != nil {
			free = *x.Interspersed
		}
		if !free && n.Bits&tcpdb.Partial != 0 {
			n.Bits &^= tcpdb.Interspersed
		}
	}
}
