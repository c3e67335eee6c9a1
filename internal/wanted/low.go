package wanted

import "syscall"

// Lowest is the priority of what nobody waits for.
const Lowest = 19

// LowPriority gives this process, all its threads, way to everything else, where it
// was started by Detach and is its own group.
func LowPriority() {
	if syscall.Getpgrp() == syscall.Getpid() {
		_ = syscall.Setpriority(syscall.PRIO_PGRP, 0, Lowest)
	}
}
