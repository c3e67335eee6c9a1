// Package account says what is a person's own on this machine, whatever the
// environment says: the directory of their account, and clocks that nobody sets
// back.
package account

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Home is the home directory in the passwd entry of the user that runs us, ""
// where there is none. The environment has no say in it.
func Home() string {
	id := os.Getuid()
	uid := strconv.Itoa(id)
	if f, err := os.Open("/etc/passwd"); err == nil {
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			if home := entry(s.Text(), uid); home != "" {
				return home
			}
		}
	}
	if id < firstUser {
		return "" // the system's own accounts are in the file, or nowhere
	}
	for _, ask := range asked {
		c := exec.Command(ask[0], append(ask[1:len(ask):len(ask)], uid)...)
		c.Env, c.Dir = []string{}, "/"
		if out, err := c.Output(); err == nil {
			if home := entry(strings.TrimSpace(string(out)), uid); home != "" {
				return home
			}
		}
	}
	return ""
}

// firstUser is the least number of an account that a directory service may have;
// below it are the system's own. macOS begins at 500.
const firstUser = 500

// asked are the programs of the system that know accounts which no file holds.
var asked = [][]string{{"/usr/bin/getent", "passwd"}, {"/usr/bin/id", "-P"}}

// entry is the home directory in a line of passwd(5), or of id -P, that is of the
// user; "" in any other.
func entry(line, uid string) string {
	fields := strings.Split(line, ":")
	if len(fields) < 7 || fields[2] != uid {
		return ""
	}
	home := fields[len(fields)-2]
	if !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Clean(home)
}

// State is the state directory of an account with that home, "" without one.
func State(home string) string {
	if home == "" {
		return ""
	}
	return filepath.Join(home, ".local/state/tmp")
}

// Of is the home directory of the account with that state directory.
func Of(state string) string { return strings.TrimSuffix(state, "/.local/state/tmp") }

// Clock is a moment: by the clock on the wall, which can be set, and by that of
// this boot, which cannot and goes on while the machine sleeps.
type Clock struct {
	Wall time.Time
	Boot time.Duration
	// BootID names the boot.
	BootID string
}

// At is the moment now, with what the wall's clock says.
func At(wall time.Time) Clock { return Clock{wall, sinceBoot(), bootID()} }
