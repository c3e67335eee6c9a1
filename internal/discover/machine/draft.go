package machine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/discover"
	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/discover/question"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// Draft is what was found out about a program.
type Draft struct {
	Source *opmap.Source
	// From counts the texts of each kind that were read: "man", "help", "fish",
	// "zsh", "bash", "code", "answer".
	From map[string]int
	// Words are all that look like options in the texts, sorted: what is not among
	// them no text names.
	Words []string
	// Described says where the description of the program was read: "manual",
	// "help", "script" or "package"; "" if there is none.
	Described string
	// Texts are what was read: help, manual pages, completion scripts.
	Texts discover.Texts
	// Answers are the options that the program itself told when it was asked.
	Answers []*draft.Flag
}

// Empty reports whether there is nothing to complete from.
func (d *Draft) Empty() bool {
	n := d.Source.Node
	return len(n.Flags) == 0 && len(n.Subcommands) == 0 && len(n.Args) == 0
}

// Bounds of the walk through the sub-commands of one program.
const (
	maxDepth = 3
	maxNodes = 400
	maxWalk  = 2 * time.Minute
)

// walker gathers the texts of one program.
type walker struct {
	m      *Machine
	p      Program
	texts  discover.Texts
	from   map[string]int
	gaps   []draft.Gap
	names  *names          // of its commands, by the texts that name them
	asked  map[string]bool // sub-commands, by their words
	silent bool            // its help is not to be asked for any more
	cobra  bool
	only   func(root *draft.Node, words []string) bool // the commands that matter; nil: all
	forms  forms                                       // in which help can be asked for
	answer []*draft.Flag                               // what the program itself says of its options
}

// Draft drafts the map of a program. The error is about the context: what
// cannot be read or run is a gap of the draft.
func (m *Machine) Draft(ctx context.Context, p Program) (*Draft, error) {
	return m.draft(ctx, p, nil)
}

// draft drafts the map; only, if it is not nil, says which commands are walked to.
func (m *Machine) draft(ctx context.Context, p Program, only func(root *draft.Node, words []string) bool) (*Draft, error) {
	p = m.behind(p)
	walk, cancel := context.WithTimeout(ctx, maxWalk)
	defer cancel()
	w := &walker{m: m, p: p, texts: discover.Texts{Tool: p.Name}, from: map[string]int{}, names: newNames(p.Name), asked: map[string]bool{}, only: only}
	info := goInfo(p)
	w.cobra = usesCobra(info)
	w.scripts()
	w.root(walk)
	w.below(walk)
	w.subPages(walk)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	root, gaps := discover.Parse(w.texts)
	root.Merge(&draft.Node{Name: root.Name, Flags: w.answer})
	pkg := m.Package(p)
	described := w.describe(root, pkg)
	d := &Draft{Described: described, Source: discover.Source(root, append(gaps, w.gaps...)), From: w.from, Words: optionWords(&w.texts), Texts: w.texts, Answers: w.answer}
	d.Source.Version = pkg.Version
	if d.Source.Version == "" {
		d.Source.Version = goVersion(info)
	}
	d.Source.Provenance = "help"
	switch {
	case w.from["help"] > 0:
	case w.from["man"] > 0:
		d.Source.Provenance = "manual"
	case w.from["fish"]+w.from["zsh"]+w.from["bash"]+w.from["code"] > 0:
		d.Source.Provenance = "script"
	}
	return d, nil
}

// DraftOf is Draft of a program where only some of its commands matter: those
// whose words stand in this order among those of one of the commands, which may
// hold other words. The help of the others is not asked for.
func (m *Machine) DraftOf(ctx context.Context, p Program, commands [][]string) (*Draft, error) {
	return m.draft(ctx, p, func(root *draft.Node, words []string) bool {
		return slices.ContainsFunc(commands, func(command []string) bool { return leadsTo(root, words, command) })
	})
}

// leadsTo reports whether the nodes that words name are named, in this order, by
// words of a command too, aliases counted.
func leadsTo(n *draft.Node, words, command []string) bool {
	for _, w := range words {
		if n = n.Sub(w); n == nil {
			return false
		}
		at := slices.IndexFunc(command, func(c string) bool { return c == n.Name || slices.Contains(n.Aliases, c) })
		if at < 0 {
			return false
		}
		command = command[at+1:]
	}
	return true
}

// describe settles the description of the program, that of the manual first,
// and says where it was read.
func (w *walker) describe(root *draft.Node, pkg Package) (from string) {
	for _, t := range w.texts.Nodes {
		if len(t.Path) > 0 {
			continue
		}
		t.Help = ""
		if page, _ := discover.Parse(discover.Texts{Tool: w.p.Name, Nodes: []discover.Text{t}}); len(t.Man) > 0 && page.Description != "" {
			root.Description = page.Description
			return "manual"
		}
	}
	switch {
	case root.Description == "" && pkg.Description == "":
		return ""
	case root.Description == "":
		root.Description = pkg.Description
		return "package"
	case w.from["help"] > 0:
		return "help"
	}
	return "script"
}

