package tmp

import (
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"
)

// TestRaces: while an approved plan is started, somebody swaps its script again and
// again. What a shell reads is what was looked at: none passes. RACES sets how many.
func TestRaces(t *testing.T) {
	n := 3 // each waits for a place that lies still
	if s, err := strconv.Atoi(os.Getenv("RACES")); err == nil {
		n = s
	}
	for _, tt := range []struct {
		name, line, file string
		setup            func(*ground)
		evil             string
		sealed           bool
	}{
		{"a script", "./job", "job", with("job", "#!/bin/sh\ntrue\n"), "#!/bin/sh\n" + evil, true},
		{"the script of a shell", "sh ./job", "job", with("job", "true\n"), evil, true},
		{"a script that is sourced", "./job", "lib", with("job", "#!/bin/sh\n. ./lib\n", "lib", "true\n"), evil, false},
		{"a program of python", "python3 job.py", "job.py", with("job.py", "pass\n"), "import os; open(os.environ['HOME'] + '/evil', 'w')\n", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ran, passed := 0, 0
			for range n {
				g := newGround(t, way{line: tt.line, setup: tt.setup})
				good, _ := os.ReadFile(g.path(tt.file))
				st, err := os.Stat(g.path(tt.file))
				if err != nil {
					t.Fatal(err)
				}
				g.approve()
				stop := make(chan struct{})
				var swapping sync.WaitGroup
				swapping.Go(func() {
					for i := 0; ; i++ {
						select {
						case <-stop:
							return
						default:
						}
						put := func(text []byte) {
							if i%2 == 0 { // by another file, or in its place
								_ = os.WriteFile(g.path("out:new"), text, st.Mode())
								_ = os.Rename(g.path("out:new"), g.path(tt.file))
							} else {
								_ = os.WriteFile(g.path(tt.file), text, st.Mode())
							}
						}
						put([]byte(tt.evil))
						put(good)
						time.Sleep(time.Duration(5+rand.IntN(150)) * time.Millisecond)
					}
				})
				if _, code, _ := g.run(); code == "" {
					ran++
				}
				close(stop)
				swapping.Wait()
				if g.wasEvil() {
					passed++
				}
			}
			t.Logf("%d races, %d ran, %d of them something else", n, ran, passed)
			if tt.sealed && passed > 0 {
				t.Errorf("%d of %d pass", passed, n)
			}
		})
	}
}
