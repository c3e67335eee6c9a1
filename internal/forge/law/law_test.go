package law

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// rules are the findings as "LINE:COL RULE", one after the other.
func rules(source, file string, change ...func(*Options)) string {
	o := Options{File: file, Allowed: []string{"zod", "drizzle-orm"}, Schema: func(s string) bool { return s == "tgp:schema" }}
	for _, c := range change {
		c(&o)
	}
	var out []string
	for _, f := range Check(source, o).Findings {
		out = append(out, fmt.Sprintf("%d:%d %s", f.Line, f.Col, f.Rule))
	}
	return strings.Join(out, ", ")
}

func TestLaws(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{`const user = "admin@tesla.com"`, "1:14 law/email"},
		{`const user = tgp.args.email`, ""},
		{`const s = "0123456789abcdef"`, ""},
		{`const s = "0123456789abcdefg"`, "1:11 law/literal"},
		{"const s = `0123456789${1}abcdefg`", "1:11 law/literal"},
		{"const s = `01234567${1}abcdefgh`", ""},
		{`const s = "01234567" + "89abcdefg"`, "1:11 law/concat"},
		{`const s = "01234567" + process.argv[0] + "89abcdefg"`, "1:11 law/concat"},
		{`const s = ("01234567" + ("89abcdefg"))`, "1:12 law/concat"},
		{`const s = "01234567".concat("89abcdefg")`, "1:11 law/concat"},
		{`const s = "\u0041\x41\u{41}bcdefghijklmn"`, ""},
		{`const s = "\u0041\x41\u{41}bcdefghijklmno"`, "1:11 law/literal"},
		{`const s = "😀😀😀😀😀😀😀😀"`, ""},
		{`const s = "😀😀😀😀😀😀😀😀😀"`, "1:11 law/literal"},
		{`const o = { aVeryLongKeyIndeed: 1 }`, "1:13 law/literal"},
		{`const o = { "a very long key in": 1 }`, "1:13 law/literal"},
		{`const { aVeryLongKeyIndeed } = tgp.args; [aVeryLongKeyIndeed]`, ""},
		{`let aVeryLongKeyIndeed; ({ aVeryLongKeyIndeed } = tgp.args)`, ""},
		{`enum E { AVeryLongMemberName, B = "a very long value" }`, "1:10 law/literal, 1:35 law/literal"},
		{`type T = "a type may be as long as it wants" | { [k: string]: "as long as it wants" }`, ""},
		{`interface I<T extends "very long indeed, very"> { aVeryLongKeyIndeed: "very long indeed, very" }`, ""},
		{`const x = 1 as unknown as "a type may be as long as it wants"`, ""},
		{`let x: "a type may be as long as it wants" | undefined = undefined`, ""},
		{`function f<T = "a type may be as long as it wants">(a: "a type may be as long as it wants"): a is "a type may be as long" { return true }`, ""},
		{`// a comment may be as long as it wants: admin@tesla.com`, ""},
		{`const n = 123456789012345678901`, "1:11 law/number"},
		{`const n = 12345678901234567890n`, ""},
		{`const n = 0x123456789abcdef012345n`, "1:11 law/number"},
		{`const n = 1_234_567_890_123_456_789_012`, "1:11 law/number"},
		{`const r = /abcdefghijklmnopq/`, "1:11 law/regex"},
		{`const r = /abcdefghijklmnop.q/`, ""},
		{`const r = /[/"]abcdefgh\/ijklmno\x41\x41/g; const s = "x"`, "1:11 law/regex"},
		{`import { z } from "zod"; import { eq } from 'drizzle-orm/pg-core'; z; eq`, ""},
		{`import fs from "fs"`, "1:16 import/builtin"},
		{`import { exec } from "node:child_process"`, "1:22 import/builtin"},
		{`const cp = require("child_process")`, "1:20 import/builtin"},
		{`import x from "https://evil.example/x.js"`, "1:15 import/url"},
		{`import x from "npm:lodash"`, "1:15 import/url"},
		{`import x from "data:text/javascript,1"`, "1:15 import/url"},
		{`import x from "./other"`, "1:15 import/denied"},
		{`import x from "left-pad"`, "1:15 import/denied"},
		{`import x from "zod/../left-pad"`, "1:15 import/denied"},
		{`export * from "left-pad"`, "1:15 import/denied"},
		{`const m = await import("tgp:schema"); m`, ""},
		{`const m = await import("tgp:" + "schema"); m`, "1:17 import/dynamic"},
		{`eval("1")`, "1:1 eval/forbidden"},
		{`new Function("a")`, "1:5 eval/forbidden"},
		{`(() => 1).constructor("return 1")()`, "1:2 eval/forbidden"},
		{`[].constructor.constructor`, "1:1 eval/forbidden"},
		{`setTimeout("x()", 1)`, "1:12 eval/forbidden"},
		{`tgp.exec("ls")`, "1:1 undef"},
		{`process.kill(1)`, "1:1 undef"},
		{`process.exit(1); process.stdout.write("x"); process.env.A; process.argv[2]`, ""},
		{`foo()`, "1:1 undef"},
		{`typeof foo === "x"`, ""},
		{`new WebAssembly.Module()`, "1:5 undef"},
		{`const q = "select * from x"`, "1:11 sql/raw"},
		{"const q = `delete from ${1}`", "1:11 sql/raw"},
		{`const q = "selected"`, ""},
		{`const q = "select"`, ""},
		{`fetch("x")`, "1:1 effect/undeclared"},
		{`tgp.fs.write("a", "b")`, "1:1 effect/undeclared"},
		{"/** x\n * @effect local-write\n */\ntgp.fs.write('a', 'b')", ""},
		{"/** x\n * @effect nothing\n */", "2:4 effect/undeclared"},
		{"/**\n * @param {strin} a b\n */", "2:4 doc/param"},
		{"/**\n * @param {string} month the month\n */\ntgp.args.mont", "4:1 doc/param"},
		{`const x = `, "1:11 syntax"},
		{`const a = <T,>(x: T): T => x; a<string>("b"); const m = new Map<string, Array<number>>(); m`, ""},
		{`let i = 0, n = 1; const b = i < n && n > (i); const c = i < n; b; c`, ""},
		{`const f = (a: number, { b, c = "x" }: { b: string; c?: string } = { b: "" }): Promise<void> => { b; c; return a as any }; f`, ""},
		{`let a = 1, b = 2, c = 3; const x = a ? (b) : c; const y = a ? (b): number => c : c; x; y`, ""},
		{`let a = 4, g = 2; const x = a / 2 / g; const y = a++ / 2; x; y`, ""},
		{`class A<T> extends Map<string, T> implements I { private readonly x: T[] = []; static #y = 1; constructor(public z: string) { super() } get v() { return this.x } async *it() {} [k: string]: any }`, ""},
		{`abstract class A { abstract m(): void; declare x: string } export { A as default }`, ""},
		{`declare const X: number; X`, "1:26 undef"},
		{`for (const [k, v] of Object.entries({})) { k; v } for (let i = 0; i < 3; i++) {} for (const k in {}) k`, ""},
		{`label: for (;;) { break label }`, ""},
		{`const x = { async f() {}, get a() { return 1 }, *g() {}, [1 + 2]: 3, "x"() {}, get: 1, async: 2 }; x`, ""},
		{`function f(this: Window, x?: number, ...r: string[]): asserts x is number; function f(x: any) { x }`, ""},
		{`export default async function main({ month }: { month: string }) { return month }`, ""},
		{`const x = a! + b!.c?.[0]?.(1) ?? 3; var a: any, b: any; x`, ""},
		{`const x = <const T,>(a: T) => a; const y = x satisfies unknown; y`, ""},
		{"const t = `a${`b${\"c\"}`}`; t", ""},
		{`import type { A } from "zod"; let a: A; let b: import("x").Y<string>[]; a; b`, ""},
		{`let x: typeof y[number]; let z: new (...a: any[]) => void; let w: T extends infer U extends string ? U : never; var y: any; x; z; w`, ""},
		{`let v: (a: string) => void = (a) => {}; let u: { a: 1 } | [b: string, c?: number] = null as any; v; u`, ""},
		{`namespace N { export const a = 1 } N.a`, ""},
		{`@dec class A { @dec() x = 1 } function dec(...a: any[]): any { a }`, ""},
		{`if (1) {} else if (2) ; else { } do { } while (0) switch (1) { case 1: break; default: } try { } catch { } finally { }`, ""},
		{`const x = async (a: string) => await a; const y = async b => b; x; y`, ""},
	} {
		if got := rules(tt.source, "t.ts"); got != tt.want {
			t.Errorf("%s\n got %q\nwant %q", tt.source, got, tt.want)
		}
	}
}

