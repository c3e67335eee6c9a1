package system_test

import (
	"os"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func TestMain(m *testing.M) {
	resolvertest.Table = all.Table()
	os.Exit(m.Run())
}
