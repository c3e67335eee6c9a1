package evidence

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover"
	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/discover/help"
	"github.com/tool-mapping-protocol/tmp/internal/discover/man"
)

// Texts are a tool's own texts, ready to be asked what they name: the help that
// it prints, its manual pages, what it answers. Completion scripts are another's
// word about it and are left out.
type Texts struct {
	Tool   string
	Hash   string      // hex SHA-256 over them
	Parsed *draft.Node // what they say, as a tree
	nodes  map[string]*nodeText
}

// Line is a line of a text.
type Line struct {
	Source string // "help", "man"
	No     int    // from 1
	Indent int
	Text   string
}

// nodeText is what is written about one command.
type nodeText struct {
	lines []Line
	names map[string][]int // where an option's name stands, in lines
	words map[string]bool
	refs  []string // the commands whose texts it refers to
}

// NewTexts reads the texts of a tool and the options that it answers with when
// it is asked.
func NewTexts(t discover.Texts, answers []*draft.Flag) *Texts {
	own := discover.Texts{Tool: t.Tool, Nodes: t.Nodes}
	x := &Texts{Tool: t.Tool, nodes: map[string]*nodeText{}}
	parts := []string{t.Tool}
	for _, n := range own.Nodes {
		parts = append(parts, strings.Join(n.Path, " "), n.Help, string(n.Man))
		x.add(n)
	}
	x.Parsed, _ = discover.Parse(own)
	for _, f := range answers {
		parts = append(parts, f.Names...)
	}
	x.Parsed.Merge(&draft.Node{Name: x.Parsed.Name, Flags: answers})
	x.Hash = hashOf(parts...)
	return x
}

// Empty reports whether the tool says nothing of itself.
func (x *Texts) Empty() bool { return len(x.nodes) == 0 && len(x.Parsed.Flags) == 0 }

func (x *Texts) add(t discover.Text) {
	key := strings.Join(t.Path, " ")
	n := x.nodes[key]
	if n == nil {
		n = &nodeText{names: map[string][]int{}, words: map[string]bool{}}
		x.nodes[key] = n
	}
	n.refs = append(n.refs, references(x.Tool, t.Help)...)
	for _, l := range help.Lines(t.Help) {
		n.add("help", l)
	}
	if len(t.Man) > 0 {
		for _, l := range man.Lines(t.Man, t.Include) {
			n.add("man", l)
		}
	}
}

// plainFonts takes the markers of fonts out of a line.
var plainFonts = strings.NewReplacer(string(help.Open), "", string(help.Close), "", string(help.OpenBold), "", string(help.CloseBold), "")

func (n *nodeText) add(source string, l help.Line) {
	text := plainFonts.Replace(l.Text)
	at := len(n.lines)
	n.lines = append(n.lines, Line{source, l.No, l.Indent, text})
	for _, name := range optionNames(text) {
		if places := n.names[name]; len(places) == 0 || places[len(places)-1] != at {
			n.names[name] = append(places, at)
		}
	}
	for _, w := range listed(text) {
		n.words[w] = true
	}
}

// listed are the words of a line that a list of commands could name: those of
// its first cell if it is short, "add, a   Add a gizmo", and those of a choice,
// "{ add | del }". Running text names nothing.
func listed(line string) []string {
	head, _, _ := strings.Cut(line, "  ")
	if strings.ContainsAny(line, "|{") || strings.Contains(line, "[ ") {
		head = line
	} else if len(strings.Fields(head)) > 4 {
		return nil
	}
	words := strings.FieldsFunc(head, func(r rune) bool { return strings.ContainsRune(" ,|/()[]{}<>\"'`:;=*", r) })
	for i, w := range words {
		words[i] = strings.TrimRight(w, ".")
	}
	return words
}

// optionNames finds what looks like an option in a line: -x, --long, -long, +x;
// both names of --[no-]long.
func optionNames(line string) []string {
	var out []string
	for i := 0; i+1 < len(line); i++ {
		if c := line[i]; c != '-' && c != '+' || i > 0 && inName(line[i-1]) {
			continue
		}
		names, end := nameAt(line, i)
		out = append(out, names...)
		i = max(i, end-1)
	}
	return out
}

