package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// fixtures are the projects that rows work in, made when first needed.
type fixtures struct {
	dir   string
	made  map[string]bool
	forge func(dir string) error // makes a project with a tool
}

// prepare makes the directories that a row's commands work in.
func (f *fixtures) prepare(r row) error {
	for _, c := range append([]command{r.subject}, r.beside...) {
		if c.dir == "" || f.made[c.dir] {
			continue
		}
		if f.made == nil {
			f.made = map[string]bool{}
		}
		f.made[c.dir] = true
		if err := f.make(c.dir); err != nil {
			return fmt.Errorf("%s: %w", c.dir, err)
		}
	}
	return nil
}

// repo is the directory of a git repository with n branches: packed, or loose.
func (f *fixtures) repo(n int, loose bool) string {
	kind := "packed"
	if loose {
		kind = "loose"
	}
	return filepath.Join(f.dir, fmt.Sprintf("git-%s-%d", kind, n))
}

func (f *fixtures) project(name string) string { return filepath.Join(f.dir, name) }

// files is the directory of a git repository with n files, all of them tracked.
func (f *fixtures) files(n int) string { return filepath.Join(f.dir, fmt.Sprintf("files-%d", n)) }

func (f *fixtures) make(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	switch base := filepath.Base(dir); {
	case strings.HasPrefix(base, "te-"):
		return teFiles(dir)
	case strings.HasPrefix(base, "tgp-"):
		return f.forge(dir)
	}
	var n int
	switch name := filepath.Base(dir); {
	case strings.HasPrefix(name, "git-packed-"):
		_, _ = fmt.Sscanf(name, "git-packed-%d", &n)
		return makeRepo(dir, n, false)
	case strings.HasPrefix(name, "git-loose-"):
		_, _ = fmt.Sscanf(name, "git-loose-%d", &n)
		return makeRepo(dir, n, true)
	case strings.HasPrefix(name, "files-"):
		_, _ = fmt.Sscanf(name, "files-%d", &n)
		return makeFiles(dir, n)
	case strings.HasPrefix(name, "packs-"):
		var maps int
		_, _ = fmt.Sscanf(name, "packs-%d-%d", &n, &maps)
		return makePacks(dir, filepath.Join(f.dir, "tmp"), n, maps)
	default:
		return makeProject(dir)
	}
}

// makeFiles writes n small files, fifty to a directory, and commits them.
func makeFiles(dir string, n int) error {
	for i := range n {
		path := filepath.Join(dir, fmt.Sprintf("d%d", i/1000), fmt.Sprintf("e%d", i/50%20), fmt.Sprintf("f%d.txt", i))
		if i == 0 {
			path = filepath.Join(dir, "d0", "f0")
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(strings.Repeat("a line\n", i%40)), 0o644); err != nil {
			return err
		}
	}
	cmd := exec.Command("sh", "-c", "git init -q -b main . && git add -A && git -c user.name=b -c user.email=b@example.com commit -q -m one && sleep 1 && git status > /dev/null")
	cmd.Dir = dir
	return cmd.Run()
}

// makeRepo writes n branches straight into the ref store: half under feature/,
// half under fix/ and other names, as big repositories have them.
func makeRepo(dir string, n int, loose bool) error {
	script := "git init -q -b main . && git -c user.name=b -c user.email=b@example.com commit -q --allow-empty -m one && git rev-parse HEAD"
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	hash := strings.TrimSpace(string(out))
	var packed bytes.Buffer
	packed.WriteString("# pack-refs with: peeled fully-peeled sorted \n")
	for _, prefix := range []string{"feature", "fix", "release"} {
		count := n / 4
		if prefix == "feature" {
			count = n - 2*(n/4)
		}
		for i := range count {
			ref := fmt.Sprintf("refs/heads/%s/%06d-some-change", prefix, i)
			if !loose {
				fmt.Fprintf(&packed, "%s %s\n", hash, ref)
				continue
			}
			path := filepath.Join(dir, ".git", ref)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, []byte(hash+"\n"), 0o644); err != nil {
				return err
			}
		}
	}
	if loose {
		return nil
	}
	return os.WriteFile(filepath.Join(dir, ".git", "packed-refs"), packed.Bytes(), 0o644)
}

// makeProject writes a crate, a package, a module and a makefile in one place.
func makeProject(dir string) error {
	files := map[string]string{
		"Cargo.toml":       "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[[bin]]\nname = \"server\"\npath = \"src/server.rs\"\n",
		"src/main.rs":      "fn main() {}\n",
		"src/server.rs":    "fn main() {}\n",
		"src/bin/tool.rs":  "fn main() {}\n",
		"package.json":     `{"name":"demo","version":"1.0.0","scripts":{"build":"tsc -p .","test":"vitest run","lint":"eslint ."}}` + "\n",
		"go.mod":           "module example.com/demo\n\ngo 1.24\n",
		"demo.go":          "package demo\n",
		"demo_test.go":     "package demo\n\nimport \"testing\"\n\nfunc TestParse(t *testing.T) {}\nfunc TestPrint(t *testing.T) {}\n",
		"Makefile":         ".PHONY: build test\nbuild: ## build it\n\tgo build ./...\ntest: build\n\tgo test ./...\n",
		"justfile":         "# run the tests\ntest:\n\tcargo test\n",
		"inner/inner.go":   "package inner\n",
		"inner/Cargo.lock": "",
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
