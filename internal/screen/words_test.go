package screen

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestPlain(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "none")
	_, stat := os.Lstat(missing)
	_, open := os.Open(missing)
	_, read := os.ReadFile(dir)
	for _, tt := range []struct {
		err  error
		want string
	}{
		{stat, "there is no file " + missing},
		{fmt.Errorf("a map: %w", open), "a map: there is no file " + missing},
		{read, dir + " is a directory"},
		{errors.Join(stat, errors.New("another")), "there is no file " + missing + "\nanother"},
		{fmt.Errorf("x %w: %w", errors.New("cannot be held"), stat), "x cannot be held: there is no file " + missing},
		{errors.New("words"), "words"},
	} {
		if got := Plain(tt.err); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.err, got, tt.want)
		}
	}
	args := []any{1, stat}
	if got := PlainArgs(args); got[1] != "there is no file "+missing || args[1] != any(stat) {
		t.Errorf("%v of %v", got, args)
	}
}
