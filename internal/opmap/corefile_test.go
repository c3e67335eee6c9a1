package opmap

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/opmap/core"
)

func TestCoreRiskFile(t *testing.T) {
	for _, key := range []string{"git push", "rm", "aws s3 rm", "["} {
		file, line := CoreRiskFile(key)
		data, err := core.Files.ReadFile(file)
		if err != nil {
			t.Errorf("%s: %v", key, err)
			continue
		}
		if lines := bytes.Split(data, []byte("\n")); !bytes.Contains(lines[line-1], []byte(strconv.Quote(key))) {
			t.Errorf("%s: not on line %d of %s", key, line, file)
		}
	}
	for _, key := range []string{"no such tool", "safe", "files"} { // words of the tables that are no keys
		if file, line := CoreRiskFile(key); file != "" {
			t.Errorf("%s: found at %s:%d", key, file, line)
		}
	}
}
