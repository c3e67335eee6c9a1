package hook

import (
	"errors"

	"github.com/tool-mapping-protocol/tmp/internal/ask/facts"
	"github.com/tool-mapping-protocol/tmp/internal/toml"
)

// sections reads a config.toml with the reader that costs no start.
func (c *call) sections(file, text string) (map[string]any, []facts.Problem) {
	all, err := toml.Parse(text)
	var bad *toml.Error
	switch {
	case errors.As(err, &bad):
		return nil, []facts.Problem{{File: file, Line: bad.Line, Err: errors.New(bad.Message)}}
	case err != nil:
		return nil, []facts.Problem{{File: file, Err: err}}
	}
	return all, nil
}
