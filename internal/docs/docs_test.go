package docs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"mvdan.cc/sh/v3/syntax"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
)

const root = "../.."

// document is one Markdown file, apart into prose and code.
type document struct {
	name  string // from the root
	lines []string
	code  []snippet
}

// snippet is a code span or a line of a code block.
type snippet struct {
	line int // from 1
	text string
}

var span = regexp.MustCompile("`([^`]+)`")

func read(t *testing.T, name string) document {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	d := document{name: name, lines: strings.Split(string(data), "\n")}
	fenced, before := false, ""
	for i, line := range d.lines {
		// A block begins after an empty line or goes on one: a list's second line is none.
		indented := strings.HasPrefix(line, "    ") && (before == "" || strings.HasPrefix(before, "    "))
		before = line
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			fenced = !fenced
			d.lines[i] = ""
		case fenced || indented:
			// What stands three blanks away tells the reader what the line does.
			text, _, _ := strings.Cut(strings.TrimSpace(line), "   ")
			d.code = append(d.code, snippet{i + 1, text})
			d.lines[i] = ""
		}
	}
	// A span may go over the end of a line.
	text := strings.Join(d.lines, "\n")
	for _, m := range span.FindAllStringSubmatchIndex(text, -1) {
		at := strings.Count(text[:m[0]], "\n") + 1
		// A pipe within a table is written \|.
		code := strings.ReplaceAll(strings.ReplaceAll(text[m[2]:m[3]], "\n", " "), `\|`, "|")
		d.code = append(d.code, snippet{at, code})
	}
	return d
}

func documents(t *testing.T) []document {
	t.Helper()
	names := []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}
	files, err := filepath.Glob(filepath.Join(root, "docs/*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("docs: %v", err)
	}
	for _, f := range files {
		names = append(names, "docs/"+filepath.Base(f))
	}
	list := make([]document, len(names))
	for i, name := range names {
		list[i] = read(t, name)
	}
	return list
}

// maxReadme is how much of a README people read.
const maxReadme = 8 << 10

func TestReadmeIsShort(t *testing.T) {
	info, err := os.Stat(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > maxReadme {
		t.Errorf("README.md has %d bytes, more than %d: move some of it to docs/", info.Size(), maxReadme)
	}
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

func TestLinksLeadSomewhere(t *testing.T) {
	for _, d := range documents(t) {
		text := span.ReplaceAllString(strings.Join(d.lines, "\n"), "")
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(m[1], "://") {
				if err := follow(t, d.name, m[1]); err != nil {
					t.Errorf("%s: link to %s: %v", d.name, m[1], err)
				}
			}
		}
	}
}

// follow reports why a relative link of a document leads nowhere.
func follow(t *testing.T, from, to string) error {
	t.Helper()
	path, anchor, _ := strings.Cut(to, "#")
	target := from
	if path != "" {
		target = filepath.Join(filepath.Dir(from), path)
	}
	if _, err := os.Stat(filepath.Join(root, target)); err != nil {
		return errors.New("no such file")
	}
	if anchor == "" {
		return nil
	}
	for _, line := range read(t, target).lines {
		if heading := strings.TrimLeft(line, "#"); heading != line && slug(heading) == anchor {
			return nil
		}
	}
	return fmt.Errorf("%s has no such heading", target)
}

// slug is the anchor that GitHub gives a heading.
func slug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(heading))
}

func TestEveryDocumentIsLinked(t *testing.T) {
	readme := strings.Join(read(t, "README.md").lines, "\n")
	for _, d := range documents(t) {
		if d.name != "README.md" && !strings.Contains(readme, "("+d.name+")") {
			t.Errorf("README.md has no link to %s", d.name)
		}
	}
}

// TestCommandLines: every call of tmp in the documents is one that tmp's own map
// has, with its flags.
func TestCommandLines(t *testing.T) {
	tree, err := command.Load()
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, d := range documents(t) {
		for _, c := range d.code {
			if !strings.Contains(c.text, "tmp ") {
				continue
			}
			for _, words := range callsOf(c.text) {
				calls++
				if err := checkCall(tree, words); err != nil {
					t.Errorf("%s:%d: `%s`: %v", d.name, c.line, c.text, err)
				}
			}
		}
	}
	if calls < 100 {
		t.Errorf("only %d calls of tmp were found in the documents", calls)
	}
}

// callsOf returns the words of every call of tmp in a line, those in substitutions
// and after pipes too, quotes taken off. What does not parse as shell (a usage line
// with <placeholders>) is cut at blanks.
func callsOf(text string) [][]string {
	text = strings.TrimPrefix(text, "$ ")
	var calls [][]string
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil || strings.ContainsAny(text, "<>[]") {
		if strings.HasPrefix(text, "tmp ") {
			calls = append(calls, strings.Fields(text)[1:])
		}
		return calls
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 || call.Args[0].Lit() != "tmp" {
			return true
		}
		words := make([]string, len(call.Args)-1)
		for i, w := range call.Args[1:] {
			words[i] = plain(w)
		}
		calls = append(calls, words)
		return true
	})
	return calls
}

