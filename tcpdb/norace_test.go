//go:build !race

package tcpdb

const raceEnabled = false
