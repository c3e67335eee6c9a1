package git

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

// packedFixture makes a repository with n packed branches.
func packedFixture(b testing.TB, n int) string {
	b.Helper()
	dir := b.TempDir()
	for _, d := range []string{"objects", "refs/heads"} {
		if err := os.MkdirAll(dir+"/.git/"+d, 0o755); err != nil {
			b.Fatal(err)
		}
	}
	writeFile(b, dir+"/.git/HEAD", "ref: refs/heads/main\n")
	writeFile(b, dir+"/.git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote \"origin\"]\n\turl = https://example.org/x\n")
	var packed bytes.Buffer
	packed.WriteString("# pack-refs with: peeled fully-peeled sorted \n")
	id := strings.Repeat("ab", 20)
	for i := range n {
		fmt.Fprintf(&packed, "%s refs/heads/feature/team-%02d/issue-%06d\n", id, i*100/max(n, 100), i)
	}
	fmt.Fprintf(&packed, "%s refs/heads/main\n", id)
	writeFile(b, dir+"/.git/packed-refs", packed.String())
	var log strings.Builder
	for i := range 400 {
		from, to := i%7*n/10, (i+1)%7*n/10
		fmt.Fprintf(&log, "%s %s A <a@x> %d +0000\tcheckout: moving from feature/team-%02d/issue-%06d to feature/team-%02d/issue-%06d\n",
			id, id, 1700000000+i, from*100/max(n, 100), from, to*100/max(n, 100), to)
	}
	writeFile(b, dir+"/.git/logs/HEAD", log.String())
	return dir
}

// usage gives minor faults and the CPU time in microseconds of this process:
// what stays steady on a busy machine.
func usage() (faults, cpu int64) {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return int64(u.Minflt), (u.Utime.Nano() + u.Stime.Nano()) / 1000
}

func benchResolve(b *testing.B, r resolvers.Request) {
	b.ReportAllocs()
	r.Getenv = gitEnv
	faults, cpu := usage()
	var a resolvers.Answer
	for b.Loop() {
		a = resolvertest.Resolve(context.Background(), r)
	}
	faults2, cpu2 := usage()
	b.ReportMetric(float64(faults2-faults)/float64(b.N), "faults/op")
	b.ReportMetric(float64(cpu2-cpu)/float64(b.N), "cpu-µs/op")
	if a.State != resolvers.Fresh || len(a.Values) == 0 {
		b.Fatalf("%+v", a)
	}
}

func BenchmarkGitBranches(b *testing.B) {
	for _, n := range []int{10, 1000, 20000, 100000} {
		dir := packedFixture(b, n)
		for _, c := range []struct {
			name, text string
			limit      int
		}{{"all", "", 0}, {"cap", "", 200}, {"prefix", "feature/team-05", 200}, {"one", "main", 200}} {
			if c.name == "prefix" && n < 1000 {
				continue
			}
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				benchResolve(b, resolvers.Request{Name: "git:branches", Dir: dir, Filter: resolvers.Filter{Text: c.text}, Limit: c.limit})
			})
		}
	}
}

func BenchmarkGitBranchesLoose(b *testing.B) {
	for _, n := range []int{10, 1000, 5000} {
		dir := packedFixture(b, 0)
		id := strings.Repeat("ab", 20) + "\n"
		for i := range n {
			writeFile(b, fmt.Sprintf("%s/.git/refs/heads/feature/issue-%06d", dir, i), id)
		}
		for _, limit := range []int{0, 200} {
			b.Run(fmt.Sprintf("%d/limit=%d", n, limit), func(b *testing.B) {
				benchResolve(b, resolvers.Request{Name: "git:branches", Dir: dir, Limit: limit})
			})
		}
	}
}

func BenchmarkGitBranchesSubstring(b *testing.B) {
	dir := packedFixture(b, 100000)
	for _, m := range []resolvers.Match{resolvers.SmartCase, resolvers.Substring, resolvers.Subsequence} {
		b.Run(fmt.Sprint(m), func(b *testing.B) {
			benchResolve(b, resolvers.Request{Name: "git:branches", Dir: dir, Filter: resolvers.Filter{Text: "feature/team-05/issue-005", Mode: m}, Limit: 200})
		})
	}
}
