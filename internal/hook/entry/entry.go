// Package entry writes and finds our entry in the files of the harnesses: the
// bytes of a file in, the bytes of a file out. It reads and writes no disk.
package entry

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/hook"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/internal/splice"
	"github.com/tool-mapping-protocol/tmp/internal/toml"
)

// Timeout is how long a harness waits for an answer, in seconds.
const Timeout = 5

// ErrForeign is wrapped where a file that would be ours alone is somebody else's.
var ErrForeign = errors.New("is not one that tmp-agent wrote")

// Entry is what is entered for one harness.
type Entry struct {
	Harness *hook.Harness
	Project bool
	// Argv starts the hook: an absolute path, the key, options.
	Argv []string
	// Shut: the harness is new enough for the member that makes a failed hook stop
	// the tool.
	Shut bool
}

// layout is the layout of the file in its scope.
func (e *Entry) layout() hook.Layout {
	if e.Project && e.Harness.ProjectLayout != hook.Groups {
		return e.Harness.ProjectLayout
	}
	return e.Harness.Layout
}

// Line is the command as a shell reads it, the program in quotes.
func (e *Entry) Line() string {
	words := make([]string, len(e.Argv))
	for i, w := range e.Argv {
		words[i] = w
		if i == 0 || shline.QuoteWord(shline.Bash, w) != w {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// path is where the list of the event is in a JSON file.
func (e *Entry) path(root *splice.Node) []string {
	switch e.layout() {
	case hook.Events:
		// An older file of Droid has them in an object more.
		if hooks := root.Get("hooks"); hooks != nil && hooks.Kind == splice.Object {
			return []string{"hooks", e.Harness.Event}
		}
		return []string{e.Harness.Event}
	case hook.Triggers:
		return []string{"hooks"}
	}
	return []string{"hooks", e.Harness.Event}
}

// Add returns the file with the entry, last in its list; the same bytes if it is
// there as it would be written. An entry of ours that says something else is
// replaced where it stands.
func (e *Entry) Add(data []byte) ([]byte, error) {
	switch e.layout() {
	case hook.Script:
		return e.whole(data, e.script())
	case hook.Module:
		return e.whole(data, e.module())
	case hook.Tables:
		return e.addTable(data)
	}
	root, err := splice.Parse(data)
	if err != nil {
		return nil, err
	}
	if root != nil && root.Kind != splice.Object {
		return nil, fmt.Errorf("the file %w: want an object", splice.ErrShape)
	}
	if e.alone() && root != nil && !anyOurs(root) {
		return nil, ErrForeign
	}
	at := e.path(root)
	if list := root.At(at...); list != nil && list.Kind == splice.Array {
		for _, el := range list.Elements {
			if !e.is(el) {
				continue
			}
			if e.same(el) {
				return data, nil
			}
			return splice.Replace(data, el, e.element()), nil
		}
	}
	if e.Served(data) {
		return data, nil
	}
	first := ""
	switch e.layout() {
	case hook.Bash, hook.Commands:
		first = `"version": 1`
	case hook.Triggers:
		first = `"version": "v1"`
	}
	return splice.Insert(data, at, e.element(), first)
}

// alone reports whether a file is to hold nothing but what is ours.
func (e *Entry) alone() bool {
	switch e.layout() {
	case hook.Bash, hook.Triggers, hook.Script, hook.Module:
		return true
	}
	return false
}

// Remove returns the file without the entry; nil if nothing is left of a file
// that was ours alone. Before is the file as it was before the entry, nil if
// that is not known. It returns the same bytes where there is no entry.
func (e *Entry) Remove(data, before []byte) ([]byte, error) {
	switch e.layout() {
	case hook.Script, hook.Module:
		if len(data) == 0 {
			return data, nil
		}
		if !e.Has(data) {
			return data, ErrForeign
		}
		return nil, nil
	case hook.Tables:
		return e.removeTable(data)
	}
	root, err := splice.Parse(data)
	if err != nil || root == nil {
		return data, err
	}
	if e.alone() && !anyOurs(root) {
		return data, ErrForeign
	}
	old, _ := splice.Parse(before)
	keep := func(p []string) bool { return old.At(p...) != nil }
	out, err := splice.Remove(data, e.path(root), e.is, keep)
	if err != nil || !e.alone() {
		return out, err
	}
	if left, err := splice.Parse(out); err == nil && left.Get("hooks") == nil {
		return nil, nil
	}
	return out, nil
}

// Has reports whether a file holds an entry of ours for this harness.
func (e *Entry) Has(data []byte) bool { return len(e.Commands(data)) > 0 }

// Served reports whether the entry of another harness that has the same file
// answers this one too.
func (e *Entry) Served(data []byte) bool {
	for _, key := range e.Harness.Also {
		h, ok := hook.Find(key)
		other := Entry{Harness: h, Project: e.Project}
		if ok && e.layout() == other.layout() && other.Has(data) {
			return true
		}
	}
	return false
}

// Commands are the lines of the entries of ours for this harness.
func (e *Entry) Commands(data []byte) (lines []string) {
	switch e.layout() {
	case hook.Script:
		return scriptLines(data, e.Harness.Key)
	case hook.Module:
		return moduleLines(data, e.Harness.Key)
	case hook.Tables:
		for _, t := range splice.Tables(data, "hooks") {
			if ours(t.Values["command"], e.Harness.Key) {
				lines = append(lines, t.Values["command"])
			}
		}
		return lines
	}
	root, err := splice.Parse(data)
	if err != nil || root == nil {
		return nil
	}
	list := root.At(e.path(root)...)
	if list == nil {
		return nil
	}
	for _, el := range list.Elements {
		for _, c := range commands(el) {
			if ours(c, e.Harness.Key) {
				lines = append(lines, c)
			}
		}
	}
	return lines
}

// is reports whether an element of the list is our entry for this harness.
func (e *Entry) is(el *splice.Node) bool {
	for _, c := range commands(el) {
		if ours(c, e.Harness.Key) {
			return true
		}
	}
	return false
}

// same reports whether an element is as it would be written.
func (e *Entry) same(el *splice.Node) bool {
	want, err := splice.Parse([]byte(e.element()))
	return err == nil && splice.Equal(el, want)
}

// commands are the command lines of an element, in any layout.
func commands(el *splice.Node) (lines []string) {
	for _, name := range []string{"command", "bash"} {
		if c := el.Get(name); c != nil && c.Kind == splice.Text {
			lines = append(lines, c.Text)
		}
	}
	if a := el.Get("action"); a != nil {
		lines = append(lines, commands(a)...)
	}
	if hooks := el.Get("hooks"); hooks != nil {
		for _, h := range hooks.Elements {
			lines = append(lines, commands(h)...)
		}
	}
	return lines
}

// anyOurs reports whether a command of ours, for any harness, is anywhere in it.
func anyOurs(n *splice.Node) bool {
	if n.Kind == splice.Text {
		return ours(n.Text, "")
	}
	for _, m := range n.Members {
		if anyOurs(m.Value) {
			return true
		}
	}
	for _, el := range n.Elements {
		if anyOurs(el) {
			return true
		}
	}
	return false
}

// ours reports whether a command line starts our hook for a harness; "" is any.
func ours(text, key string) bool {
	words := Words(text)
	if len(words) < 2 {
		return false
	}
	switch path.Base(words[0]) {
	case "tmp-hook":
		words = words[1:]
	case "tmp-agent":
		if words[1] != "hook" || len(words) < 3 {
			return false
		}
		words = words[2:]
	default:
		return false
	}
	return key == "" || words[0] == key
}

// Words are the words of a command line of ours.
func Words(text string) []string {
	x := shline.Split(shline.Bash, text)
	if len(x.Commands) == 0 {
		return nil
	}
	words := shline.Texts(x.Commands[0].Words)
	if len(words) > 0 && words[0] == "exec" {
		words = words[1:]
	}
	return words
}

// addTable enters the hook in a TOML file.
func (e *Entry) addTable(data []byte) ([]byte, error) {
	if err := sound(data); err != nil {
		return nil, err
	}
	lines := []string{
		`event = "` + e.Harness.Event + `"`, `command = ` + tomlQuote(e.Line()), fmt.Sprintf("timeout = %d", Timeout),
	}
	for _, t := range splice.Tables(data, "hooks") {
		if !ours(t.Values["command"], e.Harness.Key) {
			continue
		}
		if t.Values["command"] == e.Line() && t.Values["event"] == e.Harness.Event && t.Values["timeout"] == fmt.Sprint(Timeout) && len(t.Values) == 3 {
			return data, nil
		}
		data = splice.CutTable(data, t)
		break
	}
	out, err := splice.AppendTable(data, "hooks", lines)
	if err != nil {
		return nil, err
	}
	if err := sound(out); err != nil {
		return nil, fmt.Errorf("hooks %w: %w", splice.ErrShape, err)
	}
	return out, nil
}

func (e *Entry) removeTable(data []byte) ([]byte, error) {
	if err := sound(data); err != nil {
		return data, err
	}
	for {
		cut := false
		for _, t := range splice.Tables(data, "hooks") {
			if ours(t.Values["command"], e.Harness.Key) {
				data, cut = splice.CutTable(data, t), true
				break
			}
		}
		if !cut {
			return data, nil
		}
	}
}

// sound reports what is wrong with a TOML file.
func sound(data []byte) error {
	_, err := toml.Parse(strings.TrimPrefix(string(data), "\ufeff"))
	return err
}

// tomlQuote writes a text of TOML.
func tomlQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// whole replaces a file that is ours alone.
func (e *Entry) whole(data []byte, text string) ([]byte, error) {
	if len(data) > 0 && !e.Has(data) {
		return nil, ErrForeign
	}
	return []byte(text), nil
}
