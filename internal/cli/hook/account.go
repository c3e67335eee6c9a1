package hook

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// accountHome returns the home directory of this user as /etc/passwd has it
// (passwd(5)), "" if it does not say.
func accountHome() string {
	data, err := os.ReadFile("/etc/passwd")
	if err != nil {
		return ""
	}
	uid := strconv.Itoa(os.Getuid())
	for l := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimRight(l, "\n"), ":")
		if len(f) >= 6 && f[2] == uid && filepath.IsAbs(f[5]) {
			return filepath.Clean(f[5])
		}
	}
	return ""
}
