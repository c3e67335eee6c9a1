package forge

import "github.com/tool-mapping-protocol/tmp/internal/forge/bridge"

// queries are the names of the queries of the configuration.
func (f *Forge) queries() []string { return nil }

func (f *Forge) database(func(string) string) *bridge.Database { return nil }

func (f *Forge) publish(*Index) {}
