package term

import (
	"errors"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Busy gives a lock that is held its exit status.
func Busy(err error) error {
	if busy := (*tcpdb.BusyError)(nil); errors.As(err, &busy) {
		return &Failure{Status: busy.ExitCode(), Msg: busy.Error()}
	}
	return err
}

// Locked gives a lock that another process holds its own status.
func Locked(err error) error {
	var busy *tcpdb.BusyError
	if errors.As(err, &busy) {
		return &Failure{Status: busy.ExitCode(), Msg: busy.Error(), Hints: []string{"try again when it is done"}}
	}
	return err
}
