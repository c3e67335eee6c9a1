package opmap

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Risks is one file of curated risk: descriptors with their variants.
type Risks struct {
	File     string
	Commands []*RiskCommand `toml:"command"`
	Carriers []*Carrier     `toml:"carrier"`
	Programs []*Program     `toml:"program"`
}

// RiskBody is what entries and variants both say.
type RiskBody struct {
	Level  string   `toml:"level"`  // safe, low, medium, high, critical
	Flags  []string `toml:"flags"`  // capabilities, "FILE_MODIFICATION"
	Reason string   `toml:"reason"` // one clause, lower case, no full stop
	Safer  string   `toml:"safer"`  // a safer way as a command template
	Scope  string   `toml:"scope"`  // none, files, tree, device, remote, history, system
	// What is at stake, as tcpdb.Stake has it; "" where it is not known.
	Loss  string `toml:"loss"`  // none, rebuildable, recoverable, content, exposure, outage
	Reach string `toml:"reach"` // own, machine, shared, production
	Fact  string `toml:"fact"`  // what to look at first: deletes, writes, branch …
	Enter string `toml:"enter"` // silent, note, allowable, key, word: in place of the table's
	Rule  string `toml:"rule"`  // default: the key with dots, and for a variant what it asks for
}

// RiskCommand is the base entry of a command.
type RiskCommand struct {
	RiskBody
	Key      string   `toml:"key"`  // canonical path, "git reset"
	Keys     []string `toml:"keys"` // in place of key: commands that share all that follows
	TimeMS   int      `toml:"time_ms"`
	MemoryMB int      `toml:"memory_mb"`
	OutputKB int      `toml:"output_kb"`
	Options  []string `toml:"options"` // "-x VALUE|--exclude VALUE", for tools without a map of their own
	// Arguments: a word that is none of the sub-commands is an argument, and the
	// entry answers for it. Without it such a word makes the command unknown.
	Arguments bool           `toml:"arguments"`
	Variants  []*RiskVariant `toml:"variant"`

	line int
}

// RiskVariant is an entry under conditions on flags and arguments.
type RiskVariant struct {
	RiskBody
	All    []string `toml:"all"`
	Any    []string `toml:"any"`
	None   []string `toml:"none"`
	Args   string   `toml:"args"`   // class of the positional arguments
	Effect string   `toml:"effect"` // set, raise, harmless

	line int
}

// ParseRisks reads one risk file and reports everything that is wrong with it.
// The result is nil only if the file is not TOML of this shape.
func ParseRisks(file string, data []byte) (*Risks, Problems) {
	r := &Risks{File: file}
	meta, err := toml.NewDecoder(bytes.NewReader(data)).Decode(r)
	if err != nil {
		p := &Problem{File: file, Reason: strings.TrimPrefix(err.Error(), "toml: "), Severity: Error}
		var syntax toml.ParseError
		if errors.As(err, &syntax) {
			p.Line = syntax.Position.Line
			if syntax.Message != "" {
				p.Reason = syntax.Message
			}
		} else if _, scanErr := fmt.Sscanf(p.Reason, "line %d", &p.Line); scanErr == nil {
			// A value of the wrong type: the library says where in its text only.
			if _, after, ok := strings.Cut(p.Reason, "): "); ok {
				p.Reason = after
			}
		}
		return nil, Problems{p}
	}
	lines := newTableLines(data)
	c := &riskChecker{file: file, lines: lines}
	for _, key := range meta.Undecoded() {
		c.problems = append(c.problems, &Problem{
			File: file, Line: lines.key(key[len(key)-1]), Field: key.String(),
			Reason: "is not a known field", Unknown: true, Severity: Warning,
		})
	}
	seen := map[string]bool{}
	var all []*RiskCommand
	for i, cmd := range r.Commands {
		cmd.line = lines.command(i)
		if cmd.Key != "" && len(cmd.Keys) > 0 {
			c.errorf(cmd.line, fmt.Sprintf("command[%d].keys", i), "stands beside key: want one of them")
		}
		for _, one := range cmd.each() {
			c.command(i, one)
			if seen[one.Key] {
				c.errorf(cmd.line, fmt.Sprintf("command[%d].key", i), "%q is given twice", one.Key)
			}
			seen[one.Key] = true
			all = append(all, one)
		}
	}
	r.Commands = all
	for i, x := range r.Carriers {
		c.carrier(i, x)
	}
	for i, x := range r.Programs {
		c.program(i, x)
	}
	sortProblems(c.problems)
	return r, c.problems
}

