package line

import (
	"errors"
	"strings"
	"sync"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/tool-mapping-protocol/tmp/internal/shline"
)

// command is one simple command of a text, whichever grammar found it.
type command struct {
	words    []shline.Word // offsets in the text
	assigns  []shline.Word
	redirs   []redirect
	start    int
	end      int
	row      int    // number of the physical line it begins in
	function string // the function in whose definition it stands, or ""
	// from and to enclose the commands whose output it reads; equal for none.
	from, to int
	index    int  // among the commands of the text
	compound bool // stands for a compound command's redirections
	piped    bool // its output goes into a pipe, or it runs in the background
}

// redirect is one redirection of a command.
type redirect struct {
	op     string // without the number: ">", "<<", …
	target shline.Word
	// body is that of a here-document, at the offset bodyAt.
	body   string
	bodyAt int
	start  int
}

// program is a parsed text.
type program struct {
	commands []command
	loops    []loop // in the order of their places
	complete bool
	hooks    []string // functions that the shell runs by itself
	err      string   // why it does not parse, "" if it does
	// short says that it has short forms of zsh's, which only the tolerant lexer
	// reads: for f (*) rm $f.
	short bool
}

// parse reads a text in the grammar of its dialect. What does not parse is cut
// by the tolerant lexer, so that its commands are judged all the same.
func parse(t *text) program {
	if t.dialect == shline.Fish {
		x := shline.Split(shline.Fish, t.s)
		return fromScript(t, x)
	}
	lang := syntax.LangBash
	switch {
	case t.dialect == shline.Zsh:
		lang = syntax.LangZsh
	case t.options.Posix:
		lang = syntax.LangPOSIX
	}
	ended := ""
	file, err := parseShell(lang, t.s)
	open := false // the text ends within a here-document, which then ends with it
	for range maxOpen {
		if err == nil {
			break
		}
		end, ok := unclosed(t.dialect, t.s+ended, err)
		if !ok {
			break
		}
		ended += "\n" + end
		if file, err = parseShell(lang, t.s+ended+"\n"); err == nil {
			open = !t.literal
		}
	}
	if err == nil {
		return walked(t, file, open)
	}
	_, document := unclosed(t.dialect, t.s+ended, err)
	complete := !document && !syntax.IsIncomplete(err)
	if t.dialect == shline.Zsh {
		// The lexer reads more of zsh than the parser does.
		plain := *t
		plain.s = withoutArithmetic(t.s)
		p := fromScript(&plain, shline.Split(shline.Zsh, plain.s))
		p.complete = complete
		return p
	}
	p := fromScript(t, shline.Split(t.dialect, t.s))
	p.complete, p.err = complete, ""
	if p.complete && !p.short {
		p.err = "does not parse"
	}
	return p
}

// unclosed returns the word that would end the here-document which the parser did
// not find the end of; ok is false for any other error. Its place is that of the
// redirection, where another error of this place finds no word behind "<<".
func unclosed(dialect shline.Dialect, text string, err error) (end string, ok bool) {
	var e syntax.ParseError
	if !errors.As(err, &e) || int(e.Pos.Offset()) > len(text) {
		return "", false
	}
	at := strings.TrimLeft(text[e.Pos.Offset():], "0123456789") // the number of the file
	if strings.HasPrefix(at, "{") {
		_, at, _ = strings.Cut(at, "}")
	}
	at, ok = strings.CutPrefix(at, "<<")
	if !ok || strings.HasPrefix(at, "<") {
		return "", false
	}
	at = strings.TrimLeft(strings.TrimPrefix(at, "-"), " \t")
	word := at[:shline.WordLen(at, " \t\n;&|<>()")]
	return shline.ParseWord(dialect, word, 0).Text, word != ""
}

// walked is the program of a text that parses; open says that it ends within a
// here-document.
func walked(t *text, file *syntax.File, open bool) program {
	w := walker{text: t, commands: make([]command, 0, len(file.Stmts)+4)}
	w.stmts(file.Stmts, 0, 0)
	p := program{commands: w.commands, loops: w.loops, complete: !open}
	if t.dialect == shline.Zsh && !t.options.Comments && !t.literal && strings.Contains(t.s, "#") {
		// At a prompt # begins no comment: what follows it runs.
		l := shline.Lexer{Dialect: shline.Zsh}
		plain := *t
		plain.s = withoutArithmetic(t.s)
		p.commands = append(p.commands, fromScript(&plain, l.Split(plain.s)).commands...)
	}
	return p
}

// maxOpen bounds the here-documents that a text may end within.
const maxOpen = 4

