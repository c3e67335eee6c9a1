package isolate

import (
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/forge/worker"
)

// TestBoundsOfAttacks: whatever a tool does to memory or to time, its worker ends within
// its quota and a second, and never has more than its memory and 150 MB.
func TestBoundsOfAttacks(t *testing.T) {
	const memory, wall = 96 << 20, 600 * time.Millisecond
	for name, code := range map[string]string{
		"bytes":            `const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))`,
		"objects":          `const a = []; for (;;) a.push({ a: [1, 2, 3] })`,
		"strings":          `const a = []; for (;;) a.push("x".repeat(1e6) + a.length)`,
		"doubled":          `let s = "x"; for (;;) s += s`,
		"caught":           `const a = []; for (;;) { try { a.push(new Uint8Array(1e6).fill(1)) } catch {} }`,
		"array":            `new Array(1e8).fill(0).map((x) => [x])`,
		"split":            `"x".repeat(2e7).split("")`,
		"join":             `new Array(1e7).fill("xxxxxxxxxx").join("y")`,
		"JSON":             `const a = []; for (let i = 0; i < 1e6; i++) a.push({ a: i }); JSON.stringify(a)`,
		"regular":          `/(.*)*y/.test("x".repeat(1e5))`,
		"number":           `2n ** 100000000n`,
		"buffer":           `const a = []; for (;;) a.push(new ArrayBuffer(1e7))`,
		"promises":         `const a = []; for (;;) a.push(new Promise(() => {}))`,
		"answers":          `const a = []; for (;;) a.push(await tgp.fs.stat("x".repeat(1e5)))`,
		"a large question": `await tgp.fs.stat("x".repeat(4e7))`,
		"output":           `for (;;) console.log("x".repeat(1e5))`,
		"a large result":   `export default "x".repeat(5e7)`,
		"sorting":          `Array.from({ length: 1e6 }, (_, i) => -i).sort(() => { for (;;) {} })`,
	} {
		t.Run(name, func(t *testing.T) {
			w := start(t, memory)
			begin := time.Now()
			out, _ := run(t, w, code, wall)
			took := time.Since(begin)
			w.Close()
			if took > wall+time.Second {
				t.Errorf("it took %v", took)
			}
			if out.Kind == worker.Broken {
				t.Errorf("%+v", out)
			}
			if rss := w.process.usage.Maxrss << 10; rss > memory+150<<20 {
				t.Errorf("%d MB", rss>>20)
			}
			t.Logf("%s in %v, %d MB", out.Kind, took.Round(time.Millisecond), w.process.usage.Maxrss>>10)
		})
	}
}
