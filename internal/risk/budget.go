package risk

// maxWithin bounds what is looked at of the commands that others carry, in words;
// each command counts for withinCost more. A line of which each reading gives
// several others would else take time without end.
const (
	maxWithin  = 1 << 16
	withinCost = 32
)

// spend takes the words of a command within another from what may be looked at,
// and reports whether there was enough left.
func (j *judge) spend(words int) bool {
	if j.facts.Within == nil {
		return true
	}
	*j.facts.Within += words + withinCost
	return *j.facts.Within <= maxWithin
}
