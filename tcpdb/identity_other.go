//go:build !unix

package tcpdb

import "os"

func isProgram(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}

// walkChain: this system has no modes to judge by.
func walkChain(path string) (end, reason string) {
	return path, "this system's permissions are not understood"
}
