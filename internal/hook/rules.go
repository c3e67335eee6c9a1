package hook

import (
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/internal/splice"
	"github.com/tool-mapping-protocol/tmp/internal/toml"
)

// Rules are what a person has said that is to be asked about or never done.
type Rules struct {
	all      bool
	commands [][]string // words, patterns
	files    []string   // what a path that is named holds
	patterns []*regexp.Regexp
}

// ErrRules is wrapped by errors about rules that cannot be read.
var ErrRules = errors.New("rules that cannot be read")

// Read adds the rules of a file.
func (r *Rules) Read(f *RuleFile, data []byte) error {
	switch f.Kind {
	case Starlark:
		return r.starlark(string(data))
	case Policies:
		return r.policies(string(data))
	}
	root, err := splice.Parse(data)
	if err != nil {
		return errors.Join(ErrRules, err)
	}
	for _, at := range f.Lists {
		parts := strings.Split(at, ".")
		if name, ok := strings.CutPrefix(at, "/"); ok {
			parts = []string{name}
		}
		for _, n := range members(root, parts) {
			if err := r.list(f.Kind, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// members are the values at a path in which "*" is any name.
func members(n *splice.Node, parts []string) []*splice.Node {
	if n == nil {
		return nil
	}
	if len(parts) == 0 {
		return []*splice.Node{n}
	}
	if parts[0] != "*" {
		return members(n.Get(parts[0]), parts[1:])
	}
	var list []*splice.Node
	for _, m := range n.Members {
		list = append(list, members(m.Value, parts[1:])...)
	}
	return list
}

// list adds the rules of one value.
func (r *Rules) list(kind RuleKind, n *splice.Node) error {
	if kind == Approve || kind == Patterns {
		return r.object(kind, n)
	}
	if n.Kind != splice.Array {
		return ErrRules
	}
	for _, e := range n.Elements {
		if e.Kind != splice.Text {
			return ErrRules
		}
		if kind == Wrapped || strings.HasSuffix(e.Text, ")") {
			r.wrapped(e.Text)
		} else {
			r.command(e.Text)
		}
	}
	return nil
}

func (r *Rules) object(kind RuleKind, n *splice.Node) error {
	if n.Kind == splice.Text { // one word for all
		r.all = r.all || kind == Patterns && n.Text != "allow"
		return nil
	}
	for _, m := range n.Members {
		approve := m.Value
		if kind == Approve && approve.Kind == splice.Object {
			approve = approve.Get("approve")
		}
		if approve == nil || approve.Kind > splice.Text || approve.Text == "true" || approve.Text == "allow" || approve.Text == "null" {
			continue
		}
		if pattern, flags, ok := slashes(m.Name); ok && kind == Approve {
			re, err := regexp.Compile(flags + pattern)
			if err != nil {
				return errors.Join(ErrRules, err)
			}
			r.patterns = append(r.patterns, re)
			continue
		}
		r.command(m.Name)
	}
	return nil
}

// slashes takes /pattern/flags apart.
func slashes(s string) (pattern, flags string, ok bool) {
	if len(s) < 2 || s[0] != '/' {
		return "", "", false
	}
	end := strings.LastIndexByte(s, '/')
	if end == 0 {
		return "", "", false
	}
	if strings.Contains(s[end:], "i") {
		flags = "(?i)"
	}
	return s[1:end], flags, true
}

// wrapped adds "Bash(git push:*)".
func (r *Rules) wrapped(rule string) {
	tool, inner, ok := strings.Cut(rule, "(")
	tool = strings.TrimSpace(tool)
	shell := isShell(tool) || tool == "*" || strings.EqualFold(tool, "ShellTool")
	switch {
	case !ok && shell:
		r.all = true
	case !ok:
	case shell:
		r.command(strings.TrimSuffix(inner, ")"))
	default:
		r.path(strings.TrimSuffix(inner, ")"))
	}
}

// path adds what names the files of a rule about them: the longest part of the
// path that is no pattern.
func (r *Rules) path(p string) {
	longest := ""
	for part := range strings.SplitSeq(p, "/") {
		for _, s := range strings.FieldsFunc(part, func(c rune) bool { return strings.ContainsRune("*?[]{}!:", c) }) {
			if s = strings.Trim(s, "."); len(s) > len(longest) {
				longest = s
			}
		}
	}
	if longest != "" {
		r.files = append(r.files, strings.ToLower(longest))
	}
}

// command adds the words of a rule. Options are left out, so that it names the
// command however they are written.
func (r *Rules) command(rule string) {
	rule = strings.TrimSpace(rule)
	rule = strings.TrimSuffix(strings.TrimSuffix(rule, ":*"), " *")
	var list []string
	for _, w := range strings.Fields(strings.ReplaceAll(rule, ":", " ")) {
		if w = strings.ToLower(strings.Trim(w, `"'`)); w == "" || w[0] == '-' || strings.Trim(w, "*") == "" {
			continue
		}
		list = append(list, w)
	}
	if len(list) == 0 {
		r.all = true
		return
	}
	r.commands = append(r.commands, list)
}

// starlark adds the rules of Codex.
func (r *Rules) starlark(text string) error {
	text = uncommented(text)
	for {
		_, rest, ok := strings.Cut(text, "prefix_rule(")
		if !ok {
			return nil
		}
		call, after, ok := cutCall(rest)
		if !ok {
			return ErrRules
		}
		text = after
		decision := argument(call, "decision")
		if decision == "" || decision == `"allow"` || decision == `'allow'` {
			continue
		}
		pattern, err := splice.Parse([]byte(strings.ReplaceAll(argument(call, "pattern"), "'", `"`)))
		if err != nil || pattern == nil || pattern.Kind != splice.Array {
			return errors.Join(ErrRules, err)
		}
		lines := []string{""}
		for _, e := range pattern.Elements {
			choices := e.Texts()
			if e.Kind == splice.Text {
				choices = []string{e.Text}
			}
			if len(choices) == 0 || len(lines)*len(choices) > 256 {
				return ErrRules
			}
			var next []string
			for _, l := range lines {
				for _, c := range choices {
					next = append(next, l+" "+c)
				}
			}
			lines = next
		}
		for _, l := range lines {
			r.command(l)
		}
	}
}

// uncommented takes comments of # away.
func uncommented(text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		if !strings.HasPrefix(strings.TrimSpace(l), "#") {
			b.WriteString(l)
		}
	}
	return b.String()
}

// cutCall cuts a text behind the bracket that closes a call.
func cutCall(s string) (call, after string, ok bool) {
	depth := 1
	var quoted byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quoted != 0 && c == '\\':
			i++
		case quoted != 0:
			if c == quoted {
				quoted = 0
			}
		case c == '"' || c == '\'':
			quoted = c
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			if depth--; depth == 0 {
				return s[:i], s[i+1:], true
			}
		}
	}
	return "", "", false
}

// argument is the value of a named argument of a call, "" if there is none.
func argument(call, name string) string {
	at := 0
	for at < len(call) {
		i := strings.Index(call[at:], name)
		if i < 0 {
			return ""
		}
		at += i
		if before := strings.TrimRight(call[:at], " \t\r\n"); before != "" && before[len(before)-1] != ',' {
			at += len(name)
			continue
		}
		value, ok := strings.CutPrefix(strings.TrimLeft(call[at+len(name):], " \t\r\n"), "=")
		if !ok {
			at += len(name)
			continue
		}
		value = strings.TrimLeft(value, " \t\r\n")
		if strings.HasPrefix(value, "[") {
			inner, _, _ := cutCall(value[1:])
			return "[" + inner + "]"
		}
		value, _, _ = strings.Cut(value, ",")
		return strings.TrimSpace(value)
	}
	return ""
}

// policies adds the rules of Gemini's policy files.
func (r *Rules) policies(text string) error {
	all, err := toml.Parse(strings.TrimPrefix(text, "\ufeff"))
	if err != nil {
		return errors.Join(ErrRules, err)
	}
	list, _ := all["rule"].([]any)
	for _, one := range list {
		rule, _ := one.(map[string]any)
		if rule["decision"] == "allow" || !aboutShell(rule["toolName"]) {
			continue
		}
		found := false
		for _, p := range textsOf(rule["commandPrefix"]) {
			r.command(p)
			found = true
		}
		for _, key := range []string{"commandRegex", "argsPattern"} {
			for _, p := range textsOf(rule[key]) {
				re, err := regexp.Compile(p)
				if err != nil {
					return errors.Join(ErrRules, err)
				}
				r.patterns = append(r.patterns, re)
				found = true
			}
		}
		r.all = r.all || !found
	}
	return nil
}

func aboutShell(names any) bool {
	list := textsOf(names)
	return len(list) == 0 || slices.ContainsFunc(list, func(s string) bool { return s == "*" || isShell(s) })
}

func textsOf(v any) (list []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, one := range v {
			if s, ok := one.(string); ok {
				list = append(list, s)
			}
		}
	}
	return list
}

