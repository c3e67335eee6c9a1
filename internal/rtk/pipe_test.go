package rtk

import (
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/shape"
)

func TestPipeFilter(t *testing.T) {
	for line, want := range map[string]string{
		"cargo test": "cargo-test", "cargo +nightly test x": "cargo-test", "cargo build": "", "go test ./...": "", "go test -json ./...": "go-test",
		"go build": "go-build", "pytest -q": "pytest", "/usr/bin/py.test": "pytest", "tsc --noEmit": "tsc", "git diff": "git-diff",
		"git diff --stat": "", "git status": "", "git status -sb": "git-status", "git log --oneline": "git-log", "git log": "", "make": "", "": "",
		"ruff check .": "", "ruff format .": "ruff-format", "python3 x.py": "",
	} {
		if got := PipeFilter(strings.Fields(line)); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestDoubt(t *testing.T) {
	native := &shape.Summary{Policy: "test_summary", Compressor: "native", Text: strings.Repeat("x", 100), Lines: 9, Fields: map[string]any{"first_failure": "parser::tests::escape"}}
	for _, c := range []struct {
		text   string
		status int
		want   string
	}{
		{"cargo test: 3 passed", 0, ""},
		{"", 0, "nothing is left"},
		{strings.Repeat("y", 101), 0, "longer"},
		{"cargo test: ok", 101, "does not say so"},
		{"FAILED: other", 101, "does not name parser::tests::escape"},
		{"FAILED: escape", 101, ""},
	} {
		if got := Doubt(c.text, native, c.status); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestLoses(t *testing.T) {
	sample := Sample{"s", []byte("Checking x/1\n\x1b[1mChecking x/2\x1b[0m\nerror: \"q\"\r\nwrote y\n"), 1, true}
	op := Operation{ID: "a.b", Template: []string{"tool"}}
	for keys, want := range map[string]string{
		"strip_lines_matching = ['^Checking ']":                    "",
		"strip_ansi = true\nstrip_lines_matching = ['^Checking ']": "",
		"strip_lines_matching = ['^wrote']":                        "wrote y",
		"max_lines = 3":                                            "wrote y",
		"truncate_lines_at = 6":                                    `error: "q"`,
		"match_output = [{pattern = 'x', message = 'fine'}]":       `error: "q"`,
	} {
		if got := Loses(one(t, keys), op, sample); got != want {
			t.Errorf("%s: %q, want %q", keys, got, want)
		}
	}
}
