package shape

import (
	"bytes"
	"io"
	"syscall"
	"testing"
	"time"
)

// repeatReader repeats a text up to n bytes.
type repeatReader struct {
	text []byte
	at   int
	left int
}

func (r *repeatReader) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) && r.left > 0 {
		m := copy(p[n:min(len(p), n+r.left)], r.text[r.at:])
		n += m
		r.left -= m
		if r.at += m; r.at == len(r.text) {
			r.at = 0
		}
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// cpu is the time that this process has computed: steady where others compute too.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkShape(b *testing.B) {
	for _, tt := range []struct{ file, command string }{
		{"go_test_fail_v", "go test -v ./..."},
		{"go_test_fail_json", "go test -json ./..."},
		{"cargo_test_pass", "cargo test"},
		{"node_test_spec", "node --test"},
		{"node_test_tap", "node --test --test-reporter=tap"},
		{"pytest_fail", "python -m pytest"},
		{"gcc_err", "gcc -c bad.c"},
		{"git_diff", "git diff"},
		{"git_log", "git log"},
		{"git_status_short", "git status -sb"},
		{"log_heartbeat", ""},
		{"log_json", ""},
		{"apt_install", "apt-get install x"},
		{"tqdm_cr_synth", "python train.py"},
		{"crlf_msbuild_synth", "true"},
		{"longline_synth", "grep -n MARKER f"},
	} {
		b.Run(tt.file, func(b *testing.B) {
			text := bytes.TrimRight([]byte(real(b, tt.file)), "\n")
			text = append(text, '\n')
			const size = 16 << 20
			b.SetBytes(size)
			b.ReportAllocs()
			start := cpu()
			for b.Loop() {
				if _, err := Shape(Options{Command: CommandOf(tt.command), Status: 1, Ended: true}, &repeatReader{text: text, left: size}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(size)*float64(b.N)/1e6/(cpu()-start).Seconds(), "MB/cpu-s")
		})
	}
}
