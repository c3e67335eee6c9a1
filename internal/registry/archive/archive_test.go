package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/dirhash"

	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
)

func good() Files {
	return Files{"pack.json": []byte("{}\n"), "maps/a.json": []byte(`{"a":"ä"}`), "LICENSE": []byte("MIT\n"), "README.md": []byte("# x\n")}
}

// TestArchiveIsDeterministic: the same files give the same bytes, and reading them
// gives the files again. The digest is that of dirhash over the directory.
func TestArchiveIsDeterministic(t *testing.T) {
	f := good()
	packed := f.Archive()
	if !bytes.Equal(packed, maps.Clone(f).Archive()) {
		t.Error("two archives differ")
	}
	back, err := Open(packed)
	if err != nil || back.Digest() != f.Digest() || len(back) != len(f) {
		t.Fatalf("%v %v", back, err)
	}
	dir := filepath.Join(t.TempDir(), "x")
	if err := f.Write(dir); err != nil {
		t.Fatal(err)
	}
	want, err := dirhash.HashDir(dir, "", dirhash.Hash1)
	if err != nil || want != f.Digest() {
		t.Errorf("digest %s, want %s: %v", f.Digest(), want, err)
	}
	read, err := ReadDir(dir)
	if err != nil || read.Digest() != want {
		t.Errorf("%v %v", read, err)
	}
}

// entry is one header of a hostile archive.
type entry struct {
	tar.Header
	data string
}

func packed(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	w := tar.NewWriter(z)
	for name, data := range good() {
		entries = append(entries, entry{tar.Header{Name: name, Typeflag: tar.TypeReg}, string(data)})
	}
	for _, e := range entries {
		h := e.Header
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		if h.Typeflag == tar.TypeReg {
			h.Size = int64(len(e.data))
		}
		if h.Typeflag != tar.TypeXGlobalHeader {
			h.Mode, h.ModTime = 0o644, time.Unix(0, 0)
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, e.data); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	z.Close()
	return out.Bytes()
}

func file(name, data string) entry { return entry{tar.Header{Name: name}, data} }

func TestHostileArchives(t *testing.T) {
	many := []entry{}
	for i := range 600 {
		many = append(many, file(fmt.Sprintf("maps/%d.json", i), "{}"))
	}
	deep := strings.Repeat("[", 100) + strings.Repeat("]", 100)
	for name, x := range map[string]struct {
		data []byte
		want string
	}{
		"up":               {packed(t, file("../x.json", "{}")), "leads out"},
		"up inside":        {packed(t, file("maps/../../x.json", "{}")), "leads out"},
		"dot":              {packed(t, file("./maps/x.json", "{}")), "no plain path"},
		"absolute":         {packed(t, file("/etc/passwd", "x")), "no relative path"},
		"backslash":        {packed(t, file(`maps\..\x.json`, "{}")), "no relative path"},
		"symbolic link":    {packed(t, entry{tar.Header{Name: "maps/x.json", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}, ""}), "symbolic link"},
		"hard link":        {packed(t, entry{tar.Header{Name: "maps/x.json", Typeflag: tar.TypeLink, Linkname: "pack.json"}, ""}), "hard link"},
		"device":           {packed(t, entry{tar.Header{Name: "maps/x.json", Typeflag: tar.TypeChar, Devmajor: 1, Devminor: 3}, ""}), "device"},
		"block device":     {packed(t, entry{tar.Header{Name: "maps/x.json", Typeflag: tar.TypeBlock}, ""}), "device"},
		"FIFO":             {packed(t, entry{tar.Header{Name: "maps/x.json", Typeflag: tar.TypeFifo}, ""}), "FIFO"},
		"directory":        {packed(t, entry{tar.Header{Name: "maps/", Typeflag: tar.TypeDir}, ""}), "directory"},
		"global header":    {packed(t, entry{tar.Header{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"path": "x"}}, ""}), "global header"},
		"case twins":       {packed(t, file("maps/A.json", "{}")), "in case only"},
		"twice":            {packed(t, file("maps/a.json", "{}")), "twice"},
		"newline":          {packed(t, file("maps/x\ny.json", "{}")), "control"},
		"escape":           {packed(t, file("maps/\x1b[2J.json", "{}")), "control"},
		"hidden direction": {packed(t, file("maps/x\u202egnp.json", "{}")), "control or hidden"},
		"no UTF-8":         {packed(t, file("maps/\xff.json", "{}")), "UTF-8"},
		"no UTF-8 inside":  {packed(t, file("maps/x.json", "\xff")), "UTF-8"},
		"long name":        {packed(t, file("maps/"+strings.Repeat("x", 300)+".json", "{}")), "too long"},
		"program":          {packed(t, file("install.sh", "rm -rf /")), "no file of a pack"},
		"deeper":           {packed(t, file("maps/x/y.json", "{}")), "no file of a pack"},
		"hidden":           {packed(t, file("maps/.json", "{}")), "no file of a pack"},
		"many":             {packed(t, many...), "more than 512 files"},
		"large":            {packed(t, file("maps/x.json", strings.Repeat(" ", MaxFile+1))), "more than 4194304 bytes"},
		"large together": {packed(t, file("maps/1.json", strings.Repeat(" ", MaxFile)), file("maps/2.json", strings.Repeat(" ", MaxFile)),
			file("maps/3.json", strings.Repeat(" ", MaxFile)), file("maps/4.json", strings.Repeat(" ", MaxFile)), file("maps/5.json", "{}")), "unpacks to more"},
		"deep JSON":      {packed(t, file("maps/x.json", "{}\n"+deep)), "maps/x.json:2: is nested"},
		"deep pack":      {packed(t, file("maps/x.json", `{"a":`+strings.Repeat(`{"a":`, 99)+"1"+strings.Repeat("}", 100))), "nested"},
		"no gzip":        {[]byte("hello"), "no gzip"},
		"HTML":           {[]byte("<html><body>Sign in</body></html>"), "no gzip"},
		"cut":            {packed(t)[:60], "cannot be read"},
		"empty":          {nil, "no gzip"},
		"too much":       {make([]byte, MaxPacked+1), "more than"},
		"without end":    {endless(t), "more than 512 files"},
		"a bomb":         {bomb(t), "more than 4194304 bytes"},
		"a bomb of zero": {zeros(t), "cannot be read"},
	} {
		_, err := Open(x.data)
		if err == nil || !strings.Contains(err.Error(), x.want) || !fault.Is(err, fault.BadArchive) {
			t.Errorf("%s: %v, want %q", name, err, x.want)
		}
		if err != nil && strings.ContainsAny(err.Error(), "\x1b\n\u202e") {
			t.Errorf("%s: a control character in %q", name, err)
		}
	}
	if _, err := Open(Files{"LICENSE": []byte("x")}.Archive()); !fault.Is(err, fault.BadPack) {
		t.Errorf("no pack.json: %v", err)
	}
}

