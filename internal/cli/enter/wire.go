package enter

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
)

// call is what a hook sends: switches as arguments, and on standard input
// records that each end in a NUL (bash, which cannot keep one, says --split and
// ends them with the unit separator 0x1F): the text, then aliases and variables
// as name=value and functions as name=body.
type call struct {
	dialect  shline.Dialect
	posix    bool // --shell sh
	comments bool // # begins a comment at the prompt of zsh
	// whole: of a text that is not finished the shell runs what is, so it is asked
	// about now.
	whole bool
	// silent: say nothing and ask nothing; StatusAsk where there is something.
	silent                        bool
	split                         bool
	aliases, variables, functions int // how many records there are of each; -1: the rest
	// held is how many lines of the text the shell has already and are not in the
	// editor: the last continues them.
	held int

	text string
	// What the shell alone knows, name to text, value, body.
	alias, variable, function map[string]string
}

// parse reads the arguments.
func (c *call) parse(args []string) error {
	c.aliases = -1
	shell := false
	for i := 0; i < len(args); i++ {
		name, value, attached := strings.Cut(args[i], "=")
		switch args[i] {
		case "--comments":
			c.comments = true
			continue
		case "--silent":
			c.silent = true
			continue
		case "--split":
			c.split = true
			continue
		case "--whole":
			c.whole = true
			continue
		}
		if !attached {
			if i++; i == len(args) {
				return fmt.Errorf("%s: unknown, or without its value", name)
			}
			value = args[i]
		}
		var number *int
		switch name {
		case "--shell":
			if value == "sh" {
				value, c.posix = "bash", true
			}
			if c.dialect, shell = shline.ParseDialect(value); !shell {
				return fmt.Errorf("--shell %q: want bash, zsh, fish or sh", value)
			}
			continue
		case "--aliases":
			number = &c.aliases
		case "--variables":
			number = &c.variables
		case "--functions":
			number = &c.functions
		case "--held":
			number = &c.held
		default:
			return fmt.Errorf("unknown argument %q", args[i])
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 {
			return fmt.Errorf("%s %q: want a number", name, value)
		}
		*number = n
	}
	if !shell {
		return fmt.Errorf("--shell is missing: want bash, zsh, fish or sh")
	}
	return nil
}

// read takes standard input apart.
func (c *call) read(data string) error {
	sep := "\x00"
	if c.split {
		sep = "\x1f"
	}
	if strings.HasSuffix(data, sep+"\n") { // a here-string's own line break
		data = data[:len(data)-1]
	}
	c.text, data, _ = strings.Cut(data, sep)
	data = strings.TrimSuffix(data, sep)
	var records []string
	if data != "" {
		records = strings.Split(data, sep)
	}
	if c.aliases < 0 {
		c.aliases = max(len(records)-c.variables-c.functions, 0)
	}
	want := c.aliases + c.variables + c.functions
	for len(records) > want && c.dialect == shline.Zsh && !c.split { // a NUL that was typed into the line
		c.text += sep + records[0]
		records = records[1:]
	}
	if len(records) != want {
		return fmt.Errorf("%d records after the text, announced were %d", len(records), want)
	}
	c.alias = named(records[:c.aliases])
	c.variable = named(records[c.aliases : c.aliases+c.variables])
	c.function = named(records[c.aliases+c.variables:])
	return nil
}

// named reads records name=value.
func named(records []string) map[string]string {
	var out map[string]string
	for _, r := range records {
		if name, value, ok := strings.Cut(r, "="); ok && name != "" {
			if out == nil {
				out = make(map[string]string, len(records))
			}
			out[name] = value
		}
	}
	return out
}

// options are what the judge is to know of the shell; agent says that no person
// has typed the line.
func (c *call) options(agent bool) line.Options {
	return line.Options{Expanded: true, Waits: !agent, Posix: c.posix, Comments: c.comments, Aliases: c.alias, Variables: c.variable, Functions: c.function}
}
