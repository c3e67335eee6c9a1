package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// inProcess measures what is claimed of single calls.
func inProcess(match *regexp.Regexp, p *programs) error {
	if !match.MatchString("descriptor lookup") {
		return nil
	}
	b := tcpdb.NewBuilder()
	for i := range 2000 {
		key := fmt.Sprintf("command%04d", i)
		b.Entry(tcpdb.Entry{Key: key, Descriptor: tcpdb.Descriptor{Flags: tcpdb.Flags(0).WithLevel(tcpdb.Medium)}})
	}
	data, err := b.Build()
	if err != nil {
		return err
	}
	path := filepath.Join(p.dir, "lookup.tcpdb")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return err
	}
	fmt.Printf("\ndescriptor lookup, 2000 commands in %d bytes  (goal: ≤ 100 ns and 0 allocations; open + map + first lookup ≤ 0.1 ms)\n", len(data))
	first := testing.Benchmark(func(tb *testing.B) {
		for range tb.N {
			im, err := tcpdb.Map(path)
			if err != nil {
				tb.Fatal(err)
			}
			v := tcpdb.NewView(nil)
			v.Add(tcpdb.SystemLayer, im)
			if _, ok := v.Lookup("command1234"); !ok {
				tb.Fatal("not found")
			}
			if err := im.Close(); err != nil {
				tb.Fatal(err)
			}
		}
	})
	im, err := tcpdb.Map(path)
	if err != nil {
		return err
	}
	v := tcpdb.NewView(nil)
	v.Add(tcpdb.SystemLayer, im)
	warm := testing.Benchmark(func(tb *testing.B) {
		tb.ReportAllocs()
		for range tb.N {
			v.Lookup("command1234")
		}
	})
	fmt.Printf("  warm lookup %d ns, %d allocations\n  open + map + first lookup %.3f ms\n",
		warm.NsPerOp(), warm.AllocsPerOp(), float64(first.NsPerOp())/float64(time.Millisecond))
	return im.Close()
}
