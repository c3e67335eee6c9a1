package spec

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// FuzzRead: any text in any format is a map that keeps what drafts promise, or a
// fault that names the file and a line of it. (Scripts of Fig are evaluated in
// another process; package fig tries what comes before that.)
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/gizmo.*")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for i := range 3 {
			f.Add(uint8(i), string(data))
		}
	}
	f.Add(uint8(1), "name: x\nflags: &a\n  <<: *a\n")
	f.Add(uint8(1), "name: x\ncommands: &a [{name: y, commands: *a}]\n")
	f.Add(uint8(1), "name: \"a\\tb\"\ncompletion: {flag: [x]}\n")
	f.Add(uint8(2), "bin \"x\"\nflagset \"a\" { use \"a\"; flag \"-x <a> <b>\" }\nuse \"a\"\n")
	f.Add(uint8(2), "bin \"rm\"\ncmd \"-x\" { alias \"\" }\narg \"<>\"\n")
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		o := options()
		o.Format = []Format{Map, Carapace, Usage}[int(which)%3]
		s, err := Read(t.Context(), "x", []byte(text), o)
		if err == nil {
			strict(t, s)
			return
		}
		var p *opmap.Problem
		if !errors.As(err, &p) || p.File != "x" && p.File != "" || p.Line > 2+strings.Count(text, "\n")+len(text) {
			t.Errorf("error %#v: %v", err, err)
		}
	})
}

func TestDetect(t *testing.T) {
	for _, test := range []struct {
		text string
		want Format
	}{
		{`{"tool": "x"}`, Map},
		{`{"id": "x.y", "surface": "cli"}`, Map},
		{`{"name": "x", "flags": {}}`, Carapace},
		{"{ broken", Map},
		{"# yaml-language-server: $schema=https://carapace.sh/schemas/command.json\nname: x", Carapace},
		{"---\nname: x", Carapace},
		{"// a comment\nbin \"x\"", Usage},
		{"flag \"-f --force\"", Usage},
		{"name tak\nbin tak\n", Usage},
		{"flag --env help=\"x\"", Usage},
		{"name of the game", ""},
		{"#!/bin/sh\n#USAGE flag \"-f\"\necho", Usage},
		{"const completionSpec: Fig.Spec = {}", Fig},
		{"var e={name:\"x\"};export{e as default};", Fig},
		{"module.exports = {}", Fig},
		{"import { x } from 'y'\n", Fig},
		{"", ""},
		{"prose of any kind", ""},
		{"\x7fELF\x02", ""},
		{"\xff\xfe", ""},
	} {
		got, err := Detect("file", []byte(test.text))
		if got != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%q: %q, %v; want %q", test.text, got, err, test.want)
		}
	}
}

// TestShared: the seal of a shared map holds for what it was put on.
func TestShared(t *testing.T) {
	const text = `{"schema": 1, "tool": "x", "node": {"name": "x", "description": "One"}}`
	s, _ := opmap.Parse("x", []byte(text), opmap.ParseOptions{})
	s.Shared = &opmap.Shared{Digest: s.Digest(), Date: "2026-01-01T00:00:00Z"}
	sealed := s.Encode()
	got, err := Read(t.Context(), "x", sealed, options())
	if err != nil || got.Shared != nil {
		t.Errorf("%v, %+v", err, got)
	}
	if _, err := Read(t.Context(), "x", []byte(strings.Replace(string(sealed), "One", "Two", 1)), options()); err == nil || !strings.Contains(err.Error(), "shared.digest") {
		t.Errorf("a changed map: %v", err)
	}
}

// TestFence: what an import says of a described tool hides no word from the judge.
func TestFence(t *testing.T) {
	const text = "name: rm\nflags:\n  -r, --recursive=: known and takes none\n  --zz=: unknown\n  -q, --quiet=: unknown\n  -k=: unknown\n  --ok: takes none\ncommands:\n  - name: sub\n"
	s, err := Read(t.Context(), "rm.yaml", []byte(text), options())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range s.Node.Flags {
		got = append(got, strings.Join(f.Names, " ")+" "+f.Value)
	}
	// The reading of --recursive is the core's, whatever stands here.
	if want := "-r --recursive required|--zz optional|--quiet optional|--ok none"; strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", strings.Join(got, "|"), want)
	}
	if len(s.Node.Subcommands) > 0 {
		t.Error("rm has a command")
	}
}
