package rolesource

import (
	"bytes"
	"os"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/opmap/core"
)

// TestCurrent: the roles that are compiled in are those of roles.json.
func TestCurrent(t *testing.T) {
	want, err := Go(core.Roles)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../rolesdata.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("rolesdata.go is not that of roles.json: run go generate ./internal/project")
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{`{"v":1,"rolls":[]}`, `{`, `{"roles":[{"nme":"x"}]}`} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}
