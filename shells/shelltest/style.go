package shelltest

// Cell is one place of a screen.
type Cell struct {
	Rune  rune // 0 is the second half of a wide character
	Style Style
}

// Style is how a character is drawn (ECMA-48, 8.3.117). The zero value is plain.
type Style struct {
	Fore, Back                            Colour
	Bold, Dim, Italic, Underline, Reverse bool
}

// Colour is 0 for the terminal's own, 1 to 256 for a colour of the palette
// (its number and one), above that Direct and 24 bits of red, green and blue.
type Colour int32

// Direct marks a Colour that names its parts.
const Direct Colour = 1 << 24

// Cells returns a copy of a row, nil for one that the screen does not have.
func (s *Screen) Cells(n int) []Cell {
	if n < 0 || n >= s.rows {
		return nil
	}
	return append([]Cell(nil), s.cells[n]...)
}

// set carries out the parameters of one SGR sequence; -1 is one left out.
func (y *Style) set(p []int) {
	if len(p) == 0 {
		*y = Style{}
	}
	for i := 0; i < len(p); i++ {
		switch n := p[i]; {
		case n <= 0:
			*y = Style{}
		case n == 1:
			y.Bold = true
		case n == 2:
			y.Dim = true
		case n == 3:
			y.Italic = true
		case n == 4:
			y.Underline = true
		case n == 7:
			y.Reverse = true
		case n == 22:
			y.Bold, y.Dim = false, false
		case n == 23:
			y.Italic = false
		case n == 24:
			y.Underline = false
		case n == 27:
			y.Reverse = false
		case n >= 30 && n <= 37:
			y.Fore = Colour(n - 30 + 1)
		case n == 38:
			y.Fore, i = extended(p, i)
		case n == 39:
			y.Fore = 0
		case n >= 40 && n <= 47:
			y.Back = Colour(n - 40 + 1)
		case n == 48:
			y.Back, i = extended(p, i)
		case n == 49:
			y.Back = 0
		case n >= 90 && n <= 97:
			y.Fore = Colour(n - 90 + 8 + 1)
		case n >= 100 && n <= 107:
			y.Back = Colour(n - 100 + 8 + 1)
		}
	}
}

// extended reads "38;5;N" or "38;2;R;G;B", which begins at p[i], and returns the
// colour and where it ends.
func extended(p []int, i int) (Colour, int) {
	part := func(n int) Colour { return Colour(min(max(arg(p, n, 0), 0), 255)) }
	switch arg(p, i+1, 0) {
	case 5:
		return part(i+2) + 1, i + 2
	case 2:
		return Direct | part(i+2)<<16 | part(i+3)<<8 | part(i+4), i + 4
	}
	return 0, len(p)
}
