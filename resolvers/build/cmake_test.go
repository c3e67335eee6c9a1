package build

import (
	"os/exec"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func TestCmakeHelp(t *testing.T) {
	if _, err := exec.LookPath("cmake"); err != nil {
		t.Skip("cmake is not installed")
	}
	a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "cmake:commands", Dir: t.TempDir(), CacheDir: t.TempDir(), Getenv: resolvertest.Env("HOME", t.TempDir(), "PATH", "/usr/local/bin:/usr/bin:/bin"), Filter: resolvers.Filter{Text: "target_link_l"}})
	resolvertest.Equal(t, "commands", resolvertest.Texts(a), resolvertest.Words("target_link_libraries"))
}