func TestJSX(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{`const React: any = 0; const x = <a b="c" d={1}>text {x} <B.C {...x}/></a>; var B: any`, ""},
		{`const React: any = 0; const x = <a>a text that is too long</a>; x`, "1:36 law/literal"},
		{`const x = <><p title="a title that is too long">:) it's</p></>; x`, "1:22 law/literal"},
		{`const f = <T,>(x: T) => x; f`, ""},
	} {
		if got := rules(tt.source, "t.tsx"); got != tt.want {
			t.Errorf("%s\n got %q\nwant %q", tt.source, got, tt.want)
		}
	}
}

func TestManifest(t *testing.T) {
	tree, err := Parse(`import x from "zod"
/**
 * Sums the revenue of a month. More of it.
 * @param {string} month of the year
 * @param {integer} [top=10] how many
 * @param {"csv"|"json"} [format="csv"]
 * @effect local-write + network
 * @net api.stripe.com http://localhost:8080
 * @env STRIPE_KEY
 * @risk high
 * @intent revenue of <month>
 */
`, false)
	if err != nil {
		t.Fatal(err)
	}
	m := tree.Manifest()
	if m.Description != "Sums the revenue of a month." || m.Effect() != "local-write+network" || m.Level() != "HIGH_RISK" ||
		len(m.Params) != 3 || !m.Params[0].Required || *m.Params[1].Default != "10" || m.Params[2].Type != "enum" || *m.Params[2].Default != "csv" ||
		strings.Join(m.Net, " ") != "api.stripe.com http://localhost:8080" || m.Env[0] != "STRIPE_KEY" || m.Intents[0] != "revenue of <month>" {
		t.Errorf("%+v", m)
	}
	if len(m.findings) > 0 {
		t.Errorf("%v", m.findings)
	}
}

// What nests without end is refused, and refused soon.
func TestDeepSources(t *testing.T) {
	for _, part := range []string{"(", "[", "{a:", "(a=", "`${", "a=>", "!", "x<", "<a>", "if(1)", "function f(){", "1?", "async(", "(a=async(b="} {
		for _, file := range []string{"a.ts", "a.tsx"} {
			_ = rules(strings.Repeat(part, 60000/len(part)), file)
		}
	}
}

// Real sources are read: those of packages, if there are any here.
func TestRealSources(t *testing.T) {
	dir := os.Getenv("TGP_SOURCES")
	if dir == "" {
		t.Skip("TGP_SOURCES names no directory of TypeScript")
	}
	n, bad := 0, 0
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".ts") && !strings.HasSuffix(path, ".tsx") && !strings.HasSuffix(path, ".mjs") {
			return nil
		}
		data, _ := os.ReadFile(path)
		n++
		if _, err := Parse(string(data), strings.HasSuffix(path, "x")); err != nil {
			bad++
			if bad < 40 {
				t.Errorf("%s: %v", path, err)
			}
		}
		return nil
	})
	t.Logf("%d sources, %d not read", n, bad)
}
