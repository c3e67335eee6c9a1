package drafts

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// Touch notes that a draft was looked at just now, and holds.
func (d Dir) Touch(tool string) error {
	now := time.Now()
	return os.Chtimes(d.baseFile(tool), now, now)
}

// Sweep takes away the drafts of programs that were removed, and returns which. A
// program was removed if it is not found in PATH and its file is not there. What a
// person edited or imported stays.
func (d Dir) Sweep(found func(tool string) bool) (gone []string, err error) {
	for _, tool := range d.Tools() {
		if found(tool) {
			continue
		}
		b := d.Base(tool)
		if b == nil || b.Program == "" || len(b.Import) > 0 || len(b.Source) == 0 {
			continue
		}
		if _, err := os.Lstat(b.Program); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		text, why := read(d.File(tool))
		if why != nil || string(compact(text)) != string(b.Source) {
			continue
		}
		if why := d.Remove(tool); why != nil {
			err = errors.Join(err, why)
			continue
		}
		gone = append(gone, tool)
	}
	return gone, err
}
