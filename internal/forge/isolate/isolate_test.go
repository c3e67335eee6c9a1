package isolate

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/forge/worker"
)

func TestMain(m *testing.M) {
	worker.Child()
	os.Exit(m.Run())
}

var cache string

func start(t testing.TB, memory int) *Worker {
	t.Helper()
	if cache == "" {
		dir, err := os.MkdirTemp("", "tgp-cache")
		if err != nil {
			t.Fatal(err)
		}
		cache = dir
	}
	w, err := Start(t.Context(), Options{Cache: cache, Memory: memory})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

type echo struct{}

func (echo) Call(_ context.Context, op string, args []byte) ([]byte, error) {
	if op == "fs.read" {
		return nil, &Fatal{"SECURITY_VIOLATION", "no"}
	}
	return []byte(`{"value":` + string(args) + `}`), nil
}

func run(t testing.TB, w *Worker, code string, wall time.Duration) (worker.Outcome, string) {
	t.Helper()
	var b strings.Builder
	out := w.Run(t.Context(), &worker.Job{Code: code, Name: "tool.js", WallMS: wall.Milliseconds(), Memory: w.memory, Output: 1 << 20}, nil, echo{},
		func(_ bool, text []byte) { b.Write(text) })
	return out, b.String()
}

func TestWorker(t *testing.T) {
	w := start(t, 64<<20)
	t.Logf("%+v", w.State)
	if !w.State.NoNewPrivileges || !w.State.Seccomp || !w.State.Nice {
		t.Errorf("%+v", w.State)
	}
	status, _ := os.ReadFile("/proc/" + itoa(w.process.pid) + "/status")
	for _, want := range []string{"NoNewPrivs:\t1", "Seccomp:\t2"} {
		if !strings.Contains(string(status), want) {
			t.Errorf("no %q", want)
		}
	}
	for _, tt := range []struct{ code, kind, result string }{
		{`export default 1`, worker.Returned, "1"},
		{`export default await tgp.fs.stat("x")`, worker.Returned, `["x"]`},
		{`try { await tgp.fs.read("x") } catch {} export default 1`, worker.Refused, ""},
		{`throw new Error("x")`, worker.Threw, ""},
		{`for (;;) console.log("0123456789".repeat(100))`, worker.Quota, ""},
		{`export default "x".repeat(2e6)`, worker.Quota, ""},
		{`export default 2`, worker.Returned, "2"},
	} {
		out, _ := run(t, w, tt.code, 2*time.Second)
		if out.Kind != tt.kind || out.Result != tt.result {
			t.Errorf("%s: %+v", tt.code, out)
		}
	}
	out, _ := run(t, w, `for (;;) {}`, 300*time.Millisecond)
	if out.Kind != worker.Stopped {
		t.Errorf("%+v", out)
	}
	out, _ = run(t, w, `const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))`, 2*time.Second)
	if out.Kind != worker.Memory {
		t.Errorf("%+v", out)
	}
	if out, _ := run(t, w, `export default 3`, time.Second); out.Result != "3" {
		t.Errorf("%+v", out)
	}
}

func itoa(n int) string {
	var b []byte
	for ; n > 0; n /= 10 {
		b = append([]byte{byte('0' + n%10)}, b...)
	}
	return string(b)
}