func plain(w *syntax.Word) string {
	var b strings.Builder
	_ = syntax.NewPrinter().Print(&b, w)
	return strings.Trim(b.String(), `"'`)
}

// checkCall walks the words of a call down the tree.
func checkCall(n *command.Node, words []string) error {
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--":
			return nil
		case strings.HasPrefix(w, "[") || strings.HasPrefix(w, "<"), w == "…", w == "COMMAND":
			continue
		case w == "--help" || w == "-h":
			continue
		case strings.HasPrefix(w, "-"):
			name, _, joined := strings.Cut(w, "=")
			f := flagOf(n, name)
			switch {
			case f == nil:
				return fmt.Errorf("%s has no flag %s", n.Name, name)
			case f.Value == "required" && !joined:
				i++
			}
		case len(n.Subs) > 0:
			at := slices.IndexFunc(n.Subs, func(s *command.Node) bool { return s.Name == w || slices.Contains(s.Aliases, w) })
			switch {
			case at >= 0:
				n = n.Subs[at]
			case len(n.Args) == 0:
				return fmt.Errorf("%s has no command %s", n.Name, w)
			}
		case len(n.Args) == 0:
			return fmt.Errorf("%s takes no argument %s", n.Name, w)
		}
	}
	return nil
}

func flagOf(n *command.Node, name string) *command.Flag {
	for i := range n.Flags {
		if slices.Contains(n.Flags[i].Names, name) {
			return &n.Flags[i]
		}
	}
	return nil
}

func TestCheckCallRefuses(t *testing.T) {
	tree, err := command.Load()
	if err != nil {
		t.Fatal(err)
	}
	for line, good := range map[string]bool{
		"tmp run -- frob --any":               true,
		`eval "$(tmp hook bash)"`:             true,
		`eval "$(tmp hook bash --no-such)"`:   false,
		"tmp frobnicate":                      false,
		"tmp hook fish | source":              true,
		"tmp runs frobnicate":                 false,
		"tmp check --explian 'rm x'":          false,
		"tmp version now":                     false,
		"make && tmp shape --no-such":         false,
		"tmp list [flags] [<tool>…]":          true,
		"tmp list [flags] [<tool>…] --frob":   false,
		"tmp run \"x\" --set --no-such-value": true,
	} {
		var fault error
		for _, words := range callsOf(line) {
			fault = errors.Join(fault, checkCall(tree, words))
		}
		if good != (fault == nil) {
			t.Errorf("%q: %v", line, fault)
		}
	}
}

var repositoryPath = regexp.MustCompile(`(?:^|[\s("'=])(?:\./)?((?:cmd|completion|docs|examples|internal|resolvers|scripts|shells|tcpdb|testdata)/[\w./*-]*)`)

// theirs is a script of the reader's project, in examples.
const theirs = "scripts/deploy.sh"

// TestScriptOptions: options that the documents give to scripts are read by them.
func TestScriptOptions(t *testing.T) {
	call := regexp.MustCompile(`bash (scripts/\S+\.sh)(.*)`)
	option := regexp.MustCompile(`--[a-z-]+`)
	for _, d := range documents(t) {
		for _, c := range d.code {
			m := call.FindStringSubmatch(c.text)
			if m == nil {
				continue
			}
			script, err := os.ReadFile(filepath.Join(root, m[1]))
			if err != nil {
				t.Errorf("%s:%d: %v", d.name, c.line, err)
				continue
			}
			words, _, _ := strings.Cut(m[2], "#")
			for _, o := range option.FindAllString(words, -1) {
				if !regexp.MustCompile(`(?m)^\s*(?:\S+ \| )*` + o + `\)`).Match(script) {
					t.Errorf("%s:%d: %s has no option %s", d.name, c.line, m[1], o)
				}
			}
		}
	}
}

// TestNamedFilesExist: a path below a directory of the repository is there; a part
// in capitals stands for any name.
func TestNamedFilesExist(t *testing.T) {
	variable := regexp.MustCompile(`^[A-Z]+$`)
	for _, d := range documents(t) {
		for _, c := range d.code {
			for _, m := range repositoryPath.FindAllStringSubmatch(c.text, -1) {
				parts := strings.Split(strings.TrimRight(m[1], "/."), "/")
				for i, p := range parts {
					if variable.MatchString(p) && p != "FORMAT" {
						parts[i] = "*"
					}
				}
				if m[1] == theirs {
					continue
				}
				found, err := filepath.Glob(filepath.Join(root, filepath.Join(parts...)))
				if err != nil || len(found) == 0 {
					t.Errorf("%s:%d: no %s", d.name, c.line, m[1])
				}
			}
		}
	}
}

// TestArchitectureNamesEveryPackage: the tour of the source leaves no room out.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	var named []string
	for _, c := range read(t, "docs/architecture.md").code {
		named = append(named, c.text)
	}
	rooms, err := filepath.Glob(filepath.Join(root, "internal/*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range append(rooms, "completion", "resolvers", "shells", "tcpdb") {
		name := strings.TrimPrefix(room, filepath.Clean(root)+"/")
		if !slices.Contains(named, name) {
			t.Errorf("docs/architecture.md says nothing of %s", name)
		}
	}
}
