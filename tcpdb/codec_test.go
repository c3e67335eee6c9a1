package tcpdb

import (
	"encoding/hex"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A valid record of rm as published with the seed's own data.
func TestDescriptorGolden(t *testing.T) {
	const record = "544350020002d67f249b000006d0271003e800320002ef04"
	got, err := DecodeDescriptor(unhex(t, record))
	if err != nil {
		t.Fatal(err)
	}
	want := Descriptor{
		Version: 2, Hash: 0xd67f249b, KeyLen: 2, ExecMS: 10000, MemoryMB: 1000, OutputKB: 50,
		Flags: 1<<4 | RequiresRoot | Destructive | FileModification | SystemModification,
	}
	if got != want || got.Level() != Critical {
		t.Errorf("decoded %+v, want %+v", got, want)
	}
	b := NewDescriptor("rm", Critical, RequiresRoot|Destructive|FileModification|SystemModification, 10000, 1000, 50).Encode()
	if hex.EncodeToString(b[:]) != record {
		t.Errorf("encoded %x, want %s", b, record)
	}
}

// Seed 001 A.1: made by hand, its checksum 96f8 is not that of its bytes.
func TestDescriptorBadChecksum(t *testing.T) {
	b := unhex(t, "544350020002d67f249b0000022f138801f40032000296f8")
	got, err := DecodeDescriptor(b)
	if !errors.Is(err, ErrChecksum) {
		t.Fatalf("error %v, want ErrChecksum", err)
	}
	// Bits 0–3, 5 and 9: HIGH is the highest risk bit, CRITICAL is not set.
	want := Descriptor{Version: 2, Hash: 0xd67f249b, Flags: 0x22f, ExecMS: 5000, MemoryMB: 500, OutputKB: 50, KeyLen: 2}
	if got != want || got.Level() != High {
		t.Errorf("fields %+v, want %+v", got, want)
	}
	if crc := crc16(b[:22]); crc != 0xfd61 {
		t.Errorf("checksum of the bytes %04x, want fd61", crc)
	}
	copy(b[22:], unhex(t, "fd61"))
	if got, err := DecodeDescriptor(b); err != nil || got != want {
		t.Errorf("with the right checksum: %+v, %v", got, err)
	}
}

// Seed 001 A.2.
func TestParentGolden(t *testing.T) {
	const record = "54435003ba9f11ec000ea40000019745"
	got, err := DecodeParent(unhex(t, record))
	if err != nil {
		t.Fatal(err)
	}
	want := Parent{Hash: 0xba9f11ec, Common: LargeFamily | HasDestructive | HasSafeOps, Count: 164, Floor: 0, Properties: 1}
	if got != want || got.Hash != keyHash("git") {
		t.Errorf("decoded %+v, want %+v", got, want)
	}
	if b := got.Encode(); hex.EncodeToString(b[:]) != record {
		t.Errorf("encoded %x", b)
	}
}

func TestDescriptorRefuses(t *testing.T) {
	good := NewDescriptor("rm", Critical, 0, 1, 1, 1)
	b := good.Encode()
	for _, bad := range [][]byte{nil, b[:23], append(b[:], 0), []byte("TCP\x03" + string(b[4:]))} {
		if _, err := DecodeDescriptor(bad); !errors.Is(err, ErrFormat) {
			t.Errorf("%x: %v, want ErrFormat", bad, err)
		}
	}
	good.Version = 3
	b = good.Encode()
	if _, err := DecodeDescriptor(b[:]); !errors.Is(err, ErrFormat) {
		t.Errorf("version 3: %v", err)
	}
}

func TestDescriptorSaturates(t *testing.T) {
	d := NewDescriptor("x", Safe, 0, 1<<16, -1, 1<<40)
	if d.ExecMS != 65535 || d.MemoryMB != 0 || d.OutputKB != 65535 {
		t.Errorf("%+v", d)
	}
}

func anyDescriptor(t *rapid.T) Descriptor {
	u16 := rapid.Uint16()
	return Descriptor{
		Version: 2, Hash: rapid.Uint32().Draw(t, "hash"), Flags: Flags(rapid.Uint32().Draw(t, "flags")),
		ExecMS: u16.Draw(t, "ms"), MemoryMB: u16.Draw(t, "mb"), OutputKB: u16.Draw(t, "kb"), KeyLen: u16.Draw(t, "len"),
	}
}

// One risk bit is written, the highest; every other bit survives.
func TestDescriptorRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDescriptor(t)
		b := d.Encode()
		got, err := DecodeDescriptor(b[:])
		if err != nil {
			t.Fatal(err)
		}
		highest := Flags(0)
		for bit := Flags(1); bit <= 16; bit <<= 1 {
			if d.Flags&bit != 0 {
				highest = bit
			}
		}
		if got.Flags&31 != highest || got.Flags&^31 != d.Flags&^31 || got.Level() != d.Level() {
			t.Fatalf("flags %032b became %032b", d.Flags, got.Flags)
		}
		got.Flags = d.Flags
		if got != d {
			t.Fatalf("%+v became %+v", d, got)
		}
		if again := got.Encode(); again != b {
			t.Fatalf("encoded anew %x, was %x", again, b)
		}
	})
}

