package run

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/forge/law"
	"github.com/tool-mapping-protocol/tmp/internal/forge/pattern"
)

// Split reads CATEGORY/NAME.
func Split(word string) (category, name string, err error) {
	word = strings.TrimPrefix(word, "tools/")
	word = strings.TrimSuffix(strings.TrimSuffix(word, ".tsx"), ".ts")
	category, name, ok := strings.Cut(word, "/")
	if !ok || !segment.MatchString(category) || !segment.MatchString(name) {
		return "", "", Fail(Usage, "%q is not CATEGORY/NAME: lower-case letters, digits and -, at most 64 each", OneLine(word))
	}
	return category, name, nil
}

// LintError is a draft that breaks laws.
type LintError struct {
	Fault    *Error
	Compiled *Compiled
}

func (e *LintError) Error() string { return e.Fault.Error() }

func (e *LintError) Unwrap() error { return e.Fault }

// Abs is the whole path of a file that the caller names.
func (f *Runner) Abs(file string) string {
	if !filepath.IsAbs(file) {
		file = filepath.Join(f.Dir, file)
	}
	return filepath.Clean(file)
}

// ReadSource reads the source of a tool.
func ReadSource(file string) ([]byte, error) {
	st, err := os.Stat(file)
	if err != nil {
		return nil, Fail(NotFound, "%s cannot be read: %s", file, unwrapPath(err))
	}
	if !st.Mode().IsRegular() {
		return nil, Fail(Usage, "%s is no file", file)
	}
	if st.Size() > 8*law.MaxSource {
		return nil, Fail(LintFailed, "%s: size: %d bytes; a tool has at most %d", file, st.Size(), law.MaxSource)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, Fail(NotFound, "%s", err)
	}
	return data, nil
}

func unwrapPath(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// OrEmpty is a list that JSON shows as [].
func OrEmpty(l []string) []string {
	if l == nil {
		return []string{}
	}
	return l
}

var segment = pattern.New(`^[a-z][a-z0-9-]{0,63}$`)

// NotePath is where the approval of a tool lies, below the root.
func NotePath(category, name string) string { return "approvals/" + category + "/" + name + ".note" }
