package shape

import "bytes"

// cell is one value of a row: the column that it stands in, its text, and what
// it is worth if it is a number. The column is a number from 0, or the hash of a
// name (JSON, "name | value").
type cell struct {
	col    uint64
	text   []byte
	v      float64
	unit   byte
	number bool
}

func newCell(col uint64, text []byte) cell {
	v, unit, ok := quantity(text)
	return cell{col, text, v, unit, ok}
}

const maxCells = 24 // of a row that are looked at

// cells splits a line of which no head is known: JSON by its members, lines with
// bars or tabs by those, CSV, and others by blanks. form tells these apart.
func cells(b []byte, out []cell) (list []cell, form byte) {
	t := trimLeft(b)
	if len(t) > 1 && t[0] == '{' && ends(t, "}") {
		ok := object(t, func(key, value []byte) {
			if len(out) < maxCells {
				out = append(out, newCell(hash(key), value))
			}
		})
		if ok && len(out) > 1 {
			return out, '{'
		}
		out = out[:0]
	}
	for _, c := range [...]byte{'|', '\t', ','} {
		if n := bytes.Count(t, []byte{c}); n > 1 || n == 1 && c == '\t' {
			if c == ',' && bytes.Contains(t, []byte(", ")) {
				break // a sentence
			}
			return parted(t, c, out), c
		}
	}
	return sentence(t, out), ' '
}

func parted(t []byte, c byte, out []cell) []cell {
	for len(out) < maxCells {
		i := bytes.IndexByte(t, c)
		if i < 0 {
			return append(out, newCell(uint64(len(out)), trim(t)))
		}
		out = append(out, newCell(uint64(len(out)), trim(t[:i])))
		t = t[i+1:]
	}
	return out
}

// sentence splits at blanks what may be a sentence: of one without numbers in
// its first words these are enough.
func sentence(t []byte, out []cell) []cell {
	out = fields(t, formCells+1, out)
	if len(out) <= formCells {
		return out
	}
	rest := out[formCells].text
	for i := range out {
		if out[i].number {
			more := fields(rest, maxCells-formCells, out[formCells:formCells])
			for j := range more {
				more[j].col += formCells
			}
			return append(out[:formCells], more...)
		}
	}
	return out[:formCells]
}

// fields splits at blanks into n cells at most, the last of which has the rest.
func fields(t []byte, n int, out []cell) []cell {
	for t = trimLeft(t); len(t) > 0 && len(out) < n; {
		i, digits := 0, false
		for i < len(t) && t[i] != ' ' && t[i] != '\t' {
			digits = digits || digit(t[i])
			i++
		}
		if len(out) == n-1 {
			i = len(t)
		}
		x := cell{col: uint64(len(out)), text: t[:i]}
		if digits {
			x.v, x.unit, x.number = quantity(x.text)
		}
		out = append(out, x)
		t = trimLeft(t[i:])
	}
	return out
}

