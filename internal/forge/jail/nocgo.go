//go:build linux && !cgo

package jail

const listsThreads = false
