package npm

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

// Which manager a project has: https://docs.npmjs.com/cli/configuring-npm/package-json
// (packageManager, devEngines), https://pnpm.io/pnpm-workspace_yaml, and the lock
// files that the managers write.
func TestProjectManagers(t *testing.T) {
	for name, x := range map[string]struct {
		files map[string]string
		dir   string
		want  string
	}{
		"nothing speaks":               {map[string]string{"package.json": "{}"}, "", "npm"},
		"its lock":                     {map[string]string{"package.json": "{}", "package-lock.json": "{}"}, "", "npm"},
		"pnpm's lock":                  {map[string]string{"package.json": "{}", "pnpm-lock.yaml": ""}, "", "pnpm"},
		"yarn's":                       {map[string]string{"package.json": "{}", "yarn.lock": ""}, "", "yarn"},
		"bun's text":                   {map[string]string{"package.json": "{}", "bun.lock": ""}, "", "bun"},
		"bun's bytes":                  {map[string]string{"package.json": "{}", "bun.lockb": ""}, "", "bun"},
		"two locks":                    {map[string]string{"package.json": "{}", "yarn.lock": "", "package-lock.json": ""}, "", "npm yarn"},
		"two locks and a statement":    {map[string]string{"package.json": `{"packageManager": "pnpm@9.1.0+sha512.abc"}`, "yarn.lock": "", "package-lock.json": ""}, "", "pnpm"},
		"a statement without a number": {map[string]string{"package.json": `{"packageManager": "yarn"}`}, "", "yarn"},
		"one that nobody knows":        {map[string]string{"package.json": `{"packageManager": "cnpm@1"}`, "yarn.lock": ""}, "", "cnpm"},
		"one that is no name":          {map[string]string{"package.json": `{"packageManager": "../evil@1"}`, "yarn.lock": ""}, "", "yarn"},
		"development engines":          {map[string]string{"package.json": `{"devEngines": {"runtime": {"name": "node"}, "packageManager": {"name": "pnpm", "onFail": "error"}}}`}, "", "pnpm"},
		"a list of them":               {map[string]string{"package.json": `{"devEngines": {"packageManager": [{"name": "yarn"}, {"name": "npm"}]}}`}, "", "yarn"},
		"settings of a workspace":      {map[string]string{"package.json": "{}", "pnpm-workspace.yaml": "packages: []\n"}, "", "pnpm"},
		"settings of yarn":             {map[string]string{"package.json": "{}", ".yarnrc.yml": ""}, "", "yarn"},
		"engines":                      {map[string]string{"package.json": `{"engines": {"node": ">=20", "pnpm": ">=9"}}`}, "", "pnpm"},
		"two engines":                  {map[string]string{"package.json": `{"engines": {"yarn": ">=1", "pnpm": ">=9"}}`}, "", "npm"},
		"a lock before engines":        {map[string]string{"package.json": `{"engines": {"npm": ">=9"}}`, "yarn.lock": ""}, "", "yarn"},
		"the workspace's lock": {map[string]string{
			".git/": "", "package.json": `{"workspaces": ["packages/*"]}`, "yarn.lock": "", "packages/a/package.json": `{"engines": {"npm": ">=9"}}`, "packages/a/src/": "",
		}, "packages/a/src", "yarn"},
		"a root without package.json": {map[string]string{".git/": "", "pnpm-workspace.yaml": "", "pnpm-lock.yaml": "", "a/package.json": "{}"}, "a", "pnpm"},
		"a package's own lock":        {map[string]string{".git/": "", "package.json": `{"packageManager":"pnpm@9"}`, "pnpm-lock.yaml": "", "docs/package.json": "{}", "docs/package-lock.json": ""}, "docs", "npm"},
		"a package that has none":     {map[string]string{".git/": "", "package.json": `{"packageManager":"pnpm@9"}`, "package-lock.json": "", "docs/package.json": "{}"}, "docs", "pnpm"},
		"a lock of no package":        {map[string]string{".git/": "", "yarn.lock": "", "a/package.json": "{}"}, "a", "npm"},
		"not above the repository":    {map[string]string{"package.json": "{}", "yarn.lock": "", "a/.git/": "", "a/package.json": "{}"}, "a", "npm"},
	} {
		dir := filepath.Join(resolvertest.Tree(t, x.files), x.dir)
		a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "project:managers", Dir: dir, Getenv: resolvertest.Env("HOME", "/no/home")})
		if got := strings.Join(resolvertest.Texts(a), " "); got != x.want {
			t.Errorf("%s: %s, want %s", name, got, x.want)
		}
		for _, v := range a.Values {
			if v.Description == "" {
				t.Errorf("%s: no evidence: %+v", name, v)
			}
		}
	}
	for _, files := range []map[string]string{{"a/": ""}, {"package.json": "{", "yarn.lock": ""}} {
		resolvertest.Expect(t, resolvers.Failed, resolvers.Request{Name: "project:managers", Dir: resolvertest.Tree(t, files), Getenv: resolvertest.Env("HOME", "/no/home")})
	}
}

// A script that only fails is none.
func TestProjectScripts(t *testing.T) {
	dir := resolvertest.Tree(t, map[string]string{"package.json": `{"scripts": {"test": "echo \"Error: no test specified\" && exit 1", "deny": "exit 2", "build": "tsc && exit 0", "lint": "eslint . || exit 1", "empty": "echo hi"}}`})
	a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "project:scripts", Dir: dir})
	resolvertest.Equal(t, "scripts", resolvertest.Texts(a), resolvertest.Words("build lint empty"))
	a = resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "npm:scripts", Dir: dir})
	resolvertest.Equal(t, "all of them", resolvertest.Texts(a), resolvertest.Words("test deny build lint empty"))
}
