package shape

import (
	"sync"
	"unicode/utf8"
)

// counter estimates tokens as a language model counts them, without its
// vocabulary, by classes of characters: a word of letters is a token and one
// more for each five letters after the sixth; three digits are one; so are two
// marks side by side, a line end with the blanks after it, and each half of a
// character beyond ASCII.
type counter struct {
	half  int // tokens, in halves
	class class
	run   int
}

type class uint8

const (
	nothingYet class = iota
	letters
	digits
	space
	newline
	marks
	beyond
)

// classes holds the class of each byte.
var classes = sync.OnceValue(func() *[256]class {
	var t [256]class
	for i := range t {
		switch b := byte(i); {
		case letter(b):
			t[i] = letters
		case digit(b):
			t[i] = digits
		case b == ' ' || b == '\t':
			t[i] = space
		case b == '\n' || b == '\r':
			t[i] = newline
		case b >= utf8.RuneSelf:
			t[i] = beyond
		default:
			t[i] = marks
		}
	}
	return &t
})

func (c *counter) add(p []byte) {
	t := classes()
	for i := 0; i < len(p); {
		k := t[p[i]]
		j := i + 1
		for j < len(p) && t[p[j]] == k {
			j++
		}
		if k != c.class {
			c.end()
			c.class, c.run = k, 0
		}
		c.run += j - i
		i = j
	}
}

// end adds the run that ends.
func (c *counter) end() {
	n := c.run
	switch c.class {
	case letters:
		c.half += 2
		if n > 6 {
			c.half += 2 * ((n - 2) / 5)
		}
	case digits:
		c.half += 2 * ((n + 2) / 3)
	case space: // one blank belongs to the word after it
		if n > 1 {
			c.half += 2 * (1 + n/80)
		}
	case newline:
		c.half += 2
	case marks:
		c.half += 2 * ((n + 1) / 2)
	case beyond:
		c.half += (n*2 + 2) / 3
	}
}

func (c *counter) total() int {
	d := *c
	d.end()
	return (d.half + 1) / 2
}

// Tokens estimates the number of tokens in a text.
func Tokens(text string) int {
	var c counter
	c.add([]byte(text))
	return c.total()
}
