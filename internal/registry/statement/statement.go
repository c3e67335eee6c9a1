// Package statement is what is signed: the texts of notes (golang.org/x/mod/sumdb/note)
// about packs, keys and the head of a log. Each is a few lines of words, the first of
// which says what the line is.
package statement

import (
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/mod/semver"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// part is a publisher, or a pack's own name.
const part = `[a-z](?:[a-z0-9-]{0,37}[a-z0-9])?`

var (
	partName = regexp.MustCompile(`^` + part + `$`)
	packName = regexp.MustCompile(`^` + part + `/` + part + `$`)
	h1       = regexp.MustCompile(`^h1:[A-Za-z0-9+/]{43}=$`)
)

// maxVersion bounds a version, which is part of a tag too.
const maxVersion = 40

// CheckPublisher refuses what is no name of a publisher, nor of a key.
func CheckPublisher(name string) error {
	if partName.MatchString(name) {
		return nil
	}
	return fault.New(fault.BadName, "%q is no publisher: want a–z, then a–z, 0–9 and -, a letter or digit last, 39 at most", name)
}

// CheckName refuses what is no name of a pack.
func CheckName(name string) error {
	if packName.MatchString(name) {
		return nil
	}
	return fault.New(fault.BadName, "%q is no name of a pack: want publisher/name in a–z, 0–9 and -, a letter or digit last", name)
}

// CheckVersion refuses what is no semantic version with all three numbers.
func CheckVersion(version string) error {
	if len(version) <= maxVersion && semver.IsValid("v"+version) && strings.Count(strings.SplitN(strings.SplitN(version, "-", 2)[0], "+", 2)[0], ".") == 2 {
		return nil
	}
	return fault.New(fault.BadName, "%q is no version such as 1.2.0", version)
}

// CheckDigest refuses what is no h1: digest.
func CheckDigest(digest string) error {
	if h1.MatchString(digest) {
		return nil
	}
	return fault.New(fault.BadName, "%q is no h1: digest", digest)
}

// Publisher is the part of a pack's name before the slash.
func Publisher(pack string) string {
	publisher, _, _ := strings.Cut(pack, "/")
	return publisher
}

// Pack is what a publisher says of one version of a pack.
type Pack struct {
	Name, Version, Digest string
	Level                 tcpdb.Level
	Flags                 []string // capabilities, sorted
	Tools                 []string
	Date                  time.Time
}

// Text is the statement as it is signed.
func (p *Pack) Text() string {
	return fmt.Sprintf("pack %s %s %s\nmax %s %s\ntools %s\ndate %s\n",
		p.Name, p.Version, p.Digest, p.Level, orNone(strings.Join(p.Flags, ",")), orNone(strings.Join(p.Tools, " ")), date(p.Date))
}

// ParsePack reads the text of a statement about a pack.
func ParsePack(text string) (*Pack, error) {
	l := lines{rest: text}
	p := &Pack{}
	l.fields("pack", &p.Name, &p.Version, &p.Digest)
	var level, flags, tools, when string
	l.fields("max", &level, &flags)
	l.line("tools", &tools)
	l.fields("date", &when)
	if err := l.end(); err != nil {
		return nil, err
	}
	var err error
	if p.Level, err = tcpdb.ParseLevel(level); err != nil {
		return nil, fault.New(fault.BadNote, "its level cannot be read").Because(err)
	}
	if flags != none {
		p.Flags = strings.Split(flags, ",")
	}
	for _, name := range p.Flags {
		if _, err := tcpdb.ParseFlag(name); err != nil {
			return nil, fault.New(fault.BadNote, "its flags cannot be read").Because(err)
		}
	}
	if tools != none {
		p.Tools = strings.Fields(tools)
	}
	if p.Date, err = time.Parse(time.RFC3339, when); err != nil {
		return nil, fault.New(fault.BadNote, "its date cannot be read").Because(err)
	}
	return p, errors.Join(asNote(CheckName(p.Name)), asNote(CheckVersion(p.Version)), asNote(CheckDigest(p.Digest)))
}

// Covers reports what of the files the statement leaves out, "" for nothing: it may
// say more than they do, never less.
func (p *Pack) Covers(level tcpdb.Level, flags []string) string {
	if p.Level < level {
		return fmt.Sprintf("it says %s at most, the files %s", p.Level, level)
	}
	for _, f := range flags {
		if !slices.Contains(p.Flags, f) {
			return fmt.Sprintf("it does not say %s, which the files do", f)
		}
	}
	return ""
}

// Yank takes a version of a pack back.
type Yank struct {
	Name, Version, Reason string
	Date                  time.Time
}

// Text is the statement as it is signed. The reason is one line.
func (y *Yank) Text() string {
	return fmt.Sprintf("yank %s %s\nreason %s\ndate %s\n", y.Name, y.Version, orNone(oneLine(y.Reason)), date(y.Date))
}

// ParseYank reads the text of a yank.
func ParseYank(text string) (*Yank, error) {
	l := lines{rest: text}
	y := &Yank{}
	var when string
	l.fields("yank", &y.Name, &y.Version)
	l.line("reason", &y.Reason)
	l.fields("date", &when)
	if err := l.end(); err != nil {
		return nil, err
	}
	var err error
	if y.Date, err = time.Parse(time.RFC3339, when); err != nil {
		return nil, fault.New(fault.BadNote, "its date cannot be read").Because(err)
	}
	return y, nil
}

// Rotation names the key that follows another one. The old one signs it.
type Rotation struct {
	Name, Old, New string // the keys as verifiers, name+hash+base64
	Date           time.Time
}

// Text is the statement as it is signed.
func (r *Rotation) Text() string {
	return fmt.Sprintf("rotate %s\nold %s\nnew %s\ndate %s\n", r.Name, r.Old, r.New, date(r.Date))
}

// ParseRotation reads the text of a rotation.
func ParseRotation(text string) (*Rotation, error) {
	l := lines{rest: text}
	r := &Rotation{}
	var when string
	l.fields("rotate", &r.Name)
	l.fields("old", &r.Old)
	l.fields("new", &r.New)
	l.fields("date", &when)
	if err := l.end(); err != nil {
		return nil, err
	}
	var err error
	if r.Date, err = time.Parse(time.RFC3339, when); err != nil {
		return nil, fault.New(fault.BadNote, "its date cannot be read").Because(err)
	}
	return r, nil
}

// Head is the state of a registry's log.
type Head struct {
	Origin string // a word that tells the log from others
	Tree   tlog.Tree
	Date   time.Time
}

// Text is the statement as it is signed.
func (h *Head) Text() string {
	return fmt.Sprintf("head %s\nsize %d\nroot %s\ndate %s\n", h.Origin, h.Tree.N, base64.StdEncoding.EncodeToString(h.Tree.Hash[:]), date(h.Date))
}

// ParseHead reads the text of a head.
func ParseHead(text string) (*Head, error) {
	l := lines{rest: text}
	h := &Head{}
	var size, root, when string
	l.fields("head", &h.Origin)
	l.fields("size", &size)
	l.fields("root", &root)
	l.fields("date", &when)
	if err := l.end(); err != nil {
		return nil, err
	}
	n, err := strconv.ParseInt(size, 10, 64)
	if err != nil || n < 0 || n > maxLog {
		return nil, fault.New(fault.BadHead, "its size is %q", size)
	}
	hash, err := tlog.ParseHash(root)
	if err != nil {
		return nil, fault.New(fault.BadHead, "its root cannot be read").Because(err)
	}
	h.Tree = tlog.Tree{N: n, Hash: hash}
	if h.Date, err = time.Parse(time.RFC3339, when); err != nil {
		return nil, fault.New(fault.BadHead, "its date cannot be read").Because(err)
	}
	return h, nil
}

// maxLog bounds what a log may claim to hold.
const maxLog = 10_000_000

// Open checks the signature of a note by one key, and returns its text.
func Open(signed []byte, key string) (string, error) {
	v, err := note.NewVerifier(key)
	if err != nil {
		return "", fault.New(fault.BadNote, "%q is no key", key)
	}
	n, err := note.Open(signed, note.VerifierList(v))
	if err != nil {
		return "", fault.New(fault.BadNote, "the note is not signed by %s", Short(key)).Because(err)
	}
	return n.Text, nil
}

// Sign signs a text.
//
// A text that no reader opens again (note.Open refuses control characters and what is
// not UTF-8) is refused here: signed and logged, it would count for nobody.
func Sign(text string, by note.Signer) ([]byte, error) {
	if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' }) {
		return nil, fault.New(fault.BadNote, "%q cannot be signed: it has control characters or is not UTF-8", text)
	}
	return note.Sign(&note.Note{Text: text}, by)
}

