package golang

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// Tags answers go:tags: the build tags that files of the module ask for,
// without those that the go command sets itself (go help buildconstraint).
func Tags(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	dir := dir(r)
	if m, err := openGoModule(dir); err == nil {
		dir = m.dir
	}
	cache := resolvers.OpenScanCache(r, "go:tags", dir)
	defer cache.Save()
	count := map[string]int{}
	for _, d := range goTree(c, dir, 0) {
		entries, err := os.ReadDir(d)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if c.Late() {
				break
			}
			if !strings.HasSuffix(e.Name(), ".go") {
				continue
			}
			found, err := cache.Scan(filepath.Join(d, e.Name()), maxGoSource, tagsOf)
			if err != nil {
				continue
			}
			for tag := range strings.FieldsSeq(found) {
				count[tag]++
			}
		}
	}
	for tag, n := range count {
		c.Add(resolvers.Value{Value: tag, Description: resolvers.Plural(n, "file"), Kind: "tag", Weight: n})
	}
	return c.Answer()
}

// tagsOf are the tags in the //go:build line before the package clause, with
// a blank after each.
func tagsOf(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "package ") {
			break
		}
		expression, ok := strings.CutPrefix(line, "//go:build ")
		if !ok {
			continue
		}
		for tag := range strings.FieldsFuncSeq(expression, func(r rune) bool { return strings.ContainsRune("!&|() \t", r) }) {
			if !ownTag(tag) {
				b.WriteString(tag)
				b.WriteByte(' ')
			}
		}
	}
	return b.String()
}

// ownTag reports whether the go command sets a tag: systems, architectures,
// compilers, versions.
func ownTag(tag string) bool {
	switch tag {
	case "aix", "android", "darwin", "dragonfly", "freebsd", "illumos", "ios", "js", "linux", "netbsd", "openbsd", "plan9", "solaris", "wasip1", "windows", "unix",
		"386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le", "riscv64", "s390x", "wasm",
		"gc", "gccgo", "cgo", "race", "msan", "asan", "ignore", "boringcrypto":
		return true
	}
	rest, ok := strings.CutPrefix(tag, "go1.")
	return ok && rest != "" && rest[0] >= '0' && rest[0] <= '9'
}
