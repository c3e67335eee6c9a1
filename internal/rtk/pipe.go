package rtk

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/shape"
)

// PipeFilter is the name of RTK's filter for output of a command that is given
// to it through a pipe (rtk pipe --filter NAME); "" if it has none that reads
// the output as this command writes it.
func PipeFilter(argv []string) string {
	if len(argv) == 0 {
		return ""
	}
	program, args := base(argv[0]), argv[1:]
	if (program == "python" || program == "python3" || program == "npx") && len(args) > 0 {
		if args[0] == "-m" {
			args = args[1:]
		}
		if len(args) > 0 {
			program, args = args[0], args[1:]
		}
	}
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(args, w) })
	}
	first := ""
	if i := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "+") }); i >= 0 {
		first = args[i]
	}
	switch program {
	case "pytest", "py.test":
		return "pytest"
	case "ctest", "tsc", "mypy", "prettier", "phpunit", "pest", "paratest", "ecs", "phpstan":
		return program
	case "cargo":
		if first == "test" || first == "t" {
			return "cargo-test"
		}
	case "go":
		switch {
		case first == "build":
			return "go-build"
		case first == "test" && has("-json", "--json"):
			return "go-test"
		}
	case "ruff":
		switch {
		case first == "format":
			return "ruff-format"
		case first == "check" && has("--output-format=json"):
			return "ruff-check"
		}
	case "git":
		switch {
		case first == "diff" && !slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, "stat") || strings.HasPrefix(a, "--name") }):
			return "git-diff"
		case first == "status" && has("-s", "-sb", "--short", "--porcelain"):
			return "git-status"
		case first == "log" && has("--oneline"):
			return "git-log"
		}
	}
	return ""
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
