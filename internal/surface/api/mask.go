package api

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/url"
	"slices"
	"strings"
)

// masker replaces a secret in whatever is shown or kept, in each form in which a
// server may send it back.
type masker struct {
	needles [][]byte // the longest first
	mask    []byte
}

// newMasker masks the secret of a credential; a nil one masks nothing.
func newMasker(c *Credential, secret string) *masker {
	m := &masker{}
	if c == nil || secret == "" {
		return m
	}
	m.mask = []byte(c.Mask())
	add := func(s string) {
		if s != "" && !slices.ContainsFunc(m.needles, func(n []byte) bool { return string(n) == s }) {
			m.needles = append(m.needles, []byte(s))
		}
	}
	forms := []string{secret}
	if _, password, ok := strings.Cut(secret, ":"); ok && c.Type == "basic" && len(password) > 3 {
		forms = append(forms, password)
	}
	for _, s := range forms {
		add(s)
		add(escape(s))
		add(url.QueryEscape(s))
		add(url.PathEscape(s))
		if data, err := json.Marshal(s); err == nil {
			add(string(data[1 : len(data)-1]))
		}
		if plain, err := encodeJSON(s); err == nil {
			add(string(plain[1 : len(plain)-1]))
		}
		for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding} {
			add(enc.EncodeToString([]byte(s)))
		}
	}
	slices.SortFunc(m.needles, func(a, b []byte) int { return len(b) - len(a) })
	return m
}

// text masks a text.
func (m *masker) text(s string) string {
	for _, n := range m.needles {
		s = strings.ReplaceAll(s, string(n), string(m.mask))
	}
	return s
}

// longest is the length of the longest needle in bytes.
func (m *masker) longest() int {
	if len(m.needles) == 0 {
		return 0
	}
	return len(m.needles[0])
}

// writer masks what is written through it. Close writes the end.
func (m *masker) writer(w io.Writer) io.WriteCloser {
	if len(m.needles) == 0 {
		return plainWriter{w}
	}
	return &maskWriter{m: m, w: w}
}

type plainWriter struct{ io.Writer }

func (plainWriter) Close() error { return nil }

// maskWriter keeps back as much of the end as could begin a needle.
type maskWriter struct {
	m    *masker
	w    io.Writer
	held []byte
}

func (w *maskWriter) Write(p []byte) (int, error) {
	w.held = append(w.held, p...)
	if err := w.flush(w.m.longest() - 1); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (w *maskWriter) Close() error { return w.flush(0) }

// flush writes all that cannot be the beginning of a needle, keep bytes at the end
// are left.
func (w *maskWriter) flush(keep int) error {
	var out bytes.Buffer
	at := 0
	for at < len(w.held) {
		if len(w.held)-at <= keep {
			break
		}
		next, n := w.m.next(w.held[at:])
		switch {
		case n > 0 && at+next < max(len(w.held)-keep, 0):
			out.Write(w.held[at : at+next])
			out.Write(w.m.mask)
			at += next + n
			continue
		}
		end := max(len(w.held)-keep, at)
		out.Write(w.held[at:end])
		at = end
	}
	w.held = append(w.held[:0], w.held[at:]...)
	_, err := w.w.Write(out.Bytes())
	return err
}

// next finds the first needle: where it begins and how long it is, the longest of
// those that begin there.
func (m *masker) next(b []byte) (at, length int) {
	at = -1
	for _, n := range m.needles {
		if i := bytes.Index(b, n); i >= 0 && (at < 0 || i < at) {
			at, length = i, len(n)
		}
	}
	return at, length
}
