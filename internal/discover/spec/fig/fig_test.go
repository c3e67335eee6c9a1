package fig_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/discover/spec/fig"
	"github.com/tool-mapping-protocol/tmp/internal/discover/spec/fig/evaluator"
	"github.com/tool-mapping-protocol/tmp/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Child()
	evaluator.Child()
	os.Exit(m.Run())
}

// TestIntoAFile: what is evaluated may be written to a file, too; the limits of the
// process leave room for it.
func TestIntoAFile(t *testing.T) {
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	self := evaluator.Self()
	cmd := exec.Command(self[0], self[1:]...)
	cmd.Stdin, cmd.Stdout = strings.NewReader("export default {name: 'x'}"), out
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(out.Name()); string(got) != `{"value":{"name":"x"}}`+"\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestFaults: what cannot be read is told with its line, in bounded time.
func TestFaults(t *testing.T) {
	for _, test := range []struct {
		name, text, want string
		line             int
	}{
		{"syntax", "const a = 1;\nexport default {name: };", "not JavaScript", 2},
		{"thrown", "\n\nthrow new Error('no');\nexport default {name: 'x'}", "fails: Error: no", 3},
		{"nothing exported", "const a = 1", "exports no spec", 0},
		{"a text", "export default 'x'", "exports no spec", 0},
		{"another file's", "export { default } from './gh'", "./gh", 0},
		{"imported", "import x from './gh';\nexport default x", "./gh", 0},
		{"a string that does not end", "export default {\nname: 'x\n}", "does not end", 2},
		{"endless", "while (true) {}", "takes too long", 0},
		{"calls without end", "const f = () => f();\nf();", "fails", 0},
		{"nested without end", "let o = {};for (let i = 0; i < 1000; i++) o = {a: o};export default o", "nested", 0},
		{"endless list", "export default {name: 'x', options: {get length() { return 1e9 }}, subcommands: new Array(1e9)}", "too many values", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := fig.Read(t.Context(), evaluator.Self(), []byte(test.text))
			var fault *draft.Fault
			if !errors.As(err, &fault) {
				t.Fatalf("error %v", err)
			}
			if !strings.Contains(fault.Reason, test.want) || fault.Line != test.line {
				t.Errorf("line %d: %s; want %q in line %d", fault.Line, fault.Reason, test.want, test.line)
			}
		})
	}
}

// TestBounds: a script that wants all memory, or sits in what cannot be
// interrupted, costs this process nothing and ends.
func TestBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, text := range map[string]string{
		"memory":            "const a = [];for (;;) a.push('x'.repeat(1 << 20) + a.length)",
		"one great string":  "let s = 'x';for (;;) s += s",
		"backtracking":      "/^(a+)+$/.test('a'.repeat(40) + 'b');export default {name: 'x'}",
		"one great sort":    "const a = new Array(3e7).fill(0).map((x, i) => -i);a.sort();export default {name: 'x'}",
		"promises for ever": "const f = () => Promise.resolve().then(f);f();export default {name: 'x'}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			begin := time.Now()
			_, err := fig.Read(t.Context(), evaluator.Self(), []byte(text))
			var fault *draft.Fault
			if err != nil && !errors.As(err, &fault) {
				t.Errorf("error %v", err)
			}
			if took := time.Since(begin); took > 30*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestNoHost: a script sees nothing of this machine.
func TestNoHost(t *testing.T) {
	const text = `
		const names = ["process", "fetch", "console", "setTimeout", "WebAssembly", "Deno", "Bun", "os", "fs", "window", "XMLHttpRequest", "performance"];
		export default {name: "x", description: [
			names.filter((n) => typeof globalThis[n] !== "undefined").join(","), Date.now(), Math.random(), typeof require("fs").readFileSync("/etc/passwd"),
		].join(" ")}`
	n, err := fig.Read(t.Context(), evaluator.Self(), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if n.Description != " 0 0 function" {
		t.Errorf("sees %q", n.Description)
	}
}

// TestLimited: where no jail can be made the answer is the same.
func TestLimited(t *testing.T) {
	r, err := fig.Limited(context.Background(), evaluator.Self(), `export default {name: "x"}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(string(r.Stdout)); got != `{"value":{"name":"x"}}` {
		t.Errorf("%s %s", got, r.Stderr)
	}
}
