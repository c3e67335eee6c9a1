package machine

import (
	"os"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Child()
	os.Exit(m.Run())
}
