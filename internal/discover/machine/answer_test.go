package machine

import (
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

func TestReadAnswer(t *testing.T) {
	for _, test := range []struct {
		out       string
		directive bool
		words     int
		bits      int
		whole     bool
	}{
		{"a\tA\nb\n:4\nCompletion ended\n", true, 2, 4, true},
		{"a\n_activeHelp_ try this\n:0\n", true, 1, 0, true},
		{"a\nb\n", true, 0, 0, false},
		{"oops\n:1\n", true, 0, 0, false},
		{"yaml\nyml\n:8\n", true, 2, 8, true},
		{"a\tA\n\nb\r\n", false, 2, 0, true},
		{":4\n", false, 1, 0, true},
		{"", false, 0, 0, true},
	} {
		a := readAnswer(test.out, test.directive)
		if len(a.words) != test.words || a.directive != test.bits || a.whole != test.whole {
			t.Errorf("%q: %+v", test.out, a)
		}
	}
}

func TestAnswered(t *testing.T) {
	flags := answered(readAnswer("--all\tShow all\n-a\tShow all\n--file=\tOne\n-b\tOther\nword\tx\n--c d\n-\n", false).words)
	var got []string
	for _, f := range flags {
		got = append(got, strings.Join(f.Names, " ")+": "+f.Description)
	}
	if want := "--all -a: Show all|--file: One|-b: Other"; strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", strings.Join(got, "|"), want)
	}
}

func TestSpecOf(t *testing.T) {
	for _, test := range []struct {
		out  string
		want opmap.Spec
	}{
		{":16\n", opmap.Spec{Dir: true}},
		{"json\n:8\n", opmap.Spec{Resolver: "files:*.json"}},
		{"json\nyaml\n:8\n", opmap.Spec{File: true}},
		{"a\tA\n--flag\nb c\n:4\n", opmap.Spec{Enum: []opmap.EnumValue{{Value: "a", Description: "A"}}}},
	} {
		got := specOf(readAnswer(test.out, true))
		if got == nil || got.Dir != test.want.Dir || got.File != test.want.File || got.Resolver != test.want.Resolver || len(got.Enum) != len(test.want.Enum) ||
			len(got.Enum) == 1 && got.Enum[0] != test.want.Enum[0] {
			t.Errorf("%q: %+v", test.out, got)
		}
	}
	if got := specOf(readAnswer(":4\n", true)); got != nil {
		t.Errorf("of nothing: %+v", got)
	}
}

// FuzzReadAnswer: whatever a program prints, what is made of it fits into a map.
func FuzzReadAnswer(f *testing.F) {
	f.Add("--a\tA\n-a\tA\n:4\n", true)
	f.Add("\x00\x1b[2J\t\xff\n:99999999999999999999\n", true)
	f.Add("--\n---\n-é\tx\n", false)
	f.Fuzz(func(t *testing.T, out string, directive bool) {
		a := readAnswer(out, directive)
		s := &opmap.Source{Schema: 1, Tool: "x", Node: &opmap.Node{Name: "x", Interspersed: true}}
		s.Node.Flags = joinAnswered([]*opmap.Flag{{Names: []string{"--a"}}}, nil, answered(a.words))
		if spec := specOf(a); spec != nil {
			s.Node.Args = []*opmap.Arg{{Name: "x", Spec: spec}}
		}
		if _, problems := opmap.Parse("x", s.Encode(), opmap.ParseOptions{}); problems.Err() != nil {
			t.Errorf("%q: %v", out, problems.Err())
		}
	})
}
