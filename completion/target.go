package completion

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// place is where the cursor stands, as far as the engine is concerned.
type place uint8

const (
	unmapped    place = iota // not ours: no map, or something shells do well themselves
	argument                 // an argument of a mapped command
	commandWord              // the command word inside a wrapper, or with no shell asking
	redirection              // the file of a redirection
)

// target is the command under the cursor and the word being typed.
type target struct {
	place   place
	dialect shline.Dialect
	// outer are the words of the whole simple command left of the cursor with
	// its aliases expanded; after those right of it. They are what is judged.
	outer, after []string
	bound        *argv.Bound // the innermost command, for argument, or nil
	cursor       shline.Word
	suffix       string // the rest of the word right of the cursor, as typed
	suffixText   string
	// dir is where the command works, after its -C; outerDir where it is started.
	dir, outerDir string
	elsewhere     bool // the command runs on another machine or in a container
	joined        bool // a shell reads the words of the innermost command once more
	// inner is the offset in the line of the command that a wrapper runs, 0 if
	// there is none here. starts are the offsets of the words of outer while
	// they stand in the line as they are.
	inner  int
	starts []int
	tool   string // the word of the innermost command
	getenv func(string) string
	vars   map[string]string
	alias  func(dir string, getenv func(string) string, tool, name string) (text string, ok bool)
}

// maxDepth bounds aliases and wrappers within each other.
const maxDepth = 16

func (e *Engine) target(r Request, c carrier) *target {
	t := &target{dir: r.Dir, getenv: r.Getenv, vars: r.Vars, elsewhere: c.elsewhere, alias: e.Resolvers.Alias}
	t.dialect, _ = shline.ParseDialect(r.Shell)
	if r.Words != nil {
		t.split(r.Words)
	} else if !t.lex(r, c.depth > 0) {
		return t
	}
	if t.place == redirection || t.place == commandWord {
		return t
	}
	e.unwrap(t, t.outer)
	if t.place == unmapped && c.depth > 0 {
		t.place = redirection // nobody else completes it: files, as shells do
	}
	return t
}

// split takes words that are split already, the last one under the cursor.
func (t *target) split(words []string) {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	t.outer = words[:len(words)-1]
	t.cursor = shline.Word{Raw: last, Text: last, End: len(last)}
	t.place = argument
	if len(t.outer) == 0 {
		t.place = commandWord
	}
}

// lex finds the word under the cursor in a line; false if it is none of ours.
// Of a line inside a word all is, since the shell at the keyboard sees no line in it.
func (t *target) lex(r Request, inside bool) bool {
	c := shline.At(t.dialect, r.Line, r.Point)
	var shift int
	t.outer, shift = shline.ExpandAlias(t.dialect, c.Words, r.Aliases)
	if shift == 0 {
		t.starts = make([]int, len(c.Words))
		for i := range c.Words {
			t.starts[i] = c.Words[i].Start
			if c.Words[i].Live {
				t.outer[i] = t.expanded(&c.Words[i])
			}
		}
	}
	t.after = shline.Texts(c.After)
	t.cursor, t.suffix, t.suffixText = c.Cursor, c.Suffix, c.SuffixText
	switch c.Place {
	case shline.Argument:
		t.place = argument
	case shline.RedirectTarget:
		// zsh and fish complete the file themselves and do it better; bash
		// hands the operator to completion functions as if it were a word.
		if !inside && (r.Shell == "zsh" || r.Shell == "fish") {
			return false
		}
		t.place = redirection
	case shline.CommandWord:
		if r.Shell != "" && !inside { // shells know their functions and builtins
			return false
		}
		t.place = commandWord
	default:
		return false
	}
	return true
}