// each returns one command for each of Keys.
func (c *RiskCommand) each() []*RiskCommand {
	if len(c.Keys) == 0 {
		return []*RiskCommand{c}
	}
	var out []*RiskCommand
	for _, key := range c.Keys {
		one := *c
		one.Key, one.Keys = key, nil
		out = append(out, &one)
	}
	return out
}

// ruleSuffix tells the variants of a command apart in their rule IDs: the
// first flag or else the argument class that they ask for.
func (v *RiskVariant) ruleSuffix() string {
	for _, ids := range [][]string{v.All, v.Any} {
		if len(ids) > 0 {
			return "." + ids[0]
		}
	}
	if v.Args == "" {
		return ""
	}
	first, _, _ := strings.Cut(v.Args, "&")
	first, _, _ = strings.Cut(first, "|")
	class, operand, _ := strings.Cut(strings.TrimPrefix(first, "!"), ":")
	if id, _, value := strings.Cut(operand, "="); value && class == "value" {
		return "." + id
	}
	operand = strings.Trim(operand, "*-/:.")
	plain := func(r rune) bool { return r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' }
	if operand == "" || strings.ContainsFunc(operand, func(r rune) bool { return !plain(r) }) {
		return "." + class
	}
	return "." + operand
}

type riskChecker struct {
	file     string
	lines    *tableLines
	problems Problems
}

func (c *riskChecker) errorf(line int, field, format string, args ...any) {
	c.problems = append(c.problems, &Problem{File: c.file, Line: line, Field: field, Reason: fmt.Sprintf(format, args...), Severity: Error})
}

func (c *riskChecker) command(i int, cmd *RiskCommand) {
	field := fmt.Sprintf("command[%d]", i)
	if cmd.Key == "" || strings.Join(strings.Fields(cmd.Key), " ") != cmd.Key {
		c.errorf(cmd.line, field+".key", "%q: want the words of a command with single blanks", cmd.Key)
	}
	c.body(cmd.line, field, &cmd.RiskBody)
	for name, n := range map[string]int{"time_ms": cmd.TimeMS, "memory_mb": cmd.MemoryMB, "output_kb": cmd.OutputKB} {
		if n < 0 {
			c.errorf(cmd.line, field+"."+name, "is negative")
		}
	}
	for _, o := range cmd.Options {
		if _, err := parseOption(o); err != nil {
			c.errorf(cmd.line, field+".options", "%v", err)
		}
	}
	for j, v := range cmd.Variants {
		v.line = c.lines.variant(i, j)
		path := fmt.Sprintf("%s.variant[%d]", field, j)
		c.body(v.line, path, &v.RiskBody)
		if _, ok := effectOf(v.Effect); !ok {
			c.errorf(v.line, path+".effect", "%q: want set, raise or harmless", v.Effect)
		}
		if v.Args != "" {
			if err := checkArgClass(v.Args); err != nil {
				c.errorf(v.line, path+".args", "%v", err)
			}
		}
		if len(v.All)+len(v.Any)+len(v.None) == 0 && v.Args == "" {
			c.errorf(v.line, path, "has no condition: name flags in all, any or none, or a class in args")
		}
	}
}

func (c *riskChecker) body(line int, field string, b *RiskBody) {
	if level, err := tcpdb.ParseLevel(b.Level); err != nil || level == tcpdb.Unknown {
		c.errorf(line, field+".level", "%q: want safe, low, medium, high or critical", b.Level)
	}
	for _, name := range b.Flags {
		if _, err := tcpdb.ParseFlag(name); err != nil {
			c.errorf(line, field+".flags", "%v", err)
		}
	}
	if b.Reason == "" {
		c.errorf(line, field+".reason", "is missing")
	} else if reason := badText(b.Reason); reason != "" {
		c.errorf(line, field+".reason", "%s", reason)
	} else if strings.HasSuffix(b.Reason, ".") {
		c.errorf(line, field+".reason", "ends in a full stop: want a clause")
	}
	if _, err := b.stake(); err != nil {
		c.errorf(line, field, "%v", err)
	}
	if _, ok := scopeOf(b.Scope); !ok {
		c.errorf(line, field+".scope", "%q: want none, files, tree, device, remote, history or system", b.Scope)
	}
}

// stake reads what an entry says of what is at stake.
func (b *RiskBody) stake() (s tcpdb.Stake, err error) {
	var errs [4]error
	s.Loss, errs[0] = tcpdb.ParseLoss(b.Loss)
	s.Reach, errs[1] = tcpdb.ParseReach(b.Reach)
	s.Fact, errs[2] = tcpdb.ParseFact(b.Fact)
	s.Asking, errs[3] = tcpdb.ParseAsking(b.Enter)
	return s, errors.Join(errs[:]...)
}

func effectOf(s string) (tcpdb.Effect, bool) {
	switch s {
	case "", "set":
		return tcpdb.SetEffect, true
	case "raise":
		return tcpdb.RaiseEffect, true
	case "harmless":
		return tcpdb.HarmlessEffect, true
	}
	return 0, false
}

func scopeOf(s string) (tcpdb.Scope, bool) {
	if s == "" {
		return tcpdb.NoScope, true
	}
	for scope := tcpdb.NoScope; scope <= tcpdb.System; scope++ {
		if scope.String() == s {
			return scope, true
		}
	}
	return tcpdb.NoScope, false
}

// parseOption reads the short form of a flag: names joined by "|", each with
// VALUE (required) or [VALUE] (optional) behind it: "-x VALUE|--exclude VALUE",
// "--color [WHEN]", "-f|--force". One name with a value gives all of them one. A
// role may follow, with the IDs of flags that it needs: "-o FILE @output-file",
// "-f FILE @output-file if create append".
func parseOption(text string) (*Flag, error) {
	f := &Flag{Value: "none"}
	s, role, with, err := cutRole(text)
	if err != nil {
		return nil, fmt.Errorf("option %q: %w", text, err)
	}
	f.Role, f.RoleWith = role, with
	for part := range strings.SplitSeq(s, "|") {
		words := strings.Fields(strings.ReplaceAll(part, "=", " "))
		if len(words) == 0 || len(words) > 2 {
			return nil, fmt.Errorf("option %q: want a form like -x VALUE|--exclude VALUE", s)
		}
		if reason := badFlagName(words[0], true, false); reason != "" {
			return nil, fmt.Errorf("option %q: %s", s, reason)
		}
		f.Names = append(f.Names, words[0])
		if len(words) == 2 {
			f.Value = "required"
			if strings.HasPrefix(words[1], "[") {
				f.Value = "optional"
			}
		}
	}
	return f, nil
}

// tableLines finds the lines of [[command]] and [[command.variant]] headers:
// the TOML library gives positions for syntax errors only.
type tableLines struct {
	commands []int
	variants [][]int
	carriers []int
	programs []int
	keys     map[string]int // first line on which a key is set
}

func newTableLines(data []byte) *tableLines {
	t := &tableLines{keys: map[string]int{}}
	for i, raw := range bytes.Split(data, []byte("\n")) {
		line := strings.TrimSpace(string(raw))
		switch {
		case strings.HasPrefix(line, "[[command.variant]]"):
			if n := len(t.variants); n > 0 {
				t.variants[n-1] = append(t.variants[n-1], i+1)
			}
		case strings.HasPrefix(line, "[[carrier]]"):
			t.carriers = append(t.carriers, i+1)
		case strings.HasPrefix(line, "[[program]]"):
			t.programs = append(t.programs, i+1)
		case strings.HasPrefix(line, "[[command]]"):
			t.commands = append(t.commands, i+1)
			t.variants = append(t.variants, nil)
		default:
			key, _, ok := strings.Cut(line, "=")
			if key = strings.TrimSpace(key); ok && t.keys[key] == 0 {
				t.keys[key] = i + 1
			}
		}
	}
	return t
}

func (t *tableLines) command(i int) int {
	if i < len(t.commands) {
		return t.commands[i]
	}
	return 0
}

func (t *tableLines) carrier(i int) int {
	if i < len(t.carriers) {
		return t.carriers[i]
	}
	return 0
}

func (t *tableLines) program(i int) int {
	if i < len(t.programs) {
		return t.programs[i]
	}
	return 0
}

func (t *tableLines) variant(i, j int) int {
	if i < len(t.variants) && j < len(t.variants[i]) {
		return t.variants[i][j]
	}
	return t.command(i)
}

func (t *tableLines) key(name string) int { return t.keys[name] }