// Written drafts the map of a program from files alone.
func (m *Machine) Written(ctx context.Context, p Program) (*Draft, error) {
	files := *m
	files.opts.NoRun = true
	return files.Draft(ctx, p)
}

// Section is the section of a program's manual page, "" if it has none.
func (m *Machine) Section(p Program) string { return m.pageOf(p).section }

func (w *walker) gap(words []string, source draft.Source, err error) {
	w.gaps = append(w.gaps, draft.Gap{
		Node: strings.Join(append([]string{w.p.Name}, words...), " "), At: draft.Place{Source: source}, Text: err.Error(),
	})
}

func (w *walker) scripts() {
	s := w.m.scripts()
	for _, one := range []struct {
		kind, file string
		into       *string
	}{
		{"fish", scriptOf(s.fish, w.p), &w.texts.Fish},
		{"zsh", scriptOf(s.zsh, w.p), &w.texts.Zsh},
		{"bash", scriptOf(s.bash, w.p), &w.texts.Bash},
	} {
		text := readScript(one.file)
		if text == "" {
			continue
		}
		*one.into = text
		w.from[one.kind]++
		w.names.script(one.file, text, discover.Texts{
			Fish: only(one.kind == "fish", text), Zsh: only(one.kind == "zsh", text), Bash: only(one.kind == "bash", text),
		})
	}
}

func only(yes bool, text string) string {
	if yes {
		return text
	}
	return ""
}

// root gathers the texts of the program itself.
func (w *walker) root(ctx context.Context) {
	var text discover.Text
	text.Include = w.include(ctx)
	text.Man = w.page(ctx, w.m.pageOf(w.p), nil)
	help, err := w.m.help(ctx, w.p, nil)
	if err != nil {
		w.silent = true
		if len(text.Man) == 0 || !errors.Is(err, errNotRun) || !w.m.opts.NoRun && w.m.jail() != nil {
			w.gap(nil, draft.Help, err)
		}
	}
	if help == "" {
		w.code()
	}
	if w.forms = formsOf(w.p.Name, help); len(w.forms.lists) > 0 {
		help += w.m.lists(ctx, w.p, w.forms)
	}
	w.keep(text, help)
	w.ask(ctx)
}

// maxCode is how much of a script's source is read, in bytes.
const maxCode = 512 << 10

// code reads the source of a program that is a script.
func (w *walker) code() {
	if data := w.p.head(maxCode); bytes.HasPrefix(data, []byte("#!")) && utf8.Valid(data) {
		w.texts.Code = string(data)
		w.from["code"]++
	}
}

// page reads the manual page of a command, nil if there is none.
func (w *walker) page(ctx context.Context, page page, words []string) []byte {
	if page.file == "" {
		return nil
	}
	data, err := w.m.readAnyPage(ctx, page.file)
	if err != nil {
		w.gap(words, draft.Man, fmt.Errorf("the manual page %s %w", filepath.Base(page.file), err))
	}
	if len(data) == 0 {
		return nil
	}
	w.from["man"]++
	w.names.manual(words, data, w.include(ctx))
	return data
}

// include reads the page that a ".so" line names.
func (w *walker) include(ctx context.Context) func(string) []byte {
	return func(name string) []byte {
		return w.m.manuals().include(name, func(file string) ([]byte, error) { return w.m.readAnyPage(ctx, file) })
	}
}

// keep adds the texts of a command if there are any.
func (w *walker) keep(text discover.Text, help string) {
	if help != "" {
		text.Help = help
		w.from["help"]++
		w.names.help(text.Path, help)
	}
	if text.Help != "" || len(text.Man) > 0 {
		w.texts.Nodes = append(w.texts.Nodes, text)
	}
}

// below walks through the sub-commands that the texts name, level by level.
func (w *walker) below(ctx context.Context) {
	for depth := 1; depth <= maxDepth; depth++ {
		root, _ := discover.Parse(w.texts)
		var next [][]string
		for _, words := range named(root, nil, depth) {
			key := strings.Join(words, " ")
			if w.asked[key] || w.only != nil && !w.only(root, words) {
				continue
			}
			if len(w.asked) >= maxNodes {
				w.gap(words[:len(words)-1], draft.Help, fmt.Errorf("only %d of its commands were looked at", maxNodes))
				break
			}
			w.asked[key] = true
			next = append(next, words)
		}
		found := w.level(ctx, next)
		if ctx.Err() != nil {
			w.gap(nil, draft.Help, fmt.Errorf("the walk through its commands took more than %v", maxWalk))
			return
		}
		if !found {
			return
		}
	}
}

