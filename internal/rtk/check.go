package rtk

import (
	"fmt"
	"slices"
	"strings"
)

// compile prepares the expressions of a filter; false leaves the filter out.
func (r *reader) compile(key string, f *Filter) bool {
	before := len(r.problems)
	expr := func(k, pattern string) *regex {
		re, err := compile(pattern)
		if err != nil {
			r.problem(LeavesOut, k, "the expression %s: %s", quoted(pattern), err)
		}
		return re
	}
	if len(f.StripLines) > 0 && len(f.KeepLines) > 0 {
		r.problem(LeavesOut, key+".keep_lines_matching", "does not go together with strip_lines_matching")
	}
	f.command = expr(key+".match_command", f.MatchCommand)
	for _, branch := range branches(f.MatchCommand) {
		if !strings.HasPrefix(withoutFlags(branch), "^") {
			r.problem(LeavesOut, key+".match_command", "the branch %s does not begin with ^", quoted(branch))
		}
	}
	for i := range f.Replace {
		f.Replace[i].pattern = expr(fmt.Sprintf("%s.replace[%d].pattern", key, i), f.Replace[i].Pattern)
	}
	for i := range f.MatchOutput {
		m := &f.MatchOutput[i]
		m.pattern = expr(fmt.Sprintf("%s.match_output[%d].pattern", key, i), m.Pattern)
		if m.Unless != nil {
			m.unless = expr(fmt.Sprintf("%s.match_output[%d].unless", key, i), *m.Unless)
		}
	}
	f.lines = nil
	for i, p := range f.StripLines {
		f.lines = append(f.lines, expr(fmt.Sprintf("%s.strip_lines_matching[%d]", key, i), p))
	}
	for i, p := range f.KeepLines {
		f.lines = append(f.lines, expr(fmt.Sprintf("%s.keep_lines_matching[%d]", key, i), p))
	}
	return len(r.problems) == before
}

func quoted(s string) string {
	if !strings.Contains(s, "'") {
		return "'" + s + "'"
	}
	return fmt.Sprintf("%q", s)
}

// branches splits an expression at the bars outside groups and classes.
func branches(pattern string) []string {
	var out []string
	depth, start := 0, 0
	escaped, class := false, false
	for i, c := range pattern {
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(':
			depth++
		case c == ')':
			depth = max(depth-1, 0)
		case c == '|' && depth == 0:
			out = append(out, pattern[start:i])
			start = i + 1
		}
	}
	return append(out, pattern[start:])
}

// withoutFlags removes a group of flags such as (?i) from the begin of a branch.
func withoutFlags(branch string) string {
	rest, ok := strings.CutPrefix(branch, "(?")
	if !ok {
		return branch
	}
	end := strings.IndexByte(rest, ')')
	if end < 0 || strings.Trim(rest[:end], "imsuxU-") != "" {
		return branch
	}
	return rest[end+1:]
}

// remarks tells what RTK accepts and what does not do what is meant.
func (r *reader) remarks(key string, f *Filter) {
	var shadowed []string
	for _, name := range handled() {
		if f.command.match(name) {
			shadowed = append(shadowed, name)
		}
	}
	if len(shadowed) > 0 {
		r.problem(Remark, key+".match_command", "RTK handles %s itself: for that command this filter is never used", strings.Join(shadowed, ", "))
	}
	for _, branch := range branches(f.MatchCommand) {
		if word := firstWord(strings.TrimPrefix(withoutFlags(branch), "^")); strings.Contains(word, "/") {
			r.problem(Remark, key+".match_command", "can match nothing: %s holds a /, and RTK tests the base name of the program", quoted(word))
		}
	}
	if f.OnEmpty != nil {
		if w := success(*f.OnEmpty); w != "" {
			r.problem(Remark, key+".on_empty", "says %q, and is printed when the command failed too", w)
		}
	}
	for i, m := range f.MatchOutput {
		if w := success(m.Message); w != "" && m.Unless == nil {
			r.problem(Remark, fmt.Sprintf("%s.match_output[%d].message", key, i),
				"says %q whatever else the output holds: give unless = an expression of what tells of a failure", w)
		}
	}
	if strings.HasPrefix(f.Description, "Draft") {
		r.problem(Remark, key+".description", "this is a draft that nobody has reviewed: take the word Draft away when you have")
	}
	if f.command != nil && !f.reduces() {
		r.problem(Remark, key, "leaves every output as it is")
	}
}

func (f *Filter) reduces() bool {
	return f.StripANSI || len(f.Replace)+len(f.MatchOutput)+len(f.lines) > 0 || f.TruncateLinesAt != nil ||
		f.HeadLines != nil || f.TailLines != nil || f.MaxLines != nil || f.OnEmpty != nil
}

// firstWord is what an expression spells up to its first blank or sign.
func firstWord(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		if c == '\\' && i+1 < len(pattern) {
			if i++; asciiAlnum(rune(pattern[i])) {
				break
			}
			b.WriteByte(pattern[i])
			continue
		}
		if strings.IndexByte(" [](){}*+?|.^$", c) >= 0 {
			break
		}
		b.WriteByte(c)
	}
	return b.String()
}

// success returns the word of a message that claims that all went well, or "".
func success(message string) string {
	for _, sign := range []string{"✓", "✔", "✅"} {
		if strings.Contains(message, sign) {
			return sign
		}
	}
	words := strings.FieldsFunc(strings.ToLower(message), func(c rune) bool { return !word(c) })
	for i, w := range words {
		switch w {
		case "ok", "okay", "success", "successful", "successfully", "succeeded", "passed", "clean", "done", "completed", "complete", "fine", "good":
			if i > 0 && (words[i-1] == "not" || words[i-1] == "no") {
				continue
			}
			return w
		}
	}
	return ""
}

// handled are the words that RTK's own command line takes: commands with a
// handler of their own, and commands about RTK. A filter is looked for only
// where the first word is none of them (RTK's sources as of September 2026).
func handled() []string {
	return strings.Fields("aws cargo cc-economics config ctest curl deps diff discover docker dotnet ecs env err find format " +
		"gain gh git glab go golangci-lint gradlew grep gt hook hook-audit init jest json kubectl learn lint log ls mvn mypy " +
		"next npm npx oc paratest pest php phpstan phpunit pint pip pipe playwright pnpm prettier prisma proxy psql pytest " +
		"rake read retrieve rewrite rg rspec rubocop ruff run session smart stash summary telemetry test tree trust tsc " +
		"untrust uv verify vitest wc wget")
}

// Handled reports whether RTK handles a program itself, so that no filter of a
// file is ever asked about it. A path is no such program: RTK's command line
// knows names alone.
func Handled(program string) bool { return slices.Contains(handled(), program) }
