package shape_test

import (
	"os"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/printed"
	"github.com/tool-mapping-protocol/tmp/internal/shape"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func TestMain(m *testing.M) {
	v := tcpdb.NewView(tcpdb.Core())
	shape.CommandOf = func(line string) shape.Command { return printed.Line(v, line).Command }
	os.Exit(m.Run())
}
