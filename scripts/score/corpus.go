package main

import (
	"archive/tar"
	"bytes"
	"compress/bzip2"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover"
)

// packed is the corpus: for each of 25 tools its texts and its true tree.
//
//go:embed testdata/corpus.tar.bz2
var packed []byte

// truth is what a tool itself says it accepts.
type truth struct {
	Tool   string      `json:"tool"`
	Family string      `json:"family"` // "getopt", "cobra": how the truth was found
	Nodes  []truthNode `json:"nodes"`
}

type truthNode struct {
	Path  []string    `json:"path"`
	Flags []truthFlag `json:"flags"`
	Subs  []string    `json:"subcommands"` // nil if the oracle does not know them
	// SubInHelp are those of Subs that the help text names.
	SubInHelp []string `json:"sub_in_help"`
	Accept    []string `json:"accept"` // names that are no fault and no find
	Help      any      `json:"help"`   // whether there is a help text: a bool or its path
	Man       any      `json:"man"`
	Scope     *scope   `json:"scope"`
}

// scope says which names the oracle knows of.
type scope struct {
	Long  *bool `json:"long"`
	Short *bool `json:"short"`
}

type truthFlag struct {
	Names      []string `json:"names"`
	TakesValue any      `json:"takes_value"` // true, false, "optional", null
	Values     []string `json:"values"`
	InHelp     []string `json:"in_help"`
	InMan      []string `json:"in_man"`
}

// tool is one tool of a corpus.
type tool struct {
	name  string
	texts discover.Texts
	truth *truth
}

// unpack reads the packed corpus.
func unpack() ([]tool, error) {
	byName := map[string]*tool{}
	r := tar.NewReader(bzip2.NewReader(bytes.NewReader(packed)))
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("corpus: %w", err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return nil, fmt.Errorf("corpus: %s: %w", h.Name, err)
		}
		name, rest, _ := strings.Cut(h.Name, "/")
		t := byName[name]
		if t == nil {
			t = &tool{name: name, texts: discover.Texts{Tool: name}}
			byName[name] = t
		}
		if rest == "truth.json" {
			t.truth = &truth{}
			if err := json.Unmarshal(data, t.truth); err != nil {
				return nil, fmt.Errorf("corpus: %s: %w", h.Name, err)
			}
			continue
		}
		folder, file, _ := strings.Cut(rest, "/")
		t.add(folder, file, data)
	}
	return sorted(byName), nil
}

// add puts a text into the node of its folder.
func (t *tool) add(folder, file string, data []byte) {
	path := discover.FolderPath(folder)
	i := slices.IndexFunc(t.texts.Nodes, func(x discover.Text) bool { return slices.Equal(x.Path, path) })
	if i < 0 {
		i = len(t.texts.Nodes)
		t.texts.Nodes = append(t.texts.Nodes, discover.Text{Path: path})
	}
	if file == "help.txt" {
		t.texts.Nodes[i].Help = string(data)
	} else {
		t.texts.Nodes[i].Man = data
	}
}

// readCorpus reads a corpus that lies in a directory, a folder for each tool.
func readCorpus(dir string) ([]tool, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	byName := map[string]*tool{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name(), "truth.json"))
		if err != nil {
			continue
		}
		t := &tool{name: e.Name(), truth: &truth{}}
		if err := json.Unmarshal(data, t.truth); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		t.texts, err = discover.ReadDir(os.DirFS(filepath.Join(dir, e.Name())), e.Name(), nil)
		if err != nil {
			return nil, err
		}
		byName[e.Name()] = t
	}
	return sorted(byName), nil
}

func sorted(byName map[string]*tool) []tool {
	var out []tool
	for _, t := range byName {
		if t.truth != nil {
			out = append(out, *t)
		}
	}
	slices.SortFunc(out, func(a, b tool) int { return strings.Compare(a.name, b.name) })
	return out
}
