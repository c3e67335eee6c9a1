package invoke

import (
	"os"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// TestSealed: what is read again is what was written, and nobody writes to it, not
// by another descriptor either.
func TestSealed(t *testing.T) {
	f, err := Sealed("job", []byte("true\n"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	again := "/proc/self/fd/" + strconv.Itoa(int(f.Fd()))
	if data, err := os.ReadFile(again); err != nil || string(data) != "true\n" {
		t.Errorf("%q, %v", data, err)
	}
	if w, err := os.OpenFile(again, os.O_WRONLY, 0); err == nil {
		if _, err := w.WriteString("evil\n"); err == nil {
			t.Error("it can be written")
		}
		w.Close()
	}
	if err := unix.Ftruncate(int(f.Fd()), 0); err == nil {
		t.Error("it can be cut")
	}
}
