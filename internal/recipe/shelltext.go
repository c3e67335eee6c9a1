package recipe

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// texts are the parts of a script that may be its usage.
func (s *Script) texts() []string {
	var out []string
	header := s.header()
	s.Summary = summary(header, s.Name)
	for _, t := range append([]string{header}, s.inner()...) {
		t = strings.NewReplacer("$(basename $0)", s.Name, `$(basename "$0")`, s.Name, "${0##*/}", s.Name, "$0", s.Name, "${BASH_SOURCE[0]}", s.Name,
			"%(prog)s", s.Name, "$PROGNAME", s.Name, "${PROGNAME}", s.Name, "$progname", s.Name).Replace(t)
		if documents(t) {
			out = append(out, t)
		}
	}
	return out
}

// documents reports whether a text shows how something is used, or lists options.
func documents(t string) bool {
	for line := range strings.Lines(t) {
		line = strings.TrimSpace(line)
		lower := strings.ToLower(line)
		if strings.HasPrefix(lower, "usage") || strings.HasPrefix(lower, "synopsis") ||
			len(line) > 2 && line[0] == '-' && (line[1] >= 'a' && line[1] <= 'z' || line[1] >= 'A' && line[1] <= 'Z' || line[1] == '-' && line[2] >= 'a' && line[2] <= 'z') && strings.Contains(line, " ") {
			return true
		}
	}
	return false
}

// header is the first comment of a file, or the text that a module begins with,
// without the signs of comments.
func (s *Script) header() string {
	var out []string
	lines := strings.Split(s.text, "\n")
	i := 0
	if strings.HasPrefix(s.text, "#!") {
		i = 1
	}
	for i < len(lines) && (strings.TrimSpace(lines[i]) == "" || strings.HasPrefix(lines[i], "# -*-") || strings.HasPrefix(strings.TrimSpace(lines[i]), `"use strict"`)) {
		i++
	}
	if i == len(lines) {
		return ""
	}
	first := strings.TrimSpace(lines[i])
	for _, q := range [...]string{`"""`, `'''`, "/*"} {
		if _, rest, ok := strings.Cut(first, q); ok && strings.Index(first, q) <= 1 {
			text := rest + "\n" + strings.Join(lines[i+1:], "\n")
			text, _, _ = strings.Cut(text, map[string]string{"/*": "*/"}[q]+map[bool]string{true: q}[q != "/*"])
			if q == "/*" {
				for l := range strings.Lines(text) {
					out = append(out, strings.TrimPrefix(strings.TrimPrefix(strings.TrimRight(strings.TrimLeft(l, " \t*"), "\n"), "*"), " "))
				}
				return strings.Join(out, "\n")
			}
			return text
		}
	}
	mark := "#"
	if strings.HasPrefix(first, "//") {
		mark = "//"
	}
	for ; i < len(lines); i++ {
		t, ok := strings.CutPrefix(strings.TrimRight(lines[i], "\r"), mark)
		if !ok {
			break
		}
		t = strings.TrimPrefix(strings.TrimLeft(t, "#/"), " ")
		if strings.HasPrefix(t, "shellcheck ") || strings.HasPrefix(t, "SPDX-") || strings.HasPrefix(t, "Copyright") {
			continue
		}
		out = append(out, t)
	}
	return strings.Join(out, "\n")
}

// summary is what the first sentence of a header says.
func summary(header, name string) string {
	for line := range strings.Lines(header) {
		line = strings.TrimSpace(line)
		lower := strings.ToLower(line)
		if line == "" || strings.HasPrefix(lower, "usage") || strings.Trim(line, "-=#*~ ") == "" {
			if strings.HasPrefix(lower, "usage") {
				return ""
			}
			continue
		}
		stem, _, _ := strings.Cut(name, ".")
		for _, n := range [...]string{name, stem} {
			if rest, ok := strings.CutPrefix(line, n); ok {
				rest = strings.TrimLeft(rest, " ")
				for _, sep := range [...]string{"--", "-", ":", "—", "–"} {
					if after, ok := strings.CutPrefix(rest, sep); ok {
						line = strings.TrimSpace(after)
						break
					}
				}
				break
			}
		}
		line, _, _ = strings.Cut(line, ". ")
		return strings.TrimRight(line, ".")
	}
	return ""
}