// endless is an archive of many more files than a pack may have.
func endless(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	var head bytes.Buffer
	w := tar.NewWriter(&head)
	if err := w.WriteHeader(&tar.Header{Name: "maps/0000000.json", Mode: 0o644}); err != nil {
		t.Fatal(err)
	}
	block := head.Bytes()[:512]
	for i := range 20_000 { // far beyond what is read
		b := bytes.Clone(block)
		copy(b[5:], fmt.Sprintf("%07d", i))
		sum := 0
		copy(b[148:156], "        ")
		for _, c := range b {
			sum += int(c)
		}
		copy(b[148:156], fmt.Sprintf("%06o\x00 ", sum))
		z.Write(b)
	}
	z.Close()
	return out.Bytes()
}

// bomb is a small archive of one file of 8 GiB.
func bomb(t *testing.T) []byte {
	t.Helper()
	var head bytes.Buffer
	w := tar.NewWriter(&head)
	if err := w.WriteHeader(&tar.Header{Name: "maps/x.json", Mode: 0o644, Size: 8<<30 - 1}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(head.Bytes())
	z.Write(make([]byte, 64<<20))
	z.Close()
	return out.Bytes()
}

// zeros are 64 MiB of nothing: the end of an archive, and then more.
func zeros(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(bytes.Repeat([]byte{1}, 64<<20))
	z.Close()
	return out.Bytes()
}

// TestNULInName: a name in a header ends at its first NUL, and one in an extended
// header may have none.
func TestNULInName(t *testing.T) {
	var head bytes.Buffer
	w := tar.NewWriter(&head)
	if err := w.WriteHeader(&tar.Header{Name: "maps/xxyy.json", Mode: 0o644, Format: tar.FormatUSTAR}); err != nil {
		t.Fatal(err)
	}
	b := bytes.Clone(head.Bytes()[:512])
	b[7] = 0
	copy(b[148:156], "        ")
	sum := 0
	for _, c := range b {
		sum += int(c)
	}
	copy(b[148:156], fmt.Sprintf("%06o\x00 ", sum))
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	z.Write(make([]byte, 1024))
	z.Close()
	if _, err := Open(out.Bytes()); !fault.Is(err, fault.BadArchive) {
		t.Errorf("%v", err)
	}
}

// TestHostileDirectories: what is no file of a pack is refused in a directory too.
func TestHostileDirectories(t *testing.T) {
	for name, x := range map[string]struct {
		do   func(dir string) error
		want string
	}{
		"link":             {func(dir string) error { return os.Symlink("/etc/passwd", filepath.Join(dir, "risk.toml")) }, "no plain file"},
		"linked directory": {func(dir string) error { return os.Symlink("/etc", filepath.Join(dir, "samples")) }, "no plain file"},
		"FIFO":             {func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, "risk.toml"), 0o600) }, "no plain file"},
		"directory":        {func(dir string) error { return os.Mkdir(filepath.Join(dir, ".git"), 0o700) }, "no directory of a pack"},
		"program":          {func(dir string) error { return os.WriteFile(filepath.Join(dir, "x.sh"), nil, 0o700) }, "no file of a pack"},
		"twins":            {func(dir string) error { return os.WriteFile(filepath.Join(dir, "maps/A.json"), nil, 0o600) }, "in case only"},
	} {
		dir := filepath.Join(t.TempDir(), "p")
		if err := good().Write(dir); err != nil {
			t.Fatal(err)
		}
		if err := x.do(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadDir(dir); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %q", name, err, x.want)
		}
	}
}

// FuzzOpen: no archive makes it fail otherwise than by an error, and what is read is
// within the bounds and gives the same files again.
func FuzzOpen(f *testing.F) {
	f.Add(good().Archive())
	f.Add([]byte("x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := Open(data)
		if err != nil {
			return
		}
		total := 0
		for name, data := range files {
			if badName(name) != "" {
				t.Errorf("%q", name)
			}
			total += len(data)
		}
		if total > MaxTotal || len(files) > MaxFiles {
			t.Error("beyond the bounds")
		}
		again, err := Open(files.Archive())
		if err != nil || again.Digest() != files.Digest() {
			t.Errorf("%v", err)
		}
	})
}