// hash is FNV-1a of the text.
func hash(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// form hashes what rows of one table have in common where no head tells it: how
// they are split, and which of their first cells are numbers.
func form(list []cell, how byte) uint64 {
	id := uint64(how) + 1
	for i, c := range list {
		if how == '{' {
			id = id*31 + c.col
		}
		if i >= formCells {
			break
		}
		id *= 1099511628211
		if c.number {
			id++
		}
	}
	return id
}

const formCells = 8

// quantity reads a cell that is a number: "12", "1,234", "4.0K", "99.9%",
// "lag=86400s", "5d3h", "12:34", "0/1", "512 (3d ago)". unit is that of a time
// in its column, 0 if there is none; what it is worth depends on the others, as
// "m" is a minute, a thousandth or a million.
func quantity(b []byte) (v float64, unit byte, ok bool) {
	b = unwrapped(b)
	neg := len(b) > 1 && (b[0] == '-' || b[0] == '+')
	if neg {
		neg, b = b[0] == '-', b[1:]
	}
	v, n := decimal(b)
	if n == 0 {
		return 0, 0, false
	}
	if n < len(b) {
		switch b[n] {
		case ':':
			v, n = clock(b)
		case '/':
			w, m := decimal(b[n+1:])
			if m == 0 || w == 0 || n+1+m != len(b) {
				return 0, 0, false
			}
			v, n = v/w, len(b)
		default:
			v, unit, n = scaled(b, v, n)
		}
		if n == 0 || n < len(b) && !has(b[n:], " (") {
			return 0, 0, false
		}
	}
	if neg {
		v = -v
	}
	return v, unit, true
}

// unwrapped is a cell without what stands around its value: brackets, quotes, a
// comma, and a name and "=" or ":" before it.
func unwrapped(b []byte) []byte {
	for len(b) > 0 && wraps(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && wraps(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	if len(b) == 0 || !letter(b[0]) {
		return b
	}
	for i := len(b) - 1; i > 0; i-- {
		switch c := b[i]; {
		case c == '=' || c == ':':
			if b = b[i+1:]; len(b) > 0 && b[0] == '"' {
				b = b[1:]
			}
			return b
		case !digit(b[i]) && !letter(c) && c != '.' && c != '%' && c != ',' && c < 0x80 && c != '-' && c != '+' && c != '"':
			return b
		}
	}
	return b
}

// wraps reports whether a byte only stands around a value.
func wraps(c byte) bool {
	switch c {
	case '"', '\'', '(', '[', '{', ',', ';', ' ', ')', ']', '}':
		return true
	}
	return false
}

// decimal reads a number with a fraction, and with commas between thousands.
func decimal(b []byte) (v float64, n int) {
	for n < len(b) && (digit(b[n]) || b[n] == ',' && n > 0 && n+3 < len(b) && digit(b[n+1]) && digit(b[n+2]) && digit(b[n+3])) {
		if b[n] != ',' {
			v = v*10 + float64(b[n]-'0')
		}
		n++
	}
	if n == 0 {
		return 0, 0
	}
	if n+1 < len(b) && b[n] == '.' && digit(b[n+1]) {
		part := 0.1
		for n++; n < len(b) && digit(b[n]); n++ {
			v += part * float64(b[n]-'0')
			part /= 10
		}
	}
	return v, n
}

// clock reads "12:34", "1:02:03.5" as seconds, or minutes.
func clock(b []byte) (v float64, n int) {
	for i := 0; i < 4; i++ {
		w, m := decimal(b[n:])
		if m == 0 {
			return 0, 0
		}
		v, n = v*60+w, n+m
		if n == len(b) || b[n] != ':' {
			return v, n
		}
		n++
	}
	return 0, 0
}

// scaled reads the unit after a number, and further parts as in "5d3h". A time
// is in seconds, its unit is returned.
func scaled(b []byte, v float64, n int) (float64, byte, int) {
	sum, unit := 0.0, byte(0)
	for {
		i := n
		for i < len(b) && (letter(b[i]) || b[i] == '%' || b[i] >= 0x80) {
			i++
		}
		f, u, ok := worth(b[n:i])
		if !ok || unit != 0 && i == n {
			return 0, 0, 0
		}
		sum, unit = sum+v*f, max(unit, u)
		if n = i; u == 0 || n == len(b) || !digit(b[n]) {
			return sum, unit, n
		}
		w, m := decimal(b[n:])
		if m == 0 {
			return 0, 0, 0
		}
		v, n = w, n+m
	}
}

// worth is what a unit stands for.
func worth(u []byte) (factor float64, unit byte, ok bool) {
	switch string(u) {
	case "", "%", "B", "b", "x", "c", "bytes", "pp":
		return 1, 0, true
	case "ns":
		return 1e-9, 's', true
	case "us", "µs", "μs":
		return 1e-6, 's', true
	case "ms":
		return 1e-3, 's', true
	case "s", "sec", "secs":
		return 1, 's', true
	case "m":
		return 60, 'm', true
	case "min", "mins":
		return 60, 's', true
	case "h", "hr", "hrs":
		return 3600, 's', true
	case "d":
		return 86400, 's', true
	case "w":
		return 7 * 86400, 's', true
	case "y":
		return 365 * 86400, 's', true
	}
	if len(u) > 3 {
		return 0, 0, false
	}
	factor = 1
	for range max(0, bytes.IndexByte([]byte(" KMGTPE"), u[0]&^0x20)) {
		factor *= 1024
	}
	rest := string(u[1:])
	return factor, 0, factor > 1 && (rest == "" || rest == "i" || rest == "B" || rest == "iB" || rest == "b")
}

// word hashes the text of a cell that is no number, with its digits taken out:
// names that only count up are one.
func word(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(b); {
		c := b[i]
		if digit(c) {
			for i < len(b) && digit(b[i]) {
				i++
			}
			c = '#'
		} else {
			i++
		}
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}