var (
	heredoc = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<<[-~]?\s*(['"]?)([A-Za-z_][A-Za-z_0-9]*)(['"]?)`) })
	quoted  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:echo|printf|print)\s+(?:-[en]+\s+)?"([^"]*)"|(?:echo|printf|print)\s+'([^']*)'`)
	})
	getoptsRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bgetopts\s+["']?([A-Za-z0-9:?]+)["']?\s+`) })
	caseRE    = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*\(?((?:-{1,2}[A-Za-z0-9][\w-]*(?:=\*)?\s*\|?\s*)+)\)(.*)$`)
	})
	letterRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*\(?["']?([A-Za-z0-9])["']?\)(.*)$`) })
	setRE    = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*(?:local\s+|readonly\s+|export\s+|declare\s+(?:-\w+\s+)?)?([A-Za-z_]\w*)=["']?\$(?:([1-9])\b|\{([1-9])(?:(:?[-?=])([^}]*))?\})`)
	})
	numberRE   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\{([1-9]):?\?([^}]*)\}`) })
	optargRE   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([A-Za-z_]\w*)=["']?\$\{?OPTARG`) })
	functionRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(?:function\s+[\w:-]+|[\w:-]+\s*\(\))`) })
)

// inner are the here-documents, texts over several lines and printed lines of a
// script.
func (s *Script) inner() []string {
	var out []string
	lines := strings.Split(s.text, "\n")
	var printed []string
	for i := 0; i < len(lines); i++ {
		if m := quoted().FindStringSubmatch(lines[i]); m != nil {
			printed = append(printed, strings.ReplaceAll(m[1]+m[2], `\n`, "\n"))
		} else if len(printed) > 0 {
			out, printed = append(out, strings.Join(printed, "\n")), nil
		}
		m := heredoc().FindStringSubmatch(lines[i])
		if m == nil || s.Language != "sh" && s.Language != "bash" && s.Language != "zsh" && s.Language != "" && s.Language != "ruby" && s.Language != "perl" {
			continue
		}
		var body []string
		for i++; i < len(lines) && strings.TrimSpace(lines[i]) != m[2]; i++ {
			body = append(body, lines[i])
		}
		out = append(out, strings.Join(body, "\n"))
	}
	if len(printed) > 0 {
		out = append(out, strings.Join(printed, "\n"))
	}
	for _, q := range [...]string{`"""`, "'''", "`"} {
		if s.Language != "python" && q != "`" || s.Language != "node" && s.Language != "go" && q == "`" {
			continue
		}
		parts := strings.Split(s.text, q)
		for i := 1; i < len(parts); i += 2 {
			out = append(out, parts[i])
		}
	}
	return out
}

// getopts adds the options that getopts is asked for.
func (s *Script) getopts() {
	for _, m := range getoptsRE().FindAllStringSubmatchIndex(s.text, -1) {
		spec := strings.TrimLeft(s.text[m[2]:m[3]], ":")
		line := 1 + strings.Count(s.text[:m[0]], "\n")
		for i := 0; i < len(spec); i++ {
			if spec[i] == ':' || spec[i] == '?' {
				continue
			}
			f := &draft.Flag{Names: []string{"-" + spec[i:i+1]}, Arity: draft.None, At: []draft.Place{{Source: draft.Script, Line: line}}}
			if i+1 < len(spec) && spec[i+1] == ':' {
				f.Arity = draft.Required
				s.styles[f.Names[0]] = attached
			}
			f.ArityAt = f.At[0]
			s.add(f)
		}
		for l := range strings.Lines(s.text[m[1]:]) {
			if c := letterRE().FindStringSubmatch(strings.TrimRight(l, "\r\n")); c != nil {
				s.branch("-"+c[1], c[2])
			}
		}
	}
}

// branch takes what a branch of a case says of an option: the variable that its
// value goes to, and a comment.
func (s *Script) branch(name, body string) {
	f := s.Node.Flag(name)
	if f == nil {
		return
	}
	if _, comment, ok := strings.Cut(body, "# "); ok && f.Description == "" {
		f.Description = strings.TrimSpace(comment)
	}
	if m := optargRE().FindStringSubmatch(body); m != nil && f.Metavar == "" {
		f.Metavar = strings.ToLower(m[1])
	}
}

// add merges a flag into the node. What the code takes is surer than what a
// text says of it.
func (s *Script) add(f *draft.Flag) {
	f.Names = slices.DeleteFunc(f.Names, func(n string) bool { return !optionName(n) })
	if len(f.Names) == 0 {
		return
	}
	for _, name := range f.Names {
		if old := s.Node.Flag(name); old != nil {
			old.Arity, old.ArityAt = f.Arity, f.ArityAt
			for _, n := range f.Names {
				if !old.Has(n) {
					old.Names = append(old.Names, n)
				}
			}
			if old.Description == "" {
				old.Description = f.Description
			}
			if len(f.Values) > 0 {
				old.Values = f.Values
			}
			if f.Group == requiredGroup {
				old.Group = f.Group
			}
			return
		}
	}
	s.Node.Flags = append(s.Node.Flags, f)
}

// optionName reports whether a word is an option as people write them.
func optionName(n string) bool {
	rest := strings.TrimLeft(n, "-")
	return len(n)-len(rest) >= 1 && len(n)-len(rest) <= 2 && rest != "" && len(rest) <= 60 &&
		strings.Trim(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}

// loop adds the options that branches of a case take: "-e|--env)", "--env=*)".
func (s *Script) loop() {
	lines := strings.Split(s.text, "\n")
	for i, l := range lines {
		m := caseRE().FindStringSubmatch(l)
		if m == nil {
			continue
		}
		f := &draft.Flag{Arity: draft.None, At: []draft.Place{{Source: draft.Script, Line: i + 1}}}
		f.ArityAt = f.At[0]
		body := m[2]
		for j := i + 1; j < len(lines) && j < i+12 && !strings.Contains(body, ";;"); j++ {
			body += "\n" + lines[j]
		}
		body, _, _ = strings.Cut(body, ";;")
		how := separate
		for name := range strings.SplitSeq(m[1], "|") {
			name = strings.TrimSpace(name)
			if bare, ok := strings.CutSuffix(name, "=*"); ok {
				name, how, f.Arity = bare, equals, draft.Required
			}
			if name != "" && !f.Has(name) {
				f.Names = append(f.Names, name)
			}
		}
		if strings.Contains(body, "$2") || strings.Contains(body, "${2") || strings.Contains(body, "shift 2") {
			f.Arity = draft.Required
		}
		if _, comment, ok := strings.Cut(m[2], "# "); ok {
			f.Description = strings.TrimSpace(comment)
		}
		for _, n := range f.Names {
			if old, known := s.styles[n]; f.Arity == draft.Required && (!known || how < old) {
				s.styles[n] = how
			}
		}
		s.add(f)
	}
}

// numbered adds the arguments that a script takes by their number, where no
// usage names them.
func (s *Script) numbered() {
	if len(s.Node.Args) > 0 {
		return
	}
	found := map[int]*draft.Arg{}
	depth := false // in a function, whose numbers are its own
	for i, l := range strings.Split(s.text, "\n") {
		if functionRE().MatchString(l) && !strings.Contains(l, "}") {
			depth = true
		}
		if strings.HasPrefix(l, "}") {
			depth = false
		}
		if depth || strings.HasPrefix(strings.TrimSpace(l), "#") {
			continue
		}
		at := draft.Place{Source: draft.Script, Line: i + 1}
		if m := setRE().FindStringSubmatch(l); m != nil {
			n := int((m[2] + m[3])[0] - '0')
			if found[n] == nil {
				found[n] = &draft.Arg{Name: strings.ToLower(m[1]), Required: !strings.Contains(m[4], "-") && !strings.Contains(m[4], "="), At: at}
				if strings.Contains(m[4], "-") && m[5] != "" && !strings.ContainsAny(m[5], "$`") {
					found[n].Description = "by default " + strings.Trim(m[5], `"'`)
				}
			}
		} else if m := numberRE().FindStringSubmatch(l); m != nil && found[int(m[1][0]-'0')] == nil {
			found[int(m[1][0]-'0')] = &draft.Arg{Name: "argument" + m[1], Required: true, Description: strings.Trim(m[2], `"'`), At: at}
		}
	}
	for n := 1; found[n] != nil; n++ {
		if n > 1 && !found[n-1].Required {
			found[n].Required = false
		}
		s.Node.Args = append(s.Node.Args, found[n])
	}
}
