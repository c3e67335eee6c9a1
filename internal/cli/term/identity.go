package term

import (
	"strconv"

	"golang.org/x/sys/unix"
)

// Terminal tells this terminal from others: the device of a stream that is one and
// the session of its processes; without a terminal the session alone.
func (e *Env) Terminal() string {
	id := ""
	for stream := range 3 {
		var st unix.Stat_t
		if e.IsTerminal != nil && e.IsTerminal(stream) && unix.Fstat(stream, &st) == nil {
			id = strconv.FormatUint(uint64(st.Rdev), 10) //nolint:unconvert // not the same type on every system
			break
		}
	}
	if sid, err := unix.Getsid(0); err == nil {
		id += " " + strconv.Itoa(sid)
	}
	return id + " " + e.Agent()
}
