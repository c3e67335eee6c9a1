package law

import (
	"slices"
	"strings"
)

// globals are the names that a tool finds.
var globals = strings.Fields(`tgp process console globalThis undefined NaN Infinity
	Object Array String Number Boolean Symbol BigInt Math JSON Date RegExp Promise Proxy Reflect Map Set WeakMap WeakSet WeakRef
	FinalizationRegistry Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError SuppressedError
	ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float16Array Float32Array
	Float64Array BigInt64Array BigUint64Array Iterator AsyncIterator
	parseInt parseFloat isNaN isFinite encodeURI encodeURIComponent decodeURI decodeURIComponent escape unescape atob btoa
	setTimeout clearTimeout setInterval clearInterval setImmediate clearImmediate queueMicrotask structuredClone fetch
	Buffer Headers URL URLSearchParams TextEncoder TextDecoder DOMException performance crypto arguments async`)

// members are what tgp and process have.
var members = map[string][]string{
	"tgp":            {"args", "env", "dirs", "log", "fs", "db", "http"},
	"tgp.fs":         {"read", "write", "list", "stat"},
	"tgp.db":         {"query", "proxy"},
	"tgp.http":       {"fetch"},
	"process":        {"argv", "env", "exit", "stdout"},
	"process.stdout": {"write"},
}

// chain is a.b.c of members of a global; "" if it is none.
func (c *checker) chain(n *Node) string {
	switch {
	case n.Kind == Ident && !c.tree.declared[n.Text]:
		return n.Text
	case n.Kind == Member && len(n.Kids) == 1:
		if up := c.chain(n.Kids[0]); up != "" {
			return up + "." + n.Text
		}
	}
	return ""
}

func (c *checker) member(n *Node) {
	up := c.chain(n.Kids[0])
	if up == "globalThis" && (n.Text == "eval" || n.Text == "Function") || n.Text == "constructor" && n.Kids[0].Kind == Member && n.Kids[0].Text == "constructor" {
		c.add(n.Pos, "eval/forbidden", "no code is made of text here")
	}
	up = strings.TrimPrefix(up, "globalThis.")
	if known := members[up]; known != nil && !slices.Contains(known, n.Text) {
		c.add(n.Pos, "undef", "%s has no %s", up, n.Text)
	}
	if up == "tgp.args" && len(c.manifest.Params) > 0 &&
		!slices.ContainsFunc(c.manifest.Params, func(p Param) bool { return p.Name == n.Text }) {
		c.add(n.Pos, "doc/param", "%s is not declared with @param", n.Text)
	}
}

// called looks at a call; true: its parts have been looked at.
func (c *checker) called(n *Node) bool {
	callee := n.Kids[0]
	args := n.Kids[1:]
	if callee.Kind == Member && callee.Text == "constructor" {
		c.add(n.Pos, "eval/forbidden", "no code is made of text here")
	}
	name := strings.TrimPrefix(c.chain(callee), "globalThis.")
	switch name {
	case "require":
		if len(args) == 1 && args[0].Kind == String {
			c.imported(args[0].Pos, args[0].Text)
			if !slices.ContainsFunc(c.out, func(f Finding) bool { return f.Rule == "import/builtin" }) {
				c.add(callee.Pos, "undef", "there is no require: use import")
			}
			return true
		}
	case "setTimeout", "setInterval", "setImmediate":
		if len(args) > 0 && (args[0].Kind == String || args[0].Kind == Template) {
			c.add(args[0].Pos, "eval/forbidden", "no code is made of text here")
		}
	case "tgp.fs.write":
		c.needs(n.Pos, "local-write", "tgp.fs.write")
	case "fetch", "tgp.http.fetch":
		c.needs(n.Pos, "network", name)
	case "tgp.db.query":
		if len(args) > 0 && args[0].Kind == String && slices.Contains(c.Writes, args[0].Text) {
			c.needs(n.Pos, "db-write", "the query "+args[0].Text)
		}
	}
	if callee.Kind == Member && callee.Text == "concat" && (callee.Kids[0].Kind == String || callee.Kids[0].Kind == Template) {
		c.joined(n.Pos, append([]*Node{callee.Kids[0]}, args...))
	}
	return false
}

func (c *checker) needs(pos int, effect, what string) {
	if !c.manifest.Declares(effect) {
		c.add(pos, "effect/undeclared", "%s needs @effect %s", what, effect)
	}
}

func (c *checker) reference(n *Node) {
	switch {
	case c.tree.declared[n.Text] || slices.Contains(globals, n.Text):
	case n.Text == "eval" || n.Text == "Function":
		c.add(n.Pos, "eval/forbidden", "no code is made of text here")
	default:
		c.add(n.Pos, "undef", "%s is not defined", n.Text)
	}
}
