package tcpdb

import "fmt"

// Layer names one image of the layered map, lowest first.
type Layer uint8

const (
	CoreLayer Layer = iota
	PackLayer
	SystemLayer
	ForgeLayer // tools that tgp made
	UserLayer
	ProjectLayer

	layerCount = 6
)

// Layers lists the layers, lowest first.
func Layers() []Layer {
	return []Layer{CoreLayer, PackLayer, SystemLayer, ForgeLayer, UserLayer, ProjectLayer}
}

// String returns "core", "packs", "system", "tgp", "user" or "project".
func (l Layer) String() string {
	switch l {
	case CoreLayer:
		return "core"
	case PackLayer:
		return "packs"
	case SystemLayer:
		return "system"
	case ForgeLayer:
		return "tgp"
	case UserLayer:
		return "user"
	case ProjectLayer:
		return "project"
	}
	return fmt.Sprintf("Layer(%d)", uint8(l))
}

// Descriptor is a v2 record of the Tool Capability Protocol (seed 001 §7.1).
type Descriptor struct {
	Version  uint16
	Hash     uint32 // first four bytes of MD5(key), big-endian
	Flags    Flags
	ExecMS   uint16 // estimated run time, milliseconds, saturating
	MemoryMB uint16
	OutputKB uint16
	KeyLen   uint16
}
