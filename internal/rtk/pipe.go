package rtk

import (
	_ "embed" // the table of filters
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/shape"
)

//go:embed pipe.tsv
var pipeTable string

// PipeFilter is the name of RTK's filter for output of a command that is given
// to it through a pipe (rtk pipe --filter NAME); "" if it has none that reads
// the output as this command writes it. The words are those of the command that
// prints, without what carries it (npx, python -m).
func PipeFilter(argv []string) string {
	if len(argv) == 0 {
		return ""
	}
	for row := range strings.Lines(pipeTable) {
		col := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(col) == 5 && col[1] == base(argv[0]) && reads(col[2:], argv[1:]) {
			return col[0]
		}
	}
	return ""
}

// reads reports whether arguments are those that a row of the table asks for.
func reads(row, args []string) bool {
	word, with, without := row[0], row[1], row[2]
	first := ""
	if i := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "+") }); i >= 0 {
		first = args[i]
	}
	given := func(list string, is func(arg, want string) bool) bool {
		return slices.ContainsFunc(strings.Fields(list), func(want string) bool {
			return slices.ContainsFunc(args, func(a string) bool { return is(a, want) })
		})
	}
	return (word == "-" || word == first) &&
		(with == "-" || given(with, func(a, want string) bool { return a == want })) &&
		(without == "-" || !given(without, strings.Contains))
}

// MaxPipe is how many bytes rtk pipe reads.
const MaxPipe = 10 << 20

// Doubt says why a text that RTK made of an output is not to be shown in its
// place, or "". Its lines are not those of the output, so what can be asked is
// whether it still tells that something failed, and what failed first.
func Doubt(text string, output *shape.Summary, status int) string {
	switch {
	case strings.TrimSpace(text) == "" && output.Lines > 0:
		return "nothing is left of the output"
	case len(text) > len(output.Text) && output.Compressor == "native":
		return "it is longer than what the policy " + output.Policy + " leaves"
	case status == 0:
		return ""
	}
	alarms := shape.Trace(shape.Options{Policy: "generic"}, []byte(text)).Alarms
	if !slices.Contains(alarms, true) {
		return "the command failed, and it does not say so"
	}
	if name, ok := output.Fields["first_failure"].(string); ok && !strings.Contains(text, lastPart(name)) {
		return "it does not name " + name + ", which failed"
	}
	return ""
}

func lastPart(name string) string { return name[strings.LastIndexAny(name, "/:.")+1:] }

// Loses returns a line of an output that must stay and that the filter leaves
// out or changes, or "".
func Loses(f *Filter, op Operation, sample Sample) string {
	s := newStudy(op, sample)
	s.settle(&Filter{StripANSI: true})
	left := map[string]int{}
	for _, l := range splitLines(f.Apply(string(s.Output))) {
		left[stripANSI(l)]++
	}
	for i, l := range s.lines {
		if !s.must[i] {
			continue
		}
		if j := strings.LastIndexByte(strings.TrimRight(l, "\r"), '\r'); j >= 0 {
			l = strings.TrimRight(l, "\r")[j+1:]
		}
		if left[l] == 0 {
			return l
		}
		left[l]--
	}
	return ""
}