// Name reports whether a rule names a command or a file of a line, wherever it
// stands in it: behind wrappers, in what is handed to another shell. It rather
// says yes too often.
func (r *Rules) Name(line string) bool {
	if r.all {
		return true
	}
	if len(r.commands) == 0 && len(r.files) == 0 && len(r.patterns) == 0 {
		return false
	}
	spoken := spoken(line, 0)
	for _, rule := range r.commands {
		if follow(rule, spoken) {
			return true
		}
	}
	for _, w := range spoken {
		if len(r.files) > 0 && (w == "" || slices.ContainsFunc(r.files, func(f string) bool { return strings.Contains(w, f) })) {
			return true
		}
	}
	for _, re := range r.patterns {
		if re.MatchString(line) || re.MatchString(strings.Join(spoken, " ")) {
			return true
		}
		for _, c := range shline.Split(shline.Bash, line).Commands {
			if re.MatchString(strings.Join(shline.Texts(c.Words), " ")) {
				return true
			}
		}
	}
	return false
}

// Words are the words of a line as they are written, those of lines within words
// too, and whether the shell alone knows one of them.
func Words(line string) (list []string, live bool) {
	for _, w := range spoken(line, 0) {
		live = live || w == ""
		list = append(list, w)
	}
	return list, live
}

// spoken are the words of a line in their order, those of lines within words
// too; "" stands for a word that only the shell knows.
func spoken(line string, depth int) (list []string) {
	for _, c := range shline.Split(shline.Bash, line).Commands {
		for _, w := range append(slices.Clone(c.Assigns), c.Words...) {
			switch {
			case w.Live || w.Glob:
				list = append(list, "")
			case depth < 4 && strings.ContainsAny(w.Text, " \t\n;|&"):
				list = append(list, spoken(w.Text, depth+1)...)
			default:
				list = append(list, strings.ToLower(w.Text))
			}
		}
	}
	return list
}

// follow reports whether the words of a rule are among those of a line, in their
// order.
func follow(rule, spoken []string) bool {
	i := 0
	for _, w := range spoken {
		if i < len(rule) && (w == "" || match(rule[i], w) || match(rule[i], path.Base(w))) {
			i++
		}
	}
	return i == len(rule)
}

func match(pattern, word string) bool {
	if !strings.ContainsAny(pattern, "*?[") {
		return pattern == word
	}
	ok, err := path.Match(pattern, word)
	return ok || err != nil || pattern == word
}
