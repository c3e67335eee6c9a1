package tab

import (
	"context"

	"github.com/tool-mapping-protocol/tmp/completion"
)

// engine has no map yet: every command keeps the shell's own completion.
func engine(context.Context, completion.Request) completion.Answer {
	return completion.Answer{}
}
