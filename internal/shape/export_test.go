package shape

// CommandOf is what the map says of a line's command. Package printed, which
// stands above this one, sets it for all tests.
var CommandOf func(line string) Command
