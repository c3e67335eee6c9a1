package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

var (
	getOptions = pattern(`\bGetOptions(?:FromArray)?\s*\(`)
	longSpec   = pattern(`["']([A-Za-z0-9?][\w?|-]*)([=:][sif][@%]?(?:\{[^}]*\})?|:[0-9+]+|[!+])?["']\s*(?:=>|,)`)
	stdSpec    = pattern(`\bgetopts?\s*\(?\s*["']([A-Za-z0-9:?]+)["']`)
)

// perl adds what a Perl script hands to Getopt::Long and Getopt::Std.
func perl(n *draft.Node, src string) {
	for _, m := range getOptions().FindAllStringIndex(src, 20) {
		call := parens(src[m[1]-1:])
		for _, s := range longSpec().FindAllStringSubmatchIndex(call, 500) {
			names, kind := strings.Split(call[s[2]:s[3]], "|"), ""
			if s[4] >= 0 {
				kind = call[s[4]:s[5]]
			}
			n.AddFlag(perlFlag(names, kind, at(src, m[1]-1+s[0])))
		}
	}
	for _, m := range stdSpec().FindAllStringSubmatchIndex(src, 20) {
		letters(n, src[m[2]:m[3]], at(src, m[0]))
	}
}

func perlFlag(names []string, kind string, where draft.Place) *draft.Flag {
	f := flag(where, draft.None)
	for _, name := range names {
		f.Names = append(f.Names, option(name))
	}
	switch {
	case strings.HasPrefix(kind, "="):
		f.Arity = draft.Required
		f.Repeatable = strings.ContainsAny(kind, "@%")
	case strings.HasPrefix(kind, ":"):
		f.Arity = draft.Optional
	case kind == "!":
		for _, name := range f.Names {
			if draft.Long(name) {
				f.Names = append(f.Names, "--no-"+name[2:])
				f.Negated = true
			}
		}
	case kind == "+":
		f.Repeatable = true
	}
	if strings.ContainsAny(kind, "if") && f.Arity != draft.None {
		f.Kind = "number"
	}
	return f
}

// parens is the beginning of a text up to the parenthesis that closes its first.
func parens(s string) string {
	depth, quote := 0, byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return s[:i+1]
			}
		}
	}
	return s[:min(len(s), 8<<10)]
}

var (
	podCode  = pattern(`[A-Z]<([^<>]*)>`)
	podAngle = pattern(`[A-Z]<<+ (.*?) >>+`)
)

// pod is the documentation in a Perl script as plain text: headings at the
// margin, items and paragraphs indented as help indents them.
func pod(src string) string {
	var out []string
	in, depth := false, 0
	for _, line := range strings.Split(src, "\n") {
		line = strings.TrimRight(line, "\r")
		command, rest, _ := strings.Cut(line, " ")
		if strings.HasPrefix(line, "=") && len(command) > 2 && command[1] >= 'a' && command[1] <= 'z' {
			in = command != "=cut"
			switch command {
			case "=head1", "=head2":
				out = append(out, "", plainPod(rest)+":")
				depth = 0
			case "=over":
				depth++
			case "=back":
				depth = max(depth-1, 0)
			case "=item":
				out = append(out, strings.Repeat("    ", max(depth, 1))+plainPod(strings.TrimPrefix(rest, "* ")))
			}
			continue
		}
		if in {
			out = append(out, strings.Repeat("    ", depth+1)+plainPod(line))
		}
	}
	return strings.Join(out, "\n")
}

func plainPod(s string) string {
	s = podAngle().ReplaceAllString(s, "$1")
	for range 3 {
		s = podCode().ReplaceAllString(s, "$1")
	}
	return strings.TrimRight(s, " ")
}
