package session

import (
	"bytes"
	"fmt"
	"io"
)

// spillHead and spillTail are how many bytes of an output are held in memory
// where the disk may not hold it: its beginning and its end.
const spillHead, spillTail = 2 << 20, 2 << 20

// spill holds the output of a program in memory, in bounds. What a full disk
// could not keep is shown out of it, since the program does not run twice.
type spill struct {
	head, tail []byte
	total      int64
}

func (s *spill) Write(p []byte) (int, error) {
	n := len(p)
	s.total += int64(n)
	k := min(n, spillHead-len(s.head))
	s.head, p = append(s.head, p[:k]...), p[k:]
	if s.tail = append(s.tail, p...); len(s.tail) > 2*spillTail {
		s.tail = append(s.tail[:0], s.tail[len(s.tail)-spillTail:]...)
	}
	return n, nil
}

// reader gives the output from its beginning. What is missing in the middle is
// cut at line ends and told in a line.
func (s *spill) reader() io.Reader {
	head, tail := s.head, s.tail
	if s.total == int64(len(head)+len(tail)) {
		return io.MultiReader(bytes.NewReader(head), bytes.NewReader(tail))
	}
	if i := bytes.LastIndexByte(head, '\n'); i >= 0 {
		head = head[:i+1]
	}
	if i := bytes.IndexByte(tail, '\n'); i >= 0 {
		tail = tail[i+1:]
	}
	gap := fmt.Sprintf("[tmp] %d bytes found no room here\n", s.total-int64(len(head)+len(tail)))
	return io.MultiReader(bytes.NewReader(head), bytes.NewReader([]byte(gap)), bytes.NewReader(tail))
}
