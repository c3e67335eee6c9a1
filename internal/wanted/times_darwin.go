package wanted

import "syscall"

// changed and modified are the times of a file in nanoseconds since 1970: when
// its status changed, which installing always does, and its content.
func changed(st syscall.Stat_t) int64 { return st.Ctimespec.Nano() }

func modified(st syscall.Stat_t) int64 { return st.Mtimespec.Nano() }
