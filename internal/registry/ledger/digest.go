package ledger

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// What is searched is a file of lines beside the cached catalogue, a pack a line: ten
// thousand entries of JSON are too much to read for a word. It is written when the
// catalogue was checked, and holds while that is the one that is remembered and, of a
// directory, while its index.json is the file that it was.

// Line is a pack in that file: its newest version that was not taken back.
type Line struct {
	Name, Version, Tools, Level, Key, Review, Date, Description string
}

// Lines are what is searched of one registry.
type Lines struct {
	Registry  string
	Head      time.Time // of the head
	Seen      time.Time // when the registry was asked last
	Rotations []string  // the notes of keys
	text      []byte
	lower     []byte
}

const (
	searchMark   = "tmp search 1"
	rotationMark = "\x01"
)

func (c *Client) searchFile(registry string) string {
	return filepath.Join(c.Cache, id(registry)+".search")
}

// stampOf tells whether a directory's index is the file that it was; "" for what is no
// directory.
func stampOf(registry string) string {
	dir, ok := strings.CutPrefix(registry, "dir:")
	if !ok {
		return "-"
	}
	st, err := os.Lstat(filepath.Join(dir, "index.json"))
	if err != nil {
		return "missing"
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok {
		return "missing"
	}
	return strings.Join([]string{
		strconv.FormatUint(uint64(sys.Dev), 16), strconv.FormatUint(sys.Ino, 16), strconv.FormatInt(st.Size(), 16), //nolint:unconvert // not the same types on every system
		strconv.FormatInt(st.ModTime().UnixNano(), 16), strconv.FormatInt(changed(sys), 16),
	}, ".")
}

// plain is a text as a field of a line.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, s)
}

// keepLines writes what is searched. stamp is that of the index before it was read.
func (c *Client) keepLines(l *Log, digest, stamp string) error {
	if c.Cache == "" {
		return nil
	}
	return tcpdb.WriteFile(c.searchFile(l.Registry), l.encodeLines(digest, stamp))
}

func (l *Log) encodeLines(digest, stamp string) []byte {
	var b bytes.Buffer
	b.WriteString(strings.Join([]string{searchMark, digest, stamp, l.Head.Date.UTC().Format(time.RFC3339)}, "\t") + "\n")
	for i := range l.Entries {
		if e := &l.Entries[i]; e.Kind == Rotated {
			b.WriteString(rotationMark + base64.StdEncoding.EncodeToString([]byte(e.Note)) + "\n")
		}
	}
	seen := map[string]bool{}
	for i := range l.Entries {
		e := &l.Entries[i]
		if e.Kind != Published || seen[e.Name] {
			continue
		}
		seen[e.Name] = true
		if e = l.Find(e.Name, ""); e == nil {
			continue
		}
		var tools []string
		for _, t := range e.Tools {
			tools = append(tools, t.Tool)
		}
		line := Line{e.Name, e.Version, strings.Join(tools, " "), e.Level, e.Key, e.Review, e.Date.UTC().Format(time.RFC3339), e.Description}
		line.write(&b)
	}
	return b.Bytes()
}

// Lines are what is searched of a log, without a cache.
func (l *Log) Lines(now time.Time) *Lines {
	_, rest, _ := bytes.Cut(l.encodeLines("", ""), []byte("\n"))
	return newLines(l.Registry, l.Head.Date, now, rest)
}

// Lines returns what is searched of a registry, as it was checked last; nil if there is
// none, or if of a directory something else may be there by now.
func (c *Client) Lines(registry string) *Lines {
	if c.Cache == "" {
		return nil
	}
	m, _, err := c.remembered(registry)
	if err != nil || m == nil {
		return nil
	}
	data, err := os.ReadFile(c.searchFile(registry))
	if err != nil {
		return nil
	}
	first, rest, ok := bytes.Cut(data, []byte("\n"))
	head := strings.Split(string(first), "\t")
	if !ok || len(head) != 4 || head[0] != searchMark || head[1] != m.Catalogue || head[2] != stampOf(registry) {
		return nil
	}
	date, err := time.Parse(time.RFC3339, head[3])
	if err != nil {
		return nil
	}
	return newLines(registry, date, m.Seen, rest)
}

func newLines(registry string, head, seen time.Time, rest []byte) *Lines {
	l := &Lines{Registry: registry, Head: head, Seen: seen}
	for bytes.HasPrefix(rest, []byte(rotationMark)) {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		if signed, err := base64.StdEncoding.DecodeString(string(line[1:])); err == nil {
			l.Rotations = append(l.Rotations, string(signed))
		}
	}
	l.text, l.lower = rest, make([]byte, len(rest))
	for i, x := range rest {
		if x >= 'A' && x <= 'Z' {
			x += 'a' - 'A'
		}
		l.lower[i] = x
	}
	return l
}

// LinesOf are lines that come from no log.
func LinesOf(registry string, now time.Time, list []Line) *Lines {
	var b bytes.Buffer
	for _, l := range list {
		l.write(&b)
	}
	return newLines(registry, now, now, b.Bytes())
}

func (l *Line) write(b *bytes.Buffer) {
	for i, f := range []string{l.Name, l.Version, l.Tools, l.Level, l.Key, l.Review, l.Date, l.Description} {
		if i > 0 {
			b.WriteByte('\t')
		}
		b.WriteString(plain(f))
	}
	b.WriteByte('\n')
}

// Each calls visit for every pack in whose line all words, in lower case, stand.
func (l *Lines) Each(words []string, visit func(Line)) {
	for at := 0; at < len(l.text); {
		end := bytes.IndexByte(l.text[at:], '\n')
		if end < 0 {
			return
		}
		text, lower := l.text[at:at+end], l.lower[at:at+end]
		at += end + 1
		if hasAll(lower, words) {
			if f := strings.SplitN(string(text), "\t", 8); len(f) == 8 {
				visit(Line{f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]})
			}
		}
	}
}

func hasAll(lower []byte, words []string) bool {
	for _, w := range words {
		if !bytes.Contains(lower, []byte(w)) {
			return false
		}
	}
	return true
}
