package tgp

func runSync(c *call) error    { return usage("not yet") }
func runHarvest(c *call) error { return usage("not yet") }
func runJanitor(c *call) error { return usage("not yet") }
func runShow(c *call) error    { return usage("not yet") }
func runLog(c *call) error     { return usage("not yet") }
func runConfig(c *call) error  { return usage("not yet") }
func runDoctor(c *call) error  { return usage("not yet") }
func runServe(c *call) error   { return usage("not yet") }
