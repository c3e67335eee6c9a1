// Replay types command lines as people write them, word by word, and counts how
// often the next word is offered:
//
//	go run ./scripts/replay [-missed] [-system FILE] [FILE…]
//
// A line is of plain words; {in braces} stands what is the writer's own (a
// name, a path), which no map can know. At each other word but the first, its
// first letter is typed, for an option its dashes and first letter; an option
// counts without what follows "=". FILE is "-" for standard input; the default
// is the set beside this program. The answers are those of the core map and,
// with -system, of a compiled system map as well (tmp db build).
package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

//go:embed lines.txt
var lines []byte

// tally counts the words of one tool, or of all.
type tally struct{ words, among, first int }

// firstFive is how many candidates a person takes in at a glance.
const firstFive = 5

func main() {
	missed := flag.Bool("missed", false, "list the words that are not among the first five")
	system := flag.String("system", "", "add the system map `FILE`")
	flag.Parse()
	if err := run(*missed, *system, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "replay:", err)
		os.Exit(1)
	}
}

func run(missed bool, system string, files []string) error {
	texts := [][]byte{lines}
	if len(files) > 0 {
		texts = nil
	}
	for _, name := range files {
		if name == "-" {
			name = "/dev/stdin"
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		texts = append(texts, data)
	}
	empty, err := os.MkdirTemp("", "replay-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(empty)
	view := tcpdb.NewView(tcpdb.Core())
	if system != "" {
		im, err := tcpdb.Map(system)
		if err != nil {
			return err
		}
		defer im.Close()
		view.Add(tcpdb.SystemLayer, im)
	}
	e := &completion.Engine{Map: view, Resolvers: all.Table(), Deadline: 2 * time.Second}
	tools := map[string]*tally{}
	var all tally
	count := 0
	for _, text := range texts {
		for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
			line := strings.TrimSpace(s.Text())
			if line == "" || line[0] == '#' {
				continue
			}
			count++
			name, _, _ := strings.Cut(line, " ")
			if tools[name] == nil {
				tools[name] = &tally{}
			}
			replay(e, empty, line, missed, tools[name], &all)
		}
	}
	report(tools, all, count)
	return nil
}

// replay types one line.
func replay(e *completion.Engine, dir, line string, missed bool, counts ...*tally) {
	var before []string
	for i, word := range strings.Fields(line) {
		own := strings.Contains(word, "{")
		name, _, _ := strings.Cut(word, "=")
		if option := strings.HasPrefix(word, "-"); i > 0 && name != "" && (!own || option && !strings.Contains(name, "{")) {
			typed := name[:1]
			if option {
				typed = name[:min(len(name), len(name)-len(strings.TrimLeft(name, "-"))+1)]
			}
			text := strings.Join(append(slices.Clone(before), typed), " ")
			a := e.Complete(context.Background(), completion.Request{Line: text, Point: len(text), Dir: dir, Limit: -1})
			at := slices.IndexFunc(a.Candidates, func(c completion.Candidate) bool {
				return strings.TrimSuffix(c.Value, "=") == name
			})
			for _, t := range counts {
				t.words++
				if at >= 0 {
					t.among++
				}
				if at >= 0 && at < firstFive {
					t.first++
				}
			}
			if missed && (at < 0 || at >= firstFive) {
				fmt.Printf("%3d of %-3d  %s|%s\n", at+1, len(a.Candidates), text, word[len(typed):])
			}
		}
		before = append(before, strings.Trim(strings.NewReplacer("{", "", "}", "").Replace(word), " "))
	}
}

func report(tools map[string]*tally, all tally, lines int) {
	percent := func(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }
	names := make([]string, 0, len(tools))
	for name := range tools {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if t := tools[name]; t.first < t.words {
			fmt.Printf("%-14s %4d words  %5.1f %% among  %5.1f %% first\n", name, t.words, percent(t.among, t.words), percent(t.first, t.words))
		}
	}
	fmt.Printf("%d lines, %d words: %.1f %% among the candidates, %.1f %% among the first five\n",
		lines, all.words, percent(all.among, all.words), percent(all.first, all.words))
}
