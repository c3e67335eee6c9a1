// Package jail closes a process in upon itself: no new privileges, no file
// (Landlock), no system call but those that computing needs (seccomp), the rest of
// its time at low priority, and bounds for what it uses. It is for the process that
// holds the isolate, after that has loaded its engine and before it has read a
// byte of a tool; what a tool may do in the world is done by the process outside.
package jail

// Limits bound the process.
type Limits struct {
	Data    uint64 // bytes of its private memory
	Seconds uint64 // of CPU; 0 for no bound
}

// State says which of the walls stand.
type State struct {
	NoNewPrivileges bool   `json:"no_new_privs"`
	Landlock        int    `json:"landlock"` // the version of its interface; 0 if the kernel has none
	Seccomp         bool   `json:"seccomp"`
	Nice            bool   `json:"nice"`
	Problem         string `json:"problem,omitempty"`
}
