package forging

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/tgp"
	"github.com/tool-mapping-protocol/tmp/internal/forge/worker"
)

func TestMain(m *testing.M) {
	worker.Child()
	if os.Getenv("TGP_TEST_MAIN") != "" { // started as the program itself
		os.Exit(tgp.Main(tgp.System(), Commands()))
	}
	os.Exit(m.Run())
}

// world is a project with a home of its own; the compiled engine is shared.
type world struct {
	t   *testing.T
	dir string
	env map[string]string
	tty bool
}

func newWorld(t *testing.T) *world {
	t.Helper()
	root := t.TempDir()
	w := &world{t: t, dir: filepath.Join(root, "app"), env: map[string]string{
		"HOME": filepath.Join(root, "home"), "TMP_CACHE_DIR": filepath.Join(os.TempDir(), "tgp-test-cache"),
	}}
	for _, d := range []string{w.dir, w.env["HOME"]} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// tgp runs a command line.
func (w *world) tgp(args ...string) (status int, stdout, stderr string) {
	w.t.Helper()
	return w.fed("", args...)
}

func (w *world) fed(stdin string, args ...string) (status int, stdout, stderr string) {
	w.t.Helper()
	var out, errs bytes.Buffer
	status = tgp.Main(tgp.Env{
		Args: args, Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Dir: w.dir, Now: time.Now, Context: context.Background(),
		Getenv: func(k string) string { return w.env[k] }, IsTerminal: func(int) bool { return w.tty },
		OpenTTY: func() (io.ReadWriteCloser, error) { return &answering{strings.NewReader("y\n"), io.Discard}, nil },
	}, Commands())
	return status, out.String(), errs.String()
}

type answering struct {
	io.Reader
	io.Writer
}

func (answering) Close() error { return nil }

func (w *world) write(name, text string) string {
	w.t.Helper()
	file := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
	return file
}

func (w *world) must(args ...string) string {
	w.t.Helper()
	status, out, errs := w.tgp(args...)
	if status != 0 {
		w.t.Fatalf("tgp %s: %d\n%s%s", strings.Join(args, " "), status, out, errs)
	}
	return out
}

// god configures the project for development.
func (w *world) god(more string) *world {
	w.env["TGP_CONFIG"] = `{"mode":"god","rootDir":"./.tgp","fs":{"allowedDirs":["./out"],"maxFiles":20,"maxWriteSizeMB":1},"env":["HOST_VAR","API_TOKEN"],"limits":{"wallSeconds":2,"memoryMB":64,"outputMB":1}` + more + `}`
	return w
}

// TestAttacks: each is stopped with its code, within its quota and a second, and the
// host goes on. Code that the laws refuse already is put together so that it passes
// them: what is tested here is the isolate.
func TestAttacks(t *testing.T) {
	w := newWorld(t).god("")
	w.env["HOST_VAR"], w.env["API_TOKEN"], w.env["SECRET_VAR"] = "seen", "tok", "secret"
	secret := filepath.Join(filepath.Dir(w.dir), "outside")
	if err := os.WriteFile(secret, []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.write(".env", "S=secret")
	w.write("src/ok.txt", "fine")
	w.write("out/kept", "")
	for link, to := range map[string]string{"leak": secret, "dirleak": "/etc", "envlink.txt": ".env", "out/outlink": secret, "out/dir": "/tmp"} {
		if err := os.Symlink(to, filepath.Join(w.dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	const doc = "/**\n * @effect local-write+network\n * @net localhost\n * @env HOST_VAR API_TOKEN SECRET_VAR\n */\n"
	for _, tt := range []struct {
		name, code, want string // the code of the error, or the result
		status           int
	}{
		{"endless loop", `for (;;) {}`, "TIMEOUT_EXCEEDED", 124},
		{"endless loop that catches", `for (;;) try { for (;;) {} } catch {}`, "TIMEOUT_EXCEEDED", 124},
		{"endless microtasks", `const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})`, "TIMEOUT_EXCEEDED", 124},
		{"endless timers", `setInterval(() => {}, 0)`, "TIMEOUT_EXCEEDED", 124},
		{"a timer of a day", `await new Promise((r) => setTimeout(r, 864e5))`, "TIMEOUT_EXCEEDED", 124},
		{"a regular expression", `/(a+)+$/.test("a".repeat(99) + "b")`, "TIMEOUT_EXCEEDED", 124},
		{"a sort that never ends", `[3, 1, 2].sort(() => { for (;;) {} })`, "TIMEOUT_EXCEEDED", 124},
		{"a getter that never ends", `export default { get a() { for (;;) {} } }`, "TIMEOUT_EXCEEDED", 124},
		{"toJSON that never ends", `export default { toJSON() { for (;;) {} } }`, "TIMEOUT_EXCEEDED", 124},
		{"an error that never ends", `throw { get message() { for (;;) {} } }`, "TIMEOUT_EXCEEDED", 124},
		{"a thenable that never ends", `export default { then() { for (;;) {} } }`, "TIMEOUT_EXCEEDED", 124},
		{"a builtin that never ends", `Array.from({ length: 2 ** 53 - 1 })`, "", -1},
		{"a generator that never ends", `export default [...(function* () { for (;;) yield 1 })()]`, "", -1},
		{"all memory, bytes", `const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))`, "OOM", 134},
		{"all memory, objects", `const a = []; for (;;) a.push({ a: [1, 2, 3] })`, "", -1},
		{"all memory, strings", `let s = "x"; for (;;) s = s + s + a(s); function a(s: string) { return s.split("").join("y") }`, "", -1},
		{"all memory, caught", `const a: any[] = []; for (;;) try { a.push(new Array(1e5).fill({})) } catch {}`, "", -1},
		{"a huge array", `new Array(4e9).fill(0)`, "", -1},
		{"a huge string", `"x".repeat(2 ** 29)`, "", -1},
		{"a huge number", `2n ** 10000000n ** 3n`, "", -1},
		{"deep recursion", `function f(): any { return f() } f()`, "FAILED", 1},
		{"deep JSON", `JSON.parse("[".repeat(1e6))`, "FAILED", 1},
		{"a deep result", `let o: any = {}; for (let i = 0; i < 2e4; i++) o = { o }; export default o`, "", -1},
		{"a promise that never settles", `await new Promise(() => {})`, "NEVER_SETTLES", 1},
		{"a flood of output", `for (;;) console.log("0123456789".repeat(1000))`, "QUOTA_EXCEEDED", 126},
		{"a flood of messages", `for (;;) console.error("0123456789".repeat(1000))`, "QUOTA_EXCEEDED", 126},
		{"a large result", `export default "x".repeat(2e6)`, "QUOTA_EXCEEDED", 126},
		{"many files", `for (let i = 0; ; i++) await tgp.fs.write("out/" + i, "x")`, "QUOTA_EXCEEDED", 126},
		{"a large file", `await tgp.fs.write("out/big", "x".repeat(2e6))`, "QUOTA_EXCEEDED", 126},
		{"a file that grows", `for (;;) await tgp.fs.write("out/g", "x".repeat(3e5), { append: true })`, "QUOTA_EXCEEDED", 126},
		{"a path upwards", `try { await tgp.fs.read("../outside") } catch {}`, "SECURITY_VIOLATION", 126},
		{"a path upwards within", `try { await tgp.fs.read("src/../../outs") } catch {}`, "SECURITY_VIOLATION", 126},
		{"an absolute path", `try { await tgp.fs.read("/etc/passwd") } catch {}`, "SECURITY_VIOLATION", 126},
		{"/proc", `try { await tgp.fs.read("/proc/self/mem") } catch {}`, "SECURITY_VIOLATION", 126},
		{"a link that leads out", `try { await tgp.fs.read("leak") } catch {}`, "SECURITY_VIOLATION", 126},
		{"a directory that leads out", `try { await tgp.fs.read("dirleak/passwd") } catch {}`, "SECURITY_VIOLATION", 126},
		{"NUL in a path", `try { await tgp.fs.read("a\0b") } catch {}`, "SECURITY_VIOLATION", 126},
		{"a denied file", `await tgp.fs.read(".env")`, "EPERM", 126},
		{"a link to a denied file", `await tgp.fs.read("envlink.txt")`, "EPERM", 126},
		{"the repository", `await tgp.fs.read(".git/config")`, "EPERM", 126},
		{"writing into the project", `await tgp.fs.write("src/x", "x")`, "EPERM", 126},
		{"writing through a link", `await tgp.fs.write("out/outlink", "x")`, "SECURITY_VIOLATION", 126},
		{"writing through a directory", `await tgp.fs.write("out/dir/x", "x")`, "SECURITY_VIOLATION", 126},
		{"writing upwards", `await tgp.fs.write("out/../../x", "x")`, "SECURITY_VIOLATION", 126},
		{"a host that is not signed", `const a = "https://loc", b = "alhost/"; await fetch(a + b)`, "EPERM", 126},
		{"an address of the cloud", `const a = "http://169", b = ".254.169.254/"; await fetch(a + b)`, "EPERM", 126},
		{"a file by fetch", `await fetch("file:///etc/p")`, "EPERM", 126},
		{"variables", `export default [tgp.env("HOST_VAR"), tgp.env("API_TOKEN") ?? 0, tgp.env("SECRET_VAR") ?? 0, Object.keys(process.env)]`, `["seen",0,0,["HOST_VAR"]]`, 0},
		{"code from text", `const g: any = globalThis; const k = "constr" + "uctor"; (() => 1)[k as any]("return 1")()`, "EPERM", 126},
		{"code of an async function", `const k = "constr" + "uctor"; (async () => 1)[k as any]("1")`, "EPERM", 126},
		{"names of the host", `const g: any = globalThis; export default ["ev" + "al", "Atom" + "ics", "requ" + "ire", "__ho" + "st", "WebAs" + "sembly", "glob" + "al"].map((n) => typeof g[n])`, `["undefined","undefined","undefined","undefined","undefined","undefined"]`, 0},
		{"an object as a path", `let n = 0; try { await tgp.fs.read({ toString() { n++; return "src/ok.txt" } } as any) } catch (e: any) { n += e.name === "TypeError" ? 10 : 0 } export default n`, "10", 0},
		{"a getter as a parameter", `let n = 0; try { await tgp.db.query({ sql: "x", params: [{ get a() { n++; return 1 } }] }) } catch {} export default n`, "0", 0},
		{"prototypes", `(Object.prototype as any).path = "/etc/passwd"; (Array.prototype as any).push = () => 1; (JSON as any).stringify = () => "x"; export default await tgp.fs.read("src/ok.txt")`, `"fine"`, 0},
		{"changing tgp", `try { (tgp as any).fs = 1 } catch {} try { (tgp.fs as any).read = 1 } catch {} export default typeof tgp.fs.read`, `"function"`, 0},
		{"a prototype of the result", `(Object.prototype as any).toJSON = () => ({ evil: 1 }); export default {}`, `{"evil":1}`, 0},
		{"ending with a signal's status", `process.exit(200)`, "FAILED", 1},
		{"a cycle as the result", `const a: any = {}; a.a = a; export default a`, "OUTPUT_INVALID", 1},
		{"a result that is no JSON", `console.log("{")`, "OUTPUT_INVALID", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "a.ts")
			if err := os.WriteFile(file, []byte(doc+tt.code), 0o644); err != nil {
				t.Fatal(err)
			}
			w := &world{t: t, dir: w.dir, env: w.env}
			begin := time.Now()
			status, out, errs := w.tgp("run", "--json", file)
			if d := time.Since(begin); d > 20*time.Second { // 2 s and one; the rest is for a loaded machine
				t.Errorf("it took %v", d)
			}
			var r struct {
				Result json.RawMessage
				Error  *struct{ Code, Message string }
			}
			if err := json.Unmarshal([]byte(out), &r); err != nil {
				t.Fatalf("%v: %s%s", err, out, errs)
			}
			got := ""
			if r.Error != nil {
				got = r.Error.Code
			} else {
				var b bytes.Buffer
				_ = json.Compact(&b, r.Result)
				got = b.String()
			}
			if tt.status == -1 { // which of its bounds ends it is not said
				if got != "OOM" && got != "TIMEOUT_EXCEEDED" && got != "FAILED" && got != "OUTPUT_INVALID" {
					t.Errorf("%s, %d: %s", got, status, errs)
				}
				return
			}
			if got != tt.want || status != tt.status {
				t.Errorf("got %s, %d, want %s, %d: %s", got, status, tt.want, tt.status, errs)
			}
		})
	}
	t.Cleanup(func() {
		if data, _ := os.ReadFile(secret); string(data) != "secret" {
			t.Error("a file outside was written")
		}
	})
}
