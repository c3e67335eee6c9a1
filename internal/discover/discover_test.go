package discover

import (
	"testing"
	"testing/fstest"
)

func TestParseMergesHelpAndMan(t *testing.T) {
	fsys := fstest.MapFS{
		"_root/help.txt": {Data: []byte("Usage: frob [OPTION]... FILE\n\n  -o, --output=FILE  write to FILE\n  -q                 be quiet\n")},
		"_root/man.roff": {Data: []byte(".TH FROB 1\n.SH NAME\nfrob \\- change things\n.SH OPTIONS\n.TP\n\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR\nSay less.\n.TP\n\\fB\\-\\-mode\\fR=\\fIMODE\\fR\nMODE is \\fBfast\\fR or \\fBslow\\fR.\n")},
	}
	texts, err := ReadDir(fsys, "frob")
	if err != nil {
		t.Fatal(err)
	}
	root, gaps := Parse(texts)
	if len(gaps) != 0 {
		t.Errorf("gaps: %v", gaps)
	}
	if root.Description != "change things" {
		t.Errorf("description %q", root.Description)
	}
	for name, want := range map[string]string{"-o": "required", "--output": "required", "--quiet": "none", "-q": "none", "--mode": "required"} {
		f := root.Flag(name)
		if f == nil {
			t.Errorf("%s is missing", name)
			continue
		}
		if f.Arity.String() != want {
			t.Errorf("%s takes %q, want %q", name, f.Arity, want)
		}
	}
	if f := root.Flag("--mode"); f != nil && (len(f.Values) != 2 || f.Values[0].Text != "fast" || f.Values[1].Text != "slow") {
		t.Errorf("--mode has values %v", f.Values)
	}
	if f := root.Flag("-q"); f != root.Flag("--quiet") {
		t.Error("-q and --quiet are two flags")
	}
	if f := root.Flag("--output"); f != nil && f.Kind != "file" {
		t.Errorf("--output is %q", f.Kind)
	}
}
