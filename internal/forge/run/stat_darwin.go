package run

import "golang.org/x/sys/unix"

func statTimes(st *unix.Stat_t) (m, c int64) { return st.Mtim.Nano(), st.Ctim.Nano() }
