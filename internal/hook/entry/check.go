package entry

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/hook"
	"github.com/tool-mapping-protocol/tmp/internal/splice"
)

// Mode is that of a new file.
func (e *Entry) Mode() fs.FileMode {
	if e.layout() == hook.Script {
		return 0o755
	}
	return 0o644
}

// Check says what is wrong with a file as such.
func (e *Entry) Check(data []byte) error {
	switch e.layout() {
	case hook.Script, hook.Module:
		return nil
	case hook.Tables:
		return sound(data)
	}
	root, err := splice.Parse(data)
	if err == nil && root != nil && root.Kind != splice.Object {
		err = fmt.Errorf("%w: want an object", splice.ErrShape)
	}
	return err
}

// Closed reports whether the entry in a file makes the harness stop a tool where
// the hook fails.
func (e *Entry) Closed(data []byte) bool {
	switch {
	case e.Harness.Fails == "closed", e.layout() == hook.Module:
		return true
	case e.Harness.Shut == "" || e.layout() == hook.Script || e.layout() == hook.Tables:
		return false
	}
	root, err := splice.Parse(data)
	if err != nil || root == nil {
		return false
	}
	want, err := splice.Parse([]byte("{" + e.Harness.Shut + "}"))
	list := root.At(e.path(root)...)
	if err != nil || list == nil {
		return false
	}
	m := want.Members[0]
	for _, el := range list.Elements {
		if !e.is(el) {
			continue
		}
		holders := []*splice.Node{el}
		if hooks := el.Get("hooks"); hooks != nil {
			holders = hooks.Elements
		}
		for _, h := range holders {
			if splice.Equal(h.Get(m.Name), m.Value) {
				return true
			}
		}
	}
	return false
}

// Others notes what in a file weakens the hook: hooks of others that allow or
// rewrite, and rules that let tmp run anything.
func (e *Entry) Others(data []byte) (notes []string) {
	root, err := splice.Parse(data)
	if err != nil || root == nil || root.Kind != splice.Object {
		return nil
	}
	if list := root.At(e.path(root)...); list != nil {
		for _, el := range list.Elements {
			for _, c := range commands(el) {
				if !ours(c, "") {
					notes = append(notes, "another hook is asked too, which may allow or rewrite: "+short(c))
				}
			}
		}
	}
	for _, rule := range root.At("permissions", "allow").Texts() {
		inner := strings.TrimSuffix(rule[strings.IndexByte(rule, '(')+1:], ")")
		words := strings.Fields(strings.TrimRight(strings.TrimSuffix(inner, ":*"), " *-"))
		if len(words) > 0 && words[0] == "tmp" && (len(words) == 1 || len(words) == 2 && words[1] == "run") {
			notes = append(notes, "the rule "+rule+" lets tmp run any command unasked")
		}
	}
	return notes
}

func short(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
	if r := []rune(s); len(r) > 80 {
		return string(r[:79]) + "…"
	}
	return s
}
