package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// teRows are what te costs over the tool that it runs.
func (p *programs) teRows(f *fixtures) []row {
	small, big := f.project("te-small"), f.project("te-big")
	over := func(name, goal, dir, want string, plain []string, options ...string) row {
		argv := append(append([]string{p.te}, options...), plain...)
		return row{
			name: "te: " + name, goal: goal,
			subject: command{name: strings.Join(append([]string{"te"}, plain...), " "), argv: argv, dir: dir, env: p.env(), want: want},
			beside:  []command{{name: strings.Join(plain, " "), argv: plain, dir: dir}},
		}
	}
	ten := over("grep, ten million matches", "≤ 3 × the tool + 60 ms, ≤ 64 MB", big, `"matches":10000000`, []string{"grep", "-n", "foo", "ten"}, "--timeout", "0")
	// grep that writes to nowhere stops at the first match.
	ten.beside = []command{{name: "grep -n foo ten | cat", argv: []string{"sh", "-c", "grep -n foo ten | cat >/dev/null"}, dir: big}}
	const cheap, long = "≤ 10 ms over the tool, or ≤ 1.8 × go+os", "≤ 3 × the tool + 60 ms, ≤ 64 MB"
	return []row{
		over("grep in a file", cheap, small, "matches", []string{"grep", "-n", "foo", "a.go"}),
		over("grep in a tree", cheap, small, "matches", []string{"grep", "-rn", "bar_7", "."}),
		over("cat", cheap, small, "lines", []string{"cat", "a.go"}),
		over("find", cheap, small, "matches", []string{"find", "."}),
		over("grep that is passed on", cheap, small, "", []string{"grep", "-n", "foo", "a.go"}, "-i"),
		ten,
		over("grep, a gigabyte without a match", long, big, `"matches":0`, []string{"grep", "-n", "bar", "gigabyte"}, "--timeout", "0"),
		over("cat, a gigabyte", long, big, "chunks", []string{"cat", "gigabyte"}, "--timeout", "0"),
	}
}

// teFiles makes what the rows of te read.
func teFiles(dir string) error {
	if strings.HasSuffix(dir, "-small") {
		for i := range 200 {
			path := filepath.Join(dir, fmt.Sprintf("src/d%d/f%d.go", i%10, i))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, []byte(strings.Repeat(fmt.Sprintf("bar_%d()\n", i), 50)), 0o600); err != nil {
				return err
			}
		}
		return os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n\nfunc foo() {}\n\nfunc b() { foo() }\n"), 0o600)
	}
	if err := repeated(filepath.Join(dir, "ten"), "foo and what follows\n", 10_000_000); err != nil {
		return err
	}
	return repeated(filepath.Join(dir, "gigabyte"), strings.Repeat("x", 79)+"\n", 1<<30/80)
}

// repeated writes a file of n equal lines.
func repeated(path, line string, n int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	block := []byte(strings.Repeat(line, 10_000))
	for ; n > 0; n -= 10_000 {
		if _, err := f.Write(block[:min(n, 10_000)*len(line)]); err != nil {
			f.Close()
			return err
		}
	}
	return f.Close()
}