// nameAt reads the option that begins at i, and returns where it ends.
func nameAt(line string, i int) (names []string, end int) {
	j := i + 1
	if line[i] == '-' && line[j] == '-' {
		j++
	}
	dashes := line[i:j]
	for _, no := range [...]string{"[no-]", "[no]", "[-no-]"} {
		if rest, ok := strings.CutPrefix(line[j:], no); ok && dashes == "--" {
			if body := nameBody(rest); body != "" {
				return []string{"--" + body, "--no-" + body}, j + len(no) + len(body)
			}
		}
	}
	body := nameBody(line[j:])
	if body == "" {
		return nil, j
	}
	end = j + len(body)
	names = []string{dashes + body}
	// "--colo[u]r": letters that may be left out.
	if rest := line[end:]; len(rest) > 3 && rest[0] == '[' {
		if inside, after, ok := strings.Cut(rest[1:], "]"); ok && inside == nameBody(inside) && inside != "" {
			if tail := nameBody(after); tail != "" && isAlnum(tail[0]) {
				names = []string{dashes + body + tail, dashes + body + inside + tail}
				end += len(inside) + 2 + len(tail)
			}
		}
	}
	return names, end
}

func nameBody(s string) string {
	end := 0
	for end < len(s) && inName(s[end]) {
		end++
	}
	return strings.TrimRight(s[:end], ".:-+")
}

func inName(c byte) bool {
	return isAlnum(c) || c == '-' || c == '_' || c == '.' || c == ':' || c == '+' || c == '?' || c == '@' || c == '#'
}

func isAlnum(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' }

// about returns what is written about a command: of a command without a text of
// its own what is written about the one above it. own says which of the two.
func (x *Texts) about(path []string) (n *nodeText, own bool) {
	for end := len(path); end >= 0; end-- {
		if n := x.nodes[strings.Join(path[:end], " ")]; n != nil {
			return n, end == len(path)
		}
	}
	return nil, false
}

// node returns what was read of a command, nil if nothing was.
func (x *Texts) node(path []string) *draft.Node {
	n := x.Parsed
	for _, w := range path {
		if n = n.Sub(w); n == nil {
			return nil
		}
	}
	return n
}

// NamesOption reports whether a text of the command names an option.
func (x *Texts) NamesOption(path []string, name string) bool {
	if n, own := x.about(path); n != nil {
		keyword := name != "" && isAlnum(name[0])
		if len(n.names[name]) > 0 || keyword && n.namesKeyword(name) || own && x.namesElsewhere(n, name) {
			return true
		}
	}
	n := x.node(path)
	for end := len(path); n == nil && end > 0; end-- {
		n = x.node(path[:end-1])
	}
	return n != nil && n.Flag(name) != nil
}

// NamesCommand reports whether a text names the last word of path as a command
// of those before it.
func (x *Texts) NamesCommand(path []string) bool {
	if len(path) == 0 || x.node(path) != nil {
		return true
	}
	n, _ := x.about(path[:len(path)-1])
	return n != nil && n.words[path[len(path)-1]]
}

// Lines returns what is written about a command, and the indices of the lines
// that name one of the names: options, or words such as a sub-command's.
func (x *Texts) Lines(path []string, names []string) (lines []Line, hits []int) {
	n, _ := x.about(path)
	if n == nil {
		return nil, nil
	}
	for _, name := range names {
		if strings.HasPrefix(name, "-") || strings.HasPrefix(name, "+") {
			hits = append(hits, n.names[name]...)
			continue
		}
		for i, l := range n.lines {
			if hasWord(l.Text, name) {
				hits = append(hits, i)
			}
		}
	}
	slices.Sort(hits)
	return n.lines, slices.Compact(hits)
}

// hasWord reports whether a line has a word with nothing of a name around it.
func hasWord(line, word string) bool {
	for from := 0; word != ""; {
		i := strings.Index(line[from:], word)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(word)
		if (i == 0 || !inName(line[i-1])) && (end == len(line) || !isAlnum(line[end]) && line[end] != '-' && line[end] != '_') {
			return true
		}
		from = i + 1
	}
	return false
}