// level asks commands side by side and reports whether anything is written
// about one of them. Where the first few answer nothing the rest is not asked.
func (w *walker) level(ctx context.Context, commands [][]string) (found bool) {
	const few = 6
	for len(commands) > 0 {
		some := commands[:min(len(commands), few)]
		commands = commands[len(some):]
		helps, errs := make([]string, len(some)), make([]error, len(some))
		var wg sync.WaitGroup
		asked, answered := 0, false
		for i, words := range some {
			command, ok := w.names.command(words)
			if !ok || w.silent || ctx.Err() != nil {
				continue
			}
			asked++
			wg.Go(func() { helps[i], errs[i] = w.m.helpOf(ctx, w.p, command, w.forms) })
		}
		wg.Wait()
		for i, words := range some {
			if w.sub(ctx, words, helps[i], errs[i]) {
				found = true
				answered = answered || helps[i] != ""
			}
		}
		if !answered && asked == few {
			w.silent = true
		}
	}
	return found
}

// named are the sub-commands at a depth that a text lists, other than "help",
// which repeats what is known.
func named(n *draft.Node, above []string, depth int) [][]string {
	var out [][]string
	for _, s := range n.Subs {
		if s.Name == "help" || badName(s.Name) || s.At.Source < draft.Help && len(s.Flags) == 0 && len(s.Subs) == 0 {
			continue
		}
		words := append(slices.Clone(above), s.Name)
		if depth == 1 {
			out = append(out, words)
			continue
		}
		out = append(out, named(s, words, depth-1)...)
	}
	return out
}

// sub gathers the texts of a sub-command and reports whether there are any.
func (w *walker) sub(ctx context.Context, words []string, help string, why error) bool {
	text := discover.Text{Path: words, Include: w.include(ctx)}
	text.Man = w.page(ctx, w.m.manuals().pages[w.p.Name+"-"+strings.Join(words, "-")], words)
	if why != nil && len(text.Man) == 0 {
		w.gap(words, draft.Help, why)
	}
	if w.repeats(words, help) {
		help = "" // it did not care for the word
	}
	before := len(w.texts.Nodes)
	w.keep(text, help)
	return len(w.texts.Nodes) > before
}

// repeats reports whether a help text is that of the command above.
func (w *walker) repeats(words []string, help string) bool {
	for _, t := range w.texts.Nodes {
		if len(t.Path) < len(words) && slices.Equal(t.Path, words[:len(t.Path)]) && t.Help == help {
			return true
		}
	}
	return false
}

// ask puts the question to a program whose commands are cobra's that its own
// completion puts: which options does it have. The help of its commands leaves
// out those that hold for all of them.
func (w *walker) ask(ctx context.Context) {
	if !w.cobra || w.silent {
		return
	}
	r, err := w.m.run(ctx, w.p, question.Complete("-"))
	if err != nil {
		return
	}
	if w.answer = cobraFlags(string(r.Stdout)); len(w.answer) > 0 {
		w.from["answer"]++
	}
}

// cobraFlags reads the answer: a name and its description a line, and at the
// end a directive ":4". A short name with the description of the long one
// before it is the same option.
func cobraFlags(out string) []*draft.Flag {
	var flags []*draft.Flag
	whole := false
	n := 0
	for line := range strings.Lines(out) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, ":") {
			whole = true
			break
		}
		name, text, _ := strings.Cut(line, "\t")
		if !strings.HasPrefix(name, "-") || strings.ContainsAny(name, " =") {
			continue
		}
		at := draft.Place{Source: draft.Answer, Line: n}
		if len(flags) > 0 && draft.Short(name) {
			last := flags[len(flags)-1]
			if len(last.Names) == 1 && draft.Long(last.Names[0]) && text != "" && last.Description == text {
				last.Names = append(last.Names, name)
				continue
			}
		}
		flags = append(flags, &draft.Flag{Names: []string{name}, Description: text, At: []draft.Place{at}})
	}
	if !whole {
		return nil
	}
	return flags
}

// optionWords lists what looks like an option anywhere in the texts.
func optionWords(t *discover.Texts) []string {
	seen := map[string]bool{}
	for _, n := range t.Nodes {
		scanOptions(n.Help, seen)
		scanOptions(strings.NewReplacer(`\-`, "-", `\fB`, "", `\fR`, "", `\fI`, "", `\fP`, "").Replace(string(n.Man)), seen)
	}
	words := make([]string, 0, len(seen))
	for w := range seen {
		words = append(words, w)
	}
	slices.Sort(words)
	return words
}

func scanOptions(text string, seen map[string]bool) {
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '-' || i > 0 && (letter(text[i-1]) || text[i-1] == '-') {
			continue
		}
		end := i + 1
		for end < len(text) && (letter(text[end]) || text[end] == '-' || text[end] == '_') {
			end++
		}
		if end > i+1 && end-i < 64 {
			seen[text[i:end]] = true
		}
		i = end
	}
}
