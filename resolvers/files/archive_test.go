package files

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/inflate"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

// pack writes the names as a tar file and a zip file.
func pack(t *testing.T, names []string, format tar.Format) (plain, zipped []byte) {
	t.Helper()
	var tb, zb bytes.Buffer
	tw, zw := tar.NewWriter(&tb), zip.NewWriter(&zb)
	for i, name := range names {
		body := strings.Repeat("x", 700*i)
		h := &tar.Header{Name: name, Mode: 0o644, Size: int64(len(body)), Format: format}
		if strings.HasSuffix(name, "/") {
			h.Typeflag, h.Size, body = tar.TypeDir, 0, ""
		}
		if err := tw.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := tw.Write([]byte(body)); err != nil {
			t.Fatal(err)
		}
		w, err := zw.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	if tw.Close() != nil || zw.Close() != nil {
		t.Fatal("close")
	}
	return tb.Bytes(), zb.Bytes()
}

func TestMembersOfArchives(t *testing.T) {
	long := strings.Repeat("d/", 120) + "end" // beyond what ustar holds
	names := []string{"README", "a/", "a/b c", long, "z"}
	for _, format := range []tar.Format{tar.FormatGNU, tar.FormatPAX} {
		plain, zipped := pack(t, names, format)
		var gz bytes.Buffer
		w := gzip.NewWriter(&gz)
		w.Name = "x.tar"
		if _, err := w.Write(plain); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		for name, data := range map[string][]byte{"x.tar": plain, "x.tgz": gz.Bytes(), "x.zip": zipped, "cut.tgz": gz.Bytes()[:gz.Len()/2]} {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want := strings.Join([]string{"README", "a/", "a/b c", long, "z"}, "|")
		for _, line := range []string{"tar xf x.tar", "tar -xf x.tar", "tar -x --file=x.tar", "tar xCf sub x.tgz", "tar -C sub -xfx.tgz", "unzip x.zip", "unzip -o x"} {
			name := "tar:members"
			if strings.HasPrefix(line, "unzip") {
				name = "zip:members"
			}
			a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: name, Dir: dir, Words: resolvertest.Words(line), Getenv: resolvertest.Env()})
			if got := strings.Join(resolvertest.Texts(a), "|"); got != want {
				t.Errorf("%s: %s", line, got)
			}
		}
		resolvertest.Expect(t, resolvers.Timeout, resolvers.Request{Name: "tar:members", Dir: dir, Words: resolvertest.Words("tar xf cut.tgz"), Getenv: resolvertest.Env()})
	}
}

func FuzzArchives(f *testing.F) {
	f.Add([]byte("x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tarNames(bytes.NewReader(data), int64(len(data)), func(string) bool { return true })
		zipDirectory(bytes.NewReader(data), int64(len(data)))
		if body, ok := gzipBody(data); ok {
			inflate.Deflate(body, 0, 1<<16)
		}
	})
}
