package shline

// splitter collects the commands of a whole line as the scanner finishes them.
type splitter struct{}

func (x *splitter) command(*scanner, *frame, string) {}

func (x *splitter) reserved(*scanner, *frame, string, item) {}
