package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// checkedLine has 200 bytes and the make-up of a line as people type it.
const checkedLine = `cd "$HOME/src/project" && git add -A . && git commit -m 'fix: parse the line before it is judged' --no-verify && git push --force-with-lease origin feature/parser | tee -a push.log && make -j8 test V=1`

// checks measures the judgement of a line in process.
func checks(match *regexp.Regexp) error {
	if !match.MatchString("check in process") {
		return nil
	}
	begin := time.Now()
	v := tcpdb.NewView(tcpdb.Core())
	line.Judge(v, checkedLine, shline.Bash, risk.Facts{}, line.Options{})
	first := time.Since(begin)
	long := strings.Repeat("cp a.txt b.txt; ", 4096)
	for _, c := range []struct {
		name, goal, text string
		dialect          shline.Dialect
	}{
		{fmt.Sprintf("%d-byte line", len(checkedLine)), "≤ 50 µs", checkedLine, shline.Bash},
		{fmt.Sprintf("%d-byte line, fish", len(checkedLine)), "≤ 50 µs", checkedLine, shline.Fish},
		{"64 KB line of 4096 commands", "≤ 20 ms", long, shline.Bash},
		{"64 KB line, fish", "≤ 20 ms", long, shline.Fish},
		{"64 KB quoted word", "≤ 20 ms", "echo '" + strings.Repeat("x", 65000) + "'", shline.Bash},
		{"100 000 open brackets", "≤ 20 ms", strings.Repeat("(", 100_000), shline.Bash},
		{"60 000 open brackets", "≤ 20 ms", strings.Repeat("(", 60_000), shline.Bash},
		{"30 000 times $(", "≤ 20 ms", strings.Repeat("$(", 30_000), shline.Zsh},
	} {
		r := testing.Benchmark(func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				line.Judge(v, c.text, c.dialect, risk.Facts{}, line.Options{})
			}
		})
		fmt.Printf("\ncheck in process: %s  (goal: %s)\n  %.1f µs, %d allocations, %d bytes\n",
			c.name, c.goal, float64(r.NsPerOp())/1000, r.AllocsPerOp(), r.AllocedBytesPerOp())
	}
	fmt.Printf("\ncheck in process: the first call, with the view\n  %.2f ms\n", float64(first)/float64(time.Millisecond))
	return nil
}
