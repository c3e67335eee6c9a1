package discover

import (
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"fmt"
	"io"
)

// ErrCompression is a manual page in a compression that is not read here. Xz and
// zstd have no reader in the standard library; whoever reads such a page from
// disk hands it in decompressed.
type ErrCompression struct{ Name string }

func (e *ErrCompression) Error() string { return "compressed with " + e.Name + ", which is not read" }

// Decompress gives the source of a manual page: of one that is compressed with
// gzip or bzip2, the first MaxFile bytes of what is in it; of one that is plain,
// the page itself. Xz and zstd are an *ErrCompression.
func Decompress(data []byte) ([]byte, error) {
	var r io.Reader
	switch {
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		r = z
	case bytes.HasPrefix(data, []byte("BZh")):
		r = bzip2.NewReader(bytes.NewReader(data))
	case bytes.HasPrefix(data, []byte("\xfd7zXZ\x00")):
		return nil, &ErrCompression{"xz"}
	case bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return nil, &ErrCompression{"zstd"}
	default:
		return data[:min(len(data), MaxFile)], nil
	}
	out, err := io.ReadAll(io.LimitReader(r, MaxFile))
	if err != nil && len(out) == 0 {
		return nil, fmt.Errorf("manual page: %w", err)
	}
	return out, nil // the beginning of a torn page is worth reading
}
