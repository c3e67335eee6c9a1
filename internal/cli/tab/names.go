package tab

import (
	"os"
	"path/filepath"
	"strings"
)

// maxNames is how many names of files a shell is given.
const maxNames = 1000

// names are the files that begin as what is typed, one a line, a directory with "/" behind
// it: for tcsh, which completes files no more once a command has a completion.
func names(dir, typed string) string {
	at, prefix := "", typed
	if i := strings.LastIndexByte(typed, '/'); i >= 0 {
		at, prefix = typed[:i+1], typed[i+1:]
	}
	where := at
	if rest, ok := strings.CutPrefix(at, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			where = filepath.Join(home, rest)
		}
	}
	if !filepath.IsAbs(where) {
		where = filepath.Join(dir, where)
	}
	entries, err := os.ReadDir(where)
	if err != nil {
		return ""
	}
	var b strings.Builder
	n := 0
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, prefix) || prefix == "" && name[0] == '.' || strings.ContainsAny(name, " \t\n\u00a0") {
			continue
		}
		b.WriteString(at + name)
		if st, err := os.Stat(filepath.Join(where, name)); err == nil && st.IsDir() {
			b.WriteByte('/')
		}
		b.WriteByte('\n')
		if n++; n == maxNames {
			break
		}
	}
	return b.String()
}
