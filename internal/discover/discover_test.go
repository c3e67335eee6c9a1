package discover

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

func TestParseMergesHelpAndMan(t *testing.T) {
	fsys := fstest.MapFS{
		"_root/help.txt": {Data: []byte("Usage: frob [OPTION]... FILE\n\n  -o, --output=FILE  write to FILE\n  -q                 be quiet\n")},
		"_root/man.roff": {Data: []byte(".TH FROB 1\n.SH NAME\nfrob \\- change things\n.SH OPTIONS\n.TP\n\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR\nSay less.\n.TP\n\\fB\\-\\-mode\\fR=\\fIMODE\\fR\nMODE is \\fBfast\\fR or \\fBslow\\fR.\n")},
	}
	texts, err := ReadDir(fsys, "frob", nil)
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

// TestSourceIsValid checks that a draft, written as a source map, is read back
// without a problem, whatever the text held.
func TestSourceIsValid(t *testing.T) {
	texts := Texts{Tool: "frob", Nodes: []Text{{Help: "Usage: frob [OPTIONS] <FILE>... <FILE> COMMAND\n\nOptions:\n" +
		"  -a, --all   all\x1b[31m of \"it\"\n  -a, --again  twice\n      --[no-]color=WHEN  one of: always, never\n  --all  again\n  -n NUM  number (default: 5)\n\n" +
		"Commands:\n  add, a  Add\n  a       Also a\n  add     Twice\n  lone    No text\n"}, {Path: []string{"add"}, Man: []byte(".SH OPTIONS\n.TP\n\\-x\ntext\n")}}}
	root, gaps := Parse(texts)
	src := Source(root, gaps)
	data := src.Encode()
	back, problems := opmap.Parse("draft.json", data, opmap.ParseOptions{})
	for _, p := range problems {
		t.Error(p)
	}
	if back == nil || back.Verified || !bytes.Equal(back.Encode(), data) {
		t.Errorf("does not read back as it was written")
	}
	if f := root.Flag("-n"); f == nil || f.Default != "5" || f.Kind != "number" {
		t.Errorf("-n is %+v", f)
	}
	if !strings.Contains(string(data), `"help:4"`) {
		t.Error("does not say which line names --all")
	}
	if !strings.Contains(string(data), `"gaps"`) {
		t.Error("does not tell what is missing")
	}
}

func TestDecompress(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write([]byte(".TH X 1\n"))
	w.Close()
	got, err := Decompress(z.Bytes())
	if err != nil || string(got) != ".TH X 1\n" {
		t.Errorf("gzip: %q, %v", got, err)
	}
	if got, err := Decompress([]byte(".TH Y 1\n")); err != nil || string(got) != ".TH Y 1\n" {
		t.Errorf("plain: %q, %v", got, err)
	}
	var unknown *ErrCompression
	if _, err := Decompress([]byte("\xfd7zXZ\x00rest")); !errors.As(err, &unknown) || unknown.Name != "xz" {
		t.Errorf("xz: %v", err)
	}
	if _, err := Decompress([]byte("\x1f\x8bbroken")); err == nil {
		t.Error("reads a broken gzip file")
	}
}

func TestReadDirOfNothing(t *testing.T) {
	texts, err := ReadDir(fstest.MapFS{}, "frob", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, gaps := Parse(texts)
	if len(gaps) != 1 || gaps[0].Node != "frob" {
		t.Errorf("gaps %v", gaps)
	}
	if _, err := ReadDir(os.DirFS("testdata/none"), "frob", nil); err == nil {
		t.Error("a directory that is not there is no error")
	}
}

// TestScriptsJoin checks that what a script tells is added, and that it does not
// take away a value that the manual shows.
func TestScriptsJoin(t *testing.T) {
	root, _ := Parse(Texts{
		Tool:  "frob",
		Nodes: []Text{{Help: "Usage: frob\n\n  -o, --out=FILE  write there\n"}},
		Fish:  "complete -c frob -s o -l out\ncomplete -c frob -l extra -x -a 'a b'\ncomplete -c frob -n __fish_use_subcommand -a go -d Run\n",
	})
	if f := root.Flag("--out"); f == nil || f.Arity != draft.Required || len(f.At) != 2 {
		t.Errorf("--out is %+v", f)
	}
	if f := root.Flag("--extra"); f == nil || len(f.Values) != 2 {
		t.Errorf("--extra is %+v", f)
	}
	if root.Sub("go") == nil {
		t.Error("no go")
	}
}

// Pages may be compressed and named so; what is not read here is handed out.
func TestReadDirPacked(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	_, _ = w.Write([]byte(".SH OPTIONS\n.TP\n\\-x\ntext\n"))
	w.Close()
	fsys := fstest.MapFS{
		"_root/man.roff.gz": {Data: z.Bytes()},
		"add/man.roff.xz":   {Data: []byte("\xfd7zXZ\x00rest")},
		"del/man.roff":      {Data: []byte("\x28\xb5\x2f\xfdrest")},
	}
	asked := map[string]string{}
	texts, err := ReadDir(fsys, "frob", func(program string, data []byte) ([]byte, error) {
		asked[program] = string(data)
		return []byte(".SH OPTIONS\n.TP\n\\-\\-by\\-" + program + "\ntext\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	root, _ := Parse(texts)
	if root.Flag("-x") == nil || root.Sub("add") == nil || root.Sub("add").Flag("--by-xz") == nil || root.Sub("del").Flag("--by-zstd") == nil {
		t.Errorf("%+v", Tree(root))
	}
	if asked["xz"] != "\xfd7zXZ\x00rest" {
		t.Errorf("asked %q", asked)
	}
	var other *ErrCompression
	if _, err := ReadDir(fsys, "frob", nil); !errors.As(err, &other) {
		t.Errorf("without a reader: %v", err)
	}
}