// unwrap goes through wrappers (sudo, env, xargs …) and tool aliases down to
// the command that the cursor's word belongs to.
func (e *Engine) unwrap(t *target, words []string) {
	t.place = unmapped
	for range maxDepth {
		if len(words) == 0 {
			t.place = commandWord
			return
		}
		if t.tool = words[0]; t.elsewhere {
			t.tool = "" // what is there is not known here
		}
		b := argv.Bind(e.Map, words)
		if b == nil {
			return
		}
		t.outerDir = t.dir
		if n := len(b.Inner); n > 0 && b.Inner[n-1].Open {
			in := b.Inner[n-1]
			if in.Start == len(words) && strings.HasPrefix(t.cursor.Text, "-") && b.Options() {
				if t.bound = b; !partial(b) {
					t.place = argument // an option of the wrapper itself
				}
				return
			}
			if in.Start == len(words) && namesCommands(b.Node()) {
				if t.bound = b; !partial(b) {
					t.place = argument // which of the commands it takes
				}
				return
			}
			t.elsewhere = t.elsewhere || b.Node().Wrapper.Elsewhere
			t.joined = b.Node().Wrapper.Mode == tcpdb.WrapJoined
			t.dir = b.Chdir(t.dir)
			words = words[in.Start:]
			t.inside(len(words))
			continue
		}
		if expanded := t.toolAlias(b); expanded != nil {
			words, t.starts = expanded, nil
			continue
		}
		if module := pythonModule(b); module != nil && e.Map.Root(module[0]) != nil {
			words, t.starts = module, nil
			continue
		}
		t.bound = b
		t.dir = b.Chdir(t.dir)
		if !partial(b) {
			t.place = argument
		}
		return
	}
}

// namesCommands reports whether a wrapper says which commands it runs: its first
// argument has a list of values, as that of te.
func namesCommands(n *tcpdb.Node) bool {
	return len(n.Args) > 0 && n.Args[0].Spec.Kind == tcpdb.EnumSpec
}

// inside notes where the last n words begin, the command that a wrapper runs.
func (t *target) inside(n int) {
	t.inner = 0
	if n > 0 && n <= len(t.starts) && !t.elsewhere {
		t.inner = t.starts[len(t.starts)-n]
	}
}

// partial reports whether the map of a command holds only what judging needs:
// the shell's own completion knows more.
func partial(b *argv.Bound) bool { return b.Node().Bits&tcpdb.Partial != 0 }

// pythonModule returns the words of "python3 -m pip install" from the module's
// name on: what follows is the module's, which most often is a command of that
// name. It returns nil if there is no module.
func pythonModule(b *argv.Bound) []string {
	if name := b.Chain[0].Name; name != "python" && name != "python3" {
		return nil
	}
	for i := range b.Flags {
		if f := &b.Flags[i]; f.Flag != nil && f.Flag.ID == "m" && f.ValueWord >= 0 && f.Value != "" {
			words := append([]string{}, b.Words[f.ValueWord:]...)
			words[0] = f.Value
			return words
		}
	}
	return nil
}

// toolAlias returns the words with an alias of git or cargo expanded, which is
// read from the configuration as data; nil if there is none, or if it is a
// shell line.
func (t *target) toolAlias(b *argv.Bound) []string {
	if len(b.Chain) > 1 || len(b.Args) == 0 {
		return nil
	}
	arg := b.Args[0]
	here := *t
	here.dir = b.Chdir(t.dir)
	text, ok := here.aliasText(b.Chain[0].Name, arg.Text)
	if !ok || strings.HasPrefix(text, "!") {
		return nil
	}
	c := shline.At(shline.Bash, text+" ", len(text)+1)
	body := shline.Texts(c.Words)
	if len(body) == 0 || body[0] == arg.Text {
		return nil
	}
	out := append([]string{}, b.Words[:arg.Word]...)
	out = append(out, body...)
	return append(out, b.Words[arg.Word+1:]...)
}

// dirFor returns the directory for a resolver. Those of build tools find the
// project from the command's words, -C and --manifest-path among them; the
// others are asked where the command works.
func (t *target) dirFor(resolver string) string {
	kind, _, _ := strings.Cut(resolver, ":")
	if slices.Contains(projectResolvers[:], kind) {
		return t.outerDir
	}
	return t.dir
}

