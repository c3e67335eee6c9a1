package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

var (
	getopts = pattern(`\bgetopts\s+["']?([:A-Za-z0-9?#]+)["']?\s+\w`)
	getopt  = pattern(`\bgetopt\s[^\n]*(?:\\\n[^\n]*)*`)
	shortIn = pattern(`(?:^|\s)(?:-o|--options)[ =]*["']?([:+A-Za-z0-9?#-]*)`)
	longIn  = pattern(`(?:^|\s)(?:-l|--long|--longoptions?)[ =]*["']?([A-Za-z0-9_,:-]+)`)
	label   = pattern(`^\(?\s*((?:["']?-[^)\s|]*["']?)(?:\s*\|\s*["']?-[^)\s|]*["']?)*)\s*\)(.*)$`)
	oneName = pattern(`^--?[A-Za-z0-9?][A-Za-z0-9_-]*$`)
	taken   = pattern(`\bshift\s+2\b|\$\{?2\b|\$\{?OPTARG\b|\bshift\b[\s;]*\w+\+?=\(?"?\$\{?1\b`)
)

// shell adds what a shell script parses: the specifications of getopts and
// getopt, and the labels of the cases over its arguments.
func shell(n *draft.Node, src string) {
	for _, m := range getopts().FindAllStringSubmatchIndex(src, 20) {
		letters(n, src[m[2]:m[3]], at(src, m[0]))
	}
	for _, m := range getopt().FindAllStringIndex(src, 20) {
		call, where := src[m[0]:m[1]], at(src, m[0])
		if s := shortIn().FindStringSubmatch(call); s != nil {
			letters(n, s[1], where)
		}
		for _, l := range longIn().FindAllStringSubmatch(call, -1) {
			words(n, strings.Split(l[1], ","), where)
		}
	}
	labels(n, strings.Split(src, "\n"))
}

// labels adds the options that stand as labels of a case.
func labels(n *draft.Node, lines []string) {
	for i, line := range lines {
		m := label().FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		where := draft.Place{Source: draft.Code, Line: i + 1}
		arity := draft.None
		var names []string
		for _, name := range strings.Split(m[1], "|") {
			name = strings.Trim(strings.TrimSpace(name), `"'`)
			bare := strings.TrimRight(name, "*?\"'")
			switch {
			case strings.HasSuffix(bare, "=") && len(bare) > 2:
				arity, name = draft.Required, bare[:len(bare)-1]
			case name != bare && bare != "":
				name = bare // "-j*"
				if len(bare) != 2 {
					continue // a pattern for many options
				}
			}
			if oneName().MatchString(name) && name != "--" {
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			continue
		}
		if taken().MatchString(branch(m[2], lines[i+1:])) {
			arity = draft.Required
		}
		n.AddFlag(flag(where, arity, names...))
	}
}

// branch is what a label of a case leads to.
func branch(first string, lines []string) string {
	var b strings.Builder
	b.WriteString(first)
	for i := 0; !strings.Contains(b.String(), ";;") && i < len(lines) && i < 12; i++ {
		b.WriteString("\n" + lines[i])
		if strings.TrimSpace(lines[i]) == "esac" {
			break
		}
	}
	text, _, _ := strings.Cut(b.String(), ";;")
	return text
}

// shellUsage is the text of the script that shows how it is called: its leading
// comment, its here-documents, what it echoes.
func shellUsage(src string) string {
	var comment, echoed []string
	leading := true
	for _, line := range strings.Split(src, "\n") {
		trimmed := strings.TrimSpace(line)
		if leading = leading && (trimmed == "" || trimmed[0] == '#'); leading {
			if !strings.HasPrefix(trimmed, "#!") {
				comment = append(comment, strings.TrimPrefix(strings.TrimPrefix(trimmed, "#"), " "))
			}
			continue
		}
		if text, ok := echo(trimmed); ok {
			echoed = append(echoed, text)
		} else if len(echoed) > 0 && trimmed != "" {
			echoed = append(echoed, "")
		}
	}
	var out []string
	if text := strings.Join(comment, "\n"); usageWord().MatchString(text + "\n") {
		out = append(out, text)
	}
	for _, part := range strings.Split(strings.Join(echoed, "\n"), "\n\n") {
		if usageWord().MatchString(part) {
			out = append(out, part)
		}
	}
	if text := usageTexts(src); text != "" {
		out = append(out, text)
	}
	return strings.Join(out, "\n\n")
}

// echo is the text that a line of a script prints.
func echo(line string) (string, bool) {
	for _, verb := range []string{"echo ", "printf ", "echo -e ", "say "} {
		rest, ok := strings.CutPrefix(line, verb)
		if !ok || rest == "" || rest[0] != '"' && rest[0] != '\'' {
			continue
		}
		end := strings.LastIndexByte(rest, rest[0])
		if end <= 0 {
			return "", false
		}
		return strings.NewReplacer(`\n`, "\n", `\t`, "        ", `\"`, `"`, `%s`, "$0").Replace(rest[1:end]), true
	}
	return "", line == "echo"
}
