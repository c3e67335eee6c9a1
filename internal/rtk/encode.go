package rtk

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// basicString writes a TOML string on one line.
func basicString(s string) string { return `"` + escape(s, false) + `"` }

// textString writes a text of several lines so that it can be read: between
// three quotes, each line on its own, as long as it ends in a line feed.
func textString(s string) string {
	if !strings.Contains(s, "\n") {
		return basicString(s)
	}
	return `"""` + "\n" + escape(s, true) + `"""`
}

// escape writes what may not stand in a basic string as an escape; lines says
// that line feeds stay.
func escape(s string, lines bool) string {
	var b strings.Builder
	for i, c := range s {
		switch {
		case c == '\n' && lines:
			b.WriteByte('\n')
		case c == '"' && lines && i+2 < len(s) && s[i+1] != '"':
			b.WriteByte('"') // one quote alone needs none
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t' && lines:
			b.WriteByte('\t')
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\r':
			b.WriteString(`\r`)
		case c < 0x20 || c == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// unescape reads the escapes of a basic string; one that is not known stays.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'b', 't', 'n', 'f', 'r', 'e':
			b.WriteByte("\b\t\n\f\r\x1b"[strings.IndexByte("btnfre", c)])
		case 'u', 'U', 'x':
			n := hexDigits(c)
			if v, err := strconv.ParseUint(s[min(i+1, len(s)):min(i+1+n, len(s))], 16, 32); err == nil && utf8.ValidRune(rune(v)) {
				b.WriteRune(rune(v))
				i += n
				continue
			}
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// regexString writes an expression so that it can be read: between single
// quotes, where a backslash is one, unless it holds one.
func regexString(s string) string {
	if strings.ContainsAny(s, "'\n\r") || strings.IndexFunc(s, func(c rune) bool { return c < 0x20 && c != '\t' || c == 0x7f }) >= 0 {
		return basicString(s)
	}
	return "'" + s + "'"
}

// Encode writes a filter with its tests as the part of a file; comment stands
// above it, a line each.
func Encode(f *Filter, tests []Test, comment []string) string {
	var b strings.Builder
	for _, c := range comment {
		b.WriteString(strings.TrimRight("# "+oneLine(c), " ") + "\n")
	}
	name := quoteKey(f.Name)
	fmt.Fprintf(&b, "[filters.%s]\n", name)
	if f.Description != "" {
		fmt.Fprintf(&b, "description = %s\n", basicString(f.Description))
	}
	fmt.Fprintf(&b, "match_command = %s\n", regexString(f.MatchCommand))
	if f.StripANSI {
		b.WriteString("strip_ansi = true\n")
	}
	if f.FilterStderr {
		b.WriteString("filter_stderr = true\n")
	}
	list(&b, "strip_lines_matching", f.StripLines)
	list(&b, "keep_lines_matching", f.KeepLines)
	for _, n := range []struct {
		key   string
		value *int
	}{{"truncate_lines_at", f.TruncateLinesAt}, {"head_lines", f.HeadLines}, {"tail_lines", f.TailLines}, {"max_lines", f.MaxLines}} {
		if n.value != nil {
			fmt.Fprintf(&b, "%s = %d\n", n.key, *n.value)
		}
	}
	if f.OnEmpty != nil {
		fmt.Fprintf(&b, "on_empty = %s\n", basicString(*f.OnEmpty))
	}
	for _, r := range f.Replace {
		fmt.Fprintf(&b, "\n[[filters.%s.replace]]\npattern = %s\nreplacement = %s\n", name, regexString(r.Pattern), basicString(r.Replacement))
	}
	for _, m := range f.MatchOutput {
		fmt.Fprintf(&b, "\n[[filters.%s.match_output]]\npattern = %s\nmessage = %s\n", name, regexString(m.Pattern), basicString(m.Message))
		if m.Unless != nil {
			fmt.Fprintf(&b, "unless = %s\n", regexString(*m.Unless))
		}
	}
	for _, t := range tests {
		fmt.Fprintf(&b, "\n[[tests.%s]]\nname = %s\ninput = %s\nexpected = %s\n", name, basicString(t.Name), textString(t.Input), textString(t.Expected))
	}
	return b.String()
}

func list(b *strings.Builder, key string, patterns []string) {
	if len(patterns) == 0 {
		return
	}
	fmt.Fprintf(b, "%s = [\n", key)
	for _, p := range patterns {
		fmt.Fprintf(b, "  %s,\n", regexString(p))
	}
	b.WriteString("]\n")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
