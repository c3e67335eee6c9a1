package tcpdb

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// The hierarchical records of seed 001 §3, big-endian: a parent of 16 bytes for
// a tool with sub-commands, a delta of 6 to 8 bytes for each of them.
const (
	parentSize   = 16
	parentMagic  = "TCP\x03"
	minDeltaSize = 6
	maxDeltaSize = 8
	maxMembers   = 255
	riskSteps    = 5 // SAFE 0 … CRITICAL 4 as a parent's floor counts them
)

// CommonFlags are properties of a whole family (seed 001 §3.3).
type CommonFlags uint16

const (
	AllRequireRoot CommonFlags = 1 << iota
	LargeFamily                // more than ten members
	HasDestructive
	HasSafeOps
	VersionControl
	Filesystem
	Container
	CloudCLI
	Database
	PackageManager
)

// Parent is the shared part of a family.
type Parent struct {
	Hash       uint32 // first four bytes of MD5(tool), big-endian
	Common     CommonFlags
	Count      uint8
	Floor      uint8  // lowest risk of a member: 0 SAFE … 4 CRITICAL
	Properties uint16 // 0 none, 1 version control, 2 file system, 3 container, 4 cloud, 5 database, 6 package manager
}

// Delta is what sets one member apart. Byte 6, where there is one, is the length
// of the full key; byte 7 is kept as it is.
type Delta struct {
	Hash     uint8  // MD5(sub-command)[0]
	Risk     uint8  // steps above the floor
	Specific uint16 // see specificBits
	Perf     uint8  // log2 of milliseconds/100 in the upper half, of megabytes/10 in the lower
	NameLen  uint8  // bytes of the sub-command, saturating
	KeyLen   uint8  // bytes of the full key, saturating
	Reserved uint8
}

// specificBits are the capabilities that the bits 0–5 of Delta.Specific mean.
var specificBits = [...]Flags{
	Destructive, FileModification, SystemModification, NetworkAccess, PrivilegeEscalation, RequiresRoot,
}

// Encode returns the record.
func (p Parent) Encode() [parentSize]byte {
	var b [parentSize]byte
	copy(b[:], parentMagic)
	be := binary.BigEndian
	be.PutUint32(b[4:], p.Hash)
	be.PutUint16(b[8:], uint16(p.Common))
	b[10], b[11] = p.Count, p.Floor
	be.PutUint16(b[12:], p.Properties)
	be.PutUint16(b[14:], crc16(b[:14]))
	return b
}

// DecodeParent reads a parent record, with the errors of DecodeDescriptor. A
// floor above CRITICAL is ErrFormat.
func DecodeParent(b []byte) (Parent, error) {
	if len(b) != parentSize || string(b[:4]) != parentMagic {
		return Parent{}, fmt.Errorf("%w: want %d bytes that begin TCP\\x03", ErrFormat, parentSize)
	}
	be := binary.BigEndian
	p := Parent{
		Hash:       be.Uint32(b[4:]),
		Common:     CommonFlags(be.Uint16(b[8:])),
		Count:      b[10],
		Floor:      b[11],
		Properties: be.Uint16(b[12:]),
	}
	if want, got := crc16(b[:14]), be.Uint16(b[14:]); want != got {
		return p, fmt.Errorf("%w: it says %04x, its bytes give %04x", ErrChecksum, got, want)
	}
	if p.Floor >= riskSteps {
		return p, fmt.Errorf("%w: a risk floor of %d", ErrFormat, p.Floor)
	}
	return p, nil
}

// Append writes the record with size bytes, 6 to 8, behind b.
func (d Delta) Append(b []byte, size int) []byte {
	var r [maxDeltaSize]byte
	r[0], r[1] = d.Hash, d.Risk
	binary.BigEndian.PutUint16(r[2:], d.Specific)
	r[4], r[5], r[6], r[7] = d.Perf, d.NameLen, d.KeyLen, d.Reserved
	return append(b, r[:min(max(size, minDeltaSize), maxDeltaSize)]...)
}

// DecodeDelta reads a record of 6 to 8 bytes. It carries no checksum of its own.
func DecodeDelta(b []byte) (Delta, error) {
	if len(b) < minDeltaSize || len(b) > maxDeltaSize {
		return Delta{}, fmt.Errorf("%w: a delta of %d bytes, want %d to %d", ErrFormat, len(b), minDeltaSize, maxDeltaSize)
	}
	var r [maxDeltaSize]byte
	copy(r[:], b)
	return Delta{
		Hash: r[0], Risk: r[1], Specific: binary.BigEndian.Uint16(r[2:]),
		Perf: r[4], NameLen: r[5], KeyLen: r[6], Reserved: r[7],
	}, nil
}

// Capabilities returns what the delta and its parent state together.
func (d Delta) Capabilities(p Parent) Flags {
	var f Flags
	for i, capability := range specificBits {
		if d.Specific&(1<<i) != 0 {
			f |= capability
		}
	}
	if p.Common&AllRequireRoot != 0 {
		f |= RequiresRoot
	}
	return f
}

// Level returns floor and delta together. A sum above CRITICAL is ErrFormat and
// CRITICAL: it is refused, not believed.
func (d Delta) Level(p Parent) (Level, error) {
	sum := int(p.Floor) + int(d.Risk)
	if sum >= riskSteps {
		return Critical, fmt.Errorf("%w: a risk of %d above a floor of %d", ErrFormat, d.Risk, p.Floor)
	}
	return Safe + Level(sum), nil
}

// ExecMS and MemoryMB return the lower bounds of the classes of the performance
// byte; class 0 also holds everything below.
func (d Delta) ExecMS() int   { return 100 << (d.Perf >> 4) }
func (d Delta) MemoryMB() int { return 10 << (d.Perf & 15) }

// performance packs time and memory into one byte.
func performance(ms, mb uint16) uint8 { return logClass(ms/100)<<4 | logClass(mb/10) }

// logClass is floor(log2(n)) within 0–15.
func logClass(n uint16) uint8 { return uint8(max(bits.Len16(n), 1) - 1) }

// subHash is the one-byte hash of a sub-command.
func subHash(sub string) uint8 {
	sum := md5Sum(sub)
	return sum[0]
}