// Short is a key without its long part: name+hash.
func Short(key string) string {
	if parts := strings.SplitN(key, "+", 3); len(parts) == 3 {
		return parts[0] + "+" + parts[1]
	}
	return key
}

// KeyName is the name in a key.
func KeyName(key string) string {
	name, _, _ := strings.Cut(key, "+")
	return name
}

const none = "-"

// oneLine is what somebody typed as one line that a note can hold: control characters
// and what is not UTF-8 are blanks.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, " "), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}

func orNone(s string) string {
	if s == "" {
		return none
	}
	return s
}

func date(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func asNote(err error) error {
	var f *fault.Fault
	if errors.As(err, &f) {
		return fault.New(fault.BadNote, "%s", f.Reason)
	}
	return err
}

// lines reads a text line by line; the first line that is not as expected stays.
type lines struct {
	rest string
	err  error
}

// line takes the next line, which begins with a word, and keeps what follows it.
func (l *lines) line(word string, value *string) {
	if l.err != nil {
		return
	}
	text, rest, ok := strings.Cut(l.rest, "\n")
	v, found := strings.CutPrefix(text, word+" ")
	if !ok || !found || v == "" {
		l.err = fault.New(fault.BadNote, "its line %q is not as it is to be", word)
		return
	}
	*value, l.rest = v, rest
}

// fields takes the next line and its words.
func (l *lines) fields(word string, values ...*string) {
	var text string
	l.line(word, &text)
	if l.err != nil {
		return
	}
	words := strings.Split(text, " ")
	if len(words) != len(values) || slices.Contains(words, "") {
		l.err = fault.New(fault.BadNote, "its line %q is not as it is to be", word)
		return
	}
	for i := range values {
		*values[i] = words[i]
	}
}

// end refuses more lines than those that were read.
func (l *lines) end() error {
	if l.err == nil && l.rest != "" {
		return fault.New(fault.BadNote, "it has more lines than it is to have")
	}
	return l.err
}
