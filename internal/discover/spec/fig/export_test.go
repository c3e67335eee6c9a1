package fig

// Limited evaluates without a jail.
var Limited = limited