// projectResolvers are kinds of resolvers that find the project themselves.
var projectResolvers = [...]string{"cargo", "npm", "go", "make", "just"}

// aliasText reads an alias that git or cargo itself knows.
func (t *target) aliasText(tool, name string) (text string, ok bool) {
	if t.alias == nil {
		return "", false
	}
	return t.alias(t.dir, t.getenv, tool, name)
}

// replace is the part of the line that is left of the cursor in its word.
func (t *target) replace() tcpdb.Span {
	return tcpdb.Span{Start: t.cursor.Start, End: t.cursor.End}
}

// fitSuffix looks at the text right of the cursor. If some items hold it after
// what is typed, only those stay, and they cover it; else all stay and the text
// is left alone. A closing quote alone is covered by any.
func (t *target) fitSuffix(items []item) (fitting []item, covers bool) {
	if t.suffixText == "" {
		return items, t.suffix != "" // no more than a closing quote
	}
	for _, it := range items {
		rest, ok := strings.CutPrefix(it.value, t.cursor.Text)
		if ok && (strings.HasSuffix(rest, t.suffixText) || strings.HasPrefix(rest, t.suffixText)) {
			fitting = append(fitting, it)
		}
	}
	if len(fitting) == 0 {
		return items, false
	}
	return fitting, true
}

// livePrefix is the part of the word that the shell will expand. A quote right
// after ~ is read as if it stood after the slash, which is what the person means:
// the shell would take the ~ as it is.
func (t *target) livePrefix() string {
	if raw := t.cursor.Raw; strings.HasPrefix(raw, `~"/`) || strings.HasPrefix(raw, `~'/`) {
		return "~/"
	}
	return t.cursor.PrefixText
}

// expandLive replaces a live prefix ("~/", "~user/", "$HOME/src/") by what the
// shell will make of it; ok is false if that is not known here.
func (t *target) expandLive(prefix string) (expanded string, ok bool) {
	if rest, tilde := strings.CutPrefix(prefix, "~"); tilde {
		user, below, ok := strings.Cut(rest, "/")
		home := t.getenv("HOME")
		if user != "" {
			home = disk.Home(user)
		}
		if !ok || home == "" {
			return "", false
		}
		below, ok = t.expandLive(below)
		return path.Join(home, "/") + "/" + below, ok
	}
	var b strings.Builder
	for i := 0; i < len(prefix); {
		if prefix[i] != '$' {
			b.WriteByte(prefix[i])
			i++
			continue
		}
		name, n := variable(prefix[i:])
		value := t.variable(name)
		if n == 0 || value == "" || !utf8.ValidString(value) {
			return "", false
		}
		b.WriteString(value)
		i += n
	}
	return b.String(), true
}

// variable is what a variable of the shell holds, "" if that is not known.
func (t *target) variable(name string) string {
	if v, ok := t.vars[name]; ok {
		return v
	}
	return t.getenv(name)
}

// expanded is the text of a word with its variables replaced by what they hold, and
// the text as it is where that is not known or may be several words.
func (t *target) expanded(w *shline.Word) string {
	if !w.Live || !strings.HasPrefix(w.Text, w.PrefixText) {
		return w.Text
	}
	value, ok := t.expandLive(w.PrefixText)
	if !ok || strings.ContainsAny(value, " \t\n*?[") {
		return w.Text
	}
	return value + w.Text[len(w.PrefixText):]
}

// variable reads $NAME or ${NAME} at the start of s and returns the name and
// the length read, 0 for anything else.
func variable(s string) (name string, n int) {
	if braced, ok := strings.CutPrefix(s, "${"); ok {
		name, _, ok = strings.Cut(braced, "}")
		if !ok || nameLen(name) != len(name) {
			return "", 0
		}
		return name, len(name) + 3
	}
	n = nameLen(s[1:])
	if n == 0 {
		return "", 0
	}
	return s[1 : 1+n], n + 1
}

func nameLen(s string) int {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return i
		}
	}
	return len(s)
}
