package machine

import (
	"bufio"
	"bytes"
	"debug/buildinfo"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// Package is what a package manager says of the program that it installed.
type Package struct{ Name, Version, Section, Description string }

// packages are those of dpkg, by the files in program directories that they own.
type packages struct {
	byFile map[string]string
	byName map[string]Package
}

// findPackages reads the database of dpkg below a directory (/var/lib/dpkg).
// Where there is none it is empty.
func findPackages(dir string) *packages {
	p := &packages{map[string]string{}, map[string]Package{}}
	lists, _ := filepath.Glob(filepath.Join(dir, "info", "*.list"))
	for _, list := range lists {
		name := strings.TrimSuffix(filepath.Base(list), ".list")
		name, _, _ = strings.Cut(name, ":")
		data, err := os.ReadFile(list)
		if err != nil {
			continue
		}
		for line := range bytes.Lines(data) {
			if bytes.Contains(line, []byte("bin/")) || bytes.Contains(line, []byte("/lib/")) && !bytes.Contains(line, []byte(".")) {
				p.byFile[plainDir(string(bytes.TrimSpace(line)))] = name
			}
		}
	}
	p.status(filepath.Join(dir, "status"))
	return p
}

// plainDir is a path without the /usr that / has been merged into.
func plainDir(file string) string { return strings.TrimPrefix(file, "/usr") }

func (p *packages) status(file string) {
	f, err := os.Open(file)
	if err != nil {
		return
	}
	defer f.Close()
	var one Package
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		key, value, ok := strings.Cut(lines.Text(), ": ")
		switch {
		case lines.Text() == "":
			p.byName[one.Name] = one
			one = Package{}
		case !ok:
		case key == "Package":
			one.Name = value
		case key == "Version":
			one.Version = value
		case key == "Section":
			one.Section = value
		case key == "Description":
			one.Description = value
		}
	}
	p.byName[one.Name] = one
}

// of returns the package that a program belongs to.
func (p *packages) of(prog Program) Package {
	for _, file := range []string{prog.Path, prog.Real} {
		if name := p.byFile[plainDir(file)]; name != "" {
			return p.byName[name]
		}
	}
	return Package{}
}

// goInfo is what a Go program says of its build, nil for others.
func goInfo(p Program) *debug.BuildInfo {
	if !strings.HasPrefix(string(p.head(4)), "\x7fELF") {
		return nil
	}
	info, err := buildinfo.ReadFile(p.Real)
	if err != nil {
		return nil
	}
	return info
}

// goVersion is the released version that a Go program was built from, without "v";
// "" for one that was built from a work tree or between two releases, of which the
// program itself may know more.
func goVersion(info *debug.BuildInfo) string {
	if info == nil {
		return ""
	}
	v := info.Main.Version // "(devel)", "v1.2.3", "v0.0.0-20260105100000-0123456789ab", "v2.0.0+incompatible" …
	if !semver.IsValid(v) || module.IsPseudoVersion(v) || strings.HasSuffix(v, "+dirty") {
		return ""
	}
	return strings.TrimPrefix(strings.TrimSuffix(v, semver.Build(v)), "v")
}

// usesCobra reports whether a Go program's commands are those of cobra.
func usesCobra(info *debug.BuildInfo) bool {
	if info == nil {
		return false
	}
	for _, d := range info.Deps {
		if d.Path == "github.com/spf13/cobra" {
			return true
		}
	}
	return false
}
