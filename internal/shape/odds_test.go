package shape

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestQuantity(t *testing.T) {
	for text, want := range map[string]float64{
		"12": 12, "1,234,567": 1234567, "4.0K": 4096, "39M": 39 << 20, "1.934GiB": 1.934 * (1 << 30), "99.9%": 99.9, "398.00%": 398,
		"lag=86400s": 86400, "latency:12ms": 0.012, "5d3h": 5*86400 + 3*3600, "12:34": 754, "0:00.01": 0.01, "1:02:03": 3723, "0/1": 0, "1/2": 0.5,
		"512 (3d ago)": 512, "(17)": 17, "-20": -20, "+3": 3, "12,": 12, "[7]": 7, "3.5x": 3.5, "250µs": 250e-6, "10kB": 10 << 10,
	} {
		v, _, ok := quantity([]byte(text))
		if !ok || math.Abs(v-want) > 1e-9*math.Abs(want)+1e-12 {
			t.Errorf("%q: %v %v, want %v", text, v, ok, want)
		}
	}
	for _, text := range []string{"", "-", "<none>", "N/A", "1.2.3", "10.0.0.1:443", "web-1", "2026-01-02", "0x1f", "12abc", "a=b", "1/0", "--", "/dev/sda1", "%", "Jan05", "12:", "5d3"} {
		if v, _, ok := quantity([]byte(text)); ok {
			t.Errorf("%q is %v", text, v)
		}
	}
}

