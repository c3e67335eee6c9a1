package core

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/mapcases"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// TestCases holds the map that ships to the cases of each tool.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("tools/*/" + mapcases.FileName)
	if err != nil || len(files) < 300 {
		t.Fatalf("%d tables of cases: %v", len(files), err)
	}
	v := tcpdb.NewView(tcpdb.Core())
	dir := t.TempDir()
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cases, err := mapcases.Parse(data)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		for _, c := range cases {
			if wrong := c.Wrong(v, dir); wrong != "" {
				t.Errorf("%s:%d: %s: %s %s", file, c.Row, c.Shell, c.Line, wrong)
			}
		}
	}
}

// TestHomes: a directory of a tool holds what the package says and nothing else.
func TestHomes(t *testing.T) {
	files, err := filepath.Glob("tools/*/*")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files {
		switch filepath.Base(file) {
		case "map.json", "risk.toml", mapcases.FileName:
		default:
			t.Errorf("%s: want map.json, risk.toml and %s only", file, mapcases.FileName)
		}
	}
}
