package invoke

import (
	"slices"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/workflow"
)

func TestEnvironment(t *testing.T) {
	env := []string{"PATH=/bin", "LC_ALL=C", "GH_TOKEN=x", "AWS_SECRET_ACCESS_KEY=y", "AWS_REGION=eu", "PGPASSWORD=z", "MONKEY=1", "PWD=/"}
	for _, tt := range []struct {
		name, surface string
		detail        workflow.Detail
		want          []string
	}{
		{"a tool has all", "cli", workflow.Detail{}, env},
		{"a script has no secrets", "script", workflow.Detail{}, []string{"PATH=/bin", "LC_ALL=C", "AWS_REGION=eu", "MONKEY=1", "PWD=/"}},
		{"an empty list leaves the base", "cli", workflow.Detail{Bare: true}, []string{"PATH=/bin", "LC_ALL=C", "PWD=/"}},
		{"a list is exact", "script", workflow.Detail{Bare: true, Env: []string{"AWS_*", "GH_TOKEN"}}, []string{"PATH=/bin", "LC_ALL=C", "GH_TOKEN=x", "AWS_SECRET_ACCESS_KEY=y", "AWS_REGION=eu", "PWD=/"}},
	} {
		if got := Environment(env, tt.surface, tt.detail); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