// continued reports whether a text ends in a backslash that takes the line break
// after it away, which the parser takes for a character.
func continued(t *text) bool {
	if !strings.HasSuffix(t.s, `\`) {
		return false
	}
	return !shline.Lexer{Dialect: t.dialect, Comments: t.dialect != shline.Zsh || t.options.Comments}.Split(t.s).Complete
}

// parsers keeps parsers for the next texts, by language.
var parsers [3]sync.Pool

func parseShell(lang syntax.LangVariant, text string) (*syntax.File, error) {
	pool := &parsers[0]
	switch lang {
	case syntax.LangZsh:
		pool = &parsers[1]
	case syntax.LangPOSIX:
		pool = &parsers[2]
	}
	p, _ := pool.Get().(*syntax.Parser)
	if p == nil {
		p = syntax.NewParser(syntax.Variant(lang))
	}
	defer pool.Put(p)
	return p.Parse(strings.NewReader(parsable(text)), "")
}

// parsable puts a control character in the place of each byte that is not UTF-8,
// which shells take for a character and the parser does not take at all. Words
// are read from the text as it is.
func parsable(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	b := []byte(text)
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			b[i] = 0x7f
		}
		i += n
	}
	return string(b)
}

// walker collects the simple commands of a syntax tree. Its recursion is
// bounded by the nesting of the text.
type walker struct {
	text     *text
	commands []command
	loops    []loop
	function string
	piped    bool
	writer   int // the simple command whose words are being walked
}

func (w *walker) stmts(list []*syntax.Stmt, from, to int) {
	for _, s := range list {
		w.stmt(s, from, to)
	}
}

// stmt walks a statement that reads the output of the commands from..to.
func (w *walker) stmt(s *syntax.Stmt, from, to int) {
	piped := w.piped
	w.piped = piped || s.Background || s.Coprocess
	defer func() { w.piped = piped }()
	switch c := s.Cmd.(type) {
	case nil:
		w.simple(s, nil, from, to, false)
		return
	case *syntax.CallExpr:
		w.simple(s, c, from, to, false)
		return
	case *syntax.BinaryCmd:
		if c.Op != syntax.Pipe && c.Op != syntax.PipeAll {
			w.stmt(c.X, from, to)
			w.stmt(c.Y, from, to)
			break
		}
		k := len(w.commands)
		w.piped = true
		w.stmt(c.X, from, to)
		w.stmt(c.Y, k, len(w.commands))
	case *syntax.Subshell:
		w.stmts(c.Stmts, from, to)
	case *syntax.Block:
		w.stmts(c.Stmts, from, to)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			w.stmts(c.Cond, from, to)
			w.stmts(c.Then, from, to)
		}
	case *syntax.WhileClause:
		w.stmts(c.Cond, from, to)
		w.stmts(c.Do, from, to)
	case *syntax.ForClause:
		w.loop(c)
		w.inside(c.Loop)
		w.stmts(c.Do, from, to)
	case *syntax.CaseClause:
		w.inside(c.Word)
		for _, item := range c.Items {
			for _, pattern := range item.Patterns {
				w.inside(pattern)
			}
			w.stmts(item.Stmts, from, to)
		}
	case *syntax.FuncDecl:
		w.define(c)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			w.stmt(c.Stmt, from, to)
		}
	case *syntax.CoprocClause:
		w.piped = true
		w.stmt(c.Stmt, from, to)
	case *syntax.DeclClause:
		w.declare(s, c, from, to)
		return
	default: // [[ ]], (( )), let: only what is substituted in them runs
		w.inside(c)
	}
	if len(s.Redirs) > 0 {
		w.simple(s, nil, from, to, true)
	}
}

// loop notes the variable of a for or select.
func (w *walker) loop(c *syntax.ForClause) {
	if x, ok := c.Loop.(*syntax.WordIter); ok && x.Name != nil {
		l := loop{at: offset(c.Pos()), name: x.Name.Value}
		for _, item := range x.Items {
			l.items = append(l.items, w.word(item))
		}
		w.loops = append(w.loops, l)
	}
}

// define walks the body of a function, which runs when it is called.
func (w *walker) define(c *syntax.FuncDecl) {
	outer := w.function
	names := c.Names
	if c.Name != nil {
		names = append(names, c.Name)
	}
	if len(names) == 0 { // zsh's anonymous function runs at once
		w.stmt(c.Body, 0, 0)
		return
	}
	for _, n := range names {
		w.function = n.Value
		w.stmt(c.Body, 0, 0)
	}
	w.function = outer
}

// simple adds a simple command, or the redirections of a compound one.
func (w *walker) simple(s *syntax.Stmt, c *syntax.CallExpr, from, to int, compound bool) {
	start := offset(s.Pos())
	cmd := command{
		start: start, end: offset(s.End()), row: int(s.Pos().Line()) - 1, function: w.function,
		from: from, to: to, compound: compound, piped: w.piped, index: len(w.commands),
	}
	k := len(w.commands)
	w.commands = append(w.commands, cmd)
	w.writer = k
	if c != nil {
		cmd.words = make([]shline.Word, 0, len(c.Args))
		for _, a := range c.Args {
			cmd.words = append(cmd.words, w.word(a))
			w.inside(a)
		}
		for _, a := range c.Assigns {
			cmd.assigns = append(cmd.assigns, w.raw(offset(a.Pos()), offset(a.End())))
			w.inside(a)
		}
		if len(cmd.words) > 0 {
			cmd.start = cmd.words[0].Start
			cmd.end = cmd.words[len(cmd.words)-1].End
		}
	}
	for _, r := range s.Redirs {
		out := redirect{op: r.Op.String(), start: offset(r.Pos())}
		if r.Word != nil {
			out.target = w.word(r.Word)
			w.inside(r.Word)
		}
		if r.Hdoc != nil {
			out.bodyAt = offset(r.Hdoc.Pos())
			out.body = w.text.s[out.bodyAt:min(offset(r.Hdoc.End()), len(w.text.s))]
			// The parser counts the closing word to the body where the text ends with it.
			if rest, ok := strings.CutSuffix(out.body, out.target.Text); ok && (rest == "" || rest[len(rest)-1] == '\n') {
				out.body = rest
			}
			w.inside(r.Hdoc)
		}
		cmd.redirs = append(cmd.redirs, out)
	}
	w.commands[k] = cmd
}

// declare adds export, declare, local and their like, with the assignments as
// words.
func (w *walker) declare(s *syntax.Stmt, c *syntax.DeclClause, from, to int) {
	k := len(w.commands)
	w.simple(s, nil, from, to, false)
	start := offset(c.Variant.Pos())
	words := []shline.Word{w.raw(start, start+len(c.Variant.Value))}
	for _, a := range c.Args {
		words = append(words, w.raw(offset(a.Pos()), offset(a.End())))
		w.inside(a)
	}
	cmd := &w.commands[k]
	cmd.words, cmd.start, cmd.end = words, start, words[len(words)-1].End
}

// inside walks the substitutions in a node.
func (w *walker) inside(n syntax.Node) {
	if x, ok := n.(*syntax.Word); n == nil || ok && (x == nil || still(x.Parts)) {
		return
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch x := n.(type) {
		case *syntax.Word:
			return x == nil || !plain(x)
		case *syntax.CmdSubst:
			w.substitution(x.Stmts)
			return false
		case *syntax.ProcSubst:
			if x.Op == syntax.CmdOut && w.writer < len(w.commands) {
				w.fed(x.Stmts)
				return false
			}
			w.substitution(x.Stmts)
			return false
		}
		return true
	})
}

// fed walks >(list), which reads what the command around it writes.
func (w *walker) fed(list []*syntax.Stmt) {
	piped, writer := w.piped, w.writer
	w.piped = false
	w.stmts(list, writer, writer+1)
	w.piped, w.writer = piped, writer
}

func (w *walker) substitution(list []*syntax.Stmt) {
	piped, writer := w.piped, w.writer
	w.piped = false
	w.stmts(list, 0, 0)
	w.piped, w.writer = piped, writer
}

// still reports whether nothing is substituted in the parts of a word but the
// values of variables.
func still(parts []syntax.WordPart) bool {
	for _, part := range parts {
		switch x := part.(type) {
		case *syntax.Lit, *syntax.SglQuoted:
		case *syntax.ParamExp:
			if !x.Short {
				return false
			}
		case *syntax.DblQuoted:
			if !still(x.Parts) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// plain reports whether a word is one run of literal bytes without escapes.
func plain(x *syntax.Word) bool {
	if len(x.Parts) != 1 {
		return false
	}
	lit, ok := x.Parts[0].(*syntax.Lit)
	return ok && !strings.ContainsAny(lit.Value, "\\~*?[{")
}

func (w *walker) word(x *syntax.Word) shline.Word {
	start, end := offset(x.Pos()), min(offset(x.End()), len(w.text.s))
	if raw := w.text.s[start:end]; plain(x) && strings.IndexByte(raw, '\\') < 0 {
		return shline.Word{Start: start, End: end, Raw: raw, Text: raw}
	}
	return w.raw(start, end)
}

func (w *walker) raw(start, end int) shline.Word {
	end = min(end, len(w.text.s))
	return shline.ParseWord(w.text.dialect, w.text.s[start:end], start)
}

func offset(p syntax.Pos) int { return int(p.Offset()) }
