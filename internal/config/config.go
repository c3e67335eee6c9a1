// Package config reads the user's config.toml. It is apart because a reader of
// TOML costs a program its start, and few lines need one: tmp-enter asks tmp.
package config

import (
	"errors"

	"github.com/BurntSushi/toml"

	"github.com/tool-mapping-protocol/tmp/internal/ask/facts"
)

// Sections reads a config.toml: its values by section and key, or what is wrong
// with it.
func Sections(file, text string) (map[string]any, []facts.Problem) {
	var all map[string]any
	_, err := toml.Decode(text, &all)
	var bad toml.ParseError
	switch {
	case errors.As(err, &bad):
		return nil, []facts.Problem{{File: file, Line: bad.Position.Line, Err: errors.New(bad.Message)}}
	case err != nil:
		return nil, []facts.Problem{{File: file, Err: err}}
	}
	return all, nil
}
