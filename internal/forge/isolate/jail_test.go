package isolate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryThreadIsJailed: no thread of a worker is without the filter, or may gain
// a privilege, or runs at a higher priority.
func TestEveryThreadIsJailed(t *testing.T) {
	w := start(t, 64<<20)
	tasks, _ := filepath.Glob("/proc/" + itoa(w.process.pid) + "/task/*")
	if len(tasks) < 2 {
		t.Skip("threads cannot be seen here")
	}
	for _, task := range tasks {
		status, _ := os.ReadFile(task + "/status")
		for _, want := range []string{"NoNewPrivs:\t1", "Seccomp:\t2"} {
			if !strings.Contains(string(status), want) {
				t.Errorf("%s has no %q", task, want)
			}
		}
		stat, _ := os.ReadFile(task + "/stat")
		if f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:])); len(f) < 17 || f[16] != "10" { // field 19
			t.Errorf("%s: %s", task, stat)
		}
	}
}
