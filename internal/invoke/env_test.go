package invoke

import (
	"slices"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/workflow"
)

func TestEnvironment(t *testing.T) {
	env := []string{
		"PATH=/bin", "LC_ALL=C", "GH_TOKEN=x", "AWS_SECRET_ACCESS_KEY=y", "AWS_REGION=eu", "PGPASSWORD=z", "MONKEY=1", "PWD=/",
		"LD_PRELOAD=./x.so", "GIT_EDITOR=true", "BASH_ENV=",
	}
	without := func(names ...string) []string {
		return slices.DeleteFunc(slices.Clone(env), func(e string) bool {
			return slices.ContainsFunc(names, func(n string) bool { return len(e) > len(n) && e[:len(n)+1] == n+"=" })
		})
	}
	secrets := []string{"AWS_SECRET_ACCESS_KEY", "GH_TOKEN", "PGPASSWORD"}
	for _, tt := range []struct {
		name, surface string
		agent         bool
		detail        workflow.Detail
		want          []string
		withheld      []string
	}{
		{"a tool has all", "cli", false, workflow.Detail{}, env, nil},
		{"a script has no secrets", "script", false, workflow.Detail{}, without(secrets...), secrets},
		{"an empty list leaves the base", "cli", false, workflow.Detail{Bare: true}, []string{"PATH=/bin", "LC_ALL=C", "PWD=/"}, nil},
		{"a list is exact", "script", true, workflow.Detail{Bare: true, Env: []string{"AWS_*", "GH_TOKEN"}}, []string{"PATH=/bin", "LC_ALL=C", "GH_TOKEN=x", "AWS_SECRET_ACCESS_KEY=y", "AWS_REGION=eu", "PWD=/"}, nil},
		{"an agent loads nothing into a tool", "cli", true, workflow.Detail{}, without("LD_PRELOAD"), []string{"LD_PRELOAD"}},
		{"nor into a script", "script", true, workflow.Detail{}, without(append(secrets, "LD_PRELOAD")...), append(slices.Clone(secrets[:2]), "LD_PRELOAD", "PGPASSWORD")},
	} {
		got, withheld := Environment(env, tt.surface, tt.agent, tt.detail)
		if !slices.Equal(got, tt.want) || !slices.Equal(withheld, tt.withheld) {
			t.Errorf("%s: %v without %v, want %v without %v", tt.name, got, withheld, tt.want, tt.withheld)
		}
	}
}
