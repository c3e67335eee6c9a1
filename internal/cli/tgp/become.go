package tgp

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/forge/run"
)

// whole is the program that has all commands. It lies beside this one.
const whole = "tgp-forge"

// become puts the program with all commands in the place of this one.
func become(args []string) error {
	program, err := beside()
	if err != nil {
		return run.Fail(run.Failed, "%s, which has the other commands, is not beside tgp", whole).Hint("scripts/install.sh installs both; with go: go install ./cmd/tgp ./cmd/%s", whole)
	}
	err = syscall.Exec(program, append([]string{"tgp"}, args...), os.Environ())
	return run.Fail(run.Failed, "%s: %s", program, err)
}

// beside finds it: where this program lies, where a link to it leads, or on the PATH.
func beside() (string, error) {
	self, err := os.Executable()
	if err == nil {
		real, err := filepath.EvalSymlinks(self)
		if err != nil {
			real = self
		}
		for _, file := range []string{self, real} {
			file = filepath.Join(filepath.Dir(file), whole)
			if st, err := os.Stat(file); err == nil && st.Mode().IsRegular() {
				return file, nil
			}
		}
	}
	return exec.LookPath(whole)
}
