package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

// TestPictures: the pictures of the README show what the programs do today.
func TestPictures(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs and starts shells")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	stage, err := setUp(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stage.close)
	for _, sc := range scenes {
		t.Run(sc.name, func(t *testing.T) {
			if _, err := exec.LookPath(sc.shell); err != nil {
				t.Skipf("%s is not installed", sc.shell)
			}
			data, err := os.ReadFile(filepath.Join(root, "docs/pictures", sc.name+".svg"))
			if err != nil {
				t.Fatal(err)
			}
			now := textOf(svg(sc.title, stage.play(t, sc)))
			if diff := cmp.Diff(textOf(string(data)), now); diff != "" {
				t.Errorf("docs/pictures/%s.svg is stale; go run ./scripts/pictures draws it again:\n%s", sc.name, diff)
			}
		})
	}
}

// TestSVG: the text of a screen survives, whatever it holds.
func TestSVG(t *testing.T) {
	s := shelltest.NewScreen(2, 20)
	_, _ = s.Write([]byte("a \x1b[1;31m<b> & \"c\"\x1b[m  \r\n  日 d"))
	picture := svg("t < u", [][]shelltest.Cell{s.Cells(0), s.Cells(1)})
	if got, want := textOf(picture), "a <b> & \"c\"\n  日 d\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, want := range []string{`class="b c1"`, "<title>t &lt; u</title>"} {
		if !strings.Contains(picture, want) {
			t.Errorf("no %s in\n%s", want, picture)
		}
	}
}
