// Score drafts the maps of the corpus's tools from their texts and compares them
// with what the tools themselves say they accept.
//
//	go run ./scripts/score [-corpus DIR] [-source help|man|any] [-faults TOOL] [-tools]
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("score", flag.ContinueOnError)
	fs.SetOutput(stderr)
	dir := fs.String("corpus", "", "read the corpus from this directory, a folder for each tool")
	src := fs.String("source", "any", "judge what this text documents: help, man, any")
	faults := fs.String("faults", "", "list what differs for this tool, or for \"all\"")
	each := fs.Bool("tools", false, "show the figures of each tool")
	if fs.Parse(args) != nil {
		return 2
	}
	tools, err := unpack()
	if *dir != "" {
		tools, err = readCorpus(*dir)
	}
	if err != nil {
		fmt.Fprintln(stderr, "score:", err)
		return 1
	}
	fmt.Fprintf(stdout, "%-24s %6s %6s %6s %6s %6s %6s %6s %6s\n", "%", "flag P", "flag R", "value", "both", "exact", "sub P", "sub R", "enum")
	var total counts
	for i := range tools {
		t := &tools[i]
		root, _ := discover.Parse(t.texts)
		c, list := score(t, discover.Tree(root), source(*src))
		total.add(c)
		if *each {
			fmt.Fprintln(stdout, line(t.name, c))
		}
		if t.name == *faults || *faults == "all" {
			for _, f := range list {
				fmt.Fprintln(stdout, strings.TrimSpace(t.name+" "+strings.Join(f.path, " "))+":", f.what)
			}
		}
	}
	fmt.Fprintln(stdout, line("all", total))
	return 0
}

func line(name string, c counts) string {
	r := c.rates()
	out := fmt.Sprintf("%-24s", name)
	for _, x := range []float64{r.Precision, r.Recall, r.Value, r.NameValue, r.Exact, r.SubPrecision, r.SubRecall, r.Enum} {
		if x < 0 {
			out += "      -"
			continue
		}
		out += fmt.Sprintf(" %6.1f", 100*x)
	}
	return out
}
