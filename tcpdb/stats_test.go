package tcpdb

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Seed 001, Appendix B. The seed's column is right for 6-byte deltas up to 50
// commands and for 7-byte deltas at 164.
func TestAppendixB(t *testing.T) {
	want := []Scale{
		{1, 24, 24, 24, 24},
		{5, 120, 46, 46, 51},
		{10, 240, 76, 76, 86},
		{50, 1200, 316, 316, 366},
		{164, 3936, 1164, 1000, 1164},
	}
	if diff := cmp.Diff(want, AppendixB()); diff != "" {
		t.Error(diff)
	}
}

func TestStats(t *testing.T) {
	im, err := Parse(fullImage(t))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Stats(im)
	if err != nil {
		t.Fatal(err)
	}
	s.Tables = nil
	want := Stat{
		Bytes: len(im.data), Tools: 2, Aliases: 1, Nodes: 5, Flags: 5, Args: 2,
		Entries: 5, Levels: [Critical + 1]int{0, 1, 1, 1, 1, 1}, Variants: 2,
		Operations: 2, Intents: 2, Sources: 1,
		Families: []FamilyStat{{Tool: "git", Members: 3, Flat: 72, Six: 34, Seven: 37}},
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Error(diff)
	}
}

// An image that is taken into a builder comes out as it was.
func TestBuilderImage(t *testing.T) {
	data := fullImage(t)
	im, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	again := build(t, func(b *Builder) {
		if err := b.Image(im); err != nil {
			t.Fatal(err)
		}
	})
	if !bytes.Equal(data, again) {
		t.Error("the copy differs")
	}
}

func TestRaise(t *testing.T) {
	entry := func(l Level, f Flags, reason string) Entry {
		return Entry{Key: "k", Descriptor: NewDescriptor("k", l, f, 0, 0, 0), Reason: reason}
	}
	b := NewBuilder()
	b.Raise(entry(Medium, NetworkAccess, "first"))
	b.Raise(entry(Safe, Destructive, "lower"))
	b.Raise(entry(High, RequiresRoot, "higher"))
	data, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	im, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := im.Entries()
	want := []Entry{entry(High, NetworkAccess|Destructive|RequiresRoot, "higher")}
	if diff := cmp.Diff(want, entries); diff != "" || err != nil {
		t.Error(err, diff)
	}
}
