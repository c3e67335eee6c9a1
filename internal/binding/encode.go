package binding

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
)

// maxState bounds a state as bytes.
const maxState = 256 << 20

const stateHead = "tmp state 1\n"

// Encode writes a state as bytes that Decode reads.
func (s *State) Encode() []byte {
	b := make([]byte, 0, 1<<12+80*(len(s.Project)+len(s.Other)))
	b = append(b, stateHead...)
	b = s.Subject.encode(b)
	b = text(b, s.Root)
	b = binary.AppendVarint(b, s.Taken)
	b = text(b, s.Cut)
	b = texts(b, s.Large)
	b = texts(b, s.first)
	b = binary.AppendUvarint(b, uint64(len(s.Unbound)))
	for _, u := range s.Unbound {
		b = append(text(text(b, u.What), u.Why), flag(u.Code))
	}
	b = binary.AppendUvarint(b, uint64(len(s.texts)))
	for _, name := range slices.Sorted(maps.Keys(s.texts)) {
		b = text(text(b, name), s.texts[name])
	}
	for _, list := range [...][]*Entry{s.Project, s.Other} {
		b = binary.AppendUvarint(b, uint64(len(list)))
		last := ""
		for i := range list {
			b = list[i].encode(b, last)
			last = list[i].Path
		}
	}
	return append(b, s.Digest[:]...)
}

func (s *Subject) encode(b []byte) []byte {
	b = text(text(b, s.Dir), s.Home)
	b = binary.AppendUvarint(b, uint64(len(s.Commands)))
	for _, words := range s.Commands {
		b = texts(b, words)
	}
	for _, list := range [...][]string{s.Env, s.Programs, s.Files, s.Outputs, s.Written} {
		b = texts(b, list)
	}
	return b
}

func (d *decoder) subject() Subject {
	s := Subject{Dir: d.text(), Home: d.text()}
	for range d.count(1) {
		s.Commands = append(s.Commands, d.texts())
	}
	for _, list := range [...]*[]string{&s.Env, &s.Programs, &s.Files, &s.Outputs, &s.Written} {
		*list = d.texts()
	}
	return s
}

func (d *decoder) flag() bool {
	b := d.take(1)
	return len(b) == 1 && b[0] != 0
}

func text(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func texts(b []byte, list []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, s := range list {
		b = text(b, s)
	}
	return b
}

// encode appends an entry: its path from where it differs from the one before.
func (e *Entry) encode(b []byte, last string) []byte {
	n := 0
	for n < len(last) && n < len(e.Path) && last[n] == e.Path[n] {
		n++
	}
	b = binary.AppendUvarint(b, uint64(n))
	b = text(b, e.Path[n:])
	b = append(b, byte(e.Kind), byte(e.Alg), flag(e.Identity))
	for _, v := range [...]uint64{uint64(e.Mode), e.Dev, e.Ino} {
		b = binary.AppendUvarint(b, v)
	}
	for _, v := range [...]int64{e.Size, e.Mtime, e.Ctime - e.Mtime} {
		b = binary.AppendVarint(b, v)
	}
	return append(b, e.Sum[:e.sumLen()]...)
}

func (e *Entry) sumLen() int {
	switch {
	case e.Kind == Link, e.Kind == Value, e.Alg == SHA256, e.Alg == Git2:
		return 32
	case e.Alg == Git1:
		return sha1Len
	}
	return 0
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

var errState = errors.New("the record of a state is damaged")

// Decode reads what Encode wrote. The state refers to data.
func Decode(data []byte) (s *State, err error) {
	d := &decoder{data: data}
	if string(d.take(len(stateHead))) != stateHead {
		return nil, errState
	}
	s = &State{Subject: d.subject(), Root: d.text(), Taken: d.varint(), Cut: d.text(), Large: d.texts(), first: d.texts(), texts: map[string]string{}}
	for range d.count(2) {
		u := Unbound{What: d.text(), Why: d.text()}
		u.Code = d.flag()
		s.Unbound = append(s.Unbound, u)
	}
	for range d.count(2) {
		name := d.text()
		s.texts[name] = d.text()
	}
	for _, list := range [...]*[]*Entry{&s.Project, &s.Other} {
		n := d.count(10)
		*list = make([]*Entry, 0, n)
		all := make([]Entry, n)
		last := ""
		for i := range n {
			e := &all[i]
			*e = d.entry(last)
			*list = append(*list, e)
			last = e.Path
		}
	}
	copy(s.Digest[:], d.take(32))
	if d.bad || len(d.data) != 0 {
		return nil, errState
	}
	return s, nil
}

type decoder struct {
	data []byte
	bad  bool
}

func (d *decoder) take(n int) []byte {
	if n < 0 || n > len(d.data) {
		d.bad, d.data = true, nil
		return nil
	}
	out := d.data[:n]
	d.data = d.data[n:]
	return out
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.data)
	if n <= 0 {
		d.bad, d.data = true, nil
		return 0
	}
	d.data = d.data[n:]
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.data)
	if n <= 0 {
		d.bad, d.data = true, nil
		return 0
	}
	d.data = d.data[n:]
	return v
}

// count is a number of things of at least so many bytes each.
func (d *decoder) count(least int) int {
	n := d.uvarint()
	if n > uint64(len(d.data)/least) {
		d.bad, d.data = true, nil
		return 0
	}
	return int(n)
}

func (d *decoder) text() string {
	n := d.uvarint()
	if n > uint64(len(d.data)) {
		d.bad, d.data = true, nil
		return ""
	}
	return string(d.take(int(n)))
}

func (d *decoder) texts() []string {
	var out []string
	for range d.count(1) {
		out = append(out, d.text())
	}
	return out
}

func (d *decoder) entry(last string) Entry {
	n := d.uvarint()
	if n > uint64(len(last)) {
		d.bad, d.data = true, nil
		return Entry{}
	}
	e := Entry{Path: last[:n] + d.text()}
	marks := d.take(3)
	if d.bad {
		return e
	}
	e.Kind, e.Alg, e.Identity = Kind(marks[0]), Alg(marks[1]), marks[2] != 0
	e.Mode, e.Dev, e.Ino = uint32(d.uvarint()), d.uvarint(), d.uvarint() //nolint:gosec // it was written from 32 bits
	e.Size, e.Mtime = d.varint(), d.varint()
	e.Ctime = e.Mtime + d.varint()
	copy(e.Sum[:], d.take(e.sumLen()))
	return e
}
