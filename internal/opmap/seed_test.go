package opmap

import (
	"slices"
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// seedRecord is the operation of seed 000 as it is printed there.
const seedRecord = `{
"id": "cargo.test",
"surface": "cli",
"intent": ["test", "run tests", "unit tests"],
"template": "cargo test <test_filter>",
"parameters": [
{
"name": "test_filter",
"type": "string",
"required": false,
"resolver": "cargo:tests"
}
],
"effect": "build-test",
"risk": "low",
"output_policy": {
"mode": "test_summary",
"raw_retention": "local_file"
},
"verified": true,
"evidence": ["parsed_help", "dry_run", "human_review"]
}`

func TestSeedRecordLoadsAsPrinted(t *testing.T) {
	s, problems := Parse("cargo.json", []byte(seedRecord), ParseOptions{})
	if err := problems.Strict(); err != nil {
		t.Fatal(err)
	}
	b := tcpdb.NewBuilder()
	if err := (&Layering{Layer: tcpdb.UserLayer, Sources: []*Source{s}}).Compile(b); err != nil {
		t.Fatal(err)
	}
	data, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	im, err := tcpdb.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	v := tcpdb.NewView(tcpdb.Core())
	v.Add(tcpdb.UserLayer, im)
	op, ok := v.Operation("cargo.test")
	if !ok {
		t.Fatal("cargo.test is not in the compiled map")
	}
	if op.Surface != "cli" || op.Tool != "cargo" || op.Effect != "build-test" || op.Risk < tcpdb.Low ||
		op.OutputMode != "test_summary" || op.Retention != "local_file" || op.Layer != tcpdb.UserLayer {
		t.Errorf("compiled as %+v", op)
	}
	if want := []string{"cargo", "test", "<test_filter>"}; !slices.Equal(op.Template, want) {
		t.Errorf("template %q, want %q", op.Template, want)
	}
	if want := []string{"test", "run tests", "unit tests"}; !slices.Equal(op.Intents, want) {
		t.Errorf("intents %q, want %q", op.Intents, want)
	}
	if want := []string{"parsed_help", "dry_run", "human_review"}; !slices.Equal(op.Evidence, want) {
		t.Errorf("evidence %q, want %q", op.Evidence, want)
	}
	want := tcpdb.Param{Name: "test_filter", Type: "string", Resolver: "cargo:tests"}
	if len(op.Params) != 1 || op.Params[0] != want {
		t.Errorf("parameters %+v, want %+v", op.Params, want)
	}
	// The file's word that it is verified is a claim, and a claim does not run.
	if op.Standing != tcpdb.Claimed || op.Standing.Verified() {
		t.Errorf("stands as %v, want claimed", op.Standing)
	}
}
