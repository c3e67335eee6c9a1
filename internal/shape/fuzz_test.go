package shape

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// every is one command for each format, so that each policy is reached.
func every() []string {
	return []string{
		"", "go test ./...", "go test -json ./...", "gotestsum", "cargo test", "python -m pytest", "python -m unittest", "npm test", "ctest", "make",
		"git status", "git diff", "git log", "git show", "git push", "grep -rn x .", "journalctl", "apt-get install x", "kubectl get pods", "kubectl get pods -o json",
		"ansible-playbook site.yml", "terraform plan", "docker compose up", "gh run view --log",
	}
}

// TestAnyOutputIsShapedHonestly mixes pieces of real outputs and of bytes, for
// every policy.
func TestAnyOutputIsShapedHonestly(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range strings.SplitAfter(string(data[:min(len(data), 20_000)]), "\n") {
			if i%7 == 0 || i < 30 {
				lines = append(lines, l)
			}
			if i%20 == 0 {
				lines = append(lines, "web-1  | "+l, "api:test: "+l, "2026-03-04T10:00:00.0000000Z "+l)
			}
		}
	}
	formats := []format{goTest, goJSON, goTestSum, cargoOut, pytestOut, unittestOut, tapOut, jsTest, junitXML, ctestOut, buildOut, gitStatus, gitDiff, gitLog, gitWork, searchOut, logOut, packageOut, tableOut, ansibleOut, terraformOut}
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		for _, part := range rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(lines), rapid.StringN(0, 20, 40), rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 30), func(b []byte) string { return string(b) })), 0, 120).Draw(t, "parts") {
			b.WriteString(part)
		}
		o := Options{Status: rapid.SampledFrom([]int{0, 1, 101}).Draw(t, "status"), Ended: rapid.Bool().Draw(t, "ended")}
		f := rapid.SampledFrom(formats).Draw(t, "format")
		s := New(o)
		if s.policy = s.reader(f); rapid.Bool().Draw(t, "several") {
			s.policy = newStreams(&auto{s: s})
		}
		for _, part := range split(b.Bytes(), rapid.IntRange(1, 500).Draw(t, "size")) {
			if _, err := s.Write(part); err != nil {
				t.Fatal(err)
			}
		}
		honest(t, f.name(), o, b.Bytes(), s.Summary())
	})
}

func split(b []byte, n int) [][]byte {
	var out [][]byte
	for len(b) > n {
		out = append(out, b[:n])
		b = b[n:]
	}
	return append(out, b)
}

func FuzzShape(f *testing.F) {
	f.Add(0, 1, []byte(cargoFailure))
	f.Add(1, 0, []byte("\x1b[\r\n\x00"))
	files, err := filepath.Glob("testdata/real/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for i, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(i, i%2, data[:min(len(data), 4000)])
	}
	f.Fuzz(func(t *testing.T, command, status int, output []byte) {
		c := every()
		o := Options{Command: CommandOf(c[(command%len(c)+len(c))%len(c)]), Status: status & 0xff, Ended: true}
		s, err := Shape(o, bytes.NewReader(output))
		if err != nil {
			t.Fatal(err)
		}
		if s.Policy == "json_projection" {
			return // values stand apart from what is around them
		}
		honest(t, s.Policy, o, output, s)
	})
}
