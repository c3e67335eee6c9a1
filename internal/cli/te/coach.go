package te

import "github.com/tool-mapping-protocol/tmp/internal/envelope"

// strategy says how many matches a section of a preview holds.
func (c *call) strategy(cmd string, preview int) int {
	c.event.strategy = "default"
	return preview
}

func (c *call) coach(args []string) int {
	if len(args) != 1 || args[0] != "report" {
		return c.fail("coach", envelope.Usage, "te coach report", statusUsage)
	}
	return 0
}
