package line

import (
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Bytes that are no UTF-8 are characters of a name, and hide nothing.
func TestBytes(t *testing.T) {
	v := tcpdb.NewView(tcpdb.Core())
	for text, want := range map[string]tcpdb.Level{
		"echo \xff":                tcpdb.Safe,
		"ls 'caf\xe9' d\xe9j\xe0":  tcpdb.Safe,
		"echo \xff; rm -rf ~":      tcpdb.Critical,
		"rm -rf ~/\xff\xfe":        tcpdb.Critical,
		"echo \"\xff$(rm -rf ~)\"": tcpdb.Critical,
		"rm\xff -rf ~":             tcpdb.Medium, // another program
	} {
		for _, d := range []shline.Dialect{shline.Bash, shline.Zsh} {
			got := Judge(v, text, d, risk.Facts{Installed: func(string) bool { return true }}, Options{})
			low := want == tcpdb.Safe && got.Level <= tcpdb.Low
			if got.Level != want && !low {
				t.Errorf("%q: %v, want %v (%+v)", text, got.Level, want, got.Findings)
			}
		}
	}
}
