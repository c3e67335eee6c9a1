package completion

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// everyday completes words in dir with a home of its own and nothing on PATH, so
// that no program is asked.
func everyday(dir, home, line string) Answer {
	getenv := func(name string) string {
		if name == "HOME" {
			return home
		}
		return noGitConfig(name)
	}
	return coreEngine().Complete(context.Background(), Request{Words: strings.Split(line, " "), Dir: dir, Getenv: getenv, Limit: -1, Explain: true})
}

// The table of everyday values in the documents says which resolver answers each line.
func TestEverydayTable(t *testing.T) {
	data, err := os.ReadFile("../docs/tab.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(data), "\n## Everyday values\n")
	table, _, _ = strings.Cut(table, "\n## ")
	dir, home := t.TempDir(), t.TempDir()
	lines := 0
	for row := range strings.Lines(table) {
		cells := strings.Split(row, " | ")
		if len(cells) != 5 || !strings.HasPrefix(cells[0], "| `") {
			continue
		}
		want := strings.Trim(cells[1], "`")
		for line := range strings.SplitSeq(strings.TrimPrefix(cells[0], "| "), ", ") {
			if line = strings.Trim(line, "`"); !strings.HasSuffix(line, ":") {
				line += " "
			}
			lines++
			if a := everyday(dir, home, line); a.Resolver != want {
				t.Errorf("%q asks %q, the table says %q", line, a.Resolver, want)
			}
		}
	}
	if lines < 100 {
		t.Errorf("only %d lines were found", lines)
	}
}

// Lines and values that must be among what is offered; one with "!" must not.
func TestEverydayValues(t *testing.T) {
	dir, home := repository(t), t.TempDir()
	git(t, dir, "remote", "add", "origin", "https://example.org/x")
	git(t, dir, "tag", "v1")
	git(t, dir, "stash", "-q")
	for name, text := range map[string]string{
		"sub/Makefile": "all:\nclean:\n", "a.tar": "", "b.zip": "", "package.json": `{"scripts":{"dev":"x"},"dependencies":{"left-pad":"1"}}`,
		"node_modules/left-pad/package.json": `{"name":"left-pad","version":"1.0.0"}`,
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, dir, name, text)
	}
	if err := os.Mkdir(filepath.Join(home, ".ssh"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, home, ".ssh/config", "Host bastion\n\tHostName 192.0.2.1\n")
	site := filepath.Join(home, ".local/lib/python3.11/site-packages/some_thing-1.2.dist-info")
	if err := os.MkdirAll(site, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{"ssh ", "bastion"},
		{"scp bas", "bastion:"},
		{"telnet ", "bastion"},
		{"ssh-copy-id ", "bastion"},
		{"sudo -u ", "root"},
		{"su - ", "root"},
		{"crontab -u ", "root"},
		{"chown ro", "root"},
		{"chown root:ro", "root:root"},
		{"chgrp ", "root"},
		{"groupdel ", "root"},
		{"kill -s ", "TERM"},
		{"git stash show ", "stash@{0}"},
		{"git push ", "origin"},
		{"git push origin ", "main topic v1"},
		{"git remote set-url ", "origin"},
		{"git rebase ", "topic"},
		{"git show ", "topic v1"},
		{"git branch -d ", "topic !main"},
		{"make -C ", "sub/ !a.tar"},
		{"make -C sub ", "all clean"},
		{"npm uninstall ", "left-pad"},
		{"npm run ", "dev"},
		{"pip uninstall ", "some-thing"},
		{"tar -xf ", "a.tar"},
		{"unzip ", "b.zip"},
		{"cd ", "sub/ !a.tar"},
	} {
		got := rawValues(everyday(dir, home, c[0]))
		for want := range strings.FieldsSeq(c[1]) {
			if name, not := strings.CutPrefix(want, "!"); slices.Contains(got, name) == not {
				t.Errorf("%s: want %s, got %q", c[0], c[1], got)
			}
		}
	}
}