// A flipped bit is never believed.
func TestDescriptorFlippedBit(t *testing.T) {
	d := NewDescriptor("git merge", High, FileModification, 5, 6, 7)
	for bit := range descriptorSize * 8 {
		b := d.Encode()
		b[bit/8] ^= 1 << (bit % 8)
		if _, err := DecodeDescriptor(b[:]); err == nil {
			t.Errorf("bit %d flipped and not seen", bit)
		}
	}
}

func TestDelta(t *testing.T) {
	parent := Parent{Floor: 1, Common: AllRequireRoot}
	b := unhex(t, "aa0200098204")
	d, err := DecodeDelta(b)
	if err != nil {
		t.Fatal(err)
	}
	// Floor LOW and two steps: HIGH. Bits 0 and 3 and the family's root.
	if level, err := d.Level(parent); err != nil || level != High {
		t.Errorf("level %v, %v", level, err)
	}
	if c := d.Capabilities(parent); c != Destructive|NetworkAccess|RequiresRoot {
		t.Errorf("capabilities %v", c.Names())
	}
	if d.ExecMS() != 25600 || d.MemoryMB() != 40 { // 100·2⁸, 10·2²
		t.Errorf("performance %d ms, %d MB", d.ExecMS(), d.MemoryMB())
	}
	parent.Floor = 3
	if level, err := d.Level(parent); level != Critical || !errors.Is(err, ErrFormat) {
		t.Errorf("above CRITICAL: %v, %v", level, err)
	}
	for _, bad := range []string{"", "aa02000982", "aa02000982040909ff"} {
		if _, err := DecodeDelta(unhex(t, bad)); !errors.Is(err, ErrFormat) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestPerformance(t *testing.T) {
	for _, tt := range []struct {
		ms, mb uint16
		want   uint8
	}{{0, 0, 0x00}, {99, 9, 0x00}, {100, 10, 0x00}, {199, 19, 0x00}, {200, 20, 0x11}, {65535, 65535, 0x9c}, {400, 80, 0x23}} {
		if got := performance(tt.ms, tt.mb); got != tt.want {
			t.Errorf("performance(%d, %d) = %02x, want %02x", tt.ms, tt.mb, got, tt.want)
		}
	}
}

func FuzzDescriptor(f *testing.F) {
	for _, s := range []string{
		"544350020002d67f249b000006d0271003e800320002ef04", "544350020002d67f249b0000022f138801f40032000296f8", "",
	} {
		f.Add(unhex(f, s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := DecodeDescriptor(b)
		if err != nil {
			return
		}
		again := d.Encode()
		if e, err := DecodeDescriptor(again[:]); err != nil || e.Level() != d.Level() || e.Flags&^levelMask != d.Flags&^levelMask {
			t.Fatalf("%x: %+v became %+v, %v", b, d, e, err)
		}
		if d.Flags&levelMask == d.Flags.WithLevel(d.Level())&levelMask && string(again[:]) != string(b) {
			t.Fatalf("%x became %x", b, again)
		}
	})
}

func FuzzDelta(f *testing.F) {
	f.Add(unhex(f, "54435003ba9f11ec000ea40000019745"), unhex(f, "aa0200098204"))
	f.Fuzz(func(t *testing.T, parent, delta []byte) {
		if p, err := DecodeParent(parent); err == nil {
			if b := p.Encode(); string(b[:]) != string(parent) {
				t.Fatalf("%x became %x", parent, b)
			}
			if d, err := DecodeDelta(delta); err == nil {
				if level, _ := d.Level(p); level < Safe+Level(p.Floor) || level > Critical {
					t.Fatalf("level %v below the floor %d", level, p.Floor)
				}
			}
		}
		if d, err := DecodeDelta(delta); err == nil {
			if b := d.Append(nil, len(delta)); string(b) != string(delta) {
				t.Fatalf("%x became %x", delta, b)
			}
		}
	})
}