// TestProgress: a row of a table that has a share in it is none.
func TestProgress(t *testing.T) {
	for text, want := range map[string]bool{
		"/dev/sda1   50G   20G   28G  42% /":                      false,
		"| 12 | web | 97% |":                                      false,
		"node-99 cpu 98%":                                         false,
		"mod1.py         6      1    83%":                         false,
		"worker-1  3.0%  60MiB / 2GiB  2.9%  1kB/s":               false,
		"file.go:3:   Run   75.0%":                                false,
		"97% /data":                                               false,
		"Receiving objects:  45% (450/1000), 1.2 MiB | 1.2 MiB/s": true,
		"remote: Counting objects:  10% (1/10)":                   true,
		"45%|████      | 41/100 [00:10<00:11, 5.2it/s]":           true,
		"[ 45%] Building C object x.o":                            true,
		"######################## 45.6%":                          true,
		"     32,768 100%   31.25MB/s    0:00:00":                 true,
		"45% done":      true,
		"45%":           true,
		"Progress: 45%": true,
		"  50K .......... .......... .......... .......... 12% 1.2M 3s": true,
		"Downloading pkg.tar.gz 12%":                                    true,
		"transforming (12) src/a.ts":                                    true,
		"Loading …":                                                     true,
	} {
		if got := progressing([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	// A share at the end of a line moves only where the same stands before it.
	up := ""
	for i := range 20 {
		up += fmt.Sprintf("a.tgz %d%%\n", i*5+5)
	}
	s := shaped(t, Options{}, up+"b.tgz 5%\n")
	has2(t, s, []string{"a.tgz 100%\n", "b.tgz 5%\n"}, []string{"a.tgz 10%\n", "40%"})
	hosts := "host-1 10%\nhost-2 99%\nhost-3 40%\n"
	if s := shaped(t, Options{}, hosts); s.Text != hosts {
		t.Errorf("%s", s.Text)
	}
}

// TestOutliers: wherever lines that are alike are left out, the one that
// deviates is shown: the largest, the smallest, a word among numbers, a word
// that no other has.
func TestOutliers(t *testing.T) {
	rows := func(n int, format string, odd map[int]string) string {
		var b strings.Builder
		for i := range n {
			if line, ok := odd[i]; ok {
				b.WriteString(line + "\n")
				continue
			}
			fmt.Fprintf(&b, format+"\n", i, 40+i*7%9)
		}
		return b.String()
	}
	steady := func(n int, format, odd string) string {
		var b strings.Builder
		for i := range n {
			if i == 2*n/3 {
				b.WriteString(odd + "\n")
			}
			fmt.Fprintf(&b, format+"\n", i%60, i)
		}
		return b.String()
	}
	for _, c := range []struct {
		name, command, out string
		want               []string
	}{
		{"a few", "", rows(60, "replica-%d lag=%ds", map[int]string{30: "replica-30 lag=86400s", 44: "replica-44 lag=0s"}), []string{"lag=86400s", "lag=0s"}},
		{"many", "", rows(3000, "replica-%d lag=%ds", map[int]string{1500: "replica-1500 lag=86400s", 800: "replica-800 lag=0s", 2000: "replica-2000 lag=unknown"}), []string{"lag=86400s", "lag=0s", "lag=unknown"}},
		{"a word", "", rows(900, "queue %d ready depth %d", map[int]string{500: "queue 500 stuck depth 42"}), []string{"queue 500 stuck"}},
		{"a failing test's log", "go test -v ./...", "=== RUN   TestA\n" + rows(300, "    a_test.go:9: node %d took %d ms", map[int]string{150: "    a_test.go:9: node 150 took 9000 ms"}) + "--- FAIL: TestA (0.00s)\nFAIL\n", []string{"node 150 took 9000 ms"}},
		{"a log", "docker logs web", rows(900, "2026-01-02T10:00:00Z INFO request %d served in %d ms", map[int]string{20: "2026-01-02T10:00:00Z INFO request 20 served in 9000 ms", 700: "2026-01-02T10:00:00Z INFO request 700 served in 70000 ms"}), []string{"9000 ms", "70000 ms"}},
		{"a small log", "docker logs web", rows(20, "2026-01-02T10:00:00Z INFO request %d served in %d ms", map[int]string{10: "2026-01-02T10:00:00Z INFO request 10 served in 9000 ms"}), []string{"9000 ms"}},
		{"a log that never varied", "", steady(90, "2026-01-02T10:%02d:00Z replica-%d lag=0s", "2026-01-02T11:00:00Z replica-7 lag=86400s"), []string{"lag=86400s"}},
		{"a log, the smallest", "", steady(90, "2026-01-02T10:%02d:00Z volume %d free=93%%", "2026-01-02T11:00:00Z volume 7 free=0%"), []string{"free=0%"}},
		{"a log of JSON", "", steady(90, `{"time":"2026-01-02T10:%02d:00Z","level":"info","msg":"replica","id":%d,"lag":0}`, `{"time":"2026-01-02T11:00:00Z","level":"info","msg":"replica","id":7,"lag":86400}`), []string{"86400"}},
		{"JSON", "", rows(900, `{"n":%d,"took":%d,"state":"ok"}`, map[int]string{300: `{"n":300,"took":9000,"state":"ok"}`, 400: `{"n":400,"took":44,"state":"lost"}`, 500: `{"n":500,"took":null,"state":"ok"}`}), []string{"9000", "lost", "null"}},
		{"a table", "ps aux", "NAME   READY  TOOK\n" + rows(5000, "w-%d  1/1  %d", map[int]string{2500: "w-2500  0/1  44", 3000: "w-3000  1/1  9000"}), []string{"w-2500", "w-3000"}},
		{"records", "mysql -e q", func() string {
			var b strings.Builder
			for i := range 200 {
				fmt.Fprintf(&b, "*************************** %d. row ***************************\n   id: %d\nstate: %s\n", i+1, i, map[bool]string{true: "broken", false: "fine"}[i == 150])
			}
			return b.String()
		}(), []string{"*** 151. row ***", "state: broken"}},
	} {
		for _, command := range []string{c.command, ""} {
			o := Options{Status: 0, Ended: true}
			if strings.Contains(c.out, "FAIL") {
				o.Status = 1
			}
			o.Command = CommandOf(command)
			s := shaped(t, o, c.out)
			for _, w := range c.want {
				if !strings.Contains(s.Text, w) {
					t.Errorf("%s (%q): lost %q of\n%s", c.name, command, w, s.Text)
				}
			}
			if s.Shown > 150 {
				t.Errorf("%s (%q): %d lines are shown", c.name, command, s.Shown)
			}
		}
	}
}
