package run

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/tool-mapping-protocol/tmp/internal/forge/law"
)

// Compiled is a tool that passed the laws, as the cache keeps it.
type Compiled struct {
	SHA256   string        `json:"sha256"` // of the source
	Manifest *law.Manifest `json:"manifest"`
	Code     string        `json:"code"`
	Map      string        `json:"map"`
	Libs     string        `json:"libs"`
	Files    []stamp       `json:"files"`
	Remote   bool          `json:"remote"` // it may ask a database
	Findings []law.Finding `json:"findings,omitempty"`
}

// stamp tells whether a file is still the one that was read.
type stamp struct {
	Path  string `json:"path"`
	Inode uint64 `json:"inode"`
	Size  int64  `json:"size"`
	MTime int64  `json:"mtime"`
	CTime int64  `json:"ctime"`
}

// StampOf is the stamp of a file as it is now.
func StampOf(path string) (s stamp) {
	s.Path = path
	var st unix.Stat_t
	if unix.Stat(path, &st) == nil {
		s.Inode, s.Size = st.Ino, st.Size
		s.MTime, s.CTime = statTimes(&st)
	}
	return s
}

// Version is raised when what is compiled changes its meaning.
const Version = "3"

// key names a compiled tool: its source, and all of the configuration that it
// depends on.
func (f *Runner) key(sum, file string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n%q\n%s\n%q\n%q\n%q\n", Version, sum, f.Config.App.Root, f.Config.AllowedImports, f.Config.DB.SchemaPath, f.Config.Env, f.Config.DB.Write, f.Config.DB.Queries)
	if f.Config.DB.SchemaPath != "" {
		fmt.Fprintf(h, "%s\n", filepath.Dir(file))
	}
	fmt.Fprintf(h, "%s\n", filepath.Ext(file))
	return hex.EncodeToString(h.Sum(nil))[:40]
}

func (f *Runner) keptFile(sum, file string) string {
	if f.Cache() == "" {
		return ""
	}
	return filepath.Join(f.Cache(), "tools", f.key(sum, file)+".json")
}

// Keep keeps what was compiled of a file.
func (f *Runner) Keep(c *Compiled, file string) {
	name := f.keptFile(c.SHA256, file)
	if name == "" || os.MkdirAll(filepath.Dir(name), 0o700) != nil {
		return
	}
	if data, err := json.Marshal(c); err == nil {
		_ = WriteFile(name, data, 0o600)
	}
}

// Compile is a tool that can run: what is kept of it, or compiled anew. What breaks
// a law is LINT_FAILED.
func (f *Runner) Compile(source []byte, file, shown string) (*Compiled, error) {
	sum := sha256.Sum256(source)
	if name := f.keptFile(hex.EncodeToString(sum[:]), file); name != "" {
		if data, err := os.ReadFile(name); err == nil {
			var c Compiled
			if json.Unmarshal(data, &c) == nil && c.SHA256 == hex.EncodeToString(sum[:]) && c.Manifest != nil && c.fresh() {
				return &c, nil
			}
		}
	}
	if f.Workshop == nil {
		return nil, ErrWorkshop
	}
	c, err := f.Workshop.Check(source, file, shown)
	if err != nil {
		return nil, err
	}
	if len(c.Findings) > 0 {
		first := c.Findings[0]
		e := Fail(LintFailed, "%s", first.String())
		e.File, e.Line, e.Col = first.File, first.Line, first.Col
		if len(c.Findings) > 1 {
			e.Hint("and %s more: tgp check %s", Plural(len(c.Findings)-1, "finding"), shown)
		}
		return c, e
	}
	return c, nil
}

// fresh reports whether the files that were bundled are still the same.
func (c *Compiled) fresh() bool {
	for _, s := range c.Files {
		if StampOf(s.Path) != s {
			return false
		}
	}
	return true
}
