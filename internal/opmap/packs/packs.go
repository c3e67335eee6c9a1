// Package packs are the packs that come with the programs.
package packs

import "embed"

// Files are their directories, by their names without the publisher, which is tmp.
//
//go:embed clouds
var Files embed.FS
