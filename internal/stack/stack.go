// Package stack gives the main goroutine of a program the stack that it will need,
// in one step at its start. The runtime would double it step by step, from 2 KB,
// and each step takes new memory, walks the frames and copies them: that is a tenth
// of what the start of a short program costs.
//
// It is to be imported for this effect alone, by programs that are started on a
// key. It imports nothing, so that it is ready before what it links.
package stack

// size is what a Tab and an Enter stay below; the pages of it that nothing
// touches cost nothing.
const size = 40 << 10

var _ = grown(0)

// grown has a frame of the size, for which the runtime makes room when it is
// called; nothing is written to it.
//
//go:noinline
func grown(n int) byte {
	if n == 0 {
		return 0
	}
	var room [size]byte
	fill(&room)
	return room[n]
}

//go:noinline
func fill(room *[size]byte) { room[0] = 1 }
