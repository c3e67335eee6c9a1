package line

// maxRead bounds the texts within a line that are judged, in bytes; textCost is
// what each counts for beside its own. A line that grows with each reading (ssh h
// ssh h …) would else take time without end.
const (
	maxRead  = 256 << 10
	textCost = 64
)

// reads takes a text from what may be judged within the line, and reports whether
// there was enough left.
func (j *judge) reads(t *text) bool {
	if j.read > maxRead {
		return false
	}
	if j.read += len(t.s) + textCost; j.read > maxRead {
		j.opaque(t, "too many lines within lines")
		return false
	}
	return true
}

// maxDescribed bounds the findings of which it is worked out what runs before them,
// which goes through the whole line for each. The others are asked about each time.
const maxDescribed = 64

// unseen is what was written before a finding for which that is not worked out.
var unseen = Written{All: true}

// describes reports whether there is room to describe one more finding.
func (j *judge) describes() bool {
	j.described++
	return j.described <= maxDescribed
}

// maxBound bounds the words that are bound to look for what they carry.
const maxBound = 1 << 16

// binds takes words from what may be bound, and reports whether there was enough
// left.
func (r *run) binds(words int) bool {
	if r.bound > maxBound {
		return false
	}
	if r.bound += words; r.bound > maxBound {
		r.opaque(r.text, "commands within commands, too many to follow")
		return false
	}
	return true
}
