package sqlitefile

import "encoding/binary"

// wal is what the write-ahead log has of a database: for each page where its
// newest committed form begins in the log.
type wal struct {
	file  File
	size  int // of a page
	pages map[uint32]int64
}

const (
	logHead   = 32
	frameHead = 24
	// maxLog bounds how much of a log is read. SQLite copies it back into the
	// database at about 4 MB; of a longer one the first transactions count.
	maxLog = 32 << 20
)

// openLog reads the frames of a log up to the last commit. A log of another page
// size, or one that is damaged from the start, has none: what it has belongs to
// no transaction of this database.
func openLog(file File, size int, stop func() bool) wal {
	w := wal{file: file}
	var head [logHead]byte
	if _, err := file.ReadAt(head[:], 0); err != nil {
		return w
	}
	kind := binary.BigEndian.Uint32(head[:])
	if kind&^1 != 0x377f0682 {
		return w
	}
	var order binary.ByteOrder = binary.LittleEndian
	if kind&1 == 1 {
		order = binary.BigEndian
	}
	n := binary.BigEndian.Uint32(head[8:])
	if n < 512 || n > 65_536 || n&(n-1) != 0 || size != 0 && int(n) != size {
		return w
	}
	sum := checksum{order: order}
	sum.add(head[:24])
	if !sum.is(head[24:]) {
		return w
	}
	w.size = int(n)
	w.pages = map[uint32]int64{}
	var pending []uint32 // pages of the transaction that is being read
	frame := make([]byte, frameHead+w.size)
	first := int64(logHead)
	end := min(file.Size, maxLog)
	for at := first; at+int64(len(frame)) <= end; at += int64(len(frame)) {
		if stop != nil && stop() {
			break
		}
		if _, err := file.ReadAt(frame, at); err != nil || string(frame[8:16]) != string(head[16:24]) {
			break // what an earlier log left behind
		}
		sum.add(frame[:8])
		sum.add(frame[frameHead:])
		if !sum.is(frame[16:]) {
			break
		}
		pending = append(pending, binary.BigEndian.Uint32(frame))
		if binary.BigEndian.Uint32(frame[4:]) == 0 {
			continue // more of the transaction follows
		}
		for i, page := range pending {
			w.pages[page] = at - int64(len(pending)-1-i)*int64(len(frame)) + frameHead
		}
		pending = pending[:0]
	}
	return w
}

// checksum is the running checksum of a log.
type checksum struct {
	order  binary.ByteOrder
	s0, s1 uint32
}

// add takes bytes whose number is a multiple of 8.
func (c *checksum) add(b []byte) {
	s0, s1 := c.s0, c.s1
	if c.order == binary.ByteOrder(binary.LittleEndian) {
		for ; len(b) >= 8; b = b[8:] {
			s0 += binary.LittleEndian.Uint32(b) + s1
			s1 += binary.LittleEndian.Uint32(b[4:]) + s0
		}
	} else {
		for ; len(b) >= 8; b = b[8:] {
			s0 += binary.BigEndian.Uint32(b) + s1
			s1 += binary.BigEndian.Uint32(b[4:]) + s0
		}
	}
	c.s0, c.s1 = s0, s1
}

func (c *checksum) is(b []byte) bool {
	return binary.BigEndian.Uint32(b) == c.s0 && binary.BigEndian.Uint32(b[4:]) == c.s1
}
