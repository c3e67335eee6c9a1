// Package core holds the sources of the map that ships: what people know of
// tools and of the risk of commands.
//
//	tools/NAME/map.json    the command tree and the operations of a tool
//	tools/NAME/risk.toml   how its commands are rated, what kind of program it is
//	tools/NAME/cases.tsv   what Tab is to offer and how lines are to be judged
//	families/*.toml        ratings that hold for several tools alike
//
// Everything that is known of one tool is in its directory. "tmp schema new"
// writes the skeleton of one.
package core

import "embed"

// Files are the sources from which the core image is compiled.
//
//go:embed tools/*/map.json tools/*/risk.toml families/*.toml
var Files embed.FS

// Roles is what a project can be asked to do: the names by which tasks play a role,
// the words by which people ask for it, the standard command of each ecosystem.
//
//go:embed roles.json
var Roles []byte
