package depot

import "syscall"

// nonBlock: a FIFO in the place of a file does not stop us.
const nonBlock = syscall.O_NONBLOCK
