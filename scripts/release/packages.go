package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

// nfpm makes the packages of Linux distributions. It is run as a program: as a library
// it would stand in the module of everybody who builds tmp.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.2"

//go:embed templates/formula.rb
var formula string

//go:embed templates/PKGBUILD
var pkgbuild string

//go:embed templates/npm.mjs
var npmStart string

const description = "Shell completion, a question before a line destroys something, and verified commands, from one map"

// packages makes packages of the trees for Linux.
func (r *release) packages(ctx context.Context, trees []*tree, formats []string) error {
	bin := filepath.Join(r.work, "tools")
	if err := show(ctx, r.work, []string{"GOBIN=" + bin, "GOFLAGS=-mod=mod", "CGO_ENABLED=0"}, "go", "install", nfpm); err != nil {
		return err
	}
	for _, t := range trees {
		if t.os != "linux" {
			continue
		}
		config := filepath.Join(r.work, "nfpm-"+t.arch+".json") // JSON is YAML
		data, err := json.MarshalIndent(r.nfpmConfig(t), "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(config, data, 0o644); err != nil {
			return err
		}
		for _, format := range formats {
			env := []string{fmt.Sprint("SOURCE_DATE_EPOCH=", r.date.Unix())}
			if err := show(ctx, r.work, env, filepath.Join(bin, "nfpm"), "package", "-f", config, "-p", format, "-t", r.out+"/"); err != nil {
				return err
			}
		}
	}
	return nil
}

// nfpmConfig is nfpm's own form (nfpm.goreleaser.com/docs/configuration).
func (r *release) nfpmConfig(t *tree) map[string]any {
	type content = map[string]any
	at := r.date.Format("2006-01-02T15:04:05Z07:00")
	put := func(src, dst string, mode int) content {
		info := map[string]any{"mtime": at}
		if mode != 0 {
			info["mode"] = mode
		}
		return content{"src": src, "dst": dst, "type": "tree", "file_info": info}
	}
	return map[string]any{
		"name": name, "arch": t.arch, "platform": "linux", "version": r.version, "version_schema": "semver",
		"maintainer":  "The Tool Mapping Protocol authors <noreply@tool-mapping-protocol.invalid>",
		"description": description, "homepage": r.pages, "license": "MIT", "section": "utils", "priority": "optional",
		"recommends": []string{"git"}, "mtime": at, "rpm": map[string]any{"buildhost": "localhost"},
		"contents": []content{
			put(filepath.Join(t.dir, "bin"), "/usr/bin", 0o755),
			put(filepath.Join(t.dir, "share"), "/usr/share", 0),
			{"src": filepath.Join(t.dir, "LICENSE"), "dst": "/usr/share/doc/" + name + "/copyright", "file_info": map[string]any{"mtime": at, "mode": 0o644}},
			{"src": filepath.Join(t.dir, "CHANGELOG.md"), "dst": "/usr/share/doc/" + name + "/CHANGELOG.md", "file_info": map[string]any{"mtime": at, "mode": 0o644}},
		},
	}
}

// recipes writes what fetches an archive and installs it: a formula and a PKGBUILD.
func (r *release) recipes(_ context.Context, trees []*tree) error {
	sums := map[string]string{}
	for _, t := range trees {
		sums[t.os+"_"+t.arch] = t.sum
	}
	data := map[string]any{
		"Name": name, "Version": r.version, "Description": description, "Homepage": r.pages, "Sums": sums,
		// pacman takes no "-" in a version.
		"ArchVersion": strings.ReplaceAll(r.version, "-", "_"),
		"Base":        fmt.Sprintf("%s/releases/download/v%s", r.pages, r.version),
	}
	for file, text := range map[string]string{"homebrew/" + name + ".rb": formula, "aur/PKGBUILD": pkgbuild} {
		t, err := template.New(file).Parse(text)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := t.Execute(&b, data); err != nil {
			return err
		}
		if err := write(filepath.Join(r.out, file), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// npm makes a package for each system and one that depends on them all, of which npm
// installs the one that fits. Its programs start in Node, which costs some 40 ms: the
// hooks that it prints name the programs themselves.
func (r *release) npm(_ context.Context, trees []*tree) error {
	common := map[string]any{"version": r.version, "description": description, "license": "MIT", "homepage": r.pages}
	optional := map[string]string{}
	var programs []string
	for _, t := range trees {
		own := "@" + name + "/" + t.os + "-" + npmArch(t.arch)
		optional[own] = r.version
		dir := filepath.Join(r.work, "npm", t.os+"-"+t.arch)
		for _, part := range []string{"bin", "share"} {
			if err := os.CopyFS(filepath.Join(dir, part), os.DirFS(filepath.Join(t.dir, part))); err != nil {
				return err
			}
		}
		of := map[string]any{"name": own, "os": []string{t.os}, "cpu": []string{npmArch(t.arch)}, "files": []string{"bin", "share"}}
		if err := r.npmPack(dir, common, of, fmt.Sprintf("%s-%s-%s", name, t.os, npmArch(t.arch))); err != nil {
			return err
		}
		entries, err := os.ReadDir(filepath.Join(t.dir, "bin"))
		if err != nil {
			return err
		}
		programs = programs[:0]
		for _, e := range entries {
			programs = append(programs, e.Name())
		}
	}
	slices.Sort(programs)
	dir := filepath.Join(r.work, "npm", "main")
	bins := map[string]string{}
	for _, p := range programs {
		bins[p] = "bin/" + p + ".mjs"
		if err := write(filepath.Join(dir, bins[p]), []byte(strings.ReplaceAll(npmStart, "PROGRAM", p)), 0o755); err != nil {
			return err
		}
	}
	if err := copyFile(filepath.Join(dir, "README.md"), filepath.Join(r.source, "README.md")); err != nil {
		return err
	}
	of := map[string]any{"name": name, "bin": bins, "optionalDependencies": optional, "engines": map[string]string{"node": ">=18"}}
	return r.npmPack(dir, common, of, name)
}

// npmPack writes a directory with its package.json as npm pack would.
func (r *release) npmPack(dir string, common, own map[string]any, file string) error {
	for k, v := range common {
		own[k] = v
	}
	data, err := json.MarshalIndent(own, "", "  ")
	if err != nil {
		return err
	}
	if err := write(filepath.Join(dir, "package.json"), append(data, '\n'), 0o644); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(r.out, "npm"), 0o755); err != nil {
		return err
	}
	return r.pack(filepath.Join(r.out, "npm", file+"-"+r.version+".tgz"), dir, "package")
}

// npmArch is what Node calls an architecture (process.arch).
func npmArch(arch string) string {
	if arch == "amd64" {
		return "x64"
	}
	return arch
}

func write(path string, data []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, mode)
}
