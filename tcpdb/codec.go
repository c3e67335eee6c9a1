package tcpdb

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The 24-byte record, big-endian (seed 001 §7.1): magic "TCP\x02", version u16,
// MD5(key)[:4], flags u32, milliseconds u16, megabytes u16, kilobytes u16, key
// length u16, CRC u16.
const (
	descriptorSize    = 24
	descriptorMagic   = "TCP\x02"
	descriptorVersion = 2
)

// Reasons why a record cannot be used as it stands.
var (
	ErrFormat   = errors.New("not a capability record")
	ErrChecksum = errors.New("wrong checksum of a capability record")
)

// NewDescriptor returns the descriptor of key with one risk bit set. The
// performance figures are milliseconds, megabytes and kilobytes; they saturate.
func NewDescriptor(key string, level Level, capabilities Flags, ms, mb, kb int) Descriptor {
	return Descriptor{
		Version:  descriptorVersion,
		Hash:     keyHash(key),
		Flags:    capabilities.WithLevel(level),
		ExecMS:   saturate(ms),
		MemoryMB: saturate(mb),
		OutputKB: saturate(kb),
		KeyLen:   saturate(len(key)),
	}
}

// Level returns the risk level that the flags state.
func (d Descriptor) Level() Level { return d.Flags.Level() }

// keyHash is the first four bytes of the MD5 of a key, as the seed has it.
func keyHash(key string) uint32 {
	sum := md5Sum(key)
	return binary.BigEndian.Uint32(sum[:])
}

func saturate(n int) uint16 { return uint16(min(max(n, 0), 1<<16-1)) }

// Encode returns the record. Of several risk bits the highest alone is written;
// bit 5 and the bits from 12 up are kept as they are.
func (d Descriptor) Encode() [descriptorSize]byte {
	var b [descriptorSize]byte
	copy(b[:], descriptorMagic)
	be := binary.BigEndian
	be.PutUint16(b[4:], d.Version)
	be.PutUint32(b[6:], d.Hash)
	be.PutUint32(b[10:], uint32(d.Flags.WithLevel(d.Flags.Level())))
	be.PutUint16(b[14:], d.ExecMS)
	be.PutUint16(b[16:], d.MemoryMB)
	be.PutUint16(b[18:], d.OutputKB)
	be.PutUint16(b[20:], d.KeyLen)
	be.PutUint16(b[22:], crc16(b[:22]))
	return b
}

// unpack reads the fields of a record whose checksum was verified by other
// means.
func unpack(b *[descriptorSize]byte) Descriptor {
	be := binary.BigEndian
	return Descriptor{
		Version:  be.Uint16(b[4:]),
		Hash:     be.Uint32(b[6:]),
		Flags:    Flags(be.Uint32(b[10:])),
		ExecMS:   be.Uint16(b[14:]),
		MemoryMB: be.Uint16(b[16:]),
		OutputKB: be.Uint16(b[18:]),
		KeyLen:   be.Uint16(b[20:]),
	}
}

// DecodeDescriptor reads a record. With a wrong checksum it returns the fields
// as they stand and ErrChecksum: they may raise a risk, never lower one. Other
// lengths, magics and versions are ErrFormat.
func DecodeDescriptor(b []byte) (Descriptor, error) {
	if len(b) != descriptorSize || string(b[:4]) != descriptorMagic {
		return Descriptor{}, fmt.Errorf("%w: want %d bytes that begin TCP\\x02", ErrFormat, descriptorSize)
	}
	d := unpack((*[descriptorSize]byte)(b))
	if want, got := crc16(b[:22]), binary.BigEndian.Uint16(b[22:]); want != got {
		return d, fmt.Errorf("%w: it says %04x, its bytes give %04x", ErrChecksum, got, want)
	}
	if d.Version != descriptorVersion {
		return d, fmt.Errorf("%w: version %d", ErrFormat, d.Version)
	}
	return d, nil
}
